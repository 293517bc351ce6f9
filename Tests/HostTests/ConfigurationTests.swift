// The meaning of a configuration file: its values, its defaults, what a reload can change, and
// unreadable files. Uses a directory of its own.
import Glibc
import Recorder
import Tape
import Testing

@testable import Host

private func read(_ text: String) throws -> Configuration {
  switch ConfigurationReader.read(Array(text.utf8), file: "reel.json") {
  case .good(let configuration): return configuration
  case .wrong(let mistakes):
    throw Wrong(sentences: mistakes.map(\.description))
  }
}

private struct Wrong: Error { let sentences: [String] }

@Suite struct ConfigurationTests {
  @Test("an empty file means the same as none: the recorder's own defaults")
  func defaults() throws {
    let configuration = try read("{}")
    #expect(configuration == Configuration())
    #expect(configuration.settings == Settings())
    #expect(configuration.opus == OpusSettings())
    #expect(ConfigurationReader.read(file: "/nowhere/reel.json") == .good(Configuration()))
  }

  static let times: [(String, Int64)] = [
    (#""2 s""#, 2000), ("3", 3000), ("0.5", 500), (#""1 min""#, 60_000), (#""250ms""#, 250),
    (#""1.5 s""#, 1500), (#""10 seconds""#, 10_000), (#""1 S""#, 1000),
    (#""12 s 250 ms""#, 12_250), ("0", 0),
  ]

  @Test("times are written as people write them", arguments: times)
  func time(_ text: String, _ milliseconds: Int64) throws {
    let settings = try read("{ preroll: \(text) }").settings
    #expect(settings.prerollMilliseconds == milliseconds)
  }

  @Test("times, sizes and bit rates are read back as they were written")
  func quantities() {
    for milliseconds: Int64 in [0, 1, 999, 1000, 61_001, 90_000, 3_600_000, 86_400_000 * 365] {
      #expect(Quantity.time(Quantity.time(milliseconds: milliseconds)) == milliseconds)
    }
    for bytes: Int64 in [1, 1023, 1024, 1000, 32 << 20, 32_000_000, 5 << 40] {
      #expect(Quantity.bytes(Quantity.bytes(bytes)) == bytes)
    }
    for rate: Int64 in [1, 6000, 64_000, 64_001] {
      #expect(Quantity.bitsPerSecond(Quantity.bitsPerSecond(rate)) == rate)
    }
    #expect(Quantity.bytes("32 MB") == 32_000_000 && Quantity.bytes("32 MiB") == 33_554_432)
    #expect(Quantity.time("1 h 30 min") == 5_400_000)
  }

  @Test("every part of the file arrives where it belongs")
  func everything() throws {
    let configuration = try read(
      """
      {
        device: "Device", output: "none of these", channels: 2, pick: [3, 2], rate: 44100,
        armed: false, splitEvery: "1 h", whenFull: "recycle-oldest-heard", reserve: "1 GB",
        greeting: "/srv/hello.opus", sync: 5, stall: "2 min", afterPlaying: "stop",
        levels: [{ control: "Mic", value: ["80 %", "-6 dB"], on: true },
                 { control: "Speaker", direction: "playback", value: 40, index: 1 }],
        encoder: { bitrate: 96000, mode: "constant", complexity: 3, application: "low-delay",
                   frame: "2.5 ms" },
        tones: { start: "off", refused: "/srv/no.wav" },
        console: { port: "none", access: "status" }, socket: { group: "wheel", access: "off" },
        hooks: { directory: "none", limit: "10 s" }, metrics: { file: "/run/reel.prom", every: 5 },
        limits: { itemsPerFolder: 10, notices: 5 },
      }
      """)
    var expected = Configuration()
    expected.device = "Device"
    expected.output = "none of these"
    (expected.channels, expected.pick, expected.sampleRate) = (2, [3, 2], 44_100)
    expected.settings.isArmed = false
    expected.settings.splitEveryMilliseconds = 3_600_000
    expected.settings.whenFull = .recycleOldestHeard
    expected.settings.reserveBytes = 1_000_000_000
    expected.settings.afterPlaying = .stop
    expected.settings.sound.greeting = "/srv/hello.opus"
    expected.settings.sound.tones = ToneSettings(started: .off, refused: .file("/srv/no.wav"))
    (expected.syncMilliseconds, expected.stallMilliseconds) = (5000, 120_000)
    var microphone = MixerLevel("Mic", .capture)
    microphone.values = [.percent(80), .decibels(-6)]
    microphone.isOn = true
    var speaker = MixerLevel("Speaker", .playback)
    speaker.values = [.percent(40)]
    speaker.index = 1
    expected.settings.sound.levels = [microphone, speaker]
    expected.settings.bitsPerSecond = 96_000
    expected.opus.bitsPerSecond = 96_000
    (expected.opus.bitrateMode, expected.opus.complexity) = (.constant, 3)
    (expected.opus.application, expected.opus.frameMicroseconds) = (.lowDelay, 2500)
    (expected.console.port, expected.console.access) = (nil, .status)
    (expected.socket.group, expected.socket.access) = ("wheel", .off)
    (expected.hooks.directory, expected.hooks.limitMilliseconds) = (nil, 10_000)
    (expected.metrics.file, expected.metrics.everyMilliseconds) = ("/run/reel.prom", 5000)
    (expected.settings.itemsPerFolder, expected.settings.noticesKept) = (10, 5)
    #expect(configuration == expected)
  }

  @Test("a panel is wired as it is written")
  func panel() throws {
    let panel = try read(
      """
      { panel: {
        buttons: [{ control: "volume-up", line: "GPIO17", bias: "none", activeLow: false,
                    debounce: "5 ms", stuck: "never" },
                  { control: "hold-switch", line: { chip: "pinctrl-rp1", offset: 4 } }],
        lights: [{ light: "play", line: "GPIO5", drive: "open-drain", activeLow: true },
                 { light: "status", led: "ACT" }],
        inputs: [{ device: "pedal", keys: { KEY_B: "record", "30": "mark" }, grab: false }],
        hold: "2 s", glitch: 0,
      } }
      """
    ).panel
    var volume = ButtonConfiguration()
    (volume.control, volume.line, volume.bias) = ("volumeUp", .name("GPIO17"), .none)
    (volume.isActiveLow, volume.debounceMilliseconds, volume.stuckMilliseconds) = (false, 5, 0)
    var hold = ButtonConfiguration()
    (hold.control, hold.line) = ("hold-switch", .chip(label: "pinctrl-rp1", offset: 4))
    #expect(panel.buttons == [volume, hold])
    var play = LightConfiguration()
    (play.light, play.line, play.drive) = (.play, .name("GPIO5"), .openDrain)
    play.isActiveLow = true
    var status = LightConfiguration()
    (status.light, status.led) = (.status, "ACT")
    #expect(panel.lights == [play, status])
    var pedal = InputConfiguration()
    (pedal.device, pedal.keys) = ("pedal", ["KEY_B": "record", "30": "mark"])
    pedal.isGrabbed = false
    #expect(panel.inputs == [pedal])
    #expect(panel.holdMilliseconds == 2000 && panel.glitchMilliseconds == 0)
  }

  @Test("bindings replace defaults, or are added to them")
  func bindings() throws {
    let text = """
      { seek: "30 s", bindings: { "mark.press": "nothing", "play.hold": "back",
        "record.double-press": "split", "pedal.press": "record" } }
      """
    var expected = Binding.defaults.filter { $0.control != .mark }
    let hold = try #require(expected.firstIndex { $0.control == .play && $0.gesture == .hold })
    expected[hold] = Binding(.play, .hold, .deck(.seek(.by(milliseconds: -30_000))))
    expected += [
      Binding(.record, .doublePress, .take(.split)),
      Binding(.named("pedal"), .press, .take(.start(title: nil))),
    ]
    #expect(try read(text).settings.bindings == expected)
  }

  @Test("every default binding has a word, and every word means a request")
  func words() {
    #expect(BindingLine.defaults.count == Binding.defaults.count)
    for word in ActionWords.all where word != ActionWords.nothing {
      #expect(ActionWords.request(word, seekMilliseconds: 1) != nil, "\(word)")
    }
  }

  @Test("a written configuration is read back as the same")
  func written() throws {
    let one = try read(
      """
      { preroll: "1 s 1 ms", levels: [{ control: "\\"Mic\\\\", value: "-6.5 dB", on: false }],
        bindings: { "a.hold": "up" }, pick: [1], tones: { stop: "/a b" },
        panel: { buttons: [{ control: "a", line: { chip: "b", offset: 3 }, debounce: 1 }],
          lights: [{ light: "play", led: "ACT" }],
          inputs: [{ device: "d", keys: { KEY_A: "record" } }] } }
      """)
    let text = ConfigurationText.file(one)
    #expect(try read(text) == one)
    #expect(text.contains("preroll: \"1 s 1 ms\",  // set"))
    #expect(text.contains("warn: \"10 min\",\n"))
  }

  @Test("a reload changes what can change, and names what needs a restart")
  func reload() throws {
    let old = try read(#"{ preroll: "2 s", warn: "10 min" }"#)
    let new = try read(
      #"{ preroll: "5 s", warn: "20 min", encoder: { complexity: 5 }, seek: "5 s" }"#)
    let reloaded = old.reloaded(with: new)
    #expect(reloaded.waiting == ["preroll", "encoder.complexity"])
    #expect(reloaded.running.settings.prerollMilliseconds == 2000)
    #expect(reloaded.running.settings.warnMilliseconds == 1_200_000)
    #expect(reloaded.running.settings.seekMilliseconds == 5000)
    #expect(reloaded.running.opus.complexity == 10)
    #expect(reloaded.running.reloaded(with: new).waiting == reloaded.waiting)
    #expect(old.reloaded(with: old) == .init(running: old, waiting: []))
  }

  @Test("a path that is not a file is reported, and nothing hangs")
  func noFile() {
    for path in ["/", "/dev/null"] {
      let why = "it is not a file"
      let expected = ConfigurationError(file: path, place: nil, path: "", sentence: why)
      #expect(ConfigurationReader.read(file: path) == .wrong([expected]))
      #expect(expected.description == "\(path): \(why)")
    }
    // A path below a file counts as absent; `Root` reports what is wrong there.
    #expect(ConfigurationReader.read(file: "/dev/null/x") == .good(Configuration()))
  }
}

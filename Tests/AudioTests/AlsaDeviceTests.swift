// Finds and tries the configured device, on a paced device. These tests run one after another with
// the others that name one by the environment.
import Glibc
import Recorder
import Synchronization
import Testing

@testable import Audio

private final class Said: Sendable {
  private let sentences = Mutex<[String]>([])
  var all: [String] { sentences.withLock { $0 } }
  func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
}

extension AlsaDeviceTests {
  @Test("a named device is found, tried, and reported once")
  func found() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    let said = Said()
    let microphone = AlsaDevice("vmic", .capture) { said.add($0) }
    for _ in 0..<3 {
      let found = try microphone.find()
      #expect(found.choice.pcmName == "vmic" && found.setup.rate == 48_000)
    }
    #expect(said.all == ["Using the ALSA device vmic."])
    // And when its server dies, that is reported once, and so is its return
    device.signal(SIGKILL)
    for _ in 0..<2 {
      do {
        _ = try microphone.find()
        Issue.record("a device without its server was found")
      } catch {
        #expect(said.all.last == error.sentence)
      }
    }
    #expect(said.all.count == 2)
    try device.startAgain()
    #expect(try microphone.find().choice.name == "vmic")
    #expect(said.all.count == 3)
  }

  @Test("levels are set whenever a device is opened, each on its own side")
  func levels() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    device.configure("ctl.vmic { type pulse server \"unix:\(device.folder)/native\" }")
    let (said, complaints) = (Said(), Said())
    let microphone = AlsaDevice("vmic", .capture) { said.add($0) }
    var level = MixerLevel("Capture", .capture)
    level.values = [.percent(30)]
    let unknown = MixerLevel("Boost", .capture)
    var speaker = MixerLevel("Master", .playback)
    speaker.values = [.percent(10)]
    microphone.set([level, unknown, speaker])
    let source = AlsaCapture.source(microphone) { for words in $0 { complaints.add(words) } }
    guard case .success(let info) = source.look() else {
      Issue.record("no device")
      return
    }
    #expect(info == CaptureInfo(name: "vmic", rate: 48_000, channels: 1))
    _ = try source.open()
    #expect(complaints.all.count == 1)
    #expect(complaints.all.first?.hasPrefix("vmic has no control called Boost;") ?? false)
    let seen = shell("amixer -D vmic").text
    #expect(seen.contains("[30%]"), "amixer sees \(seen)")
    #expect(!seen.contains("[10%]"), "amixer sees \(seen)")
  }

  @Test("the abilities of what was found are known, also while it is open, with its mixer")
  func ability() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    device.configure("ctl.vmic { type pulse server \"unix:\(device.folder)/native\" }")
    let microphone = AlsaDevice("vmic", .capture) { _ in }
    #expect(microphone.ability() == nil)
    let source = AlsaCapture.source(microphone) { _ in }
    guard case .success = source.look() else {
      Issue.record("no device")
      return
    }
    let open = try source.open()
    let ability = try #require(microphone.ability())
    // A sound server converts, so these are its own.
    #expect(!ability.isNative && ability.formats.contains(.bits16))
    #expect(ability.rates.contains(48_000) && open.format.rate == 48_000)
    #expect(ability.volumes.contains { $0.control == "Capture" })
  }

  @Test("a missing card is reported in a sentence")
  func missingCard() throws {
    let said = Said()
    let microphone = AlsaDevice("hw:CARD=Nowhere", .capture) { said.add($0) }
    guard case .failure(let why) = AlsaCapture.source(microphone, logError: { _ in }).look() else {
      Issue.record("a card called Nowhere was found")
      return
    }
    #expect(why.sentence.hasPrefix("There is no sound card or device called Nowhere."))
    #expect(said.all == [why.sentence])
  }
}

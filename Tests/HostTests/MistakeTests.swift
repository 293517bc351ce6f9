// The mistakes people make in a configuration file, and the sentence for each: where, which key,
// what was expected and what may have been meant. Pure; touches no file.
import Testing

@testable import Host

/// Returns a text's mistakes, one line each.
func told(_ text: String) -> [String] {
  switch ConfigurationReader.read(Array(text.utf8), file: "reel.json") {
  case .good: []
  case .wrong(let mistakes): mistakes.map(\.description)
  }
}

@Suite struct MistakeTests {
  /// Columns and sentences; all in line 1.
  static let ofTheFile: [(String, String)] = [
    (
      #"{ prerol: "2 s" }"#,
      #"3: prerol: there is no such key; did you mean 'preroll'?"#
    ),
    (
      #"{ preroll: "2 parsecs" }"#,
      #"12: preroll: expected a time from 0 s to 1 min, such as "2 s", not "2 parsecs""#
    ),
    (
      #"{ preroll: "2" }"#,
      #"12: preroll: expected a time from 0 s to 1 min, such as "2 s", not "2"; give it a "#
        + #"unit: "2 s" or "2 min""#
    ),
    (
      #"{ preroll: 90 }"#,
      #"12: preroll: expected a time from 0 s to 1 min, such as "2 s", not the number 90; a "#
        + #"number without a unit is seconds"#
    ),
    (
      #"{ preroll: -1 }"#,
      #"12: preroll: expected a time from 0 s to 1 min, such as "2 s", not the number -1; a "#
        + #"number without a unit is seconds"#
    ),
    (
      #"{ preroll: null }"#,
      #"12: preroll: expected a time from 0 s to 1 min, such as "2 s", not null; take the "#
        + #"line out to have the default"#
    ),
    (
      #"{ preroll: ["2 s"] }"#,
      #"12: preroll: expected a time from 0 s to 1 min, such as "2 s", not ["2 s"]"#
    ),
    (
      #"{ preroll: true }"#,
      #"12: preroll: expected a time from 0 s to 1 min, such as "2 s", not true"#
    ),
    (
      #"{ preroll: "1 s 1 min" }"#,
      #"12: preroll: expected a time from 0 s to 1 min, such as "2 s", not "1 s 1 min""#
    ),
    (
      #"{ splitEvery: "1 s" }"#,
      #"15: splitEvery: expected a time from 1 min to 365 d, such as "1 h", or "never", not "#
        + #""1 s""#
    ),
    (
      #"{ splitEvery: "nevr" }"#,
      #"15: splitEvery: expected a time from 1 min to 365 d, such as "1 h", or "never", not "#
        + #""nevr""#
    ),
    (
      #"{ armed: "yes" }"#,
      #"10: armed: expected true or false, not "yes"; write true"#
    ),
    (
      #"{ armed: 0 }"#,
      #"10: armed: expected true or false, not the number 0; write false"#
    ),
    (
      #"{ armed: "true" }"#,
      #"10: armed: expected true or false, not "true"; take off the quotes"#
    ),
    (
      #"{ armed: {} }"#,
      #"10: armed: expected true or false, not a group of keys"#
    ),
    (
      #"{ device: 1 }"#,
      #"11: device: expected "auto", the id of a sound card, or a name ALSA knows, in "#
        + #"quotes, not the number 1"#
    ),
    (
      #"{ device: "" }"#,
      #"11: device: expected "auto", the id of a sound card, or a name ALSA knows, in "#
        + #"quotes, not """#
    ),
    (
      #"{ channels: 3 }"#,
      #"13: channels: expected a whole number from 1 to 2, not the number 3"#
    ),
    (
      #"{ channels: "2" }"#,
      #"13: channels: expected a whole number from 1 to 2, not "2"; take off the quotes"#
    ),
    (
      #"{ channels: 1.5 }"#,
      #"13: channels: expected a whole number from 1 to 2, not the number 1.5"#
    ),
    (
      #"{ pick: [0, 1, 2] }"#,
      #"9: pick: expected a list of at most 2 numbers from 0 to 1023, each once, not [the "#
        + #"number 0, the number 1, the number 2]"#
    ),
    (
      #"{ pick: [1, 1] }"#,
      #"9: pick: expected a list of at most 2 numbers from 0 to 1023, each once, not [the "#
        + #"number 1, the number 1]"#
    ),
    (
      #"{ rate: 44.1 }"#,
      #"9: rate: expected a whole number from 8000 to 192000 Hz, not the number 44.1"#
    ),
    (
      #"{ bitrate: 64000 }"#,
      #"3: bitrate: there is no such key here; it goes into 'encoder'"#
    ),
    (
      #"{ encoder: { preroll: 1 } }"#,
      #"14: encoder.preroll: there is no such key here; it goes into the outermost braces"#
    ),
    (
      #"{ encoder: { bitrate: 64 } }"#,
      #"23: encoder.bitrate: expected a bit rate from 6 kbit/s to 510 kbit/s, such as "64 "#
        + #"kbit/s", not the number 64; did you mean "64 kbit/s"?"#
    ),
    (
      #"{ encoder: { bitrate: "64" } }"#,
      #"23: encoder.bitrate: expected a bit rate from 6 kbit/s to 510 kbit/s, such as "64 "#
        + #"kbit/s", not "64"; give it a unit: "64 kbit/s""#
    ),
    (
      #"{ encoder: { complexity: 11 } }"#,
      #"26: encoder.complexity: expected a whole number from 0 to 10, not the number 11"#
    ),
    (
      #"{ encoder: { aplication: "audio" } }"#,
      #"14: encoder.aplication: there is no such key; did you mean 'application'?"#
    ),
    (
      #"{ encoder: { application: "audo" } }"#,
      #"27: encoder.application: expected "audio", "voice" or "low-delay", not "audo"; did "#
        + #"you mean "audio"?"#
    ),
    (
      #"{ encoder: { frame: 20 } }"#,
      #"21: encoder.frame: expected "2.5 ms", "5 ms", "10 ms", "20 ms", "40 ms" or "60 ms", "#
        + #"not the number 20"#
    ),
    (
      #"{ encoder: [] }"#,
      #"12: encoder: expected keys between braces: { … }, not []"#
    ),
    (
      #"{ reserve: "32" }"#,
      #"12: reserve: expected a size from 1 MB to 1000 GB, such as "32 MB", not "32"; give "#
        + #"it a unit: "32 MB""#
    ),
    (
      #"{ reserve: "1 kB" }"#,
      #"12: reserve: expected a size from 1 MB to 1000 GB, such as "32 MB", not "1 kB""#
    ),
    (
      #"{ whenFull: "recycle" }"#,
      #"13: whenFull: expected "stop", "recycle-oldest-heard" or "recycle-oldest-copied", not "#
        + #""recycle"; did you mean "recycle-oldest-heard"?"#
    ),
    (
      #"{ whenFull: "recycle-oldest-herd" }"#,
      #"13: whenFull: expected "stop", "recycle-oldest-heard" or "recycle-oldest-copied", not "#
        + #""recycle-oldest-herd"; did you mean "recycle-oldest-heard"?"#
    ),
  ]

  static let ofSections: [(String, String)] = [
    (
      #"{ greeting: "hello.wav" }"#,
      #"13: greeting: expected a path that begins with "/", or "none", not "hello.wav""#
    ),
    (
      #"{ tones: { start: "offf" } }"#,
      #"19: tones.start: expected "built-in", "off", or the path of a sound file, which "#
        + #"begins with "/", not "offf"; did you mean "off"?"#
    ),
    (
      #"{ tones: { begin: "off" } }"#,
      #"12: tones.begin: there is no such key"#
    ),
    (
      #"{ levels: { control: "Mic" } }"#,
      #"11: levels: expected a list of mixer levels: [ { … }, … ], not a group of keys"#
    ),
    (
      #"{ levels: [{ value: 80 }] }"#,
      #"12: levels[0]: 'control' is missing here"#
    ),
    (
      #"{ levels: [{ control: "Mic", value: "loud" }] }"#,
      #"37: levels[0].value: expected percents from 0 to 100, or decibels such as "-6 dB", "#
        + #"one or a list of two, not "loud""#
    ),
    (
      #"{ levels: [{ control: "Mic", value: 101 }] }"#,
      #"37: levels[0].value: expected percents from 0 to 100, or decibels such as "-6 dB", "#
        + #"one or a list of two, not the number 101"#
    ),
    (
      #"{ bindings: { "record": "mark" } }"#,
      #"15: bindings.record: expected a button and a gesture with a dot between them, such "#
        + #"as "record.hold""#
    ),
    (
      #"{ bindings: { "record.pres": "mark" } }"#,
      #"15: bindings.record.pres: 'pres' is no gesture; there are press, release, hold, "#
        + #"doublePress; did you mean "press"?"#
    ),
    (
      #"{ bindings: { "record.press": "marc" } }"#,
      #"31: bindings.record.press: 'marc' is no action; did you mean "mark"?"#
    ),
    (
      #"{ bindings: { "record.press": "teleport" } }"#,
      #"31: bindings.record.press: 'teleport' is no action; there are toggle, record, stop, "#
        + #"mark, split, play, play-pause, pause, resume, stop-playing, next, previous, "#
        + #"volume-up, volume-down, folder, open, up, select-next, select-previous, next-mark, "#
        + #"previous-mark, delete, restore, undo, trash, acknowledge, pair, lock, unlock, "#
        + #"reload, shut-down, forward, back, nothing"#
    ),
    (
      #"{ bindings: { "record.press": 1 } }"#,
      #"31: bindings.record.press: expected an action, such as "mark", not the number 1"#
    ),
    (
      #"{ panel: { buttons: { control: "record" } } }"#,
      #"21: panel.buttons: expected a list of buttons: [ { … }, … ], not a group of keys"#
    ),
    (
      #"{ panel: { buttons: [{ control: "record" }] } }"#,
      #"22: panel.buttons[0]: 'line' is missing here"#
    ),
    (
      #"{ panel: { buttons: [{ control: "record", line: 17 }] } }"#,
      #"49: panel.buttons[0].line: expected the name of a pin, such as "GPIO17", or { chip: "#
        + #""pinctrl-bcm2711", offset: 17 }, not the number 17; did you mean "GPIO17"?"#
    ),
    (
      #"{ panel: { buttons: [{ control: "record", line: "GPIO17", bias: "pullup" }] } }"#,
      #"65: panel.buttons[0].bias: expected "as-is", "none", "pull-up" or "pull-down", not "#
        + #""pullup"; did you mean "pull-up"?"#
    ),
    (
      #"{ panel: { buttons: [{ control: "record", line: { chip: "x" } }] } }"#,
      #"49: panel.buttons[0].line: 'offset' is missing here"#
    ),
    (
      #"{ panel: { buttons: [{ control: "record", line: { chip: "x", offset: "17" } }] } }"#,
      #"70: panel.buttons[0].line.offset: expected a whole number from 0 to 1023, not "17"; "#
        + #"take off the quotes"#
    ),
    (
      #"{ panel: { buttons: [{ control: "record", pin: "GPIO17" }] } }"#,
      #"22: panel.buttons[0]: 'line' is missing here"#
        + "\n" + #"43: panel.buttons[0].pin: there is no such key"#
    ),
    (
      #"{ panel: { lights: [{ light: "record" }] } }"#,
      #"21: panel.lights[0]: a light needs a 'line' or a 'led'"#
    ),
    (
      #"{ panel: { lights: [{ light: "record", line: "A", led: "B" }] } }"#,
      #"21: panel.lights[0]: a light has a 'line' or a 'led', not both"#
    ),
    (
      #"{ panel: { lights: [{ light: "recording", line: "A" }] } }"#,
      #"30: panel.lights[0].light: expected "record", "status" or "play", not "recording"; "#
        + #"did you mean "record"?"#
    ),
    (
      #"{ panel: { inputs: [{ device: "a", keys: ["KEY_A"] }] } }"#,
      #"42: panel.inputs[0].keys: expected keys with a button each: { KEY_A: "record", … }, "#
        + #"not ["KEY_A"]"#
    ),
    (
      #"{ panel: { inputs: [{ device: "a", keys: { KEY_A: 1 } }] } }"#,
      #"51: panel.inputs[0].keys.KEY_A: expected the name of a button, such as "record", or "#
        + #""hold-switch", in quotes, not the number 1"#
    ),
    (
      #"{ panel: { debounce: 30 } }"#,
      #"22: panel.debounce: expected a time from 0 s to 1 s, such as "30 ms", not the "#
        + #"number 30; a number without a unit is seconds"#
    ),
    (
      #"{ panel: { debounceMilliseconds: 30 } }"#,
      #"12: panel.debounceMilliseconds: there is no such key; did you mean 'debounce'?"#
    ),
    (
      #"{ console: { access: "full" } }"#,
      #"22: console.access: expected "off", "status" or "control", not "full""#
    ),
    (
      #"{ console: { port: "ttyGS0" } }"#,
      #"20: console.port: expected a path that begins with "/", or "none", not "ttyGS0""#
    ),
    (
      #"{ socket: { group: "" } }"#,
      #"20: socket.group: expected the name of a group, in quotes, not """#
    ),
    (
      #"{ hooks: { limit: "1 ms" } }"#,
      #"19: hooks.limit: expected a time from 1 s to 1 h, such as "1 min", not "1 ms""#
    ),
    (
      #"{ metrics: "/run/reel.prom" }"#,
      #"12: metrics: expected keys between braces: { … }, not "/run/reel.prom""#
    ),
    (
      #"{ limits: { itemsPerFolder: 0 } }"#,
      #"29: limits.itemsPerFolder: expected a whole number from 1 to 100000, not the number "#
        + #"0"#
    ),
    (
      #"[]"#,
      #"1: expected keys between braces: { … }, not []"#
    ),
    (
      #""#,
      #"1: the file is empty"#
    ),
    (
      #"{ preroll: 2s }"#,
      #"12: '2s' is no number"#
    ),
    (
      #"{ encodr: {} }"#,
      #"3: encodr: there is no such key; did you mean 'encoder'?"#
    ),
  ]

  @Test("a mistake is reported with its place, its key and what to do", arguments: ofTheFile)
  func tellsOfTheFile(text: String, sentences: String) { tell(text, sentences) }

  @Test("so is one in a section", arguments: ofSections)
  func tellsOfSections(text: String, sentences: String) { tell(text, sentences) }

  private func tell(_ text: String, _ sentences: String) {
    let expected = sentences.split(separator: "\n").map { "reel.json:1:\($0)" }
    #expect(told(text) == expected)
  }

  @Test("several mistakes are all reported, in the order of the file")
  func several() {
    let text = """
      {
        // Comments do not change the line numbers.
        encoder: { complexity: 11 },
        prerol: "2 s",
        panel: {
          buttons: [
            { control: "record", line: "GPIO17" },
            { control: "play", line: "GPIO27", bias: "up" },
          ],
        },
        armed: 1,
      }
      """
    #expect(
      told(text) == [
        "reel.json:3:26: encoder.complexity: expected a whole number from 0 to 10, not the "
          + "number 11",
        "reel.json:4:3: prerol: there is no such key; did you mean 'preroll'?",
        "reel.json:8:48: panel.buttons[1].bias: expected \"as-is\", \"none\", \"pull-up\" or "
          + "\"pull-down\", not \"up\"",
        "reel.json:11:10: armed: expected true or false, not the number 1; write true",
      ])
  }

  @Test("text that is not JSON5 is one mistake, of the file")
  func syntax() {
    #expect(
      told("{ armed: true\n preroll: 2 }")
        == ["reel.json:2:2: a ',' is missing before this, after the value of 'armed'"])
    #expect(told("") == ["reel.json:1:1: the file is empty"])
  }
}

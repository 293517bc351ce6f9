// The one table of everything the configuration file may say. Defaults, checks, the manual page,
// the commented default file and what a reload can change are all made from it. Pure.
import Catalogue
import Recorder
import Tape

/// A group of keys: those below one key, or the file's own, whose section has no name.
struct Section {
  let name: String
  let help: String
  let group: Group<Configuration>
}

enum ConfigurationTable {
  static var sections: [Section] {
    [
      Section(name: "", help: "", group: Group(keys: sound + takes + card + playing + people)),
      Section(name: "encoder", help: "How sound is encoded.", group: encoder),
      Section(name: "tones", help: "What is heard of the recorder itself.", group: tones),
      Section(name: "panel", help: "How buttons and lights are wired.", group: PanelTable.panel),
      Section(name: "console", help: "The serial console.", group: console),
      Section(name: "socket", help: "The control socket that reelctl uses.", group: socket),
      Section(
        name: "hooks", help: "Programs that are run when something has happened.", group: hooks),
      Section(name: "metrics", help: "Figures for Prometheus.", group: metrics),
      Section(name: "limits", help: "How much there may be of what.", group: limits),
    ]
  }

  // MARK: The file's own keys

  private static var sound: [Key<Configuration>] {
    [
      Key(
        "device", \.device, .text("\"auto\", the id of a sound card, or a name ALSA knows"),
        .restart,
        "What is recorded from. auto takes the first card that works, a USB one before others;"
          + " \"arecord -l\" shows the ids."),
      Key(
        "output", \.output, .text("\"auto\", the id of a sound card, or a name ALSA knows"),
        .restart, "What is played to."),
      Key("channels", \.channels, .number(1...2), .restart, "1 records mono, 2 stereo."),
      Key(
        "pick", \.pick, .numbers(0...1023, atMost: 2), .restart,
        "Which of the device's channels are recorded, counted from 0. Empty: the first ones."),
      Key(
        "rate", \.sampleRate, .number(8000...192_000, "Hz"), .restart,
        "The rate the device is asked for. Opus itself knows 8000, 12000, 16000, 24000 and 48000;"
          + " others are resampled."),
      Key(
        "tracks", \.tracks,
        .tracks.like(#"[{ name: "main", channels: [1, 2], format: "flac", bits: 24 }]"#),
        .restart,
        "What a recording is made of: up to eight tracks, each in a file of its own. Without it,"
          + " one track in Opus."),
      Key(
        "levels", \.settings.sound.levels,
        .list(of: level, called: "mixer levels", standard: MixerLevel("", .capture)).like(
          #"[{ control: "Mic", value: "80 %", on: true }]"#),
        "How the sound card's own controls are set when it is opened; \"amixer scontrols\" shows"
          + " their names."),
      Key(
        "greeting", \.settings.sound.greeting, .path,
        "A sound file that is played before a recording begins."),
    ]
  }

  private static var takes: [Key<Configuration>] {
    [
      Key(
        "armed", \.settings.isArmed, .flag,
        "The microphone stays open between recordings, so that a press costs no start-up and the"
          + " preroll is there. false saves power."),
      Key(
        "preroll", \.settings.prerollMilliseconds, .time(0...60_000, like: "2 s"), .restart,
        "How far before the press a recording begins."),
      Key(
        "splitEvery", \.settings.splitEveryMilliseconds,
        .time(60_000...31_536_000_000, orNever: true, like: "1 h"),
        "A long recording goes on in a new file after this, without a gap."),
      Key(
        "reconnect", \.settings.reconnectMilliseconds, .time(0...31_536_000_000, like: "5 min"),
        "How long a microphone that was pulled out is waited for; when it is back in time, the"
          + " recording goes on in a linked part."),
      Key(
        "refusalShown", \.settings.refusalMilliseconds, .time(100...60_000, like: "2 s"),
        "How long the record light tells that a press was refused."),
      Key(
        "bindings", \.bindingLines,
        .bindings.like(
          #"{ "record.doublePress": "mark", "pedal.press": "toggle", "delete.hold": "nothing" }"#),
        "What gestures do, beside or instead of the defaults. A gesture is BUTTON.press, .release,"
          + " .hold or .doublePress; \"nothing\" takes a default away."),
    ]
  }

  private static var card: [Key<Configuration>] {
    [
      Key(
        "sync", \.syncMilliseconds, .time(100...60_000, like: "1 s"), .restart,
        "How often what was recorded is made safe against a power cut: it is what one can cost."),
      Key(
        "stall", \.stallMilliseconds, .time(60_000...3_600_000, like: "10 min"), .restart,
        "How long the card may stall before sound is lost. It is kept in memory meanwhile."),
      Key(
        "warn", \.settings.warnMilliseconds, .time(0...31_536_000_000, like: "10 min"),
        "When there is room for less than this, the light says so."),
      Key(
        "reserve", \.settings.reserveBytes, .size(1_000_000...1_000_000_000_000, like: "32 MB"),
        "What is left free on the card when a recording is closed because it is full."),
      Key(
        "whenFull", \.settings.whenFull, .word,
        "stop ends the recording; recycle-oldest-heard deletes recordings that have been played,"
          + " the oldest first; recycle-oldest-copied those with a copy elsewhere that was read"
          + " back and compared."),
    ]
  }

  private static var playing: [Key<Configuration>] {
    [
      Key(
        "askForName", \.settings.asksForName, .flag,
        "Whether screens ask for a recording's name when a person has ended it."),
      Key(
        "afterPlaying", \.settings.afterPlaying, .word,
        "What follows when a recording has been played to its end."),
      Key(
        "seek", \.settings.seekMilliseconds, .time(100...3_600_000, like: "10 s"),
        "How far forward and back go."),
      Key(
        "volumeStep", \.settings.volumeStepPercent, .number(1...100, "percent"),
        "How far a press of volume goes."),
    ]
  }

  private static var people: [Key<Configuration>] {
    [
      Key(
        "language", \.language, .word,
        "The language of the dashboard and the serial console. auto is that of the service's"
          + " environment. JSON and logs are always English; reelctl speaks the language of its"
          + " own environment.")
    ]
  }

  // MARK: Sections

  private static var encoder: Group<Configuration> {
    Group(keys: [
      Key(
        "bitrate", \.bitsPerSecond, .bitrate(6000...510_000), .restart,
        "For all channels together. 64 kbit/s is plenty for mono speech and music."),
      Key(
        "mode", \.opus.bitrateMode,
        .choice([
          ("\"variable\"", .variable), ("\"constrained\"", .constrained),
          ("\"constant\"", .constant),
        ]), .restart, "How closely the bit rate is kept to."),
      Key(
        "complexity", \.opus.complexity, .number(0...10), .restart,
        "0 is cheapest, 10 sounds best. Lower it on a board that cannot keep up."),
      Key(
        "application", \.opus.application,
        .choice([("\"audio\"", .audio), ("\"voice\"", .voice), ("\"low-delay\"", .lowDelay)]),
        .restart, "What the encoder is tuned for."),
      Key(
        "frame", \.opus.frameMicroseconds,
        .choice([
          ("\"2.5 ms\"", 2500), ("\"5 ms\"", 5000), ("\"10 ms\"", 10_000),
          ("\"20 ms\"", 20_000), ("\"40 ms\"", 40_000), ("\"60 ms\"", 60_000),
        ]), .restart, "The length of a frame. Longer ones are a little cheaper."),
    ])
  }

  private static var tones: Group<Configuration> {
    Group(keys: [
      Key(
        "start", \.settings.sound.tones.started, .tone,
        "When a recording begins. The microphone hears it, too: it is in the recording."),
      Key("stop", \.settings.sound.tones.stopped, .tone, "When it has ended."),
      Key("refused", \.settings.sound.tones.refused, .tone, "When something cannot be done."),
    ])
  }

  private static var console: Group<Configuration> {
    Group(keys: [
      Key(
        "port", \.console.port, .path, .restart,
        "The serial port a technician plugs into. One that is not there is waited for."),
      Key(
        "access", \.console.access, .word, .restart,
        "off: the port is left alone; status: it may look; control: it may do everything."),
    ])
  }

  private static var socket: Group<Configuration> {
    Group(keys: [
      Key(
        "group", \.socket.group, .text("the name of a group"), .restart,
        "Whose members may use it, beside root."),
      Key("access", \.socket.access, .word, .restart, "What they may do with it, as above."),
    ])
  }

  private static var hooks: Group<Configuration> {
    Group(keys: [
      Key(
        "directory", \.hooks.directory, .path,
        "Where they are. See HOOKS in reeld(8)."),
      Key(
        "limit", \.hooks.limitMilliseconds, .time(1000...3_600_000, like: "1 min"),
        "A program that takes longer is ended."),
    ])
  }

  private static var metrics: Group<Configuration> {
    Group(keys: [
      Key(
        "file", \.metrics.file, .path,
        "Where they are written, for the node exporter's textfile collector, such as"
          + " \"/run/reel/reel.prom\"."),
      Key(
        "every", \.metrics.everyMilliseconds, .time(1000...3_600_000, like: "15 s"),
        "How often."),
    ])
  }

  private static var limits: Group<Configuration> {
    Group(keys: [
      Key("itemsPerFolder", \.settings.itemsPerFolder, .number(1...100_000), "In one folder."),
      Key("folderDepth", \.settings.folderDepth, .number(1...64), "Folders in folders."),
      Key("marksPerRecording", \.settings.marksPerRecording, .number(0...10_000), "Marks."),
      Key("notices", \.settings.noticesKept, .number(1...1000), "Notices that are kept."),
    ])
  }
}

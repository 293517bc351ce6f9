// The command line of reeld, parsed or refused with one sentence. Pure: it reads no environment and
// touches no file.

struct Arguments: Equatable {
  enum Mode: Equatable {
    case help
    case version
    case run
    case replay(file: String, at: Int?)
    /// As `replay`, with the screens of then.
    case travel(file: String, at: Int?)
    case checkConfiguration
    case doctor
    case lightsOff
  }

  var mode = Mode.run
  var isVirtual = false
  var isHeadless = false
  /// Whether `--doctor` prints JSON.
  var isJSON = false
  var root: String?
  var microphone = VirtualMicrophoneOption.standard
  /// The file that playback is written to; nil if it is discarded.
  var speakerFile: String?
  var pace = Pace.real
  var faults: [VirtualFaultOption] = []
  /// The ALSA names of the microphone and the speaker; nil for those in the configuration.
  var device: String?
  var output: String?
  var configurationFile: String?
  /// A serial port with a console on it; nil for the one in the configuration.
  var console: String?
  /// A given option that only a virtual appliance accepts, and one that only a real one does.
  private var ofVirtual: String?
  private var ofReal: String?

  /// How time passes for virtual devices.
  enum Pace: String, CaseIterable { case real, max }

  struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  static let help = """
    reeld - the recorder's daemon

    usage: reeld [--root DIR] [--config FILE] [--console PATH] [--device NAME]
                 [--output NAME]
           reeld --virtual [--root DIR] [--config FILE] [--console PATH]
                 [--mic SOUND] [--speaker OUT] [--pace PACE]
                 [--fault WHAT@SECONDS]...
           reeld --check-config [FILE]
           reeld --replay FILE [--screens] [--at N]
           reeld --doctor [--json] [--root DIR] [--config FILE]
           reeld --lights-off [--config FILE]

      --root DIR     put everything it writes below DIR (/var/lib/reel; virtual:
                     reel-virtual with the state of other programs)
      --config FILE  its configuration (/etc/reel/reel.json; with --root DIR, or
                     virtual: etc/reel.json there), and the files of the
                     directory beside it (reel.d); see reel.json(5)
      --check-config [FILE]
                     say what is wrong with the configuration, and end
      --device NAME  record from this sound card: auto, the id of a card as
                     arecord -l shows it, or any name ALSA knows (auto)
      --output NAME  play to this sound card, named likewise (auto)
      --console PATH a console on this serial port, such as /dev/ttyGS0
      --headless     run without a terminal, even if there is one

      --virtual      the whole appliance without hardware: a virtual microphone,
                     and the panel's buttons on the keys of this terminal
      --mic SOUND    what the microphone hears: tone:HZ, sweep, silence, or a
                     sound file of one to eight channels, again and again
      --speaker OUT  where what is played goes: none, or a WAV file to be made
      --pace PACE    real: as time passes; max: as fast as it goes. A take then
                     hears its sound from the first frame on, with nothing from
                     before the press; one of a file ends at the file's last
                     frame, as if stop had been pressed there
      --fault WHAT@SECONDS
                     what goes wrong with the microphone so long after the
                     start: overrun:FRAMES, stall:FRAMES (lost without a word),
                     drift:PPM, unplug, plug; as often as wanted

      --doctor       look at everything it needs, without a recorder that runs, and
                     say what is wrong; --json: for programs. Ends with 1 if
                     something is wrong. reelctl doctor asks the one that runs

      --lights-off   turn off the lights that the configuration names, and end;
                     the service does so when a recorder has died

      --replay FILE  run a flight log again: a line for each action with the
                     commands it gave and a digest of the state
      --screens      with --replay: go to and fro in the log, with the dashboard,
                     the lights and the status of each moment; ? shows the keys.
                     Without a terminal, print one moment, the last or that of --at
      --at N         with --replay: print the state after action N as JSON; with
                     --screens: begin at action N
      --version      print the version
      --help         print this

    """

  init(_ words: [String]) throws(UsageError) {
    var rest = words[...]
    var at: Int?
    var file: String?
    var hasScreens = false
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": mode = .help
      case "--version": mode = .version
      case "--virtual": isVirtual = true
      case "--headless": isHeadless = true
      case "--doctor": mode = .doctor
      case "--lights-off": mode = .lightsOff
      case "--json": isJSON = true
      case "--console": console = try Self.value(of: word, &rest)
      case "--root": root = try Self.value(of: word, &rest)
      case "--config": configurationFile = try Self.value(of: word, &rest)
      case "--check-config":
        mode = .checkConfiguration
        if let next = rest.first, !next.isEmpty, !next.hasPrefix("--") {
          configurationFile = rest.popFirst()
        }
      case "--device", "--output": try parseReal(word, &rest)
      case "--mic", "--speaker", "--pace", "--fault": try parseVirtual(word, &rest)
      case "--replay": file = try Self.value(of: word, &rest)
      case "--screens": hasScreens = true
      case "--at": at = try Self.number(of: word, &rest)
      default:
        throw UsageError(description: "“\(word)” is not an option of reeld; see reeld --help")
      }
    }
    if let file {
      mode = hasScreens ? .travel(file: file, at: at) : .replay(file: file, at: at)
    }
    try check(at: at, hasScreens: hasScreens)
  }

  private mutating func parseReal(
    _ option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    ofReal = option
    let name = try Self.value(of: option, &rest)
    if option == "--device" { device = name } else { output = name }
  }

  private mutating func parseVirtual(
    _ option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    ofVirtual = option
    let value = try Self.value(of: option, &rest)
    switch option {
    case "--mic": microphone = try .init(value)
    case "--speaker": speakerFile = value == "none" ? nil : value
    case "--fault": faults.append(try VirtualFaultOption(value))
    default:
      guard let pace = Pace(rawValue: value) else {
        throw UsageError(description: "--pace is real or max, not “\(value)”")
      }
      self.pace = pace
    }
  }

  private func check(at: Int?, hasScreens: Bool) throws(UsageError) {
    switch mode {
    case .help, .version: return
    case .doctor: return
    case .replay, .travel, .checkConfiguration, .lightsOff, .run:
      if isJSON { throw UsageError(description: "--json goes with --doctor") }
      guard mode == .run else { return }
      if hasScreens { throw UsageError(description: "--screens goes with --replay FILE") }
      if at != nil { throw UsageError(description: "--at goes with --replay FILE") }
      if let option = ofVirtual, !isVirtual {
        throw UsageError(description: "\(option) goes with --virtual; see reeld --help")
      }
      if let option = ofReal, isVirtual {
        throw UsageError(description: "\(option) does not go with --virtual; see reeld --help")
      }
    }
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw UsageError(description: "\(option) needs a value; see reeld --help")
    }
    return value
  }

  private static func number(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Int {
    let text = try value(of: option, &rest)
    guard let number = Int(text), number >= 0 else {
      throw UsageError(description: "\(option) needs a number from 0, not “\(text)”")
    }
    return number
  }
}

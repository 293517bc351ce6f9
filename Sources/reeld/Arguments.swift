// The command line of reeld, understood or refused in one sentence. Pure: it reads no environment
// and touches no file.

struct Arguments: Equatable {
  enum Wish: Equatable {
    case help
    case version
    case run
    case replay(file: String, at: Int?)
  }

  var wish = Wish.run
  var isVirtual = false
  var isHeadless = false
  var root: String?
  var microphone = VirtualMicrophoneOption.standard
  /// Where what is played is written to; nil: it is heard by nobody.
  var speakerFile: String?

  struct Mistake: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  static let help = """
    reeld - the recorder's daemon

    usage: reeld --virtual [--root DIR] [--mic SOUND] [--headless]
           reeld --replay FILE [--at N]

      --virtual      the whole appliance without hardware: a virtual microphone,
                     and the panel's buttons on the keys of this terminal
      --root DIR     put everything it writes below DIR
      --mic SOUND    what the microphone hears: tone:HZ, sweep, silence, or a
                     sound file, mono at 48 kHz, again and again
      --speaker OUT  where what is played goes: none, or a WAV file to be made
      --headless     run the virtual appliance without a terminal
      --replay FILE  run a flight log again: a line for each action with the
                     commands it gave and a digest of the state
      --at N         with --replay: print the state after action N as JSON
      --version      print the version
      --help         print this

    """

  init(_ words: [String]) throws(Mistake) {
    var rest = words[...]
    var at: Int?
    var file: String?
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": wish = .help
      case "--version": wish = .version
      case "--virtual": isVirtual = true
      case "--headless": isHeadless = true
      case "--root": root = try Self.value(of: word, &rest)
      case "--mic": microphone = try .init(Self.value(of: word, &rest))
      case "--speaker":
        let output = try Self.value(of: word, &rest)
        speakerFile = output == "none" ? nil : output
      case "--replay": file = try Self.value(of: word, &rest)
      case "--at": at = try Self.number(of: word, &rest)
      default:
        throw Mistake(description: "“\(word)” is not an option of reeld; see reeld --help")
      }
    }
    if let file { wish = .replay(file: file, at: at) }
    try check(at: at)
  }

  private func check(at: Int?) throws(Mistake) {
    switch wish {
    case .help, .version: return
    case .replay: return
    case .run:
      if at != nil { throw Mistake(description: "--at goes with --replay FILE") }
      if !isVirtual {
        throw Mistake(
          description: "this build knows only the virtual appliance: say reeld --virtual")
      }
    }
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> String {
    guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw Mistake(description: "\(option) needs a value; see reeld --help")
    }
    return value
  }

  private static func number(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> Int {
    let text = try value(of: option, &rest)
    guard let number = Int(text), number >= 0 else {
      throw Mistake(description: "\(option) needs a number from 0, not “\(text)”")
    }
    return number
  }
}

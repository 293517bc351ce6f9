// The command line of reel-link, parsed and checked. Pure.

/// Why a command line cannot be obeyed.
struct LinkUsageError: Error, Equatable { let sentence: String }

/// What the command line asks for.
struct LinkArguments: Equatable {
  enum Mode: Equatable {
    case run, `try`, checkConfiguration, help, version
    /// From this target into that directory.
    case fetch(String, into: String)
  }

  var mode = Mode.run
  var configurationFile = "/etc/reel/link.json"
  var socket = "/run/reel/control.sock"
  var state = "/var/lib/reel-link"

  static let help = """
    reel-link copies recordings to other machines, and reads each copy back.

      reel-link [OPTIONS]        copy what has no verified copy yet
      reel-link try [OPTIONS]    send a small file to each target, read it back, compare
                                 it, remove it, and say in one sentence how that went
      reel-link fetch TARGET --to DIR [OPTIONS]
                                 bring all recordings of a target back into a directory,
                                 such as that of a new card, and compare each

      --socket PATH  the recorder's socket (/run/reel/control.sock)
      --config FILE  its configuration (/etc/reel/link.json)
      --state DIR    where it keeps the keys of servers (/var/lib/reel-link)
      --check-config [FILE]
                     say what is wrong with the configuration, and end
      --version      print the version
      --help         print this

    """

  init(_ words: [String]) throws(LinkUsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": mode = .help
      case "--version": mode = .version
      case "try": mode = .try
      case "fetch": mode = .fetch(try Self.value(of: word, &rest), into: "")
      case "--to":
        guard case .fetch(let target, _) = mode else {
          throw LinkUsageError(sentence: "--to belongs to fetch")
        }
        mode = .fetch(target, into: try Self.value(of: word, &rest))
      case "--socket": socket = try Self.value(of: word, &rest)
      case "--config": configurationFile = try Self.value(of: word, &rest)
      case "--state": state = try Self.value(of: word, &rest)
      case "--check-config":
        mode = .checkConfiguration
        if let next = rest.first, !next.isEmpty, !next.hasPrefix("--") {
          configurationFile = next
          rest.removeFirst()
        }
      default: throw LinkUsageError(sentence: "there is no option “\(word)”")
      }
    }
    if case .fetch(_, "") = mode { throw LinkUsageError(sentence: "fetch needs --to DIR") }
  }

  private static func value(
    of word: String, _ rest: inout ArraySlice<String>
  ) throws(LinkUsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw LinkUsageError(sentence: "\(word) needs a value")
    }
    return value
  }
}

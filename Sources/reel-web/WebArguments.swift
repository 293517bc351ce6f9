// The command line of reel-web, parsed and checked. Pure: what it names is opened elsewhere.
import Web

/// Why a command line cannot be obeyed.
struct WebUsageError: Error, Equatable { let sentence: String }

/// What the command line asks for.
struct WebArguments {
  enum Mode { case run, help, version }

  var mode = Mode.run
  var listen: String?
  var settings = WebService.Settings()

  static let help = """
    reel-web shows a recorder in the browser: what it does, its recordings, and its buttons.

      --listen ADDRESS:PORT  where browsers reach it, such as 0.0.0.0:8080; systemd passes
                             the sockets of reel-web.socket instead
      --socket PATH  the recorder's socket (/run/reel/control.sock)
      --state DIR    where it keeps who is paired (/var/lib/reel-web)
      --admin PATH   the socket for `reelctl web` (/run/reel-web/admin.sock)
      --page DIR     the files of the page (/usr/share/reel/web)
      --host NAME    another name that browsers may use for it; can be given several times
      --certificate FILE, --key FILE
                     speak HTTPS, with this certificate and its key, in PEM; systemd may
                     pass them as the credentials certificate.pem and key.pem
      --version      print the version
      --help         print this

    The page is off until `reelctl web on`, and each browser is paired once, with a code
    from `reelctl web pair`.

    """

  init(_ words: [String]) throws(WebUsageError) {
    var rest = words[...]
    var certificate: String?
    var key: String?
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": mode = .help
      case "--version": mode = .version
      case "--listen": listen = try Self.value(of: word, &rest)
      case "--socket": settings.recorder = try Self.value(of: word, &rest)
      case "--state": settings.state = try Self.value(of: word, &rest)
      case "--admin": settings.admin = try Self.value(of: word, &rest)
      case "--page": settings.page = try Self.value(of: word, &rest)
      case "--host": settings.hosts.append(try Self.value(of: word, &rest))
      case "--certificate": certificate = try Self.value(of: word, &rest)
      case "--key": key = try Self.value(of: word, &rest)
      default: throw WebUsageError(sentence: "there is no option “\(word)”")
      }
    }
    if let certificate, let key {
      settings.certificate = CertificateFiles(certificate: certificate, key: key)
    } else if certificate != nil || key != nil {
      throw WebUsageError(sentence: "--certificate and --key belong together")
    }
  }

  private static func value(
    of word: String, _ rest: inout ArraySlice<String>
  ) throws(WebUsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw WebUsageError(sentence: "\(word) needs a value")
    }
    return value
  }
}

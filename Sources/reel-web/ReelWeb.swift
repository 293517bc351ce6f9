// reel-web: the recorder in the browser. This file takes the command line, gets the sockets, and
// runs the service until it is told to end. One thread, the loop's.
import Glibc
import Systemd
import Web

@main
enum ReelWeb {
  static let version = "0.1.0"

  static func main() {
    // If a browser goes away, the next write fails with EPIPE.
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Exit codes as in sysexits.
  private static func run(_ words: [String]) -> Int32 {
    let arguments: WebArguments
    do throws(WebUsageError) { arguments = try WebArguments(words) } catch {
      logError("\(error.sentence); see reel-web --help")
      return 64
    }
    switch arguments.mode {
    case .help:
      print(WebArguments.help, terminator: "")
      return 0
    case .version:
      print("reel-web \(version)")
      return 0
    case .run: break
    }
    do {
      return try serve(arguments)
    } catch let error as WebError {
      logError(error.sentence)
      switch error.code {
      case .usage: return 64
      case .state, .page, .certificate: return 78
      case .system: return 71
      }
    } catch {
      logError("\(error)")
      return 71
    }
  }

  private static func serve(_ arguments: WebArguments) throws -> Int32 {
    umask(0o077)
    raiseLimit()
    let passed = ListenSocket.passed()
    let loop = try EventLoop()
    guard let web = try passed.web ?? arguments.listen.map({ try ListenSocket.open(at: $0) }) else {
      logError("say where to listen, with --listen ADDRESS:PORT, or start reel-web.socket")
      return 64
    }
    var settings = arguments.settings
    settings.certificate = settings.certificate ?? .passed()
    let service = try WebService(
      settings, web: web, admin: passed.admin, on: loop, log: logError)
    var signals: [EventSource] = []
    for signal in [SIGTERM, SIGINT] {
      signals.append(try loop.watch(signal: signal) { loop.exit(code: 0) })
    }
    Notify.ready(status: "Listens at port \(ListenSocket.port(of: web))")
    let code = try loop.run()
    Notify.stopping()
    for signal in signals { signal.stop() }
    service.stop()
    return code
  }

  /// A thousand connections, and files beside them, are more than a process may open at first.
  private static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 4096)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static func logError(_ sentence: String) {
    let line = "reel-web: \(sentence)\n"
    _ = Glibc.write(2, line, line.utf8.count)
  }
}

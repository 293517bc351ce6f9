// The terminal a dashboard is shown on: put into raw mode and onto its other screen, and given back
// as it was, also when the process is killed by a fault of its own. Used by the loop's thread. It
// never blocks: a terminal that does not take its bytes (Ctrl-S, a stuck pipe) misses pictures.

import Glibc
import Realtime

public final class Terminal {
  public let fileDescriptor: Int32
  private let before: termios
  private var unsent: [UInt8] = []
  private var isOver = false

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  public struct Failure: Error, CustomStringConvertible {
    public let errorNumber: Int32
    public var description: String {
      "the terminal cannot be used: \(systemWords(for: errorNumber))"
    }
  }

  /// Takes the terminal that standard input is on, through a descriptor of its own: to make the
  /// shared one non-blocking would make it so for the shell as well.
  public init() throws(Failure) {
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    // In a container its name may not be there; the process's own terminal has one everywhere.
    let named = ttyname(STDIN_FILENO).map { open($0, flags) } ?? -1
    let opened = named >= 0 ? named : open("/dev/tty", flags)
    guard opened >= 0 else { throw Failure(errorNumber: errno) }
    var settings = termios()
    guard tcgetattr(opened, &settings) == 0 else {
      let number = errno
      close(opened)
      throw Failure(errorNumber: number)
    }
    fileDescriptor = opened
    before = settings
    cfmakeraw(&settings)
    tcsetattr(opened, TCSANOW, &settings)  // to wait for it to drain may be to wait for ever
    LastWish.arm(fileDescriptor: opened, settings: before, text: Self.leave)
    send(Array(Self.enter.utf8))
  }

  deinit { restore() }

  /// Gives the terminal back, and leaves a line on it. Once; later calls do nothing.
  public func restore(saying line: String = "") {
    if isOver { return }
    isOver = true
    LastWish.disarm()
    // What was begun is finished or lost now: a half picture must not follow the farewell.
    unsent = []
    let farewell = Array((Self.leave + (line.isEmpty ? "" : line + "\r\n")).utf8)
    _ = farewell.withUnsafeBytes { Glibc.write(fileDescriptor, $0.baseAddress, $0.count) }
    var settings = before
    tcsetattr(fileDescriptor, TCSANOW, &settings)
    close(fileDescriptor)
  }

  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(fileDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The bytes typed since the last call; nil when the terminal has gone away.
  public func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(fileDescriptor, &buffer, buffer.count)
    if count > 0 { return Array(buffer[..<count]) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }

  /// Whether a picture can be sent: everything before it is out.
  public func isReady() -> Bool {
    drain()
    return unsent.isEmpty
  }

  /// Sends a picture that `isReady` was asked for.
  public func send(_ bytes: [UInt8]) {
    if isOver { return }
    unsent.append(contentsOf: bytes)
    drain()
  }

  public var hasUnsent: Bool { !unsent.isEmpty }

  private func drain() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.write(fileDescriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        unsent.removeFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }
}

/// What a dying process does for its terminal. Everything it needs lies ready in memory of its own:
/// a handler may neither allocate nor look anything up.
private enum LastWish {
  // Written by the loop's thread in `arm`, before the handlers are set; read by a handler, which
  // runs on the thread that failed, and by nobody else.
  private nonisolated(unsafe) static var fileDescriptor: Int32 = -1
  // Written and read as `fileDescriptor` is: before the handlers are set, and by a handler. Not a
  // termios itself: this compiler gives a static one 57 bytes, and copies all 60 into it.
  private nonisolated(unsafe) static var settings: UnsafeMutablePointer<termios>?
  // Written and read as `fileDescriptor` is: before the handlers are set, and by a handler.
  private nonisolated(unsafe) static var text: UnsafeMutableBufferPointer<UInt8>?

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  static func arm(fileDescriptor: Int32, settings: termios, text: String) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = copy.initialize(from: text.utf8)
    self.text = copy
    let kept = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    kept.initialize(to: settings)
    self.settings = kept
    self.fileDescriptor = fileDescriptor
    for number in signals {
      signal(number) { number in
        LastWish.carryOut()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  static func disarm() {
    fileDescriptor = -1
    for number in signals { signal(number, SIG_DFL) }
  }

  private static func carryOut() {
    guard fileDescriptor >= 0, let text, let settings else { return }
    _ = write(fileDescriptor, text.baseAddress, text.count)
    tcsetattr(fileDescriptor, TCSANOW, settings)
  }
}

// The terminal a dashboard is shown on, in raw mode and on its alternate screen. Both are restored
// at the end, also if the process crashes. Used by the loop's thread. It never blocks: if the
// terminal does not accept bytes (Ctrl-S, a stuck pipe), pictures are skipped.

import Glibc
import Realtime

/// The terminal that `reeld` was started in.
public final class Terminal {
  public let fileDescriptor: Int32
  private let before: termios
  private var unsent: [UInt8] = []
  private var isOver = false

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  public struct SetupError: Error, CustomStringConvertible {
    public let errorNumber: Int32
    public var description: String {
      "the terminal cannot be used: \(systemWords(for: errorNumber))"
    }
  }

  /// Opens standard input's terminal again: O_NONBLOCK on the shared descriptor would affect the
  /// shell as well.
  public init() throws(SetupError) {
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    // In a container the terminal's name may not exist; /dev/tty always does.
    let named = ttyname(STDIN_FILENO).map { open($0, flags) } ?? -1
    let opened = named >= 0 ? named : open("/dev/tty", flags)
    guard opened >= 0 else { throw SetupError(errorNumber: errno) }
    var settings = termios()
    guard tcgetattr(opened, &settings) == 0 else {
      let number = errno
      close(opened)
      throw SetupError(errorNumber: number)
    }
    fileDescriptor = opened
    before = settings
    cfmakeraw(&settings)
    tcsetattr(opened, TCSANOW, &settings)  // TCSADRAIN could wait for ever
    LastWish.arm(fileDescriptor: opened, settings: before, text: Self.leave)
    send(Array(Self.enter.utf8))
  }

  deinit { restore() }

  /// Restores the terminal and prints a line on it. Later calls do nothing.
  public func restore(saying line: String = "") {
    if isOver { return }
    isOver = true
    LastWish.disarm()
    // Drops the rest of an unfinished picture: it must not follow the farewell.
    unsent = []
    let farewell = Array((Self.leave + (line.isEmpty ? "" : line + "\r\n")).utf8)
    _ = farewell.withUnsafeBytes { Glibc.write(fileDescriptor, $0.baseAddress, $0.count) }
    var settings = before
    tcsetattr(fileDescriptor, TCSANOW, &settings)
    close(fileDescriptor)
  }

  /// The size of the terminal; 80 by 24 if it is unknown.
  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(fileDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Returns the bytes typed since the last call; nil if the terminal is gone.
  public func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(fileDescriptor, &buffer, buffer.count)
    if count > 0 { return Array(buffer[..<count]) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }

  /// Returns whether the previous picture has been sent completely, so that another can be.
  public func isReady() -> Bool {
    drain()
    return unsent.isEmpty
  }

  /// Sends a picture. The caller must have checked `isReady`.
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

/// Restores the terminal when the process crashes. Everything it needs is prepared in memory of its
/// own, because a signal handler may neither allocate nor look anything up.
private enum LastWish {
  // Written by the loop's thread in `arm`, before the handlers are set; read only by a handler,
  // which runs on the thread that crashed.
  private nonisolated(unsafe) static var fileDescriptor: Int32 = -1
  // Written and read as `fileDescriptor` is: before the handlers are set, and by a handler. A
  // pointer, because this compiler gives a static termios 57 bytes and copies all 60 into it.
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
        LastWish.perform()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  static func disarm() {
    fileDescriptor = -1
    for number in signals { signal(number, SIG_DFL) }
  }

  private static func perform() {
    guard fileDescriptor >= 0, let text, let settings else { return }
    _ = write(fileDescriptor, text.baseAddress, text.count)
    tcsetattr(fileDescriptor, TCSANOW, settings)
  }
}

// A pseudo-terminal: the program opens its side by name, the test holds the window's side. Closing
// it hangs up on the program.

import Glibc

final class PseudoTerminal {
  private var window: Int32
  let name: String

  struct CommandError: Error { let errorNumber: Int32 }

  // TIOCSPTLCK and TIOCGPTN are not imported into Swift.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  init(columns: Int, rows: Int) throws {
    window = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var (lock, number) = (Int32(0), UInt32(0))
    guard window >= 0, ioctl(window, Self.setLock, &lock) == 0,
      ioctl(window, Self.getNumber, &number) == 0
    else { throw CommandError(errorNumber: errno) }
    name = "/dev/pts/\(number)"
    resize(columns: columns, rows: rows)
  }

  deinit { closeWindow() }

  func closeWindow() {
    if window >= 0 { close(window) }
    window = -1
  }

  /// The kernel sends SIGWINCH to the program.
  func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(window, UInt(TIOCSWINSZ), &size)
  }

  func type(_ keys: String) { write(window, keys, keys.utf8.count) }

  /// Writes as many bytes as fit now; returns their count.
  func send(_ bytes: [UInt8]) -> Int { max(0, write(window, bytes, bytes.count)) }

  /// Returns the bytes that the program has written since the last call.
  func read() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while window >= 0 {
      let count = Glibc.read(window, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Stops the terminal's output, as Ctrl-S does, or starts it again.
  func holdOutput(_ isHeld: Bool) {
    let other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    tcflow(other, isHeld ? TCOOFF : TCOON)
    close(other)
  }

  /// The terminal's settings as bytes, for comparison.
  var settings: [UInt8] {
    var settings = termios()
    // The padding is compared too, and tcgetattr does not set it.
    withUnsafeMutableBytes(of: &settings) { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
    tcgetattr(window, &settings)
    return withUnsafeBytes(of: &settings) { Array($0) }
  }
}

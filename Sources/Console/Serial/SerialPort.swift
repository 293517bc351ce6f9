// One open serial port: raw, non-blocking, and closed by a thread of its own. Closing a gadget's
// port that no host reads blocks for fifteen seconds (GS_CLOSE_TIMEOUT in the kernel's u_serial.c),
// and a blocking write to one without a host never returns. Used by the loop's thread.

import Glibc
import Realtime

final class SerialPort {
  let fileDescriptor: Int32

  struct OpenError: Error, Equatable, CustomStringConvertible {
    let path: String
    let errorNumber: Int32
    let description: String

    /// Whether the port does not exist yet, which is no fault.
    var isAbsence: Bool { errorNumber == ENOENT || errorNumber == ENODEV || errorNumber == ENXIO }

    init(_ path: String, _ errorNumber: Int32, _ sentence: String? = nil) {
      self.path = path
      self.errorNumber = errorNumber
      let why = systemWords(for: errorNumber)
      description = sentence ?? "the serial port \(path) cannot be used: \(why)"
    }
  }

  static func open(_ path: String) throws(OpenError) -> SerialPort {
    if let login = LoginCheck.login(on: path) {
      throw OpenError(
        path, EBUSY,
        "\(path) is a login (\(login)), so there is no console on it; end the login with"
          + " `systemctl disable --now serial-getty@\(LoginCheck.name(of: path)).service`, or name"
          + " another port as console.port in reel.json")
    }
    // Without O_NONBLOCK, opening waits for a carrier that may never come.
    let opened = Glibc.open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard opened >= 0 else { throw OpenError(path, errno) }
    var settings = termios()
    guard tcgetattr(opened, &settings) == 0 else {
      let number = errno
      Glibc.close(opened)
      throw OpenError(path, number, "\(path) is not a serial port; name one as console.port")
    }
    // Before anything is read: echo is on by default, and would loop with a host that echoes too.
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL)
    tcsetattr(opened, TCSANOW, &settings)
    // Refuses a login that is started later, but not root's; hence the check above.
    _ = ioctl(opened, UInt(TIOCEXCL))
    return SerialPort(fileDescriptor: opened)
  }

  private init(fileDescriptor: Int32) { self.fileDescriptor = fileDescriptor }

  deinit { ForeignFile.close(fileDescriptor) }

  enum Input: Equatable {
    case bytes([UInt8])
    case nothing
    /// The cable is out, or the other end has closed.
    case gone
  }

  func read(atMost limit: Int) -> Input {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = Glibc.read(fileDescriptor, &buffer, limit)
    if count > 0 { return .bytes(Array(buffer[..<count])) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .gone
  }

  /// Returns how many bytes the port accepted; the caller keeps the rest.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = bytes.withUnsafeBytes { Glibc.write(fileDescriptor, $0.baseAddress, $0.count) }
    return max(0, count)
  }
}

/// Finds a login on a port: if two processes read a port, each gets half of what is typed.
enum LoginCheck {
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns what kind of login it is; nil if none is found.
  static func login(on path: String, below root: String = "") -> String? {
    let name = name(of: resolved(path))
    let consoles =
      SmallFile.line(of: root + "/sys/class/tty/console/active")?
      .split(separator: " ").map(String.init) ?? []
    if consoles.contains(name) { return "the kernel's own console" }
    let slice = root + "/sys/fs/cgroup/system.slice/system-serial\\x2dgetty.slice"
    let unit = "serial-getty@\(name.replacing("-", with: "\\x2d")).service"
    return access("\(slice)/\(unit)", F_OK) == 0 ? unit : nil
  }

  private static func resolved(_ path: String) -> String {
    guard let full = realpath(path, nil) else { return path }
    defer { free(full) }
    return String(cString: full)
  }

}

// An open file with one owner. Calls that a signal interrupts are retried, and every failure
// becomes a sentence. Blocks for as long as the disk does: never call it from a thread that must
// not wait.
import Glibc

/// An open file.
public struct PosixFile: ~Copyable, TapeFile, Sendable {
  public enum Mode: Sendable {
    case read, change
    /// Creates or truncates the file; never through a symbolic link.
    case create
  }

  public let descriptor: Int32
  public let path: String

  public static func open(_ path: String, _ mode: Mode) throws(TapeError) -> PosixFile {
    let flags: Int32
    switch mode {
    case .read: flags = O_RDONLY
    case .change: flags = O_RDWR
    case .create: flags = O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW
    }
    let descriptor = SpareDescriptors.ofThisProcess.opening {
      retrying { Glibc.open(path, flags | O_CLOEXEC, 0o644) }
    }
    guard descriptor >= 0 else {
      throw .system(.cannotOpen, "\(path) cannot be opened", errno: errno)
    }
    return PosixFile(adopting: descriptor, path: path)
  }

  /// Opens a regular file in a directory, never through a symbolic link; `path` is for sentences.
  /// Anything else is refused, without waiting for a pipe's other end.
  public static func open(
    _ name: String, in directory: Int32, flags: Int32, path: String
  ) throws(TapeError) -> PosixFile {
    let all = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = SpareDescriptors.ofThisProcess.opening {
      retrying { openat(directory, name, all, 0o644) }
    }
    guard descriptor >= 0 else {
      throw .system(.cannotOpen, "\(path) cannot be opened", errno: errno)
    }
    let file = PosixFile(adopting: descriptor, path: path)
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw .system(.cannotOpen, "\(path) cannot be opened", errno: EISDIR)
    }
    return file
  }

  /// Takes ownership of an open descriptor.
  public static func adopt(_ descriptor: Int32, named name: String) -> PosixFile {
    PosixFile(adopting: descriptor, path: name)
  }

  /// A copy of an open descriptor, which the caller closes: most libraries close theirs.
  static func copy(of descriptor: Int32, named name: String) throws(TapeError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else {
      throw .system(.cannotOpen, "\(name) cannot be opened", errno: errno)
    }
    return copy
  }

  private init(adopting descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  public func byteCount() throws(TapeError) -> Int64 { Int64(try status().st_size) }

  public func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(TapeError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let got = retrying {
        pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + filled)
      }
      guard got >= 0 else { throw .system(.cannotRead, "\(path) cannot be read", errno: errno) }
      if got == 0 { break }
      filled += got
    }
    return filled
  }

  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TapeError) {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let put = retrying {
        pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + written)
      }
      guard put > 0 else { throw refusal() }
      written += put
    }
  }

  public func truncate(to byteCount: Int64) throws(TapeError) {
    guard retrying({ ftruncate(descriptor, off_t(byteCount)) }) == 0 else { throw refusal() }
  }

  public func sync() throws(TapeError) {
    guard retrying({ fsync(descriptor) }) == 0 else { throw refusal() }
  }

  /// Like `sync`, without metadata that reading the file does not need, such as its times.
  public func syncData() throws(TapeError) {
    guard retrying({ fdatasync(descriptor) }) == 0 else { throw refusal() }
  }

  public func modified() throws(TapeError) -> Int64 {
    let time = try status().st_mtim
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  public func setModified(_ nanoseconds: Int64) throws(TapeError) {
    let whole = nanoseconds >= 0 ? nanoseconds / 1_000_000_000 : 0
    let modified = timespec(
      tv_sec: time_t(whole), tv_nsec: Int(max(0, nanoseconds) % 1_000_000_000))
    // UTIME_OMIT, which is not imported into Swift: the time of the last access stays.
    let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
    guard futimens(descriptor, [unchanged, modified]) == 0 else { throw refusal() }
  }

  private func status() throws(TapeError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .system(.cannotRead, "\(path) cannot be examined", errno: errno)
    }
    return status
  }

  private func refusal() -> TapeError {
    .system(.cannotWrite, "\(path) cannot be written", errno: errno)
  }
}

/// Retries a call that a signal interrupted.
private func retrying<Number: FixedWidthInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

// An open file with its owner: closed when the last transfer or job that uses it lets go of it. It
// is read and written by position only, so several users don't disturb each other.
import Glibc

/// Owns a descriptor.
public final class OpenedFile: Sendable {
  public let descriptor: Int32

  public init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Makes a file in the temporary directory that has no name and goes with its owner.
  public convenience init(unnamedWith bytes: [UInt8]) throws(LinkError) {
    let name = "/tmp/reel-link-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let made = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if made < 0 { throw .cannotKeep(errno) }
    unlink(name)
    self.init(owning: made)
    if let error = bytes.withUnsafeBytes({ write($0, at: 0) }) {
      throw .cannotKeep(error.errorNumber)
    }
  }

  /// Opens a folder below this one. Links are not followed: a disk is a stranger's.
  /// - Parameter makes: whether folders that are missing are made.
  public func folder(
    _ components: some Collection<String>, makes: Bool = false
  ) throws(LocalError) -> OpenedFile {
    var at = self
    for component in components {
      if makes, mkdirat(at.descriptor, component, 0o755) != 0, errno != EEXIST {
        throw LocalError(errorNumber: errno)
      }
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      let next = openat(at.descriptor, component, flags)
      if next < 0 { throw LocalError(errorNumber: errno) }
      at = OpenedFile(owning: next)
    }
    return at
  }

  /// Returns its first bytes.
  public func bytes(_ count: Int) throws(LinkError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    switch bytes.withUnsafeMutableBytes({ read($0, at: 0) }) {
    case .failure(let error): throw .cannotKeep(error.errorNumber)
    case .success(let read): return Array(bytes[..<read])
    }
  }

  /// Reads at a position; fewer bytes only at the end. Returns the errno if that fails.
  public func read(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) -> Result<Int, LocalError> {
    var done = 0
    while done < buffer.count, let start = buffer.baseAddress {
      let count = pread(descriptor, start + done, buffer.count - done, off_t(offset) + done)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return .failure(LocalError(errorNumber: errno)) }
      if count == 0 { break }
      done += count
    }
    return .success(done)
  }

  /// Writes all at a position. Returns the errno if that fails.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> LocalError? {
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      let count = pwrite(descriptor, start + done, bytes.count - done, off_t(offset) + done)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return LocalError(errorNumber: count == 0 ? EIO : errno) }
      done += count
    }
    return nil
  }
}

/// An errno as an error.
public struct LocalError: Error, Equatable { public let errorNumber: Int32 }

// The directory that a library is fetched into. A file is written under a name that begins with a
// dot, which the recorder ignores, and gets its own name when it is whole, compared and synced;
// nothing is replaced, and no link is followed. Waits for the disk.
import Digest
import Glibc
import Link
import Realtime
import Systemd

/// A directory of recordings.
struct FetchTree {
  private let root: OpenedFile
  private let path: String

  init(_ path: String) throws(LinkError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { throw .fetching(path, errno) }
    root = OpenedFile(owning: descriptor)
    self.path = path
  }

  /// Nil if there is no such file.
  func open(_ name: RemoteName) throws(LinkError) -> OpenedFile? {
    guard let folder = try folder(of: name, makes: false) else { return nil }
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = openat(folder.descriptor, file(name), flags)
    if descriptor >= 0 { return OpenedFile(owning: descriptor) }
    if errno == ENOENT { return nil }
    throw .fetching("\(name)", errno)
  }

  /// The hash of what a file has from a byte on.
  func sound(of file: OpenedFile, from offset: Int64) throws(LinkError) -> String {
    var (hash, at) = (SHA256(), offset)
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      switch buffer.withUnsafeMutableBytes({ file.read($0, at: at) }) {
      case .failure(let error): throw .fetching(path, error.errorNumber)
      case .success(0): return "\(hash.sum)"
      case .success(let count):
        buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        at += Int64(count)
      }
    }
  }

  /// A new file to write into.
  func part(of name: RemoteName) throws(LinkError) -> OpenedFile {
    guard let folder = try folder(of: name, makes: true) else { throw .fetching("\(name)", ENOENT) }
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openat(folder.descriptor, Self.part, flags, 0o644)
    if descriptor < 0 { throw .fetching("\(name)", errno) }
    return OpenedFile(owning: descriptor)
  }

  func publish(_ name: RemoteName, _ part: OpenedFile, length: Int64) throws(LinkError) {
    guard let folder = try folder(of: name, makes: true) else { throw .fetching("\(name)", ENOENT) }
    guard ftruncate(part.descriptor, off_t(length)) == 0, fsync(part.descriptor) == 0 else {
      throw .fetching("\(name)", errno)
    }
    let number = Descriptors.renameNeverReplacing(
      Self.part, in: folder.descriptor, to: file(name), in: folder.descriptor)
    if let number { throw .fetching("\(name)", number) }
    if fsync(folder.descriptor) != 0 { throw .fetching("\(name)", errno) }
  }

  /// What was not published.
  func removePart(of name: RemoteName) {
    guard let folder = try? folder(of: name, makes: false) else { return }  // Then there is none.
    unlinkat(folder.descriptor, Self.part, 0)
  }

  private static let part = ".fetched.part"

  private func file(_ name: RemoteName) -> String { name.components[name.components.count - 1] }

  private func folder(of name: RemoteName, makes: Bool) throws(LinkError) -> OpenedFile? {
    do throws(LocalError) {
      return try root.folder(name.components.dropLast(), makes: makes)
    } catch {
      if error.errorNumber == ENOENT { return nil }
      throw .fetching("\(name)", error.errorNumber)
    }
  }
}

extension LinkError {
  static func fetching(_ what: String, _ number: Int32) -> LinkError {
    LinkError.local("“\(what)” cannot be fetched: \(systemWords(for: number)).", number)
  }
}

// Files that are read or written whole: attributes in /sys and /proc, marks, the configuration, a
// flight log. Never from the card. It waits for no other end, but a disk may hold it up: a thread
// that must not wait for one reads only /sys and /proc. Not for realtime threads.

import Glibc

/// Reads and writes small files whole.
public enum SmallFile {
  public enum ReadError: Error, Equatable {
    case missing
    /// A folder, a pipe or a device.
    case notAFile
    /// The errno.
    case failed(Int32)

    public var words: String {
      switch self {
      case .missing: systemWords(for: ENOENT)
      case .notAFile: "it is not a file"
      case .failed(let errno): systemWords(for: errno)
      }
    }
  }

  /// Returns at most so many bytes of a file, from its beginning.
  public static func bytes(
    of path: String, atMost limit: Int, followsLink: Bool = true
  ) throws(ReadError) -> [UInt8] {
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    if descriptor < 0 { throw errno == ENOENT || errno == ENOTDIR ? .missing : .failed(errno) }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw .failed(errno) }
    if status.st_mode & S_IFMT != S_IFREG { throw .notAFile }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(limit, 65_536))
    while bytes.count < limit {
      let count = read(descriptor, &block, min(block.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .failed(errno) }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  /// Returns the first line; nil if the file cannot be read.
  public static func line(of path: String) -> String? {
    // A missing attribute is a board that has none.
    guard let bytes = try? bytes(of: path, atMost: 8192) else { return nil }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }

  /// Writes a line. Returns the errno if that fails.
  public static func write(_ text: String, to path: String) -> Int32? {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC)
    if descriptor < 0 { return errno }
    defer { close(descriptor) }
    let line = text + "\n"
    return Glibc.write(descriptor, line, line.utf8.count) == line.utf8.count ? nil : errno
  }

  /// Replaces a file as a whole: it is written beside, synced and renamed, so that after a power
  /// cut the old content is there or the new. Returns the errno if that fails.
  public static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) -> Int32? {
    let beside = path + ".new"
    unlink(beside)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(beside, flags, mode)
    if descriptor < 0 { return errno }
    defer { close(descriptor) }
    guard writeAll(bytes, to: descriptor), fsync(descriptor) == 0, rename(beside, path) == 0 else {
      let number = errno
      unlink(beside)
      return number
    }
    // On FAT the length is in the directory entry, which would be written many seconds later.
    fsync(descriptor)
    syncDirectory(of: path)
    return nil
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }

  private static func syncDirectory(of path: String) {
    let parent = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    let directory = open(parent.isEmpty ? "/" : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory < 0 { return }
    fsync(directory)
    close(directory)
  }

  /// Returns the sorted names in a folder; none if it cannot be read.
  public static func names(in directory: String) -> [String] {
    guard let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

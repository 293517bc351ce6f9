// The small files in /sys that control the kernel's LEDs: read and written whole, in one call each.
// Ordinary files only in tests. Never waits.
import Glibc

enum SmallFile {
  /// Returns the first line; nil if the file cannot be read.
  static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let length = Glibc.read(descriptor, &bytes, bytes.count)
    if length < 0 { return nil }
    return String(decoding: bytes.prefix(length).prefix { $0 != 10 }, as: UTF8.self)
  }

  /// Writes a line. Returns the errno if that fails.
  static func write(_ text: String, to path: String) -> Int32? {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC)
    if descriptor < 0 { return errno }
    defer { close(descriptor) }
    let line = text + "\n"
    return Glibc.write(descriptor, line, line.utf8.count) == line.utf8.count ? nil : errno
  }

  /// Returns the sorted names in a folder; none if it cannot be read.
  static func names(in directory: String) -> [String] {
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

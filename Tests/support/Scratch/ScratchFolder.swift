// A directory for one test, removed with all that is in it when its owner goes. Any thread. It
// never follows a link while it removes.

import Glibc

public final class ScratchFolder: Sendable {
  public let path: String

  /// Makes a directory below `parent`; ends the process if there is no room for one.
  public init(in parent: String = "/tmp") {
    var name = Array((parent + "/reel-test-XXXXXX").utf8CString)
    let made = mkdtemp(&name)
    precondition(made != nil, "a test needs a directory in \(parent)")
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a directory at this path.
  public init(at path: String) {
    precondition(mkdir(path, 0o755) == 0, "a test needs a directory at \(path)")
    self.path = path
  }

  // What cannot be removed stays in the temporary directory.
  deinit { removeTree(path) }
}

private func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  for name in names(in: path) { removeTree(path + "/" + name) }
  rmdir(path)
}

private func names(in path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

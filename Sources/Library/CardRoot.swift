// The opened root directory of a mounted card. Paths are resolved below it and cannot leave it: no
// component is "..", and no symbolic link is followed, neither on the way nor at the end. Owned by
// `PosixCard`, used on the card's thread; must never hand an absolute path, or one with a link in
// it, to the kernel.

import CKernel
import Glibc
import Recorder
import Tape

struct CardRoot: ~Copyable, Sendable {
  /// How the directories of a path are resolved.
  enum Resolver: CaseIterable, Sendable {
    /// `openat2`, in one call.
    case kernel
    /// One `openat` for each component: for kernels before 5.6, and for sandboxes that refuse
    /// `openat2`.
    case byHand
  }

  let descriptor: Int32
  let resolver: Resolver

  /// Takes ownership of the descriptor. Without a resolver, it tests whether the kernel has one.
  init(adopting descriptor: Int32, resolver: Resolver? = nil) {
    self.descriptor = descriptor
    self.resolver = resolver ?? Self.best(for: descriptor)
  }

  deinit { close(descriptor) }

  private static func best(for descriptor: Int32) -> Resolver {
    let found = reel_open_directory_beneath(descriptor, ".")
    guard found >= 0 else { return .byHand }
    close(found)
    return .kernel
  }

  /// Calls `body` with the directory of a path's last component, and that component; "." for the
  /// root. Does not check whether the component is a link.
  func inParent<Result: ~Copyable>(
    of path: String, _ body: (Int32, String) throws(TapeError) -> Result
  ) throws(TapeError) -> Result {
    if path.isEmpty { return try body(descriptor, ".") }
    try CardPath.check(path)
    guard let slash = path.utf8.lastIndex(of: CardPath.slash) else {
      return try body(descriptor, path)
    }
    let name = String(path[path.utf8.index(after: slash)...])
    let directory = SpareDescriptors.ofThisProcess.opening { resolve(String(path[..<slash])) }
    guard directory >= 0 else {
      // A link on the way counts as a file: nothing is below it.
      let number = errno == ELOOP ? ENOTDIR : errno
      throw .system(.cannotOpen, "\(path) cannot be reached", errno: number)
    }
    defer { close(directory) }
    return try body(directory, name)
  }

  /// Opens a directory; -1 and errno on failure.
  private func resolve(_ path: String) -> Int32 {
    if resolver == .kernel { return reel_open_directory_beneath(descriptor, path) }
    var here = descriptor
    for name in path.utf8.split(separator: CardPath.slash) {
      let next = reel_open_directory_path(here, String(name) ?? "")
      let number = errno
      if here != descriptor { close(here) }
      errno = number
      if next < 0 { return next }
      here = next
    }
    return here
  }
}

/// Paths below a card's root: names with slashes between them; "" is the root.
enum CardPath {
  static let slash = UInt8(ascii: "/")

  /// Fails with EINVAL unless each component is a name.
  static func check(_ path: String) throws(TapeError) {
    if path.isEmpty { return }
    let names = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
    guard names.allSatisfy({ FileName.isComponent($0) }) else {
      let shown = String(decoding: path.utf8.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
      throw .system(.cannotOpen, "“\(shown)” is no path on a card", errno: EINVAL)
    }
  }
}

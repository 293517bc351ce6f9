// Checks that a name is one component of a path. Generic and called for every name of a card, so it
// is in the module that calls it, where it is specialised. Pure.

import Glibc
import Recorder

extension FileName {
  /// Whether the bytes are a valid name in a directory: not empty, neither "." nor "..", without a
  /// slash or a zero byte. File systems refuse those longer than `limitBytes`.
  static func isComponent(_ name: some Collection<UInt8>) -> Bool {
    if name.isEmpty { return false }
    if name.first == dot, name.elementsEqual([dot]) || name.elementsEqual([dot, dot]) {
      return false
    }
    for byte in name where byte == 0 || byte == CardPath.slash { return false }
    return true
  }

  /// Whether a name from an index may be used. Names from a card are untrusted: one could be a
  /// path, or that of the store's own files. FAT has names of 255 UTF-16 units, which may exceed
  /// `limitBytes`.
  static func isBelievable(_ name: String) -> Bool {
    if name.utf8.withContiguousStorageIfAvailable(isPlain) ?? false { return true }
    let fits = name.utf8.count <= limitBytes || name.utf16.count <= limitBytes
    return fits && isComponent(name.utf8) && !isOwn(name)
  }

  /// Whether a name is believable at first sight, as nearly all of a card's are.
  private static func isPlain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = name.baseAddress, 1...limitBytes ~= name.count, !mayBeOwn(name[0]) else {
      return false
    }
    return memchr(start, 0, name.count) == nil
      && memchr(start, Int32(CardPath.slash), name.count) == nil
  }
}

private let dot = UInt8(ascii: ".")

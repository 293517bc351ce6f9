// Items for rings and snapshots that can check whether they are whole, and the kernel's figures
// about this process.
import Glibc

/// Like a block's header: where it begins and how long it is.
struct Block: BitwiseCopyable, Sendable, Equatable {
  var firstFrame: UInt64
  var frameCount: UInt32
  var flags: UInt32

  init(_ index: Int) {
    firstFrame = UInt64(index)
    frameCount = UInt32(truncatingIfNeeded: index &* 7)
    flags = ~UInt32(truncatingIfNeeded: index)
  }
}

/// Several words and a part of one, all derived from the number.
struct Wide: BitwiseCopyable, Sendable {
  let number: UInt64
  let inverse: UInt64
  let tripled: UInt64
  let rotated: UInt64
  let low: UInt16

  init(_ number: UInt64) {
    self.number = number
    inverse = ~number
    tripled = number &* 3
    rotated = number << 32 | number >> 32
    low = UInt16(truncatingIfNeeded: number)
  }

  var isWhole: Bool {
    inverse == ~number && tripled == number &* 3 && rotated == number << 32 | number >> 32
      && low == UInt16(truncatingIfNeeded: number)
  }
}

/// Returns the number after a key in /proc/self/status.
func processStatus(_ key: String) -> Int? {
  let words = firstLine(of: "/proc/self/status") { $0.hasPrefix(key) }?.split { " \t".contains($0) }
  return words.flatMap { $0.count > 1 ? Int($0[1]) : nil }
}

/// Returns the first line of a small file that matches, without its end.
func firstLine(of path: String, where isWanted: (String) -> Bool = { _ in true }) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes = [CChar](repeating: 0, count: 256)
  while fgets(&bytes, CInt(bytes.count), file) != nil {
    let line = bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
    if isWanted(line) { return String(line.prefix { $0 != "\n" }) }
  }
  return nil
}

/// Returns how many bytes of that memory are resident, in whole pages.
func residentByteCount(from start: UnsafeRawPointer, byteCount: Int) -> Int {
  let pageBytes = sysconf(Int32(_SC_PAGESIZE))
  let inPage = Int(bitPattern: start) % pageBytes
  let first = UnsafeMutableRawPointer(mutating: start - inPage)
  var pages = [UInt8](repeating: 0, count: byteCount / pageBytes)
  guard mincore(first, pages.count * pageBytes, &pages) == 0 else { return .max }
  return pages.count { $0 & 1 == 1 } * pageBytes
}

// The flight log's memory: a mapped file, so that what was written outlives the process without a
// system call a record. Made by the loop's thread at the start; the log of the run before is kept
// beside it under another name.

import Glibc
import Realtime

struct FlightFile: ~Copyable {
  let memory: UnsafeMutableRawBufferPointer

  static let sizeBytes = 1 << 20

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private init(adopting memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  static func create(at path: String, keepingOldAs oldPath: String) throws(Failure) -> FlightFile {
    rename(path, oldPath)  // there is none at the first start
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw failure("make", path) }
    defer { close(file) }
    // Room is taken now: a full disk must show here, not as a signal in the middle of a take.
    let result = posix_fallocate(file, 0, off_t(sizeBytes))
    guard result == 0 else { throw failure("make room for", path, result) }
    let mapped = mmap(nil, sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let mapped, mapped != MAP_FAILED else { throw failure("map", path) }
    return FlightFile(adopting: UnsafeMutableRawBufferPointer(start: mapped, count: sizeBytes))
  }

  deinit { munmap(memory.baseAddress, memory.count) }

  private static func failure(_ what: String, _ path: String, _ number: Int32 = errno) -> Failure {
    Failure(description: "cannot \(what) the flight log \(path): \(systemWords(for: number))")
  }
}

// The flight log's memory: a mapped file, so that records outlive the process without a system call
// for each. Made by the loop's thread at the start; the log of the previous run is kept beside it
// under another name.

import Glibc
import Loop
import Realtime
import Recorder

struct FlightFile: ~Copyable {
  let memory: UnsafeMutableRawBufferPointer

  static let sizeBytes = Appliance.flightLogBytes

  struct OpenError: Error, CustomStringConvertible {
    let description: String
  }

  private init(adopting memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  static func create(at path: String, keepingOldAs oldPath: String) throws(OpenError) -> FlightFile
  {
    keep(path, as: oldPath)
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw failure("make", path) }
    defer { close(file) }
    // Allocates the blocks now: a full disk must fail here, not as SIGBUS in the middle of a take.
    let result = posix_fallocate(file, 0, off_t(sizeBytes))
    guard result == 0 else { throw failure("make room for", path, result) }
    let mapped = mmap(nil, sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let mapped, mapped != MAP_FAILED else { throw failure("map", path) }
    return FlightFile(adopting: UnsafeMutableRawBufferPointer(start: mapped, count: sizeBytes))
  }

  /// Keeps the log of the previous run; a damaged one under a name that the next start leaves
  /// alone.
  private static func keep(_ path: String, as oldPath: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }  // there is none at the first start
    defer { close(file) }
    var beginning = [UInt8](repeating: 0, count: FlightTape.magicAndSizeBytes)
    let count = read(file, &beginning, beginning.count)
    guard count > 0, FlightTape.isDamaged(beginning: Array(beginning.prefix(count))) else {
      rename(path, oldPath)
      return
    }
    let aside = path + ".damaged"
    rename(path, aside)
    logError("the flight log \(path) is damaged; it was set aside as \(aside)")
  }

  /// Returns nil if no flight log can be made: faults can't be examined later, but recording works.
  static func create(in root: RootPaths) -> FlightFile? {
    do throws(OpenError) {
      return try create(at: root.flightLog, keepingOldAs: root.oldFlightLog)
    } catch {
      logError(error.description)
      return nil
    }
  }

  deinit { munmap(memory.baseAddress, memory.count) }

  private static func failure(_ what: String, _ path: String, _ number: Int32 = errno) -> OpenError
  {
    OpenError(description: "cannot \(what) the flight log \(path): \(systemWords(for: number))")
  }
}

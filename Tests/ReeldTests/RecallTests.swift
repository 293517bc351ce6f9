// Damaged files of the run before: each is set aside under another name and reported in a sentence,
// and the daemon starts. Writes below a directory of its own in /tmp.

import Glibc
import Recorder
import Scratch
import Testing

@testable import reeld

@Suite struct RecallTests {
  private final class Directory {
    private let scratch = ScratchFolder()
    var path: String { scratch.path }

    func write(_ bytes: [UInt8]) throws -> String {
      let file = try #require(fopen(path + "/file", "w"))
      #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
      fclose(file)
      return path + "/file"
    }

    func has(_ name: String) -> Bool { access(path + "/" + name, F_OK) == 0 }
  }

  @Test(
    "a damaged state file is set aside",
    arguments: [
      Array("{\"".utf8) + [0xFF] + Array("\":1}".utf8), Array(#"{"\u0000":1}"#.utf8),
      Array("{\"volumePercent\":".utf8), Array("{}".utf8), [0],
    ] as [[UInt8]])
  func damagedState(bytes: [UInt8]) throws {
    // Given an unreadable file
    let directory = Directory()
    let file = try directory.write(bytes)
    // When it is recalled
    var reports: [String] = []
    let recalled = RememberedState.recall(from: file) { reports.append($0) }
    // Then nothing is remembered, the file has another name, and one sentence says so
    #expect(recalled == nil && reports.count == 1)
    #expect(reports.first?.contains("file.damaged") == true)
    #expect(directory.has("file.damaged") && !directory.has("file"))
  }

  @Test("a valid state is recalled, and nothing is reported")
  func wholeState() throws {
    let directory = Directory()
    let file = directory.path + "/file"
    #expect(RememberedState.keep(Remembered(volumePercent: 35), in: file) == nil)
    var reports: [String] = []
    #expect(RememberedState.recall(from: file) { reports.append($0) }?.volumePercent == 35)
    #expect(reports.isEmpty)
  }

  @Test("an empty state file, as a cut on FAT may leave it, is ignored without a report")
  func emptyState() throws {
    let directory = Directory()
    let file = try directory.write([])
    var reports: [String] = []
    #expect(RememberedState.recall(from: file) { reports.append($0) } == nil)
    #expect(reports.isEmpty && directory.has("file"))
  }

  @Test("a crash marker without a boot is set aside, and no take is resumed")
  func damagedMark() throws {
    let directory = Directory()
    let file = try directory.write([0xFF, 0])
    var reports: [String] = []
    let mark = CrashMarker(path: file, isSupervised: true)
    #expect(mark.interrupted { reports.append($0) } == nil)
    #expect(reports.count == 1 && directory.has("file.damaged") && !directory.has("file"))
    // A marker of this boot is used.
    #expect(mark.set(TakeContinuation(part: 2)) == nil)
    #expect(mark.interrupted { reports.append($0) } == TakeContinuation(part: 2))
    #expect(reports.count == 1)
    #expect(mark.set(nil) == nil)
  }
}

// How a card is checked: what is measured, what is left out during a recording, and that no file is
// left behind.

import Glibc
import Recorder
import Tape
import Testing

@testable import Library

@Suite struct CardCheckupTests {
  private func look(
    _ folder: String, seconds: Double = 0.5, care: () -> CardCheckup.Care = { .none },
    goOn: (Int) -> Bool = { _ in true }
  ) -> CardFacts {
    CardCheckup.run(at: folder, seconds: seconds, care: care, goOn: goOn)
  }

  private func names(_ folder: String) throws -> [String] {
    try PosixCard.open(folder).list("").compactMap(\.name)
  }

  @Test("room, speed and the longest wait are reported, and the test file is removed")
  func measured() throws {
    let scratch = Scratch()
    var told: [Int] = []
    let facts = look(
      scratch.path,
      goOn: { permille in
        told.append(permille)
        return true
      })
    #expect(facts.trouble == nil && (facts.freeBytes ?? 0) > 0)
    guard case .measured(let speed) = facts.speed else {
      Issue.record("\(facts)")
      return
    }
    #expect((speed.bytesPerSecond ?? 0) > 0 && speed.syncs > 0)
    #expect(speed.worstMicroseconds >= speed.medianSyncMicroseconds)
    #expect(told == told.sorted() && told.allSatisfy { (0...1000).contains($0) })
    #expect(try names(scratch.path) == [])
  }

  @Test("while a recording runs only syncs are measured, also if it begins during the check")
  func gentle() throws {
    let scratch = Scratch()
    let facts = look(scratch.path, care: { .gentle(why: "a recording runs") })
    guard case .measuredLittle(let speed, "a recording runs") = facts.speed else {
      Issue.record("\(facts)")
      return
    }
    #expect(speed.bytesPerSecond == nil)
    var count = 0
    let later = look(
      scratch.path,
      care: {
        count += 1
        return count > 3 ? .skip(why: "a computer has the card") : .none
      })
    guard case .measuredLittle(_, "a computer has the card") = later.speed else {
      Issue.record("\(later)")
      return
    }
    #expect(try names(scratch.path) == [])
  }

  @Test("a cancelled check ends at once, and no file is left behind")
  func stopped() throws {
    let scratch = Scratch()
    var count = 0
    _ = look(
      scratch.path, seconds: 60,
      goOn: { _ in
        count += 1
        return count < 3
      })
    #expect(count == 3)
    #expect(try names(scratch.path) == [])
  }

  @Test("a missing folder is reported in a sentence, and nothing is measured")
  func missing() {
    let facts = look("/nowhere/at/all")
    #expect(facts.trouble?.contains("/nowhere/at/all cannot be opened") == true)
    #expect(facts.speed == nil)
  }
}

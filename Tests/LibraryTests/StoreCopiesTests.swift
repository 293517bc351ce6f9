// Copies elsewhere, in the store: which recordings a target lacks, what is noted of a copy, and
// files that are opened for clients.

import Glibc
import Realtime
import Recorder
import Tape
import Testing

@testable import Library

@Suite struct StoreCopiesTests {
  @Test("a target lacks each recording until its copy is noted, the oldest first, for good")
  func noted() throws {
    // given two recordings, one of them in a folder
    let desk = try StoreDesk()
    let folder = try desk.makeFolder("Inner")
    let first = try desk.record("First", in: folder)
    let second = try desk.record("Second")
    #expect(try lacking("nas", desk).map(\.recording.id) == [first.id, second.id])
    #expect(try lacking("nas", desk).map(\.file) == ["Inner/0001 First.opus", "0002 Second.opus"])
    // when one has its copy
    let copied = try note(first.id, in: folder, "nas", desk, file: "Inner/0001 First.opus")
    // then only the other is lacking there, and both at another target
    #expect(copied.difference == Tally(copied: 1) && copied.path == [.root, folder])
    #expect(try lacking("nas", desk).map(\.recording.id) == [second.id])
    #expect(try lacking("stick", desk).map(\.recording.id) == [first.id, second.id])
    #expect(try lacking(nil, desk).map(\.recording.id) == [second.id])
    // and after a restart it is as before
    try desk.reopen()
    #expect(try lacking("nas", desk).map(\.recording.id) == [second.id])
    #expect(try desk.listing().folders.first?.tally.copied == 1)
    // when the target has lost it, then it is lacking again
    _ = try desk.work(.noteCopy(CopyNote(first.id, in: folder, at: "nas", .gone)))
    #expect(try lacking("nas", desk).map(\.recording.id) == [first.id, second.id])
  }

  @Test("a copy whose recording has another name now is asked for, until it has that name too")
  func renamed() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    _ = try note(take.id, in: .root, "nas", desk, file: "0001 Take.opus")
    #expect(try lacking("nas", desk).isEmpty)
    // when it is renamed, and its folder as well
    let folder = try desk.makeFolder("Inner")
    try desk.work(.rename(take.id, to: "Other"))
    try desk.work(.move(take.id, to: folder, at: nil))
    #expect(try lacking("nas", desk).map(\.file) == ["Inner/0001 Other.opus"])
    let new = CopyNote.Change.renamed(
      remote: "box/Inner/0001 Other.opus", file: "Inner/0001 Other.opus")
    _ = try desk.work(.noteCopy(CopyNote(take.id, in: folder, at: "nas", new)))
    #expect(try lacking("nas", desk).isEmpty)
    try desk.work(.rename(folder, to: "Outer"))
    // then the store asks for it by its new path, and knows what the target calls it
    let asked = try lacking("nas", desk)
    #expect(asked.map(\.file) == ["Outer/0001 Other.opus"])
    #expect(asked.first?.recording.copy(at: "nas")?.remote == "box/Inner/0001 Other.opus")
  }

  @Test("a target lacks texts until they are noted, and again with each text that people change")
  func texts() throws {
    // given a recording with a copy, whose texts the target does not have
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    func stale() throws -> [CopySource] {
      try page(CopyQuery(target: "nas", .stale), desk).recordings
    }
    func sum(isDeleted: Bool = false) throws -> String {
      try #require(try stale().first).recording.texts(isDeleted: isDeleted)
    }
    func note(_ sum: String) throws {
      let change = CopyNote.Change.described(texts: sum)
      _ = try desk.work(.noteCopy(CopyNote(take.id, in: .root, at: "nas", change)))
    }
    _ = try self.note(take.id, in: .root, "nas", desk, file: "0001 Take.opus")
    #expect(try lacking("nas", desk).isEmpty && stale().count == 1)
    // when they are noted, then it has them, also after a restart
    try note(try sum())
    #expect(try stale().isEmpty)
    try desk.reopen()
    #expect(try stale().isEmpty)
    #expect(try page(CopyQuery(target: "nas", .held), desk).recordings.count == 1)
    // when it is heard, then it lacks them again; what it had before is not what it lacks
    let known = try #require(try desk.listing().recordings.first)
    let old = known.texts(isDeleted: false)
    desk.give(
      .keep(
        Recording(
          id: known.id, folder: known.folder, sequence: known.sequence, title: known.title,
          began: known.began, file: known.file, sound: known.sound, isHeard: true)))
    #expect(try sum() != old)
    try note(try sum())
    // and in the trash it has other texts, though nothing is copied from there
    try desk.work(.throwAway(take.id))
    #expect(try lacking("nas", desk).isEmpty && lacking(nil, desk).isEmpty)
    #expect(try stale().map(\.isDeleted) == [true])
    try note(try sum(isDeleted: true))
    #expect(try stale().isEmpty)
    #expect(try page(CopyQuery(target: "nas", .held), desk).recordings.map(\.isDeleted) == [true])
    // A copy that is read again keeps its texts; one with another name loses them
    try desk.work(.restore(take.id))
    try note(try sum())
    _ = try self.note(take.id, in: .root, "nas", desk, file: "0001 Take.opus")
    #expect(try stale().isEmpty)
  }

  @Test("what is in the trash is not asked for, and what is restored is")
  func thrown() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    #expect(try lacking("nas", desk).count == 1)
    try desk.work(.throwAway(take.id))
    #expect(try lacking("nas", desk).isEmpty)
    try desk.work(.restore(take.id))
    #expect(try lacking("nas", desk).count == 1)
  }

  @Test("a change by a sender that does not know of a copy leaves it")
  func kept() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    _ = try note(take.id, in: .root, "nas", desk, file: "0001 Take.opus")
    desk.give(.keep(take))
    #expect(try lacking("nas", desk).isEmpty)
    try desk.reopen()
    #expect(try lacking("nas", desk).isEmpty)
  }

  @Test("many are answered a page at a time, each once")
  func pages() throws {
    let desk = try StoreDesk()
    let folders = [.root, try desk.makeFolder("One"), try desk.makeFolder("Two")]
    var all: [ItemID] = []
    for number in 0..<13 {
      all.append(try desk.record("Take", in: folders[number * 7 % 3]).id)
    }
    var (found, place): ([ItemID], CopyPlace?) = ([], nil)
    repeat {
      let page = try page(CopyQuery(target: "nas", after: place, count: 5), desk)
      #expect(page.recordings.count <= 5)
      found += page.recordings.map(\.recording.id)
      place = page.next
    } while place != nil
    #expect(found == all)
  }

  @Test("a note about nothing, or with names that are none, is refused")
  func refused() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    let stranger = desk.newID()
    #expect(throws: StoreDesk.Failed.self) { try note(stranger, in: .root, "nas", desk, file: "x") }
    #expect(throws: StoreDesk.Failed.self) { try note(take.id, in: .root, "nas", desk, file: "") }
    let long = String(repeating: "x", count: 5000)
    #expect(throws: StoreDesk.Failed.self) { try note(take.id, in: .root, "nas", desk, file: long) }
    // A hash that is not that of its sound
    let wrong = String(repeating: "0", count: 64)
    let other = CopyNote.Change.verified(remote: "x", file: "x", hashes: [wrong])
    #expect(throws: StoreDesk.Failed.self) {
      try desk.work(.noteCopy(CopyNote(take.id, in: .root, at: "nas", other)))
    }
    #expect(try lacking("nas", desk).map(\.recording.id) == [take.id])
    let renamed = CopyNote.Change.renamed(remote: "x", file: "x")
    #expect(throws: StoreDesk.Failed.self) {
      try desk.work(.noteCopy(CopyNote(take.id, in: .root, at: "nas", renamed)))
    }
  }

  @Test("a client gets the file of a recording, to read, wherever it has moved")
  func opened() throws {
    let desk = try StoreDesk()
    let take = try desk.record("Take")
    let offered = Box()
    desk.store.clientFiles = ClientFiles(claim: { _ in nil }, offer: { offered.put($0) })
    try desk.work(.rename(take.id, to: "Other"))
    let request = FileRequest(take.id, in: .root, track: nil)
    guard case .opened(let file) = try desk.work(.openFile(request)) else {
      Issue.record("no file")
      return
    }
    let bytes = desk.file("0001 Other.opus")
    #expect(file == ClientFile(number: 7, file: "0001 Other.opus", sizeBytes: Int64(bytes.count)))
    let descriptor = try #require(offered.descriptor())
    defer { close(descriptor) }
    var read = [UInt8](repeating: 0, count: bytes.count + 1)
    #expect(pread(descriptor, &read, read.count, 0) == bytes.count)
    #expect(Array(read.dropLast()) == Array(bytes))
    #expect(fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY)
    #expect(throws: StoreDesk.Failed.self) {
      try desk.work(.openFile(FileRequest(take.id, in: .root, track: "safety")))
    }
  }

  @Test("whatever happens, the store knows without a search what one would find", arguments: 1...8)
  func followed(seed: Int) throws {
    // given a store that was asked once, and a history of changes
    let card = MemoryCard(.journalling)
    let rig = StoreRig(card)
    let walk = try StoreWalk(rig, seed: UInt64(seed), doing: Deed.usual + [.copy, .copy])
    _ = try rig.found()
    for _ in 0..<60 {
      try walk.step()
      let questions = [
        CopyQuery(target: "nas", count: 50), CopyQuery(target: nil, count: 50),
        CopyQuery(target: "nas", .stale, count: 50), CopyQuery(target: "nas", .held, count: 50),
      ]
      for question in questions {
        // when it is asked again, then the answer is that of a store that searches
        let known = try rig.answer(question)
        let other = StoreRig(card.ifCutNow.outcome(1))
        try other.open()
        // which takes the end of a running take for a power cut
        let running = walk.model.running
        let searched = try other.answer(question).filter { !running.contains($0.recording.id) }
        #expect(known.map(\.file) == searched.map(\.file))
      }
    }
  }

  // MARK: The desk

  private func lacking(_ target: String?, _ desk: StoreDesk) throws -> [CopySource] {
    try page(CopyQuery(target: target), desk).recordings
  }

  private func page(_ query: CopyQuery, _ desk: StoreDesk) throws -> CopyPage {
    guard case .uncopied(let page) = try desk.work(.copies(query)) else {
      throw StoreDesk.Failed(why: "no page")
    }
    return page
  }

  @discardableResult
  private func note(
    _ id: ItemID, in folder: ItemID, _ target: String, _ desk: StoreDesk, file: String
  ) throws -> CopyResult {
    let known = try desk.listing(folder).recordings.first { $0.id == id }
    let change = CopyNote.Change.verified(
      remote: file, file: file, hashes: known?.soundHashes ?? [])
    let result = try desk.work(.noteCopy(CopyNote(id, in: folder, at: target, change)))
    guard case .copied(let copied) = result else { throw StoreDesk.Failed(why: "not noted") }
    return copied
  }

  private final class Box: Sendable {
    private let held = Locked<Int32?>(nil)
    func put(_ descriptor: Int32) -> Int {
      held.withLock { $0 = descriptor }
      return 7
    }
    func descriptor() -> Int32? { held.withLock { $0 } }
  }
}

extension StoreRig {
  fileprivate func answer(_ query: CopyQuery) throws -> [CopySource] {
    guard case .done(.uncopied(let page)) = work(.copies(query)) else {
      throw Broken(description: "no page")
    }
    return page.recordings
  }
}

// Proves that when a device hangs in read, open or close, the room goes on without it: takes end,
// the loop never waits, and the hung thread keeps all it uses until it returns. Real threads.

import Glibc
import Realtime
import Recorder
import Synchronization
import Testing

@testable import Audio
@testable import Recorder
@testable import Tape

/// Lets callers of `pass` through, or holds them until it is opened.
private final class Gate: Sendable {
  private let isShut = Atomic<Bool>(false)
  private let waiting = Atomic<Int>(0)

  func shut() { isShut.store(true, ordering: .releasing) }
  func open() { isShut.store(false, ordering: .releasing) }
  var hasVisitor: Bool { waiting.load(ordering: .acquiring) > 0 }

  func pass() {
    waiting.add(1, ordering: .acquiringAndReleasing)
    // The caller hangs as in a driver: nothing wakes it.
    while isShut.load(ordering: .acquiring) { usleep(1_000) }
    waiting.subtract(1, ordering: .acquiringAndReleasing)
  }
}

private final class RoomClock: Sendable { let nanoseconds = Atomic<Int64>(0) }

private struct HangingMicrophone: CaptureStream, ~Copyable {
  let format = StreamFormat(rate: 16_000, channels: 1, samples: .int16, periodFrames: 320)
  let reading: Gate
  let closing: Gate
  private var next = RealTime().nowNanoseconds()

  init(reading: Gate, closing: Gate) { (self.reading, self.closing) = (reading, closing) }

  deinit { closing.pass() }

  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival {
    let time = RealTime()
    time.sleep(untilNanoseconds: next + 20_000_000)
    reading.pass()
    target.initializeMemory(as: UInt8.self, repeating: 1)
    let heard = next
    next += 20_000_000
    return .frames(min(320, target.count / 2), firstAtNanoseconds: heard, isBehind: false)
  }
}

// Within RoomTests, which count the process's threads: one after another.
extension RoomTests {
  @Suite(.serialized) final class HangingDeviceTests {
    private let folder: Folder
    private let reading = Gate()
    private let closing = Gate()
    private let opening = Gate()
    private let clock = RoomClock()
    private var events: [SoundEvent] = []
    private var room: RecordRoom<HangingMicrophone>?

    init() throws {
      folder = Folder()
      var hands = RecordHands<HangingMicrophone>.threads(open: folder.toWrite)
      hands.nowNanoseconds = { [clock] in clock.nanoseconds.load(ordering: .acquiring) }
      let (reading, closing, opening) = (reading, closing, opening)
      let info = CaptureInfo(name: "Hanging", rate: 16_000, channels: 1)
      let source = CaptureSource<HangingMicrophone>(
        look: { .success(info) },
        open: {
          opening.pass()
          return HangingMicrophone(reading: reading, closing: closing)
        })
      room = RecordRoom(source, settings: .quick, hands: hands, wake: {})
    }

    deinit { for gate in [reading, closing, opening] { gate.open() } }

    /// Collects the room's events until `isSo` holds. The deadline allows for a very busy machine.
    private func wait(until isSo: () -> Bool) -> Bool {
      let end = RealTime().nowNanoseconds() + 20_000_000_000
      while RealTime().nowNanoseconds() < end {
        events += room?.collect() ?? []
        if isSo() { return true }
        // The room's threads work meanwhile; the test has no loop that the room could wake.
        usleep(2_000)
      }
      return false
    }

    private var isOpen: Bool {
      events.contains { if case .opened = $0 { true } else { false } }
    }

    private var reports: [TakeReport] {
      events.compactMap { if case .take(_, .ended(let report)) = $0 { report } else { nil } }
    }

    private var now: Instant { Instant(nanoseconds: RealTime().nowNanoseconds()) }

    private func begin() throws {
      let order = TakePlan(
        id: Rig.id(1), folder: .root, pressed: now, prerollMilliseconds: 100, continues: nil,
        part: 1, title: nil)
      room?.perform(.begin(order, Rig.label(1)))
      _ = try PosixFile.open(folder.path + "/1.opus", .create)
      room?.perform(.attach(Rig.id(1), CardPath(components: ["1.opus"])))
    }

    private func hasSound() -> Bool {
      events.contains { if case .take(_, .progress) = $0 { true } else { false } }
    }

    @Test("A read that never returns holds up neither stop nor close nor the end")
    func reads() throws {
      // Given a take whose device hangs
      room?.perform(.open)
      #expect(wait { isOpen })
      try begin()
      #expect(wait { hasSound() })
      reading.shut()
      #expect(wait { reading.hasVisitor })
      // When it is told to end
      room?.perform(.end(Rig.id(1), at: now, .pressed))
      // Then it ends, with what was heard
      #expect(wait { !reports.isEmpty })
      #expect(reports.first?.integrity.stopReason == .pressed)
      #expect(reports.first.map { $0.sound.frames > 48_000 } == true)
      // And the room ends while the hung thread lives on with memory of its own
      room?.perform(.close)
      room = nil
      #expect(AbandonedThreads.count >= 1)
      reading.open()
      #expect(wait { AbandonedThreads.count == 0 })
    }

    @Test("A close that never returns blocks neither the room nor its end")
    func closes() throws {
      room?.perform(.open)
      #expect(wait { isOpen })
      closing.shut()
      room?.perform(.close)
      #expect(wait { closing.hasVisitor })
      room = nil
      #expect(AbandonedThreads.count >= 1)
      closing.open()
      #expect(wait { AbandonedThreads.count == 0 })
    }

    @Test("A close that takes 0.1 s is awaited, though the files are closed before")
    func closesSlowly() throws {
      // Given an open room whose device takes its time to close
      room?.perform(.open)
      #expect(wait { isOpen })
      closing.shut()
      let closing = closing
      let slow = try OwnedThread.start(ThreadPlan(name: "slow", residency: .onDemand), 0) { _, _ in
        // A device tells nothing while it closes.
        while !closing.hasVisitor { usleep(1_000) }
        // That long it takes to close.
        usleep(100_000)
        closing.open()
      }
      // When it is dropped
      room = nil
      // Then no thread is left behind
      #expect(AbandonedThreads.count == 0)
      _ = slow.join()
    }

    @Test("An open that never returns is abandoned, and at most four are")
    func opens() throws {
      // Given a device that hangs in open
      opening.shut()
      room?.perform(.open)
      #expect(wait { opening.hasVisitor })
      room?.announce()
      #expect(events == [])
      // When five seconds have passed
      for number in 1...6 as ClosedRange<Int64> {
        clock.nanoseconds.store(number * 6_000_000_000, ordering: .releasing)
        room?.perform(.open)
      }
      // Then that is reported, and it is retried a few times
      #expect(wait { events.contains(.lost("The sound device does not answer.")) })
      #expect(AbandonedThreads.count == AbandonedThreads.most)
      // And when it answers again, it can be opened
      opening.open()
      #expect(wait { AbandonedThreads.count == 0 })
      #expect(!isOpen)
      room?.perform(.open)
      #expect(wait { isOpen })
    }
  }
}

// The bell: a ring before the wait is heard, without a ring the wait times out, and no ring is lost
// between the two, for a thread that waits and for an event loop.
import Glibc
import Realtime
import Testing

@Suite struct WakeUpTests {
  @Test func aBellRungBeforeTheWaitIsHeardOnce() throws {
    // Given a bell rung twice
    let wakeUp = try WakeUp()
    let waker = wakeUp.makeWaker()
    waker.wake()
    waker.wake()
    // Then the first wait ends at once, and the next one times out
    #expect(wakeUp.wait(milliseconds: nil))
    #expect(!wakeUp.wait(milliseconds: 0))
  }

  @Test func nobodyRingsAndTheWaitEndsInTime() throws {
    let wakeUp = try WakeUp()
    let start = ContinuousClock.now
    #expect(!wakeUp.wait(milliseconds: 30))
    let waited = ContinuousClock.now - start
    // The kernel may be late on a busy machine, but a wait is never too short.
    #expect(waited >= .milliseconds(29))
  }

  @Test func nobodyWaitsAndTheKernelIsNotCalled() throws {
    let wakeUp = try WakeUp()
    wakeUp.makeWaker().wake()
    #expect(!isReady(wakeUp.descriptor, milliseconds: 0))
  }

  @Test func anEventLoopSeesTheDescriptorOnceForManyRings() throws {
    // Given a loop that listens
    let wakeUp = try WakeUp()
    let waker = wakeUp.makeWaker()
    #expect(!wakeUp.listen())
    #expect(!isReady(wakeUp.descriptor, milliseconds: 0))
    // When the bell is rung twice
    waker.wake()
    waker.wake()
    // Then the descriptor is ready until the loop listens again
    #expect(isReady(wakeUp.descriptor, milliseconds: 10_000))
    #expect(wakeUp.listen())
    #expect(!isReady(wakeUp.descriptor, milliseconds: 0))
    #expect(!wakeUp.listen())
  }

  @Test func aBellRungBeforeTheLoopListensIsHeard() throws {
    let wakeUp = try WakeUp()
    wakeUp.makeWaker().wake()
    #expect(wakeUp.listen())
  }

  @Test func noWakeIsLostBetweenTwoThreadsInTurn() throws {
    // Given two threads, each of which rings for the other and then waits for it
    let there = try WakeUp()
    let back = try WakeUp()
    let turnCount = 20_000
    let answering = try OwnedThread.start(
      ThreadPlan(name: "answering"), Turns(waker: back.makeWaker())
    ) { turns, _ in
      for _ in 0..<turnCount {
        if !isHeardInTime({ there.wait(milliseconds: $0) }) { break }
        turns.heardCount += 1
        turns.waker.wake()
      }
    }
    // When they do so 20,000 times
    let waker = there.makeWaker()
    var heardCount = 0
    for _ in 0..<turnCount {
      waker.wake()
      if !isHeardInTime({ back.wait(milliseconds: $0) }) { break }
      heardCount += 1
    }
    // Then no wait timed out
    #expect(heardCount == turnCount)
    #expect(answering.join().heardCount == turnCount)
  }

  @Test(arguments: [false, true])
  func noItemIsLeftLyingByAReaderThatSleeps(asAnEventLoop: Bool) throws {
    // Given a reader that sleeps whenever its ring is empty
    let ring = try Ring<Block>(capacity: 256)
    let wakeUp = try WakeUp()
    let itemCount = 60_000
    let writing = try OwnedThread.start(
      ThreadPlan(name: "writer"), Writer(producer: ring.producer, waker: wakeUp.makeWaker())
    ) { writer, stop in
      for index in 0..<itemCount {
        while !writer.producer.push(Block(index)) && !stop.isRaised() { sched_yield() }
        writer.waker.wake()
      }
    }
    // When the writer rings after each item
    var consumer = ring.consumer
    var count = 0
    if asAnEventLoop { _ = wakeUp.listen() }
    while count < itemCount {
      while consumer.pop() != nil { count += 1 }
      if count == itemCount { break }
      let isHeard = isHeardInTime { milliseconds in
        asAnEventLoop
          ? isReady(wakeUp.descriptor, milliseconds: milliseconds)
          : wakeUp.wait(milliseconds: milliseconds)
      }
      if !isHeard { break }
      if asAnEventLoop { _ = wakeUp.listen() }
    }
    // Then all items arrive
    #expect(count == itemCount)
    _ = writing.join()
  }
}

/// Whether a wake-up came before the timeout. A lost one ends only at the timeout of 10 s, and no
/// machine is busy enough to delay another for so long.
private func isHeardInTime(_ wait: (_ milliseconds: Int) -> Bool) -> Bool {
  let start = ContinuousClock.now
  return wait(10_000) && ContinuousClock.now - start < .milliseconds(9_900)
}

private struct Turns: ~Copyable {
  let waker: Waker
  var heardCount = 0
}

private struct Writer: ~Copyable {
  var producer: RingProducer<Block>
  let waker: Waker
}

private func isReady(_ descriptor: CInt, milliseconds: Int) -> Bool {
  var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&wanted, 1, CInt(milliseconds)) == 1
}

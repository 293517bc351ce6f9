// Live sound for browsers: each gets every sample, one that does not keep up gets the newest, and
// where a stream is can be asked. The hub has no recorder here.
import Console
import Realtime
import Systemd
import Testing

@testable import Web

@Suite struct LiveTests {
  private let hub: LiveHub
  private let rate = 48_000

  init() throws {
    hub = LiveHub(to: "/nowhere", on: try EventLoop(), log: { _ in })
  }

  /// Reads all that is there, in parts of an odd size; nil when the stream has ended.
  private func read(_ stream: LiveStream, limit: Int = .max) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 333)
    while bytes.count < limit {
      let part = buffer.withUnsafeMutableBytes { stream.read(into: $0) }
      guard case .bytes(let count) = part else {
        return part == .end && bytes.isEmpty ? nil : bytes
      }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Samples in network order.
  private func sent(_ blocks: LiveBlock...) -> [UInt8] {
    blocks.flatMap(\.samples).flatMap { sample in
      [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
    }
  }

  private func block(_ number: Int, frames: Int = 960) -> LiveBlock {
    let first = number * frames
    return LiveBlock(
      firstFrame: Int64(first), nanoseconds: Int64(first) * 1_000_000_000 / Int64(rate),
      samples: (first..<first + frames).map { Int16(truncatingIfNeeded: $0 &* 7919) })
  }

  @Test("two browsers hear each sample, in network order")
  func samples() throws {
    let (one, other) = (hub.open(session: "a", rate: rate), hub.open(session: "b", rate: rate))
    for number in 0..<3 { hub.distribute(block(number)) }
    let expected = sent(block(0), block(1), block(2))
    #expect(read(one) == expected && read(other) == expected)
    #expect(read(one) == [])
    hub.distribute(block(3))
    #expect(read(one) == sent(block(3)))
  }

  @Test("a browser that does not keep up gets new sound, after the piece that it had begun")
  func slow() throws {
    let stream = hub.open(session: "a", rate: rate)
    hub.distribute(block(0))
    // given that it has read part of the first piece, and then nothing for two seconds
    let begun = try #require(read(stream, limit: 1))
    for number in 1..<100 { hub.distribute(block(number)) }
    // when it reads again
    let all = begun + (try #require(read(stream)))
    // then the first piece is whole, and what follows is whole, new, and not more than may wait
    let first = sent(block(0))
    let rest = all.dropFirst(first.count)
    #expect(all.prefix(first.count) == first[...] && !rest.isEmpty)
    let newest = (100 - rest.count / first.count..<100).flatMap { sent(block($0)) }
    #expect(rest.elementsEqual(newest))
    #expect(rest.count * 1000 <= 2 * rate * LiveStream.waitingMilliseconds)
  }

  @Test("which frame is heard now follows from the piece that was begun last, also after a loss")
  func position() throws {
    let stream = hub.open(session: "a", rate: rate)
    #expect(hub.position(of: "1", session: "a") == nil)
    hub.distribute(block(0))
    #expect(read(stream) == sent(block(0)))
    // A tenth of a second after the first sample the microphone hears the 4,800th.
    #expect(stream.frame(atNanoseconds: 100_000_000) == 4800)
    // when ninety-eight pieces never came, the next one is the second of this stream
    hub.distribute(block(99))
    #expect(read(stream) == sent(block(99)))
    #expect(stream.frame(atNanoseconds: block(99).nanoseconds) == 960)
    // and only its own session may ask
    #expect(hub.position(of: "1", session: "a") != nil)
    #expect(hub.position(of: "1", session: "b") == nil)
    #expect(hub.position(of: "2", session: "a") == nil)
  }

  @Test("a stream ends with its session, after what waits, and is forgotten")
  func ending() throws {
    let (one, other) = (hub.open(session: "a", rate: rate), hub.open(session: "b", rate: rate))
    hub.distribute(block(0))
    hub.end(session: "a")
    #expect(read(one) == sent(block(0)) && read(one) == nil)
    #expect(read(other) == sent(block(0)) && read(other) == [])
    one.end()
    #expect(hub.listenerCount == 1)
    hub.end(session: nil)
    #expect(read(other) == nil)
  }

  @Test("what is no packet of the recorder's is dropped")
  func packets() throws {
    for count in [0, 1, 16, 17, LivePacket.bytesMaximum + 1, LivePacket.bytesMaximum + 2] {
      #expect(LivePacket.block(of: [UInt8](repeating: 1, count: count)) == nil, "\(count)")
    }
    var packet = [UInt8](repeating: 0, count: 18)
    (packet[0], packet[8], packet[16], packet[17]) = (1, 2, 255, 127)
    let one = LivePacket.block(of: packet)
    #expect(one == LiveBlock(firstFrame: 1, nanoseconds: 2, samples: [32_767]))
  }
}

// Live sound over the socket: who gets it, packet by packet, what a client that does not read
// costs, and how it ends.

import Glibc
import Realtime
import Recorder
import Testing

@testable import Console

@Suite struct WireSoundTests {
  private let rig: WireRig

  init() throws {
    rig = try WireRig()
    rig.bench.send(.sound(.opened(CaptureInfo(name: "Mic", rate: 48_000, channels: 1))))
  }

  private func block(_ number: Int, frames: Int = 960) -> LiveBlock {
    LiveBlock(
      firstFrame: Int64(number * frames), nanoseconds: Int64(number) * 20_000_000,
      samples: (0..<frames).map { Int16(truncatingIfNeeded: number + $0) })
  }

  /// Connects a client that listens; returns its end of the pair.
  private func listener() throws -> (Caller, Int32) {
    let client = try rig.client()
    _ = try client.next()
    let id = try client.ask(.watch(.sound))
    guard case .now(id, .sound(rate: 48_000)) = try client.next() else {
      Issue.record("no sound")
      return (client, -1)
    }
    return (client, try #require(client.takeFile()))
  }

  private func failure(of client: Caller) throws -> String? {
    try client.ask(.watch(.sound))
    guard case .error(_, let failure) = try client.next() else { return nil }
    return failure.code
  }

  /// Returns the next packet's block; nil if none comes.
  private func packet(_ file: Int32) -> LiveBlock? {
    var buffer = [UInt8](repeating: 0, count: LivePacket.bytesMaximum + 1)
    var count = -1
    _ = rig.turn {
      count = recv(file, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      return count >= 0
    }
    return LivePacket.block(of: buffer[..<max(0, count)])
  }

  private func isClosed(_ file: Int32) -> Bool {
    rig.turn {
      var byte: UInt8 = 0
      return recv(file, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
  }

  @Test("a client gets what is heard while it listens, whole, and nothing is collected after that")
  func packets() throws {
    let (client, file) = try listener()
    #expect(rig.isCollecting)
    rig.live = [block(0), block(1)]
    #expect(packet(file) == block(0) && packet(file) == block(1))
    // A long block comes in packets of a bounded size.
    rig.live = [block(1, frames: 10_000)]
    let parts = [packet(file), packet(file), packet(file)].compactMap { $0 }
    #expect(parts.flatMap(\.samples) == block(1, frames: 10_000).samples)
    #expect(parts.map(\.firstFrame) == [10_000, 14_096, 18_192])
    #expect(parts.last?.nanoseconds == 190_666_666)
    try client.ask(.unwatch(1))
    #expect(isClosed(file) && rig.turn { !rig.isCollecting })
    close(file)
  }

  @Test("a client that does not read loses sound, and others do not")
  func slow() throws {
    let (one, slow) = try listener()
    let (other, quick) = try listener()
    for batch in 0..<20 {
      rig.live = (0..<10).map { block(10 * batch + $0) }
      for number in 10 * batch..<10 * batch + 10 { #expect(packet(quick) == block(number)) }
    }
    // What it finds is whole, bounded, and from the beginning: what did not fit was dropped.
    var found: [LiveBlock] = []
    var buffer = [UInt8](repeating: 0, count: LivePacket.bytesMaximum + 1)
    while true {
      let count = recv(slow, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { break }
      found.append(try #require(LivePacket.block(of: buffer[..<count])))
    }
    #expect((5..<100).contains(found.count))
    #expect(found == (0..<found.count).map { block($0) })
    // Then it hears what is new.
    rig.live = [block(500)]
    #expect(packet(slow) == block(500) && !one.isOver && !other.isOver)
    for file in [slow, quick] { close(file) }
  }

  @Test("it ends when the client closes its end or goes away, and when the microphone closes")
  func endings() throws {
    let (client, file) = try listener()
    close(file)
    rig.live = [block(0)]
    #expect(try client.next() == .end(1, "gone"))
    #expect(!rig.isCollecting)
    let (second, gone) = try listener()
    second.hangUp()
    #expect(isClosed(gone) && rig.turn { !rig.isCollecting })
    close(gone)
    // when the microphone is opened anew with another rate
    let (third, last) = try listener()
    rig.bench.send(.sound(.opened(CaptureInfo(name: "Mic", rate: 44_100, channels: 1))))
    #expect(try third.next() == .end(1, "gone"))
    #expect(isClosed(last) && !rig.isCollecting)
    close(last)
  }

  @Test("a microphone that sleeps is not woken for a listener")
  func asleep() throws {
    let client = try rig.client()
    _ = try client.next()
    var settings = Settings()
    settings.isArmed = false
    rig.bench.send(.host(.configured(settings)))
    let commands = rig.bench.commands.count
    #expect(try failure(of: client) == "asleep")
    #expect(!rig.isCollecting)
    let opened = rig.bench.commands.dropFirst(commands).contains {
      if case .sound = $0 { true } else { false }
    }
    #expect(!opened)
    rig.bench.send(.sound(.lost("unplugged")))
    #expect(try failure(of: client) == "noDevice")
  }

  @Test("who may only look does not hear, and so many listen at most")
  func refused() throws {
    let spectator = try rig.spectator()
    _ = try spectator.next()
    #expect(try failure(of: spectator) == "mayNotChange")
    let listeners = try (0..<Wire1.listenerLimit).map { _ in try listener() }
    let client = try rig.client()
    _ = try client.next()
    #expect(try failure(of: client) == "busy")
    for (_, file) in listeners { close(file) }
  }
}

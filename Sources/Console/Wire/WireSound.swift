// Live sound for clients: each gets one end of a pair of sockets, and packets of what the
// microphone hears. Loop's thread. A packet that does not fit, because its client is slow, is
// dropped whole; the sound of takes has no part in this. No microphone is opened for a listener.

import Glibc
import Realtime
import Recorder
import Systemd

/// Our end of the pair of one listener.
final class LiveEnd {
  /// What waits unread at most: about half a second, by the kernel's own count.
  private static let bufferBytes: Int32 = 48 << 10

  private let descriptor: Int32

  /// Returns our end and the client's, which the caller must close or pass on.
  static func make() -> (end: LiveEnd, theirs: Int32)? {
    guard let (ours, theirs) = SocketFile.packetPair(bufferBytes: bufferBytes) else { return nil }
    return (LiveEnd(ours), theirs)
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Sends a packet, or drops it. Returns false if the client has closed its end.
  func send(_ packet: [UInt8]) -> Bool {
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    if Glibc.send(descriptor, packet, packet.count, flags) >= 0 { return true }
    return errno == EAGAIN || errno == EINTR || errno == ENOBUFS
  }
}

/// A packet of live sound: the number of its first frame and when that was heard, eight bytes each,
/// then its samples of two bytes; all in little endian.
public enum LivePacket {
  public static let headBytes = 16
  static let framesMaximum = 4096
  /// No packet is longer.
  public static let bytesMaximum = headBytes + 2 * framesMaximum

  /// Returns one packet, or several if the block is long.
  static func packets(of block: LiveBlock, rate: Int) -> [[UInt8]] {
    stride(from: 0, to: block.samples.count, by: framesMaximum).map { start in
      let samples = block.samples[start..<min(block.samples.count, start + framesMaximum)]
      var packet: [UInt8] = []
      packet.reserveCapacity(headBytes + 2 * samples.count)
      append(block.firstFrame + Int64(start), to: &packet)
      append(block.nanoseconds + Int64(start) * 1_000_000_000 / Int64(rate), to: &packet)
      for sample in samples {
        packet.append(UInt8(truncatingIfNeeded: sample))
        packet.append(UInt8(truncatingIfNeeded: sample >> 8))
      }
      return packet
    }
  }

  private static func append(_ number: Int64, to packet: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { packet += $0 }
  }

  /// Returns a packet's block; nil if it is none.
  public static func block(of packet: some Collection<UInt8>) -> LiveBlock? {
    let bytes = Array(packet)
    guard bytes.count > headBytes, bytes.count % 2 == 0, bytes.count <= bytesMaximum else {
      return nil
    }
    let head = bytes.withUnsafeBytes { bytes in
      (
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)),
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
      )
    }
    let samples = stride(from: headBytes, to: bytes.count, by: 2).map { place in
      Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
    }
    return LiveBlock(firstFrame: head.0, nanoseconds: head.1, samples: samples)
  }
}

extension ControlSocket {
  func watchSound(_ id: Int, _ client: WireClient) {
    if let failure = failureToListen(client) { return client.send(.error(id, failure)) }
    guard let rate = openRate else { return client.send(.error(id, asleep)) }
    guard let (end, theirs) = LiveEnd.make() else {
      return client.send(.error(id, CommandError(.busy)))
    }
    client.subscriptions[id] = .sound(end)
    client.send(.now(id, .sound(rate: rate)), passing: theirs)
    guard streams.soundTimer == nil else { return }
    streams.soundRate = rate
    dependencies.live.turn(true)
    streams.soundTimer = timer(everyMilliseconds: 40) { [unowned self] in sendSound() }
  }

  /// Who may only look may not hear what is said in a room.
  private func failureToListen(_ client: WireClient) -> CommandError? {
    if dependencies.state().console(client.id)?.access != .control {
      return CommandError(.mayNotChange)
    }
    let listeners = clients.values.reduce(0) { sum, client in
      sum + client.subscriptions.values.count { if case .sound = $0 { true } else { false } }
    }
    return listeners < Wire1.listenerLimit ? nil : CommandError(.busy)
  }

  /// The rate of the microphone; nil if it is not open.
  private var openRate: Int? {
    switch dependencies.state().device.capture {
    case .running(let info), .silent(let info): info.rate
    case .unknown, .absent, .closed, .opening: nil
    }
  }

  private var asleep: CommandError {
    if case .absent = dependencies.state().device.capture { return CommandError(.noDevice) }
    return CommandError("asleep", "The microphone is off until something is recorded.")
  }

  /// Ends all listening if the microphone was closed, or opened anew with another rate.
  private func sendSound() {
    let isSame = openRate == streams.soundRate
    let blocks = dependencies.live.read()
    let packets = isSame ? blocks.flatMap { LivePacket.packets(of: $0, rate: openRate ?? 1) } : []
    for client in clients.values {
      for case (let id, .sound(let end)) in client.subscriptions
      where !isSame || !packets.allSatisfy(end.send) {
        client.subscriptions[id] = nil
        client.send(.end(id, "gone"))
      }
    }
    endStreamsIfUnwanted()
  }

  func endSound() {
    guard let timer = streams.soundTimer else { return }
    timer.stop()
    (streams.soundTimer, streams.soundRate) = (nil, nil)
    dependencies.live.turn(false)
  }
}

// Encodes one take as Ogg Opus: takes frames in blocks of any size, and passes on each page as soon
// as it is whole. The owning thread calls it; after `begin`, it allocates only at a split. It must
// never touch a file: pages go to the closure given with each call, as bytes that are valid during
// that call. If the closure throws, its page is lost and the take cannot go on.
//
// A split is gapless because the encoder never stops. The next part repeats the packets of the last
// 0.4 s before the split, and tells its decoder to discard that much (pre-skip). By then the
// decoder agrees with one of the whole take, to within rounding; after the 80 ms that RFC 7845 asks
// for, noise still differs by a sixth of its height. The ending part gets the packets that hold its
// last frames, and an exact end trim. Restarting the encoder instead would cost more, and give each
// side of the join its own coding noise.

import Realtime

/// Writes pages of an Opus file.
public struct OggOpusWriter: ~Copyable, TapeWriter {
  /// 0.4 s at 48 kHz, see above.
  static let leadInTicks: Int64 = 19_200

  public let settings: OpusSettings
  /// Frames written so far, at the input rate.
  public private(set) var framesTaken: Int64 = 0
  public private(set) var hasEnded = false

  private let encoder: OpusEncoder
  private let resampler: Resampler?
  private let isFloat: Bool
  private let lookaheadTicks: Int64
  private let ticksPerPacket: Int64
  private var history: PacketHistory
  private var output: PartOutput
  private var following: PartOutput?

  // Frames at the encoder's rate that wait for the rest of their packet.
  private let waiting: Buffer<UInt8>
  private var waitingFrames = 0
  private let converted: Buffer<UInt8>
  private let silence: Buffer<UInt8>
  private let frameByteCount: Int

  private static let chunkFrames = 1_024

  /// Begins a take and sends both header pages. `tagSpace` is the room kept for tags, since some
  /// are known at the end only.
  public static func begin(
    _ settings: OpusSettings, float: Bool = false, tags: Tags, serial: UInt32,
    tagSpace: Int = 4_096, to sink: PageSink
  ) throws(TapeError) -> OggOpusWriter {
    let encoder = try OpusEncoder.open(settings)
    let resampler =
      settings.encoderRate == settings.sampleRate
      ? nil
      : try Resampler.open(
        channels: settings.channels, from: settings.sampleRate, to: settings.encoderRate,
        quality: .listening)
    let lookahead = encoder.lookahead * 48_000 / settings.encoderRate
    var output = try PartOutput(
      settings, part: 0, base: 0, preSkip: lookahead, tags: tags, serial: serial,
      tagSpace: tagSpace)
    try output.sendHeaders(to: sink)
    return OggOpusWriter(
      settings, isFloat: float, encoder: encoder, resampler: resampler, output: output)
  }

  private init(
    _ settings: OpusSettings, isFloat: Bool, encoder: consuming OpusEncoder,
    resampler: consuming Resampler?, output: consuming PartOutput
  ) {
    self.settings = settings
    self.isFloat = isFloat
    lookaheadTicks = Int64(encoder.lookahead * 48_000 / settings.encoderRate)
    self.encoder = encoder
    self.resampler = resampler
    self.output = output
    ticksPerPacket = Int64(settings.ticksPerPacket)
    history = PacketHistory(
      packets: Int(Self.leadInTicks / ticksPerPacket) + 2,
      largestPacketByteCount: settings.largestPacketByteCount)
    frameByteCount = settings.channels * (isFloat ? 4 : 2)
    waiting = Buffer(count: settings.framesPerPacket * frameByteCount)
    converted = Buffer(count: Self.chunkFrames * frameByteCount)
    silence = Buffer(count: Self.chunkFrames * frameByteCount)
  }

  /// Encodes interleaved 16-bit frames.
  public mutating func write(
    _ samples: UnsafeBufferPointer<Int16>, to sink: PageSink
  ) throws(TapeError) {
    precondition(!isFloat, "this take was begun for float")
    try write(UnsafeRawBufferPointer(samples), to: sink)
  }

  /// Encodes interleaved float frames.
  public mutating func write(
    _ samples: UnsafeBufferPointer<Float>, to sink: PageSink
  ) throws(TapeError) {
    precondition(isFloat, "this take was begun for 16 bits")
    try write(UnsafeRawBufferPointer(samples), to: sink)
  }

  /// Encodes silence in place of missing frames.
  public mutating func writeSilence(frames: Int64, to sink: PageSink) throws(TapeError) {
    var left = frames
    while left > 0 {
      let now = min(left, Int64(Self.chunkFrames))
      try write(
        UnsafeRawBufferPointer(rebasing: silence.raw[..<(Int(now) * frameByteCount)]), to: sink)
      left -= now
    }
  }

  public mutating func split(tags: Tags, serial: UInt32) throws(TapeError) {
    try split(tags: tags, serial: serial, tagSpace: 4_096)
  }

  /// Makes the next frame begin a new part. The ending part gets its last page after another packet
  /// and the encoder's lookahead, at most 67 ms of frames. Until then, a further split fails with
  /// `.tooSoon`.
  public mutating func split(
    tags: Tags, serial: UInt32, tagSpace: Int
  ) throws(TapeError) {
    precondition(!hasEnded, "a take that has ended cannot be split")
    guard following == nil else {
      throw TapeError(.tooSoon, "The last split is not finished yet.")
    }
    let cut = endTicks
    let first = max(0, (cut - Self.leadInTicks) / ticksPerPacket)
    following = try PartOutput(
      settings, part: output.part + 1, base: first * ticksPerPacket,
      preSkip: Int(cut - first * ticksPerPacket), tags: tags, serial: serial, tagSpace: tagSpace)
    output.end = cut
  }

  /// Ends the take exactly behind its last frame.
  public mutating func finish(to sink: PageSink) throws(TapeError) {
    precondition(!hasEnded, "a take ends once")
    let end = endTicks
    if following == nil { output.end = end } else { following?.end = end }
    while !hasEnded {
      try accept(UnsafeRawBufferPointer(silence.all), to: sink)
    }
  }

  /// A resampler may need a frame more.
  public var framesToPage: Int64 {
    let frames = Int64(output.packetsToPage * settings.framesPerPacket - waitingFrames)
    let own = scaled(frames, from: settings.encoderRate, to: settings.sampleRate)
    return max(1, own + (resampler == nil ? 0 : 1))
  }

  /// Where the last frame ends, on the decoder's clock.
  private var endTicks: Int64 { ticks(framesTaken, rate: settings.sampleRate) + lookaheadTicks }

  public mutating func write(
    _ bytes: UnsafeRawBufferPointer, to sink: PageSink
  ) throws(TapeError) {
    precondition(bytes.count % frameByteCount == 0, "frames come whole")
    precondition(!hasEnded, "a take that has ended takes nothing more")
    framesTaken += Int64(bytes.count / frameByteCount)
    try accept(bytes, to: sink)
  }

  private mutating func accept(_ bytes: UnsafeRawBufferPointer, to sink: PageSink) throws(TapeError)
  {
    guard resampler != nil else { return try pack(bytes, to: sink) }
    var rest = bytes
    while !rest.isEmpty {
      let (taken, made) = convert(rest)
      try pack(
        UnsafeRawBufferPointer(rebasing: converted.raw[..<(made * frameByteCount)]), to: sink)
      precondition(taken > 0 || made > 0, "a resampler gets on")
      rest = UnsafeRawBufferPointer(rebasing: rest[(taken * frameByteCount)...])
    }
  }

  private func convert(_ bytes: UnsafeRawBufferPointer) -> (taken: Int, made: Int) {
    guard let start = bytes.baseAddress, let into = converted.raw.baseAddress else { return (0, 0) }
    let frames = bytes.count / frameByteCount
    let result =
      isFloat
      ? resampler?.convert(
        start.assumingMemoryBound(to: Float.self), frames: frames,
        into: into.assumingMemoryBound(to: Float.self), capacity: Self.chunkFrames)
      : resampler?.convert(
        start.assumingMemoryBound(to: Int16.self), frames: frames,
        into: into.assumingMemoryBound(to: Int16.self), capacity: Self.chunkFrames)
    return result ?? (0, 0)
  }

  /// Divides frames into packets. A whole packet's worth is encoded without a copy.
  private mutating func pack(_ bytes: UnsafeRawBufferPointer, to sink: PageSink) throws(TapeError) {
    var rest = bytes
    let packetByteCount = waiting.count
    while !rest.isEmpty && !hasEnded {
      if waitingFrames == 0 && rest.count >= packetByteCount {
        try encode(UnsafeRawBufferPointer(rebasing: rest[..<packetByteCount]), to: sink)
        rest = UnsafeRawBufferPointer(rebasing: rest[packetByteCount...])
        continue
      }
      let held = waitingFrames * frameByteCount
      let now = min(rest.count, packetByteCount - held)
      UnsafeMutableRawBufferPointer(rebasing: waiting.raw[held..<held + now])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<now]))
      waitingFrames += now / frameByteCount
      rest = UnsafeRawBufferPointer(rebasing: rest[now...])
      if held + now == packetByteCount {
        waitingFrames = 0
        try encode(UnsafeRawBufferPointer(waiting.all), to: sink)
      }
    }
  }

  private mutating func encode(_ frames: UnsafeRawBufferPointer, to sink: PageSink)
    throws(TapeError)
  {
    guard let start = frames.baseAddress else { return }
    let byteCount =
      isFloat
      ? try encoder.encode(start.assumingMemoryBound(to: Float.self), into: history.next)
      : try encoder.encode(start.assumingMemoryBound(to: Int16.self), into: history.next)
    history.commit(byteCount: byteCount)
    try output.put(history, history.count - 1, to: sink)
    while output.isComplete && !hasEnded { try beginFollowing(to: sink) }
  }

  private mutating func beginFollowing(to sink: PageSink) throws(TapeError) {
    guard let next = following.take() else {
      hasEnded = true
      return
    }
    output = next
    try output.sendHeaders(to: sink)
    var index = output.base / ticksPerPacket
    while index < history.count && !output.isComplete {
      try output.put(history, index, to: sink)
      index += 1
    }
  }
}

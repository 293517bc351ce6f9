// Encodes one take as FLAC: takes frames in blocks of any size, and passes on each FLAC frame as
// soon as it is whole. The owning thread calls it; it allocates only at the beginning and at a
// split. It must never touch a file.
//
// A split is exact: the encoder ends with the last frame before it, and another begins.

import CFLAC
import Realtime

public struct FlacWriter: ~Copyable, TapeWriter {
  public let settings: FlacSettings
  public private(set) var hasEnded = false

  private let isFloat: Bool
  private var encoder: FlacEncoder
  private var part = 0
  /// Frames of this part that were given to the encoder.
  private var takenFrames: Int64 = 0
  /// Frames of this part that were passed on in whole FLAC frames.
  private var partFrames: Int64 = 0
  private var partBytes: Int64 = 0
  private var seekPoints = FlacSeekPoints()
  /// The part that begins with the next frame.
  private var following: (tags: Tags, serial: UInt32)?

  private let samples: Buffer<Int32>
  private static let chunkFrames = 1_024

  /// Begins a take and passes the header on.
  public static func begin(
    _ settings: FlacSettings, float: Bool, tags: Tags, serial: UInt32, to sink: PageSink
  ) throws(TapeError) -> FlacWriter {
    try begin(
      settings, float: float, tags: tags, serial: serial, roomBytes: FlacHeader.roomBytes, to: sink)
  }

  /// - Parameter roomBytes: of the header, for tags, cue sheet and padding.
  static func begin(
    _ settings: FlacSettings, float: Bool, tags: Tags, serial: UInt32, roomBytes: Int,
    to sink: PageSink
  ) throws(TapeError) -> FlacWriter {
    var writer = FlacWriter(settings, isFloat: float, try FlacEncoder.open(settings))
    try writer.sendHeader(tags, serial, roomBytes: roomBytes, to: sink)
    return writer
  }

  private init(_ settings: FlacSettings, isFloat: Bool, _ encoder: consuming FlacEncoder) {
    self.settings = settings
    self.isFloat = isFloat
    self.encoder = encoder
    samples = Buffer(count: Self.chunkFrames * settings.channels)
  }

  public mutating func write(
    _ frames: UnsafeRawBufferPointer, to sink: PageSink
  ) throws(TapeError) {
    let frameBytes = settings.channels * (isFloat ? 4 : 2)
    precondition(frames.count % frameBytes == 0, "frames come whole")
    var rest = frames
    while !rest.isEmpty {
      let count = min(rest.count / frameBytes, Self.chunkFrames)
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<(count * frameBytes)])
      convert(piece)
      try encode(frames: count, to: sink)
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
    }
  }

  public mutating func writeSilence(frames: Int64, to sink: PageSink) throws(TapeError) {
    samples.all.update(repeating: 0)
    var left = frames
    while left > 0 {
      let count = min(left, Int64(Self.chunkFrames))
      try encode(frames: Int(count), to: sink)
      left -= count
    }
  }

  /// Two blocks, as long as a page of Opus. libFLAC waits for the first frame behind them.
  public var framesToPage: Int64 {
    max(1, partFrames + 2 * Int64(settings.blockFrames) + 1 - takenFrames)
  }

  public mutating func split(tags: Tags, serial: UInt32) throws(TapeError) {
    precondition(!hasEnded, "a take that has ended cannot be split")
    guard following == nil else {
      throw TapeError(.tooSoon, "The last split is not finished yet.")
    }
    following = (tags, serial)
  }

  public mutating func finish(to sink: PageSink) throws(TapeError) {
    precondition(!hasEnded, "a take ends once")
    try beginFollowing(to: sink)
    try endPart(to: sink)
    hasEnded = true
  }

  // MARK: Frames

  private func convert(_ frames: UnsafeRawBufferPointer) {
    let all = samples.all
    if isFloat {
      let floats = frames.assumingMemoryBound(to: Float.self)
      let fullScale = Float(1 << (settings.bits - 1))
      for index in floats.indices { all[index] = floats[index].whole(fullScale: fullScale) }
    } else {
      let whole = frames.assumingMemoryBound(to: Int16.self)
      let shift = Int32(settings.bits - 16)
      for index in whole.indices { all[index] = Int32(whole[index]) &<< shift }
    }
  }

  private mutating func encode(frames: Int, to sink: PageSink) throws(TapeError) {
    precondition(!hasEnded, "a take that has ended takes nothing more")
    try beginFollowing(to: sink)
    let block = UnsafeBufferPointer(rebasing: samples.all[..<(frames * settings.channels)])
    try encoder.encode(block, frames: frames)
    takenFrames += Int64(frames)
    try passOn(to: sink)
  }

  /// Passes on the FLAC frames that are whole.
  private mutating func passOn(to sink: PageSink) throws(TapeError) {
    try encoder.output.drain { (bytes, frames) throws(TapeError) in
      try pass(bytes, frames: frames, to: sink)
    }
  }

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer, frames: Int, to sink: PageSink
  ) throws(TapeError) {
    seekPoints.add(FlacSeekPoint(firstFrame: partFrames, offset: partBytes, frames: frames))
    partFrames += Int64(frames)
    partBytes += Int64(bytes.count)
    try sink(PageOut(bytes: bytes, part: part, playableFrames: partFrames, isLast: false))
  }

  // MARK: Parts

  private mutating func sendHeader(
    _ tags: Tags, _ serial: UInt32, roomBytes: Int = FlacHeader.roomBytes, to sink: PageSink
  ) throws(TapeError) {
    let header = Buffer(
      copying: try FlacHeader.bytes(
        FlacInfo(settings), tags, serial: serial, roomBytes: roomBytes))
    try sink(
      PageOut(
        bytes: UnsafeRawBufferPointer(header.raw), part: part, playableFrames: 0, isLast: false,
        isHeader: true))
  }

  /// Ends the part: what its header is to say comes with its last page, which has no bytes.
  private mutating func endPart(to sink: PageSink) throws(TapeError) {
    var seal = try encoder.finish()
    try passOn(to: sink)
    seal.seekPoints = seekPoints.points
    precondition(seal.frames == partFrames, "a part's length is that of its frames")
    try sink(
      PageOut(
        bytes: UnsafeRawBufferPointer(start: nil, count: 0), part: part,
        playableFrames: partFrames, isLast: true, seal: seal))
  }

  private mutating func beginFollowing(to sink: PageSink) throws(TapeError) {
    guard let next = following.take() else { return }
    try endPart(to: sink)
    encoder = try FlacEncoder.open(settings)
    part += 1
    (takenFrames, partFrames, partBytes, seekPoints) = (0, 0, 0, FlacSeekPoints())
    try sendHeader(next.tags, next.serial, to: sink)
  }
}

/// As many places of a file as its seek table has room for, as far apart as its length requires.
private struct FlacSeekPoints {
  private(set) var points: [FlacSeekPoint] = []
  /// Each so many FLAC frames has a point.
  private var step = 32
  private var count = 0

  init() { points.reserveCapacity(FlacHeader.seekPoints + 1) }

  mutating func add(_ point: FlacSeekPoint) {
    defer { count += 1 }
    guard count % step == 0 else { return }
    points.append(point)
    guard points.count > FlacHeader.seekPoints else { return }
    var number = 0
    points.removeAll { _ in
      defer { number += 1 }
      return number % 2 == 1
    }
    step *= 2
  }
}

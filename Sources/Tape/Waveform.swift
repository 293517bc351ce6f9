// The outline of a recording: the lowest and highest sample of each stretch of time, in a bounded
// number of buckets. The thread that owns it adds blocks; adding allocates nothing. The same
// samples give the same outline, live or rebuilt, whatever the blocks.

public struct Waveform: Equatable, Sendable {
  public struct Bucket: Equatable, Sendable {
    public var lowest: Int16
    public var highest: Int16

    func joined(_ other: Bucket) -> Bucket {
      Bucket(lowest: min(lowest, other.lowest), highest: max(highest, other.highest))
    }
  }

  public let sampleRate: Int
  public let channels: Int
  /// Doubles whenever the buckets are full.
  public private(set) var framesPerBucket: Int
  public private(set) var frames: Int64 = 0

  private let capacity: Int
  private var full: [Bucket] = []
  private var begun: Bucket?
  private var framesInBegun = 0

  /// Room for at most `buckets`, an even number; never fewer than half of them once it was full.
  public init(sampleRate: Int, channels: Int, framesPerBucket: Int = 480, buckets: Int = 8_192) {
    precondition(channels > 0 && framesPerBucket > 0, "a waveform has channels and buckets")
    precondition(buckets >= 2 && buckets % 2 == 0, "buckets are joined in pairs")
    self.sampleRate = sampleRate
    self.channels = channels
    self.framesPerBucket = framesPerBucket
    capacity = buckets
    full.reserveCapacity(buckets)
  }

  /// All buckets, the last of which may not be complete.
  public var buckets: [Bucket] { full + (begun.map { [$0] } ?? []) }

  public mutating func add(_ samples: UnsafeBufferPointer<Int16>) { addAny(samples) }
  public mutating func add(_ samples: UnsafeBufferPointer<Float>) { addAny(samples) }

  private mutating func addAny<S: Sample>(_ samples: UnsafeBufferPointer<S>) {
    precondition(samples.count % channels == 0, "frames come whole")
    var rest = samples
    while !rest.isEmpty {
      let frames = min(rest.count / channels, framesPerBucket - framesInBegun)
      let bucket = Self.bucket(UnsafeBufferPointer(rebasing: rest[..<(frames * channels)]))
      begun = begun?.joined(bucket) ?? bucket
      framesInBegun += frames
      self.frames += Int64(frames)
      if framesInBegun == framesPerBucket { closeBucket() }
      rest = UnsafeBufferPointer(rebasing: rest[(frames * channels)...])
    }
  }

  private static func bucket<S: Sample>(_ samples: UnsafeBufferPointer<S>) -> Bucket {
    var bucket = Bucket(lowest: .max, highest: .min)
    for sample in samples {
      let value = sample.bits16
      bucket.lowest = min(bucket.lowest, value)
      bucket.highest = max(bucket.highest, value)
    }
    return bucket
  }

  private mutating func closeBucket() {
    guard let bucket = begun.take() else { return }
    framesInBegun = 0
    full.append(bucket)
    guard full.count == capacity else { return }
    for index in 0..<capacity / 2 {
      full[index] = full[2 * index].joined(full[2 * index + 1])
    }
    full.removeLast(capacity / 2)
    framesPerBucket *= 2
  }

  /// The outline of a whole file.
  public static func read(
    _ path: String, buckets: Int = 8_192, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> Waveform {
    var reader = try SoundReader.open(path)
    var waveform = Waveform(
      sampleRate: reader.sampleRate, channels: reader.channels, buckets: buckets)
    let block = Buffer<Int16>(count: 8_192 * reader.channels)
    while case let count = try reader.read(into: block.all), count > 0 {
      waveform.add(UnsafeBufferPointer(block.slice(0..<count * reader.channels)))
      try progress(Progress(done: waveform.frames, of: reader.frames)).check()
    }
    return waveform
  }
}

extension Waveform {
  /// The same outline in at most `count` buckets, for a screen that is so wide.
  public func joined(to count: Int) -> [Bucket] {
    precondition(count > 0, "an outline has a width")
    let all = buckets
    guard all.count > count else { return all }
    return (0..<count).map { column in
      let range = column * all.count / count..<(column + 1) * all.count / count
      return all[range].dropFirst().reduce(all[range.lowerBound]) { $0.joined($1) }
    }
  }

  /// JSON as BBC audiowaveform writes it (version 2, 16 bits), both channels in one outline.
  public var json: String {
    let all = buckets
    var text = "{\"version\":2,\"channels\":1,\"sample_rate\":\(sampleRate),"
    text +=
      "\"samples_per_pixel\":\(framesPerBucket),\"bits\":16,\"length\":\(all.count),\"data\":["
    for (index, bucket) in all.enumerated() {
      text += index == 0 ? "" : ","
      text += "\(bucket.lowest),\(bucket.highest)"
    }
    return text + "]}\n"
  }
}

// Exports all tracks of a take as one WAV file, which has the channels of the first track, then
// those of the second, and so on, and names them in an iXML chunk. Long work that blocks on the
// disk: give it a thread of its own. Memory holds a block of each track, however long the take is.
// No track's file is changed, and a failed export leaves no file behind.

import Realtime

/// Makes one WAV file of the tracks of a take.
public struct TracksExport {
  /// The open file of a track.
  private final class Source {
    let name: String
    let file: PosixFile

    init(_ name: String, _ file: consuming PosixFile) {
      self.name = name
      self.file = file
    }
  }

  private var sources: [Source] = []

  public init() {}

  /// Adds a track behind those that there are.
  public mutating func add(_ file: consuming PosixFile, named name: String) {
    sources.append(Source(name, file))
  }

  /// Exports the tracks into an open and empty file, and syncs it. A track that plays at another
  /// rate than the first is converted to that, and one that is shorter than the longest ends in
  /// silence.
  public func run(
    into file: borrowing PosixFile, as depth: Export.Depth, tags: Tags,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) {
    precondition(!sources.isEmpty, "a take has a track")
    if depth == .bits16 {
      try Self.write(try readers(Int16.self), to: file, depth, tags, progress)
    } else {
      try Self.write(try readers(Float.self), to: file, depth, tags, progress)
    }
    try Self.clearSpeakers(of: file)
    try file.sync()
  }

  /// Exports into a file that appears under its name when it is whole.
  public func run(
    to destination: String, as depth: Export.Depth, tags: Tags,
    progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) {
    var part = try PartFile.make(for: destination, replacing: false)
    try run(into: part.file, as: depth, tags: tags, progress: progress)
    try part.complete()
  }

  static func notWhole(_ name: String) -> TapeError {
    TapeError(
      .damaged,
      "The track “\(name)” is not whole; `verify` says what is wrong, and --track exports the"
        + " others.")
  }

  private func readers<Kind: ExportSample>(
    _: Kind.Type
  ) throws(TapeError) -> [TrackReader<Kind>] {
    var readers: [TrackReader<Kind>] = []
    for source in sources {
      let verdict = try Repair.examine(source.file).verdict
      if verdict == .repairable || verdict == .noSound { throw Self.notWhole(source.name) }
      let sound: SoundReader
      do { sound = try SoundReader.open(source.file) } catch {
        let isBroken = error.code == .notSound || error.code == .damaged
        throw isBroken ? Self.notWhole(source.name) : error
      }
      readers.append(
        try TrackReader(sound, named: source.name, rate: readers.first.map(\.sampleRate)))
    }
    return readers
  }

  private static func write<Kind: ExportSample>(
    _ readers: [TrackReader<Kind>], to file: borrowing PosixFile, _ depth: Export.Depth,
    _ tags: Tags, _ progress: (Progress) -> Onward
  ) throws(TapeError) {
    let mixer = Interleaver(readers)
    var writer = try SndfileWriter.open(
      file.descriptor, name: file.path, .wav(depth), channels: mixer.channels,
      sampleRate: readers[0].sampleRate, tags: tags, channelNames: readers.flatMap(\.channelNames))
    let total = readers.compactMap(\.frames).max()
    var done: Int64 = 0
    while case let count = try mixer.read(), count > 0 {
      try Kind.write(mixer.frames(count), to: writer)
      done += Int64(count)
      try progress(Progress(done: done, of: total)).check()
    }
    try writer.finish()
  }

  /// Says in the header that no channel belongs to a speaker. libsndfile always names speakers, by
  /// which a player would mix four microphones as if they were the corners of a room.
  private static func clearSpeakers(of file: borrowing PosixFile) throws(TapeError) {
    // The chunk “fmt ” of an extended format, which is 40 bytes long, is one of the first.
    let (head, format): ([UInt8], [UInt8]) = (
      try file.bytes(at: 0, count: 128), [0x66, 0x6D, 0x74, 0x20, 40, 0, 0, 0]
    )
    guard let place = head.indices.first(where: { head[$0...].starts(with: format) }) else {
      return
    }
    try file.write([0, 0, 0, 0], at: Int64(place) + 28)
  }
}

extension TrackReader {
  /// The names of its channels: that of the track, with a number if there are several.
  var channelNames: [String] {
    channels == 1 ? [name] : (1...channels).map { "\(name) \($0)" }
  }
}

/// Puts the frames of several tracks side by side.
private final class Interleaver<Kind: ExportSample> {
  let channels: Int
  private let readers: [TrackReader<Kind>]
  private let block: Buffer<Kind>
  private let single: Buffer<Kind>

  init(_ readers: [TrackReader<Kind>]) {
    self.readers = readers
    channels = readers.reduce(0) { $0 + $1.channels }
    block = Buffer(count: TrackReader<Kind>.blockFrames * channels)
    single = Buffer(
      count: TrackReader<Kind>.blockFrames * (readers.map(\.channels).max() ?? 1))
  }

  func frames(_ count: Int) -> UnsafeBufferPointer<Kind> {
    UnsafeBufferPointer(block.slice(0..<count * channels))
  }

  /// Reads the next block; returns how many frames the longest track has in it.
  func read() throws(TapeError) -> Int {
    block.all.update(repeating: Kind.silence)
    var (longest, channel) = (0, 0)
    for reader in readers {
      let part = single.slice(0..<TrackReader<Kind>.blockFrames * reader.channels)
      let count = try reader.read(into: part)
      spread(part, count, channels: reader.channels, from: channel)
      longest = max(longest, count)
      channel += reader.channels
    }
    return longest
  }

  private func spread(
    _ part: UnsafeMutableBufferPointer<Kind>, _ count: Int, channels own: Int, from first: Int
  ) {
    for frame in 0..<count {
      for channel in 0..<own {
        block.start[frame * channels + first + channel] = part[frame * own + channel]
      }
    }
  }
}

// Reads whatever libsndfile reads, with one owner: WAV, RF64, FLAC, MP3, Vorbis, AIFF and more.
// Blocks on the disk: never call it from a thread that must not wait.
import CSndfile
import Glibc
import Realtime

// Sendable: noncopyable, and libsndfile ties a file to no thread.
struct SndfileReader: ~Copyable, @unchecked Sendable {
  private let file: OpaquePointer
  private let name: String
  let channels: Int
  let sampleRate: Int
  /// Nil if the file does not say.
  let frames: Int64?
  private let isInteger: Bool
  /// Whether 16 bits cannot hold its samples.
  let isDeep: Bool

  /// Reads through a copy of the descriptor; the caller keeps its own.
  static func open(_ source: borrowing PosixFile) throws(TapeError) -> SndfileReader {
    let own = try PosixFile.copy(of: source.descriptor, named: source.path)
    lseek(own, 0, SEEK_SET)
    var info = SF_INFO()
    // libsndfile closes the copy, also when it fails.
    guard let file = sf_open_fd(own, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
      let reason = String(cString: sf_strerror(nil))
      throw TapeError(.notSound, "\(source.path) is not sound that can be read (\(reason))")
    }
    return SndfileReader(adopting: file, source.path, info)
  }

  private init(adopting file: OpaquePointer, _ path: String, _ info: SF_INFO) {
    self.file = file
    name = path
    channels = Int(info.channels)
    sampleRate = Int(info.samplerate)
    // SF_COUNT_MAX, which is not imported into Swift, stands for unknown.
    frames = info.frames == .max ? nil : info.frames
    let coding = Int(info.format) & SF_FORMAT_SUBMASK
    isInteger = [
      SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32,
    ].contains(coding)
    isDeep = [SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE]
      .contains(coding)
  }

  deinit { sf_close(file) }

  var tags: Tags {
    var tags = Tags()
    tags.title = text(SF_STR_TITLE)
    tags.date = text(SF_STR_DATE)
    tags.software = text(SF_STR_SOFTWARE)
    tags.speaker = text(SF_STR_ARTIST)
    tags.marks = marks
    return tags
  }

  func read(into samples: UnsafeMutableBufferPointer<Int16>) throws(TapeError) -> Int {
    if isInteger {
      return try checked(sf_readf_short(file, samples.baseAddress, Int64(samples.count / channels)))
    }
    // libsndfile either does not scale float to 16 bits, or scales it to the loudest sample.
    let floats = Buffer<Float>(count: max(1, samples.count))
    let count = try read(into: floats.slice(0..<samples.count))
    for index in 0..<count * channels { samples[index] = floats.all[index].bits16 }
    return count
  }

  func read(into samples: UnsafeMutableBufferPointer<Float>) throws(TapeError) -> Int {
    try checked(sf_readf_float(file, samples.baseAddress, Int64(samples.count / channels)))
  }

  /// Whether the last read met damage and went on behind it.
  func hasMetDamage() -> Bool { sf_error(file) != 0 }

  func seek(to frame: Int64) throws(TapeError) {
    guard sf_seek(file, frame, SEEK_SET) == frame else {
      throw TapeError(.unsupported, "\(name) cannot be played from another place.")
    }
  }

  private func checked(_ result: sf_count_t) throws(TapeError) -> Int {
    guard result > 0 || sf_error(file) == 0 else {
      throw TapeError(.cannotRead, "\(name) cannot be read: \(String(cString: sf_strerror(file)))")
    }
    return Int(max(0, result))
  }

  private func text(_ kind: Int32) -> String? {
    sf_get_string(file, kind).map { String(cString: $0) }
  }

  private func text(_ kind: Int) -> String? { text(Int32(kind)) }

  private var marks: [Tags.Mark] {
    var count: UInt32 = 0
    guard command(file, SFC_GET_CUE_COUNT, &count, 4), count > 0 else { return [] }
    let cues = CuePoints(count: Int(min(count, 1_000)))
    guard command(file, SFC_GET_CUE, cues.raw.baseAddress, cues.raw.count) else { return [] }
    return cues.points.map { point in
      var point = point
      let frame = Int64(point.sample_offset)
      let name = withUnsafeBytes(of: &point.name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return Tags.Mark(frame: ticks(frame, rate: sampleRate), name: name)
    }
  }
}

// Swift imports libsndfile's constants as Int, while its functions take Int32.
@discardableResult
func command(
  _ file: OpaquePointer, _ number: Int, _ data: UnsafeMutableRawPointer?, _ byteCount: Int
) -> Bool {
  sf_command(file, Int32(number), data, Int32(byteCount)) == Int32(SF_TRUE)
}

func turnOn(_ file: OpaquePointer, _ number: Int) { command(file, number, nil, SF_TRUE) }

/// libsndfile's list of cue points: a count, then that many.
struct CuePoints: ~Copyable {
  let raw: UnsafeMutableRawBufferPointer
  let points: UnsafeMutableBufferPointer<SF_CUE_POINT>

  init(count: Int) {
    raw = .allocate(byteCount: 4 + count * MemoryLayout<SF_CUE_POINT>.stride, alignment: 4)
    raw.initializeMemory(as: UInt8.self, repeating: 0)
    raw.storeBytes(of: UInt32(count), as: UInt32.self)
    points = UnsafeMutableRawBufferPointer(rebasing: raw[4...]).bindMemory(to: SF_CUE_POINT.self)
  }

  deinit { raw.deallocate() }
}

// Decodes an Ogg Opus file at 48 kHz through libopusfile, with one owner: exact length, exact seek.
// Blocks on the disk: never call it from a thread that must not wait. Cut and damaged files play:
// sound missing in the middle is read as silence, so that every frame keeps its time.
import COpusfile
import Glibc
import Realtime

// Sendable: noncopyable, libopusfile ties a file to no thread, and the packets are its own.
/// Decodes an Opus file.
public struct OpusReader: ~Copyable, @unchecked Sendable {
  public static let sampleRate = 48_000

  private let file: OpaquePointer
  private let packets: OpusPackets
  /// One if the whole file is mono, else two.
  public let channels: Int
  public let frames: Int64
  /// The index of the next frame to be read.
  public private(set) var position: Int64 = 0

  // Frames that were decoded and not read yet, as 16 bits or float; a packet decodes to 120 ms at
  // most.
  private static let stagingFrames = 5_760
  private let staging: Buffer<Float>
  private var stagedIsFloat = false
  private var staged = 0..<0
  private var missingFrames: Int64 = 0

  /// Reads through a copy of the descriptor; the caller keeps its own.
  public static func open(_ source: borrowing PosixFile) throws(TapeError) -> OpusReader {
    let name = source.path
    let descriptor = try PosixFile.copy(of: source.descriptor, named: name)
    lseek(descriptor, 0, SEEK_SET)
    var callbacks = OpusFileCallbacks()
    guard let stream = op_fdopen(&callbacks, descriptor, "rb") else {
      close(descriptor)
      throw TapeError(.outOfMemory, "There is no memory to open \(name).")
    }
    var status: Int32 = 0
    guard let file = op_open_callbacks(stream, &callbacks, nil, 0, &status) else {
      _ = callbacks.close(stream)
      throw failure(name, status)
    }
    return OpusReader(adopting: file)
  }

  /// Reads parts of a take that were joined, `frames` long in all. It cannot seek.
  static func open(
    _ pages: consuming JoinedPages<PosixFile>, frames: Int64
  ) throws(TapeError) -> OpusReader {
    var callbacks = PageSource.callbacks
    let source = PageSource(pages).retained
    var status: Int32 = 0
    guard let file = op_open_callbacks(source, &callbacks, nil, 0, &status) else {
      _ = callbacks.close(source)
      throw failure("The joined recording", status)
    }
    return OpusReader(adopting: file, frames: frames)
  }

  private init(adopting file: OpaquePointer, frames known: Int64? = nil) {
    self.file = file
    packets = OpusPackets(file)
    let links = op_link_count(file)
    channels = (0..<links).allSatisfy { op_channel_count(file, $0) == 1 } ? 1 : 2
    frames = known ?? max(0, op_pcm_total(file, -1))
    // Dither would cost half as much again, and make a frame depend on where decoding began.
    op_set_dither_enabled(file, 0)
    staging = Buffer(count: Self.stagingFrames * 2)
  }

  deinit { op_free(file) }

  /// The original sample rate, as the file has it.
  public var originalSampleRate: Int { Int(op_head(file, 0).pointee.input_sample_rate) }

  public var tags: Tags {
    guard let found = op_tags(file, 0)?.pointee else { return Tags() }
    var comments: [Tags.Comment] = []
    for index in 0..<Int(found.comments) {
      guard let text = found.user_comments[index], found.comment_lengths[index] > 0 else {
        continue
      }
      let bytes = UnsafeRawBufferPointer(start: text, count: Int(found.comment_lengths[index]))
      guard let equals = bytes.firstIndex(of: 0x3D), Tags.isKey(bytes[..<equals]) else {
        continue
      }
      comments.append(
        Tags.Comment(
          key: String(decoding: bytes[..<equals], as: UTF8.self),
          value: String(decoding: bytes[(equals + 1)...], as: UTF8.self)))
    }
    var tags = Tags(comments: comments)
    if let vendor = found.vendor { tags.vendor = String(cString: vendor) }
    return tags
  }

  /// Reads the next frames, interleaved; fewer than there is room for only at the end of the file.
  public mutating func read(
    into samples: UnsafeMutableBufferPointer<Int16>
  ) throws(TapeError) -> Int {
    try fill(UnsafeMutableRawBufferPointer(samples), float: false)
  }

  public mutating func read(
    into samples: UnsafeMutableBufferPointer<Float>
  ) throws(TapeError) -> Int {
    try fill(UnsafeMutableRawBufferPointer(samples), float: true)
  }

  /// Makes this frame the next one read, exactly as it sounds when played from the start. Decoding
  /// begins earlier than libopusfile's 80 ms, after which noise still differs by a sixth.
  public mutating func seek(to frame: Int64) throws(TapeError) {
    let frame = max(0, min(frames, frame))
    (staged, missingFrames, position) = (0..<0, 0, frame)
    packets.reset()
    let status = op_pcm_seek(file, max(0, frame - OggOpusWriter.leadInTicks))
    guard status == 0 else { throw Self.failure("The recording", status) }
  }

  private mutating func fill(
    _ bytes: UnsafeMutableRawBufferPointer, float: Bool
  ) throws(TapeError) -> Int {
    if float != stagedIsFloat {
      if !staged.isEmpty || missingFrames > 0 { try seek(to: position) }
      stagedIsFloat = float
    }
    let frameByteCount = channels * (float ? 4 : 2)
    let wanted = bytes.count / frameByteCount
    var filled = 0
    while filled < wanted {
      let into = UnsafeMutableRawBufferPointer(rebasing: bytes[(filled * frameByteCount)...])
      let now = min(wanted - filled, missingFrames > 0 ? Int(missingFrames) : staged.count)
      if missingFrames > 0 {
        if let start = into.baseAddress { memset(start, 0, now * frameByteCount) }
        missingFrames -= Int64(now)
      } else if !staged.isEmpty {
        let from = staged.lowerBound * frameByteCount
        into.copyMemory(
          from: UnsafeRawBufferPointer(
            rebasing: staging.raw[from..<from + now * frameByteCount]))
        staged = staged.dropFirst(now)
      } else if try !decode() {
        break
      }
      filled += now
      position += Int64(now)
    }
    return filled
  }

  /// Stages the next packet; false at the end.
  private mutating func decode() throws(TapeError) -> Bool {
    while true {
      let result = decoded()
      if result == 0 { return false }
      // libopusfile reports a hole once, then goes on behind it.
      if result == OP_HOLE { continue }
      guard result > 0 else { throw Self.failure("The recording", result) }
      let start = op_pcm_tell(file) - Int64(result)
      missingFrames = max(0, start - position)
      let known = Int(min(Int64(result), max(0, position - start)))
      staged = known..<Int(result)
      if missingFrames > 0 || !staged.isEmpty { return true }
    }
  }

  private func decoded() -> Int32 {
    if stagedIsFloat {
      let count = Int32(staging.count)
      return channels == 1
        ? op_read_float(file, staging.start, count, nil)
        : op_read_float_stereo(file, staging.start, count)
    }
    let count = Int32(Self.stagingFrames * 2)
    guard let start = staging.raw.baseAddress?.assumingMemoryBound(to: Int16.self) else { return 0 }
    return channels == 1
      ? op_read(file, start, count, nil) : op_read_stereo(file, start, count)
  }

  private static func failure(_ name: String, _ status: Int32) -> TapeError {
    switch status {
    case OP_EREAD: .system(.cannotRead, "\(name) cannot be read", errno: errno)
    case OP_EFAULT: TapeError(.outOfMemory, "There is no memory to open \(name).")
    case OP_ENOTFORMAT: TapeError(.notSound, "\(name) is not an Ogg Opus file.")
    case OP_EVERSION, OP_EIMPL:
      TapeError(.unsupported, "\(name) is a kind of Opus file that cannot be played.")
    default: TapeError(.damaged, "\(name) is damaged and cannot be played (libopusfile \(status)).")
    }
  }
}

/// Pages that libopusfile reads as a stream of bytes.
private final class PageSource {
  private var pages: JoinedPages<PosixFile>
  private var rest: ArraySlice<UInt8> = []

  init(_ pages: consuming JoinedPages<PosixFile>) { self.pages = pages }

  /// Belongs to libopusfile from now on, until it calls `close`.
  var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static var callbacks: OpusFileCallbacks {
    OpusFileCallbacks(
      read: { stream, bytes, count in
        guard let stream, let bytes, count > 0 else { return 0 }
        let source = Unmanaged<PageSource>.fromOpaque(stream).takeUnretainedValue()
        return source.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
      },
      seek: nil, tell: nil,
      close: { stream in
        stream.map { Unmanaged<PageSource>.fromOpaque($0).release() }
        return 0
      })
  }

  /// Returns the number of bytes, 0 at the end, or -1 with errno set.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    do throws(TapeError) {
      if rest.isEmpty, let page = try pages.next() { rest = page[...] }
    } catch {
      errno = error.errno
      return -1
    }
    let count = min(rest.count, buffer.count)
    buffer.copyBytes(from: rest.prefix(count))
    rest = rest.dropFirst(count)
    return Int32(count)
  }
}

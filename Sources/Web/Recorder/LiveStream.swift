// One browser that listens to the microphone. Loop's thread. What waits for it is bounded: of a
// browser that does not keep up, sound is dropped, so that what it hears is always new.
import Glibc

/// A piece of live sound, as browsers get it: samples of 16 bits, in network order.
struct LivePiece {
  /// When its first frame was heard, by the monotonic clock.
  let nanoseconds: Int64
  let bytes: [UInt8]
}

/// The sound for one browser.
final class LiveStream: BodySource {
  /// So much may wait, in milliseconds of sound.
  static let waitingMilliseconds = 300

  let id: Int
  let session: String
  let rate: Int
  var onReady: () -> Void = {}
  /// Called once when the browser is gone.
  var onEnd: () -> Void = {}
  /// Shared with other browsers: an array is copied only when it is changed.
  private var pieces: [LivePiece] = []
  private var waitingBytes = 0
  /// How many bytes of the first piece were sent.
  private var sent = 0
  private var sentBytes = 0
  /// Which frame of this stream was heard when: the first one of the piece that was begun last.
  private var anchor: (frame: Int, nanoseconds: Int64)?
  private var isEnding = false

  init(id: Int, session: String, rate: Int) {
    (self.id, self.session, self.rate) = (id, session, rate)
  }

  /// Adds a piece. If too much waits, all that was not begun is dropped.
  func add(_ piece: LivePiece) {
    if waitingBytes + piece.bytes.count > rate * 2 * Self.waitingMilliseconds / 1000 {
      pieces.removeSubrange((sent > 0 ? 1 : 0)...)
      waitingBytes = pieces.reduce(0) { $0 + $1.bytes.count } - sent
    }
    pieces.append(piece)
    waitingBytes += piece.bytes.count
    onReady()
  }

  /// Ends after what waits.
  func close() {
    isEnding = true
    onReady()
  }

  /// Returns the number that the frame will have in this stream which the microphone hears now; nil
  /// before the first.
  func frame(atNanoseconds now: Int64) -> Int? {
    guard let anchor else { return nil }
    return anchor.frame + Int(Double(now - anchor.nanoseconds) * Double(rate) / 1e9)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPart {
    var filled = 0
    while filled < buffer.count, let piece = pieces.first {
      if sent == 0 { anchor = (sentBytes / 2, piece.nanoseconds) }
      let count = min(buffer.count - filled, piece.bytes.count - sent)
      piece.bytes.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + count]))
      }
      (filled, sent) = (filled + count, sent + count)
      (sentBytes, waitingBytes) = (sentBytes + count, waitingBytes - count)
      if sent == piece.bytes.count {
        pieces.removeFirst()
        sent = 0
      }
    }
    if filled > 0 { return .bytes(filled) }
    return isEnding ? .end : .later
  }

  func end() {
    onEnd()
    onEnd = {}
  }
}

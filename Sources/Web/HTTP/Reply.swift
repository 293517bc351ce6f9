// An answer to a request, as a value: status, headers and where the body comes from. Made on the
// loop's thread. An open file in it is owned by it until the library takes it over.
import Glibc

/// What a client gets.
struct Reply {
  enum Body {
    case bytes([UInt8])
    case file(OwnedFile, offset: Int64, count: Int64)
    case stream(any BodySource)
  }

  var status: UInt32
  var headers: [(name: String, value: String)]
  var body: Body
  /// How much the kernel may keep that was not sent yet, for a body that has to be new.
  var unsentBytesMaximum: Int32?

  init(_ status: UInt32, type: String, _ body: Body) {
    self.status = status
    headers = [("Content-Type", type)]
    self.body = body
  }

  static func json(_ bytes: [UInt8], status: UInt32 = 200) -> Reply {
    var reply = Reply(status, type: "application/json", .bytes(bytes))
    reply.headers.append(("Cache-Control", "no-store"))
    return reply
  }

  /// An error with the sentence that its reader sees.
  static func failure(_ status: UInt32, _ sentence: String, code: String? = nil) -> Reply {
    json(WebJSON.error(code ?? Self.code(of: status), sentence), status: status)
  }

  private static func code(of status: UInt32) -> String {
    switch status {
    case 400: "badRequest"
    case 401: "noSession"
    case 403: "notPermitted"
    case 404: "notFound"
    case 405: "badMethod"
    case 413: "tooLong"
    case 415: "badType"
    case 416: "badRange"
    case 429: "wait"
    case 503: "away"
    default: "failed"
    }
  }
}

/// A body that is made while it is sent.
protocol BodySource: AnyObject {
  /// Called on the loop's thread whenever the client can take more; fills a part of the buffer.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPart
  /// Set by the exchange; the source calls it when it said `.later` and has something now.
  var onReady: () -> Void { get set }
  /// The client is gone, or has got all.
  func end()
}

enum BodyPart: Equatable {
  case bytes(Int)
  case later
  case end
  /// The connection is cut, so that the client sees that something is missing.
  case broken
}

/// An open file with its owner.
final class OwnedFile {
  private(set) var descriptor: Int32

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Gives the descriptor to a new owner.
  func release() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }
}

// What came of a transfer, as a value: how it ended, what the server said, and the hashes of what
// went and came. Target state machines read it; all in it was said by a server, and is bounded.
import Digest

/// The end of a transfer.
public struct TransferResult: Equatable, Sendable {
  public enum Ending: Equatable, Sendable {
    /// The server answered; of HTTP, with any status.
    case answered
    /// libcurl's code and words, and the errno of the system if there is one.
    case failed(code: Int32, words: String, errorNumber: Int32)
    /// The headers were larger than their limit.
    case headersTooLarge
    /// The body was larger than its limit.
    case bodyTooLarge
    /// The server sent the client elsewhere, or too often.
    case sentElsewhere(String)
    /// The source's bytes cannot be read, or the sink's written.
    case local(errorNumber: Int32)
    /// The transfer was stopped by the program.
    case stopped
  }

  public var ending: Ending
  /// Of HTTP; 0 if there was none.
  public var status = 0
  public var headers = ResponseHeaders()
  /// What `.collect` collected; of an error's page, its beginning.
  public var body: [UInt8] = []
  public var sent: ContentHashes?
  public var received: ContentHashes?
  /// Where an upload went on.
  public var resumedFrom: Int64 = 0
  /// When SFTP says that a file was changed; nil if there is none.
  public var changedSeconds: Int64?
  /// The wall clock's time at the end.
  public var endedAtSeconds: Int64 = 0
  /// The key of an SSH server that was not known before.
  public var newHostKey: HostKey?
  /// The key of an SSH server that is not the known one.
  public var wrongHostKey: HostKey?

  public init(_ ending: Ending) { self.ending = ending }

  /// What tells one version of the file from another. A time alone counts only when it has passed
  /// for a while: a second change in the same second would not show.
  var version: RemoteAnswer {
    if let tag = headers.entityTag, !tag.isEmpty {
      return .version(tag, changedSeconds: changedSeconds)
    }
    let isOld = changedSeconds.map { endedAtSeconds - $0 > 10 } ?? false
    let length = headers.contentLength.map { "-\($0)" } ?? ""
    return .version(
      isOld ? changedSeconds.map { "\($0)" + length } : nil, changedSeconds: changedSeconds)
  }
}

/// The few headers that are looked at.
public struct ResponseHeaders: Equatable, Sendable {
  public var contentLength: Int64?
  public var retryAfter: String?
  public var location: String?
  public var entityTag: String?

  /// Reads a line as it came; a line with another name is ignored. A status line begins anew, since
  /// an answer may follow another.
  mutating func read(_ line: UnsafeRawBufferPointer) {
    let text = String(decoding: line.prefix(2048), as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      self = ResponseHeaders()
      return
    }
    guard let colon = text.firstIndex(of: ":") else { return }
    let value = String(
      text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        .prefix { !$0.isNewline })
    switch text[..<colon].lowercased() {
    case "content-length": contentLength = Int64(value).flatMap { $0 < 0 ? nil : $0 }
    case "retry-after": retryAfter = value
    case "location": location = value
    case "etag": entityTag = value
    default: return
    }
  }
}

/// A public key of an SSH server.
public struct HostKey: Equatable, Sendable {
  /// Such as `ssh-ed25519`.
  public let kind: String
  /// In base64.
  public let key: String
  /// As `ssh-keygen -l` shows it: `SHA256:…`.
  public let fingerprint: String

  init(kind: String, bytes: [UInt8]) {
    self.kind = kind
    key = Base64.encode(bytes)
    var hash = SHA256()
    hash.update(bytes)
    let sum = hash.sum
    let sumBytes = [sum.first, sum.second, sum.third, sum.fourth].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
    }
    fingerprint = "SHA256:" + Base64.encode(sumBytes).prefix { $0 != "=" }
  }

  /// Returns the line of a `known_hosts` file.
  public func line(host: String, port: Int) -> String {
    (port == 22 ? host : "[\(host)]:\(port)") + " \(kind) \(key)\n"
  }
}

/// Base64 of RFC 4648.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= 8 * UInt32(3 - group.count)
      for place in 0..<4 {
        let digit = digits[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
        result.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

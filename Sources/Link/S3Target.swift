// S3, at any endpoint: one PUT for each object, which appears whole or not at all, and never
// replaces one (`If-None-Match: *`; servers that ignore it are asked with HEAD before). libcurl
// signs with version 4; the hash of the payload is known before. Pure.
import Digest

/// A bucket of S3.
public struct S3Target: Target, Equatable {
  /// Whether the bucket is in the path or in the host's name.
  public enum Style: String, Sendable, CaseIterable { case path, host }

  public let server: ServerSettings
  public let bucket: String
  public let style: Style
  /// S3 wants at least 5 MiB.
  public var pieceBytes: Int64 = 8 << 20
  public var name: String { server.name }

  public init(_ server: ServerSettings, bucket: String, style: Style) {
    self.server = server
    self.bucket = bucket
    self.style = style
  }

  public var traits: TargetTraits {
    var traits = TargetTraits()
    traits.hasParts = false
    traits.moves = false
    traits.replacesByVersion = true
    traits.signsContent = true
    traits.pieceBytes = pieceBytes
    return traits
  }

  func address(_ name: RemoteName) -> String {
    let url = server.url
    let base =
      switch style {
      case .path: url.origin + url.path + "/" + bucket
      case .host:
        "\(url.scheme)://\(bucket)."
          + url.origin.dropFirst(url.scheme.utf8.count + 3) + url.path
      }
    return base + "/" + name.encoded
  }

  static let emptyHash = SHA256().sum

  /// Without a hash the signature covers the headers only, which TLS allows.
  func hashHeader(_ hash: SHA256.Sum?) -> String {
    "x-amz-content-sha256: " + (hash.map { "\($0)" } ?? "UNSIGNED-PAYLOAD")
  }

  /// The parameters are in the order of their names, as they are signed.
  private func listing(_ folder: RemoteName, after last: String?) -> TransferRequest {
    let prefix = "\(folder)/"
    let bucket = address(folder).dropLast(folder.encoded.utf8.count)
    let start = last.map { "&start-after=" + RemoteName.encode(prefix + $0) } ?? ""
    let query = "?encoding-type=url&list-type=2&prefix=\(RemoteName.encode(prefix))" + start
    return server.request(
      .get, bucket + query, headers: [hashHeader(Self.emptyHash)],
      sink: .collect(atMost: RemoteListing.bytesMaximum))
  }

  public func request(for operation: RemoteOperation) -> TargetRequest {
    let empty = [hashHeader(Self.emptyHash)]
    if let reading = server.reading(operation, address, headers: empty) {
      return .transfer(reading)
    }
    switch operation {
    case .probe(let name), .version(let name):
      return .transfer(server.request(.head, address(name), headers: empty))
    case .list(let folder, let last):
      return .transfer(listing(folder, after: last))
    // Folders are only a part of the names.
    case .makeFolder: return .answer(.done)
    case .send(let name, let content, _):
      return .transfer(
        server.request(
          .put(.source(length: content.hashes.length, resumes: false)), address(name),
          headers: [
            hashHeader(content.whole), "If-None-Match: *",
            "Content-Type: application/octet-stream",
          ], soundFrom: content.soundFrom))
    case .replace(let name, let content, let version):
      return .transfer(
        server.request(
          .put(.source(length: content.hashes.length, resumes: false)), address(name),
          headers: [
            hashHeader(content.whole), "If-Match: \(version)", "Content-Type: application/json",
          ]))
    case .duplicate(let old, let new), .move(let old, let new):
      let source = "x-amz-copy-source: /\(bucket)/\(old.encoded)"
      return .transfer(
        server.request(
          .put(.bytes([])), address(new), headers: empty + [source],
          sink: .collect(atMost: 64 << 10)))
    case .remove(let name):
      return .transfer(server.request(.plain("DELETE"), address(name), headers: empty))
    case .pieces(let name, let content, let pieces, let step):
      return .transfer(request(name, content, pieces, step))
    case .read, .fetch: return .answer(.failed(.unexpected("read")))
    }
  }

  public func answer(to operation: RemoteOperation, _ result: TransferResult) -> RemoteAnswer {
    if let failure = result.failure(at: server) { return failure }
    let code = S3ErrorCode(result.body)
    switch (operation, result.status) {
    case (_, 404) where code == .noSuchBucket: return .failed(.noBucket(bucket, at: server))
    case (.pieces(let name, _, _, let step), _): return answer(name, step, result)
    case (.version, 200): return result.version
    case (.version, 404): return .absent
    case (.replace, 200): return .sent(result.sent, resumedFrom: 0)
    case (.replace, 404): return .absent
    case (.replace, 409), (.replace, 412): return .taken
    case (.list, 200): return RemoteListing.s3(result.body)
    case (.probe, 200): return .present(result.headers.contentLength)
    case (.probe, 404), (.read, 404), (.fetch, 404), (.duplicate, 404), (.remove, 404):
      return .absent
    case (.send, 412): return .taken
    // Another upload of that name is under way, or was cut just now.
    case (.send, 409): return .failed(.busy(result, at: server, scope: .recording))
    case (.send, 200), (.send, 201), (.send, 204): return .sent(result.sent, resumedFrom: 0)
    case (.read, 200), (.fetch, 200): return result.hashed
    // A copy may fail after the status was sent; then an error is in the body.
    case (.duplicate, 200) where code == nil: return .done
    case (.remove, 200), (.remove, 204): return .done
    default: return failure(result)
    }
  }

  /// Returns what a status means that an operation has no use for.
  func failure(_ result: TransferResult) -> RemoteAnswer {
    switch S3ErrorCode(result.body) {
    case .wrongClock: .failed(.wrongClock(at: server))
    case .busy: .failed(.busy(result, at: server, scope: .target))
    default: .failed(.status(result, at: server))
    }
  }
}

/// The codes of S3's errors that need words of their own.
enum S3ErrorCode: Equatable {
  case noSuchBucket, wrongClock, busy, other

  /// Nil if the body is no error.
  init?(_ body: [UInt8]) {
    let text = String(decoding: body.prefix(4096), as: UTF8.self)
    guard let start = text.firstRange(of: "<Code>") else { return nil }
    switch text[start.upperBound...].prefix(while: { $0 != "<" }) {
    case "NoSuchBucket": self = .noSuchBucket
    case "RequestTimeTooSkewed": self = .wrongClock
    case "SlowDown", "ServiceUnavailable", "TooManyRequests": self = .busy
    default: self = .other
    }
  }
}

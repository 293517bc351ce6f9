// S3's uploads in pieces (multipart uploads): the requests, and what comes back. The parameters of
// an address are in the order of their names, as they are signed; one without a value has a "=",
// since older releases of libcurl sign it as it is written. Pure.
import Digest

extension S3Target {
  func request(
    _ name: RemoteName, _ content: Content, _ pieces: Pieces, _ operation: PieceOperation
  ) -> TransferRequest {
    let empty = [hashHeader(Self.emptyHash)]
    let place = address(name)
    let list = TransferSink.collect(atMost: RemoteListing.bytesMaximum)
    switch operation {
    case .find:
      let bucket = place.dropLast(name.encoded.utf8.count)
      let prefix = RemoteName.encode(name.description)
      return server.request(
        .get, bucket + "?encoding-type=url&prefix=\(prefix)&uploads=", headers: empty, sink: list)
    case .list(let upload, let last):
      let id = RemoteName.encode(upload)
      return server.request(
        .get, place + "?part-number-marker=\(last)&uploadId=\(id)", headers: empty, sink: list)
    case .begin:
      return server.request(
        .post([]), place + "?uploads=",
        headers: empty + ["Content-Type: application/octet-stream"],
        sink: .collect(atMost: 64 << 10))
    case .send(let upload, let number):
      let (offset, length) = pieces.place(of: number)
      let id = RemoteName.encode(upload)
      return server.request(
        .put(.piece(offset: offset, length: length)),
        place + "?partNumber=\(number)&uploadId=\(id)",
        headers: [
          hashHeader(pieces.sums[number - 1]), "Content-Type: application/octet-stream",
        ])
    case .finish(let upload, let tags):
      let list = Array(Self.list(of: tags).utf8)
      var hash = SHA256()
      hash.update(list)
      return server.request(
        .post(list), place + "?uploadId=" + RemoteName.encode(upload),
        headers: [hashHeader(hash.sum), "If-None-Match: *", "Content-Type: application/xml"],
        sink: .collect(atMost: 64 << 10))
    case .abandon(let upload):
      return server.request(
        .plain("DELETE"), place + "?uploadId=" + RemoteName.encode(upload), headers: empty)
    }
  }

  func answer(
    _ name: RemoteName, _ operation: PieceOperation, _ result: TransferResult
  ) -> RemoteAnswer {
    switch (operation, result.status) {
    case (.find, 200): return RemoteListing.s3Upload(of: name, in: result.body)
    case (.list, 200): return RemoteListing.s3Pieces(result.body)
    case (.begin, 200):
      return RemoteListing.s3UploadBegun(result.body)
    case (.send, 200): return .piece(result.headers.entityTag ?? "", result.sent?.sound)
    // An error may come after the status was sent; then it is in the body.
    case (.finish, 200) where S3ErrorCode(result.body) == nil: return .done
    case (.finish, 200), (.finish, 400): return .failed(.unfinished(at: server))
    case (.finish, 412): return .taken
    case (.list, 404), (.abandon, 404): return .absent
    case (.abandon, 200), (.abandon, 204): return .done
    case (.finish, 409): return .failed(.busy(result, at: server, scope: .recording))
    default: return failure(result)
    }
  }

  private static func list(of tags: [String]) -> String {
    let parts = tags.enumerated().map { index, tag in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(RemoteListing.escaped(tag))</ETag></Part>"
    }
    return "<CompleteMultipartUpload>" + parts.joined() + "</CompleteMultipartUpload>"
  }
}

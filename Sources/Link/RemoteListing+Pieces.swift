// What servers say of uploads in pieces, taken out of their XML. As of names: only a few elements
// are looked for, and the result is bounded. Pure.

extension RemoteListing {
  /// A longer identity, or a longer tag, is none.
  private static let wordBytesMaximum = 1024

  /// Of an answer to S3's ListMultipartUploads: the last one begun for that name.
  static func s3Upload(of name: RemoteName, in body: [UInt8]) -> RemoteAnswer {
    var (isOurs, id, found) = (false, String?.none, String?.none)
    for (element, text) in elements(["Upload", "Key", "UploadId"], in: body) {
      switch element {
      case "Upload": (isOurs, id) = (false, nil)
      case "Key":
        // Some servers encode it, some as in forms, and some do not.
        let readings = [text, PercentDecoding.decode(text)]
        isOurs = (readings + [PercentDecoding.decode(text.replacing("+", with: "%20"))])
          .contains(name.description)
      default: id = isWord(text) ? text : nil
      }
      if isOurs, let id { found = id }
    }
    return found.map { .upload($0) } ?? .absent
  }

  /// Of an answer to S3's CreateMultipartUpload.
  static func s3UploadBegun(_ body: [UInt8]) -> RemoteAnswer {
    guard let id = elements(["UploadId"], in: body).first?.text, isWord(id) else {
      return .failed(.unexpected("send"))
    }
    return .upload(id)
  }

  /// Of an answer to S3's ListParts.
  static func s3Pieces(_ body: [UInt8]) -> RemoteAnswer {
    var pieces: [RemotePiece] = []
    var (number, tag, hasMore) = (Int?.none, String?.none, false)
    let wanted: Set = ["PartNumber", "ETag", "Size", "IsTruncated", "Part"]
    var length: Int64?
    for (element, text) in elements(wanted, in: body) {
      switch element {
      case "Part": (number, tag, length) = (nil, nil, nil)
      case "PartNumber": number = Int(text)
      case "ETag": tag = isWord(text) ? text : nil
      case "Size": length = Int64(text)
      default: hasMore = hasMore || text == "true"
      }
      if let whole = number, let name = tag, let bytes = length {
        pieces.append(RemotePiece(number: whole, length: bytes, tag: name))
        (number, tag, length) = (nil, nil, nil)
      }
    }
    return .pieces(pieces, next: hasMore ? pieces.last?.number : nil)
  }

  /// Of an answer to PROPFIND of a folder of Nextcloud's uploads.
  static func nextcloudPieces(_ body: [UInt8]) -> RemoteAnswer {
    var pieces: [RemotePiece] = []
    var number: Int?
    for (element, text) in elements(["href", "getcontentlength"], in: body) {
      if element == "href" {
        number = text.split(separator: "/").last.flatMap { Int($0) }
      } else if let piece = number, let length = Int64(text) {
        pieces.append(RemotePiece(number: piece, length: length, tag: ""))
        number = nil
      }
    }
    return .pieces(pieces, next: nil)
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= wordBytesMaximum
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// For a text in an element.
  static func escaped(_ text: String) -> String {
    [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

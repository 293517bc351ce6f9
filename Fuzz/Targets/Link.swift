// What reel-link reads: its configuration, the texts beside copies that people and programs edit,
// and what servers answer. Whatever it is, it is understood or refused with a sentence; texts that
// were read are written and read again as the same; no answer makes a name that is none.

import Digest
import JSON

@testable import Link

extension FuzzTarget {
  static let link = FuzzTarget(
    name: "link", limitBytes: 8192,
    seeds: {
      let texts =
        #"{"title":"Küche","folder":"/May","notes":"a\nb","heard":true,"marks":["#
        + #"{"at":1.5,"name":"x","frame":72000},{"at":2}],"id":"62e2","files":[{"file":"a.opus","#
        + #""track":"main","sizeBytes":9,"sha256":"00","soundFrom":4}],"deleted":false}"#
      let configuration =
        #"{targets:[{name:"nas",kind:"sftp",url:"sftp://nas.lan/~/r",user:"u","#
        + #"credential:"nas",folders:["/May"],hours:["22:00-06:00"],bandwidth:"1 MB/s","#
        + #"rereadDays:9,texts:false}],heartbeat:{url:"https://ping.example/x",every:300}}"#
      let list =
        "<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>texts/0041-a.json"
        + "</Key></Contents></ListBucketResult>"
      let found =
        "<D:multistatus xmlns:D=\"DAV:\"><D:response><D:href>/dav/texts/0041%2Da.json"
        + "</D:href></D:response></D:multistatus>"
      let answer =
        "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nETag: \"1\"\r\nContent-Length: 9\r\n"
        + "\r\n<Error><Code>SlowDown</Code></Error>"
      return [
        [0] + Array(configuration.utf8), [1] + Array(texts.utf8), [2] + Array(list.utf8),
        [2] + Array(found.utf8), [2] + Array("a.json\r\n..\nb\n".utf8), [3] + Array(answer.utf8),
      ]
    }, run: check)

  private static func check(_ bytes: [UInt8]) throws {
    let rest = Array(bytes.dropFirst())
    switch bytes.first.map({ $0 % 4 }) {
    case 0: try checkConfiguration(rest)
    case 1: try checkTexts(rest)
    case 2: try checkListing(rest)
    case 3: try checkAnswers(rest)
    default: break
    }
  }

  private static func checkConfiguration(_ text: [UInt8]) throws {
    switch LinkConfigurationReader.read(text, file: "link.json") {
    case .good(let configuration):
      for target in configuration.targets {
        try prove(target.prefix.allSatisfy(RemoteName.isGood), "a prefix that is none")
        try prove(!target.name.isEmpty, "a target without a name")
      }
    case .wrong(let mistakes):
      try prove(!mistakes.isEmpty, "refused without a word")
      for mistake in mistakes { try proveReadable(mistake.description) }
    }
  }

  private static func checkTexts(_ text: [UInt8]) throws {
    let name = try SidecarName(of: "62e2", number: 41, below: [], recorder: "00")
    let read: Sidecar
    do throws(LinkError) {
      read = try Sidecar(text, here: Texts(), rate: 48_000, of: name.file)
    } catch { return try proveReadable(error.sentence) }
    let facts = SidecarFacts(
      id: read.id, number: 41, began: nil, lengthMilliseconds: 0, rate: 48_000,
      integrity: Array("{}".utf8))
    let written = try Sidecar.bytes(read.texts, facts, files: read.files)
    let again = try Sidecar(written, here: Texts(), rate: 48_000, of: name.file)
    try prove(again == read, "what is written reads as other texts")
    try checkMerge(read.texts)
  }

  /// What both sides have after a merge is merged no further.
  private static func checkMerge(_ there: Texts) throws {
    var here = Texts()
    (here.title, here.notes, here.marks) = ("Kitchen", "Kept.", [0: "begin"])
    for base in [nil, TextsBase(here), TextsBase(there)] {
      func sides(_ here: Texts, _ there: Texts, _ base: TextsBase?) -> TextsMerge.Sides {
        TextsMerge.Sides(
          here: here, there: there, base: base, isThereNewer: true, heading: "nas 10:04")
      }
      let merged = TextsMerge(sides(here, there, base)).texts
      let again = TextsMerge(sides(merged, merged, TextsBase(merged)))
      try prove(again.texts == merged && again.conflicts.isEmpty, "a merge that does not end")
    }
  }

  private static func checkListing(_ body: [UInt8]) throws {
    let answers = [RemoteListing.s3(body), RemoteListing.webDAV(body), RemoteListing.lines(body)]
    for case .names(let names, _) in answers {
      try prove(names.allSatisfy(RemoteName.isGood), "a name that is none")
    }
    try checkPieces(body)
  }

  /// Whatever a server lists of an upload, the upload comes to an end.
  private static func checkPieces(_ body: [UInt8]) throws {
    let name = try RemoteName(["a", "b.opus"])
    var hasher = PieceHasher(pieceBytes: 5)
    body.prefix(20).withUnsafeBytes { hasher.append($0) }
    let pieces = hasher.pieces()
    let hashes = ContentHashes(header: SHA256().sum, sound: SHA256().sum, length: pieces.length)
    let content = Content(hashes: hashes, soundFrom: 0, pieces: pieces)
    guard pieces.count > 0 else { return }
    var upload = PiecesUpload(content, pieces, to: name, resumes: true)
    var answer: RemoteAnswer?
    for _ in 0..<50 {
      guard case .perform(.pieces(_, _, _, let step)) = upload.next(answer) else { return }
      answer =
        switch step {
        case .find: RemoteListing.s3Upload(of: name, in: body)
        case .begin: RemoteListing.s3UploadBegun(body)
        case .list: RemoteListing.s3Pieces(body)
        case .send(_, let number): .piece("t", pieces.sums[number - 1])
        case .finish, .abandon: .done
        }
    }
    try prove(false, "an upload that does not end")
  }

  private static func checkAnswers(_ text: [UInt8]) throws {
    var result = TransferResult(.answered)
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    for line in lines.prefix(20) { Array(line).withUnsafeBytes { result.headers.read($0) } }
    result.status = 200 + Int(text.last ?? 0) % 400
    result.body = text
    guard let url = ServerURL("https://cloud.example/dav") else { return }
    let server = ServerSettings(
      name: "cloud", url: url, access: ServerAccess(), limits: TransferLimits())
    let name = try RemoteName(["a", "b.opus"])
    let operations: [RemoteOperation] = [
      .probe(name), .version(name), .list(name, after: nil), .makeFolder(name), .remove(name),
      .move(name, to: name), .duplicate(name, to: name),
    ]
    let targets: [any Target] = [
      WebDAVTarget(server), SFTPTarget(server), S3Target(server, bucket: "b", style: .path),
    ]
    for target in targets {
      for operation in operations {
        guard case .failed(let error) = target.answer(to: operation, result) else { continue }
        try proveReadable(error.sentence)
        try prove((error.retryAfterSeconds ?? 0) >= 0, "a delay that is none")
      }
    }
  }
}

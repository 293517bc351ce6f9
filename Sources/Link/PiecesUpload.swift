// An upload in pieces as a state machine, for targets that put pieces together: S3's multipart
// uploads, and the chunks of Nextcloud. It goes on with an upload that was cut, and sends only the
// pieces that the server lacks. Pieces from before are not believed: the whole file is read back
// later, like any other. Pure.
import Digest

/// Sends one file in pieces; its outcome is the answer to one upload.
struct PiecesUpload: RemoteMachine, Equatable, Sendable {
  private enum Stage: Equatable {
    case start, finding, beginning
    case listing(String)
    case sending(String, Int)
    case finishing(String)
    /// The earlier upload is abandoned, and a new one begins.
    case clearing
    case abandoning(RemoteAnswer)
  }

  private let name: RemoteName
  private let content: Content
  private let pieces: Pieces
  private let resumes: Bool
  private var stage = Stage.start
  private var found: [Int: RemotePiece] = [:]
  private var tags: [Int: String] = [:]
  private var resumedBytes: Int64 = 0
  /// Whether the server has no uploads in pieces.
  private(set) var isRefused = false

  /// - Parameter resumes: false if what an earlier upload left may be damaged.
  init(_ content: Content, _ pieces: Pieces, to name: RemoteName, resumes: Bool) {
    (self.name, self.content, self.pieces, self.resumes) = (name, content, pieces, resumes)
  }

  mutating func next(_ answer: RemoteAnswer?) -> RemoteStep<RemoteAnswer> {
    guard let answer else { return perform(.find, .finding) }
    switch (stage, answer) {
    case (.finding, .upload(let upload)):
      return resumes
        ? perform(.list(upload: upload, after: 0), .listing(upload))
        : perform(.abandon(upload: upload), .clearing)
    case (.finding, .absent), (.listing, .absent), (.clearing, .done), (.clearing, .absent):
      return begin()
    // To look for uploads is a right of its own.
    case (.finding, .failed(let error)) where Self.isRefusal(error): return begin()
    case (.listing(let upload), .pieces(let pieces, let next)):
      return note(pieces, of: upload, next)
    case (.beginning, .upload(let upload)): return sendNext(upload)
    case (.beginning, .failed(let error)):
      isRefused = Self.isRefusal(error)
      return .end(answer)
    case (.sending(let upload, let number), .piece(let tag, let sum)):
      return note(tag, sum, of: upload, number)
    case (.finishing, .done):
      let hashes = resumedBytes == 0 ? content.hashes : nil
      return .end(.sent(hashes, resumedFrom: resumedBytes))
    case (.finishing(let upload), .taken): return abandon(upload, answer)
    // The pieces do not fit: the next upload begins anew.
    case (.finishing(let upload), .failed(let error))
    where [.server, .name, .configuration].contains(error.code):
      return abandon(upload, answer)
    case (.abandoning(let outcome), _): return .end(outcome)
    case (_, .failed), (.finishing, .folderMissing): return .end(answer)
    default: return .end(.failed(.unexpected("send")))
    }
  }

  private static func isRefusal(_ error: LinkError) -> Bool {
    [400, 403, 404, 405, 501].contains(error.number)
  }

  private mutating func perform(
    _ operation: PieceOperation, _ stage: Stage
  ) -> RemoteStep<RemoteAnswer> {
    self.stage = stage
    return .perform(.pieces(name, content, pieces, operation))
  }

  private mutating func begin() -> RemoteStep<RemoteAnswer> { perform(.begin, .beginning) }

  private mutating func abandon(
    _ upload: String, _ outcome: RemoteAnswer
  ) -> RemoteStep<RemoteAnswer> {
    perform(.abandon(upload: upload), .abandoning(outcome))
  }

  private mutating func note(
    _ list: [RemotePiece], of upload: String, _ next: Int?
  ) -> RemoteStep<RemoteAnswer> {
    let before = found.count
    for piece in list where (1...pieces.count).contains(piece.number) {
      found[piece.number] = piece
    }
    // A server that lists the same pieces again and again is not asked again.
    if let next, found.count > before, found.count < pieces.count {
      return perform(.list(upload: upload, after: next), .listing(upload))
    }
    for piece in found.values where piece.length == pieces.place(of: piece.number).length {
      tags[piece.number] = piece.tag
      resumedBytes += piece.length
    }
    return sendNext(upload)
  }

  private mutating func note(
    _ tag: String, _ sum: SHA256.Sum?, of upload: String, _ number: Int
  ) -> RemoteStep<RemoteAnswer> {
    if sum != pieces.sums[number - 1] { return abandon(upload, .failed(.sourceChanged)) }
    tags[number] = tag
    return sendNext(upload)
  }

  private mutating func sendNext(_ upload: String) -> RemoteStep<RemoteAnswer> {
    if let number = (1...pieces.count).first(where: { tags[$0] == nil }) {
      return perform(.send(upload: upload, number: number), .sending(upload, number))
    }
    let all = (1...pieces.count).map { tags[$0] ?? "" }
    return perform(.finish(upload: upload, tags: all), .finishing(upload))
  }
}

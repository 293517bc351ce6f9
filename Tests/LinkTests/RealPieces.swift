// A file in pieces at a real server of S3: each step by itself, then a copy that goes on with what
// an earlier upload left. For RealServerTests.
import Testing

@testable import Link

extension LinkTests.RealServerTests {
  /// Copies a file in pieces, after a first piece that an earlier upload left.
  func exercisePieces(_ target: S3Target, _ engine: TransferEngine) throws {
    var target = target
    target.pieceBytes = 5 << 20
    let mebibyte = LinkBench.bytes(1 << 20, seed: 3)
    let large = [[UInt8]](repeating: mebibyte, count: 6).flatMap { $0 }
    let request = try bench.request(large, "Pieces", "ä + b.opus")
    var hasher = PieceHasher(pieceBytes: target.pieceBytes)
    large.withUnsafeBytes { hasher.append($0) }
    let (content, pieces) = (LinkBench.content(of: large), hasher.pieces())
    func ask(_ step: PieceOperation) throws -> RemoteAnswer {
      let operation = RemoteOperation.pieces(request.name, content, pieces, step)
      guard case .transfer(let transfer) = target.request(for: operation) else {
        return .failed(.unexpected("send"))
      }
      var result: TransferResult?
      try engine.start(transfer, file: request.file) { result = $0 }
      return target.answer(to: operation, try bench.wait { result })
    }
    guard case .upload(let upload) = try ask(.begin) else {
      Issue.record("an upload in pieces does not begin")
      return
    }
    guard case .piece(let tag, _) = try ask(.send(upload: upload, number: 1)) else {
      Issue.record("a piece is not taken")
      return
    }
    #expect(try ask(.find) == .upload(upload))
    let kept = RemotePiece(number: 1, length: 5 << 20, tag: tag)
    #expect(try ask(.list(upload: upload, after: 0)) == .pieces([kept], next: nil))
    #expect(try bench.copy(request, to: target).receipt?.wasThere == false)
    #expect(try ask(.find) == .absent)
    #expect(try bench.copy(request, to: target).receipt?.wasThere == true)
  }
}

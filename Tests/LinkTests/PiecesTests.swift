// Uploads in pieces: they go on where they were cut, nothing is sent twice, and what a server says
// of its pieces is not believed. S3's and Nextcloud's, by the server that lies.
import Digest
import Testing

@testable import Link

extension LinkTests {
  @Suite struct PiecesTests {
    private let bench: LinkBench
    private let liar: Liar
    private let bytes = LinkBench.bytes(3500)

    init() throws {
      bench = try LinkBench()
      // Its own: what is sent is counted.
      liar = try Liar()
    }

    static let kinds = ["s3", "nextcloud"]

    private func target(_ kind: String, _ fault: String) throws -> any Target {
      if kind == "s3" {
        var target = try liar.s3(fault)
        target.pieceBytes = 1000
        return target
      }
      var target = try liar.webDAV("\(fault)/remote.php/dav/files/reel/box")
      target.pieceBytes = 1000
      return target
    }

    private func copy(
      _ kind: String, _ fault: String, _ bytes: [UInt8]? = nil
    ) throws -> CopyOutcome {
      try bench.copy(
        try bench.request(bytes ?? self.bytes, "Kitchen.opus"), to: try target(kind, fault))
    }

    private func sent(_ number: Int, _ fault: String) throws -> Int {
      let counts = try liar.counts(bench)
      guard let place = counts.firstRange(of: "('piece \(number)', '\(fault)', ") else { return 0 }
      return Int(counts[place.upperBound...].prefix { $0.isNumber }) ?? 0
    }

    @Test("a large file is sent in pieces, put together, and read back", arguments: kinds)
    func whole(kind: String) throws {
      let receipt = try #require(try copy(kind, "good").receipt)
      #expect(!receipt.wasThere && receipt.hashes == LinkBench.content(of: bytes).hashes)
      for number in 1...4 { #expect(try sent(number, "good") == 1) }
      #expect(try copy(kind, "good").receipt?.wasThere == true)
      #expect(try copy(kind, "good", Array(bytes.prefix(1000))).receipt?.wasThere == false)
      #expect(try sent(1, "good") == 1, "a small file was sent in pieces")
      #expect(try liar.uploads(bench).isEmpty)
    }

    @Test("an upload that was cut goes on with the piece that was cut", arguments: kinds)
    func resumed(kind: String) throws {
      let error = try #require(try copy(kind, "cut-pieces").error)
      #expect(error.code == .network)
      expectRetried(error)
      #expect(try copy(kind, "cut-pieces").receipt?.wasThere == false)
      let counts = try liar.counts(bench)
      #expect(try sent(1, "cut-pieces") == 1 && sent(2, "cut-pieces") == 1, "\(counts)")
      #expect(try sent(3, "cut-pieces") == 2 && sent(4, "cut-pieces") == 1)
      #expect(try liar.uploads(bench).isEmpty)
    }

    @Test("pieces that are damaged at the server are found, and all is sent anew", arguments: kinds)
    func damaged(kind: String) throws {
      #expect(try copy(kind, "damaged-pieces").error?.code == .network)
      // when the next copy goes on with these pieces, the file that is read back is wrong
      let receipt = try #require(try copy(kind, "damaged-pieces").receipt)
      // then it was sent from its beginning
      #expect(receipt.hashes == LinkBench.content(of: bytes).hashes)
      #expect(try sent(1, "damaged-pieces") == 2 && sent(2, "damaged-pieces") == 2)
      #expect(try liar.uploads(bench).isEmpty)
    }

    @Test(
      "a server without pieces, without a right to look for them, or with nonsense about them",
      arguments: ["no-pieces", "find-403", "list-lies"])
    func refused(fault: String) throws {
      #expect(try copy("s3", fault).receipt?.wasThere == false)
    }

    @Test(
      "lies about pieces make no copy verified",
      arguments: [
        ("finish-error", "server"), ("nameless", "server"), ("half", "mismatch"),
        ("POST-500", "server"), ("POST-429", "busy"), ("PUT-500", "server"), ("hang", "network"),
        ("swallow-pieces", "server"),
      ])
    func lies(fault: String, code: String) throws {
      let error = try #require(try copy("s3", fault).error)
      #expect(error.code.rawValue == code, "\(error)")
      expectRetried(error)
    }

    @Test("an end whose answer is lost is found by the next job, and nothing is sent twice")
    func lostEnd() throws {
      let receipt = try #require(
        try copy("s3", "lost-post").receipt ?? copy("s3", "lost-post").receipt)
      #expect(receipt.wasThere)
      #expect(try sent(4, "lost-post") == 1)
    }

    @Test("a name that is taken only when the pieces are put together gets a number")
    func taken() throws {
      let other = LinkBench.bytes(3500, seed: 2)
      #expect(try copy("s3", "blind", other).receipt?.name.file == "Kitchen.opus")
      #expect(try copy("s3", "blind").receipt?.name.file == "Kitchen (2).opus")
      #expect(try liar.uploads(bench).isEmpty)
    }

    @Test("pieces are of one size, the last one shorter, and never too many")
    func places() throws {
      #expect(Pieces.pieceBytes(of: 100, atLeast: 30) == 30)
      #expect(Pieces.pieceBytes(of: 9_000_001, atLeast: 30) == 1001)
      for length in [1, 999, 1000, 1001, 3000, 3500] {
        let bytes = LinkBench.bytes(length)
        var hasher = PieceHasher(pieceBytes: 1000)
        // In parts that are not those of the pieces.
        for start in stride(from: 0, to: length, by: 700) {
          bytes[start..<min(length, start + 700)].withUnsafeBytes { hasher.append($0) }
        }
        let pieces = hasher.pieces()
        #expect(pieces.length == Int64(length) && pieces.count == (length + 999) / 1000)
        for number in 1...pieces.count {
          let (offset, count) = pieces.place(of: number)
          var sum = SHA256()
          sum.update(Array(bytes[Int(offset)..<Int(offset + count)]))
          #expect(pieces.sums[number - 1] == sum.sum)
        }
      }
    }

    @Test("the uploads of Nextcloud belong to the user of its files; other servers have none")
    func nextcloud() throws {
      for (url, isNextcloud) in [
        ("https://c.example/remote.php/dav/files/reel/box", true),
        ("https://c.example/sub/remote.php/dav/files/reel", true),
        ("https://c.example/remote.php/dav/files", false), ("https://c.example/dav", false),
      ] {
        let traits = WebDAVTarget(try settings(url)).traits
        #expect((traits.pieceBytes != nil) == isNextcloud, "\(url)")
      }
    }
  }
}

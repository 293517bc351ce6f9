// The state machines against a model of a server that loses answers, cuts uploads, damages bytes
// and is used by another program, while the box crashes between any two steps. Whatever happens: a
// copy that is called verified is there and whole, nothing of another's is touched, and in the end
// there is one copy. No server, no loop.
import Digest
import Testing

@testable import Link

/// Files at a server, in memory, with faults.
private struct ModelServer {
  var files: [String: [UInt8]] = [:]
  var uploads: [String: [Int: [UInt8]]] = [:]
  var random: SplitMix
  let traits: TargetTraits
  let content: [UInt8]
  /// Faults end after so many operations, so that every history ends.
  var faultsLeft = 12

  init(_ random: SplitMix, _ traits: TargetTraits, _ content: [UInt8]) {
    self.random = random
    self.traits = traits
    self.content = content
  }

  private static let lost = LinkError(.network, .recording, "The connection broke.")

  private mutating func fault() -> Int? {
    guard faultsLeft > 0, random.below(3) == 0 else { return nil }
    faultsLeft -= 1
    return random.below(4)
  }

  mutating func perform(_ operation: RemoteOperation) -> RemoteAnswer {
    let fault = fault()
    // The request is lost.
    if fault == 0 { return .failed(Self.lost) }
    let answer = answer(operation, isDamaged: fault == 1)
    // The answer is lost.
    return fault == 2 ? .failed(Self.lost) : answer
  }

  private mutating func answer(_ operation: RemoteOperation, isDamaged: Bool) -> RemoteAnswer {
    switch operation {
    case .probe(let name):
      guard let bytes = files["\(name)"] else { return .absent }
      if isDamaged { return .present(Int64(bytes.count + 1 + random.below(1000))) }
      return .present(random.below(2) == 0 ? Int64(bytes.count) : nil)
    case .makeFolder: return .done
    // Only of texts.
    case .list, .version, .replace: return .failed(Self.lost)
    case .send(let name, _, let resumes): return send("\(name)", resumes: resumes, isDamaged)
    case .move(let old, let new), .duplicate(let old, let new):
      guard let bytes = files["\(old)"] else { return .absent }
      if files["\(new)"] != nil {
        return traits.moveIsVague ? .failed(Self.lost) : .taken
      }
      files["\(new)"] = bytes
      if traits.moves { files["\(old)"] = nil }
      return .done
    case .read(let name, _), .fetch(let name, _, _):
      guard var bytes = files["\(name)"] else { return .absent }
      // Never twice in the same way: then two copies would be right.
      if isDamaged { bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255)) }
      return .hashed(LinkBench.content(of: bytes).hashes)
    case .pieces(let name, _, let pieces, let step):
      return answer("\(name)", pieces, step, isDamaged)
    case .remove(let name): return files.removeValue(forKey: "\(name)") == nil ? .absent : .done
    }
  }

  private mutating func answer(
    _ name: String, _ pieces: Pieces, _ step: PieceOperation, _ isDamaged: Bool
  ) -> RemoteAnswer {
    if step == .begin { uploads[name] = [:] }
    guard let parts = uploads[name] else { return .absent }
    switch step {
    case .find, .begin: return .upload("u")
    case .list:
      let list = parts.map { RemotePiece(number: $0, length: Int64($1.count), tag: "t") }
      return .pieces(list, next: nil)
    case .send(_, let number):
      let (offset, length) = pieces.place(of: number)
      var piece = Array(content[Int(offset)..<Int(offset + length)])
      // Its end is sound: damaged tags would count as older ones.
      if isDamaged { piece[piece.count - 1] ^= 1 }
      uploads[name]?[number] = piece
      return .piece("t", pieces.sums[number - 1])
    case .finish:
      if files[name] != nil { return .taken }
      files[name] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
      uploads[name] = nil
      return .done
    case .abandon:
      uploads[name] = nil
      return .done
    }
  }

  private mutating func send(_ name: String, resumes: Bool, _ isDamaged: Bool) -> RemoteAnswer {
    if !traits.hasParts, files[name] != nil { return .taken }
    let there = resumes ? min(files[name]?.count ?? 0, content.count) : 0
    var bytes = Array((files[name] ?? []).prefix(there)) + content[there...]
    if isDamaged, traits.hasParts, random.below(2) == 0 {
      files[name] = Array(bytes.prefix(there + (bytes.count - there) / 2))
      return .failed(Self.lost)
    }
    if isDamaged { bytes[bytes.count - 1] ^= 1 }
    files[name] = bytes
    return .sent(
      there == 0 ? LinkBench.content(of: content).hashes : nil, resumedFrom: Int64(there))
  }
}

/// A small generator with a seed.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

extension LinkTests {
  @Suite struct CopyJobTests {
    private static func traits(_ kind: Int) -> TargetTraits {
      var traits = TargetTraits()
      if kind == 1 {
        traits.resumes = true
        traits.moveIsVague = true
      }
      if kind >= 2 {
        traits.hasParts = false
        traits.moves = false
      }
      if kind == 3 { traits.pieceBytes = 120 }
      return traits
    }

    private let bytes = LinkBench.bytes(300)
    private var content: Content { LinkBench.content(of: bytes) }
    private let name: RemoteName
    private let folder: RemoteName

    init() throws {
      name = try RemoteName(["May", "Kitchen.opus"])
      folder = try RemoteName(["May"])
    }

    /// Runs one job; it crashes before a step now and then.
    private func runJob(_ server: inout ModelServer) throws -> CopyOutcome? {
      var content = content
      if let bytes = server.traits.pieceBytes {
        var hasher = PieceHasher(pieceBytes: bytes)
        self.bytes.withUnsafeBytes { hasher.append($0) }
        content = Content(
          hashes: content.hashes, soundFrom: content.soundFrom, pieces: hasher.pieces())
      }
      var job = CopyJob(content, to: name, traits: server.traits)
      var answer: RemoteAnswer?
      for _ in 0..<300 {
        switch job.next(answer) {
        case .end(let outcome): return outcome
        case .perform(let operation):
          if server.faultsLeft > 0, server.random.below(12) == 0 { return nil }
          answer = server.perform(operation)
        }
      }
      Issue.record("a job does not end")
      return nil
    }

    @Test("whatever fails, one copy is verified in the end, and it is whole", arguments: 0..<4)
    func histories(kind: Int) throws {
      for seed in 0..<1500 {
        var random = SplitMix(state: UInt64(seed))
        var stranger: [String: [UInt8]] = [:]
        if random.below(3) == 0 { stranger["May/Kitchen.opus"] = LinkBench.bytes(300, seed: 9) }
        if random.below(4) == 0 { stranger["May/Kitchen (2).opus"] = [1, 2, 3] }
        var server = ModelServer(random, Self.traits(kind), bytes)
        server.files = stranger
        var receipt: CopyReceipt?
        for _ in 0..<60 where receipt == nil { receipt = try runJob(&server)?.receipt }
        let name = try #require(receipt?.name.description, "seed \(seed) has no copy")
        #expect(server.files[name] == bytes, "seed \(seed): what is verified is not whole")
        for (name, bytes) in stranger {
          #expect(server.files[name] == bytes, "seed \(seed): another's \(name) was touched")
        }
        let copies = server.files.filter { $0.value == bytes && !$0.key.hasSuffix(".part") }
        #expect(copies.count == 1, "seed \(seed): \(copies.keys)")
      }
    }

    @Test("the steps of an untroubled copy, and what it asks for")
    func steps() throws {
      var job = CopyJob(content, to: name, traits: Self.traits(1))
      let part = name.part(of: content.hashes)
      #expect(job.next(nil) == .perform(.probe(name)))
      #expect(job.next(.absent) == .perform(.send(part, content, resumes: true)))
      #expect(job.next(.folderMissing) == .perform(.makeFolder(folder)))
      #expect(job.next(.done) == .perform(.send(part, content, resumes: true)))
      let sent = RemoteAnswer.sent(content.hashes, resumedFrom: 0)
      #expect(job.next(sent) == .perform(.move(part, to: name)))
      #expect(job.next(.done) == .perform(.read(name, content)))
      let receipt = CopyReceipt(
        name: name, hashes: content.hashes, wasThere: false, hasOlderTags: false)
      #expect(job.next(.hashed(content.hashes)) == .end(.verified(receipt)))
    }

    @Test("a copy with older tags is the copy of the same sound")
    func olderTags() throws {
      var older = bytes
      older[10] ^= 1
      var job = CopyJob(content, to: name, traits: TargetTraits())
      _ = job.next(nil)
      #expect(job.next(.present(300)) == .perform(.read(name, content)))
      let hashes = LinkBench.content(of: older).hashes
      let receipt = CopyReceipt(name: name, hashes: hashes, wasThere: true, hasOlderTags: true)
      #expect(job.next(.hashed(hashes)) == .end(.verified(receipt)))
    }

    @Test("a file that changes while it is sent is no copy")
    func changed() throws {
      var job = CopyJob(content, to: name, traits: TargetTraits())
      _ = job.next(nil)
      _ = job.next(.absent)
      let other = LinkBench.content(of: LinkBench.bytes(300, seed: 3)).hashes
      let part = name.part(of: content.hashes)
      #expect(job.next(.sent(other, resumedFrom: 0)) == .perform(.remove(part)))
      #expect(job.next(.done) == .end(.failed(.sourceChanged)))
    }

    @Test("an upload that went on and is wrong is sent once more, from its beginning")
    func resumedWrong() throws {
      var job = CopyJob(content, to: name, traits: Self.traits(1))
      _ = job.next(nil)
      _ = job.next(.absent)
      _ = job.next(.sent(nil, resumedFrom: 100))
      _ = job.next(.done)
      let other = LinkBench.content(of: LinkBench.bytes(300, seed: 3)).hashes
      #expect(job.next(.hashed(other)) == .perform(.remove(name)))
      let part = name.part(of: content.hashes)
      #expect(job.next(.done) == .perform(.send(part, content, resumes: false)))
      _ = job.next(.sent(content.hashes, resumedFrom: 0))
      _ = job.next(.done)
      #expect(job.next(.hashed(other)) == .perform(.remove(name)))
      #expect(job.next(.done) == .end(.failed(.mismatch)))
    }
  }
}

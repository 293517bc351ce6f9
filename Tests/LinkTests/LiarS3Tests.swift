// The server that lies as S3: no answer of it makes a copy verified, every lie has its error in a
// bounded time, and each is told in one sentence and tried again.
import Testing

@testable import Link

extension LinkTests {
  @Suite struct LiarS3Tests {
    private let bench: LinkBench
    private let liar: Liar
    /// Tests share the server, so each has a folder.
    private let folder = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let bytes = LinkBench.bytes(3000)

    init() throws {
      bench = try LinkBench()
      liar = try Liar.shared.get()
    }

    private func copy(_ fault: String) throws -> CopyOutcome {
      try bench.copy(try bench.request(bytes, folder, "Kitchen.opus"), to: try liar.s3(fault))
    }

    @Test(
      "what is read back is compared, whatever the server says of it",
      arguments: [
        "wrong", "flip", "hashes", "wrong-length", "longer", "half", "endless-read", "page",
        "gzip", "swallow",
      ])
    func readBack(fault: String) throws {
      try expectError(of: try copy(fault), code: "mismatch")
    }

    @Test("hashes that the server claims are not believed, the bytes are")
    func wrongHashes() throws {
      #expect(try copy("wrong-hashes").receipt?.wasThere == false)
    }

    @Test(
      "a fault has its error, and holds up what it concerns",
      arguments: [
        ("PUT-401", "credentials", "target"), ("PUT-403", "credentials", "recording"),
        ("GET-401", "credentials", "target"), ("HEAD-403", "credentials", "recording"),
        ("PUT-413", "server", "recording"), ("PUT-429", "busy", "target"),
        ("GET-429", "busy", "target"), ("HEAD-429", "busy", "target"),
        ("PUT-500", "server", "recording"), ("HEAD-500", "server", "recording"),
        ("GET-500", "server", "recording"), ("PUT-503", "busy", "target"),
        ("PUT-507", "space", "target"), ("PUT-409", "busy", "recording"),
        ("short", "network", "recording"), ("close", "network", "recording"),
        ("reset", "network", "recording"), ("stall", "network", "recording"),
        ("hang", "network", "recording"), ("drip", "network", "recording"),
        ("drip-headers", "network", "recording"), ("garbage", "server", "recording"),
        ("silent", "network", "recording"), ("headers", "server", "recording"),
        ("continues", "server", "recording"), ("elsewhere", "configuration", "target"),
        ("protocol", "configuration", "target"), ("round", "configuration", "target"),
        ("port", "configuration", "target"), ("endless", "server", "recording"),
        ("endless-error", "server", "recording"), ("always-taken", "server", "recording"),
        ("partial", "server", "recording"), ("two-lengths", "name", "recording"),
        ("negative", "server", "recording"), ("vast", "network", "recording"),
        ("bad-chunk", "network", "recording"), ("cut-chunk", "network", "recording"),
        ("switch", "network", "recording"),
      ])
    func faults(fault: String, code: String, scope: String) throws {
      try expectError(of: try copy(fault), code: code, scope: scope)
    }

    @Test("a name that the server once gives another length is not taken for another's")
    func contradictions() throws {
      #expect(try copy("").receipt?.wasThere == false)
      for _ in 0..<5 {
        // Each answer says another length.
        let job = CopyJob(
          LinkBench.content(of: bytes), to: try RemoteName([folder, "Kitchen.opus"]),
          traits: try liar.s3("").traits)
        let request = try bench.perform(job, at: try liar.s3("other-length"))
        #expect(request.receipt == nil)
      }
      #expect(try copy("").receipt?.wasThere == true)
    }

    @Test("a copy at the server that only seems to be done is none, and the old one stays")
    func duplicate() throws {
      let target = try liar.s3("error-in-200")
      let old = try RemoteName([folder, "Kitchen.opus"])
      let new = try RemoteName([folder, "Garden.opus"])
      let job = RenameJob(old, to: new, LinkBench.content(of: bytes), traits: target.traits)
      guard case .failed(let error) = try bench.perform(job, at: target) else {
        Issue.record("an error in an answer of success was a success")
        return
      }
      expectRetried(error)
    }
  }
}

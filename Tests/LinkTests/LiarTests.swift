// A server that lies in every way that servers of WebDAV and S3 do: nothing that it says makes a
// copy verified, every lie has its error, nothing hangs, and no answer is kept beyond its bound.
import Glibc
import Link
import Systemd
import Testing

@testable import Link

extension LinkTests {
  @Suite struct LiarTests {
    private let bench: LinkBench
    private let liar: Liar
    private var port: Int { liar.port }
    /// Tests share the server, so each has a folder.
    private let folder = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let bytes = LinkBench.bytes(3000)

    init() throws {
      bench = try LinkBench()
      liar = try Liar.shared.get()
    }

    private func target(_ fault: String, _ login: ServerAccess.Login = .none) throws -> WebDAVTarget
    { try liar.webDAV("\(fault)/\(folder)", login) }

    private func copy(_ fault: String) throws -> CopyOutcome {
      try bench.copy(try bench.request(bytes, "Kitchen.opus"), to: try target(fault))
    }

    @Test("a server that does as it says gets a verified copy, and finds it the next time")
    func honest() throws {
      let receipt = try #require(try copy("good").receipt)
      #expect(receipt.hashes == LinkBench.content(of: bytes).hashes)
      #expect(receipt.name.description == "Kitchen.opus")
      #expect(!receipt.wasThere)
      #expect(try copy("good").receipt?.wasThere == true)
    }

    @Test(
      "what is read back is compared, whatever the server said before",
      arguments: [
        "wrong", "flip", "hashes", "wrong-length", "longer", "half", "endless-read", "page", "gzip",
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
        ("status-401", "credentials", "target"), ("status-403", "credentials", "recording"),
        ("status-413", "server", "recording"), ("status-414", "name", "recording"),
        ("status-423", "busy", "recording"), ("status-429", "busy", "target"),
        ("status-500", "server", "recording"), ("status-501", "configuration", "recording"),
        ("status-503", "busy", "target"), ("status-507", "space", "target"),
        ("short", "network", "recording"), ("close", "network", "recording"),
        ("stall", "network", "recording"), ("hang", "network", "recording"),
        ("drip", "network", "recording"), ("garbage", "server", "recording"),
        ("silent", "network", "recording"), ("headers", "server", "recording"),
        ("continues", "server", "recording"), ("elsewhere", "configuration", "target"),
        ("protocol", "configuration", "target"), ("round", "configuration", "target"),
        ("endless", "server", "recording"), ("endless-error", "server", "recording"),
        ("swallow", "server", "recording"), ("secret", "credentials", "target"),
        ("always-taken", "server", "recording"), ("partial", "server", "recording"),
        ("GET-401", "credentials", "target"), ("GET-429", "busy", "target"),
        ("GET-500", "server", "recording"), ("HEAD-429", "busy", "target"),
        ("HEAD-500", "server", "recording"), ("MOVE-401", "credentials", "target"),
        ("MOVE-429", "busy", "target"), ("MOVE-500", "server", "recording"),
        ("MOVE-507", "space", "target"), ("reset", "network", "recording"),
        ("tarpit", "network", "recording"), ("drip-headers", "network", "recording"),
        ("port", "configuration", "target"), ("two-lengths", "name", "recording"),
        ("negative", "server", "recording"), ("vast", "network", "recording"),
        ("bad-chunk", "network", "recording"), ("cut-chunk", "network", "recording"),
        ("switch", "network", "recording"), ("early", "server", "recording"),
      ])
    func faults(fault: String, code: String, scope: String) throws {
      try expectError(of: try copy(fault), code: code, scope: scope)
    }

    @Test("a server that asks to wait says for how long, within a day")
    func waits() throws {
      #expect(try copy("status-429").error?.retryAfterSeconds == 7)
      #expect(try copy("status-503").error?.retryAfterSeconds == 86_400)
      #expect(try copy("GET-503").error?.retryAfterSeconds == 11)
    }

    @Test("a large file is refused before it is sent, and the reason is heard")
    func refusedEarly() throws {
      let request = try bench.request(LinkBench.bytes(3_000_000), "Kitchen.opus")
      #expect(try bench.copy(request, to: try target("status-507")).error?.code == .space)
      #expect(try bench.copy(request, to: try target("status-413")).error?.number == 413)
    }

    @Test("a limit of bandwidth is kept")
    func bandwidth() throws {
      var limits = shortLimits()
      limits.bytesPerSecond = 100_000
      let settings = try settings("http://127.0.0.1:\(port)/good/\(folder)", limits: limits)
      let request = try bench.request(LinkBench.bytes(80_000), "Kitchen.opus")
      let start = EventLoop.monotonicNanoseconds()
      #expect(try bench.copy(request, to: WebDAVTarget(settings)).receipt != nil)
      // Without it this takes a hundredth.
      #expect(EventLoop.monotonicNanoseconds() - start > 500_000_000)
    }

    @Test("a redirect on the same server is followed")
    func redirected() throws {
      #expect(try copy("here").receipt != nil)
      #expect(try copy("good").receipt?.wasThere == true)
    }

    @Test("a rename whose answer is lost is found by the next job, and nothing is sent twice")
    func lostAnswers() throws {
      // libcurl asks once more, or the next job does.
      let receipt = try #require(try copy("lost-move").receipt ?? copy("lost-move").receipt)
      #expect(receipt.wasThere)
      #expect(receipt.name.description == "Kitchen.opus")
      #expect(try liar.counts(bench).contains("('PUT', 'lost-move', 1)"))
    }

    @Test("a name that is taken by another file gets a number, even if HEAD says nothing of it")
    func taken() throws {
      for fault in ["good", "blind", "no-length"] {
        let other = try bench.request(LinkBench.bytes(3000, seed: 2), "Kitchen.opus")
        let first = try #require(try bench.copy(other, to: try target(fault)).receipt)
        #expect(first.name.description == "Kitchen.opus")
        let second = try #require(try copy(fault).receipt)
        #expect(second.name.description == "Kitchen (2).opus")
      }
    }

    @Test("the secret opens the door, and no error shows it")
    func secrets() throws {
      let secret = ServerAccess.Login.password(Secret("open sesame"))
      let request = try bench.request(bytes, "Kitchen.opus")
      #expect(try bench.copy(request, to: try target("secret", secret)).receipt != nil)
      let wrong = Secret("guessed")
      let error = try bench.copy(request, to: try target("secret", .password(wrong))).error
      #expect(error?.code == .credentials)
      #expect("\(String(describing: error)) \(wrong) \([wrong])".contains("guessed") == false)
    }

    @Test("S3: signed, never over another object, renamed by a copy there")
    func s3() throws {
      let login = ServerAccess.Login.s3(region: "us-east-1", Secret("open sesame"))
      let server = try settings(
        "http://127.0.0.1:\(port)/s3", user: "reel", login)
      let target = S3Target(server, bucket: "bucket", style: .path)
      let request = try bench.request(bytes, "Box ä", "Küche + Bad", "0041 Kitchen.opus")
      #expect(try bench.copy(request, to: target).receipt?.wasThere == false)
      #expect(try bench.copy(request, to: target).receipt?.wasThere == true)
      var other = try bench.request(LinkBench.bytes(2999), "x")
      other.name = request.name
      let second = try #require(try bench.copy(other, to: target).receipt)
      #expect(second.name.file == "0041 Kitchen (2).opus")

      let new = try RemoteName(["Garden.opus"])
      let job = RenameJob(
        request.name, to: new, LinkBench.content(of: bytes), traits: target.traits)
      #expect(try bench.perform(job, at: target) == .renamed(new))
      #expect(try bench.perform(job, at: target) == .renamed(new))

      let nowhere = S3Target(server, bucket: "bucke", style: .path)
      #expect(try bench.copy(request, to: nowhere).error?.code == .configuration)
      var wrong = server
      wrong.access.login = .s3(region: "us-east-1", Secret("guessed"))
      let refused = try bench.copy(request, to: S3Target(wrong, bucket: "bucket", style: .path))
      #expect(refused.error?.code == .credentials)
    }

    @Test("a job that is stopped says nothing more")
    func stopped() throws {
      var outcome: CopyOutcome?
      let job = try bench.driver.copy(
        try bench.request(bytes, "Kitchen.opus"),
        to: try liar.webDAV("hang/\(folder)", limits: patientLimits())
      ) { outcome = $0 }
      for _ in 0..<20 { _ = try bench.loop.runOneTurn(waitingAtMostMilliseconds: 20) }
      job.stop()
      #expect(try copy("good").receipt != nil)
      #expect(outcome == nil)
    }

    @Test("a heartbeat is well if its address answers so, and its secret is never shown")
    func heartbeat() throws {
      for (fault, code) in [
        ("count", nil), ("endless-error", .server), ("hang", .network),
      ] as [(String, LinkError.Code?)] {
        var heartbeat = HeartbeatConfiguration()
        heartbeat.url = Secret("http://127.0.0.1:\(port)/\(fault)/geheim")
        var outcome: LinkError??
        let job = try bench.driver.beat(heartbeat, limits: shortLimits()) { outcome = .some($0) }
        let error = try bench.wait { outcome }
        #expect(error?.code == code, "\(fault)")
        #expect(error?.sentence.contains("geheim") != true)
        job.stop()
      }
    }

    @Test("an audit finds a copy that is gone or changed")
    func audit() throws {
      #expect(try copy("good").receipt != nil)
      let content = LinkBench.content(of: bytes)
      for (name, content, outcome) in [
        ("Kitchen.opus", content, .whole), ("None.opus", content, .missing),
        ("Kitchen.opus", LinkBench.content(of: LinkBench.bytes(3000, seed: 2)), .changed),
        ("Kitchen.opus", LinkBench.content(of: LinkBench.bytes(2999)), .changed),
      ] as [(String, Content, AuditOutcome)] {
        let job = AuditJob(try RemoteName([name]), content)
        #expect(try bench.perform(job, at: try target("good")) == outcome)
      }
    }

    @Test("a fetched copy is written and hashed; nothing of an error's page is kept")
    func fetched() throws {
      #expect(try copy("good").receipt != nil)
      let sink = try bench.file([], "sink")
      let good = FetchJob(try RemoteName(["Kitchen.opus"]), atMost: 5000, soundFrom: 100)
      let outcome = try bench.perform(good, at: try target("good"), file: sink)
      #expect(outcome == .fetched(LinkBench.content(of: bytes).hashes))
      let none = FetchJob(try RemoteName(["None.opus"]), atMost: 5000, soundFrom: 100)
      let empty = try bench.file([], "empty")
      #expect(try bench.perform(none, at: try target("good"), file: empty) == .missing)
      var status = stat()
      fstat(empty.descriptor, &status)
      #expect(status.st_size == 0)
      let small = FetchJob(try RemoteName(["Kitchen.opus"]), atMost: 2999, soundFrom: 100)
      guard case .failed = try bench.perform(small, at: try target("good"), file: sink) else {
        Issue.record("a file beyond its bound was fetched")
        return
      }
    }
  }
}

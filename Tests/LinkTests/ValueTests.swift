// Names, addresses, delays and classifications as values: no server, no loop.
import Digest
import Testing

@testable import Link

extension LinkTests {
  @Suite struct ValueTests {
    @Test("base64 and the fingerprint of a host key are those of other programs")
    func base64() {
      #expect(Base64.encode(Array("a".utf8)) == "YQ==")
      #expect(Base64.encode(Array("abcd".utf8)) == "YWJjZA==")
      #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
      // printf abc | openssl dgst -sha256 -binary | base64
      let key = HostKey(kind: "ssh-rsa", bytes: Array("abc".utf8))
      #expect(key.fingerprint == "SHA256:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0")
      #expect(key.line(host: "nas", port: 22) == "nas ssh-rsa YWJj\n")
      #expect(key.line(host: "nas", port: 2222) == "[nas]:2222 ssh-rsa YWJj\n")
    }

    @Test("a name is checked, numbered before its ending, and encoded")
    func names() throws {
      let name = try RemoteName(["Küche", "0041 a+b.opus"])
      #expect("\(name.numbered(2))" == "Küche/0041 a+b (2).opus")
      #expect(name.encoded == "K%C3%BCche/0041%20a%2Bb.opus")
      #expect(name.folders.map(\.description) == ["Küche"])
      #expect(try RemoteName([".hidden"]).numbered(3).file == ".hidden (3)")
      let long = try RemoteName([String(repeating: "ü", count: 125) + ".opus"])
      for longer in [long.numbered(49), long.part(of: LinkBench.content(of: [1]).hashes)] {
        #expect(longer.file.utf8.count <= RemoteName.componentBytesMaximum)
      }
      for bad in ["", ".", "..", "a/b", "a\nb", "a\0b", String(repeating: "x", count: 256)] {
        #expect(throws: LinkError.self) { try RemoteName([bad]) }
      }
      #expect(throws: LinkError.self) { try RemoteName([]) }
    }

    @Test("an address is taken apart; what has no place in one is refused")
    func addresses() throws {
      let url = try #require(ServerURL("https://Cloud.Example:8443/dav/reel//"))
      #expect(url.origin == "https://cloud.example:8443")
      #expect(url.path == "/dav/reel")
      #expect(ServerURL("https://[::1]:44/")?.port == 44)
      #expect(ServerURL("sftp://box")?.port == 22)
      for bad in [
        "", "https://", "ftp://x/", "https://u:p@x/", "https://x:0/", "https://x:70000/",
        "https://x/?a", "https://x/#a", "https://x y/", "https://::1/", "https://[::1/",
        "https://x%00/", "https://x\\y/",
      ] {
        #expect(ServerURL(bad) == nil, "\(bad)")
      }
      for (text, isLoopback) in [
        ("http://127.0.0.1/", true), ("http://127.9.9.9:80/", true), ("http://localhost/", true),
        ("http://[::1]/", true), ("http://127.0.0.1.evil.example/", false),
        ("http://127.0.0/", false), ("http://localhost.example/", false),
        ("http://128.0.0.1/", false),
      ] {
        #expect(ServerURL(text)?.isLoopback == isLoopback, "\(text)")
      }
    }

    @Test("a redirect is followed only to the same scheme, host and port")
    func redirects() throws {
      let origin = try #require(ServerURL("https://a.example/x"))
      for (place, isSame) in [
        ("https://a.example/y?z", true), ("https://A.example:443/", true),
        ("http://a.example/", false), ("https://a.example:444/", false),
        ("https://b.example/", false), ("https://a.example@b.example/", false),
      ] {
        #expect(ServerURL.isSameServer(place, as: origin) == isSame, "\(place)")
      }
    }

    @Test("delays double from a minute to six hours, with up to a half more by chance")
    func delays() {
      let backOff = BackOff()
      let none = (1...12).map { backOff.delaySeconds(failures: $0, chance: 0) }
      #expect(none[..<4] == [60, 120, 240, 480])
      #expect(none.last == Int64(14_400))
      #expect(backOff.delaySeconds(failures: 1, chance: 1) == 90)
      #expect(backOff.delaySeconds(failures: .max, chance: 1) == 6 * 3600)
      #expect(backOff.delaySeconds(failures: 1, chance: 0, retryAfterSeconds: 7) == 60)
      #expect(backOff.delaySeconds(failures: 1, chance: 0, retryAfterSeconds: 900) == 900)
      #expect(backOff.delaySeconds(failures: 1, chance: 0, retryAfterSeconds: .max) == 86_400)
    }

    @Test("a busy target waits as a whole; a bad recording waits by itself, unless many are bad")
    func health() {
      var health = TargetHealth()
      let bad = LinkError(.server, .recording, "x")
      let busy = LinkError(.busy, .target, retryAfterSeconds: 600, "x")
      func waits(_ error: LinkError?, _ nowSeconds: Int64) -> Bool {
        health.note(error, nowSeconds: nowSeconds, chance: 0)
      }
      for _ in 0..<4 {
        #expect(waits(bad, 0))
        #expect(health.mayAsk(nowSeconds: 0))
      }
      #expect(waits(bad, 0))
      #expect(!health.mayAsk(nowSeconds: 59))
      #expect(health.mayAsk(nowSeconds: 60))
      #expect(!waits(nil, 60))
      #expect(!waits(busy, 60))
      #expect(!health.mayAsk(nowSeconds: 659))
      #expect(health.mayAsk(nowSeconds: 660))
      let source = LinkError(.source, .recording, "x")
      var other = TargetHealth()
      for _ in 0..<20 { _ = other.note(source, nowSeconds: 0, chance: 0) }
      #expect(other.mayAsk(nowSeconds: 0))
    }

    @Test("Retry-After is a number or a date, and bounded")
    func retryAfter() {
      for (text, seconds) in [
        ("120", 120), ("0", 0), ("99999999999999999999", 86_400), ("-5", nil), ("", nil),
        ("soon", nil), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
        ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 9999 08:49:37 GMT", 86_400), ("Sun, 6 Nov 1994 99:49:37 GMT", nil),
      ] as [(String, Int64?)] {
        #expect(RetryAfter.seconds(text, nowSeconds: 784_111_740) == seconds, "\(text)")
      }
    }

    @Test("headers are read by name, whatever their case; a new status line begins anew")
    func headers() {
      var headers = ResponseHeaders()
      for line in [
        "HTTP/1.1 100 Continue\r\n", "retry-after: 5\r\n", "HTTP/1.1 200 OK\r\n",
        "Content-LENGTH:  12\r\n", "nonsense\r\n", "ETag: \"x\"\r\n", "\r\n",
      ] {
        Array(line.utf8).withUnsafeBytes { headers.read($0) }
      }
      #expect(headers.contentLength == 12)
      #expect(headers.retryAfter == nil)
      #expect(headers.entityTag == "\"x\"")
      Array("Content-Length: -1\r\n".utf8).withUnsafeBytes { headers.read($0) }
      #expect(headers.contentLength == nil)
    }

    @Test("a full disk is told from other failures by libcurl's code or the server's words")
    func classified() throws {
      let server = try settings("sftp://box/x")
      let none = TransferResult(.answered)
      for (code, words, expected) in [
        (70, "x", .space), (79, "Operation failed: Disk quota exceeded", .space),
        (79, "Operation failed", .server), (67, "x", .credentials), (9, "x", .credentials),
        (6, "x", .network), (7, "x", .network), (28, "x", .network), (60, "x", .identity),
        (90, "x", .identity), (77, "x", .configuration), (999, "x", .server),
      ] as [(Int32, String, LinkError.Code)] {
        #expect(LinkError.transfer(code, words, none, at: server).code == expected, "\(code)")
      }
      let error = LinkError(
        .server, .recording, "a\u{1B}[2Jb\u{202E}" + String(repeating: "x", count: 9999))
      #expect(!error.sentence.contains("\u{1B}"))
      #expect(error.sentence.count == 500)
    }

    /// Nil if there is none.
    private func mistakes(_ result: LinkConfigurationReader.Result) -> Int? {
      if case .wrong(let mistakes) = result { mistakes.count } else { nil }
    }

    @Test("no bytes of a server or a file make it trap")
    func hostile() throws {
      let seeds = [
        "Content-Length: 12\r\n", "HTTP/1.1 200 OK\r\n",
        "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT",
        "<Error><Code>SlowDown</Code></Error>", "https://[::1]:8080/dav/%20x",
        "{ targets: [{ name: \"a\", kind: \"s3\", url: \"https://x\", hours: [\"22:00-06:00\"],"
          + " bandwidth: \"1 MB/s\", prefix: \"a/b\" }], heartbeat: { url: \"https://x\" } }",
      ]
      var random = SplitMix(state: 7)
      for round in 0..<6000 {
        var bytes = Array(seeds[round % seeds.count].utf8)
        for _ in 0..<random.below(6) {
          let place = random.below(bytes.count)
          switch random.below(3) {
          case 0: bytes[place] = UInt8(random.below(256))
          case 1 where bytes.count > 1: bytes.remove(at: place)
          default: bytes.insert(bytes[random.below(bytes.count)], at: place)
          }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var headers = ResponseHeaders()
        bytes.withUnsafeBytes { headers.read($0) }
        _ = S3ErrorCode(bytes)
        _ = HourRange(text)
        let seconds = RetryAfter.seconds(text, nowSeconds: 0) ?? 0
        #expect((0...RetryAfter.maximumSeconds).contains(seconds))
        #expect(Bandwidth.bytesPerSecond(text) ?? 1000 >= 1000)
        let url = ServerURL(text)
        #expect(url.map { ServerURL($0.origin + $0.path) == url } ?? true)
        let mistakes = mistakes(LinkConfigurationReader.read(bytes, file: "link.json"))
        #expect(mistakes.map { (1...LinkReading.mistakesMaximum).contains($0) } ?? true)
      }
    }
  }
}

// The page by HTTPS, with a certificate of the operator's: asked by another implementation of TLS.

import FoundationEssentials
import Glibc
import Testing

@testable import reelctl

@Suite actor WebSecureTests: Desk {
  nonisolated let chair = Chair()

  @Test("with a certificate the page is served by HTTPS only, and its cookie never leaves that way")
  func served() throws {
    let scratch = Scratch()
    let files = try makeCertificate("own", in: scratch)
    let seat = try WebSeat(scratch, options: files.options)
    #expect(try seat.say("pair").output.contains("https://"))

    let paired = try ask(
      seat, files, "POST", "/api/pair", #"{"code":"\#(try seat.code())","name":"test"}"#,
      origin: "https")
    #expect(paired.status == 200)
    let words = paired.cookie.split(separator: ";").map { $0.drop { $0 == " " } }
    #expect(words.contains("Secure") && words.contains("HttpOnly"))
    let cookie = String(words.first ?? "")
    #expect(try ask(seat, files, "GET", "/api/me", cookie: cookie).body.contains("control"))

    // A page that came by HTTP may change nothing, and plain HTTP gets no answer
    let order = #"{"words":["record"]}"#
    let forged = try ask(seat, files, "POST", "/api/do", order, cookie: cookie, origin: "http")
    #expect(forged.status == 403)
    #expect(try seat.get("/").status == 0)
    let sent = try ask(
      seat, files, "POST", "/api/do", #"{"words":["status"]}"#, cookie: cookie, origin: "https")
    #expect(sent.status == 200 && sent.body.contains("idle"))
  }

  @Test("a certificate that cannot be used is told in a sentence, and the page is not served")
  func refused() throws {
    let scratch = Scratch()
    let own = try makeCertificate("own", in: scratch)
    let other = try makeCertificate("other", in: scratch)
    let broken = try scratch.make("broken.pem", Data("no certificate".utf8))
    let open = try scratch.make("open.pem", scratch.bytes(own.key))
    chmod(open, 0o644)
    for (certificate, key, sentence) in [
      (own.certificate, other.key, "the key has to be that of the certificate"),
      (own.certificate, open, "others can read the key"),
      (broken, own.key, "is no file in PEM"),
      (own.key, own.key, "begins with no certificate"),
      (scratch.path + "/none.pem", own.key, "cannot read"),
    ] {
      let result = try serve(scratch, ["--certificate", certificate, "--key", key])
      #expect(result.ending == .exited(78) && result.errors.contains(sentence), "\(sentence)")
    }
    let half = try serve(scratch, ["--certificate", own.certificate])
    #expect(half.ending == .exited(64) && half.errors.contains("belong together"))
  }

  @Test("the files may come from systemd; one without the other is no reason to serve plain HTTP")
  func credentials() throws {
    let scratch = Scratch()
    let own = try makeCertificate("own", in: scratch)
    try scratch.make("credentials/certificate.pem", scratch.bytes(own.certificate))
    let passed = ["CREDENTIALS_DIRECTORY": scratch.path + "/credentials"]
    let result = try serve(scratch, [], passed)
    #expect(result.ending == .exited(78))
    #expect(result.errors.contains("cannot read \(scratch.path)/credentials/key.pem"))
  }

  @Test("doctor tells a certificate that ends soon, has ended, or is not valid yet")
  func validity() throws {
    let scratch = Scratch()
    let files = try makeCertificate("own", in: scratch)
    let seat = try WebSeat(scratch, options: files.options)
    // given one of ninety days, as its server reads it
    let answer = try seat.say("sessions", "--json").output
    let report = try JSONDecoder().decode(WebReport.self, from: Data(answer.utf8))
    let (from, until) = (try #require(report.validFrom), try #require(report.validUntil))
    #expect(until - from == 90 * 86_400)
    // when doctor looks at it at some moment, then it says
    func told(atSeconds now: Int64) -> String {
      PageCheck.certificateTrouble(report, atSeconds: now).map { "\($0.verdict) \($0.sentence)" }
        ?? "well"
    }
    #expect(told(atSeconds: from - 1).contains("wrong The page's certificate is not valid before"))
    #expect(told(atSeconds: from) == "well")
    #expect(told(atSeconds: until - 15 * 86_400) == "well")
    #expect(told(atSeconds: until - 13 * 86_400).contains("is valid only until"))
    #expect(told(atSeconds: until - 1).contains("is valid only until"))
    #expect(told(atSeconds: until).contains("browsers refuse it"))
    // and one that is made anew each week is not told each week
    var short = report
    short.validFrom = until - 6 * 86_400
    let early = PageCheck.certificateTrouble(short, atSeconds: until - 3 * 86_400)
    let late = PageCheck.certificateTrouble(short, atSeconds: until - 86_400)
    #expect(early == nil && late?.verdict == .wrong)
  }

  // MARK: The pieces

  private struct Files {
    let certificate: String
    let key: String
    var options: [String] { ["--certificate", certificate, "--key", key] }
  }

  private func makeCertificate(_ name: String, in scratch: Scratch) throws -> Files {
    let files = Files(
      certificate: scratch.path + "/\(name)-certificate.pem",
      key: scratch.path + "/\(name)-key.pem")
    let made = try scratch.run(
      "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
      "ec_paramgen_curve:prime256v1", "-nodes", "-days", "90", "-subj", "/CN=127.0.0.1",
      "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", files.key, "-out", files.certificate)
    try #require(made.ending == .exited(0), "\(made.errors)")
    chmod(files.key, 0o600)
    return files
  }

  /// Runs a server that is expected to end by itself.
  private func serve(
    _ scratch: Scratch, _ options: [String], _ environment: [String: String] = [:]
  ) throws -> Scratch.Result {
    let page = try scratch.make("page/index.html", Data("<!DOCTYPE html>".utf8))
    let arguments = [
      "--listen", "127.0.0.1:0", "--socket", scratch.path + "/none.sock", "--state",
      scratch.path + "/web", "--admin", scratch.path + "/admin.sock", "--page",
      String(page.dropLast("/index.html".count)),
    ]
    return try scratch.result(
      of: Child(
        Talker.directory + "/reel-web", arguments + options,
        environment: scratch.environment.merging(environment) { $1 }, directory: scratch.path,
        output: .file(scratch.path + "/output"), errors: .file(scratch.path + "/errors")))
  }

  private struct Answer: Decodable {
    let status: Int
    let cookie: String
    let body: String
  }

  private static let client = """
    import http.client, json, ssl, sys
    authority, port, method, path, body, headers = sys.argv[1:]
    context = ssl.create_default_context(cafile=authority)
    server = http.client.HTTPSConnection("127.0.0.1", int(port), context=context, timeout=30)
    server.request(method, path, body or None, json.loads(headers))
    reply = server.getresponse()
    print(json.dumps({"status": reply.status, "cookie": reply.getheader("set-cookie", ""),
                      "body": reply.read().decode()}))
    """

  private func ask(
    _ seat: WebSeat, _ files: Files, _ method: String, _ path: String, _ body: String = "",
    cookie: String = "", origin: String? = nil
  ) throws -> Answer {
    var headers = ["Content-Type": "application/json", "Cookie": cookie]
    headers["Origin"] = origin.map { "\($0)://127.0.0.1:\(seat.port)" }
    let text = String(decoding: try JSONEncoder().encode(headers), as: UTF8.self)
    let result = try seat.talk.scratch.run(
      "/usr/bin/python3", "-c", Self.client, files.certificate, "\(seat.port)", method, path, body,
      text)
    return try JSONDecoder().decode(Answer.self, from: Data(result.output.utf8))
  }
}

// What strangers try with the page's server, and what each gets. After each attack the server still
// answers a browser that is paired.

import FoundationEssentials
import Glibc
import Testing

@Suite actor WebAttackTests: Desk {
  nonisolated let chair = Chair()

  @Test("without a session, or with a made-up one, nothing but the page is there")
  func noSession() throws {
    let seat = try WebSeat()
    _ = try seat.pair()
    let made = "reel-session=" + String(repeating: "a", count: 64)
    for cookie in ["", "reel-session=", made, made + "; " + made, "reel-session=" + "0x"] {
      let headers = cookie.isEmpty ? [:] : ["Cookie": cookie]
      for path in ["me", "events", "sound/x", "zip/root", "waveform/x"] {
        #expect(try seat.get("/api/" + path, headers).status == 401, "\(path) \(cookie)")
      }
      for path in ["do", "say", "leave"] {
        #expect(try seat.post("/api/" + path, "{}", headers).status == 401, "\(path)")
      }
    }
  }

  @Test("a forged Host or Origin, and a form of another site, get nothing")
  func forged() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair()
    let body = #"{"words":["record"]}"#
    for host in ["evil.example", "evil.example:\(seat.port)", "127.0.0.1.evil.example", "x"] {
      #expect(try seat.get("/", ["Host": host]).status == 403, "\(host)")
    }
    #expect(try seat.get("/", ["Host": "box.example"]).status == 200)
    for origin in ["", "null", "http://evil.example", "http://127.0.0.1", "http://localhost:1"] {
      let reply = try seat.post("/api/do", body, ["Cookie": cookie, "Origin": origin])
      #expect(reply.status == 403, "\(origin)")
    }
    // a form can send these types without being asked
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
      let reply = try seat.post("/api/do", body, ["Cookie": cookie, "Content-Type": type])
      #expect(reply.status == 415, "\(type)")
    }
    for site in ["cross-site", "same-site"] {
      let headers = ["Cookie": cookie, "Sec-Fetch-Site": site]
      #expect(try seat.get("/api/me", headers).status == 403)
      #expect(try seat.post("/api/do", body, headers).status == 403)
    }
    #expect(try seat.order(["status"], as: cookie).text.contains(#""state":"idle""#))
  }

  @Test("no path leads out of the page's files, or to another item than an id names")
  func traversal() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair()
    for path in [
      "/page/../secret.html", "/page/..%2fsecret.html", "/page/%2e%2e/secret.html", "/page/",
      "/page/%00", "/page/app.js%00.html", "/page//etc/passwd", "/secret.html", "//", "/api",
      "/api/sound/..%2f..", "/api/zip/trash/x", "/api/sound/41", "/api/sound/--yes",
      "/api/zip/%2e%2e", "/api/events/x", "/api/sound/", "/api/events?folder=../x",
      "/api/events?folder=/", "/.git/config",
    ] {
      let reply = try seat.get(path, as: cookie)
      #expect(reply.status == 404 && !reply.text.contains("secret"), "\(path) \(reply.status)")
    }
  }

  @Test("requests that are too large, broken or of another kind are refused, and cost little")
  func oversized() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair()
    let long = String(repeating: "x", count: 100_000)
    #expect([414, 431, 413, 0].contains(try seat.get("/" + long).status))
    #expect([431, 413, 0].contains(try seat.get("/", ["X": long]).status))
    #expect(try seat.post("/api/do", long, ["Cookie": cookie]).status == 413)
    #expect(try seat.post("/api/do", "{}", ["Content-Length": "-1"]).status != 200)
    #expect(try seat.post("/api/do", "{", ["Cookie": cookie]).status == 400)
    #expect(try seat.post("/api/do", "", ["Cookie": cookie]).status == 400)
    let deep = String(repeating: "[", count: 30_000)
    #expect(try seat.post("/api/do", deep, ["Cookie": cookie]).status == 400)
    // A body that fits can become a command that the recorder would end the connection for.
    let words = #"{"words":["search","\#(String(repeating: "\\b", count: 30_000))"]}"#
    #expect(try seat.post("/api/do", words, ["Cookie": cookie]).text.contains("tooLong"))
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"] {
      #expect(try seat.request(method, "/", nil, [:]).status == 405, "\(method)")
    }
    let chunked = try seat.connect()
    chunked.send(
      "POST /api/do HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
    )
    #expect(try chunked.reply().status == 411)
    for bytes in ["\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}", "GET / HTTP/9.9\r\n\r\n"] {
      let client = try seat.connect()
      client.send(bytes + "\r\n\r\n")
      #expect(try client.reply().status != 200, "\(bytes)")
    }
    let twice = try seat.connect()
    twice.send("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
    #expect(try twice.reply().status != 200)
    #expect(try seat.get("/api/me", as: cookie).status == 200)
  }

  @Test("a client that sends its head or its body by drops is cut off after ten seconds")
  func slow() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair()
    let head = try seat.connect()
    let body = try seat.connect()
    head.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
    body.send(
      "POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n"
        + "Origin: http://localhost\r\nContent-Type: application/json\r\n\r\n{")
    let began = now()
    // A drop each time the other client has been answered: the connection never falls silent.
    try until("both to be cut off") {
      _ = try seat.get("/api/me", as: cookie)
      let isHeadCut = !head.send("x")
      let isBodyCut = !body.send(" ")
      return isHeadCut && isBodyCut
    }
    #expect(now() - began > 8_000_000_000)
  }

  @Test("ranges of all kinds give no byte that is not of the file")
  func ranges() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair()
    try seat.talk.record("Kitchen")
    let path = "/api/sound/\(try seat.id(of: "1"))"
    let size = try seat.get(path, as: cookie).body.count
    for range in [
      "bytes=0-1,2-3", "bytes=" + String(repeating: "0-1,", count: 1000) + "0-1", "bytes=9-1",
      "bytes=-", "bytes=18446744073709551615-", "bytes=-18446744073709551615", "lines=1-2",
    ] {
      let reply = try seat.get(path, as: cookie, ["Range": range])
      #expect(reply.status == 200 && reply.body.count == size, "\(range.prefix(40))")
    }
    let huge = try seat.get(path, as: cookie, ["Range": "bytes=1-999999999999999999"])
    #expect(huge.status == 206 && huge.body.count == size - 1)
  }

  @Test("guessing codes makes all pairing wait, which reelctl and the journal tell")
  func guessing() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair()
    let code = try seat.code()
    for _ in 0..<5 {
      #expect(try seat.post("/api/pair", #"{"code":"00000000"}"#).status == 403)
    }
    let right = try seat.post("/api/pair", #"{"code":"\#(code)"}"#)
    #expect(right.status == 429 && Int(right.header("retry-after") ?? "") ?? 0 > 30)
    #expect(try seat.waitSeconds > 30)
    #expect(try seat.say("sessions").output.contains("Wrong codes were typed"))
    #expect(seat.talk.scratch.contents("web-errors").contains("codes are being guessed"))
    #expect(!seat.talk.scratch.contents("web-errors").contains(code))
    // Who is paired is not held up.
    #expect(try seat.get("/api/me", as: cookie).status == 200)
  }

  @Test("a thousand connections that send nothing keep it busy only until they are cut off")
  func crowd() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 8192)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let seat = try WebSeat()
    let cookie = try seat.pair()
    // given one address: beyond 60 connections it gets no more, and others are still served
    let own = try (0..<70).map { _ in try seat.connect(from: "127.0.0.2") }
    #expect(try seat.get("/api/me", as: cookie).status == 200)
    // when many addresses hold a thousand
    var crowd: [WebClient] = []
    for address in 3...20 {
      for _ in 0..<55 { crowd.append(try seat.connect(from: "127.0.0.\(address)")) }
    }
    #expect(crowd.count + own.count >= 1000)
    // then they are cut off, and a browser gets its answer meanwhile or after
    for client in crowd.suffix(3) { client.drain() }
    #expect(try seat.get("/api/me", as: cookie).status == 200)
    #expect(try seat.talk.say("status").hasPrefix("Ready"))
  }

  @Test("all folders at once as archives: one for each session, and the recorder records on")
  func archives() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair()
    try seat.talk.record("Kitchen")
    // given a client that asked for an archive and does not read it
    let held = try (0..<20).map { _ in try seat.ask("/api/zip/root", as: cookie) }
    let replies = try held.map { try $0.reply().status }
    #expect(replies.allSatisfy { $0 == 200 || $0 == 503 } && replies.contains(200))
    #expect(try seat.get("/api/zip/root", as: cookie).status == 200)
  }
}

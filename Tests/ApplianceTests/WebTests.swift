// The page's server beside a real recorder: pairing, roles, events, sound by ranges, commands, and
// folders as archives, each as a browser asks for it.

import FoundationEssentials
import Glibc
import Testing

@Suite actor WebTests: Desk {
  nonisolated let chair = Chair()

  @Test("off at first; on, paired, listed and revoked by reelctl; remembered over a restart")
  func pairing() throws {
    // given a server that was never turned on
    let seat = try WebSeat(on: false)
    #expect(try seat.get("/").status == 403 && seat.get("/page/app.js").status == 403)
    #expect(try seat.get("/").text.contains("reelctl web on"))
    #expect(try seat.say("pair").errors.contains("The page is off"))
    // when it is on, the page is there, and nothing else without a session
    #expect(try seat.say("on").output.contains(":\(seat.port)/"))
    #expect(try seat.get("/").status == 200 && seat.get("/page/app.js").status == 200)
    #expect(try seat.get("/api/me").status == 401)
    // and a browser that types the code is in
    let cookie = try seat.pair("listen", name: "Aunt's phone")
    #expect(try seat.get("/api/me", as: cookie).text.contains(#""role":"listen""#))
    #expect(try seat.sessionNames == ["Aunt's phone: listen"])
    // then its session outlives the program, of which only the hash is on the disk
    let kept = seat.talk.scratch.contents("web/sessions.json")
    #expect(kept.contains("Aunt's phone") && !kept.contains(cookie.dropFirst(13)))
    try seat.restart()
    #expect(try seat.get("/api/me", as: cookie).text.contains("Aunt's phone"))
    // and it ends when it is revoked, with the stream that is open
    let stream = try seat.ask("/api/events", as: cookie)
    #expect(try stream.reply().status == 200)
    _ = try stream.event("hello", with: "Aunt's phone")
    #expect(try seat.say("revoke", "Aunt's phone").output == "The session has ended.\n")
    #expect(throws: NeverHappened.self) { try stream.event("never") }
    #expect(try seat.get("/api/me", as: cookie).status == 401)
    #expect(try seat.say("revoke", "x").ending == .exited(66))
    #expect(try seat.say("off").output == "The page is off.\n" && seat.get("/").status == 403)
  }

  @Test("a code that is asked for at the recorder pairs one browser; without a page it is refused")
  func pairingAtTheRecorder() throws {
    struct Shown: Decodable { let digits: String, address: String, picture: [String] }
    let seat = try WebSeat()
    // given a code that the recorder shows
    let code = try seat.talk.json(Shown.self, "pair")
    #expect(code.digits.count == 6 && code.digits.allSatisfy { "123456".contains($0) })
    #expect(code.address.hasPrefix("http://") && code.address.hasSuffix(":\(seat.port)/"))
    #expect(code.picture.count >= 21 && code.picture.allSatisfy { $0.count == code.picture.count })
    // when a browser types it, then it may control, and another may not use it again
    let body = #"{"code":"\#(code.digits.prefix(3)) \#(code.digits.dropFirst(3))","name":"panel"}"#
    #expect(try seat.post("/api/pair", body).status == 200)
    #expect(try seat.sessionNames == ["panel: control"])
    #expect(try seat.post("/api/pair", body).status == 403)
    // and a code of reelctl replaces one that is shown
    let shown = try seat.talk.json(Shown.self, "pair").digits
    _ = try seat.code()
    #expect(try seat.post("/api/pair", #"{"code":"\#(shown)","name":"late"}"#).status == 403)
    // when the page is off, then the recorder says so
    _ = try seat.say("off")
    #expect(try seat.talk.run(["pair"]).errors.contains("The page for browsers does not answer"))
  }

  @Test("doctor says whether the page is on, for how many, and that codes were guessed")
  func doctor() throws {
    struct View: Decodable {
      struct Check: Decodable { let name: String, verdict: String, sentence: String }
      let checks: [Check]
    }
    let seat = try WebSeat(on: false)
    func page() throws -> String {
      let checks = try seat.talk.json(View.self, "doctor").checks.filter { $0.name == "page" }
      return checks.map { "\($0.verdict): \($0.sentence)" }.joined()
    }
    #expect(try page() == "well: The page is off.")
    _ = try seat.say("on")
    _ = try seat.pair()
    let on = "well: The page is on, and the network can read it; paired browsers: 1."
    #expect(try page() == on)
    // given five wrong codes
    for _ in 0..<5 { _ = try seat.post("/api/pair", #"{"code":"0","name":"x"}"#) }
    #expect(try page().hasPrefix("wrong: Wrong codes were typed; pairing waits"))
    // and a page that went away
    let old = seat.web
    old.send(SIGKILL)
    try until("its end") { old.hasEnded() }
    #expect(try page().hasPrefix("wrong: No page is served at"))
  }

  @Test("a browser that watches gets the whole truth, then each change")
  func events() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair("look")
    try seat.talk.record("Kitchen")
    let stream = try seat.connect()
    stream.send(
      "GET /api/events?folder=root&levels=1 HTTP/1.1\r\nHost: localhost\r\n"
        + "Cookie: \(cookie)\r\n\r\n"
    )
    #expect(try stream.reply().header("cache-control") == "no-store")
    _ = try stream.event("recorder", with: #""isThere":true"#)
    _ = try stream.event("status", with: #""state":"idle""#)
    let listing = try stream.event("listing", with: "Kitchen")
    #expect(listing.contains(#""total":1"#) && listing.contains(#""number":1"#))
    _ = try stream.event("levels", with: "peakDecibels")
    // when something changes at the recorder
    _ = try seat.talk.say("rename", "1", "Garden")
    _ = try stream.event("change", with: "Garden")
    _ = try seat.talk.say("mkdir", "Inner")
    _ = try stream.event("change", with: "Inner")
    _ = try seat.talk.say("mv", "1", "/Inner")
    _ = try stream.event("change", with: "removed")
    // and a folder that goes is told to be gone
    let inner = try seat.ask("/api/events?folder=\(try seat.id(of: "/Inner"))", as: cookie)
    #expect(try inner.reply().status == 200)
    _ = try inner.event("listing", with: "Garden")
    // and when the recorder goes away, the browser learns of it
    seat.talk.end()
    _ = try stream.event("recorder", with: #""isThere":false"#)
    #expect(try seat.order(["status"], as: cookie).status == 503)
  }

  @Test("sound comes whole and in ranges, byte for byte, under an unchanged tag")
  func sound() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair("listen")
    try seat.talk.record("Küche")
    let path = "/api/sound/\(try seat.id(of: "1"))"
    let file = seat.talk.scratch.bytes(seat.talk.scratch.recordings + "/0001 Küche.opus")
    let whole = try seat.get(path, as: cookie)
    #expect(whole.status == 200 && whole.body == file && !file.isEmpty)
    #expect(whole.header("content-type") == "audio/ogg" && whole.header("accept-ranges") == "bytes")
    let tag = try #require(whole.header("etag"))
    let part = try seat.get(path, as: cookie, ["Range": "bytes=100-299", "If-Range": tag])
    #expect(part.status == 206 && part.body == file.dropFirst(100).prefix(200))
    #expect(part.header("content-range") == "bytes 100-299/\(file.count)")
    let old = try seat.get(path, as: cookie, ["Range": "bytes=100-299", "If-Range": "\"old\""])
    #expect(old.status == 200 && old.body == file)
    #expect(try seat.get(path, as: cookie, ["If-None-Match": tag]).status == 304)
    let outside = try seat.get(path, as: cookie, ["Range": "bytes=\(file.count)-"])
    #expect(outside.status == 416 && outside.header("content-range") == "bytes */\(file.count)")
    let saved = try seat.get(path + "?save=1", as: cookie).header("content-disposition") ?? ""
    #expect(saved.contains("filename*=UTF-8''0001%20K%C3%BCche.opus"))
    #expect(try seat.request("HEAD", path, nil, ["Cookie": cookie]).status == 200)
    #expect(try seat.get(path + "?track=nothing", as: cookie).status == 404)
    let wave = try seat.get("/api/waveform/\(try seat.id(of: "1"))", as: cookie)
    #expect(wave.status == 200 && wave.text.contains(#""peaks":["#))
  }

  @Test("a track comes as WAV, byte for byte as the recorder exports it; nothing is left behind")
  func wav() throws {
    let seat = try WebSeat()
    let (look, cookie) = (try seat.pair("look"), try seat.pair("listen"))
    try seat.talk.record("Küche")
    let scratch = seat.talk.scratch
    let path = "/api/wav/\(try seat.id(of: "1"))"
    let reply = try seat.get(path, as: cookie)
    _ = try seat.talk.say("export", "1", "one.wav", "--track", "main")
    #expect(reply.status == 200 && reply.header("content-type") == "audio/wav")
    let exported = scratch.bytes(scratch.path + "/here/one.wav")
    #expect(reply.body == exported && exported.count > 10_000)
    let name = reply.header("content-disposition") ?? ""
    #expect(name.contains("filename*=UTF-8''0001%20K%C3%BCche.wav"))
    #expect(scratch.everything(in: "web") == ["sessions.json"])
    // again, at once, since the first one is done
    #expect(try seat.get(path + "?track=main", as: cookie).body == reply.body)
    #expect(try seat.get(path + "?track=x", as: cookie).status == 404)
    #expect(try seat.get("/api/wav/root", as: cookie).status == 404)
    #expect(try seat.get(path, as: look).status == 403)
    // and what is still being recorded cannot be converted yet
    _ = try seat.talk.say("record", "Now")
    #expect(try seat.get("/api/wav/\(try seat.id(of: "2"))", as: cookie).status == 409)
  }

  @Test("a browser that leaves while its recording is converted gives its turn to the next")
  func left() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair("listen")
    try seat.talk.record("Kitchen")
    let path = "/api/wav/\(try seat.id(of: "1"))"
    // given a recorder that does not get on with it
    seat.talk.daemon.send(SIGSTOP)
    var first: WebClient? = try seat.ask(path, as: cookie)
    #expect(first?.hasInput(withinMilliseconds: 300) == false)
    #expect(try seat.ask(path, as: cookie).reply().header("retry-after") == "10")
    // when the browser leaves
    first = nil
    // then the next one gets its turn, and its recording as soon as the recorder goes on
    var next: WebClient?
    try until("the turn to be free") {
      next = try seat.ask(path, as: cookie)
      return next?.hasInput(withinMilliseconds: 300) == false
    }
    seat.talk.daemon.send(SIGCONT)
    let reply = try next?.reply()
    #expect(reply?.status == 200 && reply?.header("content-type") == "audio/wav")
  }

  @Test("a role may do what it says, and no more")
  func roles() throws {
    let seat = try WebSeat()
    try seat.talk.record("Kitchen")
    let (look, listen, control) = (
      try seat.pair("look"), try seat.pair("listen"), try seat.pair("control")
    )
    let id = try seat.id(of: "1")
    for (cookie, sound, rename) in [(look, 403, 403), (listen, 200, 403), (control, 200, 200)] {
      #expect(try seat.order(["info", id], as: cookie).status == 200)
      #expect(try seat.get("/api/sound/\(id)", as: cookie).status == sound)
      #expect(try seat.get("/api/zip/root", as: cookie).status == sound)
      #expect(try seat.order(["rename", id, "New"], as: cookie).status == rename)
    }
    // what deletes asks first, and is done when it was confirmed
    #expect(try seat.order(["rm", id], as: control).text.contains("question"))
    let yes = #"{"words":["rm","--","\#(id)"],"yes":true}"#
    #expect(try seat.post("/api/do", yes, ["Cookie": control]).text.contains("Deleted"))
    #expect(try seat.order(["undo"], as: control).status == 200)
    for words in [["reload"], ["hand-over", "on"], ["export", "1", "/tmp/x.wav"], ["cd", "/"]] {
      #expect(try seat.order(words, as: control).status == 403, "\(words)")
    }
    let failed = try seat.order(["stop"], as: control)
    #expect(failed.status == 409 && failed.text.contains("notRecording"))
    let said = try seat.post(
      "/api/say", #"{"language":"de","sentences":["No recording is running."]}"#,
      ["Cookie": look])
    #expect(said.text.contains("Aufnahme"))
  }

  @Test("a folder is an archive of all below it, which other programs read")
  func zip() throws {
    let seat = try WebSeat()
    let cookie = try seat.pair("listen")
    try seat.talk.record("Küche")
    _ = try seat.talk.say("mkdir", "Inner")
    _ = try seat.talk.say("mkdir", "Inner/Deep")
    try seat.talk.record("Two")
    _ = try seat.talk.say("mv", "2", "/Inner/Deep")
    let scratch = seat.talk.scratch
    let reply = try seat.get("/api/zip/root", as: cookie)
    #expect(reply.status == 200 && reply.header("content-type") == "application/zip")
    let archive = try scratch.make("all.zip", reply.body)
    let script = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1])
      assert z.testzip() is None
      for name in sorted(z.namelist()):
          assert z.read(name) == open(sys.argv[2] + "/" + name, "rb").read(), name
          print(name)
      """
    let judged = try scratch.run("/usr/bin/python3", "-c", script, archive, scratch.recordings)
    #expect(judged.output == "0001 Küche.opus\nInner/Deep/0002 Two.opus\n", "\(judged.errors)")
    // and one below the root begins at that folder
    let inner = try seat.get("/api/zip/\(try seat.id(of: "/Inner"))", as: cookie)
    #expect(inner.body.firstRange(of: Data("Deep/0002 Two.opus".utf8)) != nil)
    #expect(inner.body.firstRange(of: Data("Inner/".utf8)) == nil)
    #expect(try seat.get("/api/zip/\(try seat.id(of: "1"))", as: cookie).status == 404)
  }
}

// Who gets in: names of hosts, origins, roles and commands, codes and guesses, and the file of
// sessions. Pure, except for the file.
import Glibc
import Realtime
import Scratch
import Testing

@testable import Web

@Suite struct HostRulesTests {
  @Test(
    "addresses, localhost, .local names and given names are answered",
    arguments: [
      "127.0.0.1", "192.168.1.7:8080", "[::1]:8080", "[fe80::1]", "localhost", "LocalHost:80",
      "reel.local", "a.b.local:8080", "box.example", "BOX.example:443",
    ])
  func answered(_ host: String) {
    #expect(HostRules(names: ["box.example"]).allows(host: host))
  }

  @Test(
    "any other name is refused: it may lead here by DNS rebinding",
    arguments: [
      "evil.example", "", ".local", "127.0.0.1.evil.example", "localhost.evil.example",
      "evil.example:80@127.0.0.1", "127.0.0.1:99999", "[::1", "[127.0.0.1]", "a b.local",
      "reel.local/", "reel.local:80:80", "ö.local", "box.example.evil", "[::1]x", "[::1\0x]",
    ])
  func refused(_ host: String) {
    #expect(!HostRules(names: ["box.example"]).allows(host: host))
  }

  @Test("an origin must be this host, to the port")
  func origins() {
    let rules = HostRules()
    #expect(rules.allows(origin: "http://reel.local:8080", host: "reel.local:8080"))
    #expect(rules.allows(origin: "https://REEL.local", host: "reel.local"))
    for origin in [
      nil, "", "null", "http://reel.local", "http://reel.local:8081", "http://evil.example",
      "file://reel.local:8080", "http://reel.local:8080.evil.example", "reel.local:8080",
    ] { #expect(!rules.allows(origin: origin, host: "reel.local:8080"), "\(origin ?? "none")") }
  }
}

@Suite struct CommandRulesTests {
  @Test("each command needs its role")
  func roles() {
    #expect(AllowedCommands.role(for: ["ls", "--from", "3", "--", "/"]) == .look)
    #expect(AllowedCommands.role(for: ["trash", "list"]) == .look)
    #expect(AllowedCommands.role(for: ["trash", "empty", "--older-than", "3"]) == .control)
    #expect(AllowedCommands.role(for: ["mark", "rename", "41", "1", "x"]) == .control)
    #expect(AllowedCommands.role(for: ["seek", "-10"]) == .control)
    #expect(AllowedCommands.role(for: ["config"]) == .control)
    #expect(AllowedCommands.role(for: ["rename", "--", "41", "--to"]) == .control)
    #expect(Role.look < .listen && Role.listen < .control)
  }

  @Test(
    "commands that end, configure or read files of the recorder are refused to all",
    arguments: [
      ["reload"], ["hand-over", "on"], ["flight"], ["doctor"], ["export", "1", "x"],
      ["import", "/etc/passwd"], ["join", "1"], ["open", "1"], ["copied", "1"], ["copying", "x"],
      ["cd", "/"], ["panel", "identify"], ["complete", "--", "x"], ["web", "on"], [], [""],
      ["waveform", "1", "--svg", "/etc/x"], ["ls", "--svg=x"], ["rm", "--yes", "1"],
      ["record", "-x"], Array(repeating: "mv", count: 601),
    ])
  func refused(_ words: [String]) {
    #expect(AllowedCommands.role(for: words) == nil)
  }

  @Test("an item is named by its id; no path or option passes for one")
  func names() {
    let id = "68254d29-ad08-45bc-904a-ebc6118d48e4"
    #expect(WebService.name(ofItem: id) == id)
    #expect(WebService.name(ofItem: "root") == "/" && WebService.name(ofItem: "trash") == "/.trash")
    for text in ["", "..", "/", "41", "--yes", "../../etc/passwd", id + "/", id.uppercased(), "\0"]
    {
      #expect(WebService.name(ofItem: text) == nil, "\(text)")
    }
  }
}

@Suite struct PairingTests {
  @Test("a code pairs once, within five minutes, typed with or without blanks")
  func once() {
    var pairing = Pairing()
    pairing.offer("12345678", .listen, atSeconds: 100)
    #expect(pairing.enter("1234 5678", atSeconds: 200) == .paired(.listen))
    #expect(pairing.enter("12345678", atSeconds: 201) == .wrong)
    pairing.offer("12345678", .look, atSeconds: 1000)
    #expect(pairing.enter("12345678", atSeconds: 1300) == .wrong, "it is too old")
  }

  @Test("without a code nothing pairs, not even nothing")
  func none() {
    var pairing = Pairing()
    #expect(pairing.enter("", atSeconds: 1) == .wrong)
    pairing.offer("12345678", .look, atSeconds: 1)
    pairing.withdraw()
    #expect(pairing.enter("12345678", atSeconds: 2) == .wrong)
  }

  @Test("five wrong codes in a minute make all pairing wait, each time longer, 15 minutes at most")
  func guessing() {
    var pairing = Pairing()
    var (now, waits): (Int64, [Int64]) = (1000, [])
    for _ in 0..<7 {
      for _ in 0..<5 { #expect(pairing.enter("00000000", atSeconds: now) == .wrong) }
      pairing.offer("12345678", .control, atSeconds: now)
      let wait = pairing.waitSeconds(atSeconds: now)
      waits.append(wait)
      // The right code is not even looked at.
      #expect(pairing.enter("12345678", atSeconds: now + 1) == .wait(seconds: wait - 1))
      now += wait
    }
    #expect(waits == [60, 120, 240, 480, 900, 900, 900])
    #expect(pairing.wrongCount == 35)
  }

  @Test("four wrong codes a minute cost nothing")
  func slowly() {
    var pairing = Pairing()
    for step in 0..<40 as Range<Int64> {
      #expect(pairing.enter("1", atSeconds: step * 16) == .wrong)
    }
  }

  @Test("codes have eight digits, tokens 64, and none is like another")
  func secrets() {
    let codes = Set((0..<200).map { _ in Secrets.code() })
    #expect(codes.count == 200 && codes.allSatisfy { $0.utf8.count == 8 && Int($0) != nil })
    let tokens = Set((0..<50).map { _ in Secrets.token() })
    #expect(tokens.count == 50 && tokens.allSatisfy { $0.utf8.count == 64 })
    #expect(Secrets.areEqual("abc", "abc") && !Secrets.areEqual("abc", "abd"))
    #expect(!Secrets.areEqual("abc", "ab") && !Secrets.areEqual("", "a"))
  }
}

@Suite struct SessionBookTests {
  private func session(_ number: Int, seen: Int64 = 5) -> Session {
    Session(
      id: "id\(number)", tokenHash: Secrets.hash("token\(number)"), name: "n\(number)",
      role: .look, madeSeconds: 1, seenSeconds: seen)
  }

  @Test("what is saved is read again; of a token only its hash is there")
  func file() throws {
    let folder = ScratchFolder()
    let file = SessionFile(in: folder.path)
    #expect(try file.load() == SessionBook())
    var book = SessionBook()
    book.isOn = true
    book.add(session(1))
    try file.save(book)
    #expect(try file.load() == book)
    let text = String(decoding: book.bytes, as: UTF8.self)
    #expect(!text.contains("token1") && text.contains(Secrets.hash("token1")))
    #expect(book.session(token: "token1")?.id == "id1" && book.session(token: "token2") == nil)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(
    "a damaged file is an error, not an empty book",
    arguments: [
      "", "{", "{}", #"{"version":2,"sessions":[]}"#, #"{"version":1,"sessions":[{"id":"x"}]}"#,
      #"{"version":1,"sessions":[{"id":"x","token":"0","name":"","role":"look","made":1}]}"#,
    ])
  func damaged(_ text: String) throws {
    let folder = ScratchFolder()
    let file = SessionFile(in: folder.path)
    #expect(SmallFile.replace(file.path, with: Array(text.utf8), mode: 0o600) == nil)
    #expect(throws: WebError.self) { try file.load() }
  }

  @Test("there is an end to sessions: the one not seen for longest goes")
  func bounded() {
    var book = SessionBook()
    for number in 0..<250 { book.add(session(number, seen: Int64(1000 - number))) }
    #expect(book.sessions.count == SessionBook.sessionsMaximum)
    #expect(book.session(token: "token249") != nil && book.session(token: "token248") == nil)
  }

  @Test("names are short and show no tricks")
  func names() {
    #expect(SessionBook.cleaned("  My\u{202E} \u{1B}[31mphone\n") == "My [31mphone")
    #expect(SessionBook.cleaned("\u{0}\u{7}") == "browser")
    #expect(SessionBook.cleaned(String(repeating: "ä", count: 100)).utf8.count == 80)
  }

  @Test("sessions are revoked by id, by name, or all")
  func revoking() {
    var book = SessionBook()
    for number in 0..<4 { book.add(session(number)) }
    #expect(book.revoke("id1").map(\.id) == ["id1"] && book.revoke("id1").isEmpty)
    #expect(book.revoke("n2").map(\.id) == ["id2"])
    #expect(book.revoke("all").count == 2 && book.sessions.isEmpty)
  }
}

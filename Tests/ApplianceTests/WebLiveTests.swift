// Live listening over the whole appliance: a virtual microphone that plays a file, the recorder,
// reel-web, and browsers that listen while a take runs.

import FoundationEssentials
import Glibc
import Testing

@Suite actor WebLiveTests: Desk {
  nonisolated let chair = Chair()

  private static let rate = 48_000
  /// A second of noise, in which any few samples tell their place.
  private static let sound = {
    var number: UInt32 = 1
    return (0..<rate).map { _ in
      number = number &* 1_664_525 &+ 1_013_904_223
      return Int16(truncatingIfNeeded: number >> 16)
    }
  }()

  /// A recorder whose microphone plays that sound over and over.
  private func seat(_ configuration: String? = nil) throws -> WebSeat {
    let scratch = Scratch()
    if let configuration { try scratch.make("root/etc/reel.json", Data(configuration.utf8)) }
    var bytes = Array("RIFF".utf8) + Self.little(36 + 2 * Self.rate, 4) + Array("WAVEfmt ".utf8)
    bytes += Self.little(16, 4) + Self.little(1, 2) + Self.little(1, 2) + Self.little(Self.rate, 4)
    bytes += Self.little(2 * Self.rate, 4) + Self.little(2, 2) + Self.little(16, 2)
    bytes += Array("data".utf8) + Self.little(2 * Self.rate, 4)
    for sample in Self.sound { bytes += Self.little(Int(UInt16(bitPattern: sample)), 2) }
    let file = try scratch.make("microphone.wav", Data(bytes))
    return try WebSeat(scratch, ["--mic", file])
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func listen(_ seat: WebSeat, as cookie: String) throws -> (WebClient, WebReply) {
    let client = try seat.ask("/api/live", as: cookie)
    return (client, try client.reply())
  }

  /// What the microphone delivers at a time.
  private static let pieceFrames = 960

  /// Expects that the samples are those of the microphone, one after the other. Live sound may lack
  /// whole pieces, where a busy machine was too late for them; that few are missing proves that the
  /// others are not lost by mistake. `LiveTests` of the room prove the same without a clock.
  private func expectDelivered(_ heard: [Int16], holes mayMiss: Bool = false) throws {
    var (place, holes) = (0, 0)
    for start in stride(from: 0, to: heard.count, by: Self.pieceFrames) {
      let piece = heard[start..<min(heard.count, start + Self.pieceFrames)]
      if start == 0 || mayMiss && !Self.delivers(piece.prefix(64), at: place) {
        holes += start == 0 ? 0 : 1
        place = try #require(
          Self.sound.indices.first { Self.delivers(piece.prefix(64), at: $0) },
          "what begins at \(start) of \(heard.count) was never delivered")
      }
      #expect(Self.delivers(piece, at: place), "the piece from \(start) of \(heard.count)")
      place += piece.count
    }
    #expect(holes <= heard.count / Self.pieceFrames / 4, "\(holes) holes in \(heard.count)")
  }

  private static func delivers(_ samples: ArraySlice<Int16>, at place: Int) -> Bool {
    samples.enumerated().allSatisfy { sound[(place + $0.offset) % rate] == $0.element }
  }

  @Test("what is heard is what the microphone delivers, and the server knows how late it is")
  func everySample() throws {
    let seat = try seat()
    let cookie = try seat.pair("listen")
    let began = now()
    let (client, reply) = try listen(seat, as: cookie)
    #expect(reply.status == 200)
    #expect(reply.header("content-type") == "audio/L16;rate=48000;channels=1")
    let heard = client.samples(3 * Self.rate)
    #expect(heard.count >= 3 * Self.rate)
    try expectDelivered(heard, holes: true)
    // and the server knows which frame is heard now: after the last one that came, and not later
    // than the clock says; scripts/check-browser measures how late
    let stream = try #require(reply.header("reel-stream"))
    struct Position: Decodable { let frame: Int, rate: Int }
    let position = try seat.get("/api/live/\(stream)", as: cookie)
    let told = try JSONDecoder().decode(Position.self, from: position.body)
    let heardSeconds = Double(told.frame) / Double(told.rate)
    let seconds = Double(now() - began) / 1e9
    #expect(told.rate == Self.rate && told.frame >= heard.count - Self.rate / 10)
    #expect(heardSeconds < seconds + 1, "\(heardSeconds) s of sound in \(seconds) s")
    let other = try seat.pair("listen")
    #expect(try seat.get("/api/live/\(stream)", as: other).status == 404)
  }

  @Test("a take beside listeners is whole, also if one does not read; they end with their session")
  func besideATake() throws {
    let seat = try seat(#"{"tracks": [{"channels": [1], "format": "flac"}]}"#)
    let (look, cookie) = (try seat.pair("look"), try seat.pair("listen", name: "Ear"))
    #expect(try listen(seat, as: look).1.status == 403)
    #expect(try listen(seat, as: "").1.status == 401)
    // given two that listen, of which one never reads
    let (client, reply) = try listen(seat, as: cookie)
    let (deaf, _) = try listen(seat, as: cookie)
    #expect(reply.status == 200)
    // when a take runs meanwhile
    _ = try seat.talk.say("record", "Take")
    try expectDelivered(client.samples(3 * Self.rate), holes: true)
    _ = try seat.talk.say("stop")
    // then every frame of it is accounted for
    _ = try seat.talk.say("export", "1", "take.wav")
    let file = seat.talk.scratch.bytes(seat.talk.scratch.path + "/here/take.wav")
    let start = try #require(file.firstRange(of: Data("data".utf8))).upperBound + 4
    let taken = stride(from: start, to: file.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8)
    }
    #expect(taken.count > 2 * Self.rate)
    try expectDelivered(taken)
    let info = try seat.talk.say("info", "1", "--json")
    #expect(info.contains(#""gaps":[]"#) && info.contains(#""stopReason":"pressed""#), "\(info)")
    // and the one that never read has missed what it did not read, and still hears
    #expect(!deaf.samples(1000).isEmpty)
    // and both end with their session
    _ = try seat.say("revoke", "Ear")
    while !client.samples(Self.rate).isEmpty {}
    while !deaf.samples(Self.rate).isEmpty {}
    #expect(try seat.get("/api/me", as: cookie).status == 401)
  }

  @Test("a microphone that sleeps stays asleep, and a browser that listened hears why")
  func asleep() throws {
    let seat = try seat(#"{"armed": false}"#)
    let cookie = try seat.pair("control")
    let refused = try seat.get("/api/live", as: cookie)
    #expect(refused.status == 409 && refused.text.contains("is off until something is recorded"))
    // when something is recorded it can be heard, until the end of that
    _ = try seat.talk.say("record", "Take")
    let (client, reply) = try listen(seat, as: cookie)
    #expect(reply.status == 200)
    #expect(!client.samples(4800).isEmpty)
    _ = try seat.talk.say("stop")
    while !client.samples(Self.rate).isEmpty {}
    #expect(try seat.get("/api/live", as: cookie).status == 409)
    // and without a recorder there is nothing
    seat.talk.end()
    #expect(try seat.get("/api/live", as: cookie).status == 503)
  }
}

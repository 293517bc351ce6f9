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
    let client = try seat.connect()
    client.send("GET /api/live HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
    return (client, try client.reply())
  }

  /// Expects that the samples are those of the microphone, one after the other.
  private func expectDelivered(_ heard: [Int16]) throws {
    let begin = try #require(
      Self.sound.indices.first { start in
        (0..<64).allSatisfy { Self.sound[(start + $0) % Self.rate] == heard[$0] }
      })
    let wrong = heard.indices.first { heard[$0] != Self.sound[(begin + $0) % Self.rate] }
    #expect(wrong == nil, "sample \(wrong ?? 0) of \(heard.count)")
  }

  @Test("what is heard is what the microphone delivers, sample for sample, less than a second late")
  func everySample() throws {
    let seat = try seat()
    let cookie = try seat.pair("listen")
    let (client, reply) = try listen(seat, as: cookie)
    #expect(reply.status == 200)
    #expect(reply.header("content-type") == "audio/L16;rate=48000;channels=1")
    let heard = client.samples(3 * Self.rate)
    #expect(heard.count >= 3 * Self.rate)
    try expectDelivered(heard)
    // and the server knows which frame is heard now: it is not far from the last one that came
    let stream = try #require(reply.header("reel-stream"))
    struct Position: Decodable { let frame: Int, rate: Int }
    let position = try seat.get("/api/live/\(stream)", as: cookie)
    let told = try JSONDecoder().decode(Position.self, from: position.body)
    let behind = Double(told.frame - heard.count) / Double(told.rate)
    #expect(told.rate == Self.rate && (-0.1..<1).contains(behind), "\(behind) s")
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
    try expectDelivered(client.samples(3 * Self.rate))
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

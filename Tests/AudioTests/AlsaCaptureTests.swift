// The microphone on a paced device: every frame arrives, in order, with plausible times, and the
// stream ends when the device does. Bounds are wide: the machine may be busy.
import Glibc
import Testing

@testable import Audio

extension AlsaDeviceTests {
  @Test("every frame that is played is captured, in order, at the pace of the clock")
  func capture() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    var microphone = try AlsaCapture.open(AlsaRequest(pcmName: "vmic"))
    #expect(
      microphone.format
        == StreamFormat(rate: 48_000, channels: 1, samples: .int16, periodFrames: 2_400))
    #expect(microphone.setup.bufferFrames >= 9_600)
    var heard = Listener(microphone.format)
    heard.listen(&microphone, toFrames: 9_600)
    let played = 48_000 * 5
    try device.playIntoMicrophone(Counter.samples(played))
    heard.listen(&microphone, toFrames: 48_000 * 7)

    #expect(Counter.run(in: heard.samples) == played, "frames are missing or out of order")
    #expect(heard.lostFrames == 0)
    #expect(heard.end == nil)
    let stamps = heard.stamps.map(\.nanoseconds)
    #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 }, "time went back")
    let deviation = heard.deviation()
    #expect(abs(deviation) < 200, "the device's times are \(deviation) ppm off")
  }

  @Test("a server that dies is gone, in bounded time and calls")
  func death() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    var microphone = try AlsaCapture.open(AlsaRequest(pcmName: "vmic"))
    var heard = Listener(microphone.format)
    heard.listen(&microphone, toFrames: 9_600)
    device.signal(SIGKILL)
    let calls = heard.calls
    let begin = time(nil)
    heard.listen(&microphone, toFrames: .max)
    guard case .gone = heard.end else {
      Issue.record("the dead server is not gone")
      return
    }
    #expect(heard.calls - calls < 100)
    #expect(time(nil) - begin < 10)
    #expect(throws: AlsaError.self) { _ = try AlsaCapture.open(AlsaRequest(pcmName: "vmic")) }
  }

  @Test("a server that stalls for a while costs no time on the clock")
  func stall() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    var microphone = try AlsaCapture.open(AlsaRequest(pcmName: "vmic"))
    var heard = Listener(microphone.format)
    heard.listen(&microphone, toFrames: 24_000)
    device.stall(seconds: 1.5)
    heard.listen(&microphone, toFrames: 24_000 + 96_000)
    let (first, last) = try (#require(heard.blocks.first), #require(heard.blocks.last))
    let passed = Double(last.nanoseconds - first.nanoseconds) / 1e9 * 48_000
    let counted = try Double(#require(heard.stamps.last).firstFrame)
    #expect(
      abs(passed - counted) < 9_600,
      "\(counted) frames in the time of \(passed), \(heard.lostFrames) lost")
    #expect(heard.end == nil)
  }

  @Test("an unknown name is answered with the names that exist")
  func missing() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    for name in ["hw:CARD=Nowhere", "nowhere"] {
      do {
        _ = try AlsaCapture.open(AlsaRequest(pcmName: name))
        Issue.record("\(name) was opened")
      } catch {
        #expect(error.code == .notThere)
        #expect(error.sentence.hasPrefix("There is no sound card or device called"))
      }
    }
  }
}

extension Listener {
  /// How much faster than 48 kHz the device runs by its times, in millionths. A block may come
  /// late, never early, so the least late block of the first and of the last third are compared.
  fileprivate func deviation() -> Double {
    let third = blocks.count / 3
    func lateness(_ blocks: ArraySlice<(frame: Int, nanoseconds: Int64)>) -> (Double, Double) {
      let late = blocks.map {
        (Double($0.nanoseconds) - Double($0.frame) / 48_000 * 1e9, Double($0.frame))
      }
      return late.min { $0.0 < $1.0 } ?? (0, 0)
    }
    let (first, firstFrame) = lateness(blocks.prefix(third))
    let (last, lastFrame) = lateness(blocks.suffix(third))
    return (last - first) / ((lastFrame - firstFrame) / 48_000 * 1e9) * 1e6
  }
}

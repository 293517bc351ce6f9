// The speaker on a paced device, recorded by another program; samples from and to files, byte for
// byte; and the mixer, as amixer sees it.
import Glibc
import Recorder
import Testing

@testable import Audio

extension AlsaDeviceTests {
  @Test("all that is played is heard, in order, at the reported times")
  func playback() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    var request = AlsaRequest(pcmName: "vspk")
    request.channels = 2
    var speaker = try AlsaPlayback.open(request)
    #expect(speaker.format.channels == 2 && speaker.format.samples == .int16)
    let path = device.folder + "/out.raw"
    let format = "-t raw -f S16_LE -r 48000 -c 2"
    let recorder = try #require(
      popen("timeout 60 arecord -q -D vspk_mon \(format) -d 6 '\(path)' 2>&1", "r"))
    waitForBytes(9_600, path)
    let times = play(Counter.samples(96_000).flatMap { [$0, ~$0] }, &speaker)
    speaker.drain()
    let ended = now()
    pclose(recorder)
    let heard = try samples(path)
    let left = stride(from: 0, to: heard.count, by: 2).map { heard[$0] }
    let right = stride(from: 1, to: heard.count, by: 2).map { heard[$0] }
    #expect(Counter.run(in: left) == 96_000)
    #expect(zip(left, right).allSatisfy { $1 == ($0 == 0 ? 0 : ~$0) })
    let first = try #require(times.first)
    let last = try #require(times.last)
    let spread = Double(last.heard - first.heard) / 1e9 - Double(last.frame - first.frame) / 48_000
    #expect(abs(spread) < 0.5)
    #expect(ended > last.heard - 100_000_000, "the end was not waited for")
  }

  @Test("samples pass from file to file unchanged", arguments: AlsaSampleFormat.allCases)
  func files(_ format: AlsaSampleFormat) throws {
    let device = try PacedDevice()
    defer { device.stop() }
    // As a float each is a normal number with no more bits than a float has.
    let unused = format == .int24 ? 3 : format == .int32 ? 0 : -1
    let frameBytes = 3 * format.byteCount
    let bytes = (0..<4_000 * frameBytes).map {
      $0 % format.byteCount == unused ? 0 : UInt8(truncatingIfNeeded: $0 * 7) & 0x3b
    }
    let input = try device.write(bytes, "in")
    let output = device.folder + "/out"
    let file = "type file format raw slave.pcm null"
    device.configure("pcm.from { \(file) file /dev/null infile \"\(input)\" }")
    device.configure("pcm.to { \(file) file \"\(output)\" }")

    let (frames, sound) = try capture(format)
    try play(sound, format)
    let played = try self.bytes(output)
    // Picked in reverse twice, both channels are where they were; the middle one is silent.
    let expected = bytes.prefix(frames * frameBytes).enumerated().map { offset, byte in
      offset / format.byteCount % 3 == 1 ? 0 : byte
    }
    #expect(frames > 0 && played.count >= expected.count)
    let wrong = zip(played, expected).count { $0 != $1 }
    #expect(wrong == 0)
  }

  /// Captures the third channel and the first.
  private func capture(_ format: AlsaSampleFormat) throws -> (Int, [UInt8]) {
    var request = AlsaRequest(pcmName: "from")
    request.formats = [format]
    request.picks = [2, 0]
    var microphone = try AlsaCapture.open(request)
    #expect(microphone.setup.deviceChannels == 3)
    #expect(microphone.setup.sampleFormat == format)
    var sound = [UInt8](repeating: 0, count: 960 * microphone.format.frameBytes)
    let arrival = sound.withUnsafeMutableBytes { microphone.read(into: $0) }
    guard case .frames(let frames, _, _) = arrival else { return (0, []) }
    return (frames, Array(sound.prefix(frames * microphone.format.frameBytes)))
  }

  private func play(_ sound: [UInt8], _ format: AlsaSampleFormat) throws {
    var request = AlsaRequest(pcmName: "to")
    request.formats = [format]
    request.channels = 2
    request.picks = [2, 0]
    var speaker = try AlsaPlayback.open(request)
    var done = 0
    for _ in 0..<20 where done < sound.count {
      let departure = sound[done...].withUnsafeBytes { speaker.write(from: $0) }
      if case .taken(let frames, _) = departure { done += frames * speaker.format.frameBytes }
    }
  }

  @Test("levels and switches are set, and missing controls are reported")
  func mixer() throws {
    let device = try PacedDevice()
    defer { device.stop() }
    var speaker = MixerLevel("Master", .playback)
    speaker.values = [.percent(25), .percent(75)]
    speaker.isOn = true
    var microphone = MixerLevel("Capture", .capture)
    microphone.values = [.percent(50)]
    microphone.isOn = false
    let unknown = MixerLevel("Boost", .capture)
    var wrongWay = MixerLevel("Capture", .playback)
    wrongWay.values = [.decibels(0)]
    let told = AlsaMixer.set([speaker, microphone, unknown, wrongWay], of: "vctl")
    #expect(
      told == [
        "vctl has no control called Boost; it has Master, Capture.",
        "vctl cannot set its level for playing at its control Capture.",
      ])
    let seen = shell("amixer -D vctl").text
    for line in [
      "Front Left: Playback 16384 [25%] [on]", "Front Right: Playback 49152 [75%] [on]",
      "Mono: Capture 32768 [50%] [off]",
    ] {
      #expect(seen.contains(line), "amixer sees \(seen)")
    }
    #expect(
      AlsaMixer.set([speaker], of: "hw:CARD=Nowhere") == [
        "hw:CARD=Nowhere has no mixer, so its levels stay as they are."
      ])
  }

  /// Writes all samples; returns where each piece began and when it was to be heard.
  private func play(
    _ samples: [Int16], _ speaker: inout AlsaPlayback
  ) -> [(frame: Int, heard: Int64)] {
    var times: [(frame: Int, heard: Int64)] = []
    var done = 0
    let deadline = time(nil) + 120
    while done < samples.count / 2, time(nil) < deadline {
      let departure = samples[(done * 2)...].withUnsafeBytes { speaker.write(from: $0) }
      if case .taken(let frames, let heard) = departure {
        times.append((done, heard))
        done += frames
      }
    }
    return times
  }

  private func waitForBytes(_ count: Int, _ path: String) {
    var status = stat()
    // Between two polls.
    for _ in 0..<200 where stat(path, &status) != 0 || status.st_size < count { usleep(100_000) }
  }

  private func now() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    try #require(fread(&bytes, 1, bytes.count, file) == bytes.count)
    return bytes
  }

  private func samples(_ path: String) throws -> [Int16] {
    try bytes(path).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }
}

// How streams handle a device that stops, sleeps, idles or is unplugged: a bounded number of calls
// in bounded time. The device fails by alsa-lib's own rules. Runs on any thread.
import CAlsaFaults
import Glibc
import Testing

@testable import Audio

@Suite struct AlsaFaultTests {
  @Test("a microphone that stops for ever is given up after eight restarts")
  func stopsForEver() throws {
    let device = try FailingDevice()
    var microphone = try device.capture()
    device.set(FAULTS_STOPS)
    for _ in 0..<8 { #expect(read(&microphone) == .restarted(.overrun)) }
    #expect(read(&microphone) == .gone(errno: EPIPE))
    #expect(device.faults.prepares <= 10)
  }

  @Test("single overruns are recovered from, however often they come")
  func stopsOnce() throws {
    let device = try FailingDevice()
    var microphone = try device.capture()
    for _ in 0..<30 {
      device.set(FAULTS_STOPS_ONCE)
      #expect(read(&microphone) == .restarted(.overrun))
      #expect(frames(read(&microphone)) == microphone.format.periodFrames)
    }
  }

  @Test("an overrun costs only the frames that were overwritten, not those still in the buffer")
  func overruns() throws {
    // Given a device that keeps running, and two buffers and a half that were not read
    let device = try FailingDevice(runsOn: true)
    var microphone = try device.capture()
    #expect(frames(read(&microphone)) == microphone.format.periodFrames)
    let starts = device.faults.starts
    device.set(FAULTS_OVERRUNS)
    // When it is read again
    #expect(read(&microphone) == .restarted(.overrun))
    var kept = 0
    while device.faults.mood == FAULTS_OVERRUNS, kept < microphone.setup.bufferFrames {
      let count = frames(read(&microphone))
      if count == 0 { break }
      kept += count
    }
    // Then all is kept but the period that is just being overwritten, and the device was not
    // stopped
    let least = microphone.setup.bufferFrames - microphone.setup.periodFrames
    #expect(kept >= least && kept <= microphone.setup.bufferFrames, "\(kept)")
    #expect(device.faults.starts == starts)
  }

  @Test("a suspended device is waited for")
  func sleeps() throws {
    let device = try FailingDevice()
    var microphone = try device.capture()
    device.set(FAULTS_SLEEPS)
    #expect(read(&microphone) == .restarted(.suspended))
    #expect(device.faults.resumes == 1)
    #expect(frames(read(&microphone)) == microphone.format.periodFrames)
  }

  @Test("an unplugged device is gone at once")
  func gone() throws {
    let device = try FailingDevice()
    var microphone = try device.capture()
    #expect(frames(read(&microphone)) == microphone.format.periodFrames)
    device.set(FAULTS_GONE)
    for _ in 0..<3 { #expect(read(&microphone) == .gone(errno: ENODEV)) }
  }

  @Test("a device that is always ready and never delivers is given up after a while")
  func idles() throws {
    let device = try FailingDevice()
    var microphone = try device.capture()
    device.set(FAULTS_IDLES)
    var calls = 0
    while calls < 1000, read(&microphone) == .nothing { calls += 1 }
    #expect(calls == 400)
    #expect(read(&microphone) == .gone(errno: EAGAIN))
  }

  @Test("it is waited for in whole periods, and a quarter of its buffer at most")
  func waits() throws {
    // Given a device with a buffer of twenty periods
    let device = try FailingDevice()
    var microphone = try device.capture()
    let period = microphone.setup.periodFrames
    #expect(microphone.setup.bufferFrames >= 16 * period)
    #expect(device.faults.wait_frames == period)
    // When so many frames are wanted, then it is told of whole periods
    for (wanted, periods) in [
      (period + 1, 2), (2 * period, 2), (3 * period, 3), (100 * period, 4), (1, 1), (-period, 1),
    ] {
      microphone.allowWait(frames: wanted)
      #expect(device.faults.wait_frames == periods * period, "\(wanted)")
    }
    // And only of a change
    let setups = device.faults.setups
    microphone.allowWait(frames: 0)
    #expect(device.faults.setups == setups)
    #expect(frames(read(&microphone)) == period)
    // And with a buffer of eight periods, of two at most
    var short = try device.capture(bufferMilliseconds: 400)
    short.allowWait(frames: 100 * period)
    #expect(short.setup.bufferFrames / period == 8 && device.faults.wait_frames == 2 * period)
  }

  @Test("the speaker retries as often as the microphone, and no more")
  func playback() throws {
    let device = try FailingDevice()
    var speaker = try device.playback()
    let sound = [UInt8](repeating: 1, count: speaker.format.periodFrames * 2)
    func write() -> Departure { sound.withUnsafeBytes { speaker.write(from: $0) } }
    for _ in 0..<4 {
      guard case .taken(speaker.format.periodFrames, _) = write() else {
        Issue.record("a period was not taken")
        return
      }
    }
    device.set(FAULTS_STOPS_ONCE)
    #expect(write() == .restarted)
    device.set(FAULTS_STOPS)
    var restarts = 0
    while restarts < 100, case .restarted = write() { restarts += 1 }
    #expect(restarts <= 8)
    device.set(FAULTS_GONE)
    #expect(write() == .gone(errno: ENODEV))
    speaker.drain()
    speaker.drop()
  }

  @Test("a request that makes no sense is refused, and nothing else happens")
  func requests() throws {
    for spoil: (inout AlsaRequest) -> Void in [
      { $0.channels = 0 }, { $0.channels = 9 }, { $0.picks = [] }, { $0.picks = [-1] },
      { $0.picks = Array(0...8) }, { $0.rate = 0 }, { $0.periodMilliseconds = 0 },
      { $0.bufferMilliseconds = -1 },
    ] {
      var request = AlsaRequest(pcmName: "null")
      spoil(&request)
      do {
        _ = try AlsaCapture.open(request)
        Issue.record("\(request) was taken")
      } catch {
        #expect(error.code == .unsuitable)
      }
    }
  }

  @Test("eight channels of three bytes a sample are read as the device has them")
  func eightChannels() throws {
    // Given a device whose bytes are those of a file, in frames of 24
    let folder = Folder()
    let bytes = (0..<24 * 48_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) }
    let file = try folder.put(bytes, "in.raw")
    let device = """
      pcm.eight { type file slave.pcm null file /dev/null infile \(file) format raw }
      </usr/share/alsa/alsa.conf>
      """
    setenv("ALSA_CONFIG_PATH", try folder.put(Array(device.utf8), "asound.conf"), 1)
    defer { unsetenv("ALSA_CONFIG_PATH") }
    var request = AlsaRequest(pcmName: "eight")
    (request.channels, request.formats) = (8, [.int24Packed])
    var microphone = try AlsaCapture.open(request)
    #expect(microphone.setup.deviceChannels == 8)
    #expect(microphone.format.channels == 8 && microphone.format.frameBytes == 32)
    // When it is read, then each sample is that of the file
    var block = [Float](repeating: 0, count: 8 * 2_400)
    let arrival = block.withUnsafeMutableBytes { microphone.read(into: $0) }
    let count = frames(arrival)
    try #require(count > 100)
    for index in 0..<count * 8 {
      let word = (0..<3).reduce(UInt32(0)) { $0 | UInt32(bytes[index * 3 + $1]) << (8 * $1 + 8) }
      #expect(block[index] == Float(Int32(bitPattern: word)) / 2_147_483_648)
    }
  }

  @Test("retries end after eight restarts in a row, in about two thirds of a second")
  func retries() {
    var retries = AlsaRetries()
    var pauses: [Int32] = []
    while let pause = retries.pauseBeforeRestart() { pauses.append(pause) }
    #expect(pauses == [0, 5, 10, 20, 40, 80, 160, 320])
    retries.reset()
    #expect(retries.pauseBeforeRestart() == 0)
  }

  @Test("a device's timestamp is used unless it is absent, from the future or too old")
  func times() {
    let now: Int64 = 5_000_000_000
    #expect(AlsaTime.moment(stamp: now - 1_000_000, now: now) == now - 1_000_000)
    #expect(AlsaTime.moment(stamp: now, now: now) == now)
    #expect(AlsaTime.moment(stamp: 0, now: now) == now)
    #expect(AlsaTime.moment(stamp: now + 1, now: now) == now)
    #expect(AlsaTime.moment(stamp: now - 1_000_000_001, now: now) == now)
    #expect(AlsaTime.moment(stamp: 1_700_000_000_000_000_000, now: now) == now, "wall time")
    #expect(AlsaTime.nanoseconds(frames: 48_000 * 3600, rate: 48_000) == 3_600_000_000_000)
    #expect(AlsaTime.frames(nanoseconds: 20_000_000, rate: 48_000) == 960)
    #expect(AlsaTime.frames(nanoseconds: .max, rate: 192_000) == 192_000 * 3600)
  }
}

/// Owns the memory shared with the failing device.
private final class FailingDevice {
  private let memory: UnsafeMutablePointer<faults>
  var faults: faults { memory.pointee }

  init(runsOn: Bool = false) throws {
    memory = .allocate(capacity: 1)
    memory.initialize(to: CAlsaFaults.faults())
    memory.pointee.runs_on = runsOn
  }

  deinit { memory.deallocate() }

  func capture(bufferMilliseconds: Int? = nil) throws -> AlsaCapture {
    let handle = try #require(faults_open(memory, false))
    var request = AlsaRequest(pcmName: "")
    request.bufferMilliseconds = bufferMilliseconds
    return try AlsaCapture.start(
      AlsaPCM(handle, "the failing device", .capture, runsOn: faults.runs_on), request)
  }

  func playback() throws -> AlsaPlayback {
    let handle = try #require(faults_open(memory, true))
    return try AlsaPlayback.prepare(
      AlsaPCM(handle, "the failing device", .playback), AlsaRequest(pcmName: ""))
  }

  func set(_ mood: faults_mood) { faults_set(memory, mood) }
}

private func read(_ microphone: inout AlsaCapture) -> Arrival {
  var block = [UInt8](repeating: 0, count: 96_000)
  return block.withUnsafeMutableBytes { microphone.read(into: $0) }
}

private func frames(_ arrival: Arrival) -> Int {
  if case .frames(let count, _, _) = arrival { count } else { 0 }
}

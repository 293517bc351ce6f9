// Shared by the tests with a paced device: the device itself, a sound that shows every lost or
// doubled frame, and a listener. The environment names the device, so these tests run one after
// another.
import Glibc
import Testing

@testable import Audio

/// Serialized: the ALSA configuration belongs to the process.
@Suite(.serialized) struct AlsaDeviceTests {}

/// A private sound server and its ALSA configuration, until it is stopped.
struct PacedDevice {
  let folder: String
  private var server: pid_t

  init() throws {
    folder = shell("mktemp -d").text.trimmed
    server = 0
    try start()
    setenv("ALSA_CONFIG_PATH", folder + "/asound.conf", 1)
  }

  /// Starts the server again in the same folder after it has died.
  func startAgain() throws {
    var again = self
    try again.start()
  }

  private mutating func start() throws {
    let started = shell("'\(Self.script)' start '\(folder)' 2>&1")
    let pid = shell("cat '\(folder)/pid' 2>/dev/null").text.trimmed
    guard started.status == 0, let server = pid_t(pid) else {
      throw NoDevice(description: "no paced sound device: \(started.text.trimmed)")
    }
    self.server = server
  }

  func stop() {
    shell("'\(Self.script)' stop '\(folder)'; rm -rf '\(folder)'")
    unsetenv("ALSA_CONFIG_PATH")
  }

  func signal(_ number: Int32) { kill(server, number) }

  /// Stops the server for that time from now on; returns at once.
  func stall(seconds: Double) {
    signal(SIGSTOP)
    shell("(sleep \(seconds); kill -CONT \(server)) >/dev/null 2>&1 &")
  }

  /// Adds to the configuration.
  func configure(_ text: String) { shell("echo '\(text)' >> '\(folder)/asound.conf'") }

  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = folder + "/" + name
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    return path
  }

  /// Plays samples into the microphone; returns at once.
  func playIntoMicrophone(_ samples: [Int16]) throws {
    let path = try write(
      samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] },
      "in.raw")
    let format = "-q -t raw -f S16_LE -r 48000 -c 1"
    shell("timeout 60 aplay -D vmic_in \(format) '\(path)' >'\(folder)/aplay.log' 2>&1 &")
  }

  private static let script =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    .joined(separator: "/") + "/support/paced-device"
}

struct NoDevice: Error, CustomStringConvertible { let description: String }

/// A sound whose samples say where they belong; none is silent.
enum Counter {
  static func samples(_ count: Int) -> [Int16] {
    (0..<count).map { Int16(truncatingIfNeeded: $0 % 65_535 + 1) }
  }

  /// Returns how many samples of it follow each other, from the first that is not silent; a sample
  /// too many, too few or out of place ends the run.
  static func run(in heard: [Int16]) -> Int {
    guard let first = heard.firstIndex(where: { $0 != 0 }), heard[first] == 1 else { return 0 }
    return zip(heard[first...], samples(heard.count - first)).prefix { $0 == $1 }.count
  }
}

/// Reads a microphone as the capture thread does, and keeps all samples.
struct Listener {
  private(set) var samples: [Int16] = []
  /// The first frame of each block in `samples`, and when the device heard it.
  private(set) var blocks: [(frame: Int, nanoseconds: Int64)] = []
  private(set) var stamps: [FrameClock.Stamp] = []
  private(set) var clock: FrameClock
  private(set) var end: Arrival?
  private(set) var calls = 0
  private var block: [UInt8]

  init(_ format: StreamFormat) {
    clock = FrameClock(rate: format.rate, periodFrames: format.periodFrames)
    block = [UInt8](repeating: 0, count: format.frameBytes * format.periodFrames * 4)
  }

  var lostFrames: Int64 { stamps.reduce(0) { $0 + $1.lostFrames } }

  /// Reads until there are `count` samples, the device is gone, or 120 s have passed.
  mutating func listen(_ microphone: inout AlsaCapture, toFrames count: Int) {
    let deadline = time(nil) + 120
    while samples.count < count, end == nil, time(nil) < deadline { take(&microphone) }
  }

  private mutating func take(_ microphone: inout AlsaCapture) {
    calls += 1
    let arrival = block.withUnsafeMutableBytes { microphone.read(into: $0) }
    switch arrival {
    case .frames(let count, let first, let isBehind):
      blocks.append((samples.count, first))
      stamps.append(clock.update(frames: count, atNanoseconds: first, isBehind: isBehind))
      block.withUnsafeBytes { samples += $0.bindMemory(to: Int16.self).prefix(count) }
    case .nothing: break
    case .restarted: clock.restarted()
    case .gone: end = arrival
    }
  }
}

struct Shelled {
  var status: Int32
  var text: String
}

@discardableResult
func shell(_ command: String) -> Shelled {
  guard let pipe = popen(command, "r") else { return Shelled(status: -1, text: "") }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&block, 1, block.count, pipe)
    if count == 0 { break }
    bytes += block[..<count]
  }
  return Shelled(status: pclose(pipe) >> 8, text: String(decoding: bytes, as: UTF8.self))
}

extension String {
  var trimmed: String {
    split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

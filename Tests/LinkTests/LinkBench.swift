// What the tests with servers share: a loop with a driver, a recording in a file, and one call that
// copies it and waits for the outcome. Short times, so that a server that hangs is found soon.
import Digest
import Glibc
import Scratch
import Systemd
import Testing

@testable import Link

/// The tests of the link.
@Suite struct LinkTests {}

/// A loop, a driver and a directory.
final class LinkBench {
  let loop: EventLoop
  let driver: LinkDriver
  let scratch = ScratchFolder()
  private var files = 0

  init() throws {
    loop = try EventLoop()
    driver = try LinkDriver(on: loop)
  }

  /// A recording's header ends here in every test.
  static let soundFrom: Int64 = 100

  static func bytes(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
    var state = UInt32(seed) &+ 12_345
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  static func content(of bytes: [UInt8]) -> Content {
    var hasher = ContentHasher(soundFrom: soundFrom)
    bytes.withUnsafeBytes { hasher.append($0) }
    var whole = SHA256()
    whole.update(bytes)
    return Content(hashes: hasher.hashes(), soundFrom: soundFrom, whole: whole.sum)
  }

  func file(_ bytes: [UInt8], _ name: String = "source") throws -> OpenedFile {
    try open(write(bytes, name))
  }

  @discardableResult
  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = scratch.path + "/" + name
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
    return path
  }

  func open(_ path: String) throws -> OpenedFile {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    try #require(file >= 0)
    return OpenedFile(owning: file)
  }

  func request(_ bytes: [UInt8], _ name: String...) throws -> CopyRequest {
    files += 1
    return CopyRequest(
      file: try file(bytes, "source \(files)"), length: Int64(bytes.count),
      soundFrom: Self.soundFrom,
      soundHash: Self.content(of: bytes).hashes.sound, name: try RemoteName(name))
  }

  /// Runs the loop until `value` returns something. The deadline is only for what never happens.
  func wait<Value>(for value: () -> Value?) throws -> Value {
    let deadline = EventLoop.monotonicNanoseconds() + 120_000_000_000
    while EventLoop.monotonicNanoseconds() < deadline {
      if let value = value() { return value }
      _ = try loop.runOneTurn(waitingAtMostMilliseconds: 100)
    }
    return try #require(value(), "there was no outcome in time")
  }

  func copy(_ request: CopyRequest, to target: any Target) throws -> CopyOutcome {
    var outcome: CopyOutcome?
    let job = try driver.copy(request, to: target) { outcome = $0 }
    defer { job.stop() }
    return try wait { outcome }
  }

  func perform<Machine: RemoteMachine>(
    _ machine: Machine, at target: any Target, file: OpenedFile? = nil
  ) throws -> Machine.Outcome {
    var outcome: Machine.Outcome?
    let job = try driver.perform(machine, at: target, file: file) { outcome = .some($0) }
    defer { job.stop() }
    return try wait { outcome }
  }
}

/// Times for tests.
func shortLimits() -> TransferLimits {
  var limits = TransferLimits()
  limits.connectMilliseconds = 2000
  limits.stallSeconds = 1
  limits.totalMilliseconds = 3000
  return limits
}

/// Times for real servers on a busy machine.
func patientLimits() -> TransferLimits {
  var limits = TransferLimits()
  limits.stallSeconds = 15
  return limits
}

func settings(
  _ url: String, user: String = "", _ login: ServerAccess.Login = .none,
  limits: TransferLimits = shortLimits()
) throws -> ServerSettings {
  var access = ServerAccess()
  access.user = user
  access.login = login
  return ServerSettings(
    name: "cloud", url: try #require(ServerURL(url)), access: access, limits: limits)
}

extension CopyOutcome {
  var receipt: CopyReceipt? { if case .verified(let receipt) = self { receipt } else { nil } }
  var error: LinkError? { if case .failed(let error) = self { error } else { nil } }
}

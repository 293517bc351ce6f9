// Trial copies: a small file goes to each target, is read back, compared and removed, and one
// sentence says how that went. One target after the other, on the loop's thread; nothing of the
// recorder is touched.
import Glibc
import Link
import Systemd

/// Makes a trial copy to each target.
final class TrialRun {
  private let configuration: LinkConfiguration
  private let factory: TargetFactory
  private var failures = 0

  init(_ configuration: LinkConfiguration, state: String) {
    self.configuration = configuration
    factory = TargetFactory(
      credentials: ReelLink.credentials, state: state)
  }

  /// Returns the exit code: 0 if every copy was good, 69 if one was not.
  func run() -> Int32 {
    if configuration.targets.isEmpty {
      print("There is no target: the configuration names none.")
      return 0
    }
    do throws(EventLoopError) {
      let loop = try EventLoop()
      for target in configuration.targets { tryOut(target, on: loop) }
    } catch {
      ReelLink.complain(error.description)
      return 71
    }
    return failures == 0 ? 0 : 69
  }

  private func tryOut(_ configuration: TargetConfiguration, on loop: EventLoop) {
    var verdict: Verdict?
    do throws(LinkError) {
      // A driver of its own: its connections are made anew, so that the key is checked.
      let driver = try LinkDriver(on: loop)
      driver.onNewHostKey = { [factory] in
        factory.remember($1, of: configuration) { print($0) }
      }
      let trial = Trial(try factory.target(configuration), driver)
      let request = try trial.request(configuration)
      let job = try driver.copy(request, to: trial.target) { outcome in
        trial.afterCopy(outcome) { verdict = $0 }
      }
      wait(on: loop) { verdict != nil }
      job.stop()
      trial.stop()
    } catch { verdict = Verdict(isGood: false, sentence: error.sentence) }
    let said = verdict ?? Verdict(isGood: false, sentence: "There was no answer.")
    if !said.isGood { failures += 1 }
    print("\(configuration.name): \(said.sentence)")
  }

  private func wait(on loop: EventLoop, until isDone: () -> Bool) {
    do throws(EventLoopError) {
      while !isDone() { _ = try loop.runOneTurn(waitingAtMostMilliseconds: 1000) }
    } catch { ReelLink.complain(error.description) }
  }
}

/// How a trial went.
struct Verdict {
  let isGood: Bool
  let sentence: String
}

/// One trial copy, and its removal.
private final class Trial {
  let target: any Target
  private let driver: LinkDriver
  private var removal: LinkJob?

  private static let bytesCount = 65_536

  init(_ target: any Target, _ driver: LinkDriver) {
    self.target = target
    self.driver = driver
  }

  func stop() { removal?.stop() }

  /// Returns a request with a file that has no name, and bytes that no other trial has.
  func request(_ configuration: TargetConfiguration) throws(LinkError) -> CopyRequest {
    var bytes = [UInt8](repeating: 0, count: Self.bytesCount)
    var random = SystemRandomNumberGenerator()
    for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
    let file = try OpenedFile(unnamedWith: bytes)
    let number = String(UInt32.random(in: 0...UInt32.max, using: &random), radix: 36)
    return CopyRequest(
      file: file, length: Int64(bytes.count), soundFrom: 0, soundHash: nil,
      name: try configuration.remoteName(["reel-link trial \(number).bin"]))
  }

  func afterCopy(_ outcome: CopyOutcome, _ done: @escaping (Verdict) -> Void) {
    switch outcome {
    case .failed(let error): done(Verdict(isGood: false, sentence: error.sentence))
    case .verified(let receipt):
      do throws(LinkError) {
        removal = try driver.perform(RemoveJob(receipt.name), at: target) { error in
          done(Self.verdict(receipt, error))
        }
      } catch { done(Self.verdict(receipt, error)) }
    }
  }

  private static func verdict(_ receipt: CopyReceipt, _ error: LinkError?) -> Verdict {
    guard let error else {
      return Verdict(
        isGood: true, sentence: "A trial copy was sent, read back, found the same, and removed.")
    }
    return Verdict(
      isGood: false,
      sentence: "The trial copy is good, but “\(receipt.name)” cannot be removed: \(error.sentence)"
    )
  }
}

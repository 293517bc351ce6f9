// Brings a library back from a target: reads the texts of all recordings there, fetches each file
// that they name, compares its sound, and gives it its name only then. A file that the directory
// has is compared and left. So a fetch that was cut short goes on when it is run again. One file
// after another, on the loop's thread; nothing of the recorder is touched, nothing at the target
// changes.
import Digest
import Glibc
import Link
import Realtime
import Systemd

/// Fetches all recordings of one target into a directory.
final class FetchRun {
  private let configuration: TargetConfiguration
  private let target: any Target
  private let driver: LinkDriver
  private let loop: EventLoop
  private let tree: FetchTree
  private var counts = Counts()

  private struct Counts {
    var recordings = 0
    var fetched = 0
    var kept = 0
    var failures = 0
    var bytes: Int64 = 0
  }

  /// How much longer a file may be than its texts say: its tags may be others.
  private static let slackBytes: Int64 = 1 << 20

  init(
    _ configuration: TargetConfiguration, _ factory: TargetFactory, into directory: String,
    on loop: EventLoop
  ) throws {
    (self.configuration, self.loop) = (configuration, loop)
    target = try factory.target(configuration)
    driver = try LinkDriver(on: loop)
    tree = try FetchTree(directory)
    driver.onNewHostKey = { [factory] in factory.remember($1, of: configuration) { print($0) } }
  }

  /// Returns the exit code: 0 if everything is there and was compared, 69 if not.
  func run() throws -> Int32 {
    let names = try list()
    if names.isEmpty {
      print("\(target.name) has no texts of recordings, so its recordings cannot be named.")
      return 69
    }
    for name in names { try fetch(texts: name) }
    print(
      "\(counts.recordings) recordings: \(counts.fetched) files fetched and compared"
        + " (\(counts.bytes / 1_000_000) MB), \(counts.kept) were there, \(counts.failures) failed."
    )
    return counts.failures == 0 ? 0 : 69
  }

  private func list() throws -> [String] {
    let folder = try configuration.remoteName([SidecarName.folder])
    switch try perform(ListJob(folder)) {
    case .names(let names): return names.filter { $0.hasSuffix(".json") }.sorted()
    case .failed(let error): throw error
    }
  }

  /// Runs the loop until the job has its outcome.
  private func perform<Machine: RemoteMachine>(
    _ machine: Machine, file: OpenedFile? = nil
  ) throws -> Machine.Outcome {
    var outcome: Machine.Outcome?
    let job = try driver.perform(machine, at: target, file: file) { outcome = .some($0) }
    defer { job.stop() }
    while true {
      if let outcome { return outcome }
      _ = try loop.runOneTurn(waitingAtMostMilliseconds: 1000)
    }
  }

  private func fail(_ what: String, _ why: String) {
    counts.failures += 1
    print("\(what): \(why)")
  }

  // MARK: One recording

  private func fetch(texts name: String) throws {
    let remote = try configuration.remoteName([SidecarName.folder, name])
    let file = try OpenedFile(unnamedWith: [])
    let job = FetchJob(remote, atMost: Int64(Sidecar.bytesMaximum), soundFrom: 0)
    switch try perform(job, file: file) {
    case .missing: fail(name, "It is gone.")
    case .failed(let error):
      // Without the target nothing more can be fetched.
      if error.scope == .target { throw error }
      fail(name, error.sentence)
    case .fetched(let hashes):
      do throws(LinkError) {
        let bytes = try file.bytes(Int(hashes.length))
        let sidecar = try Sidecar(bytes, here: Texts(), rate: 1, of: remote)
        if sidecar.texts.isDeleted { return }
        counts.recordings += 1
        if sidecar.files.isEmpty { fail(name, "It names no file.") }
        try fetchAll(sidecar.files)
      } catch {
        if error.scope == .target { throw error }
        fail(name, error.sentence)
      }
    }
  }

  private func fetchAll(_ files: [SidecarFacts.File]) throws(LinkError) {
    for file in files {
      do {
        try fetch(file)
      } catch let error as LinkError {
        if error.scope == .target { throw error }
        fail(file.file, error.sentence)
      } catch { fail(file.file, "\(error)") }
    }
  }

  private func fetch(_ file: SidecarFacts.File) throws {
    let remote = try RemoteName(file.file.split(separator: "/").map(String.init))
    guard remote.components.starts(with: configuration.prefix),
      remote.components.count > configuration.prefix.count
    else { return fail(file.file, "It is not below the target's prefix.") }
    let place = try RemoteName(Array(remote.components.dropFirst(configuration.prefix.count)))
    if let there = try tree.open(place) {
      let isSame = try tree.sound(of: there, from: file.soundFrom) == file.sha256
      if isSame { counts.kept += 1 } else { fail(file.file, "There is another file of that name.") }
      return
    }
    let part = try tree.part(of: place)
    let job = FetchJob(
      remote, atMost: file.sizeBytes + Self.slackBytes, soundFrom: file.soundFrom)
    switch try perform(job, file: part) {
    case .missing: fail(file.file, "It is gone from the target.")
    case .failed(let error): throw error
    case .fetched(let hashes) where "\(hashes.sound)" != file.sha256:
      fail(file.file, "Its sound is not what was recorded; it is not kept.")
    case .fetched(let hashes):
      try tree.publish(place, part, length: hashes.length)
      counts.fetched += 1
      counts.bytes += hashes.length
    }
    tree.removePart(of: place)
  }
}

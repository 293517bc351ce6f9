// Performs jobs: asks a job's state machine for the next operation, has the engine or a disk task
// perform it, and gives back the answer. All on the loop's thread. It decides nothing: which
// recording is sent when is the queue's to say, and what is right is the state machine's.
import Digest
import Glibc
import Systemd

/// A file that is to be copied, as the store knows it.
public struct CopyRequest {
  public var file: OpenedFile
  public var length: Int64
  public var soundFrom: Int64
  /// What the sound must be; nil if the store has no hash of it yet.
  public var soundHash: SHA256.Sum?
  public var name: RemoteName

  public init(
    file: OpenedFile, length: Int64, soundFrom: Int64, soundHash: SHA256.Sum?, name: RemoteName
  ) {
    self.file = file
    self.length = length
    self.soundFrom = soundFrom
    self.soundHash = soundHash
    self.name = name
  }
}

/// A job that runs.
public final class LinkJob {
  fileprivate var transfer: Transfer?
  fileprivate var task: SteppedTask?
  fileprivate var isStopped = false
  private let engine: TransferEngine

  fileprivate init(_ engine: TransferEngine) { self.engine = engine }

  /// Ends the job without an outcome; what it has sent stays, and the next job goes on with it.
  public func stop() {
    isStopped = true
    task?.stop()
    task = nil
    if let transfer { engine.stop(transfer) }
    transfer = nil
  }
}

/// Performs jobs on an event loop.
public final class LinkDriver {
  private let loop: EventLoop
  private let engine: TransferEngine
  /// Is called when an SSH server showed its key for the first time, with the target's name.
  /// The key must be remembered in the target's `knownHosts` before the next job.
  public var onNewHostKey: (String, HostKey) -> Void = { _, _ in }

  /// Whether only a new driver can go on.
  public var isBroken: Bool { engine.isBroken }

  public init(on loop: EventLoop) throws(LinkError) {
    self.loop = loop
    engine = try TransferEngine(on: loop)
  }

  /// Copies a file to a target. It is read once before: what is sent is what was recorded, or
  /// nothing is. `done` is called once, on the loop's thread, after this has returned; never if the
  /// job is stopped.
  public func copy(
    _ request: CopyRequest, to target: any Target, done: @escaping (CopyOutcome) -> Void
  ) throws(LinkError) -> LinkJob {
    try measure(request, for: target) { [weak self] result, job in
      switch result {
      case .failure(let error): done(.failed(error))
      case .success(let content):
        let machine = CopyJob(content, to: request.name, traits: target.traits)
        self?.run(machine, nil, at: target, request.file, job, done)
      }
    }
  }

  /// Writes a file in place of the one before. `done` is as of `copy`.
  public func overwrite(
    _ request: CopyRequest, at target: any Target, done: @escaping (LinkError?) -> Void
  ) throws(LinkError) -> LinkJob {
    try measure(request, for: target) { [weak self] result, job in
      switch result {
      case .failure(let error): done(error)
      case .success(let content):
        let machine = OverwriteJob(content, to: request.name, traits: target.traits)
        self?.run(machine, nil, at: target, request.file, job, done)
      }
    }
  }

  /// Reads the file in pieces.
  private func measure(
    _ request: CopyRequest, for target: any Target,
    then: @escaping (Result<Content, LinkError>, LinkJob) -> Void
  ) throws(LinkError) -> LinkJob {
    let job = LinkJob(engine)
    var measure = Measurement(request, for: target.traits)
    job.task = try SteppedTask(on: loop) {
      guard let result = measure.step() else { return true }
      job.task = nil
      then(result, job)
      return false
    }
    return job
  }

  /// Performs another job, such as `RenameJob`; `file` is what a `FetchJob` fills.
  public func perform<Machine: RemoteMachine>(
    _ machine: Machine, at target: any Target, file: OpenedFile? = nil,
    done: @escaping (Machine.Outcome) -> Void
  ) throws(LinkError) -> LinkJob {
    let job = LinkJob(engine)
    job.task = try SteppedTask(on: loop) { [weak self] in
      self?.run(machine, nil, at: target, file, job, done)
      return false
    }
    return job
  }

  /// Fetches the address of a heartbeat once; any good answer will do.
  public func beat(
    _ heartbeat: HeartbeatConfiguration, limits: TransferLimits,
    done: @escaping (LinkError?) -> Void
  ) throws(LinkError) -> LinkJob {
    let job = LinkJob(engine)
    guard let url = ServerURL(String(heartbeat.url.text.prefix { $0 != "?" })) else {
      throw .noPlace
    }
    let server = ServerSettings(
      name: url.host, url: url, access: ServerAccess(), limits: limits)
    let request = server.request(.get, heartbeat.url.text)
    job.transfer = try engine.start(request) { [weak job] result in
      job?.transfer = nil
      switch result.failure(at: server) {
      case .failed(let error): done(error)
      // A long answer is a good one.
      case .tooLong: done(nil)
      default: done((200...299).contains(result.status) ? nil : .status(result, at: server))
      }
    }
    return job
  }

  private func run<Machine: RemoteMachine>(
    _ machine: Machine, _ answer: RemoteAnswer?, at target: any Target, _ file: OpenedFile?,
    _ job: LinkJob, _ done: @escaping (Machine.Outcome) -> Void
  ) {
    var machine = machine
    var answer = answer
    while !job.isStopped {
      switch machine.next(answer) {
      case .end(let outcome):
        job.task = nil
        return done(outcome)
      case .perform(let operation):
        switch target.request(for: operation) {
        case .answer(let known): answer = known
        case .transfer(let request):
          answer = start(request, file, target.name, job) { [weak self] result in
            let answer = target.answer(to: operation, result)
            self?.run(machine, answer, at: target, file, job, done)
          }
        case .disk(let place):
          answer = start(DiskTask(operation, at: place, file: file), job) { [weak self] answer in
            self?.run(machine, answer, at: target, file, job, done)
          }
        }
        if answer == nil { return }
      }
    }
  }

  /// Returns an answer only if the transfer cannot begin.
  private func start(
    _ request: TransferRequest, _ file: OpenedFile?, _ name: String, _ job: LinkJob,
    _ done: @escaping (TransferResult) -> Void
  ) -> RemoteAnswer? {
    do throws(LinkError) {
      job.transfer = try engine.start(request, file: file) { [weak self, weak job] result in
        job?.transfer = nil
        if let key = result.newHostKey { self?.onNewHostKey(name, key) }
        done(result)
      }
      return nil
    } catch { return .failed(error) }
  }

  private func start(
    _ task: DiskTask, _ job: LinkJob, _ done: @escaping (RemoteAnswer) -> Void
  ) -> RemoteAnswer? {
    do throws(LinkError) {
      job.task = try SteppedTask(on: loop) {
        guard let answer = task.step() else { return true }
        done(answer)
        return false
      }
      return nil
    } catch { return .failed(error) }
  }
}

/// Reads a file once, for its hashes; that of its sound must be the recorded one.
private struct Measurement {
  private let request: CopyRequest
  private var hasher: ContentHasher
  private var whole: SHA256?
  private var pieces: PieceHasher?
  private var buffer = [UInt8](repeating: 0, count: DiskTask.pieceBytes)

  init(_ request: CopyRequest, for traits: TargetTraits) {
    self.request = request
    if let least = traits.pieceBytes, request.length > least {
      pieces = PieceHasher(
        pieceBytes: Pieces.pieceBytes(of: request.length, atLeast: least))
    } else if traits.signsContent {
      whole = SHA256()
    }
    hasher = ContentHasher(soundFrom: request.soundFrom)
  }

  /// Reads a piece. Returns the content after the last one.
  mutating func step() -> Result<Content, LinkError>? {
    let left = request.length - hasher.length
    if left <= 0 { return result() }
    let wanted = Int(min(left, Int64(buffer.count)))
    let offset = hasher.length
    let file = request.file
    let read = buffer.withUnsafeMutableBytes { bytes in
      file.read(UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted]), at: offset)
    }
    switch read {
    case .failure(let error): return .failure(.source(error.errorNumber))
    case .success(let count) where count < wanted: return .failure(.sourceChanged)
    case .success: break
    }
    buffer.withUnsafeBytes { bytes in
      let piece = UnsafeRawBufferPointer(rebasing: bytes[..<wanted])
      hasher.append(piece)
      whole?.update(piece)
      pieces?.append(piece)
    }
    return nil
  }

  private func result() -> Result<Content, LinkError> {
    let hashes = hasher.hashes()
    if let expected = request.soundHash, expected != hashes.sound {
      return .failure(.notAsRecorded)
    }
    return .success(
      Content(
        hashes: hashes, soundFrom: request.soundFrom, whole: whole?.sum, pieces: pieces?.pieces()))
  }
}

extension LinkError {
  static let notAsRecorded = LinkError(
    .source, .recording,
    "The sound on the card is not what was recorded, so it is not sent; check it with"
      + " 'reelctl verify'.")
}

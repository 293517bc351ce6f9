// One target with its queue: gives the queue its events, and performs its effects with the recorder
// and the driver. One thread, the loop's. It decides nothing: the queue does.

import Digest
import Glibc
import Link
import Recorder
import Systemd

/// Copies recordings to one target.
final class LinkLane {
  private let configuration: TargetConfiguration
  private let target: any Target
  private let driver: LinkDriver
  private let line: RecorderLine
  /// Nil if no target waits for a free connection.
  private let connection: MeteredConnection?
  /// Nil if the target gets no texts.
  private var exchange: TextsExchange?
  private var manifest: ManifestCopy?
  /// Nil if deletions stay here.
  private var mirror: DeletionMirror?
  private var queue: CopyQueue
  private var timer: Timer?
  private var job: LinkJob?
  private var generation = 0

  init(
    _ configuration: TargetConfiguration, _ target: any Target, _ driver: LinkDriver,
    _ line: RecorderLine, _ connection: MeteredConnection?, state: String, on loop: EventLoop
  ) throws {
    self.configuration = configuration
    self.connection = connection
    self.target = target
    self.driver = driver
    self.line = line
    queue = CopyQueue(looks: true) { configuration.includes(folder: $0) }
    if configuration.hasTexts {
      exchange = try TextsExchange(configuration, target, driver, state: state) { [weak self] in
        self?.ask($0, $1)
      }
    }
    let source = { ManifestSource { [weak self] in self?.ask($0, $1) } }
    manifest = ManifestCopy(configuration, target, driver, source())
    if configuration.mirrorsDeletions, let memory = exchange?.memory {
      mirror = DeletionMirror(configuration, target, driver, memory, source(), state: state)
      manifest?.onCurrent = { [weak self] in self?.mirrorDeletions($0) }
    }
    timer = try loop.timer(afterMilliseconds: 1 << 40, slackMilliseconds: 1000) { [weak self] in
      self?.handle(.tick)
    }
    timer?.pause()
  }

  func connect() {
    generation += 1
    mirror?.begin()
    handle(.connected)
  }

  func disconnect() {
    generation += 1
    job?.stop()
    job = nil
    exchange?.stop()
    manifest?.stop()
    mirror?.stop()
    handle(.disconnected)
  }

  /// Something at the recorder may be new.
  func refresh() {
    mirror?.begin()
    handle(.changed)
  }

  // MARK: Events

  private func handle(_ event: CopyQueue.Event) {
    let effects = queue.handle(
      event, nowSeconds: Self.nowSeconds, chance: Double.random(in: 0..<1), hold: hold)
    for effect in effects { perform(effect) }
  }

  private var hold: CopyQueue.Hold? {
    configuration.hold(
      atMinute: Self.minuteOfDay, isMetered: connection?.isMetered ?? false)
  }

  /// Copies are read back before they are removed, so it waits like sending.
  private func mirrorDeletions(_ hash: String) {
    if hold == nil { mirror?.refresh(hash) }
  }

  private static var nowSeconds: Int64 { EventLoop.monotonicNanoseconds() / 1_000_000_000 }

  /// By the local clock.
  private static var minuteOfDay: Int {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    return Int(local.tm_hour) * 60 + Int(local.tm_min)
  }

  // MARK: Effects

  private func perform(_ effect: CopyQueue.Effect) {
    switch effect {
    case .list(let place): list(exchange == nil ? .lacking : .stale, after: place)
    case .listHeld(let place): list(.held, after: place)
    case .send(let recording, let index): send(recording, index)
    case .rename(let recording, let index): rename(recording, index)
    case .describe(let recording):
      exchange?.bring(recording) { [weak self] in self?.handle(.described($0)) }
    case .look(let recording): inspect(recording)
    case .note(let recording, let record): note(recording, record)
    case .tell(let telling): line.ask(LinkWords.words(of: telling, at: target.name))
    case .rest(let until):
      manifest?.refresh()
      timer?.restart(afterMilliseconds: max(0, until - Self.nowSeconds) * 1000)
    }
  }

  /// Asks the recorder; an answer that comes after the connection was lost is not heard.
  private func ask(_ words: [String], _ done: @escaping (RecorderLine.Reply) -> Void) {
    let asked = generation
    line.ask(words) { [weak self] reply in
      if self?.generation == asked { done(reply) }
    }
  }

  private func list(_ scope: CopyQuery.Scope, after place: String?) {
    let words =
      ["copies", "--target", target.name, "--of", scope.rawValue]
      + (place.map { ["--after", $0] } ?? [])
    ask(words) { [weak self] reply in
      guard let self else { return }
      switch reply.answer {
      case .copies(let report):
        handle(
          .page(LinkWords.page(report, at: target.name, withTexts: exchange != nil)))
      case .failed(let failure): handle(.unanswered(failure.sentence))
      default: handle(.unanswered("The recorder answered something else."))
      }
    }
  }

  // MARK: Looking at copies

  /// Looks at the texts first: if another recorder renamed the copy, they say so.
  private func inspect(_ recording: QueuedRecording) {
    guard let exchange else { return inspect(recording, file: 0) }
    exchange.bring(recording) { [weak self] in
      switch $0 {
      case .same: self?.inspect(recording, file: 0)
      case .changedHere: self?.handle(.looked(.changedHere))
      case .failed(let error): self?.handle(.looked(.failed(error)))
      }
    }
  }

  /// Looks at one file after another.
  private func inspect(_ recording: QueuedRecording, file index: Int) {
    let isDue = isReadingDue(recording)
    if index == recording.files.count { return handle(.looked(isDue ? .reread : .fine)) }
    do throws(LinkError) {
      let name = try LinkWords.oldName(of: recording, index)
      let machine = AuditJob(
        name, LinkWords.content(of: recording.files[index]), reads: isDue)
      job = try driver.perform(machine, at: target) { [weak self] outcome in
        self?.job = nil
        switch outcome {
        case .whole: self?.inspect(recording, file: index + 1)
        case .missing, .changed: self?.handle(.looked(.gone))
        case .failed(let error): self?.handle(.looked(.failed(error)))
        }
      }
    } catch { handle(.looked(.failed(error))) }
  }

  private func isReadingDue(_ recording: QueuedRecording) -> Bool {
    guard let days = configuration.rereadDays, let copy = recording.copy else { return false }
    let now = Int64(time(nil))
    return now - copy.verifiedSeconds > Int64(days) * 86_400
  }

  private func send(_ recording: QueuedRecording, _ index: Int) {
    let file = recording.files[index]
    let words = ["open", recording.id, "--in", recording.folder, "--track", file.track]
    ask(words) { [weak self] reply in
      guard let self else { return }
      switch (reply.answer, reply.file) {
      case (.opened(let opened), let descriptor?):
        send(file, descriptor, opened.sizeBytes)
      case (.failed(let failure), _): end(.failed(.recorder(failure.sentence)))
      default: end(.failed(.recorder("The recorder passed no file.")))
      }
    }
  }

  private func send(
    _ file: QueuedRecording.File, _ descriptor: OpenedFile, _ sizeBytes: Int64
  ) {
    do throws(LinkError) {
      let request = CopyRequest(
        file: descriptor, length: sizeBytes, soundFrom: file.soundFrom, soundHash: file.sound,
        name: try configuration.remoteName(file.path))
      job = try driver.copy(request, to: target) { [weak self] in self?.end($0) }
    } catch { end(.failed(error)) }
  }

  private func end(_ outcome: CopyOutcome) {
    job = nil
    handle(.sent(outcome))
  }

  private func rename(_ recording: QueuedRecording, _ index: Int) {
    let file = recording.files[index]
    do throws(LinkError) {
      let machine = RenameJob(
        try LinkWords.oldName(of: recording, index), to: try configuration.remoteName(file.path),
        LinkWords.content(of: file), traits: target.traits)
      job = try driver.perform(machine, at: target) { [weak self] outcome in
        self?.job = nil
        self?.handle(.renamed(outcome))
      }
    } catch { handle(.renamed(.failed(error))) }
  }

  private func note(_ recording: QueuedRecording, _ record: CopyQueue.Record) {
    ask(LinkWords.words(of: record, about: recording, at: target.name)) { [weak self] reply in
      if case .failed(let failure) = reply.answer {
        self?.handle(.noted(refusal: failure.sentence))
      } else {
        self?.handle(.noted(refusal: nil))
      }
    }
  }
}

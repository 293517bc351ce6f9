// Brings what was typed here and at a target together: reads the file there, merges, has the
// recorder take over what was edited there, and writes what was edited here. One recording at a
// time. Each edit is a command like any other: it is checked, shown and can be undone. If
// anything ends in between, the next attempt finds what this one left. One thread, the loop's.

import Glibc
import Link
import Recorder
import Systemd

/// Brings the texts of one target's recordings together.
final class TextsExchange {
  private let configuration: TargetConfiguration
  private let target: any Target
  private let driver: LinkDriver
  let memory: TextsMemory
  /// Asks the recorder.
  private let ask: ([String], @escaping (RecorderLine.Reply) -> Void) -> Void
  private var job: LinkJob?
  private var done: (DescribeOutcome) -> Void = { _ in }
  /// The recordings of which nothing can be left over from before.
  private var looked: Set<String> = []

  private static let attemptsMaximum = 5

  /// One attempt after another at one recording.
  private struct Work {
    let recording: QueuedRecording
    let words: QueuedTexts
    var here: Texts
    let name: SidecarName
    /// Whether the recorder has newer texts, and the names of files count.
    let isStale: Bool
    var attempts = 0
    /// What was left over is merged, and not written over.
    var isLeftOver = false
    var document: Document?
    /// What of it the recorder has taken over, and what it refused.
    var hasChangedHere = false
    var refused: [TextsOrder: String] = [:]
  }

  /// What was read there.
  private struct Document {
    let hashes: ContentHashes
    let version: String?
    let sidecar: Sidecar
    let changedSeconds: Int64
    var texts: Texts { sidecar.texts }
  }

  init(
    _ configuration: TargetConfiguration, _ target: any Target, _ driver: LinkDriver,
    state: String, ask: @escaping ([String], @escaping (RecorderLine.Reply) -> Void) -> Void
  ) throws(LinkError) {
    (self.configuration, self.target, self.driver) = (configuration, target, driver)
    self.ask = ask
    memory = try TextsMemory(of: target.name, in: state)
  }

  /// Begins; `done` is called once, unless it is stopped.
  func bring(_ recording: QueuedRecording, done: @escaping (DescribeOutcome) -> Void) {
    self.done = done
    guard let words = recording.words else { return end(.same) }
    do throws(LinkError) {
      let name = try SidecarName(
        of: recording.id, number: words.facts.number, below: configuration.prefix,
        recorder: memory.recorder)
      find(
        Work(
          recording: recording, words: words, here: words.texts, name: name,
          isStale: words.sum != words.knownSum))
    } catch { end(.failed(error)) }
  }

  func stop() {
    job?.stop()
    job = nil
  }

  private func end(_ outcome: DescribeOutcome) {
    job = nil
    done(outcome)
  }

  // MARK: Reading

  private func find(_ work: Work) {
    var work = work
    work.attempts += 1
    if work.attempts > Self.attemptsMaximum {
      return end(.failed(.keepsChanging(work.name.file)))
    }
    let id = work.recording.id
    let known = memory.texts(of: id)
    do throws(LinkError) {
      // What has been edited here is written in place of what is read now.
      let finding = FindSidecarJob(
        work.name, known: work.isStale ? nil : known?.version,
        looksForTaken: work.attempts > 1 || looked.insert(id).inserted, traits: target.traits)
      let file = try OpenedFile(unnamedWith: [])
      job = try driver.perform(finding, at: target, file: file) { [weak self] in
        self?.read($0, file, work)
      }
    } catch { end(.failed(error)) }
  }

  private func read(_ finding: SidecarFinding, _ file: OpenedFile, _ work: Work) {
    var work = work
    switch finding {
    case .failed(let error): end(.failed(error))
    case .unchanged: end(.same)
    case .absent:
      work.document = nil
      write(work.here, work)
    case .leftOver(let hashes):
      work.isLeftOver = true
      parse(file, hashes, version: nil, changedSeconds: nil, work)
    case .found(let hashes, let version, let changed):
      work.isLeftOver = false
      parse(file, hashes, version: version, changedSeconds: changed, work)
    }
  }

  private func parse(
    _ file: OpenedFile, _ hashes: ContentHashes, version: String?, changedSeconds: Int64?,
    _ work: Work
  ) {
    var work = work
    do throws(LinkError) {
      let bytes = try file.bytes(Int(hashes.length))
      let sidecar = try Sidecar(
        bytes, here: work.here, rate: work.words.facts.rate, of: work.name.file)
      if !sidecar.id.isEmpty, sidecar.id != work.recording.id { throw .foreign(work.name.file) }
      work.document = Document(
        hashes: hashes, version: version, sidecar: sidecar,
        changedSeconds: changedSeconds ?? Int64(time(nil)))
      merge(work)
    } catch { end(.failed(error)) }
  }

  // MARK: Merging

  private func merged(_ work: Work, _ document: Document) -> TextsMerge {
    let hereSeconds = memory.firstSeen(
      work.words.sum, of: work.recording.id, nowSeconds: Int64(time(nil)))
    let isThereNewer = document.changedSeconds > hereSeconds
    let (who, when) =
      isThereNewer ? ("here", hereSeconds) : (target.name, document.changedSeconds)
    return TextsMerge(
      TextsMerge.Sides(
        here: work.here, there: document.texts, base: memory.texts(of: work.recording.id)?.base,
        isThereNewer: isThereNewer, heading: "\(who) \(LinkWords.day(when))"))
  }

  private func merge(_ work: Work) {
    guard let document = work.document else { return write(work.here, work) }
    let merge = merged(work, document)
    if merge.texts == work.here {
      reportConflicts(merge, work)
      return write(merge.texts, work)
    }
    // The recorder reads the folder, so that ids in it are known.
    ask(["ls", work.here.folder, "--count", "1"]) { [weak self] _ in
      self?.ask(["info", work.recording.id]) { self?.compare($0.answer, merge, work) }
    }
  }

  /// What was typed here while the file was read must not be written over.
  private func compare(_ answer: Answer, _ merge: TextsMerge, _ work: Work) {
    switch answer {
    case .item(let item):
      var work = work
      let now = LinkWords.texts(of: item, isDeleted: work.here.isDeleted)
      if now != work.here {
        work.here = now
        work.attempts += 1
        return work.attempts > Self.attemptsMaximum
          ? end(.failed(.keepsChanging(work.name.file))) : self.merge(work)
      }
      let orders = TextsOrder.orders(from: now, to: merge.texts, marks: item.marks ?? [])
      perform(orders[...], merge, work)
    case .failed(let failure): end(.failed(.recorder(failure.sentence)))
    default: end(.failed(.recorder("The recorder answered something else.")))
    }
  }

  private func perform(_ orders: ArraySlice<TextsOrder>, _ merge: TextsMerge, _ work: Work) {
    guard let order = orders.first else {
      reportConflicts(merge, work)
      return write(merge.texts, work)
    }
    ask(order.words(for: work.recording.id)) { [weak self] reply in
      var work = work
      if case .failed(let failure) = reply.answer {
        work.refused[order] = failure.sentence
      } else {
        work.hasChangedHere = true
      }
      self?.perform(orders.dropFirst(), merge, work)
    }
  }

  /// People see what was edited on both sides, and how it was settled.
  private func reportConflicts(_ merge: TextsMerge, _ work: Work) {
    for conflict in merge.conflicts {
      ask(
        [
          "copying", target.name, "--item", work.recording.id, "--state", "waiting",
          "--edited-twice", LinkWords.sentence(about: conflict, work.here.title, target.name),
        ]) { _ in }
    }
  }

  // MARK: Writing

  /// What the recorder refused stays there as it is.
  private func write(_ merged: Texts, _ work: Work) {
    var texts = merged
    if let there = work.document?.texts {
      for order in work.refused.keys { order.copy(from: there, to: &texts) }
    }
    if work.isLeftOver { return removeLeftOver(merged, work) }
    if let document = work.document, document.texts == texts, !hasOtherFiles(document, work) {
      return keep(merged, version: document.version, work)
    }
    do throws(LinkError) {
      let bytes = try bytes(of: texts, work)
      let file = try OpenedFile(unnamedWith: bytes)
      let former = work.document.map { ReplaceSidecarJob.Former($0.hashes, version: $0.version) }
      let machine = ReplaceSidecarJob(
        Sidecar.content(of: bytes), to: work.name, former: former, traits: target.traits)
      job = try driver.perform(machine, at: target, file: file) { [weak self] outcome in
        switch outcome {
        case .done: self?.keep(merged, version: nil, work)
        case .changed: self?.find(work)
        case .failed(let error): self?.end(.failed(error))
        }
      }
    } catch { end(.failed(error)) }
  }

  private func removeLeftOver(_ merged: Texts, _ work: Work) {
    var work = work
    (work.here, work.isLeftOver, work.document, work.attempts) = (merged, false, nil, 1)
    do throws(LinkError) {
      job = try driver.perform(RemoveJob(work.name.taken), at: target) { [weak self] in
        if let error = $0 { self?.end(.failed(error)) } else { self?.find(work) }
      }
    } catch { end(.failed(error)) }
  }

  private func hasOtherFiles(_ document: Document, _ work: Work) -> Bool {
    guard work.isStale else { return false }
    // A name that is none says why when it is written.
    return (try? files(work.recording)) != document.sidecar.files
  }

  private func bytes(of texts: Texts, _ work: Work) throws(LinkError) -> [UInt8] {
    do { return try Sidecar.bytes(texts, work.words.facts, files: try files(work.recording)) } catch
    {
      throw (error as? LinkError) ?? .unwritable(work.name.file)
    }
  }

  private func files(_ recording: QueuedRecording) throws(LinkError) -> [SidecarFacts.File] {
    var files: [SidecarFacts.File] = []
    for (index, file) in recording.files.enumerated() {
      let name = try LinkWords.oldName(of: recording, index)
      files.append(
        SidecarFacts.File(
          file: "\(name)", track: file.track, sizeBytes: file.sizeBytes, sha256: "\(file.sound)",
          soundFrom: file.soundFrom))
    }
    return files
  }

  private func keep(_ merged: Texts, version: String?, _ work: Work) {
    let known = memory.texts(of: work.recording.id)
    let base = TextsBase(
      merged, refused: Set(work.refused.keys.compactMap(\.field)),
      areMarksRefused: work.refused.keys.contains { $0.isAboutMarks },
      isDeletedRefused: work.refused.keys.contains(.restore) || work.refused.keys.contains(.delete),
      here: work.here, before: known?.base)
    do throws(LinkError) {
      // What was refused is looked at again though the file is the same.
      try memory.keep(
        KnownTexts(base: base, version: work.refused.isEmpty ? version : nil),
        of: work.recording.id)
    } catch { return end(.failed(error)) }
    if let refusal = work.refused.values.min() {
      end(.failed(.waits(refusal, at: target.name)))
    } else {
      end(work.hasChangedHere ? .changedHere : .same)
    }
  }
}

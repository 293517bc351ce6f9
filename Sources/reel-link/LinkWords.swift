// Between the recorder's language and the queue's: its answers become values of the queue, and what
// the queue wants said becomes words of a command. Pure.

import Digest
import Glibc
import JSON
import Link
import Recorder

enum LinkWords {
  /// A recording without a hash is left out: the recorder computes it, and lists it again.
  static func page(
    _ report: CopiesReport, at target: String, withTexts: Bool
  ) -> QueuePage {
    QueuePage(
      report.items.compactMap { recording($0, at: target, withTexts: withTexts) },
      next: report.next, waiting: report.count)
  }

  private static func recording(
    _ item: ItemReport, at target: String, withTexts: Bool
  ) -> QueuedRecording? {
    guard let folder = item.folderID, let tracks = item.tracks else { return nil }
    let files = tracks.compactMap { file($0) }
    guard files.count == tracks.count else { return nil }
    let copy = item.copies?.first { $0.target == target && $0.state == .verified }
    return QueuedRecording(
      id: "\(item.id)", folder: "\(folder)", folderPath: item.folder ?? "/", files: files,
      copy: copy.map {
        QueuedRecording.Copy(
          remote: $0.remote ?? "", file: $0.file ?? "",
          verifiedSeconds: ($0.verifiedAt?.wall ?? 0) / 1000)
      },
      words: withTexts ? words(of: item, knownSum: copy?.texts) : nil)
  }

  private static func words(of item: ItemReport, knownSum: String?) -> QueuedTexts? {
    guard let sum = item.texts else { return nil }
    // What the recorder sent can be written again.
    let integrity = item.integrity.flatMap { try? JSON.encode($0) } ?? Array("{}".utf8)
    let facts = SidecarFacts(
      id: "\(item.id)", number: item.sequence, began: item.began?.utc,
      lengthMilliseconds: item.lengthMilliseconds ?? 0, rate: item.rate ?? 0,
      integrity: integrity)
    return QueuedTexts(
      texts(of: item, isDeleted: item.deleted == true), facts, sum: sum, knownSum: knownSum)
  }

  /// Of two marks at one frame, one has a name.
  static func texts(of item: ItemReport, isDeleted: Bool) -> Texts {
    var texts = Texts()
    (texts.title, texts.folder) = (item.title, item.folder ?? "/")
    (texts.notes, texts.place) = (item.notes ?? "", item.place ?? "")
    texts.speaker = item.speaker ?? ""
    (texts.isHeard, texts.isDeleted) = (item.heard == true, isDeleted)
    for mark in item.marks ?? [] {
      texts.marks[mark.frame] = max(texts.marks[mark.frame] ?? "", mark.name)
    }
    return texts
  }

  private static func file(_ track: TrackReport) -> QueuedRecording.File? {
    guard let from = track.soundFrom, let digits = track.sha256,
      let hash = SoundHash(digits, soundFrom: from)
    else { return nil }
    return QueuedRecording.File(
      track: track.name, path: track.file.split(separator: "/").map(String.init),
      sizeBytes: track.sizeBytes, soundFrom: Int64(from),
      sound: SHA256.Sum(hash.first, hash.second, hash.third, hash.fourth))
  }

  /// What a copy holds; nothing is known of its header, whose tags may be older.
  static func content(of file: QueuedRecording.File) -> Content {
    Content(
      hashes: ContentHashes(
        header: SHA256.Sum(0, 0, 0, 0), sound: file.sound, length: file.sizeBytes),
      soundFrom: file.soundFrom)
  }

  /// The name that a track's file has at the target. The names of other tracks follow from that of
  /// the first, as on the card.
  static func oldName(
    of recording: QueuedRecording, _ index: Int
  ) throws(LinkError) -> RemoteName {
    var components = (recording.copy?.remote ?? "").split(separator: "/").map(String.init)
    if index > 0, let first = components.popLast() {
      let (own, other) = (
        recording.files[0].path.last ?? "", recording.files[index].path.last ?? ""
      )
      let rest = other.dropFirst(FileName.split(own).stem.count)
      components.append(FileName.split(first).stem + rest)
    }
    return try RemoteName(components)
  }

  /// A day and a minute in UTC, such as "2026-11-26 10:04".
  static func day(_ seconds: Int64) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min))"
  }

  static func sentence(
    about conflict: TextsMerge.Conflict, _ title: String, _ target: String
  ) -> String {
    conflict.other.isEmpty
      ? "“\(title)” was deleted on one side and edited on the other (\(target)); it stays."
      : "“\(title)” (\(target)): the later \(conflict.what) counts, the other is in the notes."
  }

  static func words(of telling: CopyQueue.Telling, at target: String) -> [String] {
    var words = ["copying", target, "--state", telling.condition.rawValue]
    if let recording = telling.recording { words += ["--item", recording] }
    if let waiting = telling.waiting { words += ["--waiting", "\(waiting)"] }
    if let why = telling.why { words += ["--why", why] }
    if let seconds = telling.retrySeconds { words += ["--retry-after", "\(max(0, seconds))"] }
    return words
  }

  static func words(
    of record: CopyQueue.Record, about recording: QueuedRecording, at target: String
  ) -> [String] {
    let words = ["copied", recording.id, "--in", recording.folder, "--target", target]
    let file = recording.files[0].path.joined(separator: "/")
    switch record {
    case .gone: return words + ["--gone"]
    case .described(let sum): return words + ["--texts", sum]
    case .renamed(let remote): return words + ["--renamed", "--remote", remote, "--file", file]
    case .verified(let remote, let hashes):
      // Read again, it still has the name of when it was copied.
      let file = recording.copy.map(\.file) ?? file
      return words
        + ["--remote", remote, "--file", file, "--sha256", hashes.joined(separator: ",")]
    }
  }
}

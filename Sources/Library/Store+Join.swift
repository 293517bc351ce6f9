// Joins the parts of a take into one file outside the card. A long job on the card's thread, which
// needs files with a path; a card in memory refuses it. The parts stay as they are, and no file may
// appear under its name before it is complete.

import Recorder
import Tape

struct Joining {
  /// A single one stands for all parts of its take.
  let ids: [ItemID]
  let format: String
  /// Nil: the first.
  let track: String?
  let destination: OutsideFile
}

/// A part and the folder it is in.
private struct FoundPart {
  let folder: ItemID
  let recording: Recording

  var hasManyTracks: Bool { !recording.tracks.others.isEmpty }
}

extension Recording {
  /// The length of the longest track, in frames of the first.
  fileprivate var longestFrames: Int64 {
    let others = tracks.others.map { scaled($0.sound.frames, from: $0.sound.rate, to: sound.rate) }
    return others.reduce(sound.frames, max)
  }
}

extension Store {
  func run(_ joining: Joining, _ ticket: Int) throws(TapeError) {
    let parts = try parts(of: joining.ids)
    let format = try format(joining.format)
    let manner =
      if case .wav(let depth) = format, joining.track == nil, parts[0].hasManyTracks {
        try joinTracks(of: parts, depth, to: joining.destination, ticket)
      } else {
        try joinTrack(joining.track, of: parts, format, to: joining.destination, ticket)
      }
    let sentence = sentence(for: manner, parts.map(\.recording), format, joining.destination.path)
    send(.work(ticket: ticket, .done(.told(sentence))))
  }

  private func joinTrack(
    _ name: String?, of parts: [FoundPart], _ format: Export.Format, to target: OutsideFile,
    _ ticket: Int
  ) throws(TapeError) -> Join.Manner {
    let open = try opening(of: name, in: parts)
    let (whole, number) = (try whole(parts), try trackNumber(name, of: parts[0].recording))
    let tags = try tags(of: whole, from: try open(0), track: number, isWhole: parts.count == 1)
    let report = reporting(ticket)
    guard target.passed != nil else {
      return try Join.run(
        parts.count, opening: open, to: target.path, as: format, tags: tags, progress: report)
    }
    return try Join.run(
      parts.count, opening: open, into: try passed(target), as: format, tags: tags,
      progress: report)
  }

  /// Makes one WAV file of all parts and all tracks.
  private func joinTracks(
    of parts: [FoundPart], _ depth: Export.Depth, to target: OutsideFile, _ ticket: Int
  ) throws(TapeError) -> Join.Manner {
    let tracks = parts[0].recording.tracks
    var export = TracksExport()
    for name in [tracks.firstName] + tracks.others.map(\.plan.name) {
      try export.add(parts.count, opening: try opening(of: name, in: parts), named: name)
    }
    let lengths = parts.map(\.recording.longestFrames)
    let first = try trackFile(1, of: parts[0].recording)
    let tags = try tagsOfAllTracks(try whole(parts, lengths), from: first)
    return try run(export, as: depth, to: target, tags, reporting(ticket))
  }

  /// Opens the files of a track, whose parts must fit each other. Nil names the first.
  private func opening(
    of track: String?, in parts: [FoundPart]
  ) throws(TapeError) -> Join.Opening {
    var numbers: [Int] = []
    for part in parts { numbers.append(try trackNumber(track, of: part.recording)) }
    if let reason = Recording.reasonNotToJoin(parts.map(\.recording), track: track) {
      throw TapeError(.unsupported, reason)
    }
    return { [unowned self, numbers] (index) throws(TapeError) in
      try file(of: parts[index], track: numbers[index])
    }
  }

  private func whole(
    _ parts: [FoundPart], _ lengths: [Int64]? = nil
  ) throws(TapeError) -> Recording {
    guard let whole = Recording.joined(parts.map(\.recording), lengths: lengths) else {
      throw Self.notFound
    }
    return whole
  }

  private func file(of part: FoundPart, track: Int) throws(TapeError) -> PosixFile {
    // By identity, because it may be renamed or moved while the others are read.
    let home = homes[part.recording.id] ?? part.folder
    guard let name = try folder(home).index.entries[part.recording.id]?.recording?.file else {
      throw TapeError(.cannotOpen, "“\(part.recording.title)” is gone.")
    }
    return try trackFile(track, of: part.recording, besides: name, in: home)
  }

  private func sentence(
    for manner: Join.Manner, _ parts: [Recording], _ format: Export.Format, _ path: String
  ) -> String {
    let what = parts.count == 1 ? "the only part" : "\(parts.count) parts"
    switch manner {
    case .copied: return "Joined \(what) into \(path), without encoding again."
    case .decoded: return "Joined \(what) into \(path)."
    case .pieced(let indices):
      let numbers = indices.map { "\(parts[$0].part)" }.joined(separator: ", ")
      return format == .opus
        ? "Joined \(what) into \(path); the recorder began anew before part \(numbers);"
          + " Opus was encoded again."
        : "Joined \(what) into \(path); the recorder began anew before part \(numbers)."
    }
  }

  // MARK: Finding the parts

  private func parts(of ids: [ItemID]) throws(TapeError) -> [FoundPart] {
    var parts: [FoundPart] = []
    for id in ids { parts.append(try part(id)) }
    if parts.count > 1 { return parts.sorted { $0.recording.part < $1.recording.part } }
    return try wholeTake(of: parts[0])
  }

  private func part(_ id: ItemID) throws(TapeError) -> FoundPart {
    let (folder, entry) = try home(of: id)
    guard let recording = entry.recording else { throw Self.notFound }
    return FoundPart(folder: folder.index.id, recording: recording)
  }

  /// Looks in the folder of the part first, because there they usually are; then everywhere.
  private func wholeTake(of part: FoundPart) throws(TapeError) -> [FoundPart] {
    var links = PartLinks()
    try list(part.folder, in: &links)
    var chain = links.chain(around: part)
    if !chain.isWhole {
      links = PartLinks()
      var left = [ItemID.root]
      while let id = left.popLast() { left += try list(id, in: &links) }
      chain = links.chain(around: part)
    }
    if let gap = chain.missing { throw TapeError(.unsupported, gap) }
    return chain.parts
  }

  /// Adds the recordings of a folder; returns its folders.
  @discardableResult
  private func list(_ id: ItemID, in links: inout PartLinks) throws(TapeError) -> [ItemID] {
    var below: [ItemID] = []
    try visit(id) { folder in
      below = Array(folder.index.folders)
      for recording in folder.index.entries.values.compactMap(\.recording) {
        links.add(FoundPart(folder: id, recording: recording))
      }
    }
    return below
  }
}

/// The recordings of some folders, by what they continue.
private struct PartLinks {
  private var byID: [ItemID: FoundPart] = [:]
  private var following: [ItemID: FoundPart] = [:]

  struct Chain {
    var parts: [FoundPart]
    /// Why it is not the whole take; nil if nothing says so.
    var missing: String?
    /// Nothing can follow or precede it.
    var isWhole: Bool
  }

  mutating func add(_ part: FoundPart) {
    byID[part.recording.id] = part
    if let before = part.recording.continues { following[before] = part }
  }

  func chain(around part: FoundPart) -> Chain {
    var parts = [part]
    // An index from outside may link parts in a circle.
    var seen: Set = [part.recording.id]
    while let before = parts[0].recording.continues.flatMap({ byID[$0] }),
      seen.insert(before.recording.id).inserted
    {
      parts.insert(before, at: 0)
    }
    var last = part
    while let next = following[last.recording.id], seen.insert(next.recording.id).inserted {
      parts.append(next)
      last = next
    }
    let reason = last.recording.integrity.stopReason
    let lacksFirst = parts[0].recording.continues != nil
    let lacksNext = reason == .split
    let (first, end) = (parts[0].recording.title, last.recording.title)
    let missing =
      lacksFirst
      ? "The part before “\(first)” was deleted: name the parts that are to be joined."
      : lacksNext
        ? "The part after “\(end)” was deleted: name the parts that are to be joined." : nil
    return Chain(
      parts: parts, missing: missing,
      isWhole: missing == nil && (reason == .pressed || reason == .shutdown))
  }
}

// Exports all tracks of a take as one WAV file. A long job on the card's thread, which needs files
// with a path; a card in memory refuses it. All files are opened before the first frame is read,
// since they may be renamed or moved meanwhile.

import Recorder
import Tape

extension Store {
  func runTracks(
    of recording: Recording, _ depth: Export.Depth, to target: OutsideFile, _ ticket: Int
  ) throws(TapeError) {
    let tracks = recording.tracks
    let first = try trackFile(1, of: recording)
    let tags = try tagsOfAllTracks(recording, from: first)
    var export = TracksExport()
    export.add(first, named: tracks.firstName)
    for track in tracks.others {
      export.add(try trackFile(track.number, of: recording), named: track.plan.name)
    }
    let report = reporting(ticket, expecting: recording.sound.frames)
    try run(export, as: depth, to: target, tags, report)
    let sentence = "Exported \(tracks.others.count + 1) tracks to \(target.path)."
    send(.work(ticket: ticket, .done(.told(sentence))))
  }

  @discardableResult
  func run(
    _ export: TracksExport, as depth: Export.Depth, to target: OutsideFile, _ tags: Tags,
    _ report: (Progress) -> Onward
  ) throws(TapeError) -> Join.Manner {
    guard target.passed != nil else {
      return try export.run(to: target.path, as: depth, tags: tags, progress: report)
    }
    return try export.run(into: try passed(target), as: depth, tags: tags, progress: report)
  }

  /// Opens the file of a track.
  func trackFile(_ number: Int, of recording: Recording) throws(TapeError) -> PosixFile {
    let (folder, entry) = try home(of: recording.id)
    return try trackFile(number, of: recording, besides: entry.fileName, in: folder.index.id)
  }

  /// The same, of a recording whose folder and first file are known.
  func trackFile(
    _ number: Int, of recording: Recording, besides first: String, in folder: ItemID
  ) throws(TapeError) -> PosixFile {
    let track = recording.tracks.others.first { $0.number == number }
    let path = join(try path(of: folder), track?.fileName(besides: first) ?? first)
    guard try system.entry(path) != nil else {
      let called = track?.plan.name ?? recording.tracks.firstName
      throw TapeError(
        .cannotOpen, "The file of the track “\(called)” of “\(recording.title)” is gone.")
    }
    guard let file = try system.plainFile(path) else { throw Self.pathless }
    return file
  }

  /// Returns the tags of the first track, without what is only that track's.
  func tagsOfAllTracks(
    _ recording: Recording, from file: borrowing PosixFile
  ) throws(TapeError) -> Tags {
    var tags = try tags(of: recording, from: file)
    tags.facts.removeAll { $0.key == RecordingFacts.trackKey }
    // How loud the file is as a whole was not measured.
    tags.trackGain = nil
    return tags
  }
}

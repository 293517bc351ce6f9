// Exports recordings as files of other formats. Long jobs on the card's thread. They
// need files with a path; a card in memory refuses them. No file may appear under its name before
// it is complete.

import Recorder
import Tape

extension Store {
  func run(_ exporting: Exporting, _ ticket: Int) throws(TapeError) {
    guard let recording = try home(of: exporting.id).entry.recording, recording.file != nil else {
      throw Self.notFound
    }
    if exporting.repairsClipping { return try runRepaired(exporting, recording, ticket) }
    if case .wav(let depth) = try format(exporting.format), exporting.track == nil,
      !recording.tracks.others.isEmpty
    {
      return try runTracks(of: recording, depth, to: exporting.destination, ticket)
    }
    let number = try trackNumber(exporting.track, of: recording)
    let format = try format(exporting.format)
    let source = try trackFile(number, of: recording)
    let tags = try tags(of: recording, from: source, track: number)
    let target = exporting.destination
    let report = reporting(ticket, expecting: recording.sound.frames)
    if target.passed != nil {
      try Export.run(
        from: source, into: try passed(target), as: format, tags: tags, progress: report)
    } else {
      try Export.run(from: source, to: target.path, as: format, tags: tags, progress: report)
    }
    send(.work(ticket: ticket, .done(.told("Exported to \(target.path)."))))
  }

  /// The number of the track called so; without a name, of the first.
  func trackNumber(_ name: String?, of recording: Recording) throws(TapeError) -> Int {
    if let number = recording.trackNumber(named: name) { return number }
    let tracks = recording.tracks
    let names = ([tracks.firstName] + tracks.others.map(\.plan.name)).joined(separator: ", ")
    throw TapeError(
      .unsupported, "“\(recording.title)” has no track “\(name ?? "")”; there is: \(names).")
  }

  /// Returns the tags of a file with those that its entry knows better. What was measured over one
  /// part is no tag of a joined take.
  func tags(
    of recording: Recording, from file: borrowing PosixFile, track number: Int = 1,
    isWhole: Bool = true
  ) throws(TapeError) -> Tags {
    var tags = try Tags.read(from: file) ?? Tags()
    if !isWhole { tags.trackGain = nil }
    tags.update(from: recording, track: number)
    if recording.began.quality != .unsynchronised {
      tags.start = start(of: recording, track: number)
    }
    return tags
  }

  /// Returns when a recording began. Parts that follow each other without a gap are counted from
  /// the first one, in frames of the track's file, so that they line up to the frame.
  private func start(of recording: Recording, track number: Int) -> Tags.Start {
    let rate = recording.sound(ofTrack: number).rate
    var (first, frames) = (recording, Int64(0))
    for _ in 1..<10_000 {
      guard let before = first.continues.flatMap(part), before.integrity.stopReason == .split else {
        break
      }
      let sound = before.sound(ofTrack: number)
      // An index from outside may say any length, so often that the sum would overflow.
      frames += min(scaled(sound.frames, from: sound.rate, to: rate), 1 << 48)
      first = before
    }
    return Tags.Start(milliseconds: first.began.wall.milliseconds, frames: frames, rate: rate)
  }

  private func part(_ id: ItemID) -> Recording? {
    // A part that was deleted cannot be lined up with.
    do { return try home(of: id).entry.recording } catch { return nil }
  }

  /// Takes ownership of the file that a client passed.
  func passed(_ file: OutsideFile) throws(TapeError) -> PosixFile {
    guard let descriptor = file.passed.flatMap(clientFiles.claim) else {
      throw TapeError(
        .cannotOpen, "\(file.path) is not open any more: the program that passed it has ended.")
    }
    return PosixFile.adopt(descriptor, named: file.path)
  }

  func format(_ name: String) throws(TapeError) -> Export.Format {
    switch name.lowercased() {
    case "wav": .wav(.bits16)
    case "wav24": .wav(.bits24)
    case "wavfloat": .wav(.float)
    case "flac": .flac(.bits16)
    case "flac24": .flac(.bits24)
    case "mp3": .mp3
    case "opus": .opus
    default:
      throw TapeError(
        .unsupported,
        "“\(name)” is no format to export to; there are wav, wav24, wavfloat, flac, flac24, mp3"
          + " and opus.")
    }
  }

  static var pathless: TapeError {
    TapeError(.unsupported, "This card can only be recorded on and played from.")
  }
}

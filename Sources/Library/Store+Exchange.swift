// Exports and imports recordings as files of other formats. Long jobs on the card's thread. They
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

  private func reader(of file: OutsideFile) throws(TapeError) -> SoundReader {
    file.passed == nil ? try SoundReader.open(file.path) : try SoundReader.open(try passed(file))
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

  func run(_ importing: Importing, _ ticket: Int) throws(TapeError) {
    let sound = try reader(of: importing.source)
    let channels = min(sound.channels, OpusSettings.mostChannels)
    let folder = try folder(importing.folder)
    let title = Text.title(FileName.parts(lastName(of: importing.source.path)).title) ?? "Untitled"
    let name = try freeName(in: folder) {
      FileName.recording(
        sequence: importing.sequence, title: title, ending: FileName.ending, number: $0)
    }
    try useUp(importing.sequence, in: importing.folder)
    let path = join(try path(of: importing.folder), name)
    let began = Moment(
      boot: .root, instant: Instant(nanoseconds: 0), wall: now, quality: .synchronised)
    func recording(_ sound: Sound) -> Recording {
      Recording(
        id: importing.id, folder: importing.folder, sequence: importing.sequence, title: title,
        began: began, file: name, sound: sound)
    }
    var tags = Tags()
    tags.id = "\(importing.id)"
    tags.update(from: recording(Sound(channels: channels)))
    let part = join(try self.path(of: importing.folder), PartName.fresh())
    let (frames, sum): (Int64, SoundSum)
    do {
      let file = try system.open(part, .create)
      (frames, sum) = try Import.run(
        sound, into: file, OpusSettings(), tags: tags,
        serial: importing.id.serial
      ) { progress in
        goOn(ticket, done: progress.done, of: progress.total ?? 1)
      }
      try file.sync()
      try system.rename(part, to: path)
      try system.syncDirectory(try self.path(of: importing.folder))
    } catch {
      // If this fails, recovery removes the part file at the next start.
      try? system.remove(part)
      throw error
    }
    let size = try system.entry(path)?.byteCount ?? 0
    let imported = recording(
      Sound(frames: frames, channels: channels, sizeBytes: size, hash: SoundHash(sum)))
    // By ID, because the folder may have been read again meanwhile.
    try change([.put(Entry(imported))], in: importing.folder)
    homes[importing.id] = importing.folder
    send(.work(ticket: ticket, .done(.imported(imported))))
  }

  private func lastName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  static var pathless: TapeError {
    TapeError(.unsupported, "This card can only be recorded on and played from.")
  }
}

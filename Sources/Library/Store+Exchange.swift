// Recordings out of the card and into it, as files of other kinds. Long work on files that have a
// path; on a card that has none it is refused. Nothing shows under its name until it is whole.

import Recorder
import Tape

extension Store {
  func run(_ exporting: Exporting, _ ticket: Int) throws(TapeError) {
    let (folder, entry) = try home(of: exporting.id)
    guard let recording = entry.recording, let name = recording.file else { throw Self.notFound }
    let path = join(try path(of: folder.index.id), name)
    let format = try format(exporting.format)
    guard let directory else { throw Self.pathless }
    var tags = try Tags.read(from: try system.open(path, .read)) ?? Tags()
    tags.title = recording.title
    tags.marks = recording.marks.map { Tags.Mark(frame: $0.frame, name: $0.name) }
    if recording.began.quality != .unsynchronised {
      tags.date = CalendarDate(recording.began.wall, utcOffsetSeconds: 0).iso8601
      tags.timeQuality = Tags.TimeQuality(rawValue: recording.began.quality.rawValue)
    }
    let source = join(directory, path)
    let target = exporting.destination
    let report: (Progress) -> Onward = { [unowned self] progress in
      goOn(ticket, done: progress.done, of: progress.total ?? max(1, recording.sound.frames))
    }
    if target.passed != nil {
      try Export.run(
        from: source, into: try passed(target), as: format, tags: tags, progress: report)
    } else {
      try Export.run(from: source, to: target.path, as: format, tags: tags, progress: report)
    }
    send(.work(ticket: ticket, .done(.told("Exported to \(target.path)."))))
  }

  /// The file that somebody opened for us: ours from now on.
  private func passed(_ file: OutsideFile) throws(TapeError) -> PosixFile {
    guard let descriptor = file.passed.flatMap(takePassed) else {
      throw TapeError(.cannotOpen, "\(file.path) is open no longer: whoever passed it has gone.")
    }
    return PosixFile.adopt(descriptor, named: file.path)
  }

  private func reader(of file: OutsideFile) throws(TapeError) -> SoundReader {
    file.passed == nil ? try SoundReader.open(file.path) : try SoundReader.open(try passed(file))
  }

  private func format(_ name: String) throws(TapeError) -> Export.Format {
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
    guard let directory else { throw Self.pathless }
    let sound = try reader(of: importing.source)
    let channels = sound.channels
    let folder = try folder(importing.folder)
    let title = Text.title(FileName.parts(lastName(of: importing.source.path)).title) ?? "Untitled"
    let name = try freeName(in: folder) {
      FileName.recording(
        sequence: importing.sequence, title: title, ending: FileName.ending, number: $0)
    }
    try useUp(importing.sequence, in: importing.folder)
    let path = join(try path(of: importing.folder), name)
    var tags = Tags()
    (tags.id, tags.sequence, tags.title) = ("\(importing.id)", importing.sequence, title)
    tags.date = CalendarDate(now, utcOffsetSeconds: 0).iso8601
    let frames = try Import.run(
      sound, named: importing.source.path, to: join(directory, path), OpusSettings(), tags: tags,
      serial: importing.id.serial
    ) { progress in
      goOn(ticket, done: progress.done, of: progress.total ?? 1)
    }
    let size = try system.entry(path)?.byteCount ?? 0
    let recording = Recording(
      id: importing.id, folder: importing.folder, sequence: importing.sequence, title: title,
      began: Moment(
        boot: .root, instant: Instant(nanoseconds: 0), wall: now, quality: .synchronised),
      file: name,
      sound: Sound(frames: frames, channels: channels, sizeBytes: size))
    // Meanwhile the folder may have been read again.
    try change([.put(Entry(recording))], in: importing.folder)
    homes[importing.id] = importing.folder
    send(.work(ticket: ticket, .done(.imported(recording))))
  }

  private func lastName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  static var pathless: TapeError {
    TapeError(.unsupported, "This card can only be recorded on and played from.")
  }
}

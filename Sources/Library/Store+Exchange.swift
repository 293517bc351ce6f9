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
    try Export.run(
      from: join(directory, path), to: exporting.destination, as: format, tags: tags
    ) { progress in
      goOn(ticket, done: progress.done, of: progress.total ?? max(1, recording.sound.frames))
    }
    send(.work(ticket: ticket, .done(.told("Exported to \(exporting.destination)."))))
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
    let folder = try folder(importing.folder)
    let title = Text.title(FileName.parts(lastName(of: importing.source)).title) ?? "Untitled"
    let name = try freeName(in: folder) {
      FileName.recording(
        sequence: importing.sequence, title: title, ending: FileName.ending, number: $0)
    }
    try useUp(importing.sequence, in: importing.folder)
    let path = join(try path(of: importing.folder), name)
    var tags = Tags()
    (tags.id, tags.sequence, tags.title) = ("\(importing.id)", importing.sequence, title)
    tags.date = CalendarDate(now, utcOffsetSeconds: 0).iso8601
    let serial = UInt32(truncatingIfNeeded: importing.id.low)
    let channels = try SoundReader.open(importing.source).channels
    let frames = try Import.run(
      from: importing.source, to: join(directory, path), OpusSettings(), tags: tags, serial: serial
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

// Imports sound files of any format as recordings. A long job on the card's thread. No file may
// appear under its name before it is complete.

import Recorder
import Tape

extension Store {
  /// Returns the format to import to; without a name, Opus.
  func importFormat(_ name: String?) throws(TapeError) -> TapeFormat {
    switch name {
    case nil, "opus": .opus(OpusSettings())
    case "flac": .flac(FlacSettings())
    case let name?:
      throw TapeError(
        .unsupported, "“\(name)” is no format to import to; there are opus and flac.")
    }
  }

  func run(_ importing: Importing, _ ticket: Int) throws(TapeError) {
    let sound = try reader(of: importing.source)
    let format = Import.format(importing.format, of: sound)
    let folder = try folder(importing.folder)
    let title = Text.title(FileName.parts(lastName(of: importing.source.path)).title) ?? "Untitled"
    let name = try freeName(in: folder) {
      FileName.recording(
        sequence: importing.sequence, title: title, ending: format.ending, number: $0)
    }
    try useUp(importing.sequence, in: importing.folder)
    let path = join(try path(of: importing.folder), name)
    let told = sound.tags
    let began = moment(told, otherwise: now)
    func recording(_ sound: Sound) -> Recording {
      Recording(
        id: importing.id, folder: importing.folder, sequence: importing.sequence, title: title,
        began: began, file: name, sound: sound, marks: told.marks(rate: sound.rate),
        details: told.details)
    }
    var tags = Tags()
    tags.id = "\(importing.id)"
    tags.update(from: recording(format.sound()))
    let made = try write(sound, as: importing, tags, to: path, ticket)
    let size = try system.entry(path)?.byteCount ?? 0
    var imported = recording(
      format.sound(frames: made.frames, sizeBytes: size, hash: SoundHash(made.sum)))
    imported.cutToLength()
    // By ID, because the folder may have been read again meanwhile.
    try change([.put(Entry(imported))], in: importing.folder)
    homes[importing.id] = importing.folder
    send(.work(ticket: ticket, .done(.imported(imported))))
  }

  /// Makes the file, which gets its name when it is whole.
  private func write(
    _ sound: consuming SoundReader, as importing: Importing, _ tags: Tags, to path: String,
    _ ticket: Int
  ) throws(TapeError) -> Import.Made {
    let directory = try self.path(of: importing.folder)
    let part = join(directory, PartName.fresh())
    do {
      let file = try system.open(part, .create)
      let made = try Import.run(
        sound, into: file, as: importing.format, tags: tags, serial: importing.id.serial
      ) { progress in
        goOn(ticket, done: progress.done, of: progress.total ?? 1)
      }
      try file.sync()
      try system.rename(part, to: path)
      try system.syncDirectory(directory)
      return made
    } catch {
      // If this fails, recovery removes the part file at the next start.
      try? system.remove(part)
      throw error
    }
  }

  private func reader(of file: OutsideFile) throws(TapeError) -> SoundReader {
    file.passed == nil ? try SoundReader.open(file.path) : try SoundReader.open(try passed(file))
  }

  private func lastName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension TapeFormat {
  /// Sound as its files hold it.
  fileprivate func sound(
    frames: Int64 = 0, sizeBytes: Int64 = 0, hash: SoundHash? = nil
  ) -> Sound {
    Sound(
      frames: frames, rate: fileRate, channels: channels, sizeBytes: sizeBytes, bits: bits,
      hash: hash)
  }
}

// Computes a recording's waveform for display. Reads the sound from first frame to last, a few
// seconds a step, so that commands are handled in between. Runs on the card's thread; changes
// nothing.

import Recorder
import Tape

/// A waveform in progress. It keeps its file open, so that a rename meanwhile does not matter.
final class Drawing {
  private var reader: SoundReader
  fileprivate var outline: Outline
  private var block: [Int16]

  /// About three seconds of sound: some milliseconds of work.
  private static let stepSamples = 1 << 17

  fileprivate init(_ reader: consuming SoundReader, frames: Int64, points: Int) {
    outline = Outline(
      frames: reader.frames ?? frames, channels: reader.channels, points: points)
    let frames = max(1, Self.stepSamples / reader.channels)
    block = [Int16](repeating: 0, count: frames * reader.channels)
    self.reader = reader
  }

  /// Reads a block. Returns its number of frames; 0 at the end.
  fileprivate func readOn() throws(TapeError) -> Int {
    let result = block.withUnsafeMutableBufferPointer { block in
      Result { () throws(TapeError) in
        let count = try reader.read(into: block)
        outline.add(UnsafeBufferPointer(rebasing: block[..<(count * outline.channels)]))
        return count
      }
    }
    return try result.get()
  }

  fileprivate var waveform: Waveform {
    Waveform(
      rate: reader.sampleRate, frames: outline.addedFrames, peaks: outline.largest,
      rms: outline.effective)
  }
}

extension Store {
  func drawing(of id: ItemID, _ points: Int) throws(TapeError) -> Drawing {
    guard Waveform.pointRange.contains(points) else {
      throw TapeError(.unsupported, Waveform.sentenceOnPoints)
    }
    let (folder, entry) = try home(of: id)
    guard let recording = entry.recording, let name = recording.file else { throw Self.notFound }
    let path = join(try path(of: folder.index.id), name)
    guard let file = try system.plainFile(path) else { throw Self.pathless }
    return Drawing(
      try SoundReader.open(file), frames: recording.sound.frames, points: points)
  }

  /// Reads one block; false at the end.
  func step(_ drawing: Drawing, _ ticket: Int) throws(TapeError) -> Bool {
    guard try drawing.readOn() > 0 else {
      send(.work(ticket: ticket, .done(.waveform(drawing.waveform))))
      return false
    }
    reportProgress(ticket, done: drawing.outline.addedFrames, of: max(1, drawing.outline.frames))
    return true
  }
}

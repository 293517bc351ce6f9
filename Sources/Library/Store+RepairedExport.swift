// Exports a track whose clipped stretches come from the safety track of its take. A long job on the
// card's thread, which needs files with a path; a card in memory refuses it.

import Recorder
import Tape

extension Store {
  func runRepaired(
    _ exporting: Exporting, _ recording: Recording, _ ticket: Int
  ) throws(TapeError) {
    let number = try trackNumber(exporting.track, of: recording)
    let safety = try safetyTrack(of: recording, for: number)
    let main = try trackFile(number, of: recording)
    let format = try format(exporting.format)
    let tags = try tags(of: recording, from: main, track: number)
    let export = RepairedExport(main, from: try trackFile(safety, of: recording), as: format)
    let target = exporting.destination
    let progress = reporting(ticket, expecting: recording.sound.frames)
    let report =
      if target.passed != nil {
        try export.run(into: try passed(target), tags: tags, progress: progress)
      } else {
        try export.run(to: target.path, tags: tags, progress: progress)
      }
    let told = ["Exported to \(target.path)."] + report.sentences
    send(.work(ticket: ticket, .done(.told(told.joined(separator: "\n")))))
  }

  /// The number of the track that repairs another.
  private func safetyTrack(of recording: Recording, for number: Int) throws(TapeError) -> Int {
    let tracks = recording.tracks
    let isFirst = tracks.firstName == Tracks.safetyName
    let other = tracks.others.first { $0.plan.name == Tracks.safetyName }?.number
    guard let safety = isFirst ? 1 : other else {
      throw TapeError(
        .unsupported,
        "“\(recording.title)” has no track “\(Tracks.safetyName)”, from which it could be repaired;"
          + " export it without --repair-clipping.")
    }
    if safety == number {
      throw TapeError(
        .unsupported,
        "The track “\(Tracks.safetyName)” repairs the others; name another with --track.")
    }
    return safety
  }
}

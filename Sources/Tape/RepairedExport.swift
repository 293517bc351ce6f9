// Exports a track whose clipped stretches come from its safety track. Reads both twice: first to
// measure, then to write. Long work that blocks on the disk: give it a thread of its own. No
// incomplete file may appear under its final name.

/// A track, and the one that repairs it: two open files.
public struct RepairedExport: ~Copyable, Sendable {
  private let main: PosixFile
  private let safety: PosixFile
  private let format: Export.Format

  public init(
    _ main: consuming PosixFile, from safety: consuming PosixFile, as format: Export.Format
  ) {
    self.main = main
    self.safety = safety
    self.format = format
  }

  /// Exports to a path. `tags` replace the recording's own, but for what is said of the repair.
  public func run(
    to destination: String, tags: Tags, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> ClippingReport {
    var part = try PartFile.make(for: destination, replacing: false)
    let report = try write(to: part.file, named: destination, tags, progress)
    try part.complete()
    return report
  }

  /// Exports into an open and empty file and syncs it; the caller names it when it is whole.
  public func run(
    into file: borrowing PosixFile, tags: Tags, progress: (Progress) -> Onward = { _ in .goOn }
  ) throws(TapeError) -> ClippingReport {
    let report = try write(to: file, named: file.path, tags, progress)
    try file.sync()
    return report
  }

  private func write(
    to file: borrowing PosixFile, named name: String, _ tags: Tags,
    _ progress: (Progress) -> Onward
  ) throws(TapeError) -> ClippingReport {
    var plan = try ClippingRepair.examine(
      main: try SoundReader.open(main), safety: try SoundReader.open(safety)
    ) { progress($0.half(0)) }
    // There is room above full scale.
    if format.keepsPeaks { plan.keepLevel() }
    let report = plan.report
    var tags = tags
    if let comment = report.comment { tags.facts.append(comment) }
    let reader =
      plan.isNeeded
      ? try SoundReader.open(main, repairedFrom: safety, plan) : try SoundReader.open(main)
    try Export.write(reader, main, to: file, named: name, format, tags) { progress($0.half(1)) }
    return report
  }
}

extension Progress {
  /// The progress of one of two passes, as that of both.
  fileprivate func half(_ pass: Int64) -> Progress {
    guard let total, total > 0 else { return self }
    return Progress(done: done + pass * total, of: 2 * total)
  }
}

extension Export.Format {
  fileprivate var keepsPeaks: Bool { self == .wav(.float) }
}

// `waveform` of a folder: a sheet with a line for each recording below it, drawn one after another
// over the socket. Main thread.

import Catalogue
import Console
import Recorder

extension Talking {
  /// Draws the recordings of a folder; nil if the command names a recording.
  func drawFolder() throws(ExitError) -> Int32? {
    guard case .waveform(let name, let points) = try parsed() else { return nil }
    let item = try item(named: name)
    guard item.kind == .folder else { return nil }
    if call.svgFile != nil {
      throw ExitError(ExitCode.usage, "--svg draws one recording; “\(name)” is a folder")
    }
    var sheet = WaveformSheet(self, points: call.words.hasOption("--points") ? points : nil)
    try sheet.draw(item)
    if sheet.count == 0, !call.isJSON { Output.write(Output.language.say("Nothing here.") + "\n") }
    return sheet.code
  }
}

struct WaveformSheet {
  private let talking: Talking
  private let points: Int?
  private(set) var count = 0
  /// The code of the first failure; 0 if nothing failed.
  private(set) var code: Int32 = 0

  private static let titleColumns = 24
  private static let lengthColumns = 8

  init(_ talking: Talking, points: Int?) {
    self.talking = talking
    self.points = points
  }

  /// The recordings of a folder first, then its folders.
  mutating func draw(_ folder: ItemReport) throws(ExitError) {
    let items = try talking.items(of: folder.id)
    let recordings = items.filter { $0.kind == .recording && $0.isSettled }
    if !recordings.isEmpty, !talking.call.isJSON {
      Output.write(Text.printable(folder.path) + "\n")
    }
    for recording in recordings { try draw(recording: recording) }
    for below in items where below.kind == .folder { try draw(below) }
  }

  private mutating func draw(recording: ItemReport) throws(ExitError) {
    count += 1
    let columns = max(8, Output.columns - Self.titleColumns - Self.lengthColumns - 4)
    let points = points ?? (talking.call.isJSON ? 600 : columns)
    let title = Text.printable("\(recording.sequence.map { "\($0) " } ?? "")\(recording.title)")
    let name = Self.padded(Text.fitted(title, columns: Self.titleColumns), Self.titleColumns)
    do throws(ExitError) {
      let words = ["waveform", "--points", "\(points)", "--", "\(recording.id)"]
      guard case .waveform(let waveform) = try talking.ask(words) else { return }
      if talking.call.isJSON { return try talking.show(.waveform(waveform)) }
      let length = Duration.clock(milliseconds: recording.lengthMilliseconds ?? 0)
      let gap = String(repeating: " ", count: max(0, Self.lengthColumns - length.count))
      Output.write(
        "\(name)  \(WaveformText.line(of: waveform, columns: columns))  \(gap)\(length)\n")
    } catch {
      if code == 0 { code = error.code }
      if error.code == ExitCode.unavailable { throw error }
      Output.logError("\(recording.path) cannot be drawn: \(error.sentence)")
    }
  }

  private static func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - Text.columns(text)))
  }
}

extension ItemReport {
  /// Whether the recording is complete.
  var isSettled: Bool { stage == .finished || stage == .recovered }
}

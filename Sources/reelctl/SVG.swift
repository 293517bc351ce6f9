// A recording's waveform as an SVG file: the peaks, and within them the RMS, around a middle line.
// The file is written whole beside its destination, and then renamed.

import Console
import Glibc
import Realtime
import Recorder

enum SVG {
  static func check(_ file: String, isSure: Bool) throws(ExitError) {
    if access(file, F_OK) == 0, !isSure {
      throw ExitError(
        ExitCode.cannotCreate, "\(file) is there already; say --yes to write over it")
    }
  }

  static func write(_ waveform: WaveformReport, to file: String) throws(ExitError) {
    let beside = file + ".new"
    let bytes = Array(text(of: waveform).utf8)
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw trouble(file) }
    let isWritten = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    guard isWritten == bytes.count, rename(beside, file) == 0 else {
      let failure = trouble(file)
      unlink(beside)
      throw failure
    }
  }

  private static func trouble(_ file: String) -> ExitError {
    ExitError(ExitCode.cannotCreate, "cannot write \(file): \(systemWords(for: errno))")
  }

  static func text(of waveform: WaveformReport) -> String {
    let count = max(1, waveform.peaks.count)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -100 \(count) 200" \
      width="\(count)" height="200" preserveAspectRatio="none">
      <title>\(escaped(waveform.title))</title>
      <path fill="#9fb8d0" d="\(outline(waveform.peaks))"/>
      <path fill="#3a6a97" d="\(outline(waveform.rms))"/>
      </svg>

      """
  }

  /// Along the upper edge, and back along the lower.
  private static func outline(_ values: [Int]) -> String {
    let heights = values.map { height(of: $0) }
    let upper = heights.enumerated().map { "L\($0) -\($1)" }
    let lower = heights.enumerated().reversed().map { "L\($0) \($1)" }
    return (["M0 0"] + upper + lower + ["Z"]).joined()
  }

  /// Returns a height from 0 to 100 with one decimal.
  private static func height(of value: Int) -> String {
    let tenths = min(max(value, 0), 32_767) * 1000 / 32_767
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func escaped(_ text: String) -> String {
    var safe = ""
    for character in Text.printable(text) {
      switch character {
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "&": safe += "&amp;"
      default: safe.append(character)
      }
    }
    return safe
  }
}

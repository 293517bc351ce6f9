// A temporary folder for a test, its files, and programs of other authors that judge those files.
// Any thread.
import Glibc
import Scratch
import Testing

@testable import Tape

struct Folder {
  private let scratch = ScratchFolder()
  var path: String { scratch.path }

  func put(_ bytes: [UInt8], _ name: String) throws -> String {
    let file = try PosixFile.open("\(path)/\(name)", .create)
    try file.write(bytes, at: 0)
    return file.path
  }

  var names: [String] {
    run("ls -A '\(path)'").text.split(separator: "\n").map { String($0) }
  }
}

struct Ran {
  var status: Int32
  var bytes: [UInt8]
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Runs a shell command; returns its standard output, and its errors if `2>&1` is given.
@discardableResult
func run(_ command: String) -> Ran {
  guard let pipe = popen(command, "r") else { return Ran(status: -1, bytes: []) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&block, 1, block.count, pipe)
    if count == 0 { break }
    bytes += block[..<count]
  }
  return Ran(status: pclose(pipe) >> 8, bytes: bytes)
}

enum Judges {
  /// Expects two sounds to be the same. An expectation of the arrays themselves lists how they
  /// differ, which takes minutes for so many samples.
  static func same<Element: Equatable>(
    _ heard: [Element], _ expected: [Element], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isSame = heard == expected
    let place = zip(heard, expected).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(
      isSame, "\(heard.count), not \(expected.count); they differ after \(place ?? -1)",
      sourceLocation: sourceLocation)
  }

  /// The samples of each channel, as 32 bits, as sox reads them.
  static func channels(of path: String) throws -> [[Int32]] {
    let count = try SoundReader.open(path).channels
    let raw = run("sox '\(path)' -t raw -e signed -b 32 -L -").bytes
    let samples = raw.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    return (0..<count).map { channel in
      stride(from: channel, to: samples.count, by: count).map { samples[$0] }
    }
  }

  /// Decodes a file with opusdec to raw 16-bit samples.
  static func opusdec(_ path: String) -> [Int16] {
    let ran = run("opusdec --quiet --no-dither --rate 48000 '\(path)' -")
    #expect(ran.status == 0, "opusdec refuses \(path)")
    return ran.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  /// Expects that every independent reader accepts the file without a message and finds it this
  /// long.
  static func accept(_ path: String, frames: Int64, channels: Int = 1) {
    let info = run("opusinfo '\(path)' 2>&1")
    #expect(info.status == 0 && !info.text.contains("WARNING"), "opusinfo: \(info.text)")
    #expect(opusdec(path).count == Int(frames) * channels, "opusdec finds another length")
    let probe = run("ffprobe -v warning -show_entries format=duration -of csv=p=0 '\(path)' 2>&1")
    #expect(probe.status == 0, "ffprobe: \(probe.text)")
    // Older versions count the pre-skip, 312 frames here, or what a later part skips.
    let seconds = Double(probe.text.split(separator: "\n").last ?? "") ?? -1
    let extra = seconds - Double(frames) / 48_000
    #expect(extra > -0.001 && extra < 0.5, "ffprobe finds another length: \(probe.text)")
    let errors = run("ffmpeg -v warning -i '\(path)' -f null - 2>&1")
    #expect(errors.status == 0 && errors.text.isEmpty, "ffmpeg: \(errors.text)")
  }
}

// Files to import: any bytes that libsndfile or libopusfile can read become a recording of the
// reported length, in Opus or FLAC, which libopusfile and libsndfile read; any others are refused
// with a sentence, and nothing is left behind.

import Glibc
import Realtime

@testable import Tape

extension FuzzTarget {
  static let sound = FuzzTarget(
    name: "sound", limitBytes: 4096,
    seeds: {
      let opus: [[UInt8]] = [[0] + OpusSeeds.short, [1] + OpusSeeds.short, [0]]
      return wavs + wavs.map(lossless) + opus
    },
    run: { bytes in
      guard let kind = bytes.first else { return }
      let file = Array(bytes.dropFirst())
      let folder = "/dev/shm/reel-fuzz-\(getpid())"
      mkdir(folder, 0o700)
      defer {
        for name in ["in", "out"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
      }
      try put(kind & 1 == 0 ? file : OpusSeeds.sealed(file), at: "\(folder)/in")
      try checkImport(from: "\(folder)/in", to: "\(folder)/out", isLossless: kind & 2 != 0)
      try prove(names(in: folder).isSubset(of: ["in", "out"]), "something is left behind")
    })

  private static func checkImport(
    from source: String, to target: String, isLossless: Bool
  ) throws {
    var settings = OpusSettings()
    settings.complexity = 0
    let format: TapeFormat = isLossless ? .flac(FlacSettings()) : .opus(settings)
    var calls = 0
    let frames: Int64
    do throws(TapeError) {
      frames = try Import.run(from: source, to: target, as: format, serial: 7) { progress in
        calls += 1
        return progress.done > 400_000 || calls > 200 ? .cancel : .goOn
      }
    } catch {
      try proveReadable(error.sentence.replacing(source, with: "it"))
      return try prove(access(target, F_OK) != 0, "refused, and there is a file")
    }
    var reader = try SoundReader.open(target)
    try prove(reader.isOpus != isLossless, "it has another format")
    try prove(
      reader.frames ?? 0 == frames, "\(frames) frames are told, \(reader.frames ?? 0) are there")
    let block = Buffer<Int16>(count: 4_800 * reader.channels)
    var heard: Int64 = 0
    while case let count = try reader.read(into: block.all), count > 0 { heard += Int64(count) }
    try prove(heard == frames, "\(heard) of \(frames) frames are heard")
    try prove(
      try Repair.examine(PosixFile.open(target, .read)).verdict == .whole, "it is not whole")
  }

  private static func put(_ bytes: [UInt8], at path: String) throws {
    try PosixFile.open(path, .create).write(bytes, at: 0)
  }

  private static func names(in folder: String) -> Set<String> {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: Set<String> = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.insert(name) }
    }
    return names
  }

  /// The same file, to be imported without loss.
  private static func lossless(_ wav: [UInt8]) -> [UInt8] { [2] + wav.dropFirst() }

  /// WAV files of several rates and depths, with one, two and three channels.
  private static var wavs: [[UInt8]] {
    [(8000, 1, 8), (44_100, 2, 16), (48_000, 1, 24), (96_000, 3, 16), (1, 1, 16)].map {
      (rate, channels, bits) in
      let sound = (0..<240).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      let frame = channels * bits / 8
      var header = Array("RIFF".utf8) + littleEndian(UInt32(36 + sound.count))
      header += Array("WAVEfmt ".utf8) + littleEndian(UInt32(16)) + littleEndian(UInt16(1))
      header += littleEndian(UInt16(channels)) + littleEndian(UInt32(rate))
      header += littleEndian(UInt32(rate * frame)) + littleEndian(UInt16(frame))
      header += littleEndian(UInt16(bits)) + Array("data".utf8) + littleEndian(UInt32(sound.count))
      return [0] + header + sound
    }
  }
}

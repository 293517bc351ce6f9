// A fuzz target: an entry for bytes from outside, and the properties that must hold for any bytes.
// libFuzzer drives the targets (Fuzzer.swift), and the ordinary tests replay its findings
// (FuzzTests.swift). Each run begins anew: nothing is kept from one input to the next.

import Glibc
import Recorder

struct FuzzTarget: Sendable {
  let name: String
  /// A longer input finds nothing that a shorter one does not.
  let limitBytes: Int
  /// Seed inputs, made by the present code.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Throws `Broken`, traps or hangs if a property does not hold.
  let run: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    .configuration, .control, .serial, .commands, .index, .card, .opus, .flac, .sound, .tags,
    .flight, .input, .json, .link, .manifest, .web,
  ]
}

/// A property that does not hold for some input.
struct Broken: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func prove(_ isSo: Bool, _ promise: @autoclosure () -> String) throws {
  if !isSo { throw Broken(promise()) }
}

/// Checks that a sentence for people is one line without control characters.
func proveReadable(_ sentence: String) throws {
  let isClean = sentence.unicodeScalars.allSatisfy { scalar in
    scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
  }
  try prove(isClean && !sentence.isEmpty, "no sentence for people: \(sentence.debugDescription)")
}

/// Checks an error that may quote typed text, which views make printable.
func proveSaid(_ failure: CommandError) throws {
  try prove(!failure.sentence.isEmpty && !failure.code.isEmpty, "refused without a word")
}

extension Array where Element == UInt8 {
  /// The parts between 0xFF bytes, which no text contains.
  var sections: [[UInt8]] {
    split(separator: 0xFF, omittingEmptySubsequences: false).map(Array.init)
  }

  static func sections(_ parts: [[UInt8]]) -> [UInt8] { [UInt8](parts.joined(separator: [0xFF])) }
}

/// Calls `look` with the path of a temporary file in memory that holds the bytes.
func withFile<Result>(_ bytes: [UInt8], _ look: (String) throws -> Result) throws -> Result {
  var name = Array("/dev/shm/reel-fuzz-XXXXXX".utf8CString)
  let descriptor = mkstemp(&name)
  let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer {
    close(descriptor)
    unlink(path)
  }
  try prove(write(descriptor, bytes, bytes.count) == bytes.count, "there is no room for a file")
  return try look(path)
}

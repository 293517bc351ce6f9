// What a fuzz target is: a door through which bytes come in from outside, and what must hold of any
// bytes at all. libFuzzer drives them (Fuzzer.swift), and the ordinary tests replay what it found
// (FuzzTests.swift). Each run begins anew: nothing is kept from one input to the next.

import Console
import Glibc

struct FuzzTarget: Sendable {
  let name: String
  /// What is longer finds nothing that is not found sooner.
  let limitBytes: Int
  /// Inputs to begin with, made by our own code as it is now.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Throws `Broken`, or ends in a trap or a hang, when a promise does not hold.
  let run: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    .configuration, .control, .serial, .commands, .index, .card, .opus, .sound, .tags, .flight,
    .input,
  ]
}

/// A promise that does not hold for some input.
struct Broken: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func prove(_ isSo: Bool, _ promise: @autoclosure () -> String) throws {
  if !isSo { throw Broken(promise()) }
}

/// A sentence for people: one line, nothing in it that a terminal would obey.
func proveReadable(_ sentence: String) throws {
  let isClean = sentence.unicodeScalars.allSatisfy { scalar in
    scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
  }
  try prove(isClean && !sentence.isEmpty, "no sentence for people: \(sentence.debugDescription)")
}

/// One that quotes what somebody typed; whoever shows it makes it printable.
func proveSaid(_ failure: Failure) throws {
  try prove(!failure.sentence.isEmpty && !failure.code.isEmpty, "refused without a word")
}

extension Array where Element == UInt8 {
  /// Its pieces between bytes that no text holds.
  var sections: [[UInt8]] {
    split(separator: 0xFF, omittingEmptySubsequences: false).map(Array.init)
  }

  static func sections(_ parts: [[UInt8]]) -> [UInt8] { [UInt8](parts.joined(separator: [0xFF])) }
}

/// A file of those bytes, in memory, for as long as it is looked at.
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

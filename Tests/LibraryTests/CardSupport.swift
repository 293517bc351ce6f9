// The cards that the tests run on, and short ways to write to one and to read it back.

import FoundationEssentials
import Glibc
import Library
import Tape
import Testing

typealias Planting = (_ name: [UInt8], _ folder: String) throws -> Void

enum CardKind: CaseIterable, Sendable {
  case posix, journalling, fat

  func withCard(_ body: (any FileSystem) throws -> Void) throws {
    try withPlanting { card, _ in try body(card) }
  }

  /// `plant` puts a file there under a name that no text can say.
  func withPlanting(
    _ body: (any FileSystem, Planting) throws -> Void
  ) throws {
    switch self {
    case .posix:
      let scratch = try Scratch()
      defer { scratch.remove() }
      try body(PosixCard.open(scratch.path)) { name, folder in
        try scratch.plant(name, in: folder)
      }
    case .journalling: try withMemory(.journalling, body)
    case .fat: try withMemory(.fat, body)
    }
  }

  private func withMemory(
    _ kind: MemoryCard.Kind,
    _ body: (any FileSystem, Planting) throws -> Void
  ) throws {
    let card = MemoryCard(kind)
    try body(card) { name, folder in try card.plant(name, in: folder, []) }
  }
}

/// A directory of one test alone.
struct Scratch {
  let path: String

  init() throws {
    var template = Array("/tmp/reel-card-XXXXXX".utf8CString)
    path = String(cString: try #require(mkdtemp(&template)))
  }

  func remove() {
    // What cannot be removed stays in the directory for such things.
    try? FileManager.default.removeItem(atPath: path)
  }

  func plant(_ name: [UInt8], in folder: String) throws {
    let bytes = Array("\(path)/\(folder)/".utf8) + name + [0]
    let file = bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map {
        creat(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self), 0o644)
      }
    }
    close(try #require(file))
  }
}

extension TapeFile {
  func put(_ text: String, at offset: Int64) throws { try put(Array(text.utf8), at: offset) }

  func put(_ bytes: [UInt8], at offset: Int64) throws {
    try bytes.withUnsafeBytes { try write($0, at: offset) }
  }

  func all() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(try byteCount()))
    let count = try bytes.withUnsafeMutableBytes { try read(into: $0, at: 0) }
    #expect(count == bytes.count)
    return bytes
  }
}

func expectRefusal(
  _ errno: Int32, at place: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  #expect(refusal(body)?.errno == errno, sourceLocation: place)
}

/// What the body is refused with; nil when it is not.
func refusal(_ body: () throws -> Void) -> TapeError? {
  do { try body() } catch { return error as? TapeError }
  return nil
}

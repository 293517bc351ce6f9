// The cards that the tests run on, and helpers to write to one and to read it back.

import FoundationEssentials
import Glibc
import Scratch
import Tape
import Testing

@testable import Library

typealias Planting = (_ name: [UInt8], _ folder: String) throws -> Void

enum CardKind: CaseIterable, Sendable {
  /// `posixByHand` resolves its paths itself, as where the kernel's openat2 is missing or not
  /// usable.
  case posix, posixByHand, journalling, fat

  func withCard(_ body: (any FileSystem) throws -> Void) throws {
    try withPlanting { card, _ in try body(card) }
  }

  /// `plant` makes a file whose name is any bytes, also such that are not UTF-8.
  func withPlanting(
    _ body: (any FileSystem, Planting) throws -> Void
  ) throws {
    switch self {
    case .posix: try withDirectory(.kernel, body)
    case .posixByHand: try withDirectory(.byHand, body)
    case .journalling: try withMemory(.journalling, body)
    case .fat: try withMemory(.fat, body)
    }
  }

  private func withDirectory(
    _ resolver: CardRoot.Resolver, _ body: (any FileSystem, Planting) throws -> Void
  ) throws {
    let scratch = Scratch()
    try body(PosixCard.open(scratch.path, resolver: resolver)) { name, folder in
      try scratch.plant(name, in: folder)
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

/// A directory for one test.
struct Scratch {
  private let folder: ScratchFolder
  var path: String { folder.path }

  /// - Parameter path: nil for a new one of its own.
  init(at path: String? = nil) { folder = path.map { ScratchFolder(at: $0) } ?? ScratchFolder() }

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

/// Returns the error that `body` throws; nil if it throws none.
func refusal(_ body: () throws -> Void) -> TapeError? {
  do { try body() } catch { return error as? TapeError }
  return nil
}

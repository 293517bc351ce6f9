// The messages on the control socket, as values: requests from clients and replies to them.
// docs/protocol.md is the contract. Pure; the caller limits a line's length before it is decoded.

import Recorder

/// The protocol's version and limits.
public enum Wire1 {
  /// The version of the protocol. A request with another version is refused.
  public static let version = 1
  public static let lineLimitBytes = 64 << 10
  public static let clientLimit = 32
  public static let requestLimit = 32
  public static let subscriptionLimit = 32
  /// Clients that listen to the microphone.
  public static let listenerLimit = 8
  /// Open files that a client has passed and that no request has claimed yet.
  public static let fileLimit = 16
}

/// A request from a client.
public struct WireRequest: Equatable, Sendable {
  public let id: Int
  public let body: Body
  /// How many of the passed files belong to it.
  public let files: Int

  public enum Body: Equatable, Sendable {
    case command([String])
    case watch(WireTarget)
    case unwatch(Int)
  }

  public init(id: Int, _ body: Body, files: Int = 0) {
    self.id = id
    self.body = body
    self.files = files
  }
}

/// What can be watched.
public enum WireTarget: Equatable, Sendable {
  case status, levels, notices, sound
  case folder(String)
  case item(String)
  case screen(ScreenSource, columns: Int, rows: Int)
}

extension WireRequest: Codable {
  private enum Key: String, CodingKey {
    case reel, id
    case command = "do"
    case watch, unwatch, files
  }

  public init(from decoder: any Decoder) throws {
    let json = try decoder.container(keyedBy: Key.self)
    let version = try json.decodeIfPresent(Int.self, forKey: .reel) ?? Wire1.version
    guard version == Wire1.version else {
      throw WireMistake("This appliance speaks version \(Wire1.version), not \(version).")
    }
    id = try json.decode(Int.self, forKey: .id)
    files = try json.decodeIfPresent(Int.self, forKey: .files) ?? 0
    guard (0...Wire1.fileLimit).contains(files) else {
      throw WireMistake("“files” is how many files are passed, from 0 to \(Wire1.fileLimit).")
    }
    if let words = try json.decodeIfPresent([String].self, forKey: .command) {
      body = .command(words)
    } else if let target = try json.decodeIfPresent(WireTarget.self, forKey: .watch) {
      body = .watch(target)
    } else if let other = try json.decodeIfPresent(Int.self, forKey: .unwatch) {
      body = .unwatch(other)
    } else {
      throw WireMistake("A request has “do”, “watch” or “unwatch”.")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    try json.encode(Wire1.version, forKey: .reel)
    try json.encode(id, forKey: .id)
    if files > 0 { try json.encode(files, forKey: .files) }
    switch body {
    case .command(let words): try json.encode(words, forKey: .command)
    case .watch(let target): try json.encode(target, forKey: .watch)
    case .unwatch(let other): try json.encode(other, forKey: .unwatch)
    }
  }
}

struct WireMistake: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension WireTarget: Codable {
  private enum Key: String, CodingKey { case folder, item, screen, columns, rows }

  public init(from decoder: any Decoder) throws {
    // A target is a word or else an object: only decoding tells which.
    if let word = try? decoder.singleValueContainer().decode(String.self) {
      switch word {
      case "status": self = .status
      case "levels": self = .levels
      case "notices": self = .notices
      case "sound": self = .sound
      default: throw WireMistake("“\(word)” cannot be watched; see docs/protocol.md.")
      }
      return
    }
    let json = try decoder.container(keyedBy: Key.self)
    if let path = try json.decodeIfPresent(String.self, forKey: .folder) {
      self = .folder(path)
    } else if json.contains(.screen) {
      self = .screen(
        try json.decode(ScreenSource.self, forKey: .screen),
        columns: try json.decodeIfPresent(Int.self, forKey: .columns) ?? 80,
        rows: try json.decodeIfPresent(Int.self, forKey: .rows) ?? 24)
    } else {
      self = .item(try json.decode(String.self, forKey: .item))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if case .screen(let source, let columns, let rows) = self {
      var json = encoder.container(keyedBy: Key.self)
      try json.encode(source, forKey: .screen)
      try json.encode(columns, forKey: .columns)
      try json.encode(rows, forKey: .rows)
      return
    }
    var word = encoder.singleValueContainer()
    switch self {
    case .status: try word.encode("status")
    case .levels: try word.encode("levels")
    case .notices: try word.encode("notices")
    case .sound: try word.encode("sound")
    case .folder(let path): try word.encode(["folder": path])
    case .item(let path): try word.encode(["item": path])
    case .screen: break  // Above.
    }
  }
}

extension ScreenSource: Codable {
  /// The number of a console, or `"panel"`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // A number or else a word: only decoding tells which.
    if let console = try? value.decode(Int.self) {
      self = .console(console)
    } else if try value.decode(String.self) == "panel" {
      self = .panel
    } else {
      throw WireMistake("A screen is “panel” or the number of a console.")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .panel: try value.encode("panel")
    case .console(let id): try value.encode(id)
    }
  }
}

/// A reply to a client.
public enum WireReply: Equatable, Sendable {
  case hello(WireHello)
  case ok(Int, Answer)
  /// More follows.
  case part(Int, Answer)
  /// Without an id it concerns the connection, or a line whose id could not be read.
  case error(Int?, CommandError)
  case now(Int, WireValue)
  case changes(Int, [WireChange])
  case end(Int, String)
}

/// The first line that a client receives.
public struct WireHello: Equatable, Codable, Sendable {
  public let version: String
  public let access: Console.Access
  public let lineLimitBytes: Int

  public init(version: String, access: Console.Access) {
    self.version = version
    self.access = access
    lineLimitBytes = Wire1.lineLimitBytes
  }
}

extension WireReply: Codable {
  private enum Key: String, CodingKey {
    case reel, id, hello, ok, part, error, now, changes, end
  }

  public func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    switch self {
    case .hello(let hello):
      try json.encode(Wire1.version, forKey: .reel)
      try json.encode(hello, forKey: .hello)
    case .ok(let id, let answer):
      try json.encode(id, forKey: .id)
      try json.encode(answer, forKey: .ok)
    case .part(let id, let answer):
      try json.encode(id, forKey: .id)
      try json.encode(answer, forKey: .part)
    case .error(let id, let failure):
      try json.encodeIfPresent(id, forKey: .id)
      try json.encode(failure, forKey: .error)
    case .now(let id, let value):
      try json.encode(id, forKey: .id)
      try json.encode(value, forKey: .now)
    case .changes(let id, let changes):
      try json.encode(id, forKey: .id)
      try json.encode(changes, forKey: .changes)
    case .end(let id, let why):
      try json.encode(id, forKey: .id)
      try json.encode(why, forKey: .end)
    }
  }

  public init(from decoder: any Decoder) throws {
    let json = try decoder.container(keyedBy: Key.self)
    if let hello = try json.decodeIfPresent(WireHello.self, forKey: .hello) {
      self = .hello(hello)
      return
    }
    let id = try json.decodeIfPresent(Int.self, forKey: .id)
    if let failure = try json.decodeIfPresent(CommandError.self, forKey: .error) {
      self = .error(id, failure)
      return
    }
    guard let id else { throw WireMistake("a reply without an id") }
    if let answer = try json.decodeIfPresent(Answer.self, forKey: .ok) {
      self = .ok(id, answer)
    } else if let answer = try json.decodeIfPresent(Answer.self, forKey: .part) {
      self = .part(id, answer)
    } else if let value = try json.decodeIfPresent(WireValue.self, forKey: .now) {
      self = .now(id, value)
    } else if let changes = try json.decodeIfPresent([WireChange].self, forKey: .changes) {
      self = .changes(id, changes)
    } else {
      self = .end(id, try json.decode(String.self, forKey: .end))
    }
  }
}

// The names of the commands, the same on the serial console, on the socket and in `reelctl`. The
// table in CommandTable.swift has the rest of each. Plain values; any thread.

/// The commands, by their names.
public enum Verb: String, CaseIterable, Sendable {
  case status, watch
  case record, stop, mark, split
  case markNext = "mark next"
  case markPrevious = "mark previous"
  case markAdd = "mark add"
  case markRename = "mark rename"
  case markMove = "mark move"
  case markRemove = "mark remove"
  case play, pause, resume, seek, next, previous, volume
  case list = "ls"
  case enter = "cd"
  case place = "pwd"
  case info, detail
  case makeFolder = "mkdir"
  case move = "mv"
  case rename
  case note
  case recordedPlace = "place"
  case speaker
  case remove = "rm"
  case restore
  case trashList = "trash list"
  case trashEmpty = "trash empty"
  case search, sort, heard, undo
  case export
  case importFile = "import"
  case join, waveform, verify, cancel
  case copies, copied, copying, fetch
  case openFile = "open"
  case manifest
  case openManifest = "manifest open"
  case verifyManifest = "manifest verify"
  case notices, acknowledge
  case lock, unlock
  case panel
  case identify = "panel identify"
  case config, flight, doctor
  case handOver = "hand-over"
  case reload, mode
  case web, pair, pairing
  case completion, complete
  case help, version, about

  /// The text about a recording that it sets.
  var field: RecordingField? {
    switch self {
    case .note: .notes
    case .recordedPlace: .place
    case .speaker: .speaker
    default: nil
    }
  }

  /// The words of its name.
  public var words: [String] { rawValue.split(separator: " ").map(String.init) }
}

/// Where a command can be given.
public enum Wire: String, Sendable {
  case serial, socket
}

/// What a command does to recordings and settings.
public enum Effect: String, Sendable {
  /// Only reads: allowed with `status` access.
  case looks
  case changes
  /// Deletes something, and asks first.
  case destroys
}

/// What a word of a command stands for.
public enum ValueKind: Equatable, Sendable {
  case item(ItemKind)
  /// A folder to be made; its parent must exist.
  case newFolder
  case name
  /// All remaining words, joined by blanks.
  case text
  case position
  case number(ClosedRange<Int>)
  case volume
  case choice([String])
  case file
  case command
}

/// Which items a word of a command may name.
public enum ItemKind: Equatable, Sendable {
  case any, recording, folder
  /// An item in the trash; a relative path begins there.
  case trashed
}

/// A word that a command takes, named as in its usage.
public struct Parameter: Equatable, Sendable {
  public enum Count: Sendable { case one, optional, several }

  public let name: String
  public let kind: ValueKind
  public let count: Count

  init(_ name: String, _ kind: ValueKind, _ count: Count = .one) {
    self.name = name
    self.kind = kind
    self.count = count
  }
}

/// An option of a command.
public struct CommandOption: Equatable, Sendable {
  /// With its dashes.
  public let name: String
  /// Nil for an option without a value.
  public let value: Parameter?
  public let help: String
  /// Whether the command cannot do without it.
  public let isNeeded: Bool

  init(_ name: String, _ value: Parameter? = nil, _ help: String, isNeeded: Bool = false) {
    self.name = name
    self.value = value
    self.help = help
    self.isNeeded = isNeeded
  }

  static let yes = CommandOption("--yes", "do it without being asked")
  static let json = CommandOption("--json", "print JSON")
  static let help = CommandOption("--help", "print what the command does")

  init(_ name: String, _ help: String) { self.init(name, nil, help) }
}

/// One entry of the command table.
public struct CommandSpec: Sendable {
  public let verb: Verb
  public let parameters: [Parameter]
  public let ownOptions: [CommandOption]
  /// What it does, in one line.
  public let summary: String
  /// More about it, in sentences.
  public let details: String
  public let effect: Effect
  public let wires: [Wire]

  init(
    _ verb: Verb, options: [CommandOption] = [], _ effect: Effect, _ summary: String,
    _ details: String = "", only wire: Wire? = nil
  ) {
    self.init(verb, [], options: options, effect, summary, details, only: wire)
  }

  init(
    _ verb: Verb, _ parameters: [Parameter], options: [CommandOption] = [], _ effect: Effect,
    _ summary: String, _ details: String = "", only wire: Wire? = nil
  ) {
    self.verb = verb
    self.parameters = parameters
    ownOptions = options
    self.effect = effect
    self.summary = summary
    self.details = details
    wires = wire.map { [$0] } ?? [.serial, .socket]
  }

  public var name: String { verb.rawValue }

  /// Its own options and those that every command has.
  public var options: [CommandOption] {
    ownOptions + (effect == .destroys ? [.yes] : []) + [.json, .help]
  }

  /// "mv ITEM... FOLDER [--at N]".
  public var usage: String {
    let words = parameters.map { parameter in
      switch parameter.count {
      case .one: parameter.name
      case .optional: "[\(parameter.name)]"
      case .several: "\(parameter.name)..."
      }
    }
    let options = (ownOptions + (effect == .destroys ? [.yes] : [])).map { option in
      let words = option.name + (option.value.map { " \($0.name)" } ?? "")
      return option.isNeeded ? words : "[\(words)]"
    }
    return ([name] + words + options).joined(separator: " ")
  }
}

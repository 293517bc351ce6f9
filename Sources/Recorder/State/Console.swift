// One console: a dashboard, a serial port or a client, each with what its kind needs. View state is
// part of the state: another console can show the same, and a replay shows what the technician saw.

/// A console that shows or changes the recorder.
public struct Console: Equatable, Codable, Sendable, Identifiable {
  public let id: Int
  public internal(set) var kind: Kind
  public let access: Access
  public internal(set) var columns: Int
  public internal(set) var rows: Int
  public internal(set) var dialog: Dialog?
  public internal(set) var message: Message?
  /// What is new in a folder that this console does not show.
  public internal(set) var arrival: ArrivedItem?

  /// - Parameter place: where a console with a place of its own begins.
  init(_ description: ConsoleDescription, at place: Place) {
    id = description.id
    access = description.access
    (columns, rows) = Self.bounded(description.columns, description.rows)
    switch description.kind {
    case .terminal: kind = .dashboard
    case .serial: kind = .commandLine(CommandConsole(place: place, mode: description.mode))
    case .socket: kind = .program(place)
    }
  }

  /// The sizes a screen may have; another is brought to the nearest.
  public static let columnLimits = 20...500
  public static let rowLimits = 5...200

  private static func bounded(_ columns: Int, _ rows: Int) -> (columns: Int, rows: Int) {
    (
      min(max(columns, columnLimits.lowerBound), columnLimits.upperBound),
      min(max(rows, rowLimits.lowerBound), rowLimits.upperBound)
    )
  }

  mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = Self.bounded(columns, rows)
  }

  public enum Kind: Equatable, Codable, Sendable {
    /// A dashboard whose keys are the panel's buttons. It shares the panel's place.
    case dashboard
    /// A dashboard above a command line.
    case commandLine(CommandConsole)
    /// Nothing is shown.
    case program(Place)
  }

  /// The output format of a serial console.
  public enum Mode: String, Codable, Sendable {
    case screen
    /// Plain lines, for terminals that cannot show a screen.
    case plain
    /// For programs: one JSON object a line.
    case json
  }

  public enum Access: String, Codable, Sendable { case status, control }

  var showsScreen: Bool {
    switch kind {
    case .dashboard: true
    case .commandLine(let console): console.mode == .screen
    case .program: false
    }
  }

  var commandLine: CommandConsole? {
    if case .commandLine(let console) = kind { console } else { nil }
  }

  /// Nil for a dashboard.
  public var ownPlace: Place? {
    switch kind {
    case .dashboard: nil
    case .commandLine(let console): console.place
    case .program(let place): place
    }
  }

  /// Changes the place, if the console has one of its own.
  mutating func withPlace(_ change: (inout Place) -> Void) {
    guard var place = ownPlace else { return }
    change(&place)
    switch kind {
    case .dashboard: break
    case .commandLine: withCommandLine { $0.place = place }
    case .program: kind = .program(place)
    }
  }

  mutating func withCommandLine(_ change: (inout CommandConsole) -> Void) {
    guard var console = commandLine else { return }
    change(&console)
    kind = .commandLine(console)
  }
}

/// What a console with a command line has: its place, the line being typed, the last command's
/// output.
public struct CommandConsole: Equatable, Codable, Sendable {
  public internal(set) var place: Place
  public internal(set) var mode: Console.Mode
  public internal(set) var prompt = Prompt()
  public internal(set) var output = Output()
  /// Lines that were entered while a command ran.
  var waiting: [String] = []
  /// The take whose name is asked for after the command in progress.
  var takeToName: ItemID?

  static let waitingLimit = 100
}

/// A question that receives the keys until it is answered.
public enum Dialog: Equatable, Codable, Sendable {
  case newFolder(LineInput)
  case rename(ItemID, LineInput)
  /// Asks for the name of a take that has ended, until an instant.
  case nameTake(ItemID, LineInput, until: Instant)
  /// Shows one recording.
  case detail(Detail)
  case delete(ItemID)
  case emptyTrash
  case quit
  case help
  /// A destructive command that waits for a confirmation.
  case confirm(words: [String], question: String)

  /// The item it asks about.
  var item: ItemID? {
    switch self {
    case .rename(let item, _), .nameTake(let item, _, _), .delete(let item): item
    case .detail(let detail): detail.item
    case .newFolder, .emptyTrash, .quit, .help, .confirm: nil
    }
  }
}

/// The last message to a console, shown until an instant.
public struct Message: Equatable, Codable, Sendable {
  public let text: String
  public let isRefusal: Bool
  public let until: Instant
}

/// A new item in a folder that is not on show, told of until an instant.
public struct ArrivedItem: Equatable, Codable, Sendable {
  public let item: ItemID
  public let until: Instant

  static let milliseconds: Int64 = 60_000
}

/// A line of text being typed, with a cursor that counts characters.
public struct LineInput: Equatable, Codable, Sendable {
  public private(set) var text: String
  public private(set) var cursor: Int
  /// Whether typing replaces the text.
  public private(set) var isSelected = false

  public static let limitBytes = 4096

  public init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// With the whole text selected.
  init(selected text: String) {
    self.init(text)
    isSelected = !text.isEmpty
  }

  /// Places the cursor between `text` and `rest`.
  init(_ text: String, rest: String) {
    self.text = text + rest
    // A combining mark joins the character before it.
    cursor = max(0, self.text.count - rest.count)
  }

  /// Handles a key; returns false if it is not an editing key.
  mutating func handle(_ key: Key) -> Bool {
    if isSelected { replaceSelection(by: key) }
    switch key {
    case .character(let typed): insert(typed)
    case .backspace: delete(cursor - 1..<cursor)
    case .delete: delete(cursor..<cursor + 1)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(text.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .control("u"): delete(0..<cursor)
    case .control("k"): delete(cursor..<text.count)
    case .control("w"): delete(startOfWord()..<cursor)
    default: return false
    }
    return true
  }

  private mutating func replaceSelection(by key: Key) {
    switch key {
    case .character, .backspace, .delete, .control("w"), .control("k"): self = LineInput()
    default: isSelected = false
    }
  }

  private mutating func insert(_ typed: String) {
    guard text.utf8.count + typed.utf8.count <= Self.limitBytes else { return }
    let tail = text.dropFirst(cursor)
    text = text.prefix(cursor) + typed + tail
    // A combining mark joins the character before it: count the result, not what was typed.
    cursor = max(text.count - tail.count, 0)
  }

  private mutating func delete(_ range: Range<Int>) {
    let gone = range.clamped(to: 0..<text.count)
    text = String(text.prefix(gone.lowerBound)) + text.dropFirst(gone.upperBound)
    cursor = min(gone.lowerBound, text.count)
  }

  private func startOfWord() -> Int {
    var index = cursor
    let characters = Array(text)
    while index > 0, characters[index - 1] == " " { index -= 1 }
    while index > 0, characters[index - 1] != " " { index -= 1 }
    return index
  }
}

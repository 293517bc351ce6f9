// Time travel: a place in a flight log, and what each key does to it. A value without I/O; the code
// that has a terminal passes keys and sizes in and draws `screen`. Used at a desk, on one thread.

import Catalogue
import Loop

/// A reader's place in a flight log.
public struct Travel {
  typealias History = ReplayHistory<Appliance>

  /// The log ends before the action that the reader begins at.
  public struct BeginError: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// What the keys are for.
  enum Mode: Equatable {
    case looking
    case help
    case asking(Question, LineInput)
  }

  enum Question: Equatable { case text, number }

  private(set) var history: History
  /// The present moment.
  private(set) var moment: History.Moment
  public private(set) var source = ScreenSource.panel
  private(set) var mode = Mode.looking
  /// What the last key could not do.
  private(set) var message: Phrase?
  /// The language of the reader, who may have another than the recorder had.
  let language: Language
  private var sought = ""
  private(set) var columns = Self.standardColumns
  private(set) var rows = Self.standardRows

  static let tenActions = 10
  static let hundredActions = 100

  /// - Parameters:
  ///   - index: the action to begin at; nil for the last.
  ///   - language: the reader's.
  public init(
    _ history: ReplayHistory<Appliance>, at index: Int?, in language: Language
  ) throws(BeginError) {
    guard history.count > 0 else {
      throw BeginError(description: "the log holds no action")
    }
    let index = index ?? history.count - 1
    guard index < history.count else {
      throw BeginError(description: "the log ends before action \(index)")
    }
    self.history = history
    self.language = language
    moment = self.history.moment(index)
  }

  public var index: Int { moment.index }
  public var count: Int { history.count }

  /// The time since the first action of the log.
  var sinceBeginning: Int64 {
    moment.action.stamp.monotonicNanoseconds &- history.stamp(of: 0).monotonicNanoseconds
  }

  public mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
  }

  // MARK: Keys

  /// Handles a key. Returns false if it ends the journey.
  public mutating func handle(_ key: Key) -> Bool {
    message = nil
    switch mode {
    case .looking: return perform(key)
    case .help: mode = .looking
    case .asking(let question, let input): type(key, question, input)
    }
    return true
  }

  private mutating func perform(_ key: Key) -> Bool {
    switch key {
    case .right, .character(" "): step(1)
    case .left, .backspace: step(-1)
    case .down: step(Self.tenActions)
    case .up: step(-Self.tenActions)
    case .pageDown: step(Self.hundredActions)
    case .pageUp: step(-Self.hundredActions)
    case .home: go(to: 0)
    case .end: go(to: count - 1)
    case .character(let letter): return perform(letter)
    case .control("c"): return false
    default: break
    }
    return true
  }

  private mutating func perform(_ letter: String) -> Bool {
    switch letter {
    case "s": goToScreen(isForward: true)
    case "S": goToScreen(isForward: false)
    case "f": goToNotice(isForward: true)
    case "F": goToNotice(isForward: false)
    case "n": find(isForward: true)
    case "N": find(isForward: false)
    case "c": chooseNextSource()
    case "/": mode = .asking(.text, LineInput())
    case "g": mode = .asking(.number, LineInput())
    case "?": mode = .help
    case "q": return false
    default: break
    }
    return true
  }

  private mutating func type(_ key: Key, _ question: Question, _ input: LineInput) {
    var input = input
    switch key {
    case .escape, .control("c"): mode = .looking
    case .enter:
      mode = .looking
      answer(question, input.text)
    default:
      _ = input.handle(key)
      mode = .asking(question, input)
    }
  }

  private mutating func answer(_ question: Question, _ text: String) {
    switch question {
    case .text:
      if !text.isEmpty { sought = text }
      find(isForward: true)
    case .number:
      guard let number = Int(text), (0..<count).contains(number) else {
        message = "The log has the actions 0 to \(count - 1)."
        return
      }
      go(to: number)
    }
  }

  // MARK: Going

  private mutating func go(to index: Int) { moment = history.moment(index) }

  private mutating func step(_ difference: Int) {
    let wanted = min(max(0, index + difference), count - 1)
    if wanted == index { message = wanted == 0 ? "This is the first action." : Self.atTheEnd }
    go(to: wanted)
  }

  private static let atTheEnd: Phrase = "This is the last action."

  private mutating func go(to found: Int?, orSay sentence: Phrase) {
    if let found { go(to: found) } else { message = sentence }
  }

  private mutating func goToScreen(isForward: Bool) {
    let (source, columns, rows) = (source, Self.standardColumns, Self.standardRows)
    let sign = { (moment: History.Moment) in
      ScreenView(of: source, columns: columns, rows: rows, in: moment.state)
    }
    go(to: change(of: sign, isForward), orSay: "The screen stays as it is.")
  }

  /// Goes to a notice, or to where the status light begins to say something else.
  private mutating func goToNotice(isForward: Bool) {
    struct Sign: Equatable {
      let notice: Int?
      let light: Pattern
    }
    let sign = { (moment: History.Moment) in
      Sign(
        notice: moment.state.notices.kept.last?.id, light: PanelView(moment.state).status)
    }
    go(
      to: change(of: sign, isForward), orSay: isForward ? "No later notice." : "No earlier notice.")
  }

  private mutating func change<Sign: Equatable>(
    of sign: (History.Moment) -> Sign, _ isForward: Bool
  ) -> Int? {
    isForward ? history.change(after: index, of: sign) : history.change(before: index, of: sign)
  }

  private mutating func find(isForward: Bool) {
    if sought.isEmpty {
      mode = .asking(.text, LineInput())
      return
    }
    let wanted = sought.lowercased()
    let others = isForward ? Array(index + 1..<count) : (0..<index).reversed()
    let found = others.first { history.text(of: $0).lowercased().contains(wanted) }
    go(
      to: found,
      orSay: isForward
        ? "No later action contains “\(sought)”." : "No earlier action contains “\(sought)”.")
  }

  private mutating func chooseNextSource() {
    let all = moment.state.screenSources
    let next = all.firstIndex(of: source).map { $0 + 1 } ?? 0
    source = all[next % all.count]
    if all.count == 1 { message = "No console has a screen at this moment; this is the panel." }
  }
}

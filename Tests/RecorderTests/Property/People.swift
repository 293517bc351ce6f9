// What users do in the sequences: buttons, keys, requests by clients, consoles that come and go.

import Loop

@testable import Recorder

enum People {
  static let keys: [Key] =
    [
      .enter, .escape, .backspace, .delete, .tab, .up, .down, .left, .right, .home, .end, .pageUp,
      .pageDown, .control("a"), .control("c"), .control("e"), .control("k"), .control("u"),
      .control("w"),
    ] + "rsmx ][+-utafnedlyh?qz,.iv".map { Key.character(String($0)) }
    + ["é", "\u{301}", "日", "\u{1B}", "👩‍👩‍👧"].map(Key.character)

  static let controls: [Control] = [
    .record, .play, .next, .previous, .folder, .mark, .split, .delete, .volumeUp, .volumeDown,
    .acknowledge, .named("pedal"),
  ]

  static func act(in state: State, _ random: inout SplitMix64) -> Action {
    switch random.below(10) {
    case 0, 1:
      let gesture = random.chance(70) ? Gesture.press : .hold
      let at = state.now.adding(milliseconds: -Int64(random.below(50)))
      return .panel(.gesture(random.pick(controls), gesture, at: at))
    case 2 where random.chance(15): return .panel(.hold(random.chance(30)))
    case 2, 3, 4:
      guard let console = anyConsole(state, &random) else { return open(&random) }
      return .console(.key(console, random.pick(keys)))
    case 5: return random.chance(40) ? comeAndGo(state, &random) : .tick
    case 6 where random.chance(50): return .console(command(in: state, &random))
    default:
      return .request(request(in: state, &random), from: origin(state, &random))
    }
  }

  private static func anyConsole(_ state: State, _ random: inout SplitMix64) -> Int? {
    state.consoles.isEmpty ? nil : random.pick(state.consoles).id
  }

  private static func origin(_ state: State, _ random: inout SplitMix64) -> Origin {
    guard let id = anyConsole(state, &random) else { return .appliance }
    return switch random.below(6) {
    case 0: .panel
    case 1: .appliance
    case 2: .console(id)
    default: .client(id, request: random.below(100))
    }
  }

  private static func open(_ random: inout SplitMix64) -> Action {
    let kinds: [ConsoleDescription.Kind] = [.terminal, .serial, .socket]
    let (columns, rows) = random.pick([(80, 24), (40, 10), (20, 5), (132, 50), (-1, 1 << 40)])
    return .console(
      .opened(
        ConsoleDescription(
          id: random.below(4), kind: random.pick(kinds),
          access: random.chance(92) ? .control : .status, columns: columns, rows: rows)))
  }

  /// Returns a command, or the answer of another room to one.
  private static func command(in state: State, _ random: inout SplitMix64) -> ConsoleEvent {
    for command in state.commands where random.chance(30) {
      guard case .inquiring = command.phase else { continue }
      return .answered(.told("x"), to: command.origin, isLast: random.chance(70))
    }
    let number = "\(random.below(60))"
    let words = random.pick([
      ["record", "x"], ["stop"], ["play", number], ["ls", "/"], ["info", number], ["search", "a"],
      ["rm", number, "--yes"], ["rm", number], ["mv", number, "/"], ["verify"], ["reload"],
      ["mark", "here"], ["mark", "move", number, "1", "+3"], ["undo"], ["undo", "--list"],
      ["trash", "empty", "--yes"], ["doctor"], ["panel", "identify"],
      ["mode", "json"], ["cd", "--panel", "/"], ["export", number, "/tmp/x.wav"], ["nonsense"],
    ])
    guard let id = anyConsole(state, &random) else { return .line(1, "ls") }
    if random.chance(30) { return .line(id, words.joined(separator: " ")) }
    let origin = Origin.client(id, request: random.below(100))
    return .command(words, files: random.chance(10) ? [1] : [], from: origin)
  }

  private static func comeAndGo(_ state: State, _ random: inout SplitMix64) -> Action {
    guard let id = anyConsole(state, &random), random.chance(50) else { return open(&random) }
    return random.chance(50)
      ? .console(.closed(id))
      : .console(.resized(id, columns: random.below(140), rows: random.below(60)))
  }

  /// Returns an item of the library, and rarely an unknown one.
  static func item(in state: State, _ random: inout SplitMix64) -> ItemID {
    let library = state.library
    let known =
      random.chance(50) ? library.folders.keys.sorted() : library.recordings.keys.sorted()
    return known.isEmpty || random.chance(3) ? Nonsense.id(&random) : random.pick(known)
  }

  static func request(in state: State, _ random: inout SplitMix64) -> Request {
    switch random.below(8) {
    case 0, 1: return .take(takeRequest(in: state, &random))
    case 2, 3: return .deck(deckRequest(in: state, &random))
    case 4, 5,
      6 where random.chance(70):
      return .item(itemRequest(in: state, &random))
    case 7 where random.chance(40): return .system(systemRequest(&random))
    default: return .browse(browseRequest(in: state, &random))
    }
  }

  private static func takeRequest(
    in state: State, _ random: inout SplitMix64
  ) -> TakeRequest {
    switch random.below(6) {
    case 0:
      .start(
        title: random.chance(50) ? random.pick(Nonsense.titles) : nil,
        in: random.chance(20) ? item(in: state, &random) : nil,
        asksForName: random.chance(20) ? random.chance(50) : nil)
    case 1: .stop
    case 2: .mark(name: random.pick(Nonsense.titles))
    case 3: .split
    default: .toggle
    }
  }

  private static func deckRequest(in state: State, _ random: inout SplitMix64) -> DeckRequest {
    switch random.below(10) {
    case 0: .play(nil)
    case 1, 2: .play(item(in: state, &random))
    case 3: .pause
    case 4: .resume
    case 5: .seek(.by(milliseconds: Nonsense.number(&random)))
    case 6: .next
    case 7: random.chance(50) ? .previous : random.chance(50) ? .nextMark : .previousMark
    case 8: random.chance(50) ? .stop : .volumeBy(steps: random.below(9) - 4)
    default: .toggle
    }
  }

  private static func itemRequest(in state: State, _ random: inout SplitMix64) -> ItemRequest {
    let one = item(in: state, &random)
    let maybe = random.chance(70) ? one : nil
    switch random.below(13) {
    case 0: return .makeFolder(name: random.pick(Nonsense.titles), in: maybe)
    case 1: return .rename(maybe, to: random.pick(Nonsense.titles))
    case 2, 3: return .move(maybe, to: item(in: state, &random), at: random.below(5))
    case 4, 5: return .delete(maybe)
    case 6: return .restore(trashed(in: state, &random) ?? one)
    case 7: return .purge(random.chance(50) ? .everything : .item(one))
    case 8: return .sort(maybe, random.pick(Folder.SortOrder.allCases))
    case 9: return .setHeard(one, random.chance(50))
    case 10: return random.chance(50) ? .undo : .mark(one, markChange(&random))
    case 11 where random.chance(50):
      return .describe(one, random.pick(RecordingField.allCases), random.pick(Nonsense.titles))
    default:
      if random.chance(50) { return .search("a") }
      let others = [one, item(in: state, &random)]
      return random.pick([
        .work(.verify(one)), .cancel(ticket: random.below(9)),
        .work(.join(others, format: "opus", to: "/media/usb/joined.opus")),
      ])
    }
  }

  /// Returns a request for a change that can be undone, if it is granted.
  static func change(in state: State, _ random: inout SplitMix64) -> Request {
    let item = item(in: state, &random)
    switch random.below(8) {
    case 7:
      let field = random.pick(RecordingField.allCases)
      return .item(.describe(item, field, random.pick(Nonsense.titles)))
    case 0: return .item(.rename(item, to: random.pick(Nonsense.titles)))
    case 1: return .item(.move(item, to: self.item(in: state, &random), at: random.below(4)))
    case 2: return .item(.delete(item))
    case 3: return .item(.restore(trashed(in: state, &random) ?? item))
    // The order by hand is not kept when a folder is sorted.
    case 4 where state.library.folders[item]?.order != .byHand:
      return .item(.sort(item, random.pick(Folder.SortOrder.allCases)))
    case 5: return .item(.mark(item, markChange(&random)))
    default: return .take(.mark(name: random.pick(Nonsense.titles)))
    }
  }

  private static func markChange(_ random: inout SplitMix64) -> MarkChange {
    let index = random.below(3)
    switch random.below(4) {
    case 0: return .rename(index: index, to: random.pick(Nonsense.titles))
    case 1: return .move(index: index, toMilliseconds: Nonsense.number(&random))
    case 2: return .remove(index: index)
    default:
      let mark = random.chance(50) ? Mark(frame: Int64(random.below(1000))) : nil
      return .replace(mark, by: random.chance(50) ? Mark(frame: 7, name: "x") : nil)
    }
  }

  private static func trashed(in state: State, _ random: inout SplitMix64) -> ItemID? {
    guard let items = state.library.folders[.trash]?.items, !items.isEmpty else { return nil }
    return items[random.below(items.count)]
  }

  private static func browseRequest(in state: State, _ random: inout SplitMix64) -> BrowseRequest {
    switch random.below(6) {
    case 0: .enter(item(in: state, &random))
    case 1: .up
    case 2: .open
    case 3: .select(item(in: state, &random))
    case 4: .selectBy(random.below(7) - 3)
    default: .nextFolder
    }
  }

  private static func systemRequest(_ random: inout SplitMix64) -> SystemRequest {
    switch random.below(20) {
    case 0: .shutDown
    case 1...6: .exportMode(random.chance(40))
    case 7...9: .lock(random.chance(30))
    case 10: .reload
    default: .acknowledge
    }
  }
}

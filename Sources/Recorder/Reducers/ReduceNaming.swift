// Names a take when it has ended: each console with a screen asks for the name, with the default
// one selected. Nothing waits for the answer. Pure.

extension State {
  private static let nameMilliseconds: Int64 = 30_000

  /// When the question for a name ends unless another key is pressed.
  var nameDue: Instant { now.adding(milliseconds: Self.nameMilliseconds) }

  /// Asks at each console that may change things and is not in use.
  mutating func askForName(of take: RunningTake) {
    guard take.request.asksForName, let recording = library.recordings[take.id],
      recording.titleIsDefault
    else { return }
    for console in consoles {
      if command(of: .console(console.id)) == nil {
        askForName(of: recording, on: console)
      } else {
        withConsole(console.id) { $0.withCommandLine { $0.takeToName = take.id } }
      }
    }
  }

  /// A console whose command has ended a take asks when that command has its answer, and only if
  /// no other line follows: a script may have been pasted.
  mutating func askForNameAfterCommand(on id: Int) {
    guard let console = console(id), let take = console.commandLine?.takeToName else { return }
    withConsole(id) { $0.withCommandLine { $0.takeToName = nil } }
    guard let recording = library.recordings[take], recording.titleIsDefault else { return }
    askForName(of: recording, on: console)
  }

  private mutating func askForName(of recording: Recording, on console: Console) {
    guard console.mayAskForName else { return }
    let dialog = Dialog.nameTake(
      recording.id, LineInput(selected: recording.title), until: nameDue)
    withConsole(console.id) { $0.dialog = dialog }
  }

  /// Ends the question. Without another name the take keeps the one it has; otherwise its parts
  /// that were not named before get the name, too.
  mutating func nameTake(_ id: ItemID, _ name: String, on console: Int, _ step: inout Step) {
    withConsole(console) { $0.dialog = nil }
    guard let title = Text.title(name), title != library.title(of: id) else { return }
    for part in unnamedParts(upTo: id) {
      let request = ItemRequest.rename(part.id, to: Recording.title(ofPart: part.part, of: title))
      handle(.item(request), from: .console(console), at: now, &step)
    }
  }

  /// The parts of a take up to one of them that have no name yet, the first part first.
  private func unnamedParts(upTo last: ItemID) -> [Recording] {
    var parts: [Recording] = []
    var next: ItemID? = last
    // A card may claim that parts go on in a circle.
    while let id = next, let part = library.recordings[id], part.titleIsDefault,
      !parts.contains(where: { $0.id == id })
    {
      parts.append(part)
      next = part.continues
    }
    return parts.reversed()
  }
}

extension Console {
  /// Not while a person types something else. The question for the take before, if its
  /// answer was not begun, is replaced.
  fileprivate var mayAskForName: Bool {
    guard showsScreen, access == .control else { return false }
    if let commandLine, !commandLine.prompt.input.text.isEmpty || !commandLine.waiting.isEmpty {
      return false
    }
    switch dialog {
    case nil: return true
    case .nameTake(_, let input, _): return input.isSelected
    default: return false
    }
  }
}

extension Recording {
  /// The title of one part of a take that was given a title.
  static func title(ofPart part: Int, of title: String) -> String {
    part > 1 ? "\(title) part \(part)" : title
  }
}

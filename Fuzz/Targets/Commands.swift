// Command lines as people type them: each ends with an answer that can be shown and sent,
// completion keeps the words before it, parsing undoes quoting, and the state can be encoded and
// decoded.

import JSON

@testable import Recorder

extension FuzzTarget {
  static let commands = FuzzTarget(
    name: "commands", limitBytes: 1024,
    seeds: {
      let lines = CommandTable.commands.flatMap { command in
        [command.name, "help \(command.name)", command.usage, "\(command.name) 11 --yes"]
      }
      let more = [
        "mv 11 12 \"/Interviews/May\" --at 2", "cd Inter\nls\ncd ..\nls ",
        "play 1234 --from 1:02.5",
        "rename 7 'Tante Käthe'\ninfo 7", "record Aunt \"Kathy\nmark here\nstop",
        "rm 7\nrm 7 --yes",
        "volume +10\nvolume 30 %", "seek +5 s", "restore /.trash/7", "search kä",
      ]
      return (lines + more).map { Array($0.utf8) }
    },
    run: { bytes in
      let bench = Bench()
      let text = String(decoding: bytes, as: UTF8.self)
      for line in text.split(separator: "\n").prefix(12) {
        try checkWords(String(line))
        try checkCompletion(String(line), bench)
        try checkAnswer(to: String(line), bench)
      }
      try checkState(bench.state)
      guard case .told? = bench.answer("pwd") else { throw Broken("the console is dead") }
    })

  private static func checkWords(_ line: String) throws {
    let words = Words(line).words.filter { !$0.isEmpty }
    let typed = words.map(Words.quoted).joined(separator: " ")
    try prove(Words(typed).words == words, "\(typed) is read as \(Words(typed).words)")
  }

  private static func checkCompletion(_ line: String, _ bench: Bench) throws {
    let completions = bench.complete(line)
    let (before, after) = (Words(line), Words(completions.line))
    let kept = before.words.count - (before.endsInWord ? 1 : 0)
    try prove(
      before.words.prefix(kept) == after.words.prefix(kept),
      "\(line.debugDescription) is completed to \(completions.line.debugDescription)")
    for candidate in completions.candidates { try prove(!candidate.isEmpty, "an empty candidate") }
  }

  private static func checkAnswer(to line: String, _ bench: Bench) throws {
    let heard = bench.say(line)
    for _ in 0..<50 where !bench.state.commands.isEmpty { bench.expire() }
    try prove(heard.isOver, "\(line.debugDescription) never ends")
    for answer in heard.answers {
      if case .failed(let failure) = answer { try proveSaid(failure) }
      let json = try JSON.encode(answer)
      try prove(!json.contains(10), "an answer of more than one line")
      let again = try JSON.decode(Answer.self, from: json)
      if case .help = answer {
        // Programs read the same text as that of any other answer.
        try prove(try JSON.encode(again) == json, "help changes by JSON")
      } else {
        try prove(again == answer, "an answer changes by JSON")
      }
      for columns in [20, 80] {
        for row in AnswerText.lines(of: answer, columns: columns) where !row.isEmpty {
          let text = row.map(\.text).joined()
          if !text.isEmpty { try proveReadable(text) }
        }
      }
    }
  }
}

/// Checks that the state can be kept in a flight log, and shown.
func checkState(_ state: State) throws {
  let written = try JSON.encode(state)
  let again = try JSON.decode(State.self, from: written)
  try prove(again == state, "the state changes by being written down")
  _ = (StatusView(state), PanelView(state))
  for console in state.consoles {
    guard let view = ScreenView(console: console.id, in: state) else { continue }
    try prove(view.rows.count <= console.rows, "more rows than the screen has")
    for row in view.rows {
      try prove(
        Text.columns(row.text) <= console.columns, "a row wider than the screen: \(row.text)")
    }
  }
}

// What a test may not do: end before its expectations, expect only if a value has the right shape,
// wait for a time instead of an event, or expect that the machine is fast. Pure functions over one
// file each. They look at the text of a file below `Tests` or `Fuzz`; they know no types.

func checkTests(_ file: SourceFile) -> [Violation] {
  guard file.isSwift, file.path.hasPrefix("Tests/") || file.path.hasPrefix("Fuzz/") else {
    return []
  }
  return checkEarlyEnds(file) + checkSleeps(file) + checkTimedExpectations(file)
}

/// In a test, a bare `return` needs an `Issue.record` before it in its block, and an `if case` or
/// `if let` with expectations needs an `else`; or a comment that says why not. Closures and
/// functions inside a test may return.
private func checkEarlyEnds(_ file: SourceFile) -> [Violation] {
  let code = file.code
  return testBodies(in: code).flatMap { body -> [Violation] in
    var found: [Violation] = []
    var blocks: [Block] = []
    var header = body.lowerBound
    for offset in body {
      switch code[offset] {
      case UInt8(ascii: "{"):
        blocks.append(Block(at: offset, header: code[header..<offset]))
        header = offset + 1
      case UInt8(ascii: "}"):
        if let block = blocks.popLast(), !(blocks + [block]).dropFirst().contains(where: \.isOwn),
          block.matches, !hasReason(file, around: block.open),
          !offsets(of: "#expect", in: code[block.open..<offset]).isEmpty,
          !isFollowedByElse(code, offset)
        {
          let sentence = "give this an else with Issue.record: as it is, it may expect nothing"
          found.append(file.violation(at: block.open, sentence))
        }
        header = offset + 1
      case UInt8(ascii: "r") where isBareReturn(code, offset):
        guard !blocks.dropFirst().contains(where: \.isOwn), let block = blocks.last,
          offsets(of: "Issue.record", in: code[block.open..<offset]).isEmpty,
          !hasReason(file, around: offset)
        else { continue }
        found.append(
          file.violation(
            at: offset, "call Issue.record before the test ends early, or say why it may"))
      default: continue
      }
    }
    return found
  }
}

/// The text between a brace and its partner.
private struct Block {
  let open: Int
  /// Whether it is a closure or a function: a return in it does not end the test.
  let isOwn: Bool
  /// Whether it is the block of an `if case` or `if let`.
  let matches: Bool

  /// The header is all text since the brace before.
  init(at open: Int, header: ArraySlice<UInt8>) {
    let words = ["if", "guard", "for", "while", "switch", "do", "else", "catch", "repeat", "defer"]
    let places = words.flatMap { word in
      offsets(ofWord: word, in: header).map { (place: $0, word: word) }
    }
    let last = places.max { $0.place < $1.place }
    let condition = Array(header.dropFirst(last?.place ?? header.count))
    var depth = 0
    for byte in condition {
      if "([".utf8.contains(byte) { depth += 1 }
      if ")]".utf8.contains(byte) { depth -= 1 }
    }
    self.open = open
    isOwn = last == nil || depth > 0 || !offsets(ofWord: "func", in: condition).isEmpty
    matches =
      last?.word == "if"
      && ["case", "let"].contains { !offsets(ofWord: $0, in: condition).isEmpty }
  }
}

/// Returns the range of each test's body, with its braces.
private func testBodies(in code: [UInt8]) -> [ClosedRange<Int>] {
  offsets(of: "@Test", in: code).compactMap { attribute in
    guard let function = offsets(ofWord: "func", in: code[attribute...]).first else { return nil }
    var open: Int?
    var (parentheses, braces) = (0, 0)
    for offset in (attribute + function)..<code.count {
      switch code[offset] {
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"): parentheses -= 1
      case UInt8(ascii: "{") where parentheses == 0 || open != nil:
        open = open ?? offset
        braces += 1
      case UInt8(ascii: "}") where open != nil:
        braces -= 1
        if braces == 0, let open { return open...offset }
      default: continue
      }
    }
    return nil
  }
}

/// Whether this is the word `return` without a value.
private func isBareReturn(_ code: [UInt8], _ offset: Int) -> Bool {
  guard code[offset...].starts(with: "return".utf8), !isWordByte(code[offset - 1]) else {
    return false
  }
  let next = code[(offset + 6)...].first { $0 != UInt8(ascii: " ") }
  return next == 10 || next == UInt8(ascii: "}") || next == UInt8(ascii: ";")
}

private func isFollowedByElse(_ code: [UInt8], _ offset: Int) -> Bool {
  code[(offset + 1)...].drop { $0 == 10 || $0 == 32 }.starts(with: "else".utf8)
}

/// A test waits for an event. A call that only lets time pass needs a comment that says why.
private func checkSleeps(_ file: SourceFile) -> [Violation] {
  let sleeps = ["usleep", "sleep", "nanosleep", "clock_nanosleep"]
  let calls = sleeps.flatMap { name in
    offsets(ofWord: name, in: file.code).filter { isFreeCall(file.code, $0, name) }
  }
  let passes = offsets(of: ".pass(milliseconds:", in: file.code)
  let threads =
    offsets(of: "Thread.sleep", in: file.code) + offsets(of: "Task.sleep", in: file.code)
  return (calls + passes + threads).sorted().compactMap { offset in
    if hasReason(file, around: offset) { return nil }
    return file.violation(
      at: offset, "wait for an event, or say in a comment why time alone has to pass")
  }
}

/// An expectation that a clock's reading is below a limit fails when the machine is busy.
private func checkTimedExpectations(_ file: SourceFile) -> [Violation] {
  let clocks = ["now() -", "monotonicNanoseconds() -", ".now -", "elapsed", "took <", "duration <"]
  return ["#expect(", "#require("].flatMap { offsets(of: $0, in: file.code) }.sorted()
    .compactMap { offset in
      let argument = file.code[offset...].prefix(upTo: argumentEnd(file.code, offset))
      let readsClock = clocks.contains { !offsets(of: $0, in: argument).isEmpty }
      let hasLimit = ["<", "contains("].contains { !offsets(of: $0, in: argument).isEmpty }
      if !readsClock || !hasLimit { return nil }
      return file.violation(
        at: offset, "take out this limit on time: a busy machine breaks it; count or order instead")
    }
}

/// Returns where the first parenthesis after `offset` closes.
private func argumentEnd(_ code: [UInt8], _ offset: Int) -> Int {
  var depth = 0
  for place in offset..<code.count {
    if code[place] == UInt8(ascii: "(") { depth += 1 }
    if code[place] == UInt8(ascii: ")") {
      depth -= 1
      if depth == 0 { return place }
    }
  }
  return code.count
}

private func hasReason(_ file: SourceFile, around offset: Int) -> Bool {
  let line = file.line(at: offset)
  return hasReason(file, line) || hasReason(file, line - 1)
}

/// Suites and targets of tests that a page of docs/ names, and that do not exist.
func checkSuites(_ files: [SourceFile]) -> [Violation] {
  let sources = files.filter { file in
    ["Tests/", "Fuzz/"].contains(where: file.path.hasPrefix) && file.path.hasSuffix(".swift")
  }
  var known = Set(sources.compactMap { $0.path.split(separator: "/").dropFirst().first })
  let texts = sources.map { String(decoding: $0.code, as: UTF8.self) }
  for text in texts { known.formUnion(words(of: text).filter { $0.hasSuffix("Tests") }) }
  return files.filter { $0.path.hasPrefix("docs/") && $0.path.hasSuffix(".md") }.flatMap { file in
    words(of: String(decoding: file.text, as: UTF8.self))
      .filter { $0.hasSuffix("Tests") && $0 != "Tests" && !known.contains($0) }
      .flatMap { word in
        offsets(ofWord: String(word), in: file.text).map {
          file.violation(at: $0, "name a suite that exists instead of '\(word)'")
        }
      }
  }
}

private func words(of text: String) -> Set<Substring> {
  Set(text.split { !$0.isLetter && !$0.isNumber })
}

// Constructs that this project forbids, or allows only with a reason. Pure functions over one file
// each. They look at code only, so a comment or a string may name what they forbid.

func checkConstructs(_ file: SourceFile) -> [Violation] {
  guard file.isSwift else { return [] }
  return checkExclamations(file) + checkSilentTries(file) + checkUnproved(file)
    + checkSourcesOnly(file)
}

/// `try!`, `as!`, `x!` and `T!`: a `!` that follows something without a blank.
private func checkExclamations(_ file: SourceFile) -> [Violation] {
  let code = file.code
  return offsets(of: "!", in: code).compactMap { offset in
    guard offset > 0, !(offset + 1 < code.count && code[offset + 1] == UInt8(ascii: "=")) else {
      return nil
    }
    let before = code[offset - 1]
    guard isWordByte(before) || ")]}>\"`?!".utf8.contains(before) else { return nil }
    let word = code[..<offset].reversed().prefix(while: isWordByte).reversed()
    let sentence =
      switch String(decoding: word, as: UTF8.self) {
      case "try": "handle the error or pass it on instead of 'try!'"
      case "as": "use 'as?' and handle nil instead of 'as!'"
      default: "handle nil instead of unwrapping by force (or declaring a type with '!')"
      }
    return file.violation(at: offset, sentence)
  }
}

/// `try?` discards an error; a comment on its line or the one above says why that is right.
private func checkSilentTries(_ file: SourceFile) -> [Violation] {
  offsets(ofWord: "try", in: file.code).compactMap { offset in
    guard offset + 3 < file.code.count, file.code[offset + 3] == UInt8(ascii: "?") else {
      return nil
    }
    let line = file.line(at: offset)
    if hasReason(file, line) || hasReason(file, line - 1) { return nil }
    return file.violation(at: offset, "say in a comment why this error may be thrown away")
  }
}

/// Promises to the compiler come with a proof directly above the declaration and its attributes.
private func checkUnproved(_ file: SourceFile) -> [Violation] {
  ["@unchecked Sendable", "nonisolated(unsafe)"].flatMap { promise in
    offsets(of: promise, in: file.code).compactMap { offset in
      var above = declarationLine(file, file.line(at: offset)) - 1
      while file.line(above, of: \.code).drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
      let isCommentLine = file.line(above, of: \.code).allSatisfy { $0 == " " }
      if isCommentLine, hasReason(file, above) { return nil }
      return file.violation(at: offset, "prove '\(promise)' in a comment directly above")
    }
  }
}

/// Returns the line where the declaration that contains `line` begins; it may span a few lines.
private func declarationLine(_ file: SourceFile, _ line: Int) -> Int {
  let words = ["class", "struct", "enum", "extension", "var", "let"]
  let lines = (max(1, line - 4)...line).reversed()
  return lines.first { candidate in
    let code = Array(file.line(candidate, of: \.code).utf8)
    return words.contains { !offsets(ofWord: $0, in: code).isEmpty }
  } ?? line
}

/// Whether that line has a comment of at least ten letters.
func hasReason(_ file: SourceFile, _ line: Int) -> Bool {
  file.line(line, of: \.comments).filter(\.isLetter).count >= 10
}

/// Constructs that are allowed in tests, but not in code that runs on a board.
private func checkSourcesOnly(_ file: SourceFile) -> [Violation] {
  guard let room = file.room else { return [] }
  var calls = ["fatalError": "use 'precondition' with words, or throw"]
  if !isMain(room) {
    for printing in ["print", "debugPrint", "dump"] {
      calls[printing] = "only a main writes to standard output; return the text or log it"
    }
  }
  for making in ["pipe", "dup", "dup2", "creat", "inotify_init", "mkstemp"] {
    calls[making] = "a spawned program would inherit it; use the call that takes a CLOEXEC flag"
  }
  var found = calls.sorted { $0.key < $1.key }.flatMap { name, sentence in
    offsets(ofWord: name, in: file.code)
      .filter { isFreeCall(file.code, $0, name) }
      .map { file.violation(at: $0, "take out '\(name)': \(sentence)") }
  }
  // A descriptor that is marked afterwards may have been inherited meanwhile.
  for word in ["F_SETFD", "FD_CLOEXEC", "F_DUPFD"] {
    found += offsets(ofWord: word, in: file.code).map {
      file.violation(at: $0, "take out '\(word)': have the descriptor made with a CLOEXEC flag")
    }
  }
  for word in ["async", "await"] {
    found += offsets(ofWord: word, in: file.code).map {
      file.violation(at: $0, "take out '\(word)': there is one event loop, and threads with names")
    }
  }
  return found
}

/// Whether this is a call of the function of that name, not of a method, and not a declaration.
func isFreeCall(_ code: [UInt8], _ offset: Int, _ name: String) -> Bool {
  let before = String(decoding: code[..<offset].suffix(5), as: UTF8.self)
  return code[(offset + name.utf8.count)...].first == UInt8(ascii: "(")
    && !before.hasSuffix(".") && before != "func "
}

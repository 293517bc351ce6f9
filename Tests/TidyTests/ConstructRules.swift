// Words of the language this project does without, or asks a reason for. Pure functions over one
// file each. They look at code only, so a comment or a string may name what they forbid.

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

/// `try?` throws an error away; a comment on its line or the one above says why that is right.
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

/// The line where the declaration begins that goes on in `line`; it may be broken into a few.
private func declarationLine(_ file: SourceFile, _ line: Int) -> Int {
  let words = ["class", "struct", "enum", "extension", "var", "let"]
  let lines = (max(1, line - 4)...line).reversed()
  return lines.first { candidate in
    let code = Array(file.line(candidate, of: \.code).utf8)
    return words.contains { !offsets(ofWord: $0, in: code).isEmpty }
  } ?? line
}

private func hasReason(_ file: SourceFile, _ line: Int) -> Bool {
  file.line(line, of: \.comments).filter(\.isLetter).count >= 10
}

/// Tests may do these; what runs on a board may not.
private func checkSourcesOnly(_ file: SourceFile) -> [Violation] {
  guard let room = file.room else { return [] }
  var calls = ["fatalError": "use 'precondition' with words, or throw"]
  if !isMain(room) {
    for printing in ["print", "debugPrint", "dump"] {
      calls[printing] = "only a main writes to standard output; return the text or log it"
    }
  }
  var found = calls.sorted { $0.key < $1.key }.flatMap { name, sentence in
    offsets(ofWord: name, in: file.code)
      .filter { isFreeCall(file.code, $0, name) }
      .map { file.violation(at: $0, "take out '\(name)': \(sentence)") }
  }
  for word in ["async", "await"] {
    found += offsets(ofWord: word, in: file.code).map {
      file.violation(at: $0, "take out '\(word)': there is one event loop, and threads with names")
    }
  }
  return found
}

/// A call of the function of that name, not of a method and not a declaration.
private func isFreeCall(_ code: [UInt8], _ offset: Int, _ name: String) -> Bool {
  let before = String(decoding: code[..<offset].suffix(5), as: UTF8.self)
  return code[(offset + name.utf8.count)...].first == UInt8(ascii: "(")
    && !before.hasSuffix(".") && before != "func "
}

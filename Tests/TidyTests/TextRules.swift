// What every file must say first, and words that none may have. Pure functions over one file each.
// The forbidden words are put together here, so that this file does not violate the rule; a test
// that plants one does the same.

private let openingLettersMinimum = 60

/// A Swift or C file opens with a paragraph before any code; a script with one after its `#!`.
func checkOpening(_ file: SourceFile) -> [Violation] {
  if file.path.hasPrefix("scripts/") { return checkScriptOpening(file) }
  guard file.path.hasPrefix("Sources/") || file.path.hasPrefix("Tests/"),
    [".swift", ".c", ".h"].contains(where: file.path.hasSuffix)
  else { return [] }
  let opening = file.comments.prefix(file.code.prefix { $0 == 32 || $0 == 10 }.count)
  if opening.count(where: isWordByte) >= openingLettersMinimum { return [] }
  let sentence =
    "open with a paragraph: what this is, which thread runs it, what it must never do"
  return [file.violation(at: 0, sentence)]
}

private func checkScriptOpening(_ file: SourceFile) -> [Violation] {
  var found: [Violation] = []
  if !file.text.starts(with: "#!".utf8) {
    found.append(file.violation(at: 0, "begin with '#!' and an interpreter"))
  }
  let opening = String(decoding: file.text, as: UTF8.self).split(separator: "\n")
    .drop { $0.hasPrefix("#!") }.prefix { $0.hasPrefix("#") }.joined()
  if opening.utf8.count(where: isWordByte) < openingLettersMinimum {
    found.append(file.violation(at: 0, "say below the '#!' what the script does, in a paragraph"))
  }
  return found
}

/// Paths of a build machine, and words left by a paste or by postponed work.
func checkWords(_ file: SourceFile) -> [Violation] {
  let places = ["/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "/opt" + "/swift"]
  let postponed = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
  let pasted = [
    "lorem" + " ipsum", "foo" + "bar", "language" + " model", "as an" + " ai", "chat" + "gpt",
    "clau" + "de", "<<<<" + "<<<", ">>>>" + ">>>",
  ]
  let lowercase = file.text.map { (65...90).contains($0) ? $0 + 32 : $0 }
  return places.flatMap { place in
    offsets(of: place, in: file.text)
      .map { file.violation(at: $0, "take out '\(place)': it is a place of one machine") }
  }
    + postponed.flatMap { word in
      offsets(ofWord: word, in: file.text)
        .map { file.violation(at: $0, "do it, or file it as an issue, and take out '\(word)'") }
    }
    + pasted.flatMap { word in
      offsets(of: word, in: lowercase)
        .map { file.violation(at: $0, "take out '\(word)': it does not belong in a product") }
    }
}

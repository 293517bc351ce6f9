// Planted faults are patches. A patch whose context has changed does not apply: this finds it in
// seconds, before everything is built for it. Pure functions over the files.

/// Every hunk fits the file that it names, to the letter.
func checkPatches(_ files: [SourceFile]) -> [Violation] {
  files.filter { $0.path.hasSuffix(".patch") }.flatMap { checkPatch($0, among: files) }
}

/// A patch says what is wrong and which tests notice, and its fault calls `isPlanted` with its
/// name.
func checkPatchWords(_ patch: SourceFile) -> [Violation] {
  guard patch.path.hasPrefix("Tests/planted/") else { return [] }
  let name = patch.path.split(separator: "/").last?.split(separator: ".").first ?? ""
  var sentences: [String] = []
  if !patch.line(1, of: \.text).hasPrefix("# ") { sentences.append("say first what is wrong") }
  if !patch.line(2, of: \.text).hasPrefix("# check: ") {
    sentences.append("name the tests that notice, with '# check: ' in line 2")
  }
  if offsets(of: "isPlanted(\"\(name)\")", in: patch.text).isEmpty {
    sentences.append("let the fault ask isPlanted(\"\(name)\")")
  }
  return sentences.map { Violation(path: patch.path, line: 1, sentence: $0) }
}

private func checkPatch(_ patch: SourceFile, among files: [SourceFile]) -> [Violation] {
  var found: [Violation] = []
  var target: SourceFile?
  var hunk = (line: 1, text: "")
  func close() {
    if hunk.text.isEmpty || !offsets(of: hunk.text, in: target?.text ?? []).isEmpty { return }
    let sentence = "make the patch anew: \(target?.path ?? "its file") has no such lines"
    found.append(Violation(path: patch.path, line: hunk.line, sentence: sentence))
  }
  for number in 1...patch.lineCount {
    let line = patch.line(number, of: \.text)
    if line.hasPrefix("--- a/") {
      close()
      (target, hunk.text) = (files.first { "--- a/" + $0.path == line }, "")
    } else if line.hasPrefix("@@") {
      close()
      hunk = (number, "")
    } else if line.hasPrefix(" ") || line.hasPrefix("-") {
      hunk.text += line.dropFirst() + "\n"
    }
  }
  close()
  return found
}

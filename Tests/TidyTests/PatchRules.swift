// Faults are planted as patches, and a patch whose place has changed plants nothing: that is told
// of here, in seconds, rather than when all is built for it. Pure functions over the files.

/// Every hunk stands in the file that it names, to the letter.
func checkPatches(_ files: [SourceFile]) -> [Violation] {
  files.filter { $0.path.hasSuffix(".patch") }.flatMap { checkPatch($0, among: files) }
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

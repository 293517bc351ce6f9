// The length of files, functions and lines, and what a line may not hold. Pure functions over one
// file each. Includes rules that swift-format could repair: these tests run everywhere.

private let fileLinesLimit = 400
private let functionLinesLimit = 70
private let columnsLimit = 100

func checkLayout(_ file: SourceFile) -> [Violation] {
  guard [".swift", ".c", ".h"].contains(where: file.path.hasSuffix) else { return [] }
  var found = (1...max(1, file.lineCount)).flatMap { checkLine(file, $0) }
  if file.lineCount > fileLinesLimit {
    let sentence = "split this file: \(file.lineCount) lines, \(fileLinesLimit) at most"
    found.append(Violation(path: file.path, line: file.lineCount, sentence: sentence))
  }
  if file.text.last != 10 {
    found.append(file.violation(at: file.text.count, "end the file with a line end"))
  } else if file.text.suffix(2) == [10, 10] {
    found.append(file.violation(at: file.text.count - 1, "end the file with one line end, not two"))
  }
  return found
}

private func checkLine(_ file: SourceFile, _ number: Int) -> [Violation] {
  let line = file.line(number, of: \.text)
  var sentences: [String] = []
  if line.utf8.count > columnsLimit, line.count > columnsLimit {
    sentences.append("break this line: \(line.count) columns, \(columnsLimit) at most")
  }
  if line.utf8.contains(9) { sentences.append("use blanks, not tabs") }
  if let last = line.utf8.last, last == 32 || last == 9 || last == 13 {
    sentences.append("take out the blanks at the end of the line")
  }
  return sentences.map { Violation(path: file.path, line: number, sentence: $0) }
}

/// A function is any block that does not belong to a type: accessors and closures count as well.
/// Only the outermost is reported.
func checkFunctionLength(_ file: SourceFile) -> [Violation] {
  guard file.isSwift else { return [] }
  var found: [Violation] = []
  var open: [(isType: Bool, start: Int)] = []
  var headerStart = 0
  for (offset, byte) in file.code.enumerated()
  where byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
    if byte == UInt8(ascii: "{") {
      open.append(blockStart(header: headerStart..<offset, in: file))
    } else if let block = open.popLast(), !block.isType, open.last?.isType ?? true {
      let lines = file.line(at: offset) - file.line(at: block.start) + 1
      if lines > functionLinesLimit {
        let sentence = "split this function: \(lines) lines, \(functionLinesLimit) at most"
        found.append(file.violation(at: block.start, sentence))
      }
    }
    headerStart = offset + 1
  }
  return found
}

/// Whether the block belongs to a type, and where its declaration begins: at the last word before
/// the brace that begins one.
private func blockStart(header: Range<Int>, in file: SourceFile) -> (isType: Bool, start: Int) {
  let types = ["struct", "class", "enum", "extension", "protocol", "actor"]
  let others = ["func", "init", "deinit", "subscript", "var", "let"]
  let code = Array(file.code[header])
  var last: (isType: Bool, start: Int)?
  for word in types + others {
    // As an argument's label, a word like `class` begins no type.
    let places = offsets(ofWord: word, in: code).filter { place in
      others.contains(word) || code[(place + word.utf8.count)...].first == UInt8(ascii: " ")
    }
    if let place = places.last, place >= last?.start ?? 0 { last = (types.contains(word), place) }
  }
  return last.map { ($0.isType, header.lowerBound + $0.start) } ?? (false, header.upperBound)
}

// Who may import whom: the house from the ground up, in one table. Pure functions over files.
// A new room is one line here; a folder that has no line is a violation.

/// The C libraries, and which target shows each to the rest.
let ground: Set<String> = [
  "CALSA", "CGPIO", "CInput", "CKernel", "COgg", "COpus", "COpusfile", "CRealtime", "CSndfile",
  "CSpeexDSP", "CSystemd", "CUdev",
]

/// What every room may import, beside a C library of its own.
private let belowRooms: Set<String> = [
  "Recorder", "Loop", "Realtime", "Tape", "Systemd", "Glibc", "Synchronization",
  "FoundationEssentials",
]

/// What each target below the mains may import.
private let imports: [String: Set<String>] = [
  // The workshop.
  "Loop": ["Synchronization", "Glibc", "FoundationEssentials"],
  "Realtime": ["CRealtime", "Synchronization", "Glibc"],
  "Systemd": ["CSystemd", "Realtime", "Glibc", "Synchronization"],
  "Tape": [
    "COpus", "COgg", "COpusfile", "CSndfile", "CSpeexDSP", "Realtime", "Glibc",
  ],
  // The heart.
  "Recorder": ["Loop"],
  // The rooms.
  "Audio": belowRooms.union(["CALSA"]),
  "Library": belowRooms.union(["CKernel", "Swift"]),
  "Panel": belowRooms.union(["CGPIO", "CInput"]),
  "Console": belowRooms,
  "Host": belowRooms.union(["CUdev"]),
]

/// The mains put rooms together, so they see all of them; a C library only through its target.
func isMain(_ room: String) -> Bool {
  room == "reeld" || room == "reelctl" || room.hasPrefix("reel-")
}

func checkImports(_ file: SourceFile) -> [Violation] {
  guard let room = file.room else { return [] }
  if !isMain(room), !ground.contains(room), imports[room] == nil {
    let sentence = "give Sources/\(room) a line in the table of imports, or move the file"
    return [file.violation(at: 0, sentence)]
  }
  return importedModules(in: file).compactMap { module, offset in
    if mayImport(room, module) { return nil }
    return file.violation(at: offset, "take out 'import \(module)': \(room) may not see it")
  }
}

private func mayImport(_ room: String, _ module: String) -> Bool {
  if isMain(room) {
    return !["Foundation", "Dispatch"].contains(module) && !ground.contains(module)
  }
  return imports[room]?.contains(module) ?? false
}

/// Over all files at once: each C library in `Sources` has one target that imports it.
func checkGround(_ files: [SourceFile]) -> [Violation] {
  var importers: [String: Set<String>] = [:]
  for file in files {
    guard let room = file.room else { continue }
    for (module, _) in importedModules(in: file) { importers[module, default: []].insert(room) }
  }
  let present = Set(files.compactMap(\.room)).intersection(ground)
  return present.sorted().compactMap { library in
    let rooms = importers[library, default: []].sorted()
    if rooms.count == 1 { return nil }
    let sentence =
      rooms.isEmpty
      ? "take out \(library): no target imports it"
      : "let one target import \(library), not \(rooms.joined(separator: ", "))"
    return Violation(path: "Sources/\(library)", line: 1, sentence: sentence)
  }
}

/// Every module a Swift file imports, whatever stands around the word `import`.
func importedModules(in file: SourceFile) -> [(module: String, offset: Int)] {
  guard file.isSwift else { return [] }
  return offsets(ofWord: "import", in: file.code).compactMap { offset in
    let rest = file.code[(offset + 6)...].prefix { $0 != 10 && $0 != UInt8(ascii: ";") }
    let words = String(decoding: rest, as: UTF8.self).split(separator: " ")
    let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    let name = words.first.map { kinds.contains(String($0)) ? words.dropFirst().first : $0 } ?? nil
    return name.map { (String($0.prefix { $0 != "." }), offset) }
  }
}

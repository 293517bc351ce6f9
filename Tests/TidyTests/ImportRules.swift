// Which target may import which: the house from the ground up, in one table. Pure functions over
// files. A new room is one line here; a folder that has no line is a violation.

/// The targets of the C libraries; each library is imported by one Swift target.
let ground: Set<String> = [
  "CALSA", "CChecksum", "CCurl", "CFLAC", "CGPIO", "CGnuTLS", "CInput", "CKernel", "CMicrohttpd",
  "COgg", "CNettle", "COpus", "COpusfile", "CQRencode", "CRealtime", "CSndfile", "CSodium",
  "CSpeexDSP", "CSystemd", "CWeighting", "CZlib",
]

/// What every room may import, beside a C library of its own.
private let belowRooms: Set<String> = [
  "Catalogue", "Recorder", "JSON", "Loop", "Realtime", "Tape", "Systemd", "Glibc",
  "Synchronization",
]

/// What each target below the mains may import.
private let imports: [String: Set<String>] = [
  // The workshop.
  "JSON": [],
  "Catalogue": [],
  "Digest": ["CNettle", "CSodium"],
  "Link": ["CCurl", "Digest", "JSON", "Realtime", "Systemd", "Glibc"],
  "Loop": ["JSON", "Synchronization", "Glibc"],
  "Realtime": ["CRealtime", "Synchronization", "Glibc"],
  "Systemd": ["CSystemd", "Realtime", "Glibc", "Synchronization"],
  "Tape": [
    "CFLAC", "COpus", "COgg", "COpusfile", "CSndfile", "CSpeexDSP", "CWeighting", "Digest",
    "Realtime", "Glibc",
  ],
  // The heart.
  "Recorder": ["Catalogue", "Loop", "Swift"],
  // The rooms.
  "Audio": belowRooms.union(["CALSA"]),
  "Library": belowRooms.union(["CChecksum", "CKernel", "Digest", "Swift"]),
  "Panel": belowRooms.union(["CGPIO", "CInput"]),
  "Console": belowRooms,
  "Host": belowRooms.union(["Digest"]),
  // The runtime joins them: it knows the rooms as values only.
  "Runtime": ["Console", "Loop", "Recorder"],
  // What a browser comes through: of the rooms it knows only the socket's file.
  "Web": [
    "CGnuTLS", "CMicrohttpd", "CQRencode", "CZlib", "Catalogue", "Console", "Digest", "JSON",
    "Realtime", "Systemd", "Glibc",
  ],
]

/// The main programs join the rooms, so they may import all of them; a C library only through its
/// target. Only the benchmark of JSON may import Foundation, to compare with.
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
    // Foundation's JSONDecoder traps on some bytes with some releases of Swift: `JSON` is used.
    let foundations: Set = ["Foundation", "FoundationEssentials", "Dispatch"]
    if room == "reel-bench", module == "FoundationEssentials" { return true }
    return !foundations.contains(module) && !ground.contains(module)
  }
  return imports[room]?.contains(module) ?? false
}

/// Every target and every C library in the table of imports is a folder of `Sources`.
func checkTable(_ files: [SourceFile]) -> [Violation] {
  let rooms = Set(files.compactMap(\.room))
  return ground.union(imports.keys).subtracting(rooms).sorted().map { name in
    let sentence = "take out \(name): there is no Sources/\(name)"
    return Violation(path: "Tests/TidyTests/ImportRules.swift", line: 1, sentence: sentence)
  }
}

/// Each C library in `Sources` is imported by exactly one target. Looks at all files at once.
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

/// Returns every module that a Swift file imports, whatever surrounds the word `import`.
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

// Plans the commands that change folders and recordings, one or several at once. Pure.

extension Planner {
  func changing(_ order: ParsedCommand) throws(Stop) -> Plan {
    switch order {
    case .makeFolder(let path): return try makeFolder(path)
    case .move(let targets, let folder, let index):
      let folder = try find(folder, .folder)
      return each(try findAll(targets), "Moved") {
        .item(.move($0, to: folder, at: index.map { $0 - 1 }))
      }
    case .rename(let target, let name):
      return each([try find(target)], "Renamed to") { .item(.rename($0, to: name)) }
    case .describe(let target, let field, let text):
      let words = Self.words(for: field, isRemoved: text.isEmpty)
      return each([try find(target, .recording)], words) { .item(.describe($0, field, text)) }
    case .remove(let targets, let isSure): return try remove(targets, isSure: isSure)
    case .restore(let targets):
      return each(try findAll(targets, .trashed), "Restored") { .item(.restore($0)) }
    case .trashEmpty(let target, let days, let isSure):
      return try emptyTrash(target, olderThanDays: days, isSure: isSure)
    case .sort(let order, let target):
      let id = try findNamed(target, .folder) ?? place
      return each([id], "Sorted") { .item(.sort($0, order)) }
    case .setHeard(let targets, let isHeard):
      let words = isHeard ? "Marked as heard" : "Marked as not heard"
      return each(try findAll(targets, .recording), words) { .item(.setHeard($0, isHeard)) }
    case .undo: return one(.item(.undo), ending: .texts)
    case .mark(let target, let number, let order): return try mark(target, number, order)
    case .addMark(let target, let place, let name): return try addMark(target, place, name)
    case .export(let targets, let file, let form): return try export(targets, to: file, form)
    case .join(let targets, let file, let form): return try join(targets, to: file, form)
    case .importFiles(let files, let folder, let format):
      let id = try findNamed(folder, .folder) ?? place
      return try importFiles(files, into: id, format)
    default: preconditionFailure("every command has its plan")
    }
  }

  private static func words(for field: RecordingField, isRemoved: Bool) -> String {
    switch field {
    case .notes: isRemoved ? "Removed the notes of" : "Set the notes of"
    case .place: isRemoved ? "Removed the place of" : "Set the place of"
    case .speaker: isRemoved ? "Removed the speaker of" : "Set the speaker of"
    }
  }

  /// Plans the same request for each item.
  private func each(
    _ ids: [ItemID], _ words: String, _ request: (ItemID) -> Request
  ) -> Plan {
    .request(
      PlannedRequests(
        requests: ids.map(request), ending: .items(words, ids)))
  }

  private func makeFolder(_ path: String) throws(Stop) -> Plan {
    let (finding, name) = Resolver(library: state.library, place: place).findNew(path)
    let parent = try unwrap(finding)
    if case .read = state.library.folders[parent]?.reading {} else { throw .need([parent]) }
    let titles = state.library.folders[parent]?.items.compactMap { state.library.folders[$0]?.name }
    if titles?.contains(name) == true {
      let there = state.library.pathName(of: parent)
      throw .failed(CommandError("exists", "There is a folder “\(name)” in \(there) already."))
    }
    return .request(
      PlannedRequests(
        requests: [.item(.makeFolder(name: name, in: parent))],
        ending: .items("Made the folder")))
  }

  private func mark(_ target: String, _ number: Int, _ order: MarkOrder) throws(Stop) -> Plan {
    let id = try find(target, .recording)
    let (change, words) = markChange(of: id, number - 1, order)
    return each([id], words) { .item(.mark($0, change)) }
  }

  private func addMark(
    _ target: String, _ place: MarkPlace, _ name: String
  ) throws(Stop) -> Plan {
    let id = try find(target, .recording)
    let sound = state.library.recordings[id]?.sound ?? Sound()
    let frame =
      switch place {
      case .frame(let frame): frame
      case .milliseconds(let count): Frames.count(milliseconds: count, rate: sound.rate)
      }
    let mark = Mark(frame: min(max(frame, 0), sound.frames), name: Text.title(name) ?? "")
    return each([id], "Added a mark to") { .item(.mark($0, .replace(nil, by: mark))) }
  }

  private func markChange(
    of id: ItemID, _ index: Int, _ order: MarkOrder
  ) -> (MarkChange, String) {
    switch order {
    case .rename(let name): return (.rename(index: index, to: name), "Named the mark in")
    case .remove: return (.remove(index: index), "Removed the mark from")
    case .move(let target):
      let milliseconds =
        switch target {
        case .to(let milliseconds): milliseconds
        case .by(let milliseconds): position(ofMark: index, of: id).clampedAdding(milliseconds)
        }
      return (.move(index: index, toMilliseconds: milliseconds), "Moved the mark in")
    }
  }

  /// In milliseconds; 0 if there is no such mark, which the request will say.
  private func position(ofMark index: Int, of id: ItemID) -> Int64 {
    guard let recording = state.library.recordings[id], recording.marks.indices.contains(index)
    else { return 0 }
    return Frames.milliseconds(recording.marks[index].frame, rate: recording.sound.rate)
  }

  // MARK: The trash

  private func remove(_ targets: [String], isSure: Bool) throws(Stop) -> Plan {
    let ids = try findAll(targets)
    if !isSure {
      let recordings = ids.reduce(0) { $0 + (state.library.folders[$1]?.tally.recordings ?? 0) }
      let what =
        ids.count == 1
        ? "“\(state.library.title(of: ids[0]) ?? "")”" : "these \(ids.count) items"
      throw .ask(
        recordings > 0
          ? "Move \(what) with \(recordings) recordings to the trash?"
          : "Move \(what) to the trash?")
    }
    return each(ids, "Deleted") { .item(.delete($0)) }
  }

  private func emptyTrash(
    _ target: String?, olderThanDays days: Int?, isSure: Bool
  ) throws(Stop) -> Plan {
    let item = try findNamed(target, .trashed)
    if !isSure {
      let count = state.library.folders[.trash]?.tally.recordings ?? 0
      let title = item.flatMap(state.library.title)
      let older = days.map { "what has been in the trash for \($0) days" }
      let what = title.map { "“\($0)”" } ?? older ?? "everything in the trash (\(count))"
      throw .ask("Delete \(what) for good? This cannot be undone.")
    }
    let purge: Purge = item.map { .item($0) } ?? days.map { .olderThan(days: $0) } ?? .everything
    let words = item == nil && days == nil ? "The trash is empty." : "Deleted for good."
    return one(
      .item(.purge(purge)), isLong: true, ending: .sentence(words))
  }

  // MARK: Files

  private func export(
    _ targets: [String], to file: String, _ form: ExportForm
  ) throws(Stop) -> Plan {
    try refuseFolders(targets, "export")
    let ids = try findAll(targets, .recording)
    if !files.isEmpty { return try export(ids, as: file, form) }
    try refuseRelative(file)
    if ids.count > 1, !file.hasSuffix("/") {
      throw .failed(
        CommandError("usage", "Several recordings need a directory, with a / at its end."))
    }
    var requests: [Request] = []
    for id in ids {
      let (path, format) = try destination(of: id, file, form)
      requests.append(.item(.work(work(id, format, form, to: OutsideFile(path)))))
    }
    return .request(
      PlannedRequests(requests: requests, isLong: true, remark: Self.ownRights, ending: .texts))
  }

  /// Says why the recorder may not reach a file that the user can see.
  static let ownRights =
    "(The recorder opens it itself here: it reaches what its service and its user may, and no"
    + " home. reelctl opens files for it.)"

  /// Exports one recording into a file that was passed open; `name` is the file's name.
  private func export(_ ids: [ItemID], as name: String, _ form: ExportForm) throws(Stop) -> Plan {
    guard ids.count == 1, files.count == 1, !name.hasSuffix("/") else {
      throw .failed(CommandError("usage", "One recording goes into one file that is passed."))
    }
    let (path, format) = try destination(of: ids[0], name, form)
    let file = OutsideFile(path, passed: files[0])
    let work = work(ids[0], format, form, to: file)
    return .request(
      PlannedRequests(requests: [.item(.work(work))], isLong: true, ending: .texts))
  }

  private func work(
    _ id: ItemID, _ format: String, _ form: ExportForm, to file: OutsideFile
  ) -> LongWork {
    .export(
      id, format: format, track: form.track, repairsClipping: form.repairsClipping, to: file)
  }

  func destination(
    of id: ItemID, _ file: String, _ form: ExportForm
  ) throws(Stop) -> (path: String, format: String) {
    if file.hasSuffix("/") {
      let name = state.library.recordings[id]?.file ?? "\(id)"
      let path = file + CommandTable.exportName(of: name, form)
      return (path, form.format ?? deep("wav", id, form))
    }
    if let format = form.format { return (file, format) }
    let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard CommandTable.formats.contains(ending) else {
      throw .failed(
        CommandError(
          "usage",
          "The file's ending does not say what to write; give --format, or end it in .wav, .flac,"
            + " .mp3 or .opus."))
    }
    return (file, deep(ending, id, form))
  }

  /// The format of a file that keeps the bits of what goes into it.
  private func deep(_ format: String, _ id: ItemID, _ form: ExportForm) -> String {
    guard ["wav", "flac"].contains(format), let recording = state.library.recordings[id] else {
      return format
    }
    let hasOne = form.track != nil || form.repairsClipping || format != "wav"
    let others = hasOne ? [] : recording.tracks.others.map(\.sound)
    let named = recording.sound(ofTrackNamed: form.track)
    return (others + [named]).contains { $0.bits ?? 0 > 16 } ? format + "24" : format
  }

  private func importFiles(
    _ paths: [String], into folder: ItemID, _ format: String?
  ) throws(Stop) -> Plan {
    let passed = files
    if !passed.isEmpty, passed.count != paths.count {
      throw .failed(CommandError("usage", "For each file that is named, one is passed."))
    }
    if passed.isEmpty, let file = paths.first(where: { !$0.hasPrefix("/") }) {
      throw .failed(
        CommandError(
          "usage",
          "Say the file from the root of the recorder's own computer on, for example"
            + " /media/usb/\(file)."))
    }
    let sources = paths.enumerated().map { index, path in
      OutsideFile(path, passed: passed.isEmpty ? nil : passed[index])
    }
    return .request(
      PlannedRequests(
        requests: sources.map { .item(.importFile($0, into: folder, format: format)) },
        isLong: true,
        remark: passed.isEmpty ? Self.ownRights : nil, ending: .items("Imported")))
  }
}

// Plans the joining of parts, and says what only `reelctl` can do with a folder as a whole: it
// opens the files for the recorder. Pure.

extension Planner {
  func join(_ targets: [String], to file: String, _ form: ExportForm) throws(Stop) -> Plan {
    let ids = try findAll(targets, .recording)
    if files.isEmpty { try refuseRelative(file) }
    guard files.isEmpty || (files.count == 1 && !file.hasSuffix("/")) else {
      throw .failed(CommandError("usage", "Parts are joined into one file, which is passed."))
    }
    let (path, format) = try destination(of: ids[0], file, form)
    let target = OutsideFile(path, passed: files.first)
    return .request(
      PlannedRequests(
        requests: [.item(.work(.join(ids, format: format, track: form.track, to: target)))],
        isLong: true,
        remark: files.isEmpty ? Self.ownRights : nil, ending: .texts))
  }

  /// Refuses folders, with which only `reelctl` can do something as a whole.
  func refuseFolders(_ targets: [String], _ verb: String) throws(Stop) {
    for target in targets {
      let id = try find(target)
      guard state.library.folders[id] != nil else { continue }
      throw .failed(
        CommandError(
          "notARecording",
          "“\(target)” is a folder: name its recordings here, or let reelctl \(verb) it as a whole,"
            + " in a shell of the recorder's computer."))
    }
  }

  /// The recorder has no current directory that a user could know.
  func refuseRelative(_ file: String) throws(Stop) {
    if file.hasPrefix("/") { return }
    throw .failed(
      CommandError(
        "usage",
        "Say the file from the root of the recorder's own computer on: /media/usb/kitchen.wav"))
  }
}

// Makes the reports about folders, recordings and notices from the present state. Pure functions.

extension ItemReport {
  /// Nil when there is no such item.
  public init?(_ id: ItemID, in state: State) {
    let library = state.library
    guard let title = library.title(of: id) else { return nil }
    self.id = id
    self.title = title
    path = library.pathName(of: id)
    folderID = library.parent(of: id)
    folder = folderID.map(library.pathName)
    thrownFrom = library.folders[id]?.thrownFrom ?? library.recordings[id]?.thrownFrom
    if let folder = library.folders[id] {
      kind = .folder
      recordings = folder.tally.recordings
      unheard = folder.tally.unheard
      copied = folder.tally.copied
      latest = folder.latest.map { DateReport($0, in: state) }
      order = folder.order
      directory = library.place(of: id)?.components.joined(separator: "/")
    } else {
      kind = .recording
      library.recordings[id].map { read($0, in: state) }
    }
  }

  /// Of a recording whose folder the library need not have read.
  init(_ source: CopySource, in state: State) {
    let recording = source.recording
    kind = .recording
    (id, title) = (recording.id, recording.title)
    let above = source.folders.map { "/" + $0 }.joined()
    path = above + "/" + title
    (folder, folderID) = (above.isEmpty ? "/" : above, recording.folder)
    thrownFrom = nil
    read(recording, in: state)
    tracks = withTracks(of: recording, at: source.directories + [recording.file ?? ""]).tracks
    (texts, deleted) = (recording.texts(isDeleted: source.isDeleted), source.isDeleted)
    file = source.file
  }

  private mutating func read(_ recording: Recording, in state: State) {
    sequence = recording.sequence
    file = state.library.place(of: recording.id)?.components.joined(separator: "/")
    began = BeganReport(recording.began, in: state)
    let running = state.transport.take.running
    let isRunning = running?.id == recording.id
    frames = isRunning ? running?.frames : recording.sound.frames
    rate = recording.sound.rate
    lengthMilliseconds = Frames.milliseconds(frames ?? 0, rate: recording.sound.rate)
    channels = recording.sound.channels
    sizeBytes = recording.sizeBytes
    heard = recording.isHeard
    copies = CopyReport.all(of: recording, in: state)
    marks = recording.marks.map {
      MarkReport(
        frame: $0.frame, milliseconds: Frames.milliseconds($0.frame, rate: recording.sound.rate),
        name: $0.name)
    }
    let details = recording.details
    notes = details.notes.isEmpty ? nil : details.notes
    place = details.place.isEmpty ? nil : details.place
    speaker = details.speaker.isEmpty ? nil : details.speaker
    stage = state.stage(of: recording)
    part = recording.part
    continues = recording.continues
    integrity = IntegrityReport(recording)
  }
}

extension ItemReport {
  /// The same with each of its files.
  func withTracks(in state: State) -> ItemReport {
    guard let recording = state.library.recordings[id],
      let path = state.library.place(of: id)?.components
    else { return self }
    return withTracks(of: recording, at: path)
  }

  private func withTracks(of recording: Recording, at path: [String]) -> ItemReport {
    guard let file = path.last else { return self }
    let tracks = recording.tracks
    let known =
      [(tracks.firstName, recording.sound)] + tracks.others.map { ($0.plan.name, $0.sound) }
    var report = self
    report.tracks = zip(recording.fileNames(file), known).map { name, track in
      TrackReport(
        name: track.0, file: (path.dropLast() + [name]).joined(separator: "/"), track.1)
    }
    // What is still being recorded has as many frames as the take.
    if let frames, !recording.isSettled { report.tracks?[0].frames = frames }
    return report
  }
}

extension TrackReport {
  fileprivate init(name: String, file: String, _ sound: Sound) {
    self.name = name
    self.file = file
    format = String(FileName.split(file).ending.dropFirst().lowercased())
    (channels, bits, rate) = (sound.channels, sound.bits, sound.rate)
    (frames, sizeBytes) = (sound.frames, sound.sizeBytes)
    (sha256, soundFrom) = (sound.hash?.sha256, sound.hash?.soundFrom)
  }
}

extension DateReport {
  public init(_ time: WallTime, in state: State) {
    wall = time.milliseconds
    utc = CalendarDate(time, utcOffsetSeconds: 0).iso8601
    local = state.localTime(time)
  }
}

extension BeganReport {
  init(_ moment: Moment, in state: State) {
    wall = moment.wall.milliseconds
    utc = CalendarDate(moment.wall, utcOffsetSeconds: 0).iso8601
    local = state.localTime(moment.wall)
    synchronised = moment.quality != .unsynchronised
    quality = moment.quality
    boot = moment.boot
    monotonicNanoseconds = moment.instant.nanoseconds
  }
}

extension IntegrityReport {
  init(_ recording: Recording) {
    let integrity = recording.integrity
    device = integrity.device
    recovered = recording.stage == .recovered
    recoveredCutBytes = integrity.recoveredCutBytes
    gaps = integrity.gaps
    clipped = integrity.clippedFrames
    peakDecibels = integrity.peakMillibels.map { Double($0) / 100 }
    loudnessLUFS = integrity.loudnessCentiLUFS.map { Double($0) / 100 }
    microphoneSeemsDead = integrity.microphoneSeemsDead
    deadChannel = integrity.deadChannel
    stopReason = integrity.stopReason
  }
}

extension FolderListing {
  /// A part of a folder that has been read; nil if there is no such folder.
  public init?(_ id: ItemID, _ options: ListOptions, in state: State) {
    guard let listed = state.library.folders[id], let report = ItemReport(id, in: state) else {
      return nil
    }
    var ids = Array(listed.items)
    if options.isUnheardOnly { ids = ids.filter(state.library.isUnheard) }
    if let order = options.order, order != listed.order {
      ids = state.library.sorted(ids, in: order)
    }
    folder = report
    order = options.order ?? listed.order
    total = ids.count
    from = min(options.from, ids.count)
    items = ids.dropFirst(from).prefix(options.count).compactMap { ItemReport($0, in: state) }
  }

  /// The listing of a single item, for a path that names a recording.
  init(only item: ItemReport, in folder: ItemReport) {
    self.init(
      folder: folder, order: folder.order ?? .byDate, total: 1, from: 0, items: [item])
  }
}

extension FoundReport {
  init(_ hit: Hit, in state: State) {
    id = hit.id
    title = hit.title
    folderID = hit.folder
    let isKnown = state.library.folders[hit.folder] != nil
    let folder = state.library.pathName(of: hit.folder)
    path = isKnown ? (folder == "/" ? "/" : folder + "/") + hit.title : nil
  }
}

extension NoticeReport {
  public init(_ notice: Notice, in state: State) {
    id = notice.id
    code = notice.kind
    severity = "\(notice.severity)"
    sentence = notice.sentence
    item = notice.item
    wall = notice.wall.milliseconds
    local = state.localTime(notice.wall)
    acknowledged = notice.isAcknowledged
  }
}

extension State {
  /// Returns a time as text in the appliance's time zone.
  func localTime(_ time: WallTime) -> String {
    calendar(time).listed
  }
}

extension Library {
  fileprivate func isUnheard(_ id: ItemID) -> Bool {
    folders[id].map { $0.tally.unheard > 0 } ?? (recordings[id]?.isHeard == false)
  }

  /// Sorts as the heart sorts a folder: folders first, then recordings.
  fileprivate func sorted(_ ids: [ItemID], in order: Folder.SortOrder) -> [ItemID] {
    ids.sorted { comesBefore($0, $1, in: order) }
  }
}

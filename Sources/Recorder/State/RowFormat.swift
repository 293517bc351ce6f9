// One folder or recording as a row of the flight log: about 105 bytes where JSON takes 700, since a
// row holds only the differences from the row before. Every property must be in the row, because a
// replay compares digests. Pure; writing allocates nothing.

import Loop

struct RowFormat {
  enum Row {
    case folder(Folder)
    case recording(Recording)
  }

  private static let folderMark: UInt8 = 1
  private static let recordingMark: UInt8 = 2

  /// The recording of the row before.
  private var last = Recording(
    id: .root, folder: .root, sequence: 0, title: "",
    began: Moment(
      boot: .root, instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0),
      quality: .synchronised), file: "")

  /// The identity comes from the batch's list of keys.
  mutating func read(_ id: ItemID, from reader: inout RowReader) throws(RowError) -> Row {
    switch try reader.byte() {
    case Self.folderMark: return .folder(try folder(id, &reader))
    case Self.recordingMark: return .recording(try recording(id, &reader))
    default: throw .damaged
    }
  }

  // MARK: Recordings

  /// The flags and the present optional fields of a recording, as bits.
  private struct Flags: OptionSet {
    var rawValue: UInt64
    static let titleIsDefault = Flags(rawValue: 1)
    static let isHeard = Flags(rawValue: 2)
    static let hasFile = Flags(rawValue: 4)
    static let hasPeak = Flags(rawValue: 8)
    static let hasLoudness = Flags(rawValue: 16)
    static let seemsDead = Flags(rawValue: 32)
    static let endIsOwed = Flags(rawValue: 64)
    static let hasCut = Flags(rawValue: 128)
    static let hasReason = Flags(rawValue: 256)
    static let hasMarks = Flags(rawValue: 512)
    static let hasGaps = Flags(rawValue: 1024)
    static let continues = Flags(rawValue: 2048)
    static let wasThrown = Flags(rawValue: 4096)
    static let otherFolder = Flags(rawValue: 8192)
    static let otherBoot = Flags(rawValue: 16384)
    static let hasDeadChannel = Flags(rawValue: 32768)
    static let hasNotes = Flags(rawValue: 65536)
    static let hasPlace = Flags(rawValue: 131_072)
    static let hasSpeaker = Flags(rawValue: 262_144)
    static let hasBits = Flags(rawValue: 524_288)
    static let hasTracks = Flags(rawValue: 1_048_576)
    static let hasCopies = Flags(rawValue: 2_097_152)
    static let hasHash = Flags(rawValue: 4_194_304)

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ recording: Recording, after last: Recording) {
      let integrity = recording.integrity
      rawValue = 0
      add(.titleIsDefault, if: recording.titleIsDefault)
      add(.isHeard, if: recording.isHeard)
      add(.hasFile, if: recording.file != nil)
      add(.hasPeak, if: integrity.peakMillibels != nil)
      add(.hasLoudness, if: integrity.loudnessCentiLUFS != nil)
      add(.seemsDead, if: integrity.microphoneSeemsDead)
      add(.hasDeadChannel, if: integrity.deadChannel != nil)
      add(.endIsOwed, if: integrity.endIsOwed)
      add(.hasCut, if: integrity.recoveredCutBytes != nil)
      add(.hasReason, if: integrity.stopReason != nil)
      add(.hasMarks, if: !recording.marks.isEmpty)
      add(.hasGaps, if: !integrity.gaps.isEmpty)
      add(.hasNotes, if: !recording.details.notes.isEmpty)
      add(.hasPlace, if: !recording.details.place.isEmpty)
      add(.hasSpeaker, if: !recording.details.speaker.isEmpty)
      add(.hasBits, if: recording.sound.bits != nil)
      add(.hasHash, if: recording.sound.hash != nil)
      add(.hasTracks, if: recording.trackBox != .usual)
      add(.hasCopies, if: !recording.copies.isEmpty)
      add(.continues, if: recording.continues != nil)
      add(.wasThrown, if: recording.thrownFrom != nil)
      add(.otherFolder, if: recording.folder != last.folder)
      add(.otherBoot, if: recording.began.boot != last.began.boot)
    }

    private mutating func add(_ flag: Flags, if isSo: Bool) {
      if isSo { formUnion(flag) }
    }
  }

  mutating func write(_ recording: Recording, to writer: inout RowWriter) {
    let (integrity, began) = (recording.integrity, recording.began)
    writer.byte(Self.recordingMark)
    let flags = Flags(recording, after: last)
    writer.unsigned(flags.rawValue)
    if flags.contains(.otherFolder) { writer.key(recording.folder.rowKey) }
    if flags.contains(.otherBoot) { writer.key(began.boot.rowKey) }
    // Here 0 stands for no number.
    writer.integer((recording.sequence ?? 0) &- (last.sequence ?? 0))
    writer.text(recording.title, like: last.title)
    writer.integer(began.instant.nanoseconds &- last.began.instant.nanoseconds)
    writer.integer(began.wall.milliseconds &- last.began.wall.milliseconds)
    writer.text(began.quality.rawValue, like: last.began.quality.rawValue)
    writer.text(recording.stage.rawValue, like: last.stage.rawValue)
    if let file = recording.file { writer.file(file, titled: recording.title) }
    writer.integer(recording.sound.frames)
    writer.integer(recording.sound.rate &- last.sound.rate)
    writer.integer(recording.sound.channels)
    writer.integer(recording.sound.sizeBytes)
    if let bits = recording.sound.bits { writer.integer(bits) }
    if let hash = recording.sound.hash { writer.write(hash) }
    if flags.contains(.hasTracks) { writer.write(recording.tracks) }
    writer.integer(recording.part)
    writer.integer(Int64(bitPattern: recording.revision &- last.revision))
    if let id = recording.continues { writer.key(id.rowKey) }
    if let id = recording.thrownFrom { writer.key(id.rowKey) }
    writer.write(recording.marks)
    writer.write(recording.details, like: last.details)
    write(integrity, to: &writer)
    writer.write(recording.copies)
    last = recording
  }

  private func write(_ integrity: Integrity, to writer: inout RowWriter) {
    writer.text(integrity.device, like: last.integrity.device)
    writer.integer(integrity.clippedFrames)
    if let peak = integrity.peakMillibels { writer.integer(peak) }
    if let loudness = integrity.loudnessCentiLUFS { writer.integer(loudness) }
    if let channel = integrity.deadChannel { writer.integer(channel) }
    if let reason = integrity.stopReason { writer.text(reason.rawValue) }
    if let bytes = integrity.recoveredCutBytes { writer.integer(bytes) }
    writer.write(integrity.gaps)
  }

  private mutating func recording(
    _ id: ItemID, _ reader: inout RowReader
  ) throws(RowError) -> Recording {
    let flags = Flags(rawValue: try reader.unsigned())
    let folder = try flags.contains(.otherFolder) ? reader.id() : last.folder
    let boot = try flags.contains(.otherBoot) ? reader.id() : last.began.boot
    let sequence = (last.sequence ?? 0) &+ (try reader.integer())
    let title = try reader.text(like: last.title)
    let instant: Int64 = try reader.integer()
    let wall: Int64 = try reader.integer()
    let quality: ClockQuality = try reader.choice(like: last.began.quality)
    let stage: Recording.Stage = try reader.choice(like: last.stage)
    let file = try flags.contains(.hasFile) ? reader.file(titled: title) : nil
    let frames: Int64 = try reader.integer()
    let rate: Int = try reader.integer()
    let channels: Int = try reader.integer()
    let sizeBytes: Int64 = try reader.integer()
    let sound = Sound(
      frames: frames, rate: last.sound.rate &+ rate, channels: channels, sizeBytes: sizeBytes,
      bits: try flags.contains(.hasBits) ? reader.integer() : nil,
      hash: try flags.contains(.hasHash) ? reader.hash() : nil)
    let tracks = try flags.contains(.hasTracks) ? reader.tracks() : Tracks()
    let part: Int = try reader.integer()
    let revision: Int64 = try reader.integer()
    let continues = try flags.contains(.continues) ? reader.id() : nil
    let thrownFrom = try flags.contains(.wasThrown) ? reader.id() : nil
    let marks = try flags.contains(.hasMarks) ? reader.marks() : []
    let details = try details(flags, &reader)
    var made = Recording(
      id: id, folder: folder, sequence: sequence == 0 ? nil : sequence, title: title,
      titleIsDefault: flags.contains(.titleIsDefault),
      began: Moment(
        boot: boot,
        instant: Instant(nanoseconds: last.began.instant.nanoseconds &+ instant),
        wall: WallTime(milliseconds: last.began.wall.milliseconds &+ wall), quality: quality),
      stage: stage, file: file, sound: sound, isHeard: flags.contains(.isHeard), marks: marks,
      details: details, integrity: try integrity(flags, &reader), continues: continues,
      part: part, thrownFrom: thrownFrom)
    made.tracks = tracks
    if flags.contains(.hasCopies) { made.copies = try reader.copies() }
    made.revision = last.revision &+ UInt64(bitPattern: revision)
    last = made
    return made
  }

  private func details(
    _ flags: Flags, _ reader: inout RowReader
  ) throws(RowError) -> Recording.Details {
    var details = Recording.Details()
    if flags.contains(.hasNotes) { details.notes = try reader.text(like: last.details.notes) }
    if flags.contains(.hasPlace) { details.place = try reader.text(like: last.details.place) }
    if flags.contains(.hasSpeaker) {
      details.speaker = try reader.text(like: last.details.speaker)
    }
    return details
  }

  private func integrity(
    _ flags: Flags, _ reader: inout RowReader
  ) throws(RowError) -> Integrity {
    var integrity = Integrity(device: try reader.text(like: last.integrity.device))
    integrity.clippedFrames = try reader.integer()
    if flags.contains(.hasPeak) { integrity.peakMillibels = try reader.integer() }
    if flags.contains(.hasLoudness) { integrity.loudnessCentiLUFS = try reader.integer() }
    if flags.contains(.hasDeadChannel) { integrity.deadChannel = try reader.integer() }
    if flags.contains(.hasReason) { integrity.stopReason = try reader.choice() }
    if flags.contains(.hasCut) { integrity.recoveredCutBytes = try reader.integer() }
    if flags.contains(.hasGaps) { integrity.gaps = try reader.gaps() }
    integrity.microphoneSeemsDead = flags.contains(.seemsDead)
    integrity.endIsOwed = flags.contains(.endIsOwed)
    return integrity
  }

  // MARK: Folders

  /// Writes the items only if their order cannot be derived from the rows (`hasItems`).
  func write(_ folder: Folder, hasItems: Bool, to writer: inout RowWriter) {
    writer.byte(Self.folderMark)
    writer.byte(
      (folder.parent == nil ? 0 : 1) | (folder.thrownFrom == nil ? 0 : 2) | (hasItems ? 4 : 0)
        | (folder.latest == nil ? 0 : 8))
    if let id = folder.parent { writer.key(id.rowKey) }
    if let id = folder.thrownFrom { writer.key(id.rowKey) }
    writer.text(folder.name)
    writer.text(folder.directory, like: folder.name)
    switch folder.reading {
    case .unread: writer.byte(0)
    case .reading: writer.byte(1)
    case .read: writer.byte(2)
    case .failed(let why):
      writer.byte(3)
      writer.text(why)
    }
    writer.integer(folder.tally.recordings)
    writer.integer(folder.tally.unheard)
    writer.integer(folder.tally.copied)
    if let latest = folder.latest { writer.integer(latest.milliseconds) }
    writer.text(folder.order.rawValue)
    writer.unsigned(folder.revision)
    guard hasItems else { return }
    writer.unsigned(UInt64(folder.items.count))
    for id in folder.items { writer.key(id.rowKey) }
  }

  private func folder(_ id: ItemID, _ reader: inout RowReader) throws(RowError) -> Folder {
    let flags = try reader.byte()
    let parent = try flags & 1 == 0 ? nil : reader.id()
    let thrownFrom = try flags & 2 == 0 ? nil : reader.id()
    let name = try reader.text()
    let directory = try reader.text(like: name)
    let reading: Folder.Reading
    switch try reader.byte() {
    case 0: reading = .unread
    case 1: reading = .reading
    case 2: reading = .read
    case 3: reading = .failed(try reader.text())
    default: throw .damaged
    }
    let tally = Tally(
      recordings: try reader.integer(), unheard: try reader.integer(),
      copied: try reader.integer())
    let latest = try flags & 8 == 0 ? nil : WallTime(milliseconds: reader.integer())
    var folder = Folder(
      id: id, parent: parent, name: name, directory: directory, tally: tally, latest: latest,
      order: try reader.choice(), reading: reading, thrownFrom: thrownFrom)
    folder.revision = try reader.unsigned()
    if flags & 4 != 0 {
      var items: [ItemID] = []
      for _ in 0..<(try reader.count()) { items.append(try reader.id()) }
      folder.items = ItemOrder(items)
    }
    return folder
  }
}

extension RowWriter {
  /// Most file names contain the recording's title: then only the text around it is written.
  fileprivate mutating func file(_ file: String, titled title: String) {
    let (bytes, wanted) = (file.utf8, title.utf8)
    let start = wanted.isEmpty ? nil : (0..<8).first { bytes.dropFirst($0).starts(with: wanted) }
    guard let start else {
      byte(0)
      return text(file)
    }
    byte(1)
    text(String(decoding: bytes.prefix(start), as: UTF8.self))
    text(String(decoding: bytes.dropFirst(start + wanted.count), as: UTF8.self))
  }

  fileprivate mutating func write(_ marks: [Mark]) {
    if marks.isEmpty { return }
    unsigned(UInt64(marks.count))
    for mark in marks {
      integer(mark.frame)
      text(mark.name)
    }
  }

  fileprivate mutating func write(_ tracks: Tracks) {
    text(tracks.firstName)
    unsigned(UInt64(tracks.others.count))
    for track in tracks.others {
      integer(track.number)
      text(track.plan.name)
      text(track.plan.ending)
      integer(track.sound.frames)
      integer(track.sound.rate)
      integer(track.sound.channels)
      integer(track.sound.sizeBytes)
      // Here 0 stands for none.
      integer(track.sound.bits ?? 0)
      byte(track.sound.hash == nil ? 0 : 1)
      if let hash = track.sound.hash { write(hash) }
    }
  }

  fileprivate mutating func write(_ hash: SoundHash) {
    word(hash.first)
    word(hash.second)
    word(hash.third)
    word(hash.fourth)
    unsigned(UInt64(hash.soundFrom))
  }

  /// Empty texts are left out; the flags say which.
  fileprivate mutating func write(_ details: Recording.Details, like last: Recording.Details) {
    for field in RecordingField.allCases where !details[field].isEmpty {
      text(details[field], like: last[field])
    }
  }

  fileprivate mutating func write(_ gaps: [Gap]) {
    if gaps.isEmpty { return }
    unsigned(UInt64(gaps.count))
    for gap in gaps {
      integer(gap.frame)
      integer(gap.frames)
      text(gap.cause.rawValue)
    }
  }
}

extension RowReader {
  /// Reads a case of an enumeration by its raw value.
  fileprivate mutating func choice<Choice: RawRepresentable>(
    like other: Choice? = nil
  ) throws(RowError) -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try text(like: other?.rawValue ?? "")) else {
      throw .damaged
    }
    return choice
  }

  fileprivate mutating func file(titled title: String) throws(RowError) -> String {
    if try byte() == 0 { return try text() }
    let start = try text()
    return start + title + (try text())
  }

  fileprivate mutating func hash() throws(RowError) -> SoundHash {
    let (first, second) = (try word(), try word())
    let (third, fourth) = (try word(), try word())
    guard let from = UInt32(exactly: try unsigned()) else { throw .damaged }
    return SoundHash(first, second, third, fourth, soundFrom: from)
  }

  fileprivate mutating func marks() throws(RowError) -> [Mark] {
    var marks: [Mark] = []
    for _ in 0..<(try count()) { marks.append(Mark(frame: try integer(), name: try text())) }
    return marks
  }

  fileprivate mutating func tracks() throws(RowError) -> Tracks {
    var tracks = Tracks(firstName: try text())
    for _ in 0..<(try count()) {
      let number: Int = try integer()
      let plan = TrackPlan(name: try text(), ending: try text())
      let (frames, rate): (Int64, Int) = (try integer(), try integer())
      let (channels, sizeBytes): (Int, Int64) = (try integer(), try integer())
      let bits: Int = try integer()
      let sound = Sound(
        frames: frames, rate: rate, channels: channels, sizeBytes: sizeBytes,
        bits: bits == 0 ? nil : bits, hash: try byte() == 0 ? nil : hash())
      tracks.others.append(Track(number, plan, sound: sound))
    }
    return tracks
  }

  fileprivate mutating func gaps() throws(RowError) -> [Gap] {
    var gaps: [Gap] = []
    for _ in 0..<(try count()) {
      gaps.append(Gap(frame: try integer(), frames: try integer(), cause: try choice()))
    }
    return gaps
  }
}

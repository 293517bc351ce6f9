// Everything that the rooms can be asked to perform, as values. A room performs its own commands
// and answers with actions; none of them may make the loop wait.

/// What a room is asked to do.
public enum Command: Equatable, Codable, Sendable {
  case sound(SoundCommand)
  case deck(DeckCommand)
  case card(CardCommand)
  case panel(PanelCommand)
  case console(ConsoleCommand)
  case host(HostCommand)
  case inquiry(InquiryCommand)
  /// A change, for the observers of the address.
  case announce(Change, at: Address)
}

/// What the sound room does for a take.
public enum SoundCommand: Equatable, Codable, Sendable {
  case open
  case close
  /// Begin at the press less the pre-roll, as far as memory reaches.
  case begin(TakePlan, TakeLabel)
  /// The take's file exists: write to it.
  case attach(ItemID, CardPath)
  /// The label of a take that began before the card was open.
  case label(ItemID, TakeLabel)
  case mark(ItemID, at: Instant, name: String)
  /// The next file begins at the very frame where this one ends.
  case split(ItemID, at: SplitPoint, next: TakePlan, TakeLabel)
  case end(ItemID, at: Instant, StopReason)
  case tone(Tone)
  /// Play the greeting before this take, and report its end with `greeted`.
  case greet(ItemID)
  /// Settings of the tones, the greeting and the mixer levels.
  case configure(SoundSettings)
}

/// What the tags of a recording's file are made from.
public struct TakeLabel: Equatable, Codable, Sendable {
  public let recording: Recording
  public let folder: String
}

/// Where one part ends and the next begins.
public enum SplitPoint: Equatable, Codable, Sendable {
  case instant(Instant)
  /// This many milliseconds of sound after the take's first frame, to the frame.
  case length(milliseconds: Int64)
}

/// The short sounds that confirm a button.
public enum Tone: String, Codable, CaseIterable, Sendable { case started, stopped, refused }

/// What the player does.
public enum DeckCommand: Equatable, Codable, Sendable {
  case load(Cue, CardPath, startsPaused: Bool)
  case pause(cue: ItemID)
  case resume(cue: ItemID)
  case seek(cue: ItemID, frame: Int64)
  case unload
  case volume(percent: Int)
}

/// What the card's room does.
public enum CardCommand: Equatable, Codable, Sendable {
  case open
  case read(ItemID)
  /// Make the file and the entry of a take that begins.
  case begin(Recording)
  /// The take is over, or its entry changed: keep this.
  case keep(Recording)
  /// The take came to nothing: remove its entry and its empty file.
  case forget(ItemID)
  case work(ticket: Int, CardWork)
  case cancel(ticket: Int)
  /// Delete the oldest recording that may be deleted: first from the trash.
  case recycle(Recyclable)
}

/// Recordings that may be deleted to make room.
public enum Recyclable: String, Codable, CaseIterable, Sendable {
  case heard
  /// Those with a copy elsewhere that was read back and compared.
  case copied

  public func allows(_ recording: Recording) -> Bool {
    switch self {
    case .heard: recording.isHeard
    case .copied: !recording.copies.isEmpty
    }
  }
}

/// Work on the card that is answered under a ticket.
public enum CardWork: Equatable, Codable, Sendable {
  case makeFolder(ItemID, name: String, in: ItemID)
  case rename(ItemID, to: String)
  case move(ItemID, to: ItemID, at: Int?)
  case throwAway(ItemID)
  case restore(ItemID)
  case purge(Purge)
  case sort(ItemID, Folder.SortOrder)
  case search(String)
  case copies(CopyQuery)
  case noteCopy(CopyNote)
  case openFile(FileRequest)
  case manifest(ManifestQuery)
  case exportMode(Bool)
  /// Make a recording from a file elsewhere, under the sequence number reserved for it.
  case importFile(
    ItemID, sequence: Int, from: OutsideFile, into: ItemID, format: String? = nil)
  case long(LongWork)

  /// Whether it takes long and can be cancelled.
  var isLong: Bool {
    switch self {
    case .long, .importFile: true
    default: false
    }
  }

  /// The items it changes; two jobs must not change the same item at once.
  var touches: [ItemID] {
    switch self {
    case .rename(let id, _), .throwAway(let id), .restore(let id), .sort(let id, _): [id]
    case .move(let id, let target, _): [id, target]
    case .makeFolder(_, _, let parent), .importFile(_, _, _, let parent, _): [parent]
    case .purge, .search, .copies, .noteCopy, .openFile, .manifest, .exportMode, .long: []
    }
  }
}

/// Button events from a dashboard's keys: they go through the panel's gestures, like those of real
/// buttons.
public enum PanelCommand: Equatable, Codable, Sendable {
  case press(Control, at: Instant)
  case hold(Control, at: Instant)
  case lock(Bool, at: Instant)
}

/// What a console writes or does.
public enum ConsoleCommand: Equatable, Codable, Sendable {
  /// A part of a command's answer, or its end, for who sent the command.
  case answer(Answer, to: Origin, isLast: Bool)
  /// The command on this line begins.
  case began(Int, line: String)
  case close(Int)
}

/// Begins and stops inquiries.
public enum InquiryCommand: Equatable, Codable, Sendable {
  case begin(Inquiry, from: Origin)
  case stop(Origin)
}

/// What the state does not hold and another room knows.
public enum Inquiry: Equatable, Codable, Sendable {
  case panel, configuration, flightLog
  /// Reports the panel's free lines when they move, until it is stopped.
  case lines(pullsDown: Bool)
  case checkup(mayMeasure: Bool)
}

/// What the process does for the recorder.
public enum HostCommand: Equatable, Codable, Sendable {
  case reload
  case remember(Remembered)
  /// Everything is closed and written: end the process.
  case finish
  /// The rooms did not answer in time: end the process without them.
  case giveUp
}

/// What a client can observe.
public enum Address: Hashable, Codable, Sendable {
  case folder(ItemID)
  case item(ItemID)
  case notices
}

/// A change at an address.
public enum Change: Equatable, Codable, Sendable {
  case added(ItemID, at: Int)
  case removed(ItemID, at: Int)
  /// An item of the folder changed, and may have moved in its order.
  case changed(ItemID, at: Int, was: Int)
  case renamed(from: String, to: String)
  case moved(from: ItemID, to: ItemID)
  case counted(Summary)
  case reordered(Folder.SortOrder)
  case updated
  case noticed(Notice)
  case reloaded
}

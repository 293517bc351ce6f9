// Merges what was typed here and there since both sides had the same. Where only one side
// changed a text, that side's counts. Where both did, the later one counts, and the other goes
// into the notes: nothing that was typed is lost. What was edited on one side and deleted on the
// other stays. Pure.

/// The texts that both sides are to have.
public struct TextsMerge: Equatable, Sendable {
  /// A text that both sides had changed.
  public struct Conflict: Equatable, Sendable {
    /// "title", "notes", "mark" and so on, or "deleted".
    public let what: String
    /// What the recording has now.
    public let kept: String
    /// What went into the notes.
    public let other: String
  }

  /// Who had which text last, and when.
  public struct Sides: Equatable, Sendable {
    public let here: Texts
    public let there: Texts
    /// Nil if what both had is not known any more.
    public let base: TextsBase?
    public let isThereNewer: Bool
    /// How a text that lost is headed in the notes, such as "nas 2026-11-26".
    public let heading: String

    public init(
      here: Texts, there: Texts, base: TextsBase?, isThereNewer: Bool, heading: String
    ) {
      (self.here, self.there, self.base) = (here, there, base)
      (self.isThereNewer, self.heading) = (isThereNewer, heading)
    }
  }

  public private(set) var texts: Texts
  public private(set) var conflicts: [Conflict] = []
  private let sides: Sides

  public init(_ sides: Sides) {
    self.sides = sides
    texts = sides.here
    for field in TextField.allCases { merge(field) }
    mergeMarks()
    mergeFlags()
    // Each goes into the notes once, also if an earlier merge was cut short behind this.
    for conflict in conflicts where !conflict.other.isEmpty { keep(conflict) }
  }

  /// Returns the newer and the older of two texts.
  private func ordered(_ here: String, _ there: String) -> (newer: String, older: String) {
    sides.isThereNewer ? (there, here) : (here, there)
  }

  private mutating func merge(_ field: TextField) {
    let (here, there) = (sides.here[field], sides.there[field])
    if here == there { return }
    // In the trash here, it is in no folder of its own.
    if field == .folder, sides.here.isDeleted {
      texts.folder = there
      return
    }
    let base = sides.base?[field]
    if base == TextsBase.sum(there) { return }
    if base == TextsBase.sum(here) {
      texts[field] = there
      return
    }
    // Nothing is known of what both had: a text counts more than none.
    if sides.base == nil, here.isEmpty || there.isEmpty {
      texts[field] = here.isEmpty ? there : here
      return
    }
    let (newer, older) = ordered(here, there)
    if field == .notes { return mergeNotes(newer, older) }
    texts[field] = newer
    conflicts.append(Conflict(what: field.rawValue, kept: newer, other: older))
  }

  /// One may hold the other, if it was added to.
  private mutating func mergeNotes(_ newer: String, _ older: String) {
    if newer.contains(older) || older.isEmpty {
      texts.notes = newer
    } else if older.contains(newer) || newer.isEmpty {
      texts.notes = older
    } else {
      texts.notes = newer
      conflicts.append(Conflict(what: TextField.notes.rawValue, kept: newer, other: older))
    }
  }

  private mutating func mergeMarks() {
    for frame in Set(sides.here.marks.keys).union(sides.there.marks.keys).sorted() {
      let (here, there) = (sides.here.marks[frame], sides.there.marks[frame])
      if here == there { continue }
      let base = sides.base?.marks[frame]
      switch (here, there) {
      case (let name?, nil):
        // Removed there, unless it is new or was renamed here.
        if base == TextsBase.sum(name) { texts.marks[frame] = nil }
      case (nil, let name?):
        if base != TextsBase.sum(name) { texts.marks[frame] = name }
      case (let one?, let other?):
        if base == TextsBase.sum(other) { continue }
        if base == TextsBase.sum(one) {
          texts.marks[frame] = other
          continue
        }
        let (newer, older) = ordered(one, other)
        texts.marks[frame] = newer
        conflicts.append(Conflict(what: "mark", kept: newer, other: older))
      case (nil, nil): break
      }
    }
  }

  private mutating func mergeFlags() {
    let (here, there) = (sides.here, sides.there)
    guard let base = sides.base else {
      texts.isHeard = here.isHeard || there.isHeard
      texts.isDeleted = here.isDeleted && there.isDeleted
      return
    }
    texts.isHeard = base.isHeard == here.isHeard ? there.isHeard : here.isHeard
    if here.isDeleted == there.isDeleted { return }
    texts.isDeleted = base.isDeleted == here.isDeleted ? there.isDeleted : here.isDeleted
    let editor = here.isDeleted ? there : here
    if texts.isDeleted, Self.isEdited(editor, since: base) {
      texts.isDeleted = false
      conflicts.append(Conflict(what: "deleted", kept: editor.title, other: ""))
    }
  }

  private static func isEdited(_ texts: Texts, since base: TextsBase) -> Bool {
    var now = TextsBase(texts)
    (now.isHeard, now.isDeleted) = (base.isHeard, base.isDeleted)
    return now != base
  }

  private mutating func keep(_ conflict: Conflict) {
    let line = "[\(sides.heading)] \(conflict.what): \(conflict.other)"
    if texts.notes.contains("] \(conflict.what): \(conflict.other)") { return }
    texts.notes += texts.notes.isEmpty ? line : "\n" + line
  }
}

extension TextsBase {
  /// What both sides have after a merge. A text that could not be taken over here stays as it was,
  /// so that it is tried again.
  public init(
    _ merged: Texts, refused: Set<TextField>, areMarksRefused: Bool, isDeletedRefused: Bool,
    here: Texts, before: TextsBase?
  ) {
    self.init(merged)
    let old = before ?? TextsBase(here)
    for field in refused { self[field] = old[field] }
    if areMarksRefused { marks = old.marks }
    if isDeletedRefused { isDeleted = old.isDeleted }
  }
}

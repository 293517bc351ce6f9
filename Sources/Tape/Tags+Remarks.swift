// Tags for formats that have a title, an artist and one free text. The free text has the notes,
// then a line for each tag that has no place of its own. Pure functions.

extension Tags {
  /// The notes and, a line each, the identity, the place, the device and all facts; nil if there
  /// are none.
  var remarks: String? {
    let lines = (notes.map { [$0, ""] } ?? []) + rest.map { "\($0.key)=\($0.value)" }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The tags for which no format but Ogg has a place.
  var rest: [Comment] {
    let some: [(String, String?)] = [
      ("REEL_ID", id), ("LOCATION", place), ("REEL_DEVICE", device),
      ("REEL_TIME_QUALITY", timeQuality?.rawValue),
    ]
    return some.compactMap { key, value in value.map { Comment(key: key, value: $0) } } + facts
  }

  /// What a person reads about it in one line: title, speaker, place and notes.
  var summary: String {
    [title, speaker, place, notes].compactMap { $0 }.joined(separator: "; ")
  }
}

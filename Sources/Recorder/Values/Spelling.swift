// Suggests the nearest known word for a misspelt one, if one is near. Pure; for error messages
// only, no decision depends on it.

/// Suggests what may have been meant.
public enum Spelling {
  public static func nearest(to word: String, among words: [String]) -> String? {
    let given = Array(word.lowercased())
    let ranked = words.sorted().map { (distance(given, Array($0.lowercased())), $0) }
    guard let best = ranked.min(by: { $0.0 < $1.0 }) else { return nil }
    return best.0 <= max(1, given.count / 3) ? best.1 : nil
  }

  /// The edit distance: letters to insert, remove or change.
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, counterpart) in other.enumerated() {
        let changed = diagonal + (letter == counterpart ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(changed, row[place] + 1, row[place + 1] + 1)
      }
    }
    return row[other.count]
  }
}

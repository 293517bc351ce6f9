// The result of a check of recordings against the index: one report for everything below a folder.
// Plain values; any thread.

import Catalogue

/// What a check of recordings found.
public struct VerifyReport: Equatable, Codable, Sendable {
  /// Something wrong with a recording or a folder.
  public struct Fault: Equatable, Codable, Sendable {
    /// The path of the recording's file below the folder of recordings on the card; nil if a folder
    /// is at fault.
    public let file: String?
    public let sentence: String

    public init(file: String?, sentence: String) {
      self.file = file
      self.sentence = sentence
    }
  }

  /// The most faults that are listed.
  public static let faultLimit = 200

  /// How many recordings were checked.
  public let checked: Int
  /// How many faults there are, more than `faults` if those are too many to list.
  public let faultCount: Int
  public let faults: [Fault]
  /// Of how many files the hash was missing, and is in the index now.
  public let hashed: Int

  public init(checked: Int, faultCount: Int, faults: [Fault], hashed: Int = 0) {
    self.checked = checked
    self.faultCount = faultCount
    self.faults = faults
    self.hashed = hashed
  }

  public var isWell: Bool { faultCount == 0 }

  /// Nil if no hash was missing.
  public var sentenceOnHashes: Phrase? {
    hashed == 0 ? nil : "files that had no hash of their sound, and have one now: \(hashed)"
  }

  /// "12 recordings checked, 1 fault found."
  public var sentence: String {
    let what = checked == 1 ? "1 recording checked" : "\(checked) recordings checked"
    if isWell { return "\(what): everything is as it should be." }
    let found = faultCount == 1 ? "1 fault found" : "\(faultCount) faults found"
    return faults.count < faultCount
      ? "\(what), \(found); the first \(faults.count) are listed." : "\(what), \(found)."
  }
}

// Copies of recordings elsewhere, as the library knows them: which targets have one that was read
// back and found equal. Only the card's room adds one, when it has compared the hash of what was
// read back. Plain values; any thread.

/// A copy of a recording that was read back from its target and compared.
public struct RecordingCopy: Equatable, Codable, Sendable {
  /// The target's name in the configuration of `reel-link`.
  public let target: String
  /// What the target calls the file of the recording's first track.
  public let remote: String
  /// The path of that file on the card when it was copied: if it is another now, the name at the
  /// target is out of date.
  public let file: String
  public let verifiedAt: WallTime
  /// The texts that the target has with it: `Recording.texts` as it was then. Nil: none, or others.
  public let texts: String?

  public init(
    target: String, remote: String, file: String, verifiedAt: WallTime, texts: String? = nil
  ) {
    self.target = target
    self.remote = remote
    self.file = file
    self.verifiedAt = verifiedAt
    self.texts = texts
  }

  /// The most copies of a recording that are remembered.
  public static let most = 8
  public static let targetLimitBytes = 60
  public static let nameLimitBytes = 4096

  /// Returns a target's name as it is kept. Nil if it is none.
  public static func targetName(_ text: String) -> String? {
    let name = Text.cleaned(text, keepingLines: false)
    return name.isEmpty || name != text || name.utf8.count > targetLimitBytes ? nil : name
  }

  /// Whether it may come from a card or a client.
  public var isBelievable: Bool {
    Self.targetName(target) != nil
      && [remote, file].allSatisfy { !$0.isEmpty && $0.utf8.count <= Self.nameLimitBytes }
      && texts.map { Recording.isTexts($0) } ?? true
  }
}

extension Recording {
  public func copy(at target: String) -> RecordingCopy? { copies.first { $0.target == target } }

  /// Returns the recording with these copies.
  public consuming func with(_ copies: [RecordingCopy]) -> Recording {
    var recording = self
    recording.copies = copies
    return recording
  }

  /// Returns its copies with that of one target replaced; nil stands for none.
  public func copies(with copy: RecordingCopy?, at target: String) -> [RecordingCopy] {
    let others = copies.filter { $0.target != target }
    guard let copy else { return others }
    return Array(others.suffix(RecordingCopy.most - 1)) + [copy]
  }
}

// The link's configuration as one checked value: `/etc/reel/link.json`. Secrets are not in it, only
// the names of credentials. Plain values, for any thread; read by LinkConfigurationReader.

/// What is copied where.
public struct LinkConfiguration: Equatable, Sendable {
  public var targets: [TargetConfiguration] = []
  public var heartbeat: HeartbeatConfiguration?

  public init() {}
}

/// An address that is fetched while all is well.
public struct HeartbeatConfiguration: Equatable, Sendable {
  /// May hold a secret: it is never shown.
  public var url = Secret("")
  public var everySeconds: Int64 = 300

  public init() {}
}

/// One place for copies.
public struct TargetConfiguration: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable { case s3, webdav, sftp, directory }

  public var name = ""
  public var kind = Kind.webdav
  public var url: ServerURL?
  public var path: String?
  public var label: String?
  /// Whether the directory has to be a file system of its own.
  public var isMounted = true
  public var bucket = ""
  public var region = "us-east-1"
  public var style = S3Target.Style.path
  public var prefix: [String] = []
  public var user = ""
  /// The name of a credential of systemd, or the path of a file.
  public var credential: String?
  /// Paths such as `/Interviews`; empty for everything.
  public var folders: [String] = []
  /// Empty for always.
  public var hours: [HourRange] = []
  /// What is done while the connection costs by the byte.
  public enum Metered: String, CaseIterable, Sendable { case wait, send }
  public var metered = Metered.wait
  public var bytesPerSecond: Int64?
  public var pin: String?
  public var hostKey: String?
  public var authorities: String?
  /// Whether a file of texts lies beside each copy.
  public var hasTexts = true
  /// Whether the copy goes when a person deletes the recording for good.
  public var mirrorsDeletions = false
  /// After so many days a copy is read again; nil for never.
  public var rereadDays: Int? = 90

  public init() {}

  /// Returns the name of a copy there: the folders of the prefix, those of the recording, its file.
  public func remoteName(_ components: [String]) throws(LinkError) -> RemoteName {
    try RemoteName(prefix + components)
  }

  /// Whether a recording in that folder, such as `/Interviews/May`, is copied there.
  public func includes(folder: String) -> Bool {
    folders.isEmpty
      || folders.contains { $0 == "/" || folder == $0 || folder.hasPrefix($0 + "/") }
  }

  /// Returns why no copies may be sent at that minute of the day, of the local time.
  public func hold(atMinute minute: Int, isMetered: Bool) -> CopyQueue.Hold? {
    if !hours.isEmpty, !hours.contains(where: { $0.contains(minute) }) { return .hours }
    return isMetered && waitsWhileMetered ? .metered : nil
  }

  /// A directory is reached without a network, or by one that its mount knows of.
  public var waitsWhileMetered: Bool { metered == .wait && kind != .directory }
}

/// A part of the day, such as `22:00-06:00`; the last minute is not in it.
public struct HourRange: Equatable, Sendable {
  public let fromMinute: Int
  public let toMinute: Int

  /// Nil if it is no such text, or empty.
  public init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let from = Self.minute(ends[0]), let to = Self.minute(ends[1]),
      from != to, from < 1440
    else { return nil }
    fromMinute = from
    toMinute = to
  }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
      parts.joined().utf8.allSatisfy({ (48...57).contains($0) }),
      let hours = Int(parts[0]), let minutes = Int(parts[1]), parts[1].utf8.count == 2,
      minutes < 60, hours * 60 + minutes <= 1440
    else { return nil }
    return hours * 60 + minutes
  }

  func contains(_ minute: Int) -> Bool {
    fromMinute < toMinute
      ? (fromMinute..<toMinute).contains(minute) : minute >= fromMinute || minute < toMinute
  }
}

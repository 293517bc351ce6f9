// Notices: events that a person should learn of later, each with a code for programs and a sentence
// for people. If there are too many, acknowledged and minor ones are dropped first.

/// What a person should know of.
public struct Notice: Equatable, Codable, Sendable, Identifiable {
  public let id: Int
  public let kind: Kind
  public let item: ItemID?
  public let detail: String
  public let instant: Instant
  public let wall: WallTime
  public internal(set) var isAcknowledged = false

  public enum Severity: Int, Codable, Comparable, Sendable {
    case note, warning, fault
    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  public enum Kind: String, Codable, CaseIterable, Sendable {
    case takeCutShort, takeFailed, takeElsewhere, framesLost, clipping, microphoneDead, channelDead,
      recovered
    case deviceLost, deviceBack, deviceSilent, encodingHeavy
    case cardFull, cardLow, cardStalled, cardFailed, cardReadOnly, cardVolatile, recycled
    case fileAdopted, fileVanished, indexRebuilt, indexMended, folderFilling
    case playbackFailed, configurationRefused, powerLow, workFailed
    case panelFault, memoryDamaged
    case editedTwice, copyLost
  }

  public var severity: Severity {
    switch kind {
    case .deviceBack, .fileAdopted, .recycled, .indexMended: .note
    case .takeElsewhere, .framesLost, .clipping, .channelDead, .cardLow, .folderFilling,
      .indexRebuilt, .configurationRefused, .playbackFailed, .workFailed, .cardStalled, .powerLow,
      .panelFault, .memoryDamaged, .encodingHeavy, .editedTwice, .copyLost:
      .warning
    case .takeCutShort, .takeFailed, .recovered, .microphoneDead, .deviceLost, .deviceSilent,
      .cardFull, .cardFailed, .cardReadOnly, .cardVolatile, .fileVanished:
      .fault
    }
  }

  public var sentence: String {
    let words = kind.heading
    if detail.isEmpty { return words + "." }
    return detail.hasSuffix(".") ? "\(words): \(detail)" : "\(words): \(detail)."
  }
}

extension Notice.Kind {
  /// Whether it tells what happened to a recording. After a restart nothing else would tell it; the
  /// state of the card and of the devices is detected anew.
  var outlivesRestart: Bool {
    switch self {
    case .takeCutShort, .takeFailed, .recovered, .fileVanished: true
    default: false
    }
  }

  /// The sentence without its detail.
  public var heading: String {
    switch self {
    case .takeCutShort: "A recording was cut short"
    case .takeFailed: "A recording could not be made"
    case .takeElsewhere:
      "A recording is at the top of the card, because its folder cannot be written into"
    case .framesLost: "Sound was lost and silence stands in for it"
    case .clipping: "The sound is too loud for the microphone's level"
    case .microphoneDead: "The microphone is silent; check its plug and its switch"
    case .channelDead: "One channel is silent; check its plug"
    case .recovered: "A recording that was cut short has been recovered"
    case .deviceLost: "The sound device went away"
    case .deviceBack: "The sound device is back"
    case .deviceSilent: "The sound device delivers no sound; it is opened anew"
    case .encodingHeavy:
      "Encoding is nearly too much for the processor; record fewer tracks, or set a lower rate,"
        + " level or complexity"
    case .cardFull: "The card is full"
    case .cardLow: "The card is nearly full"
    case .cardStalled: "The card stalled; nothing was lost"
    case .cardFailed: "The card failed"
    case .cardReadOnly: "The card can only be read"
    case .cardVolatile: "Recordings are kept in memory and will be gone after a restart"
    case .recycled: "A recording that had been heard was deleted to make room"
    case .fileAdopted: "A sound file found on the card was taken in"
    case .fileVanished: "A recording's file is gone from the card"
    case .indexRebuilt: "A folder's index was damaged and has been rebuilt from its files"
    case .indexMended: "The end of a folder's index was cut short; nothing confirmed was lost"
    case .folderFilling: "A folder is filling up"
    case .playbackFailed: "A recording could not be played"
    case .configurationRefused: "The new configuration was not taken"
    case .powerLow: "The power supply is too weak"
    case .workFailed: "A request could not be carried out"
    case .panelFault: "Something at the panel does not work"
    case .editedTwice: "A recording was edited here and elsewhere"
    case .copyLost: "A copy is gone from its target and is made again"
    case .memoryDamaged: "A file in which the recorder keeps its state was damaged"
    }
  }
}

/// The notices that are kept, the newest last.
public struct Notices: Equatable, Codable, Sendable {
  public internal(set) var kept: [Notice] = []
  public internal(set) var lastID = 0
  var revision: UInt64 = 0

  public var unacknowledged: [Notice] { kept.filter { !$0.isAcknowledged } }

  /// Whether a fault has not been acknowledged; shown by the status light.
  var hasUnseenFault: Bool { kept.contains { $0.severity == .fault && !$0.isAcknowledged } }

  /// The same, for faults that must survive a restart.
  var hasUnseenFaultToRemember: Bool {
    kept.contains { $0.kind.outlivesRestart && !$0.isAcknowledged }
  }

  func contains(_ kind: Notice.Kind) -> Bool {
    kept.contains { $0.kind == kind && !$0.isAcknowledged }
  }
}

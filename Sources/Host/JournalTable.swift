// The journal's entries: for every kind of notice, and for a few other events, an id that programs
// can search for and an explanation for people. The journal's catalog is made from this table.
// Pure.
import Recorder

/// A kind of journal entry, with its text for the catalog.
public struct JournalEntry: Equatable, Sendable {
  /// 128 bits that never change, for `journalctl MESSAGE_ID=…`.
  public let id: String
  public let subject: String
  /// What it means and what to do.
  public let explanation: String

  public static let recordingBegan = JournalEntry(
    id: "7d0f3a5b9e6c4b1f8a2d4e6f10c5a901", subject: "A recording began",
    explanation: "REEL_RECORDING is its id, REEL_TITLE its title.")
  public static let recordingEnded = JournalEntry(
    id: "7d0f3a5b9e6c4b1f8a2d4e6f10c5a902", subject: "A recording ended",
    explanation: "It is in its folder. REEL_RECORDING is its id, REEL_SECONDS its length.")
  public static let configurationWaits = JournalEntry(
    id: "7d0f3a5b9e6c4b1f8a2d4e6f10c5a903", subject: "A part of the configuration waits",
    explanation: "What is named holds after \"systemctl restart reeld\", which ends a recording.")
  public static let threadStuck = JournalEntry(
    id: "7d0f3a5b9e6c4b1f8a2d4e6f10c5a904", subject: "A part of the recorder does not go on",
    explanation: "The service manager will end the recorder and start it again; a recording that"
      + " was running goes on in a new one. Please report this, with the flight log beside it:"
      + " /run/reel/flight.previous.log.")

  public static func of(_ kind: Notice.Kind) -> JournalEntry {
    let (digits, explanation) = texts(kind)
    return JournalEntry(
      id: "7d0f3a5b9e6c4b1f8a2d4e6f10c5b0" + digits, subject: kind.heading,
      explanation: explanation)
  }

  /// Returns the last digits of the id, which must never be used again, and the explanation.
  private static func texts(_ kind: Notice.Kind) -> (String, String) {
    aboutTakes(kind) ?? aboutTheCard(kind)
  }

  private static func aboutTakes(_ kind: Notice.Kind) -> (String, String)? {
    switch kind {
    case .takeCutShort:
      (
        "01",
        "What was recorded until then is kept and can be played. The entry tells why it ended."
      )
    case .takeFailed: ("02", "Nothing was kept of it. The entry tells why.")
    case .framesLost:
      (
        "03",
        "The recording's times are right all the same: \"reelctl info\" lists where silence stands"
          + " in. It comes of a system that is too busy, or of a bad cable or hub."
      )
    case .clipping:
      ("04", "Turn the microphone's level down, with alsamixer or with levels in reel.json.")
    case .microphoneDead:
      ("05", "Nothing but silence arrives: is the microphone plugged in, switched on and charged?")
    case .channelDead:
      (
        "12",
        "The others hear something. Its plug may be half out, or nothing is plugged in there: set"
          + " channels or pick in reel.json to record the others only."
      )
    case .recovered:
      (
        "06",
        "Power went, or the recorder was killed. At most the last second of the recording is gone."
      )
    case .deviceLost:
      (
        "07",
        "It was pulled out, or its cable is bad. It is waited for: see reconnect in reel.json."
      )
    case .deviceSilent:
      (
        "11",
        "It is open, reports no fault, and hands out nothing. A recording that runs has silence in"
          + " that place. After ten seconds it is opened anew: pull it out and plug it in again, or"
          + " start the sound server anew."
      )
    case .encodingHeavy:
      (
        "13",
        "One thread encodes all tracks. If it needs more than a core has, the sound waits in memory"
          + " and is lost in the end. \"reelctl status\" shows how much it needs: see tracks and"
          + " encoder in reel.json."
      )
    case .deviceBack: ("08", "A recording that it ended goes on in a linked part.")
    case .takeElsewhere:
      ("10", "The entry names the folder. \"reelctl doctor\" says what is wrong with the card.")
    case .playbackFailed: ("09", "The recording is still there. \"reelctl verify\" looks at it.")
    default: nil
    }
  }

  private static func aboutTheCard(_ kind: Notice.Kind) -> (String, String) {
    switch kind {
    case .cardFull:
      (
        "20",
        "Nothing more can be recorded. Delete recordings and empty the trash, or let reel.json"
          + " say whenFull: \"recycle-oldest-heard\" or \"recycle-oldest-copied\"."
      )
    case .cardLow: ("21", "Make room before the next recording.")
    case .cardStalled:
      (
        "22",
        "The card did not answer for a while; what was recorded meanwhile was kept in memory. A"
          + " card that does this often is worn out or too slow."
      )
    case .cardFailed:
      ("23", "Nothing can be recorded to it. \"reelctl doctor\" says more; look at dmesg, too.")
    case .cardReadOnly:
      ("24", "It is mounted so, its lock is set, or the kernel found it damaged: look at dmesg.")
    case .cardVolatile:
      (
        "25",
        "The root file system is an overlay in memory. Give recordings a partition of their own,"
          + " mounted at /var/lib/reel."
      )
    case .recycled: ("26", "As whenFull in reel.json says. It had been played before.")
    case .fileAdopted: ("27", "It is a recording now like any other.")
    case .fileVanished: ("28", "Somebody deleted it by other means, or the card is damaged.")
    case .indexRebuilt: ("29", "The sound files are whole. What had been typed may be older.")
    case .indexMended: ("30", "Power went while a change was written.")
    case .configurationRefused:
      (
        "31",
        "The recorder goes on with what it had. \"reeld --check-config\" lists what is wrong."
      )
    case .powerLow:
      ("32", "The board's supply voltage sagged. Use a better supply or a shorter, thicker cable.")
    case .workFailed: ("33", "The entry tells why.")
    case .panelFault:
      ("34", "The rest of the panel works. \"reelctl panel\" shows lines, buttons and lights.")
    case .folderFilling:
      (
        "35",
        "Takes for a full folder go into a new one beside it: \"Interviews 2\". Move or delete."
      )
    case .memoryDamaged:
      ("36", "It was set aside as NAME.damaged, and the recorder began without it.")
    case .editedTwice:
      ("37", "The later text was kept, and the other is in the notes. Each step can be undone.")
    case .copyLost: ("38", "The recording itself is safe. \"reelctl copies\" lists what waits.")
    // `aboutTakes` has the texts of these; a new kind must be added to one of the two.
    case .takeCutShort, .takeFailed, .takeElsewhere, .framesLost, .clipping, .microphoneDead,
      .channelDead, .encodingHeavy,
      .recovered, .deviceLost, .deviceBack, .deviceSilent, .playbackFailed:
      ("00", "The entry tells more.")
    }
  }

  /// Every entry there is, for the catalog.
  public static var all: [JournalEntry] {
    [recordingBegan, recordingEnded, configurationWaits, threadStuck]
      + Notice.Kind.allCases.map(of)
  }

  /// In the format of systemd's message catalogs.
  public static var catalog: String {
    let start = "# Made from the table of journal entries; see journalctl --catalog.\n"
    return all.reduce(start) { text, entry in
      let lines = Text.wrapped(entry.explanation, columns: 78)
      return text + """

        -- \(entry.id)
        Subject: \(entry.subject)
        Defined-By: Reel
        Support: man:reeld(8)
        Documentation: man:reeld(8)

        \(lines.joined(separator: "\n"))

        """
    }
  }
}

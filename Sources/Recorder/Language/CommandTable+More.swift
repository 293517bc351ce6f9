// The rest of the command table: files, the appliance itself, and commands about commands. Plain
// values; any thread.

/// What of a recording is exported, and as what.
public struct ExportForm: Equatable, Sendable {
  /// Nil: the file's ending decides.
  public var format: String?
  /// The name of a track; nil: the first.
  public var track: String?
  /// What is clipped comes from the track called `Tracks.safetyName`.
  public var repairsClipping = false

  public init(format: String? = nil, track: String? = nil, repairsClipping: Bool = false) {
    self.format = format
    self.track = track
    self.repairsClipping = repairsClipping
  }

  /// The options of `export` that say the same.
  public var options: [String] {
    (format.map { ["--format", $0] } ?? []) + (track.map { ["--track", $0] } ?? [])
      + (repairsClipping ? ["--repair-clipping"] : [])
  }
}

extension CommandTable {
  static let formats = ["wav", "wav24", "wavfloat", "flac", "flac24", "mp3", "opus"]

  /// Returns the file name of a recording that is exported into a directory.
  public static func exportName(of file: String, _ form: ExportForm) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let parts = FileName.split(name)
    let known = FileName.soundEndings.contains(parts.ending.lowercased()) ? parts.stem : name
    let stem = known + (form.track.map { ", " + FileName.directory(title: $0) } ?? "")
    let format = form.format ?? "wav"
    switch format {
    case "wav", "wav24", "wavfloat": return stem + ".wav"
    case "flac", "flac24": return stem + ".flac"
    default: return stem + "." + format
    }
  }

  static let files = [
    CommandSpec(
      .export, [Parameter("ITEM", .item(.any), .several), Parameter("FILE", .file)],
      options: [
        CommandOption("--format", Parameter("FORMAT", .choice(formats)), "which format to write"),
        CommandOption("--track", Parameter("NAME", .text), "which track of a take, by its name"),
        CommandOption(
          "--repair-clipping", "take what is clipped from the track called safety"),
      ], .changes, "write recordings, or whole folders, to files of another format",
      "Without --format the file's ending decides; WAV and FLAC then keep 24 bits. Without"
        + " --track a WAV file has the channels of all tracks of a take, with their names (iXML),"
        + " and any other file has the first track; `info` names them. In a directory, written with"
        + " a / at its end, each file is named after its recording. reelctl opens the file for the"
        + " appliance, so it can be wherever you may write, and overwrites one only with --yes. On"
        + " the serial console the appliance opens the file, with the rights of its service. A"
        + " folder, with everything below it, is written as a directory of its name in the"
        + " directory FILE, which is made if it is not there, as WAV unless --format says"
        + " otherwise; the root goes into FILE itself. Files that exist already are counted, and"
        + " never written over: the same command again goes on where the last one ended. A file"
        + " that cannot be written is named, and the others are exported all the same; if there is"
        + " no room left, the export ends. Ctrl-C leaves whole files only. No files can be passed"
        + " on the serial console: there, recordings are exported one by one."),
    CommandSpec(
      .join, [Parameter("ITEM", .item(.recording), .several)],
      options: [
        CommandOption("--to", Parameter("FILE", .file), "the file to write", isNeeded: true),
        CommandOption("--format", Parameter("FORMAT", .choice(formats)), "which format to write"),
        CommandOption("--track", Parameter("NAME", .text), "which track of a take, by its name"),
      ], .changes, "join the parts of a take into one file",
      "One item, whichever part it is, stands for all parts of its take; several are joined in"
        + " the order of their parts, and each must continue the one before. Without --format the"
        + " file's ending decides; WAV and FLAC then keep 24 bits. Without --track a WAV file has"
        + " the channels of all tracks, and any other file has the first track. The parts of a"
        + " split are joined into Opus without encoding them again, and the file holds the sound"
        + " of the undivided take, to the sample. After a lost device or a crash the parts follow"
        + " each other directly, without the time between; then Opus is encoded once more. Marks"
        + " and gaps are counted from the beginning of the whole. The recordings stay as they are."
    ),
    CommandSpec(
      .importFile, [Parameter("FILE", .file, .several)],
      options: [
        CommandOption("--in", Parameter("FOLDER", .item(.folder)), "import them into this folder"),
        CommandOption(
          "--format", Parameter("FORMAT", .choice(["opus", "flac"])), "which format to keep them in"
        ),
      ], .changes, "import sound files, or whole directories, as recordings",
      "WAV, FLAC, Ogg, Opus, MP3, AIFF. Without --format they become Opus, of two channels at"
        + " most; FLAC keeps up to eight channels, and 24 bits, as they are. Marks, date, place,"
        + " speaker and notes come along as far as the file tells them. reelctl opens the files"
        + " for the appliance; on the serial console the appliance opens them, with the rights of"
        + " its service. reelctl imports a directory as a folder of its name, with what is below"
        + " it, in natural order of names; `import DIR FOLDER` is short for --in FOLDER if nothing"
        + " here is called FOLDER. Files that are no sound, hidden ones and links are named and"
        + " skipped, and directories without sound left out. A file whose title a recording of the"
        + " folder has already is counted and not imported: the same command again goes on where"
        + " the last one ended."),
    CommandSpec(
      .waveform, [Parameter("ITEM", .item(.any))],
      options: [
        CommandOption("--points", Parameter("N", .number(1...10_000)), "how many points"),
        CommandOption("--svg", Parameter("FILE", .file), "write an SVG file"),
      ], .looks, "draw a recording, or all of a folder",
      "reelctl draws a folder as a sheet: a line for each recording below it, a step in height for"
        + " each 6 dB; with --json a line of JSON for each."),
    CommandSpec(
      .verify, [Parameter("ITEM", .item(.any), .optional)], .changes,
      "check files against the index",
      "A folder with everything below it; without an item, the whole card. One report names each"
        + " fault. A file whose sound has no hash yet gets one. reelctl exits with 1 if there is a"
        + " fault."),
    CommandSpec(
      .cancel, [Parameter("TICKET", .number(1...Int.max))], .changes, "cancel long work",
      "Long work shows its ticket with its progress."),
  ]

  private static let target = Parameter("TARGET", .name)
  private static let id = Parameter("ID", .name)
  private static let seconds = 0...31_536_000

  static let copies = [
    CommandSpec(
      .copies,
      options: [
        CommandOption("--target", target, "what this target lacks, or has under an old name"),
        CommandOption(
          "--of", Parameter("WHICH", .choice(CopyQuery.Scope.allCases.map(\.rawValue))),
          "with older texts there too, or what the target has"),
        CommandOption("--after", Parameter("PLACE", .name), "go on behind the answer before"),
        CommandOption("--count", Parameter("N", .number(CopyQuery.counts)), "at most this many"),
      ], .looks, "list the recordings that have no copy elsewhere, and why",
      "A recording is safe when a copy of it was read back from a target and its hash compared;"
        + " `reel-link` makes such copies. Without --target those are listed that exist only here,"
        + " the oldest first. What is in the trash is not copied."),
    CommandSpec(
      .fetch, [target],
      options: [
        CommandOption("--to", Parameter("DIR", .file), "into this directory"),
        CommandOption("--config", Parameter("FILE", .file), "another configuration of reel-link"),
      ], .changes, "bring the recordings of a target back",
      "For a new card: reelctl has `reel-link` fetch every recording of the target and compare its"
        + " sound. Meanwhile the recorder hands the card over, so nothing can be recorded; then it"
        + " adds the recordings, and their texts follow when reel-link runs. Files on the card"
        + " stay. The caller needs the right to write to the card. With --to the files only go into"
        + " that directory.", only: .socket),
    CommandSpec(
      .openFile, [id],
      options: [
        CommandOption("--in", Parameter("ID", .name), "the id of its folder", isNeeded: true),
        CommandOption("--track", Parameter("NAME", .text), "which track of a take, by its name"),
      ], .changes, "pass a recording's file, to read",
      "For `reel-link` and other programs that copy: the open file comes beside the answer.",
      only: .socket),
    CommandSpec(
      .copied, [id],
      options: [
        CommandOption("--in", Parameter("ID", .name), "the id of its folder", isNeeded: true),
        CommandOption("--target", target, "the target's name", isNeeded: true),
        CommandOption("--remote", Parameter("NAME", .text), "what the target calls its first file"),
        CommandOption(
          "--file", Parameter("FILE", .text), "the path of that file on the card when it was sent"),
        CommandOption(
          "--sha256", Parameter("LIST", .name),
          "the hash of each file's sound as it was read back, with commas between"),
        CommandOption("--renamed", "the copy has another name now"),
        CommandOption(
          "--texts", Parameter("DIGITS", .name), "the target has the texts of this checksum"),
        CommandOption("--gone", "the target has no such copy any more"),
      ], .changes, "note that a copy was read back and compared",
      "For `reel-link` and other programs that copy. It is refused if a hash is not that of the"
        + " recording.", only: .socket),
    CommandSpec(
      .copying, [target],
      options: [
        CommandOption(
          "--state", Parameter("STATE", .choice(CopyCondition.reported.map(\.rawValue))),
          "what it is doing", isNeeded: true),
        CommandOption("--item", Parameter("ID", .name), "what is said is about this recording"),
        CommandOption("--waiting", Parameter("N", .number(0...Int.max)), "how many it lacks"),
        CommandOption("--why", Parameter("TEXT", .text), "why it failed or waits"),
        CommandOption(
          "--edited-twice", Parameter("TEXT", .text),
          "how edits here and there at the same time were settled"),
        CommandOption(
          "--retry-after", Parameter("SECONDS", .number(seconds)), "when it will be tried again"),
      ], .changes, "tell how a target of copies is",
      "For `reel-link` and other programs that copy. What was told is forgotten when the"
        + " connection ends.", only: .socket),
  ]

  private static let key = Parameter("KEY", .name)

  static let manifest = [
    CommandSpec(
      .manifest, .looks, "show where the manifest of the card ends",
      "The manifest lists each recording with the hash of its sound; each line has the hash of the"
        + " line before, and the recorder signs all of them. A copy of the line `head` that"
        + " is kept elsewhere shows later whether the manifest was cut short."),
    CommandSpec(
      .openManifest, .changes, "pass the manifest, to read",
      "For `reel-link` and other programs that copy: the text comes beside the answer, which has"
        + " the signature of exactly that text.", only: .socket),
    CommandSpec(
      .verifyManifest, [Parameter("DIR", .file)],
      options: [
        CommandOption("--key", key, "the recorder's public key, as `about` shows it: RW..."),
        CommandOption("--public", Parameter("FILE", .file), "a file with that key"),
        CommandOption(
          "--head", Parameter("FILE", .file), "a file with a head from earlier, or a .minisig"),
        CommandOption(
          "--manifest", Parameter("FILE", .file), "this manifest, instead of those in DIR"),
        CommandOption("--partial", "recordings that are not there are counted, and are no fault"),
      ], .looks, "check the recordings of a directory against its manifest",
      "reelctl does this by itself, without a recorder: of a card, or of a copy. The files may have"
        + " other names, and be in other folders. It names each recording that is missing, changed,"
        + " exchanged for another, or not in the manifest, and each line that was removed, changed"
        + " or moved. It exits with 1 if anything is not as it should be. Without --key or"
        + " --public the key is read from the directory itself, and may have been replaced together"
        + " with the recordings.", only: .socket),
  ]

  static let appliance = [
    CommandSpec(.lock, .changes, "lock the panel's buttons"),
    CommandSpec(.unlock, .changes, "unlock the panel's buttons"),
    CommandSpec(
      .panel, .looks, "show the panel's lines, buttons and lights",
      "For debugging the wiring: each button with its line, whether it is pressed, how often it"
        + " bounced, and each light. On a terminal `reelctl` keeps the view up to date."),
    CommandSpec(
      .identify, options: [CommandOption("--pull-down", "buttons are wired to the supply")],
      .changes, "find out which line a button is on",
      "Press the button: the line that changes is shown. Only unused lines are watched.",
      only: .socket),
    CommandSpec(
      .handOver, [Parameter("STATE", .choice(["on", "off"]), .optional)], .changes,
      "let a computer use the card, or take it back",
      "While a computer has the card, nothing is recorded or played, and the card may be pulled."
        + " Without a state it shows who has the card."),
    CommandSpec(.config, .looks, "print the configuration in use"),
    CommandSpec(
      .reload, .changes, "read the configuration again",
      "If it has an error nothing changes, and `notices` shows the error."),
    CommandSpec(
      .doctor, .looks, "check what the appliance needs",
      "One line for each check, with advice where something is wrong: the service, the"
        + " configuration, the card and its speed, the sound threads, microphone and level, pins,"
        + " the clock, the supply. It takes about ten seconds; during a recording the card is"
        + " measured less. reelctl exits with 1 if something is wrong. If no recorder answers,"
        + " reelctl checks by itself; as root with the rights of the service."),
    CommandSpec(
      .web,
      [
        Parameter("ACTION", .choice(["on", "off", "pair", "sessions", "revoke"])),
        Parameter("SESSION", .name, .optional),
      ],
      options: [
        CommandOption(
          "--role", Parameter("ROLE", .choice(["look", "listen", "control"])),
          "what the paired browser may do"),
        CommandOption("--admin", Parameter("PATH", .file), "the socket of reel-web"),
      ], .changes, "turn the page for browsers on or off, and pair browsers",
      "The page is served by `reel-web`, and off at first. `pair` prints where it is and a code,"
        + " which one browser types within five minutes; without --role it may do everything that"
        + " the page offers. `sessions` lists the paired browsers with when each was last seen, and"
        + " `revoke` ends the session of one, named as there, or of all. reel-web is asked at"
        + " --admin PATH, or at REEL_WEB_SOCKET, or else at /run/reel-web/admin.sock.",
      only: .socket),
    CommandSpec(
      .pair, .changes, "show a code that pairs a browser with the page",
      "The code is winked by the status light, too, for two minutes: a long light, then as many"
        + " winks for each digit. It is valid for five minutes, for one browser, which may do"
        + " everything that the page offers. `reelctl web pair` does without the recorder, and"
        + " knows roles."),
    CommandSpec(
      .pairing, [Parameter("CODE", .name, .optional)],
      options: [
        CommandOption("--address", Parameter("ADDRESS", .text), "where the page is"),
        CommandOption("--seconds", Parameter("N", .number(1...600)), "how long it is valid"),
        CommandOption(
          "--picture", Parameter("ROWS", .name),
          "the address as a QR code: rows of # and . with / between"),
      ], .changes, "show this code, or none any more",
      "For `reel-web`, which makes the codes when the status has a `codeWish`.", only: .socket),
    CommandSpec(
      .flight,
      options: [
        CommandOption("--file", Parameter("FILE", .file), "read this log, without the appliance"),
        CommandOption("--last", Parameter("N", .number(1...1_000_000)), "only the last N actions"),
      ], .looks, "print the flight log: everything that happened, in order", only: .socket),
    CommandSpec(
      .mode, [Parameter("MODE", .choice(["text", "json"]))], .looks,
      "choose how answers are written on this console", only: .serial),
  ]

  static let about = [
    CommandSpec(
      .help, [Parameter("COMMAND", .command, .optional)],
      options: [CommandOption("--man", "print the manual page")], .looks,
      "list the commands, or explain one"),
    CommandSpec(.version, .looks, "print the version"),
    CommandSpec(
      .about, .looks, "show the version, the licence and the key of this recorder",
      "The public key is the one with which `reelctl manifest verify` and `minisign` check the"
        + " manifest of this recorder. Keep a copy of it away from the recorder."),
    CommandSpec(
      .completion, [Parameter("SHELL", .choice(["bash", "zsh"]))], .looks,
      "print completion for a shell", "For bash: eval \"$(reelctl completion bash)\"",
      only: .socket),
    CommandSpec(
      .complete, [Parameter("WORD", .text, .optional)], .looks,
      "complete the last word", "For programs that complete; the words come after `--`.",
      only: .socket),
  ]
}

// The rest of the command table: files, the appliance itself, and commands about commands. Plain
// values; any thread.

extension CommandTable {
  static let formats = ["wav", "wav24", "wavfloat", "flac", "flac24", "mp3", "opus"]

  /// Returns the file name of a recording that is exported into a directory.
  public static func exportName(of file: String, format: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let stem = name.hasSuffix(".opus") ? String(name.dropLast(5)) : name
    switch format {
    case "wav", "wav24", "wavfloat": return stem + ".wav"
    case "flac", "flac24": return stem + ".flac"
    default: return stem + "." + format
    }
  }

  static let files = [
    CommandSpec(
      .export, [Parameter("ITEM", .item(.recording), .several), Parameter("FILE", .file)],
      options: [
        CommandOption("--format", Parameter("FORMAT", .choice(formats)), "what to write")
      ], .changes, "write recordings as files of another kind",
      "The format follows from the file's ending when it is not said. To a directory, written with"
        + " a / at its end, each recording goes under its own name. reelctl opens the file for the"
        + " appliance, so that it lies wherever you may write, and writes over one with --yes. On"
        + " the serial console the appliance opens it, and reaches only what its service may."),
    CommandSpec(
      .importFile, [Parameter("FILE", .file, .several)],
      options: [
        CommandOption("--in", Parameter("FOLDER", .item(.folder)), "put them into this folder")
      ], .changes, "take in sound files as recordings",
      "WAV, FLAC, Ogg, Opus, MP3, AIFF. reelctl opens the files for the appliance; on the serial"
        + " console the appliance opens them, and reaches only what its service may."),
    CommandSpec(
      .waveform, [Parameter("ITEM", .item(.recording))],
      options: [
        CommandOption("--points", Parameter("N", .number(1...10_000)), "how finely"),
        CommandOption("--svg", Parameter("FILE", .file), "draw it into an SVG file"),
      ], .looks, "draw a recording"),
    CommandSpec(
      .verify, [Parameter("ITEM", .item(.any), .optional)], .changes,
      "check files against what is known of them", "Without an item, the whole card."),
    CommandSpec(
      .cancel, [Parameter("TICKET", .number(1...Int.max))], .changes, "stop long work",
      "Long work tells its ticket as it goes on."),
  ]

  static let appliance = [
    CommandSpec(.lock, .changes, "lock the panel's buttons"),
    CommandSpec(.unlock, .changes, "unlock the panel's buttons"),
    CommandSpec(
      .panel, .looks, "show what the panel's lines, buttons and lights are doing",
      "How wiring is debugged: each button with its line, whether it is down, how often it"
        + " chattered, and each light. With `reelctl` on a terminal it goes on showing."),
    CommandSpec(
      .identify, options: [CommandOption("--pull-down", "buttons are wired to the supply")],
      .changes, "tell which line a button is on",
      "Press the button: the line that moves is named. Listens to lines that nothing else uses.",
      only: .socket),
    CommandSpec(
      .handOver, [Parameter("STATE", .choice(["on", "off"]), .optional)], .changes,
      "hand the card out to a computer, and take it back",
      "While it is handed out nothing is recorded or played, and it may be pulled. Without a word"
        + " it says how things are."),
    CommandSpec(.config, .looks, "print the configuration that is in force"),
    CommandSpec(
      .reload, .changes, "read the configuration again",
      "A mistake in it changes nothing, and `notices` says what it is."),
    CommandSpec(
      .doctor, .looks, "check what the appliance needs",
      "One line for each thing, and what to do where something is wrong: the service, the"
        + " configuration, the card and how fast it is, the sound threads, microphone and level,"
        + " pins, the clock, the supply. It takes about ten seconds; while a recording runs the"
        + " card is measured less. reelctl ends with 1 if something is wrong, and looks by itself"
        + " where no recorder answers; as root with the rights of the service."),
    CommandSpec(
      .flight,
      options: [
        CommandOption("--file", Parameter("FILE", .file), "read this log, without the appliance"),
        CommandOption("--last", Parameter("N", .number(1...1_000_000)), "only the last N actions"),
      ], .looks, "print the flight log: everything that happened, in order", only: .socket),
    CommandSpec(
      .mode, [Parameter("MODE", .choice(["text", "json"]))], .looks,
      "say how answers are written on this console", only: .serial),
  ]

  static let about = [
    CommandSpec(
      .help, [Parameter("COMMAND", .command, .optional)],
      options: [CommandOption("--man", "print the manual page")], .looks,
      "say which commands there are, or what one does"),
    CommandSpec(.version, .looks, "print the version"),
    CommandSpec(
      .completion, [Parameter("SHELL", .choice(["bash", "zsh"]))], .looks,
      "print completion for a shell", "For bash: eval \"$(reelctl completion bash)\"",
      only: .socket),
    CommandSpec(
      .complete, [Parameter("WORD", .text, .optional)], .looks,
      "say how the last word may go on", "For programs that complete; the words come after `--`.",
      only: .socket),
  ]
}

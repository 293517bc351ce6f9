// The command table: the one list of all commands, their parameters and what they do. Help, the
// manual page, completion and parsing are made from it. Plain values; any thread.

/// Every command with its parameters and its help.
public enum CommandTable {
  public static let commands: [CommandSpec] = sections.flatMap(\.commands)

  public static func spec(of verb: Verb) -> CommandSpec? { byVerb[verb] }

  private static let byVerb = Dictionary(
    commands.map { ($0.verb, $0) }, uniquingKeysWith: { first, _ in first })

  /// The sections of the manual, in its order.
  public static let sections: [(title: String, commands: [CommandSpec])] = [
    ("What is going on", looking), ("Recording", recording), ("Playing", playing),
    ("Folders", places), ("Folders and recordings", items), ("Files and long work", files),
    ("Copies elsewhere", copies), ("The manifest", manifest),
    ("The appliance", appliance), ("About", about),
  ]

  private static let item = Parameter("ITEM", .item(.any))
  private static let oneRecording = Parameter("ITEM", .item(.recording))
  private static let markNumber = Parameter("N", .number(1...1_000_000))
  private static let several = Parameter("ITEM", .item(.any), .several)

  private static let looking = [
    CommandSpec(
      .status, .looks, "show what the appliance is doing",
      "One line first; then the take, the player, the card, the microphone and the notices."),
    CommandSpec(
      .watch,
      options: [
        CommandOption("--screen", "the panel's screen, in the size of this terminal"),
        CommandOption(
          "--console", Parameter("ID", .number(1...1_000_000)), "that console's screen"),
      ], .looks, "show what happens, as it happens",
      "Redraws in place with a level meter; ends with Ctrl-C. Where the output is no terminal it"
        + " prints a line for each change. With --screen it shows a screen and changes nothing: q"
        + " ends it, and where the output is no terminal the screen is printed once. --console 1 is"
        + " the dashboard of the terminal that reeld runs in, --console 2 the serial console.",
      only: .socket),
    CommandSpec(
      .notices, options: [CommandOption("--all", "also those that were seen")], .looks,
      "list what happened meanwhile",
      "`acknowledge` marks them as seen and turns the light off."),
    CommandSpec(.acknowledge, .changes, "mark all notices as seen"),
  ]

  private static let recording = [
    CommandSpec(
      .record, [Parameter("TITLE", .text, .optional)],
      options: [
        CommandOption("--in", Parameter("FOLDER", .item(.folder)), "record into this folder"),
        CommandOption(
          "--ask-name", Parameter("STATE", .choice(["on", "off"])),
          "whether screens ask for a name when it ends"),
      ], .changes, "begin a recording",
      "It begins a moment before the command, as far as the pre-roll reaches. Without a title it is"
        + " named after the time, and screens ask for a name when it ends, unless `askForName` in"
        + " reel.json is false."),
    CommandSpec(
      .stop, .changes, "end the recording",
      "Waits until the last page is on the card and the recording can be played."),
    CommandSpec(
      .mark, [Parameter("NAME", .text, .optional)], .changes,
      "mark this moment of the recording, or of what is playing"),
    CommandSpec(
      .markAdd, [oneRecording, Parameter("TIME", .position), Parameter("NAME", .text, .optional)],
      options: [
        CommandOption("--frame", Parameter("N", .number(0...Int.max)), "at this frame, exactly")
      ], .changes, "add a mark at a position", "1:02:03 or 90 (seconds)."),
    CommandSpec(
      .markRename, [oneRecording, markNumber, Parameter("NAME", .text, .optional)], .changes,
      "name a mark", "`info` numbers the marks. Without a name the mark loses its own."),
    CommandSpec(
      .markMove, [oneRecording, markNumber, Parameter("TIME", .position)], .changes,
      "move a mark to another position",
      "1:02:03 or 90 (seconds); +10 and -10 move it by seconds."),
    CommandSpec(.markRemove, [oneRecording, markNumber], .changes, "remove a mark"),
    CommandSpec(
      .split, .changes, "continue in a new recording",
      "No frame between the two is lost or repeated."),
  ]

  private static let playing = [
    CommandSpec(
      .play, [Parameter("ITEM", .item(.recording), .optional)],
      options: [CommandOption("--from", Parameter("TIME", .position), "begin there")], .changes,
      "play a recording",
      "Without an item: the selected one, else the oldest unheard one here and those after it, else"
        + " the newest."),
    CommandSpec(.pause, .changes, "pause the player"),
    CommandSpec(.resume, .changes, "continue after a pause"),
    CommandSpec(
      .seek, [Parameter("TIME", .position)], .changes, "go to another position",
      "1:02:03 or 90 (seconds) is a position; +10 and -10 skip seconds forward and back."),
    CommandSpec(.next, .changes, "play the next recording of the folder"),
    CommandSpec(.previous, .changes, "play from the beginning, or the previous recording"),
    CommandSpec(.markNext, .changes, "go to the next mark of what is playing"),
    CommandSpec(
      .markPrevious, .changes, "go to the mark before, or to the beginning",
      "Up to a second after a mark, the one before it is meant."),
    CommandSpec(
      .volume, [Parameter("PERCENT", .volume, .optional)], .changes, "set the volume",
      "80 sets it; +5 and -5 make it louder and softer. Without a number it is shown."),
  ]

  private static let places = [
    CommandSpec(
      .list, [Parameter("FOLDER", .item(.any), .optional)],
      options: [
        CommandOption("--by-name", "sort by title"),
        CommandOption("--by-date", "sort by date"),
        CommandOption("--by-length", "sort by length, the shortest first"),
        CommandOption("--unheard", "only unheard recordings"),
        CommandOption("--from", Parameter("N", .number(0...1_000_000)), "skip the first N"),
        CommandOption("--count", Parameter("N", .number(1...500)), "show at most N"),
      ], .looks, "list a folder"),
    CommandSpec(
      .enter, [Parameter("FOLDER", .item(.folder), .optional)],
      options: [CommandOption("--panel", "also move the panel there")], .looks, "go to a folder",
      "Without one, to the root. The buttons of the panel record and play in the panel's folder;"
        + " `reelctl` always moves the panel, because its own place ends with the command."),
    CommandSpec(.place, .looks, "show which folder this is"),
    CommandSpec(.makeFolder, [Parameter("FOLDER", .newFolder)], .changes, "make a folder"),
    CommandSpec(
      .sort,
      [
        Parameter("ORDER", .choice(["name", "date", "length", "hand"])),
        Parameter("FOLDER", .item(.folder), .optional),
      ], .changes, "sort a folder", "By hand is the order that `mv --at` makes."),
  ]

  private static let items = [
    CommandSpec(
      .info, [item], .looks, "show everything about a folder or a recording",
      "For a recording also its notes, place and speaker, its gaps, clipping and loudness, and how"
        + " it ended."),
    CommandSpec(
      .detail, [oneRecording], .looks, "show one recording on the screen, to change it",
      "Its title, place, speaker and notes, its waveform, its marks, and where it plays from:"
        + " arrows choose a line and the position, Enter changes the line, Escape closes it. A"
        + " console without a screen prints what `info` prints.",
      only: .serial),
    CommandSpec(
      .move, [several, Parameter("FOLDER", .item(.folder))],
      options: [
        CommandOption("--at", Parameter("N", .number(1...1_000_000)), "to this position")
      ], .changes, "move items into another folder"),
    CommandSpec(
      .rename, [item, Parameter("NAME", .text)], .changes, "rename a folder or a recording",
      "The file on the card is renamed with it."),
    CommandSpec(
      .note, [oneRecording, Parameter("TEXT", .text)], .changes, "write notes about a recording",
      "They replace those it had, and may have several lines, up to 4,000 bytes. An empty text,"
        + " \"\", removes them."),
    CommandSpec(
      .recordedPlace, [oneRecording, Parameter("NAME", .text)], .changes,
      "say where a recording was made", "At most 200 bytes; an empty name removes it."),
    CommandSpec(
      .speaker, [oneRecording, Parameter("NAME", .text)], .changes, "say who speaks in a recording",
      "At most 200 bytes; an empty name removes it."),
    CommandSpec(
      .remove, [several], .destroys, "move items to the trash", "`restore` moves them back."),
    CommandSpec(
      .restore, [Parameter("ITEM", .item(.trashed), .several)], .changes,
      "move items back from the trash"),
    CommandSpec(.trashList, .looks, "list the trash"),
    CommandSpec(
      .trashEmpty,
      [Parameter("ITEM", .item(.trashed), .optional)],
      options: [
        CommandOption(
          "--older-than", Parameter("DAYS", .number(0...36_500)), "only if deleted so long ago")
      ], .destroys, "delete everything in the trash for good",
      "With an item, only that. It cannot be undone."),
    CommandSpec(
      .search, [Parameter("TEXT", .text)], .looks, "find folders and recordings by name"),
    CommandSpec(
      .heard, [several], options: [CommandOption("--not", "mark as not heard")], .changes,
      "mark recordings as heard"),
    CommandSpec(
      .undo, options: [CommandOption("--list", "list what can be undone, the newest first")],
      .changes, "undo the newest change",
      "The last ten changes can be undone: moved, renamed, deleted, restored, sorted, marks, and"
        + " texts about recordings. A restart forgets them."),
  ]
}

// The command table: the one list of all commands, their parameters and what they do. Help, the
// manual page, completion and parsing are made from it. Plain values; any thread.

public enum CommandTable {
  public static let commands: [CommandSpec] = sections.flatMap(\.commands)

  public static func spec(of verb: Verb) -> CommandSpec? { byVerb[verb] }

  private static let byVerb = Dictionary(
    commands.map { ($0.verb, $0) }, uniquingKeysWith: { first, _ in first })

  /// The sections of the manual, in its order.
  public static let sections: [(title: String, commands: [CommandSpec])] = [
    ("What is going on", looking), ("Recording", recording), ("Playing", playing),
    ("Folders", places), ("Folders and recordings", items), ("Files and long work", files),
    ("The appliance", appliance), ("About", about),
  ]

  private static let item = Parameter("ITEM", .item(.any))
  private static let several = Parameter("ITEM", .item(.any), .several)

  private static let looking = [
    CommandSpec(
      .status, .looks, "say what the appliance is doing",
      "One line first; then the take, the player, the card, the microphone and the notices."),
    CommandSpec(
      .watch, .looks, "show what is going on, as it goes on",
      "Redraws in place with a level meter; ends with Ctrl-C. Where the output is no terminal it"
        + " prints a line for each change.",
      only: .socket),
    CommandSpec(
      .notices, options: [CommandOption("--all", "those that were seen as well")], .looks,
      "list what happened while nobody was looking",
      "`acknowledge` marks them as seen and puts the light out."),
    CommandSpec(.acknowledge, .changes, "mark all notices as seen"),
  ]

  private static let recording = [
    CommandSpec(
      .record, [Parameter("TITLE", .text, .optional)],
      options: [
        CommandOption("--in", Parameter("FOLDER", .item(.folder)), "record into this folder")
      ], .changes, "begin a recording",
      "It begins a moment before the command, as far as the pre-roll reaches. Without a title it is"
        + " named after the time."),
    CommandSpec(
      .stop, .changes, "end the recording",
      "Comes back when the last page is on the card and the recording can be played."),
    CommandSpec(
      .mark, [Parameter("NAME", .text, .optional)], .changes,
      "mark this moment of the recording, or of what is playing"),
    CommandSpec(
      .split, .changes, "go on in a new recording", "Not a frame is lost or twice in between."),
  ]

  private static let playing = [
    CommandSpec(
      .play, [Parameter("ITEM", .item(.recording), .optional)],
      options: [CommandOption("--from", Parameter("TIME", .position), "begin there")], .changes,
      "play a recording",
      "Without an item: the one that is selected, else the oldest that nobody has heard here, else"
        + " the newest."),
    CommandSpec(.pause, .changes, "halt what is playing"),
    CommandSpec(.resume, .changes, "play on"),
    CommandSpec(
      .seek, [Parameter("TIME", .position)], .changes, "go to another place in what is playing",
      "1:02:03 or 90 (seconds) is a place; +10 and -10 are so many seconds on or back."),
    CommandSpec(.next, .changes, "play the next recording of the folder"),
    CommandSpec(.previous, .changes, "play from the beginning, or the recording before"),
    CommandSpec(
      .volume, [Parameter("PERCENT", .volume, .optional)], .changes, "set how loud it plays",
      "80 is a volume; +5 and -5 make it louder and softer. Without one it says what it is."),
  ]

  private static let places = [
    CommandSpec(
      .list, [Parameter("FOLDER", .item(.any), .optional)],
      options: [
        CommandOption("--by-name", "in the order of the titles"),
        CommandOption("--by-date", "in the order they were recorded"),
        CommandOption("--by-length", "the shortest first"),
        CommandOption("--unheard", "only what nobody has heard"),
        CommandOption("--from", Parameter("N", .number(0...1_000_000)), "leave out the first N"),
        CommandOption("--count", Parameter("N", .number(1...500)), "at most so many"),
      ], .looks, "list a folder"),
    CommandSpec(
      .enter, [Parameter("FOLDER", .item(.folder), .optional)],
      options: [CommandOption("--panel", "take the panel there")], .looks, "go to a folder",
      "Without one, to the root. The buttons of the panel record and play in the folder where the"
        + " panel is; `reelctl` always takes the panel there, since its own place ends with it."),
    CommandSpec(.place, .looks, "say which folder this is"),
    CommandSpec(.makeFolder, [Parameter("FOLDER", .newFolder)], .changes, "make a folder"),
    CommandSpec(
      .sort,
      [
        Parameter("ORDER", .choice(["name", "date", "length", "hand"])),
        Parameter("FOLDER", .item(.folder), .optional),
      ], .changes, "put a folder in another order",
      "By hand is the order in which `mv --at` puts things."),
  ]

  private static let items = [
    CommandSpec(
      .info, [item], .looks, "tell all about a folder or a recording",
      "For a recording also what the recorder vouches for: gaps, clipping, loudness, how it ended."
    ),
    CommandSpec(
      .move, [several, Parameter("FOLDER", .item(.folder))],
      options: [
        CommandOption("--at", Parameter("N", .number(1...1_000_000)), "to this place in its order")
      ], .changes, "put things into another folder"),
    CommandSpec(
      .rename, [item, Parameter("NAME", .text)], .changes, "give another name",
      "The file on the card is renamed with it."),
    CommandSpec(
      .remove, [several], .destroys, "throw into the trash", "`restore` fetches it back."),
    CommandSpec(
      .restore, [Parameter("ITEM", .item(.trashed), .several)], .changes,
      "fetch back from the trash"),
    CommandSpec(.trashList, .looks, "list the trash"),
    CommandSpec(
      .trashEmpty,
      [Parameter("ITEM", .item(.trashed), .optional)],
      options: [
        CommandOption(
          "--older-than", Parameter("DAYS", .number(0...36_500)), "only what lies there so long")
      ], .destroys, "delete what is in the trash for good",
      "With an item, only that. Nothing fetches it back."),
    CommandSpec(
      .search, [Parameter("TEXT", .text)], .looks, "find folders and recordings by their names"),
    CommandSpec(
      .heard, [several], options: [CommandOption("--not", "mark as not heard")], .changes,
      "mark recordings as heard"),
  ]
}

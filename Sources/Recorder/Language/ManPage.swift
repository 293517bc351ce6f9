// The manual page reelctl(1), made from the command table, so that it cannot differ from help and
// parser. Pure: the same text every time.

/// The manual page of `reelctl`.
public enum ManPage {
  /// Returns the page in the markup of man(7).
  public static func text(version: String) -> String {
    var page = """
      .\\" Made by `reelctl help --man`; change the table of commands instead.
      .TH REELCTL 1 "" "reel \(version)" "Reel"
      .SH NAME
      reelctl \\- talk to the recorder
      .SH SYNOPSIS
      .B reelctl
      .RI [ OPTION ...]
      .I COMMAND
      .RI [ ARGUMENT ...]
      .SH DESCRIPTION
      .B reelctl
      asks the running
      .BR reeld (8)
      through its socket, prints what it answers, and ends.
      .PP
      \(Text.roff(HelpText.wrapped(HelpText.naming, columns: 78)))

      """
    for section in CommandTable.sections {
      page += ".SH \"\(section.title.uppercased())\"\n"
      for spec in section.commands where spec.wires.contains(.socket) { page += entry(spec) }
    }
    return page + options + exitCodes + environment + seeAlso
  }

  private static func entry(_ spec: CommandSpec) -> String {
    var text = ".TP\n.B \(Text.roff(spec.usage))\n\(Text.roff(HelpText.sentence(spec.summary)))\n"
    if !spec.details.isEmpty { text += Text.roff(spec.details) + "\n" }
    for option in spec.ownOptions {
      let value = option.value.map { " \($0.name)" } ?? ""
      text += ".RS\n.TP\n.B \(Text.roff(option.name + value))\n\(Text.roff(option.help))\n.RE\n"
    }
    return text
  }

  private static let options = """
    .SH OPTIONS
    .TP
    .B \\-\\-socket PATH
    ask the appliance that listens there
    .TP
    .B \\-\\-json
    print JSON, as reel\\-protocol(7) describes it
    .TP
    .B \\-\\-yes
    do what takes something away without being asked
    .TP
    .B \\-\\-help
    print help, also for each command

    """

  private static let exitCodes = """
    .SH "EXIT STATUS"
    0 done; 1 looked and found something wrong; 64 the command cannot be understood; 65 what was
    read makes no sense; 66 there is no such folder, recording or file; 69 no appliance answers;
    73 a file cannot be made; 74 the card failed; 75 not possible now, perhaps later;
    77 not permitted; 78 the configuration has a mistake; 130 ended with Ctrl\\-C.

    """

  private static let environment = """
    .SH ENVIRONMENT
    .TP
    .B REEL_SOCKET
    where the appliance listens, when
    .B \\-\\-socket
    does not say it; else /run/reel/control.sock
    .TP
    .B NO_COLOR
    set to anything: print without colours
    .TP
    .BR LC_ALL ", " LC_MESSAGES ", " LANG
    the language of the text, from the first that is set: English, German (de) or Chinese (zh);
    JSON and exit codes are the same in each

    """

  private static let seeAlso = """
    .SH "SEE ALSO"
    .BR reeld (8)

    """
}

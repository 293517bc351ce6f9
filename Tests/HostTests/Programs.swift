// Programs that tests write and then run. What runs them, a hook or a question to systemd, is run
// by several tests at once, each on a thread of its own.

import Testing

@testable import Host

/// Writes a program, by another process: if this one wrote it, a process that another test spawns
/// at that moment would hold the file open, and running it would fail with ETXTBSY.
func writeProgram(_ text: String, to path: String) {
  let command = "printf '%s' \"$1\" >\"$0\" && chmod 755 \"$0\""
  #expect(ShortProgram.output(of: ["/bin/sh", "-c", command, path, text]) == "")
}

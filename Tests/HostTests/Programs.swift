// Programs that tests write and then run.

import Testing

@testable import Host

/// Writes a program, by another process: if this one wrote it, a process that another test spawns
/// at that moment would hold the file open, and running it would fail with ETXTBSY.
func writeProgram(_ text: String, to path: String) {
  let command = "printf '%s' \"$1\" >\"$0\" && chmod 755 \"$0\""
  #expect(ShortProgram.output(of: ["/bin/sh", "-c", command, path, text]) == "")
}

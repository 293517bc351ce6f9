// What a row of the flight log holds of copies elsewhere: as much as a replay needs to be exact.
// Pure; writing allocates nothing.

import Loop

extension RowWriter {
  mutating func write(_ copies: [RecordingCopy]) {
    if copies.isEmpty { return }
    unsigned(UInt64(copies.count))
    for copy in copies {
      text(copy.target)
      text(copy.file)
      text(copy.remote, like: copy.file)
      integer(copy.verifiedAt.milliseconds)
      text(copy.texts ?? "")
    }
  }
}

extension RowReader {
  mutating func copies() throws(RowError) -> [RecordingCopy] {
    var copies: [RecordingCopy] = []
    for _ in 0..<(try count()) {
      let target = try text()
      let file = try text()
      let remote = try text(like: file)
      let verifiedAt = WallTime(milliseconds: try integer())
      let texts = try text()
      copies.append(
        RecordingCopy(
          target: target, remote: remote, file: file, verifiedAt: verifiedAt,
          texts: texts.isEmpty ? nil : texts))
    }
    return copies
  }
}

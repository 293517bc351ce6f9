// Encodes and decodes what an entry says of copies elsewhere. Pure functions.

import JSON
import Recorder

extension JSONWriter {
  /// The name at the target is left out if it is that on the card and no texts follow.
  mutating func copies(_ copies: [RecordingCopy]) {
    key("copies")
    array { list in
      for copy in copies {
        list.array {
          $0.string(copy.target)
          $0.number(copy.verifiedAt.milliseconds)
          $0.string(copy.file)
          if copy.remote != copy.file || copy.texts != nil { $0.string(copy.remote) }
          if let texts = copy.texts { $0.string(texts) }
        }
      }
    }
  }
}

extension JSONReader {
  /// Drops a copy that no target can have: it is copied again.
  mutating func copies() -> [RecordingCopy] {
    var copies: [RecordingCopy] = []
    array { list in
      var (target, verifiedAt, names) = ("", WallTime(milliseconds: 0), [String]())
      var texts: String?
      var index = 0
      list.array { json in
        switch index {
        case 0: target = json.string()
        case 1: verifiedAt = WallTime(milliseconds: json.integer())
        case 2, 3: names.append(json.string())
        case 4: texts = json.string()
        default: json.skip()
        }
        index += 1
      }
      let copy = RecordingCopy(
        target: target, remote: names.last ?? "", file: names.first ?? "", verifiedAt: verifiedAt,
        texts: texts)
      let isNew = !copies.contains { $0.target == target }
      if copy.isBelievable, isNew, copies.count < RecordingCopy.most { copies.append(copy) }
    }
    return copies
  }
}

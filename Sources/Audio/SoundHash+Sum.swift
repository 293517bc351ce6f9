// The sum that the writer of a file has computed, as the heart keeps it. A pure function.

import Recorder
import Tape

extension SoundHash {
  /// Nil if the sound begins later than the header of any recording ends.
  init?(_ sum: SoundSum) {
    guard let from = UInt32(exactly: sum.soundFrom) else { return nil }
    let sha256 = sum.sha256
    self.init(sha256.first, sha256.second, sha256.third, sha256.fourth, soundFrom: from)
  }
}

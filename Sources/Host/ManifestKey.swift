// The secret key that signs manifests: 32 random bytes in a file of the recorder's state, which
// only its user may read. Made at the first start. It must never reach the card, nor a log. Read
// and made by the loop's thread, before the loop runs.

import Digest
import Glibc
import Realtime

/// The key of this recorder.
public enum ManifestKey {
  /// Returns the key in the file, or a new one that was written to it; nil if the file cannot be
  /// written. `report` is called with a sentence about what went wrong.
  public static func load(from path: String, report: (String) -> Void) -> SigningKey? {
    do throws(SmallFile.ReadError) {
      let bytes = try SmallFile.bytes(
        of: path, atMost: SigningKey.seedBytes + 1, followsLink: false)
      if let key = SigningKey(seed: bytes) { return key }
    } catch {
      // One that cannot be read may be whole: it stays where it is.
      if error != .missing, error != .notAFile {
        report("the key \(path) cannot be read: \(error.words); the manifest is not continued")
        return nil
      }
      if error == .missing { return make(path, report) }
    }
    let aside = path + ".damaged"
    if rename(path, aside) != 0 {
      report("the key \(path) is damaged, and cannot be set aside: \(systemWords(for: errno))")
      return nil
    }
    report("the key \(path) was damaged; it was set aside as \(aside), and a new one was made")
    return make(path, report)
  }

  private static func make(_ path: String, _ report: (String) -> Void) -> SigningKey? {
    var seed = [UInt8](repeating: 0, count: SigningKey.seedBytes)
    guard getentropy(&seed, seed.count) == 0 else {
      report("there are no random bytes for a key: \(systemWords(for: errno))")
      return nil
    }
    if let errno = SmallFile.replace(path, with: seed, mode: 0o600) {
      report("the key \(path) cannot be written: \(systemWords(for: errno))")
      return nil
    }
    return SigningKey(seed: seed)
  }
}

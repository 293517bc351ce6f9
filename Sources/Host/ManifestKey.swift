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

  /// Written beside and renamed, so that a power cut leaves no half of a key.
  private static func make(_ path: String, _ report: (String) -> Void) -> SigningKey? {
    var seed = [UInt8](repeating: 0, count: SigningKey.seedBytes)
    guard getentropy(&seed, seed.count) == 0 else {
      report("there are no random bytes for a key: \(systemWords(for: errno))")
      return nil
    }
    if let errno = write(seed, to: path) {
      report("the key \(path) cannot be written: \(systemWords(for: errno))")
      return nil
    }
    return SigningKey(seed: seed)
  }

  /// Returns the errno if that fails.
  private static func write(_ seed: [UInt8], to path: String) -> Int32? {
    let beside = path + ".new"
    unlink(beside)
    let file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file < 0 { return errno }
    defer { close(file) }
    guard Glibc.write(file, seed, seed.count) == seed.count, fsync(file) == 0,
      rename(beside, path) == 0
    else {
      let number = errno
      unlink(beside)
      return number
    }
    // On FAT the length is in the directory entry, which would be written many seconds later.
    fsync(file)
    let parent = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    let directory = open(parent.isEmpty ? "/" : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    fsync(directory)
    close(directory)
    return nil
  }
}

// A small file that is there while a take runs. A daemon that finds it at its start died in a take,
// and records on; but only within the same boot, and only if a service manager started it: somebody
// who starts it by hand presses the button himself. Used by the loop's thread.

import Glibc
import Realtime
import Recorder
import Tape

final class TakeMark {
  private let path: String
  private let boot: String

  init(path: String) {
    self.path = path
    boot = "\(Stamps.boot)"
  }

  /// To be asked once, before anything is recorded.
  var wasInterrupted: Bool {
    guard getenv("NOTIFY_SOCKET") != nil else { return false }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = max(0, read(file, &bytes, bytes.count))
    return String(decoding: bytes[..<count], as: UTF8.self) == boot
  }

  func set(_ isRecording: Bool) {
    guard isRecording else {
      unlink(path)
      return
    }
    let file = SpareDescriptors.ofThisProcess.opening {
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    }
    guard file >= 0 else {
      return complain(
        "cannot write \(path): \(systemWords(for: errno)); a crash would end the recording")
    }
    let text = Array(boot.utf8)
    _ = text.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
  }
}

// The manifest beside the copies: when all is copied and it has grown, its text, its signature and
// its key are written to the target, so that what was removed there or on the card shows. If that
// fails, it is tried again with the next recording, or after the next start. One thread, the
// loop's.

import Digest
import Link
import Recorder

/// Keeps one target's copy of the recorder's manifest.
final class ManifestCopy {
  private let configuration: TargetConfiguration
  private let target: any Target
  private let driver: LinkDriver
  private let source: ManifestSource
  /// Called when the target has all of the manifest, with the hash of the last line.
  var onCurrent: (String) -> Void = { _ in }
  private var job: LinkJob?
  /// The hash of the last line that the target has.
  private var sent: String?

  init(
    _ configuration: TargetConfiguration, _ target: any Target, _ driver: LinkDriver,
    _ source: ManifestSource
  ) {
    (self.configuration, self.target, self.driver) = (configuration, target, driver)
    self.source = source
  }

  /// Nothing else is to be copied now.
  func refresh() {
    if job != nil || source.isAsking { return }
    source.lookUp { [weak self] lines, hash in
      guard let self, lines > 0 else { return }
      if hash == sent { onCurrent(hash) } else { source.open { [weak self] in self?.write($0) } }
    }
  }

  func stop() {
    job?.stop()
    job = nil
    source.stop()
  }

  private func write(_ opened: ManifestSource.Opened) {
    let facts = opened.facts
    guard let keyID = facts.keyID, let signature = facts.signature, let key = facts.publicKey,
      PublicKey(key) != nil
    else { return }
    let beside = "untrusted comment: key \(keyID) of a recorder\n\(key)\n"
    let parts: [(String, Part)] = [
      (".pub", .text(beside)), (".txt", .file(opened.file, opened.sizeBytes)),
      (".txt.minisig", .text(signature)),
    ]
    write(parts[...], keyID, opened.hash)
  }

  private enum Part {
    case text(String)
    case file(OpenedFile, Int64)
  }

  /// The signature comes last: it is of all before it.
  private func write(_ parts: ArraySlice<(String, Part)>, _ keyID: String, _ hash: String) {
    guard let (ending, part) = parts.first else {
      (job, sent) = (nil, hash)
      return onCurrent(hash)
    }
    do throws(LinkError) {
      let name = try configuration.remoteName([".manifest", keyID + ending])
      let request: CopyRequest
      switch part {
      case .file(let file, let length):
        request = CopyRequest(
          file: file, length: length, soundFrom: 0, soundHash: nil, name: name)
      case .text(let text):
        let bytes = Array(text.utf8)
        request = CopyRequest(
          file: try OpenedFile(unnamedWith: bytes), length: Int64(bytes.count), soundFrom: 0,
          soundHash: nil, name: name)
      }
      job = try driver.overwrite(request, at: target) { [weak self] error in
        if error == nil {
          self?.write(parts.dropFirst(), keyID, hash)
        } else {
          self?.job = nil
        }
      }
    } catch { job = nil }
  }
}

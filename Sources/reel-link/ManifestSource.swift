// The recorder's manifest, for what keeps a target like it: one question at a time. An answer
// without what was asked for is none; it is asked again with the next change. One thread, the
// loop's.

import Link
import Recorder

/// Asks the recorder about its manifest.
final class ManifestSource {
  private let ask: ([String], @escaping (RecorderLine.Reply) -> Void) -> Void
  private(set) var isAsking = false

  /// The manifest as a file, that ends with the line of that hash.
  struct Opened {
    let facts: ManifestFacts
    let file: OpenedFile
    let sizeBytes: Int64
    let hash: String
  }

  init(ask: @escaping ([String], @escaping (RecorderLine.Reply) -> Void) -> Void) {
    self.ask = ask
  }

  /// Calls back with the number of lines and the last one's hash.
  func lookUp(_ done: @escaping (_ lines: Int, _ hash: String) -> Void) {
    put(["manifest"]) { facts, _ in
      if let lines = facts.lines, let hash = facts.hash { done(lines, hash) }
    }
  }

  func open(_ done: @escaping (Opened) -> Void) {
    put(["manifest", "open"]) { facts, file in
      if let file, let text = facts.file, let hash = facts.hash {
        done(Opened(facts: facts, file: file, sizeBytes: text.sizeBytes, hash: hash))
      }
    }
  }

  /// No answer comes any more.
  func stop() { isAsking = false }

  private func put(
    _ words: [String], _ done: @escaping (ManifestFacts, OpenedFile?) -> Void
  ) {
    isAsking = true
    ask(words) { [weak self] reply in
      guard let self else { return }
      isAsking = false
      if case .manifest(let facts) = reply.answer { done(facts, reply.file) }
    }
  }
}

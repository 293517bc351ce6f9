// What `manifest verify` found, as text for people and as JSON for programs. Sentences are English
// here, and translated where they are shown. Main thread.

import Catalogue
import Console
import Digest
import JSON
import Recorder

struct ManifestReport: Encodable {
  struct Fault: Encodable {
    let sentence: String
    /// Below the directory.
    let file: String?
  }

  struct Manifest: Encodable {
    let keyID: String
    let publicKey: String
    let lines: Int
    let hash: String
    /// Whether the key was named by the caller, and not read beside the manifest.
    let isKeyGiven: Bool
  }

  private(set) var isWell = true
  var manifests: [Manifest] = []
  /// The keys of manifests that were not asked for.
  var ignored: [String] = []
  /// The files of sound that were read.
  var checked = 0
  /// The recordings that are kept, and those of them that are not there.
  var kept = 0
  var missing = 0
  private(set) var faultCount = 0
  /// The first of them.
  private(set) var faults: [Fault] = []

  private static let mostFaults = 1_000

  mutating func add(_ sentence: String, file: String? = nil) {
    isWell = false
    faultCount += 1
    if faults.count < Self.mostFaults { faults.append(Fault(sentence: sentence, file: file)) }
  }

  mutating func add(_ finding: ManifestLedger.Finding) {
    switch finding {
    case .missing(let id, let number):
      add(number > 0 ? "Recording \(number) is missing." : "Recording \(id) is missing.")
    case .changed(let path, let number):
      add("The sound of recording \(number) has changed: \(path)", file: path)
    case .unknown(let path): add("This is not in the manifest: \(path)", file: path)
    case .exchanged(let path, let says, let has):
      add("This says it is recording \(says), and has the sound of \(has): \(path)", file: path)
    case .misnamed(let path, let says, let has):
      add("This is named as recording \(says), and is recording \(has): \(path)", file: path)
    }
  }

  mutating func add(_ fault: ManifestReader.Fault) {
    switch fault {
    case .unreadable(let line): add("What follows line \(line) of the manifest is no line.")
    case .missing(let lines) where lines.count == 1:
      add("Line \(lines.lowerBound) of the manifest is missing.")
    case .missing(let lines):
      add("Lines \(lines.lowerBound) to \(lines.upperBound) of the manifest are missing.")
    case .misplaced(let line): add("Line \(line) of the manifest is not in its place.")
    case .altered(let line), .forged(let line): add("Line \(line) of the manifest was changed.")
    case .torn: add("The manifest does not end with a whole line.")
    }
  }

  func show(isJSON: Bool) throws(ExitError) {
    if isJSON {
      do { Output.show(json: try JSON.encode(self)) } catch {
        throw ExitError(ExitCode.badData, "the answer cannot be written as JSON: \(error)")
      }
      return
    }
    for line in lines { Output.show(line) }
  }

  private var lines: [[ScreenView.Span]] {
    let say = Output.language.say
    let found: Phrase = "\(kept - missing) of \(kept) recordings of the manifest are here"
    let sum: Phrase = isWell ? "All is well: \(found)." : "\(found); faults: \(faultCount)"
    var lines = [[ScreenView.Span(say(sum), isWell ? .playing : .fault)]]
    for fault in faults {
      lines.append([
        ScreenView.Span(Text.printable(Output.language.translate(fault.sentence)), .fault)
      ])
    }
    for manifest in manifests where !manifest.isKeyGiven {
      let key = manifest.publicKey
      let words: Phrase = "The key was read here; compare it with that of `reelctl about`: \(key)"
      lines.append([ScreenView.Span(say(words), .warning)])
    }
    for key in ignored {
      lines.append([ScreenView.Span(say("The manifest of another key was not used: \(key)"), .dim)])
    }
    return lines
  }
}

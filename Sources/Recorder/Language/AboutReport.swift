// What the recorder is: its version, its licence, and the key that signs its manifest. Plain
// values, and their text for people.

import Catalogue

/// What the recorder is.
public struct AboutReport: Equatable, Codable, Sendable {
  public let version: String
  public let licence: String
  public let manifest: ManifestFacts

  static let licence = "Apache License 2.0"

  init(_ manifest: ManifestFacts, in state: State) {
    version = state.host.version
    licence = Self.licence
    self.manifest = manifest
  }
}

extension AnswerText {
  static func lines(of report: AboutReport, _ language: Language) -> [[Span]] {
    [[Span(printable("reeld \(report.version)"), .bold)], row("licence", report.licence, language)]
      + lines(of: report.manifest, language)
  }

  static func lines(of facts: ManifestFacts, _ language: Language) -> [[Span]] {
    guard let keyID = facts.keyID, let key = facts.publicKey else {
      return [[Span(language.say("There is no key to sign a manifest with."), .warning)]]
    }
    var lines = [row("public key", key, language), row("key id", keyID, language)]
    if let count = facts.lines, let hash = facts.hash {
      lines.append(row("lines", "\(count)", language))
      // As the signature has it, and as `manifest verify --head` reads it.
      lines.append(row("head", "reel \(keyID) \(count) \(hash)", language))
    }
    return lines
  }

  private static func row(_ name: Phrase, _ text: String, _ language: Language) -> [Span] {
    [Span(padded(language.say(name), 12), .dim), Span(printable(text))]
  }
}

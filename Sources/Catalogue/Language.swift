// The languages in which Reel speaks to people. Programs always get English: JSON, logs and the
// flight log do not depend on the language. Plain values; any thread.

/// A language for sentences that people read.
public enum Language: String, Codable, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case chinese = "zh"

  /// Returns a phrase in this language.
  public func say(_ phrase: Phrase) -> String { phrase.text(in: self) }

  /// Returns an English sentence that was made elsewhere in this language, as far as the catalogue
  /// has it.
  public func translate(_ english: String) -> String {
    self == .english ? english : Catalogue.translate(english, into: self)
  }

  /// Returns the language of a process's environment: that of the first of LC_ALL, LC_MESSAGES and
  /// LANG that is set and not empty. English if it is none of these.
  public static func ofEnvironment(_ variable: (String) -> String?) -> Language {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    let code = (set ?? "").prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
    return Language(rawValue: code.lowercased()) ?? .english
  }
}

/// The setting `language`.
public enum LanguageChoice: String, Codable, CaseIterable, Sendable {
  case auto
  case de
  case en
  case zh

  /// - Parameter environment: the language for `auto`.
  public func language(environment: Language) -> Language {
    Language(rawValue: rawValue) ?? environment
  }
}

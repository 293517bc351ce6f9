// The answers to commands, as values: programs get them as JSON, people as text made from the same
// values. In JSON an answer is an object with one key, which names its kind. Plain values.

import Catalogue

/// The answer to a command.
public enum Answer: Equatable, Sendable {
  case status(StatusView)
  case listing(FolderListing)
  case item(ItemReport)
  case found([FoundReport])
  case copies(CopiesReport)
  /// The file itself is passed beside the line.
  case opened(ClientFile)
  /// The text of the manifest may be passed beside the line.
  case manifest(ManifestFacts)
  case about(AboutReport)
  /// A code for a browser.
  case pairing(PairingCode)
  case notices([NoticeReport])
  /// What can be undone, the newest first.
  case changes([ChangeReport])
  /// Done and durable, with the items it was done to.
  case done(Done)
  /// Work in progress; more follows.
  case progress(ticket: Int, permille: Int)
  case verified(VerifyReport)
  case waveform(WaveformReport)
  case panel(PanelReport)
  /// A line of the panel changed; more may follow.
  case line(LineReport)
  case checkup(CheckupView)
  case told(String)
  /// In JSON it is told.
  case help(HelpReport)
  /// Nothing was done yet: to confirm, send the same command with --yes.
  case question(String)
  case mode(isJSON: Bool)
  case completions([String])
  case failed(CommandError)

  /// A sentence for people, and the items as they are now.
  public struct Done: Equatable, Codable, Sendable {
    public let sentence: String
    public let items: [ItemReport]

    public init(_ sentence: String, _ items: [ItemReport] = []) {
      self.sentence = sentence
      self.items = items
    }
  }

  public static func failed(_ refusal: Refusal) -> Answer { .failed(CommandError(refusal)) }

  /// The file that is passed beside the line; nil if there is none.
  public var file: ClientFile? {
    switch self {
    case .opened(let file): file
    case .manifest(let facts): facts.file
    default: nil
    }
  }

  public var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}

extension Answer: Codable {
  private enum Key: String, CodingKey {
    case status, listing, item, found, notices, done, progress, waveform, panel, line, told
    case verified, checkup, question, mode, completions, failed, changes, copies, opened
    case manifest, about, pairing
  }

  private struct Progress: Codable {
    let ticket: Int
    let permille: Int
  }

  public func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    switch self {
    case .status(let value): try json.encode(value, forKey: .status)
    case .listing(let value): try json.encode(value, forKey: .listing)
    case .item(let value): try json.encode(value, forKey: .item)
    case .found(let value): try json.encode(value, forKey: .found)
    case .copies(let value): try json.encode(value, forKey: .copies)
    case .opened(let value): try json.encode(value, forKey: .opened)
    case .manifest(let value): try json.encode(value, forKey: .manifest)
    case .about(let value): try json.encode(value, forKey: .about)
    case .pairing(let value): try json.encode(value, forKey: .pairing)
    case .notices(let value): try json.encode(value, forKey: .notices)
    case .changes(let value): try json.encode(value, forKey: .changes)
    case .done(let value): try json.encode(value, forKey: .done)
    case .progress(let ticket, let permille):
      try json.encode(Progress(ticket: ticket, permille: permille), forKey: .progress)
    case .verified(let value): try json.encode(value, forKey: .verified)
    case .waveform(let value): try json.encode(value, forKey: .waveform)
    case .panel(let value): try json.encode(value, forKey: .panel)
    case .line(let value): try json.encode(value, forKey: .line)
    case .checkup(let value): try json.encode(value, forKey: .checkup)
    case .told(let value): try json.encode(value, forKey: .told)
    case .help(let value): try json.encode(value.text(in: .english), forKey: .told)
    case .question(let value): try json.encode(value, forKey: .question)
    case .mode(let isJSON): try json.encode(isJSON ? "json" : "text", forKey: .mode)
    case .completions(let value): try json.encode(value, forKey: .completions)
    case .failed(let value): try json.encode(value, forKey: .failed)
    }
  }

  public init(from decoder: any Decoder) throws {
    let json = try decoder.container(keyedBy: Key.self)
    guard let key = json.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "an answer says what it is"))
    }
    switch key {
    case .status: self = .status(try json.decode(StatusView.self, forKey: key))
    case .listing: self = .listing(try json.decode(FolderListing.self, forKey: key))
    case .item: self = .item(try json.decode(ItemReport.self, forKey: key))
    case .found: self = .found(try json.decode([FoundReport].self, forKey: key))
    case .copies: self = .copies(try json.decode(CopiesReport.self, forKey: key))
    case .opened: self = .opened(try json.decode(ClientFile.self, forKey: key))
    case .manifest: self = .manifest(try json.decode(ManifestFacts.self, forKey: key))
    case .about: self = .about(try json.decode(AboutReport.self, forKey: key))
    case .pairing: self = .pairing(try json.decode(PairingCode.self, forKey: key))
    case .notices: self = .notices(try json.decode([NoticeReport].self, forKey: key))
    case .changes: self = .changes(try json.decode([ChangeReport].self, forKey: key))
    case .done: self = .done(try json.decode(Done.self, forKey: key))
    case .progress:
      let progress = try json.decode(Progress.self, forKey: key)
      self = .progress(ticket: progress.ticket, permille: progress.permille)
    case .verified: self = .verified(try json.decode(VerifyReport.self, forKey: key))
    case .waveform: self = .waveform(try json.decode(WaveformReport.self, forKey: key))
    case .panel: self = .panel(try json.decode(PanelReport.self, forKey: key))
    case .line: self = .line(try json.decode(LineReport.self, forKey: key))
    case .checkup: self = .checkup(try json.decode(CheckupView.self, forKey: key))
    case .told: self = .told(try json.decode(String.self, forKey: key))
    case .question: self = .question(try json.decode(String.self, forKey: key))
    case .mode: self = .mode(isJSON: try json.decode(String.self, forKey: key) == "json")
    case .completions: self = .completions(try json.decode([String].self, forKey: key))
    case .failed: self = .failed(try json.decode(CommandError.self, forKey: key))
    }
  }
}

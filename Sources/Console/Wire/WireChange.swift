// What a client receives about something it watches: the present value and each change, under
// stable keys. Made from the state after the step that changed it. Pure.

import Recorder

/// The present value of what is watched.
public enum WireValue: Equatable, Sendable {
  case status(StatusView)
  /// In dBFS; nil while no device is open.
  case levels(peakDecibels: Double?)
  case notices([NoticeReport])
  /// A folder with some of its items.
  case listing(FolderListing)
  case item(ItemReport)
  case screen(ScreenView)
  /// An open file comes with it, which delivers packets of sound at that rate.
  case sound(rate: Int)
}

extension WireValue: Codable {
  private enum Key: String, CodingKey { case status, levels, notices, listing, item, screen, sound }
  private struct Levels: Codable { let peakDecibels: Double? }
  private struct Live: Codable { let rate: Int }

  public func encode(to encoder: any Encoder) throws {
    var json = encoder.container(keyedBy: Key.self)
    switch self {
    case .status(let status): try json.encode(status, forKey: .status)
    case .levels(let peak): try json.encode(Levels(peakDecibels: peak), forKey: .levels)
    case .notices(let notices): try json.encode(notices, forKey: .notices)
    case .listing(let listing): try json.encode(listing, forKey: .listing)
    case .item(let item): try json.encode(item, forKey: .item)
    case .screen(let screen): try json.encode(screen, forKey: .screen)
    case .sound(let rate): try json.encode(Live(rate: rate), forKey: .sound)
    }
  }

  public init(from decoder: any Decoder) throws {
    let json = try decoder.container(keyedBy: Key.self)
    if let status = try json.decodeIfPresent(StatusView.self, forKey: .status) {
      self = .status(status)
    } else if let levels = try json.decodeIfPresent(Levels.self, forKey: .levels) {
      self = .levels(peakDecibels: levels.peakDecibels)
    } else if let notices = try json.decodeIfPresent([NoticeReport].self, forKey: .notices) {
      self = .notices(notices)
    } else if let listing = try json.decodeIfPresent(FolderListing.self, forKey: .listing) {
      self = .listing(listing)
    } else if let screen = try json.decodeIfPresent(ScreenView.self, forKey: .screen) {
      self = .screen(screen)
    } else if let live = try json.decodeIfPresent(Live.self, forKey: .sound) {
      self = .sound(rate: live.rate)
    } else {
      self = .item(try json.decode(ItemReport.self, forKey: .item))
    }
  }
}

/// One change of what is watched.
public struct WireChange: Equatable, Codable, Sendable {
  public enum What: String, Codable, Sendable {
    case added, removed, changed, renamed, moved, counted, updated, noticed
  }

  public let what: What
  /// The index in the folder now, and before the change.
  public var at: Int?
  public var was: Int?
  public var id: ItemID?
  /// The item as it is now; nil if it is gone already.
  public var item: ItemReport?
  public var from: String?
  public var to: String?
  public var recordings: Int?
  public var unheard: Int?
  public var copied: Int?
  public var latest: DateReport?
  public var notice: NoticeReport?

  init(_ what: What) { self.what = what }

  /// Nil for a change after which the whole value is sent instead.
  init?(_ change: Change, at address: Address, in state: State) {
    switch change {
    case .added(let id, let index):
      self.init(.added)
      (at, self.id, item) = (index, id, ItemReport(id, in: state))
    case .removed(let id, let index):
      self.init(.removed)
      (at, self.id) = (index, id)
    case .changed(let id, let index, let old):
      self.init(.changed)
      (at, was, self.id, item) = (index, old, id, ItemReport(id, in: state))
    case .renamed(let from, let to):
      self.init(.renamed)
      (self.from, self.to) = (from, to)
      item = Self.subject(of: address, in: state)
    case .moved(let from, let to):
      self.init(.moved)
      self.from = state.library.pathName(of: from)
      self.to = state.library.pathName(of: to)
      item = Self.subject(of: address, in: state)
    case .counted(let summary):
      self.init(.counted)
      (recordings, unheard) = (summary.tally.recordings, summary.tally.unheard)
      copied = summary.tally.copied
      latest = summary.latest.map { DateReport($0, in: state) }
    case .updated:
      self.init(.updated)
      item = Self.subject(of: address, in: state)
    case .noticed(let notice):
      self.init(.noticed)
      self.notice = NoticeReport(notice, in: state)
    case .reordered, .reloaded: return nil
    }
  }

  private static func subject(of address: Address, in state: State) -> ItemReport? {
    switch address {
    case .folder(let id), .item(let id): ItemReport(id, in: state)
    case .notices: nil
    }
  }
}

extension WireValue {
  /// The present value of an address; nil if there is none.
  init?(of address: Address, in state: State) {
    switch address {
    case .notices:
      self = .notices(state.notices.kept.map { NoticeReport($0, in: state) })
    case .item(let id):
      guard let item = ItemReport(id, in: state) else { return nil }
      self = .item(item)
    // Sent in pages.
    case .folder: return nil
    }
  }
}

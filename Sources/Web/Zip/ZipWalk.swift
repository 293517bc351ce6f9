// Walks a folder with all below it, one file at a time, for an archive: asks the recorder for the
// lists, then for each recording and its open files. Loop's thread. Only ids wait in memory, a
// bounded number; a name becomes a path of the archive only if each part of it is a plain one.
import JSON

/// The files of a folder, in order.
final class ZipWalk {
  enum Next {
    case file(OwnedFile, name: String)
    case end(missing: [String])
    case failed
  }

  static let recordingsMaximum = 20_000
  static let missingMaximum = 200

  private let pool: CommandPool
  private var folders: [String]
  private var listing: (id: String, from: Int)?
  private var recordings: [String] = []
  private var tracks: [(recording: String, folder: String, track: String, file: String)] = []
  private var missing: [String] = []
  private var count = 0
  private var prefix: [Substring]?

  init(_ pool: CommandPool, folder: String) {
    self.pool = pool
    folders = [folder]
  }

  /// Calls `done` once, with the next file or the end.
  func next(_ done: @escaping (Next) -> Void) {
    if let track = tracks.popLast() { return open(track, done) }
    if let recording = recordings.popLast() { return inspect(recording, done) }
    if listing == nil { listing = folders.popLast().map { ($0, 0) } }
    guard let listing else { return done(.end(missing: missing)) }
    list(listing.id, from: listing.from, done)
  }

  private func list(_ id: String, from: Int, _ done: @escaping (Next) -> Void) {
    pool.ask(["ls", "--from", "\(from)", "--count", "500", "--", id]) { [self] reply in
      guard let page = reply.answer?["listing"], let items = page["items"]?.items,
        let total = page["total"]?.integer
      else {
        // A folder that was deleted meanwhile is left out; without a recorder nothing goes on.
        listing = nil
        if case .away = reply { return done(.failed) }
        note(missing: id)
        return next(done)
      }
      if prefix == nil { prefix = (page["folder"]?["directory"]?.text ?? "").split(separator: "/") }
      note(items)
      let end = from + items.count
      listing = items.isEmpty || end >= total ? nil : (id, end)
      count > Self.recordingsMaximum ? done(.failed) : next(done)
    }
  }

  private func note(_ items: [JSONValue]) {
    for item in items {
      guard let id = item["id"]?.text else { continue }
      if item["kind"]?.text == "folder" {
        folders.append(id)
      } else {
        recordings.append(id)
        count += 1
      }
    }
  }

  private func note(missing name: String) {
    if missing.count < Self.missingMaximum { missing.append(name) }
  }

  private func inspect(_ id: String, _ done: @escaping (Next) -> Void) {
    pool.ask(["info", "--", id]) { [self] reply in
      if case .away = reply { return done(.failed) }
      guard let item = reply.answer?["item"], let folder = item["folderID"]?.text,
        let found = item["tracks"]?.items
      else {
        note(missing: id)
        return next(done)
      }
      for track in found.reversed() {
        guard let name = track["name"]?.text, let file = track["file"]?.text else { continue }
        tracks.append((id, folder, name, file))
      }
      next(done)
    }
  }

  private func open(
    _ track: (recording: String, folder: String, track: String, file: String),
    _ done: @escaping (Next) -> Void
  ) {
    let words = ["open", "--in", track.folder, "--track", track.track, "--", track.recording]
    pool.ask(words) { [self] reply in
      if case .away = reply { return done(.failed) }
      guard case .ok(_, let file?) = reply, let name = Self.name(track.file, below: prefix ?? [])
      else {
        note(missing: track.file)
        return next(done)
      }
      done(.file(file, name: name))
    }
  }

  /// Returns the path of a file in the archive; nil if a part of it could lead elsewhere.
  static func name(_ file: String, below prefix: [Substring]) -> String? {
    var parts = file.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > prefix.count, Array(parts.prefix(prefix.count)) == prefix {
      parts.removeFirst(prefix.count)
    }
    let areGood = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 255
        && !part.utf8.contains { $0 < 32 || $0 == 92 || $0 == 127 }
    }
    return areGood && parts.count <= 32 ? parts.joined(separator: "/") : nil
  }
}

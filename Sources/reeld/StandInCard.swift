// A card for the first floor: folders are directories, recordings are sound files, and both are
// found by looking. It stands in for the folder store, which will keep an index and survive power
// cuts; this keeps nothing but the files. Works on the loop's thread, as only local directories
// may.

import FoundationEssentials
import Glibc
import Recorder

final class StandInCard {
  private let directory: String
  private let send: (Action) -> Void
  /// Where the items that were listed are, below the directory.
  private var paths: [ItemID: String] = [.root: "", .trash: ".trash"]
  private let files = FileManager.default

  init(directory: String, send: @escaping (Action) -> Void) {
    self.directory = directory
    self.send = send
  }

  func carryOut(_ command: CardCommand) {
    switch command {
    case .open:
      let next = (takes(below: "").map(\.sequence).max() ?? 0) + 1
      send(
        .card(
          .opened(CardReport(nextSequence: next, root: tally(of: ""), trash: tally(of: ".trash")))))
      measureSpace()
    case .read(let id): read(id)
    case .begin(let recording): begin(recording)
    case .keep(let recording): send(.card(.take(recording.id, .kept)))
    case .forget(let id): if let path = paths.removeValue(forKey: id) { unlink(full(path)) }
    case .work(let ticket, let work): carryOut(work, ticket)
    case .cancel, .recycle: send(.card(.recycled([])))
    }
  }

  func measureSpace() {
    var room = statvfs()
    guard statvfs(directory, &room) == 0 else { return }
    let block = Int64(room.f_frsize)
    send(
      .card(
        .space(freeBytes: Int64(room.f_bavail) * block, totalBytes: Int64(room.f_blocks) * block)))
  }

  // MARK: Reading

  private func full(_ path: String) -> String { path.isEmpty ? directory : directory + "/" + path }

  private func read(_ id: ItemID) {
    guard let path = paths[id] else { return }
    do {
      let names = try files.contentsOfDirectory(atPath: full(path)).sorted()
      let children = names.filter { !$0.hasPrefix(".") }.map { path.isEmpty ? $0 : path + "/" + $0 }
      let folders = children.filter(isDirectory).map { folder(at: $0, in: id) }
      let recordings = children.compactMap { recording(at: $0, in: id) }
      send(.card(.listed(id, Listing(folders: folders, recordings: recordings))))
    } catch {
      send(.card(.unreadable(id, why: "\(error)")))
    }
  }

  private func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(full(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func folder(at path: String, in parent: ItemID) -> Folder {
    let id = identity(of: path)
    let name = lastName(path)
    return Folder(id: id, parent: parent, name: name, directory: name, tally: tally(of: path))
  }

  private func recording(at path: String, in folder: ItemID) -> Recording? {
    guard let found = SoundFiles.inspect(full(path), name: lastName(path), in: folder) else {
      return nil
    }
    paths[found.id] = path
    return found
  }

  private func identity(of path: String) -> ItemID {
    let id = paths.first { $0.value == path }?.key ?? SoundFiles.identity(ofPath: path)
    paths[id] = path
    return id
  }

  private func takes(below path: String) -> [(path: String, sequence: Int)] {
    // A directory that cannot be read has nothing to count; reading it will say why.
    let names = (try? files.subpathsOfDirectory(atPath: full(path))) ?? []
    return names.compactMap { name in
      SoundFiles.sequence(ofName: lastName(name)).map { (name, $0) }
    }
  }

  private func tally(of path: String) -> Tally {
    let found = takes(below: path).filter { !path.isEmpty || !$0.path.hasPrefix(".trash/") }
    return Tally(recordings: found.count, unheard: found.count)
  }

  private func lastName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  // MARK: Writing

  private func begin(_ recording: Recording) {
    guard let folder = paths[recording.folder] else {
      return send(.card(.take(recording.id, .failed("its folder is not on the card"))))
    }
    let name = SoundFiles.name(for: recording)
    let path = free(folder.isEmpty ? name : folder + "/" + name)
    let file = open(full(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return send(.card(.take(recording.id, .failed(words(errno))))) }
    close(file)
    paths[recording.id] = path
    send(.card(.take(recording.id, .made(file: lastName(path)))))
  }

  private func carryOut(_ work: CardWork, _ ticket: Int) {
    do {
      send(.card(.work(ticket: ticket, .done(try result(of: work)))))
    } catch {
      send(.card(.work(ticket: ticket, .failed(error.sentence))))
    }
  }

  private struct Failure: Error { let sentence: String }

  private func result(of work: CardWork) throws(Failure) -> WorkResult {
    switch work {
    case .makeFolder(let id, let name, let parent): return try makeFolder(id, name, in: parent)
    case .rename(let id, let name):
      let file = try move(id, to: parent(of: path(of: id)), as: name)
      return .renamed(id, name: name, file: file)
    case .move(let id, let target, let index):
      let file = try move(id, to: path(of: target), as: nil)
      return .moved(id, path: [target], at: index, name: title(of: file), file: file)
    case .throwAway(let id): return .thrown(id, file: try move(id, to: ".trash", as: nil))
    case .restore(let id):
      let file = try move(id, to: "", as: nil)
      return .moved(id, path: [.root], at: nil, name: title(of: file), file: file)
    case .purge(let purge): return try self.purge(purge)
    case .sort(let id, let order): return .sorted(id, order)
    case .search(let text): return .searched(search(text))
    case .exportMode(let isOn): return .exportMode(isOn)
    case .long: throw Failure(sentence: "The virtual appliance cannot do that yet.")
    }
  }

  private func path(of id: ItemID) throws(Failure) -> String {
    guard let path = paths[id] else { throw Failure(sentence: Refusal.notFound.sentence) }
    return path
  }

  private func parent(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  private func makeFolder(
    _ id: ItemID, _ name: String, in parent: ItemID
  ) throws(Failure) -> WorkResult {
    let folder = try path(of: parent)
    let safe = SoundFiles.safe(name)
    let path = free(folder.isEmpty ? safe : folder + "/" + safe)
    guard mkdir(full(path), 0o755) == 0 else { throw Failure(sentence: words(errno)) }
    paths[id] = path
    return .made(Folder(id: id, parent: parent, name: name, directory: lastName(path)))
  }

  /// Moves a file or directory; everything known below it moves along. Gives its new name.
  private func move(
    _ id: ItemID, to folder: String, as title: String?
  ) throws(Failure) -> String {
    let old = try path(of: id)
    let name = title.map { SoundFiles.renamed(lastName(old), to: $0) } ?? lastName(old)
    let wanted = folder.isEmpty ? name : folder + "/" + name
    let new = wanted == old ? old : free(wanted)
    guard Glibc.rename(full(old), full(new)) == 0 else { throw Failure(sentence: words(errno)) }
    for (item, path) in paths where path == old || path.hasPrefix(old + "/") {
      paths[item] = new + path.dropFirst(old.count)
    }
    return lastName(new)
  }

  private func purge(_ purge: Purge) throws(Failure) -> WorkResult {
    if case .olderThan = purge {
      throw Failure(sentence: "The virtual appliance does not know when something was thrown away.")
    }
    var gone: [ItemID] = []
    for (id, path) in paths where path.hasPrefix(".trash/") {
      if case .item(let wanted) = purge, wanted != id { continue }
      do { try files.removeItem(atPath: full(path)) } catch { continue }  // went with its folder
      gone.append(id)
    }
    for id in gone { paths[id] = nil }
    return .purged(gone, left: tally(of: ".trash"))
  }

  private func search(_ text: String) -> [Hit] {
    paths.filter { lastName($0.value).lowercased().contains(text.lowercased()) }
      .compactMap { id, path in
        paths.first { $0.value == parent(of: path) }.map {
          Hit(id: id, folder: $0.key, title: title(of: lastName(path)))
        }
      }
  }

  private func title(of file: String) -> String { SoundFiles.title(ofName: file) }

  /// "Kitchen 2" where "Kitchen" is taken.
  private func free(_ path: String) -> String {
    guard access(full(path), F_OK) == 0 else { return path }
    let (stem, ending) = SoundFiles.stemAndEnding(path)
    for number in 2... where access(full("\(stem) \(number)\(ending)"), F_OK) != 0 {
      return "\(stem) \(number)\(ending)"
    }
    return path
  }
}

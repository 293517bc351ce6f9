// Removes the copies of recordings that a person deleted for good, where `mirrorDeletions` asks for
// it. The file of texts there says which files are the recording's; each is read back, and removed
// only if it is that sound. The file of texts goes last, so what was cut short goes on. Another
// file of that name stays. One thread, the loop's.

import Digest
import Glibc
import JSON
import Link
import Realtime
import Recorder

/// Removes from one target what was deleted here.
final class DeletionMirror {
  private let configuration: TargetConfiguration
  private let target: any Target
  private let driver: LinkDriver
  private let memory: TextsMemory
  private let path: String
  private let manifest: ManifestSource
  private var deletions: MirroredDeletions
  private var job: LinkJob?
  /// How many are still to be tried before the next pause.
  private var attemptsLeft = 0

  private static let pieceBytes: Int64 = 64 << 10
  private static let piecesMaximum = 16

  /// - Parameter memory: of the same target's texts.
  init(
    _ configuration: TargetConfiguration, _ target: any Target, _ driver: LinkDriver,
    _ memory: TextsMemory, _ manifest: ManifestSource, state: String
  ) {
    (self.configuration, self.target, self.driver) = (configuration, target, driver)
    (self.memory, self.manifest) = (memory, manifest)
    mkdir(state + "/deletions", 0o700)
    path = "\(state)/deletions/\(target.name).json"
    deletions = Self.read(path)
  }

  /// A damaged file is as none: what is not known to be deleted stays at the target.
  private static func read(_ path: String) -> MirroredDeletions {
    do {
      return try JSON.decode(
        MirroredDeletions.self, from: SmallFile.bytes(of: path, atMost: 1 << 20))
    } catch {
      if access(path, F_OK) == 0 { ReelLink.complain("\(path) cannot be read, and begins anew") }
      return MirroredDeletions()
    }
  }

  /// Nothing else is to be copied now. The target has the manifest whose last line has that hash.
  func refresh(_ hash: String) {
    if job != nil || manifest.isAsking { return }
    attemptsLeft = deletions.left.count
    if attemptsLeft > 0 { return removeNext() }
    if deletions.place?.hash != hash { open() }
  }

  /// What is deleted from now on follows, also while copies are still to be sent.
  func begin() {
    if deletions.place != nil || manifest.isAsking { return }
    manifest.lookUp { [weak self] lines, hash in
      guard let self else { return }
      if lines > 0 { return open() }
      var new = deletions
      new.begin(at: MirroredDeletions.Place(bytes: 0, hash: hash))
      _ = keep(new)
    }
  }

  func stop() {
    job?.stop()
    job = nil
    manifest.stop()
  }

  // MARK: What was deleted

  private func open() {
    manifest.open { [weak self] in
      self?.read($0.file, MirroredDeletions.Place(bytes: $0.sizeBytes, hash: $0.hash))
    }
  }

  private func read(_ file: OpenedFile, _ end: MirroredDeletions.Place) {
    var read = deletions
    for _ in 0..<Self.piecesMaximum where read.hasRoom && (read.place?.bytes ?? 0) < end.bytes {
      let before = read.place
      if !readPiece(file, end, &read) { read.begin(at: end) }
      if read.place == before { break }
    }
    if let place = read.place, place.bytes > end.bytes { read.begin(at: end) }
    guard keep(read) else { return }
    attemptsLeft = read.left.count
    removeNext()
  }

  /// Returns false if the piece does not follow what was read before.
  private func readPiece(
    _ file: OpenedFile, _ end: MirroredDeletions.Place, _ read: inout MirroredDeletions
  ) -> Bool {
    guard let place = read.place else { return false }
    var bytes = [UInt8](repeating: 0, count: Int(min(Self.pieceBytes, end.bytes - place.bytes)))
    let result = bytes.withUnsafeMutableBytes { file.read($0, at: place.bytes) }
    // What cannot be read now is read at the next attempt.
    guard case .success(let count) = result else { return true }
    return read.read(Array(bytes[..<count]))
  }

  /// Remembers it before anything is done.
  private func keep(_ new: MirroredDeletions) -> Bool {
    if new == deletions { return true }
    do {
      if let number = SmallFile.replace(path, with: try JSON.encode(new), mode: 0o600) {
        ReelLink.complain("\(path) cannot be written: \(systemWords(for: number))")
        return false
      }
    } catch { return false }
    deletions = new
    return true
  }

  // MARK: Removing

  private func removeNext() {
    job = nil
    guard attemptsLeft > 0, let deletion = deletions.left.first else { return }
    attemptsLeft -= 1
    do throws(LinkError) {
      let name = try SidecarName(
        of: deletion.id, number: deletion.number, below: configuration.prefix,
        recorder: memory.recorder)
      let file = try OpenedFile(unnamedWith: [])
      let finding = FindSidecarJob(name, known: nil, looksForTaken: false, traits: target.traits)
      job = try driver.perform(finding, at: target, file: file) { [weak self] in
        self?.read($0, file, name, of: deletion)
      }
    } catch { fail(error, deletion) }
  }

  private func read(
    _ finding: SidecarFinding, _ file: OpenedFile, _ name: SidecarName,
    of deletion: MirroredDeletions.Deletion
  ) {
    switch finding {
    case .failed(let error): fail(error, deletion)
    case .absent, .unchanged: settle(deletion)
    case .found(let hashes, _, _), .leftOver(let hashes):
      do throws(LinkError) {
        let bytes = try file.bytes(Int(hashes.length))
        let sidecar = try Sidecar(bytes, here: Texts(), rate: 1, of: name.file)
        // Digits may be those of another recording.
        if sidecar.id != deletion.id { return settle(deletion) }
        remove(sidecar.files[...], name, of: deletion)
      } catch { fail(error, deletion) }
    }
  }

  /// One file after another.
  private func remove(
    _ files: ArraySlice<SidecarFacts.File>, _ name: SidecarName,
    of deletion: MirroredDeletions.Deletion
  ) {
    guard let file = files.first else {
      return remove([name.taken, name.file], deletion) { [weak self] in self?.settle(deletion) }
    }
    let goOn = { [weak self] in
      if let self { remove(files.dropFirst(), name, of: deletion) }
    }
    do throws(LinkError) {
      guard let (place, content) = try copy(file) else { return goOn() }
      job = try driver.perform(AuditJob(place, content), at: target) { [weak self] in
        switch $0 {
        case .whole: self?.remove([place], deletion, then: goOn)
        case .missing: goOn()
        case .changed:
          ReelLink.complain("“\(place)” is another file than the one that was copied; it stays")
          goOn()
        case .failed(let error): self?.fail(error, deletion)
        }
      }
    } catch { fail(error, deletion) }
  }

  /// What a file of texts says is a stranger's: nil if it cannot be one of our copies.
  private func copy(
    _ file: SidecarFacts.File
  ) throws(LinkError) -> (name: RemoteName, content: Content)? {
    let parts = file.file.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.starts(with: configuration.prefix), let sound = SHA256.Sum(file.sha256),
      let first = parts.dropFirst(configuration.prefix.count).first,
      first != SidecarName.folder, first != ".manifest"
    else { return nil }
    let hashes = ContentHashes(header: .ofNothing, sound: sound, length: file.sizeBytes)
    return (try RemoteName(parts), Content(hashes: hashes, soundFrom: file.soundFrom))
  }

  private func remove(
    _ names: [RemoteName], _ deletion: MirroredDeletions.Deletion, then goOn: @escaping () -> Void
  ) {
    guard let name = names.first else { return goOn() }
    do throws(LinkError) {
      job = try driver.perform(RemoveJob(name), at: target) { [weak self] in
        if let error = $0 {
          self?.fail(error, deletion)
        } else {
          self?.remove(Array(names.dropFirst()), deletion, then: goOn)
        }
      }
    } catch { fail(error, deletion) }
  }

  private func settle(_ deletion: MirroredDeletions.Deletion) {
    var new = deletions
    new.settle(deletion)
    do throws(LinkError) { try memory.forget(deletion.id) } catch {
      ReelLink.complain(error.sentence)
    }
    if keep(new) { removeNext() } else { job = nil }
  }

  /// It is tried again; one that fails does not hold up the others.
  private func fail(_ error: LinkError, _ deletion: MirroredDeletions.Deletion) {
    ReelLink.complain("A copy at \(target.name) is not deleted yet: \(error.sentence)")
    var new = deletions
    new.postpone(deletion)
    if keep(new), error.scope == .recording { removeNext() } else { job = nil }
  }
}

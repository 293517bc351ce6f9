// Computes the hash of sound that the sound path could not hash while it wrote it: of takes that a
// power cut or a failing card cut short. Reads a file piece by piece, with all other work in
// between. Runs on the card's thread. What a restart interrupts, the next verification does.

import Recorder
import Tape

/// A recording without a hash, and the folder it was in.
struct Unhashed {
  let id: ItemID
  let folder: ItemID
}

/// A file that is being hashed.
struct Hashing {
  let recording: Unhashed
  /// The number of the track.
  let track: Int
  var hasher: SoundHasher
}

extension Store {
  /// Reads a piece of a file; false if there is nothing to hash. A failure ends it: the next
  /// verification meets the same, and reports it.
  func hashSomething() -> Bool {
    guard !isReadOnly else { return false }
    do {
      if let now = hashing {
        hashing = nil
        try hashMore(now)
      } else if let next = unhashed.popLast() {
        hashing = try hashing(of: next)
      } else {
        return false
      }
    } catch {
      _ = notice(of: error)
    }
    return true
  }

  private func hashMore(_ hashing: Hashing) throws(TapeError) {
    var now = hashing
    // It may have another name by now.
    let file = try fileWithoutHash(now.recording) { $0 == now.track }
    guard let file else { return }
    if try now.hasher.addPiece(of: try system.open(file.path, .read)) {
      self.hashing = now
    } else if try keep(now.hasher, of: now.recording, track: now.track) {
      // Another of its tracks may be next.
      unhashed.append(now.recording)
    }
  }

  private func hashing(of recording: Unhashed) throws(TapeError) -> Hashing? {
    guard let file = try fileWithoutHash(recording, track: { _ in true }) else { return nil }
    let hasher = try SoundHasher(behindHeaderOf: try system.open(file.path, .read))
    return Hashing(recording: recording, track: file.track, hasher: hasher)
  }

  /// Returns the first file of those tracks that has no hash; nil if there is none.
  private func fileWithoutHash(
    _ recording: Unhashed, track isWanted: (Int) -> Bool
  ) throws(TapeError) -> (track: Int, path: String)? {
    let home = homes[recording.id] ?? recording.folder
    guard let entry = try folder(home).index.entries[recording.id], let known = entry.recording,
      known.isHashable
    else { return nil }
    for (track, path) in zip(known.trackNumbers, try paths(of: entry, in: home))
    where isWanted(track) && known.sound(ofTrack: track).hash == nil {
      return (track, path)
    }
    return nil
  }

  /// Writes a file's hash to its entry, unless the file is another by now. Returns whether it did.
  func keep(
    _ hasher: SoundHasher, of recording: Unhashed, track number: Int
  ) throws(TapeError) -> Bool {
    let folder = try folder(homes[recording.id] ?? recording.folder)
    guard let hash = SoundHash(hasher.sum), var entry = folder.index.entries[recording.id],
      var known = entry.recording, known.isHashable, !entry.isBegun,
      known.trackNumbers.contains(number), case let sound = known.sound(ofTrack: number),
      sound.hash == nil, sound.sizeBytes == hasher.byteCount
    else { return false }
    known.setHash(hash, ofTrack: number)
    entry.item = .recording(known)
    try change([.put(entry)], in: folder)
    send(.found(.closed(known)))
    return true
  }
}

extension Recording {
  /// Whether its files will not change any more.
  var isHashable: Bool { isSettled && !integrity.endIsOwed }

  /// The numbers of its tracks, in the order of its files.
  var trackNumbers: [Int] { [1] + tracks.others.map(\.number) }

  /// Sets the hash of the sound of the track of that number.
  mutating func setHash(_ hash: SoundHash?, ofTrack number: Int) {
    guard number != 1 else { return changeSound { $0.hash = hash } }
    var tracks = tracks
    guard let index = tracks.others.firstIndex(where: { $0.number == number }) else { return }
    tracks.others[index].sound.hash = hash
    self = with(tracks)
  }

  private mutating func changeSound(_ change: (inout Sound) -> Void) {
    var sound = sound
    change(&sound)
    self = changed(sound: sound)
  }

  /// Keeps the hashes that the store has computed meanwhile, which a sender may not know of yet.
  func knowingHashes(of before: Recording) -> Recording {
    var known = self
    for number in trackNumbers where known.sound(ofTrack: number).hash == nil {
      let other = before.sound(ofTrack: number)
      guard before.trackNumbers.contains(number), let hash = other.hash,
        other.sizeBytes == known.sound(ofTrack: number).sizeBytes
      else { continue }
      known.setHash(hash, ofTrack: number)
    }
    return known
  }
}

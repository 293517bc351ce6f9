// The player without its threads: the real deck and the real playback worker, with a virtual
// speaker on the simulation's time. A file that is played is copied from the card in memory into an
// unnamed file, for the libraries that read sound. One thread.

import Glibc
import Tape

@testable import Audio
@testable import Library
@testable import Realtime
@testable import Recorder

final class SimPlayer {
  private unowned let world: World
  private var deck: PlayDeck
  private var worker: PlayWorker<VirtualSpeaker>?
  private let bell: WakeUp?
  private(set) var deckDue: Int64 = 0
  private(set) var speakerDue: Int64 = .max
  private static let format = StreamFormat(
    rate: 16_000, channels: 1, samples: .int16, periodFrames: 640)

  init(_ world: World) {
    self.world = world
    do {
      let bell = try WakeUp()
      self.bell = bell
      var settings = PlaySettings(
        open: { path throws(TapeError) in try world.copy(of: path) }, realtimePriority: nil)
      settings.playsWhileRecording = world.setup.playsWhileRecording
      deck = PlayDeck(settings, bell: bell)
    } catch { preconditionFailure("a simulation needs a descriptor: \(error)") }
  }

  var isOpen: Bool { worker != nil }

  func perform(_ command: DeckCommand) {
    deck.perform(command)
    attend()
  }

  func sound(_ tone: Tone) {
    deck.sound(tone)
    attend()
  }

  func look() {
    deck.poll()
    attend()
  }

  private func attend() { deckDue = min(deckDue, world.now + world.latency()) }

  func listen() { if bell?.isRung == true { attend() } }

  // MARK: Steps, as the room's shell does them

  func stepDeck() {
    if let bell, bell.isRung { _ = bell.wait(milliseconds: 0) }
    let rest = deck.step(world.mono)
    let hasChanged = attendSpeaker()
    for event in deck.drainEvents() { world.heardFromPlayer(event) }
    switch rest {
    case _ where hasChanged: deckDue = world.now
    case .now: deckDue = world.now + 300_000
    case .until(let mono): deckDue = max(world.now, mono - world.mono + world.now)
    case .forever: deckDue = .max
    }
  }

  private func attendSpeaker() -> Bool {
    if deck.mustClose {
      worker = nil
      speakerDue = .max
      deck.disconnect()
      return true
    }
    guard deck.wantsSpeaker(world.mono) else { return false }
    do { try openSpeaker() } catch {
      worker = nil
      deck.disconnect()
      deck.cannotOpen("\(error)", world.mono)
    }
    return true
  }

  private func openSpeaker() throws {
    let stream = try VirtualSpeaker.open(
      Self.format, pace: .driven(by: { [unowned world = self.world] in world.mono }),
      faults: world.speakerFaults)
    deck.found()
    guard deck.hasSomethingToPlay else { return }
    let mixer = try deck.connect(Self.format)
    worker = PlayWorker(stream, mixer)
    speakerDue = world.now
  }

  func stepSpeaker() {
    guard let outcome = worker?.step() else {
      speakerDue = .max
      return
    }
    switch outcome {
    case .played: speakerDue = world.now + 1_000_000
    case .waited: speakerDue = world.now + 40_000_000
    case .noSound: speakerDue = world.now + 5_000_000
    case .gone: speakerDue = .max
    }
    listen()
  }
}

extension MemoryCard {
  /// Returns the bytes of a file; nil if it does not exist.
  func bytes(at path: String) -> [UInt8]? {
    do {
      let file = try open(path, .read)
      return try file.bytes(at: 0, count: Int(try file.byteCount()))
    } catch { return nil }
  }
}

extension World {
  /// Returns a copy of a file as it is on the card now.
  fileprivate func copy(of path: Recorder.CardPath) throws(TapeError) -> PosixFile {
    let path = path.components.joined(separator: "/")
    guard let bytes = observed({ $0.bytes(at: path) }) else {
      throw TapeError(.cannotOpen, "\(path) is not there.")
    }
    return try .nameless(bytes, of: path)
  }
}

extension PosixFile {
  /// A copy for the libraries that read sound.
  static func nameless(_ bytes: [UInt8], of path: String) throws(TapeError) -> PosixFile {
    guard let nameless = tmpfile() else {
      throw .system(.cannotOpen, "\(path) cannot be copied", errno: errno)
    }
    defer { fclose(nameless) }
    let file = PosixFile.adopt(dup(fileno(nameless)), named: path)
    try file.write(bytes, at: 0)
    return file
  }
}

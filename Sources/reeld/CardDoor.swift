// Joins the card's room to the loop: commands go in on the loop's thread, and events of the room's
// own thread are sent to the heart on the loop's.

import Digest
import Library
import Recorder
import Systemd
import Tape

final class CardDoor {
  private let room: CardRoom
  private let watch: WakerWatch

  init(
    on loop: EventLoop, directory: String, tracks: [TrackPlan],
    key: SigningKey?, _ passed: PassedFiles,
    _ send: @escaping (Action) -> Void
  ) throws {
    let mailbag = Mailbag()
    let watch = try loop.watchWaker {
      for event in mailbag.room?.collect() ?? [] { send(.card(event)) }
    }
    let waker = watch.waker
    room = try CardRoom.start(
      tracks: tracks, key: key, clientFiles: passed.doors, wake: { waker.wake() },
      open: { () throws(TapeError) in try PosixCard.open(directory) })
    self.watch = watch
    mailbag.room = room
  }

  func perform(_ command: CardCommand) { room.perform(command) }
  func measureSpace() { room.measureSpace() }
  var busyMilliseconds: Int64 { room.busyMilliseconds }

  /// Holds the room, which does not exist yet when the watch is set up. Used by the loop's thread.
  private final class Mailbag {
    weak var room: CardRoom?
  }
}

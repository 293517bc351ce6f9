// The rooms of a recorder as the runtime sees them: what each can be asked to do. Values that hold
// closures, called by the loop's thread; none of them may wait. `reeld` fills them with real or
// virtual rooms, the simulation with simulated ones.

import Recorder

/// What each room can be asked to do.
public struct Rooms {
  public let sound: Sound
  public let card: Card
  public let panel: Panel
  public let host: Host

  public init(sound: Sound, card: Card, panel: Panel, host: Host) {
    (self.sound, self.card, self.panel, self.host) = (sound, card, panel, host)
  }

  public struct Sound {
    let record: (SoundCommand) -> Void
    let play: (DeckCommand) -> Void
    /// Reports the devices, and probes again for those that are missing.
    let poll: () -> Void
    let metering: Metering

    public init(
      record: @escaping (SoundCommand) -> Void, play: @escaping (DeckCommand) -> Void,
      poll: @escaping () -> Void, metering: Metering
    ) {
      (self.record, self.play, self.poll, self.metering) = (record, play, poll, metering)
    }
  }

  public struct Card {
    let perform: (CardCommand) -> Void
    let measureSpace: () -> Void

    public init(
      perform: @escaping (CardCommand) -> Void, measureSpace: @escaping () -> Void
    ) {
      (self.perform, self.measureSpace) = (perform, measureSpace)
    }
  }

  public struct Panel {
    let perform: (PanelCommand) -> Void
    /// Opens the lines and begins to listen.
    let begin: () -> Void

    public init(perform: @escaping (PanelCommand) -> Void, begin: @escaping () -> Void) {
      (self.perform, self.begin) = (perform, begin)
    }
  }

  public struct Host {
    let remember: (Remembered) -> Void
    /// Saves how the running take continues after a crash; nil if no take runs.
    let mark: (TakeContinuation?) -> Void
    /// Reads the configuration; `Runtime.reloaded` follows.
    let reload: () -> Void
    let notice: (Notice) -> Void
    /// Called last: everything is written, or the rooms did not answer in time.
    let end: (End) -> Void

    public init(
      remember: @escaping (Remembered) -> Void, mark: @escaping (TakeContinuation?) -> Void,
      reload: @escaping () -> Void, notice: @escaping (Notice) -> Void,
      end: @escaping (End) -> Void
    ) {
      (self.remember, self.mark, self.reload) = (remember, mark, reload)
      (self.notice, self.end) = (notice, end)
    }
  }

  public enum End { case finished, gaveUp }
}

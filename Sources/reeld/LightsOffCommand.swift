// `reeld --lights-off`: turns off every light of the daemon that has ended, and ends. systemd runs
// it after the daemon has ended (ExecStopPost), since a daemon that was killed turns nothing off:
// the kernel keeps the brightness of its LEDs, and most chips keep the level of a pin that no
// process has open any more. On the main thread; it must never run beside a living daemon.

import Glibc
import Host
import Panel
import Systemd

enum LightsOffCommand {
  static func run(_ arguments: Arguments) -> Int32 {
    let root = arguments.root ?? Root.standard(isVirtual: arguments.isVirtual)
    // Under ExecStopPost, where systemd sets SERVICE_RESULT, the lock does not count: a process
    // that the kernel cannot end, because a card hangs, still holds it.
    if getenv("SERVICE_RESULT") == nil, Root.isInUse(root) {
      logError("a recorder runs in \(root), and its lights are its own; end it first")
      return 75
    }
    do {
      let faults = try turnOff(PanelPlan(configuration(arguments, root).panel).lights)
      for fault in faults { logError(fault.sentence) }
      return faults.isEmpty ? 0 : 1
    } catch {
      logError("\(error)")
      return 71
    }
  }

  /// Returns the configuration of the ended daemon; if it was not kept, that in the files.
  private static func configuration(_ arguments: Arguments, _ root: String) -> Configuration {
    let ofService = Root.standardRun(isVirtual: arguments.isVirtual)
    let run = arguments.root == nil ? ofService ?? root + "/run" : root + "/run"
    return RunningConfiguration.kept(at: run + "/" + Root.configurationName)
      ?? RunningConfiguration.facts(arguments).0
  }

  /// Opening a light turns it off, and closing it does so again.
  private static func turnOff(_ lights: [LightPlan]) throws -> [PanelFault] {
    let room = PanelRoom(
      PanelPlan(lights: lights), on: try EventLoop(), send: { _ in }, report: { _ in })
    room.begin()
    defer { room.end() }
    return room.faults
  }
}

// The output of a light: a pin, one of the kernel's LEDs, or nothing. Set by the loop's thread, at
// once and without waiting. When it is dropped, the light goes off, and a kernel LED gets its
// earlier trigger back.
import Glibc
import Realtime

protocol LightSwitch: AnyObject {
  /// Returns false if the light could not be set.
  func set(_ isOn: Bool) -> Bool
}

final class PinLight: LightSwitch {
  private let line: GpioLine

  init(_ line: consuming GpioLine) { self.line = line }

  deinit { _ = line.set(false) }

  func set(_ isOn: Bool) -> Bool { line.set(isOn) >= 0 }
}

/// `/sys/class/leds/NAME`, with its kernel trigger off until this is dropped.
final class LedLight: LightSwitch {
  private let descriptor: Int32
  private let folder: String
  private let full: String
  private let oldTrigger: String?

  private init(_ descriptor: Int32, _ folder: String, full: String, oldTrigger: String?) {
    self.descriptor = descriptor
    self.folder = folder
    self.full = full
    self.oldTrigger = oldTrigger
  }

  deinit {
    _ = set(false)
    close(descriptor)
    if let oldTrigger { _ = SmallFile.write(oldTrigger, to: folder + "/trigger") }
  }

  func set(_ isOn: Bool) -> Bool {
    let text = (isOn ? full : "0") + "\n"
    return pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count
  }

  /// - Parameter directory: `/sys/class/leds` on a board.
  static func claim(
    _ name: String, in directory: String, for light: LightName
  ) throws(PanelFault) -> LedLight {
    let folder = directory + "/" + name
    let descriptor = open(folder + "/brightness", O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { throw refused(name, in: directory, for: light, errno: errno) }
    var old: String?
    if let triggers = SmallFile.line(of: folder + "/trigger") {
      old = chosen(in: triggers)
      if let result = SmallFile.write("none", to: folder + "/trigger") {
        close(descriptor)
        throw refused(name, in: directory, for: light, errno: result)
      }
    }
    let most = SmallFile.line(of: folder + "/max_brightness").flatMap { Int($0) } ?? 255
    let made = LedLight(
      descriptor, folder, full: "\(max(1, most))", oldTrigger: old == "none" ? nil : old)
    _ = made.set(false)
    return made
  }

  /// Returns the active trigger: mmc0 in `none [mmc0] timer`.
  private static func chosen(in triggers: String) -> String? {
    guard let start = triggers.firstIndex(of: "["), let end = triggers.firstIndex(of: "]"),
      start < end
    else { return nil }
    return String(triggers[triggers.index(after: start)..<end])
  }

  private static func refused(
    _ name: String, in directory: String, for light: LightName, errno: Int32
  ) -> PanelFault {
    let start = "The light \(light.rawValue) cannot use the led \(name): "
    switch errno {
    case ENOENT, ENOTDIR:
      let names = SmallFile.names(in: directory)
      let there = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
      return PanelFault(.missing, start + "it is not there; \(there).", errno: errno)
    case EACCES, EPERM:
      return PanelFault(
        .forbidden,
        start + "\(directory)/\(name)/brightness may not be written; let the group gpio write it.",
        errno: errno)
    default:
      return PanelFault(.failed, start + systemWords(for: errno) + ".", errno: errno)
    }
  }
}

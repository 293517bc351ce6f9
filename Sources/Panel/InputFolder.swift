// Finds the paths that a device's name stands for at the moment: input devices come and go. Loop
// thread only; never waits.
import Glibc
import Realtime

final class InputFolder {
  private let directory: String
  private let kernel: any InputKernel

  /// - Parameter directory: `/dev/input` on a board. It need not exist yet.
  init(_ directory: String, _ kernel: any InputKernel) {
    self.directory = directory
    self.kernel = kernel
  }

  /// The folders in which devices and their stable names come and go.
  var folders: [String] { [directory, directory + "/by-id", directory + "/by-path"] }

  /// Returns the real paths of the devices that `name` stands for: one for a path or a stable name,
  /// or all devices that report this name.
  func paths(of name: String) -> [String] {
    if name.hasPrefix("/") { return real(name).map { [$0] } ?? [] }
    for folder in ["by-id", "by-path"] {
      if let path = real("\(directory)/\(folder)/\(name)") { return [path] }
    }
    return SmallFile.names(in: directory).filter { $0.hasPrefix("event") }.compactMap { event in
      let path = directory + "/" + event
      // A device that cannot be opened does not report its name.
      guard let device = try? InputDevice.open(path, kernel), device.name == name else {
        return nil
      }
      return real(path)
    }
  }

  /// Whether there are devices that this process may not open.
  var hasClosedDevices: Bool {
    SmallFile.names(in: directory).contains {
      $0.hasPrefix("event") && access("\(directory)/\($0)", R_OK) != 0 && errno == EACCES
    }
  }

  private func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

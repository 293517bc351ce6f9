// Where input devices come and go: which paths a device's name means just now, and a descriptor
// that is readable when that may have changed. Loop thread only; never waits.
import Glibc

final class InputFolder {
  private let directory: String
  private let kernel: any InputKernel
  /// Readable after a change; -1 when changes cannot be watched.
  let descriptor: Int32
  private var parentWatch: Int32 = -1

  /// - Parameter directory: `/dev/input` on a board. It need not be there yet.
  init(_ directory: String, _ kernel: any InputKernel) {
    self.directory = directory
    self.kernel = kernel
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static let events =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB)

  /// To be called before looking: what happens from now on is told.
  func watch() {
    drain()
    if descriptor < 0 { return }
    let isThere = inotify_add_watch(descriptor, directory, Self.events) >= 0
    for folder in ["by-id", "by-path"] {
      _ = inotify_add_watch(descriptor, directory + "/" + folder, Self.events)
    }
    if isThere, parentWatch >= 0 {
      inotify_rm_watch(descriptor, parentWatch)
      parentWatch = -1
    } else if !isThere, parentWatch < 0 {
      let parent = directory.split(separator: "/").dropLast().joined(separator: "/")
      parentWatch = inotify_add_watch(descriptor, "/" + parent, Self.events)
      // It may have come in between.
      if inotify_add_watch(descriptor, directory, Self.events) >= 0 { watch() }
    }
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while descriptor >= 0, read(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// The devices that `name` means, each by its real path: one by its stable name, or all that call
  /// themselves so.
  func paths(of name: String) -> [String] {
    if name.hasPrefix("/") { return real(name).map { [$0] } ?? [] }
    for folder in ["by-id", "by-path"] {
      if let path = real("\(directory)/\(folder)/\(name)") { return [path] }
    }
    return SmallFile.names(in: directory).filter { $0.hasPrefix("event") }.compactMap { event in
      let path = directory + "/" + event
      // One that cannot be opened does not tell its name.
      guard let device = try? InputDevice.open(path, kernel), device.name == name else {
        return nil
      }
      return real(path)
    }
  }

  /// Whether there are devices that may not be opened.
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

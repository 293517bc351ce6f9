// Whether a path may have come or gone: a descriptor that is readable after something changed in
// its folder. Used by the loop's thread; never waits.

import Glibc

final class PortWatch {
  /// -1 when changes cannot be watched.
  let descriptor: Int32

  init(_ path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    let events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB)
    if descriptor >= 0 { inotify_add_watch(descriptor, "/" + folder, events) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while descriptor >= 0, read(descriptor, &bytes, bytes.count) > 0 {}
  }
}

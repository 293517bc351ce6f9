// Watches folders for entries that come or go: by inotify, which works in a sandbox without
// network, where udev's own messages do not arrive. A folder need not exist yet; then its nearest
// existing ancestor is watched. Used by the loop's thread; never waits.
import Glibc

/// Reports that files in folders come, change and go.
public final class FolderWatch {
  private let folders: [String]
  private let descriptor: Int32
  private var source: FileWatch?
  /// Ancestors of missing folders; no longer watched once those exist.
  private var stepsUp: [String: Int32] = [:]
  private static let events =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB)

  /// `changed` is called once for all events that are waiting. A new entry may not be accessible
  /// yet: its permissions are set a moment later, which calls `changed` again.
  public init(
    _ folders: [String], on loop: EventLoop, priority: EventLoop.Priority = .normal,
    changed: @escaping () -> Void
  ) throws(EventLoopError) {
    self.folders = folders
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      throw EventLoopError(errorNumber: errno, doing: "watch folders for changes")
    }
    source = try loop.watch(fileDescriptor: descriptor, for: .readable, priority: priority) {
      [unowned self] _ in
      renew()
      changed()
    }
    renew()
  }

  deinit {
    source?.stop()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Drains the events, and watches the folders that exist now.
  private func renew() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    var wanted: Set<String> = []
    for folder in folders where !isWatched(folder) { climb(from: folder, &wanted) }
    for (step, watch) in stepsUp where !wanted.contains(step) {
      if !folders.contains(step) { inotify_rm_watch(descriptor, watch) }
      stepsUp[step] = nil
    }
  }

  private func isWatched(_ folder: String) -> Bool {
    inotify_add_watch(descriptor, folder, Self.events) >= 0
  }

  /// Watches the nearest existing ancestor.
  private func climb(from folder: String, _ wanted: inout Set<String>) {
    var step = folder
    while let slash = step.lastIndex(of: "/"), step != "/" {
      step = slash == step.startIndex ? "/" : String(step[..<slash])
      let watch = inotify_add_watch(descriptor, step, Self.events)
      if watch < 0 { continue }
      stepsUp[step] = watch
      wanted.insert(step)
      // The folder may have been created in between.
      _ = isWatched(folder)
      return
    }
  }
}

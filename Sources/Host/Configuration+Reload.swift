// Which changes of the file take effect while the recorder runs, and which wait for a restart, as
// the table says of each key. Pure.

extension Configuration {
  /// The result of a reload.
  public struct Reloaded: Equatable, Sendable {
    /// The configuration in force from now on.
    public let running: Configuration
    /// Paths of keys whose new values take effect after a restart.
    public let waiting: [String]
  }

  /// Returns the result of a reload while this configuration is in force; `new` has been read.
  public func reloaded(with new: Configuration) -> Reloaded {
    var running = self
    var waiting: [String] = []
    for section in ConfigurationTable.sections {
      for key in section.group.keys where !key.isSame(self, new) {
        let description = key.description(new)
        if description.change == .live {
          key.copy(new, &running)
        } else {
          let prefix = section.name.isEmpty ? "" : section.name + "."
          waiting.append(prefix + description.path)
        }
      }
    }
    running.settle()
    return Reloaded(running: running, waiting: waiting)
  }
}

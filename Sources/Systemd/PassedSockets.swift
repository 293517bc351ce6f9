// The sockets that systemd opened for this process (sd_listen_fds). Main thread, once, at start.
// The caller closes them.
import CSystemd

/// Sockets from systemd.
public enum PassedSockets {
  /// Returns the descriptors, in the order of the unit; no child of this process gets them.
  public static func claim() -> [Int32] {
    let count = sd_listen_fds(1)
    return count > 0 ? (0..<count).map { 3 + $0 } : []
  }
}

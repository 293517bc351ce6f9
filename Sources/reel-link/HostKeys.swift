// The keys that SSH servers show for the first time: said to people, and remembered.

import Link

extension TargetFactory {
  /// The target must show this key from now on.
  func remember(_ key: HostKey, of target: TargetConfiguration, say: (String) -> Void) {
    say("\(target.name): its host key is \(key.kind) \(key.fingerprint), now known.")
    do throws(LinkError) { try remember(key, of: target) } catch {
      say("\(target.name): \(error.sentence)")
    }
  }
}

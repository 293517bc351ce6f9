// What a checkup says of copies elsewhere: a check for each target, as the program that copies last
// told of it. Pure.

extension Copying {
  var checks: [CheckupView.Check] { targets.map(\.check) }
}

extension CopyTarget {
  fileprivate var check: CheckupView.Check {
    guard console != nil else {
      return .init(
        "copies", .wrong, "\(name): reel-link is not running.",
        "Start it with 'systemctl start reel-link'; its journal says why it ended.")
    }
    let waiting = waiting ?? 0
    guard news?.condition == .failed else {
      return .init(
        "copies", .well,
        waiting == 0 ? "\(name): everything is copied." : "\(name): \(waiting) to go.")
    }
    return .init(
      "copies", .wrong, "\(name): \(news?.why ?? "the last copy failed.")",
      "'reel-link try' sends a small file to each target and says how that went.")
  }
}

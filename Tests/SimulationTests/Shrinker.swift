// Shortens a history that breaks a promise: what comes after is cut off, ever smaller pieces are
// removed, and long waits are shortened, as long as the rest still breaks one. What remains is
// printed, to be read and to be replayed from a file.

struct Shrinker {
  let breaks: (Script) -> Broken?
  /// No new attempt is begun after this time.
  let patience: Duration

  func shrink(_ script: Script, _ broken: Broken) -> (script: Script, broken: Broken) {
    let deadline = ContinuousClock.now + patience
    var best = (script: script, broken: broken)
    func attempt(_ script: Script) -> Bool {
      guard ContinuousClock.now < deadline, script != best.script, let still = breaks(script) else {
        return false
      }
      best = (script, still)
      return true
    }
    _ = attempt(cutOff(best.script, broken))
    takeOut {
      attempt($0)
    } from: {
      best.script
    }
    _ = attempt(pulledTogether(best.script))
    takeOut {
      attempt($0)
    } from: {
      best.script
    }
    _ = attempt(endingEarly(best.script))
    return best
  }

  private func takeOut(_ attempt: (Script) -> Bool, from best: () -> Script) {
    var piece = max(1, best().happenings.count / 2)
    while piece >= 1 {
      var index = 0
      while index < best().happenings.count {
        var less = best()
        let end = min(index + piece, less.happenings.count)
        less.happenings.removeSubrange(index..<end)
        if !attempt(less) { index += piece }
      }
      piece /= 2
    }
  }

  private func cutOff(_ script: Script, _ broken: Broken) -> Script {
    guard let at = broken.atMilliseconds else { return script }
    return Script(
      seed: script.seed, hours: min(script.hours, Double(at + 60_000) / 3.6e6),
      happenings: script.happenings.filter { $0.atMilliseconds <= at })
  }

  /// Returns the script with at most two minutes between its events.
  private func pulledTogether(_ script: Script) -> Script {
    var (last, saved): (Int64, Int64) = (0, 0)
    let happenings = script.happenings.map { happening in
      saved += max(0, happening.atMilliseconds - last - 120_000)
      last = happening.atMilliseconds
      return Happening(
        atMilliseconds: happening.atMilliseconds - saved, kind: happening.kind, a: happening.a,
        b: happening.b)
    }
    return Script(
      seed: script.seed, hours: max(0.1, script.hours - Double(saved) / 3.6e6),
      happenings: happenings)
  }

  private func endingEarly(_ script: Script) -> Script {
    let last = script.happenings.last?.atMilliseconds ?? 0
    return Script(
      seed: script.seed, hours: min(script.hours, Double(last + 120_000) / 3.6e6),
      happenings: script.happenings)
  }
}

// What a simulation counts, to be summed over many histories and printed at the end. Plain values.

struct SimTally: Sendable {
  var hours = 0.0
  var hoursShortened = 0.0
  var takes = 0
  var secondsRecorded = 0.0
  var presses = 0
  var commands = 0
  var cuts = 0
  var kills = 0
  var stops = 0
  var gaps = 0
  /// Silence in place of lost frames.
  var secondsSilent = 0.0
  /// Frames of the device found in files, each where it belongs.
  var framesFound: Int64 = 0
  /// Heard frames that a cut or a kill lost.
  var framesLost: Int64 = 0
  var mostLostMilliseconds: Int64 = 0
  var takesExamined = 0
  /// Files whose sound has the hash that their entries say.
  var hashesCompared = 0
  /// Takes whose frames were counted: not every world's can be.
  var takesCounted = 0
  var looks = 0
  /// How often a device delivered nothing for two seconds, and how many stops came meanwhile.
  var silencesTold = 0
  var stopsInSilence = 0
  var happenings: [Happening.Kind: Int] = [:]

  mutating func add(_ other: SimTally) {
    hours += other.hours
    hoursShortened += other.hoursShortened
    takes += other.takes
    secondsRecorded += other.secondsRecorded
    presses += other.presses
    commands += other.commands
    cuts += other.cuts
    kills += other.kills
    stops += other.stops
    gaps += other.gaps
    secondsSilent += other.secondsSilent
    framesFound += other.framesFound
    framesLost += other.framesLost
    mostLostMilliseconds = max(mostLostMilliseconds, other.mostLostMilliseconds)
    takesExamined += other.takesExamined
    hashesCompared += other.hashesCompared
    takesCounted += other.takesCounted
    looks += other.looks
    silencesTold += other.silencesTold
    stopsInSilence += other.stopsInSilence
    happenings.merge(other.happenings) { $0 + $1 }
  }

  /// The figures as they are printed, sums first.
  var figures: [(what: String, figure: String)] {
    let sums: [(String, Double)] = [
      ("hours", hours), ("hours of waiting shortened", hoursShortened), ("takes", Double(takes)),
      ("hours recorded", secondsRecorded / 3600), ("presses", Double(presses)),
      ("commands", Double(commands)), ("power cuts", Double(cuts)), ("kills", Double(kills)),
      ("stops", Double(stops)), ("gaps", Double(gaps)),
      ("seconds of silence for lost sound", secondsSilent),
      ("takes held against what was heard", Double(takesExamined)),
      ("files that have the hash of their entries", Double(hashesCompared)),
      ("frames accounted for", Double(framesFound)),
      ("frames lost to cuts and kills", Double(framesLost)),
      ("looks at the whole card", Double(looks)),
      ("silent devices told of in time", Double(silencesTold)),
      ("stops answered while the device was silent", Double(stopsInSilence)),
    ]
    var figures: [(what: String, figure: String)] = []
    for (what, sum) in sums { figures.append((what, "\(Int64(sum.rounded()))")) }
    figures.append(("most lost to a cut or kill, ms", "\(mostLostMilliseconds)"))
    for kind in Happening.Kind.allCases where !kind.isWish {
      figures.append(("fault \(kind.rawValue)", "\(happenings[kind, default: 0])"))
    }
    return figures
  }
}

extension Happening.Kind {
  /// Whether it is a user's action rather than a fault.
  var isWish: Bool {
    switch self {
    case .press, .say, .plug, .cardRoom, .clockSet, .settings, .stop: true
    default: false
    }
  }
}

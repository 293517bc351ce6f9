// What the simulation knows of each take: when it was asked for, to which opening of the device it
// belongs, how it was ended, what the device had heard at a power cut. Its file is compared with
// that, frame by frame. One thread.

@testable import Recorder

struct TakeTruth {
  let order: TakePlan
  let session: DeviceSession?
  /// When it was asked for, on the world's clock.
  let pressedNanoseconds: Int64
  /// When the sound path got the command.
  let orderedNanoseconds: Int64
  /// Whether it begins at the very frame where the part before it ends.
  let isSplit: Bool
  var end: (nanoseconds: Int64, reason: StopReason)?
  var report: TakeReport?
  /// The device's frames that its file held when it was checked; and whether it ends in sound.
  var seen: Range<Int64>?
  var endsInSound = false
}

extension TakeTruth {
  static let nothing = TakeReport(sound: Sound(), integrity: Integrity())
}

struct TakeCheck {
  let truth: TakeTruth
  let device: SimDevice
  let setup: Setup
  let title: String
  /// The encoder's look-ahead, at the rate of the file.
  let lookaheadTicks: Int64

  /// How far a frame may be from its computed place.
  private var tolerance: Int64 {
    setup.isCalm ? 1 : Int64(setup.format.rate) * 15 / 1000
  }

  /// How much later than ordered a take may end or be split.
  private var late: Int64 { Int64(setup.format.rate) / (setup.isCalm ? 8000 : 10) }

  private func broken(_ sentence: String) -> Broken {
    Broken(
      "“\(title)”, part \(truth.order.part), pressed at"
        + " \(truth.pressedNanoseconds / 1_000_000) ms: \(sentence)")
  }

  /// Checks the file; returns the device's frames that it holds. In the last two seconds of a take
  /// that was cut short, gaps may not have been saved yet.
  func check(
    _ content: SoundContent, gaps: [Gap], wasCut: Bool, began told: Instant, continues: TakeTruth?
  ) throws -> Range<Int64> {
    guard let session = truth.session else { throw broken("no device was open") }
    let exact = session.frame(atNanoseconds: startNanoseconds)
    let reckoned = Int64(exact.rounded())
    guard let first = content.sounds.first else {
      // Without sound, only the part before it tells where a split was.
      let begin = truth.isSplit ? max(reckoned, continues?.seen?.upperBound ?? 0) : reckoned
      if truth.isSplit { try checkSplit(begin, reckoned, after: continues) }
      try checkSilence(content, begin, of: session)
      try checkGaps(content, gaps, wasCut: wasCut)
      return begin..<begin + content.frames
    }
    let opening = device.firstHandedOut(of: session)
    let number = nearest(
      first, to: max(reckoned + content.lostFrames + first.position, opening))
    let begin = number - first.position
    if content.lostFrames > 0 {
      try checkLostBeginning(begin, content, wasCut: wasCut, told: told)
    } else if truth.isSplit {
      try checkSplit(begin, reckoned, after: continues)
    } else {
      try checkBeginning(begin, exact, opening, content)
    }
    if truth.isSplit, content.lostFrames == 0, let before = continues,
      let end = before.seen?.upperBound,
      abs(begin - end) > (before.endsInSound && first.position == 0 ? 0 : tolerance)
    {
      throw broken("it begins at frame \(begin), and the part before ended at \(end)")
    }
    try checkOrder(content, begin)
    try checkGaps(content, gaps, wasCut: wasCut)
    // The silence may be some frames longer or shorter than the loss.
    let last = content.sounds.last ?? first
    let end = nearest(last, to: begin + last.position) - last.position + content.frames
    return begin..<max(begin, end)
  }

  private var startNanoseconds: Int64 {
    truth.pressedNanoseconds - truth.order.prerollMilliseconds * 1_000_000
  }

  private func nearest(_ sound: SoundContent.Stretch, to reckoned: Int64) -> Int64 {
    let place = sound.place ?? 0
    let period = FrameNumbers.period
    var off = (place - reckoned) % period
    if off > period / 2 { off -= period }
    if off < -period / 2 { off += period }
    return reckoned + off
  }

  /// A take between two presses within a stall holds only silence.
  private func checkSilence(
    _ content: SoundContent, _ begin: Int64, of session: DeviceSession
  ) throws {
    for silence in content.silences where !silence.isTorn {
      // A device that is not open yet delivers no frame.
      let end = begin + silence.end - tolerance
      if end <= 0 { continue }
      let first = max(0, begin + silence.position + tolerance)
      if !device.hasMissed(first..<max(first, end), of: session) {
        throw broken("it holds no frame that was ever heard")
      }
    }
  }

  /// Expects a split at the press, or, if that comes sooner, 0.2 s after the part before it began.
  private func checkSplit(_ begin: Int64, _ pressed: Int64, after before: TakeTruth?) throws {
    guard let before = before?.seen else { return }
    // A length is counted in frames, and the device's clock drifts.
    let slack = tolerance + max(0, pressed - before.lowerBound) / 10_000
    let latest = max(pressed, before.lowerBound + Int64(setup.format.rate) / 5)
    if begin < pressed - slack || begin > latest + max(late, slack) {
      throw broken("it was split at frame \(begin) instead of \(pressed)")
    }
  }

  private func checkBeginning(
    _ begin: Int64, _ reckoned: Double, _ opening: Int64, _ content: SoundContent
  ) throws {
    // In a calm history it begins at the frame nearest to that moment, and not at the next.
    let slack = setup.isCalm ? 0.51 : Double(tolerance)
    // A device that is not open yet delivers no frame, and one that opens may miss some.
    let wanted = max(0, reckoned)
    let isRight =
      (wanted - slack...max(wanted, Double(opening)) + slack).contains(Double(begin))
      || (reckoned < 0 && (reckoned - slack...slack).contains(Double(begin)))
    if !isRight {
      throw broken(
        "it begins at frame \(begin) instead of \(wanted) of an opening at"
          + " \((truth.session?.openedNanoseconds ?? 0) / 1_000_000) ms,"
          + " with \(content.stretches.prefix(3))")
    }
  }

  /// Only a cut may lose the first pages, and then the recording says that it began later.
  private func checkLostBeginning(
    _ begin: Int64, _ content: SoundContent, wasCut: Bool, told: Instant
  ) throws {
    guard let session = truth.session else { return }
    if !wasCut { throw broken("\(content.lostFrames) frames are missing at its beginning") }
    let poweredAt = truth.pressedNanoseconds - truth.order.pressed.nanoseconds
    let said = Int64(session.frame(atNanoseconds: told.nanoseconds + poweredAt).rounded())
    if abs(said - begin) > tolerance + Int64(setup.format.rate) / 500 {
      throw broken("its beginning is lost; it says that it began at \(said) instead of \(begin)")
    }
  }

  /// Expects every heard frame in its place, or silence instead.
  private func checkOrder(_ content: SoundContent, _ begin: Int64) throws {
    var expected: (place: Int64, at: Int64)?
    for stretch in content.stretches {
      guard let place = stretch.place else { continue }
      if let (last, at) = expected {
        let gone = (place - last + FrameNumbers.period) % FrameNumbers.period
        let silent = (stretch.position - at) % FrameNumbers.period
        var off = abs(gone - silent)
        off = min(off, FrameNumbers.period - off)
        if off > tolerance {
          throw broken(
            "at \(at) there are \(stretch.position - at) frames of silence for \(gone) lost ones")
        }
        // Without silence not one frame may be missing.
        if stretch.position == at, gone != 0 {
          throw broken("at \(at) \(gone) frames are missing without a word")
        }
      }
      expected = ((place + stretch.frames) % FrameNumbers.period, stretch.end)
    }
  }

  /// Expects the same gaps in the list and in the sound.
  private func checkGaps(_ content: SoundContent, _ gaps: [Gap], wasCut: Bool) throws {
    let ticks = setup.fileRate / Int64(setup.format.rate)
    // The sound of torn packets is heard later than their position, by the encoder's look-ahead.
    let torn = content.silences.filter(\.isTorn)
    let hasHoles = !torn.isEmpty || gaps.contains { $0.cause == .cut }
    let slack = hasHoles ? lookaheadTicks : 0
    let told = joined(
      gaps.map { gap in
        let start = gap.frame + (gap.cause == .cut ? lookaheadTicks : 0)
        return start..<start + gap.frames
      })
    func range(_ stretch: SoundContent.Stretch) -> Range<Int64> {
      stretch.position * ticks..<stretch.end * ticks
    }
    let silent = joined(content.silences.map(range))
    let knownEnd = wasCut ? content.frames * ticks - 2 * setup.fileRate : .max
    // Recovery finds torn pages in the file, so these are listed up to its end.
    for silence in silent.filter({ $0.upperBound <= knownEnd }) + torn.map(range) {
      // Before the look-ahead is over, it is the sound of the lead-in that was torn out.
      if silence.upperBound <= slack { continue }
      let isSaid = told.contains {
        $0.lowerBound - slack <= silence.lowerBound && silence.upperBound <= $0.upperBound + slack
      }
      if !isSaid { throw broken("silence at \(silence) is in no list: \(gaps)") }
    }
    for gap in told {
      let isThere = silent.contains {
        // At a cut only the first part of a growing silence may be listed.
        if $0.upperBound > knownEnd, $0.lowerBound <= gap.lowerBound,
          gap.upperBound <= $0.upperBound
        {
          return true
        }
        return abs($0.lowerBound - gap.lowerBound) <= slack
          && abs($0.upperBound - gap.upperBound) <= slack
      }
      if !isThere { throw broken("a gap is listed where there is sound: \(gap) of \(silent)") }
    }
  }

  /// Expects that it ends at the requested instant.
  func checkEnd(_ seen: Range<Int64>) throws {
    guard let (nanoseconds, reason) = truth.end, let session = truth.session,
      truth.report?.integrity.stopReason == reason, reason != .cardFailed
    else { return }
    let wanted = Int64(session.frame(atNanoseconds: nanoseconds).rounded())
    if seen.upperBound < wanted - tolerance || seen.upperBound > wanted + max(late, tolerance) {
      throw broken("it ends at frame \(seen.upperBound) instead of \(wanted)")
    }
  }
}

// What is known of each take from outside: when it was wished for, of which opening of the device
// it is, how it was ended, what the device had heard when the power went. Against that its file is
// held, frame by frame. One thread.

@testable import Recorder

struct TakeTruth {
  let order: TakeOrder
  let session: DeviceSession?
  /// When it was wished for, on the world's clock.
  let pressedNanoseconds: Int64
  /// When the sound path was told.
  let orderedNanoseconds: Int64
  /// It begins at the very frame where the one it continues ends.
  let isSplit: Bool
  var end: (nanoseconds: Int64, reason: StopReason)?
  var report: TakeReport?
  /// The device's frames that its file was seen to hold, the end not counted; and whether it ends
  /// in sound.
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
  /// How far the encoder looks ahead, on Opus' clock.
  let lookaheadTicks: Int64

  /// How far a frame may be from where it is reckoned to be.
  private var tolerance: Int64 {
    setup.isCalm ? 1 : Int64(setup.format.rate) * 15 / 1000
  }

  private func broken(_ sentence: String) -> Broken {
    Broken(
      "“\(title)”, part \(truth.order.part), pressed at"
        + " \(truth.pressedNanoseconds / 1_000_000) ms: \(sentence)")
  }

  /// The device's frames the file holds. Of the last two seconds of a take that was cut short,
  /// nobody may have had the time to write down what is silence.
  func check(
    _ content: SoundContent, gaps: [Gap], wasCut: Bool, began told: Instant, continues: TakeTruth?
  ) throws -> Range<Int64> {
    guard let session = truth.session else { throw broken("no device was open") }
    let exact = session.frame(atNanoseconds: startNanoseconds)
    let reckoned = Int64(exact.rounded())
    guard let first = content.sounds.first else {
      try checkSilence(content, reckoned, of: session)
      try checkGaps(content, gaps, wasCut: wasCut)
      return reckoned..<reckoned + content.frames
    }
    let number = nearest(first, to: reckoned + first.position)
    let begin = number - first.position
    if content.lostFrames > 0 {
      try checkLostBeginning(begin, content, wasCut: wasCut, told: told)
    } else if !truth.isSplit {
      try checkBeginning(begin, exact, content)
    }
    if truth.isSplit, content.lostFrames == 0, let before = continues,
      let end = before.seen?.upperBound,
      abs(begin - end) > (before.endsInSound && first.position == 0 ? 0 : tolerance)
    {
      throw broken("it begins at frame \(begin), and the part before ended at \(end)")
    }
    try checkOrder(content, begin)
    try checkGaps(content, gaps, wasCut: wasCut)
    // Frames that were lost may be some more or fewer than the silence for them.
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

  /// A part of a stall, cut out of it by two presses, is nothing but the silence for it.
  private func checkSilence(
    _ content: SoundContent, _ reckoned: Int64, of session: DeviceSession
  ) throws {
    let first = reckoned + tolerance
    let heard = first..<max(first, reckoned + content.frames - tolerance)
    if !device.hasMissed(heard, of: session) {
      throw broken("it holds no frame that was ever heard")
    }
  }

  private func checkBeginning(
    _ begin: Int64, _ reckoned: Double, _ content: SoundContent
  ) throws {
    // Where nothing is late, the frame nearest to that moment: one further is one too far.
    let slack = setup.isCalm ? 0.51 : Double(tolerance)
    // What was heard before the device was open nobody has.
    let wanted = max(0, reckoned)
    let isRight =
      abs(Double(begin) - wanted) <= slack || (reckoned < 0 && Double(begin) <= slack)
    if !isRight {
      throw broken(
        "it begins at frame \(begin) instead of \(wanted) of an opening at"
          + " \((truth.session?.openedNanoseconds ?? 0) / 1_000_000) ms,"
          + " with \(content.stretches.prefix(3))")
    }
  }

  /// Only a cut may take what was written first, and then the recording says that it began later.
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

  /// Every frame that was heard is where it was heard, or there is silence in its place.
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
        // Not one may be missing where nothing is said.
        if stretch.position == at, gone != 0 {
          throw broken("at \(at) \(gone) frames are missing without a word")
        }
      }
      expected = ((place + stretch.frames) % FrameNumbers.period, stretch.end)
    }
  }

  /// The list of gaps and the silences are the same.
  private func checkGaps(_ content: SoundContent, _ gaps: [Gap], wasCut: Bool) throws {
    let ticks = 48_000 / Int64(setup.format.rate)
    // What was torn out would have been heard later than its packets were put there, by so much.
    let hasHoles = gaps.contains { $0.cause == .cut }
    let slack = hasHoles ? lookaheadTicks : 0
    let told = joined(
      gaps.map { gap in
        let start = gap.frame + (gap.cause == .cut ? lookaheadTicks : 0)
        return start..<start + gap.frames
      })
    let silent = joined(content.silences.map { $0.position * ticks..<$0.end * ticks })
    let knownEnd = wasCut ? content.frames * ticks - 96_000 : .max
    for silence in silent where silence.upperBound <= knownEnd {
      let isSaid = told.contains {
        $0.lowerBound - slack <= silence.lowerBound && silence.upperBound <= $0.upperBound + slack
      }
      if !isSaid { throw broken("silence at \(silence) is in no list: \(gaps)") }
    }
    for gap in told {
      let isThere = silent.contains {
        abs($0.lowerBound - gap.lowerBound) <= slack && abs($0.upperBound - gap.upperBound) <= slack
      }
      if !isThere { throw broken("a gap is listed where there is sound: \(gap) of \(silent)") }
    }
  }

  /// It ends where it was told to.
  func checkEnd(_ seen: Range<Int64>) throws {
    guard let (nanoseconds, reason) = truth.end, let session = truth.session,
      truth.report?.integrity.stopReason == reason, reason != .cardFailed
    else { return }
    let wanted = Int64(session.frame(atNanoseconds: nanoseconds).rounded())
    let late = Int64(setup.format.rate) / (setup.isCalm ? 8000 : 10)
    if seen.upperBound < wanted - tolerance || seen.upperBound > wanted + max(late, tolerance) {
      throw broken("it ends at frame \(seen.upperBound) instead of \(wanted)")
    }
  }
}

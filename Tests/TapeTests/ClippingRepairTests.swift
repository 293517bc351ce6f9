// Proves that clipped stretches come from the safety track at the main track's level and without a
// seam, that everything else stays as it is, and that a safety track that cannot help is refused.

import Glibc
import Realtime
import Testing

@testable import Tape

@Suite struct ClippingRepairTests {
  private static let fade = 240

  /// The samples of a plan's stretches, and of their fades if asked for, in one channel.
  private func places(
    _ plan: ClippingPlan, frames: Int, fades: Bool = false, channel: Int = 0
  ) -> [Int] {
    plan.stretches.filter { $0.channels & 1 << channel != 0 }.flatMap { stretch in
      let more = fades ? Self.fade : 0
      let first = max(0, Int(stretch.frames.lowerBound) - more)
      let end = min(frames, Int(stretch.frames.upperBound) + more)
      return (first..<end).map { $0 * plan.channels + channel }
    }
  }

  @Test(
    "the repaired sound is the unclipped one, softer, and elsewhere the main track's own",
    arguments: [ClippingTracks.Kind.wave, .flac])
  func lossless(kind: ClippingTracks.Kind) throws {
    let folder = Folder()
    let tracks = ClippingTracks.bursts()
    let files = try tracks.files(folder, as: kind)
    let plan = try files.plan()
    let heard = try files.repaired(plan)

    // The level, the offset and the stretches are found
    let report = plan.report
    #expect(report.levelMillibels.count == 1)
    #expect(abs(Double(report.levelMillibels[0]) + 1_230) <= 2)
    #expect(abs((plan.matches[0]?.offset ?? 0) + 0.000_7 / ClippingTracks.level) < 0.000_3)
    #expect(report.repaired == 8 && report.unrepaired == 0 && report.stillClipped == 0)

    // In stretches it is the original, and a peak is where it should be
    let wanted = tracks.original.map { $0 * plan.attenuation }
    let inside = places(plan, frames: heard.count)
    let clipped = tracks.main.indices.filter { abs(tracks.main[$0]) >= 32_767 / 32_768 }
    #expect(heard.count == tracks.main.count)
    #expect(Set(clipped).isSubset(of: inside) && clipped.count > 1_000)
    #expect(report.frames == inside.count)
    #expect(errorDecibels(heard, wanted, over: clipped) < -60)
    #expect(errorDecibels(heard, wanted, over: inside) < -60)
    let before = tracks.main.map { $0 * plan.attenuation }
    #expect(errorDecibels(before, wanted, over: clipped) > -16)
    let highest = heard.map(abs).max() ?? 0
    #expect(abs(highest - 0.891) < 0.001)

    // Elsewhere it is the main track, to the bit
    let touched = Set(places(plan, frames: heard.count, fades: true))
    #expect(touched.count < heard.count / 2)
    #expect(heard.indices.allSatisfy { touched.contains($0) || heard[$0] == before[$0] })
  }

  @Test("a fade goes in a straight line from the main track to the safety track and back")
  func fades() throws {
    // Given a safety track that hums, so that a fade shows
    let folder = Folder()
    var tracks = ClippingTracks.bursts()
    for frame in tracks.safety.indices {
      tracks.safety[frame] += 0.02 * Float(sin(2 * .pi * 50 * Double(frame) / 48_000))
    }
    let files = try tracks.files(folder)
    let plan = try files.plan()
    let match = try #require(plan.matches[0])
    let heard = try files.repaired(plan)
    var checked = 0
    for frame in places(plan, frames: heard.count, fades: true) {
      let matched = tracks.safety[frame] * match.gain + match.offset
      guard abs(matched - tracks.main[frame]) > 0.03 else { continue }
      let distance =
        plan.stretches.map {
          max(0, Int($0.frames.lowerBound) - frame, frame - Int($0.frames.upperBound) + 1)
        }.min() ?? 0
      let share =
        (heard[frame] / plan.attenuation - tracks.main[frame]) / (matched - tracks.main[frame])
      let expected = max(0, 1 - Float(distance) / Float(Self.fade + 1))
      if abs(share - expected) > 0.001 { Issue.record("\(share) at \(distance) frames") }
      if distance > 0 { checked += 1 }
    }
    #expect(checked > 1_000)
  }

  @Test("Opus: what is clipped is found in the ripple, and comes nearer to the original")
  func lossy() throws {
    let folder = Folder()
    let tracks = ClippingTracks.bursts()
    let files = try tracks.files(folder, as: .opus)
    let plan = try files.plan()
    let heard = try files.repaired(plan)
    #expect(abs(Double(plan.report.levelMillibels[0]) + 1_230) <= 5)
    let wanted = tracks.original.map { $0 * plan.attenuation }
    let clipped = tracks.main.indices.filter { abs(tracks.main[$0]) >= 32_767 / 32_768 }
    let inside = Set(places(plan, frames: heard.count, fades: true))
    let found = clipped.filter(inside.contains)
    #expect(found.count * 100 > clipped.count * 99, "\(found.count) of \(clipped.count)")
    let plain = try decoded(files.main).map { Float($0) / 32_768 * plan.attenuation }
    let (before, after) = (
      errorDecibels(plain, wanted, over: clipped), errorDecibels(heard, wanted, over: clipped)
    )
    #expect(after < -36 && after < before - 20, "\(before) dB before, \(after) dB after")
    #expect(heard.allSatisfy { abs($0) < 0.9 })
  }

  @Test("loud Opus sound that does not clip is not taken for clipped")
  func loudLossy() throws {
    let folder = Folder()
    let tracks = ClippingTracks.bursts(peak: 0.7)
    let loudest = tracks.main.map(abs).max() ?? 0
    #expect(loudest > 0.75)
    let plan = try tracks.files(folder, as: .opus).plan()
    #expect(plan.report.repaired == 0 && !plan.isNeeded)
  }

  @Test("a safety track of the other polarity is turned round")
  func polarity() throws {
    let folder = Folder()
    var tracks = ClippingTracks.bursts()
    tracks.safety = tracks.safety.map { -$0 }
    let files = try tracks.files(folder)
    let plan = try files.plan()
    let heard = try files.repaired(plan)
    let wanted = tracks.original.map { $0 * plan.attenuation }
    #expect(errorDecibels(heard, wanted, over: places(plan, frames: heard.count)) < -60)
    #expect(abs(Double(plan.report.levelMillibels[0]) + 1_230) <= 2)
  }

  @Test("stretches at the very beginning and at the very end are repaired to the last frame")
  func ends() throws {
    let folder = Folder()
    // Cut in the middle of bursts
    let whole = ClippingTracks.bursts()
    let peaks = whole.main.indices.filter { abs(whole.main[$0]) >= 32_767 / 32_768 }
    let (first, last) = (peaks[peaks.count / 4], peaks[peaks.count * 3 / 4])
    let tracks = ClippingTracks(
      original: Array(whole.original[first...last]), main: Array(whole.main[first...last]),
      safety: Array(whole.safety[first...last]))
    let files = try tracks.files(folder)
    let plan = try files.plan()
    let heard = try files.repaired(plan)
    #expect(plan.stretches.first?.frames.lowerBound == 0)
    #expect(plan.stretches.last?.frames.upperBound == Int64(heard.count))
    #expect(plan.report.unrepaired == 0)
    let wanted = tracks.original.map { $0 * plan.attenuation }
    #expect(errorDecibels(heard, wanted, over: places(plan, frames: heard.count)) < -60)
    for place in [0, heard.count - 1] { #expect(abs(heard[place] - wanted[place]) < 0.002) }
  }

  @Test("of two channels, only the one that clips is replaced, with a level of its own")
  func stereo() throws {
    let folder = Folder()
    let (quiet, loud) = (
      ClippingTracks.bursts(level: 0.3, peak: 0.5), ClippingTracks.bursts(level: 0.2)
    )
    func paired(_ left: [Float], _ right: [Float]) -> [Float] {
      zip(left, right).flatMap { [$0, $1] }
    }
    let tracks = ClippingTracks(
      original: paired(quiet.original, loud.original), main: paired(quiet.main, loud.main),
      safety: paired(quiet.safety, loud.safety), channels: 2)
    let files = try tracks.files(folder, as: .flac)
    let plan = try files.plan()
    let heard = try files.repaired(plan)
    #expect(plan.stretches.allSatisfy { $0.channels == 2 } && plan.report.repaired == 8)
    #expect(plan.report.levelMillibels == [-1_398])
    for frame in 0..<heard.count / 2 where heard[2 * frame] != quiet.main[frame] * plan.attenuation
    {
      Issue.record("the left channel is changed at \(frame)")
    }
    let wanted = tracks.original.map { $0 * plan.attenuation }
    let inside = places(plan, frames: heard.count / 2, channel: 1)
    #expect(errorDecibels(heard, wanted, over: inside) < -55)
  }

  @Test("if there are too many stretches, neighbours are joined, and none is lost")
  func bounded() throws {
    let folder = Folder()
    let tracks = ClippingTracks.bursts(seconds: 6)
    let files = try tracks.files(folder)
    let (all, few) = (try files.plan(), try files.plan(mostStretches: 5))
    #expect(all.stretches.count == 12 && (3...5).contains(few.stretches.count))
    let covered = Set(places(few, frames: tracks.main.count))
    #expect(covered.isSuperset(of: places(all, frames: tracks.main.count)))
    for (one, next) in zip(few.stretches, few.stretches.dropFirst()) {
      #expect(next.frames.lowerBound - one.frames.upperBound >= 2 * Int64(Self.fade))
    }
    let heard = try files.repaired(few)
    let wanted = tracks.original.map { $0 * few.attenuation }
    #expect(errorDecibels(heard, wanted, over: covered.sorted()) < -55)
  }

  @Test("neither the size of blocks nor a seek changes a sample; 16 bits are the same, rounded")
  func blocks() throws {
    let folder = Folder()
    let files = try ClippingTracks.bursts(seconds: 2).files(folder, as: .flac)
    let plan = try files.plan()
    let whole = try files.repaired(plan)
    for frames in [1, 7, 1_000, 200_000] {
      let heard = try files.repaired(plan, blockFrames: frames)
      #expect(heard == whole, "in blocks of \(frames)")
    }
    var reader = try files.reader(plan)
    let stretch = try #require(plan.stretches.dropFirst().first)
    for frame in [stretch.frames.lowerBound + 1, stretch.frames.lowerBound - 100, 0] {
      try reader.seek(to: frame)
      let heard = try floats(of: &reader)
      #expect(heard == Array(whole[Int(frame)...]))
    }
    try reader.seek(to: 0)
    let block = Buffer<Int16>(count: whole.count)
    let count = try reader.read(into: block.all)
    #expect(count == whole.count && Array(block.all) == whole.map(\.bits16))
  }

  @Test("a recording without clipping stays as it is, to the bit")
  func nothing() throws {
    let folder = Folder()
    let tracks = ClippingTracks.bursts(peak: 0.8)
    let files = try tracks.files(folder)
    let plan = try files.plan()
    #expect(!plan.isNeeded && plan.report.comment == nil)
    #expect(plan.report.sentences == ["Nothing is clipped, so nothing was repaired."])
    let heard = try files.repaired(plan)
    #expect(heard == tracks.main)
  }

  @Test("behind the end of a shorter safety track, the main track stays as it is")
  func shorter() throws {
    let folder = Folder()
    var tracks = ClippingTracks.bursts()
    let all = try tracks.files(folder).plan().stretches
    let other = Folder()
    tracks.safety.removeLast(tracks.safety.count / 2)
    let files = try tracks.files(other)
    let plan = try files.plan()
    #expect(plan.report.repaired > 3 && plan.report.unrepaired > 3)
    #expect(plan.report.repaired + plan.report.unrepaired == all.count)
    let heard = try files.repaired(plan)
    #expect(heard.count == tracks.main.count)
    let half = heard.count / 2
    #expect((half..<heard.count).allSatisfy { heard[$0] == tracks.main[$0] * plan.attenuation })

    // Too short for anything: nothing is repaired, and no level is changed
    tracks.safety.removeLast(tracks.safety.count - 100)
    let last = Folder()
    let none = try tracks.files(last).plan()
    #expect(none.report.repaired == 0 && none.report.unrepaired == all.count)
    #expect(none.attenuation == 1)
    #expect(none.report.sentences.count == 1)
  }

  /// The sentence with which a repair is refused.
  private func refusal(_ tracks: ClippingTracks) throws -> String? {
    let folder = Folder()
    return refusal(try tracks.files(folder))
  }

  private func refusal(_ files: ClippingFiles) -> String? {
    do throws(TapeError) {
      _ = try files.plan()
      return nil
    } catch {
      #expect(error.code == .unsupported)
      return error.sentence
    }
  }

  @Test("a safety track that cannot help is refused, with what to do")
  func refusals() throws {
    var tracks = ClippingTracks.bursts()
    let safety = tracks.safety
    // Another microphone
    tracks.safety = ClippingTracks.whiteNoise(safety.count, seed: 9).map { $0 * 0.2 }
    #expect(try refusal(tracks)?.hasPrefix("The safety track is not the sound of the main") == true)
    // The same sound, buried in noise
    tracks.safety = zip(safety, ClippingTracks.whiteNoise(safety.count, seed: 9)).map {
      $0 + 0.4 * $1
    }
    #expect(try refusal(tracks)?.hasPrefix("The safety track is not the sound of the main") == true)
    // Not plugged in
    tracks.safety = safety.map { $0 * 0.001 }
    #expect(try refusal(tracks)?.hasPrefix("The safety track is silent; check its cable") == true)
    // As loud as the main track
    tracks.safety = tracks.main
    #expect(try refusal(tracks)?.hasPrefix("The safety track clips wherever the main") == true)
    // Nothing but full scale
    tracks.main = tracks.original.map { $0 < 0 ? -1 : 1 }
    tracks.safety = safety
    #expect(try refusal(tracks)?.hasPrefix("Too little of the sound is not clipped") == true)
    // The wrong number of channels, and the wrong rate
    let folder = Folder()
    let main = try folder.put(ClippingTracks.wave(tracks.main), "main")
    for (bytes, beginning) in [
      (ClippingTracks.wave(safety, channels: 2), "Channels of the safety track: 2, of the main"),
      (ClippingTracks.wave(safety, rate: 44_100), "The safety track has 44100 Hz and the main"),
    ] {
      let files = ClippingFiles(main: main, safety: try folder.put(bytes, "safety"))
      #expect(refusal(files)?.hasPrefix(beginning) == true)
    }
  }

  @Test("a stretch in which both tracks clip is replaced and reported")
  func bothClip() throws {
    // Given one burst that is too loud for the safety track, too
    let folder = Folder()
    var tracks = ClippingTracks.bursts()
    let (rate, level) = (ClippingTracks.rate, ClippingTracks.level)
    for frame in rate..<rate + rate / 2 { tracks.original[frame] *= 4 }
    tracks.main = tracks.original.map(ClippingTracks.clipped)
    tracks.safety = tracks.original.map { ClippingTracks.clipped($0 * level) }
    let files = try tracks.files(folder)
    let plan = try files.plan()
    #expect(plan.report.repaired == 8 && plan.report.stillClipped == 1)
    let heard = try files.repaired(plan)
    // It is as loud as the safety track lets it be
    let place = try #require(tracks.safety.firstIndex { $0 >= 32_767 / 32_768 })
    #expect(abs(heard[place] / plan.attenuation - 1 / level) < 0.01)
    #expect(heard.allSatisfy { abs($0) < 0.892 })
  }

  @Test("what no converter delivers neither traps nor spreads")
  func hostile() throws {
    let folder = Folder()
    var tracks = ClippingTracks.bursts()
    let values: [Float] = [.nan, .infinity, -.infinity, 1e38, -1e38, .leastNonzeroMagnitude]
    for (index, value) in values.enumerated() {
      tracks.main[10_000 + 400 * index] = value
      tracks.safety[10_200 + 400 * index] = value
      tracks.safety[10_000 + 100 * index] = value
    }
    let files = try tracks.files(folder)
    let plan = try files.plan()
    let heard = try files.repaired(plan)
    #expect(heard.allSatisfy { $0.isFinite && abs($0) <= 0.892 })
    #expect(abs(Double(plan.report.levelMillibels[0]) + 1_230) <= 2)

    // No frames at all, in one or in both
    let empty = try folder.put(ClippingTracks.wave([]), "empty")
    let none = try ClippingFiles(main: empty, safety: empty).plan()
    #expect(none.report.repaired == 0 && none.report.unrepaired == 0)
    let one = try ClippingFiles(main: files.main, safety: empty).plan()
    #expect(one.report.repaired == 0 && one.report.unrepaired >= 8)
  }

  @Test("the first pass says how far it has come, and can be cancelled")
  func cancelled() throws {
    let folder = Folder()
    let files = try ClippingTracks.bursts().files(folder)
    var last = Progress(done: 0, of: nil)
    #expect(throws: TapeError(.cancelled, "Cancelled.")) {
      _ = try ClippingRepair.examine(
        main: try SoundReader.open(files.main), safety: try SoundReader.open(files.safety)
      ) {
        last = $0
        return $0.done < 50_000 ? .goOn : .cancel
      }
    }
    #expect((50_000..<60_000).contains(last.done) && last.total == 192_000)
  }

  @Test("a report says how much was repaired, from what level, and how much softer it is")
  func reports() throws {
    var report = ClippingReport(
      sampleRate: 48_000, repaired: 12, frames: 3_480, stillClipped: 0, unrepaired: 0,
      levelMillibels: [-1_203], attenuationMillibels: 507)
    #expect(
      report.comment
        == Tags.Comment(
          key: "REEL_REPAIRED",
          value: "stretches 12, frames 3480, safety -12.03 dB, gain -5.07 dB"))
    #expect(
      report.sentences == [
        "Clipped stretches repaired from the safety track: 12, 0.073 s in all.",
        "The safety track is 12.03 dB below the main track.",
        "The export is 5.1 dB softer than the recording.",
      ])
    (report.stillClipped, report.unrepaired) = (2, 3)
    (report.levelMillibels, report.attenuationMillibels) = ([-1_203, 8], 0)
    #expect(
      report.comment?.value
        == "stretches 12, frames 3480, safety -12.03/0.08 dB, still clipped 2, left 3")
    // A tag of an export is read again as a fact
    let comment = try #require(report.comment)
    #expect(Tags(comments: [comment]).facts == [comment])
  }
}

// Measures what encoding costs. The figures depend on the processor and on what else runs there, so
// that only their bounds are proven.

import Recorder
import Tape
import Testing

@testable import Audio

@Suite struct EncodingCostTests {
  private func tracks(_ count: Int) -> RecordSettings {
    var settings = RecordSettings()
    settings.tracks = (0..<count).map { index in
      var (track, flac) = (TrackSettings(), FlacSettings())
      (flac.bits, flac.sampleRate, flac.channels) = (24, 48_000, 1)
      (track.name, track.channels, track.format) = ("\(index)", [index], .flac(flac))
      return track
    }
    return settings
  }

  private func stream(_ channels: Int, _ samples: StreamFormat.Samples) -> StreamFormat {
    StreamFormat(rate: 48_000, channels: channels, samples: samples, periodFrames: 2_400)
  }

  @Test("noise is encoded in each kind of track and sample, and costs something")
  func measured() throws {
    let opus = try #require(RecordSettings().encodingPermille(for: stream(1, .int16)))
    let flac = try #require(tracks(8).encodingPermille(for: stream(8, .float)))
    #expect(1..<100_000 ~= opus && 1..<100_000 ~= flac)
  }

  @Test("tracks that the stream does not have cost nothing that could be said")
  func impossible() {
    #expect(tracks(3).encodingPermille(for: stream(2, .int16)) == nil)
  }

  @Test("a take's cost is that of ten seconds of its sound")
  func gauge() {
    var gauge = EncodingGauge()
    for _ in 0..<99 {
      #expect(gauge.add(nanoseconds: 25_000_000, frames: 1_600, rate: 16_000) == nil)
    }
    #expect(gauge.add(nanoseconds: 25_000_000, frames: 1_600, rate: 16_000) == 250)
    // And the next ten begin anew.
    #expect(gauge.add(nanoseconds: 0, frames: 80_000, rate: 16_000) == nil)
    #expect(gauge.add(nanoseconds: 5_000_000_000, frames: 80_000, rate: 16_000) == 500)
  }
}

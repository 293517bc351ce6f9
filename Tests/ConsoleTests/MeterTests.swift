// The level meter as text: the bar, the held peak, the words, and that it fits the screen.

import Testing

@testable import Console
@testable import Recorder

@Suite struct MeterTests {
  private func text(_ level: Double, held: Double, clips: Bool = false, columns: Int = 80) -> String
  {
    Meter(levelDecibels: level, heldDecibels: held, isClipping: clips)
      .spans(columns: columns).map(\.text).joined()
  }

  private func filled(_ level: Double) -> Int {
    text(level, held: -200).count { $0 == "━" }
  }

  @Test("the bar grows with the level, from empty at -60 dB to full at 0")
  func grows() {
    #expect(filled(-61) == 0)
    #expect(filled(-60) == 0)
    #expect(filled(-30) == 30)
    #expect(filled(0) == 60)
    #expect(filled(12) == 60)
  }

  @Test("the held peak has a stroke of its own, and a figure")
  func held() {
    let meter = text(-40, held: -10.4)
    #expect(meter.contains("┃"))
    #expect(meter.contains(" -10 dB"))
    #expect(meter.count { $0 == "━" } == 20)
  }

  @Test("silence and clipping are named")
  func words() {
    #expect(text(-90, held: -90).contains("silent"))
    #expect(!text(-90, held: -90).contains("┃"))
    #expect(text(0, held: 0, clips: true).contains("CLIP"))
    #expect(!text(0, held: 0).contains("CLIP"))
  }

  @Test("the colour warns above -6 dB and alarms when it clips")
  func style() {
    func style(_ level: Double, _ clips: Bool) -> ScreenView.Style? {
      Meter(levelDecibels: level, heldDecibels: level, isClipping: clips)
        .spans(columns: 80).dropFirst().first?.style
    }
    #expect(style(-7, false) == .playing)
    #expect(style(-5, false) == .warning)
    #expect(style(-20, true) == .fault)
  }

  @Test("it fits, however narrow the screen", arguments: 20...100)
  func fits(_ columns: Int) {
    for level in [-60.0, -59.6, -10, 0, 200] {
      #expect(Text.columns(text(level, held: level, clips: true, columns: columns)) <= columns)
    }
  }

  @Test(
    "NaN and infinite levels can be shown",
    arguments: [
      Double.nan, -.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.leastNormalMagnitude,
    ])
  func odd(_ level: Double) {
    #expect(!text(level, held: level).isEmpty)
  }
}

// What a console shows of a panel for finding faults in the wiring: every level, every edge, the
// resulting gestures, and what does not work.
import CGpioFake
import FoundationEssentials
import Testing

@testable import Panel
@testable import Recorder

extension BoardTests {
  @Suite struct ProbeTests {
    @Test("a probe shows the line's level, the button's state, and the edges that led to it")
    func press() throws {
      // Given
      let board = try TestBoard()
      let chip = board.addChip("pinctrl-test", lines: ["REC"])
      drive(chip, 0, isHigh: true, at: ago(400_000))
      let room = board.panel(
        PanelPlan(
          buttons: [
            ButtonPlan(.control(.record), .name("REC")), ButtonPlan(.control(.play), .name("NONE")),
          ],
          lights: [LightPlan(.record, .none)]))
      // When
      let pressed = ago(100)
      drive(chip, 0, isHigh: false, at: pressed)
      try board.run()
      // Then
      let probe = room.probe
      #expect(
        probe.buttons == [
          PanelProbe.Button(
            name: "record", source: .line(chip: "pinctrl-test", offset: 0, name: "REC"),
            isActive: true, isDown: true, edges: 1, strays: 0,
            lastEdge: Edge(isActive: true, at: pressed))
        ])
      #expect(probe.recent.map(\.what) == [.edge(isActive: true), .gesture(.press)])
      #expect(probe.recent.allSatisfy { $0.at == pressed && $0.button == "record" })
      #expect(probe.faults.map(\.code) == [.missing])
      #expect((1...2).contains(probe.libraryGeneration))
      // And it can be sent as JSON
      let text = try JSONEncoder().encode(probe)
      #expect(try JSONDecoder().decode(PanelProbe.self, from: text) == probe)
    }

    @Test("the history is bounded")
    func bounded() throws {
      let board = try TestBoard()
      let room = board.panel(PanelPlan())
      for step in 0..<100 {
        room.turn(.control(.mark), isDown: step % 2 == 0, at: ago(100_000 - Int64(step) * 100))
      }
      #expect(room.probe.recent.count == 64)
      #expect(room.probe.buttons.map(\.edges) == [100])
    }

    @Test("a button's source is shown as it would be configured")
    func sources() {
      let sources: [(PanelProbe.Source, String)] = [
        (.line(chip: "pinctrl-rp1", offset: 17, name: "GPIO17"), "GPIO17 (pinctrl-rp1 17)"),
        (.line(chip: "pinctrl-rp1", offset: 30, name: ""), "pinctrl-rp1 30"),
        (.key(device: "usb-Pedal", key: "KEY_B"), "KEY_B of usb-Pedal"), (.virtual, "virtual"),
      ]
      for (source, text) in sources { #expect("\(source)" == text) }
    }
  }
}

// Events of an input device, and the gestures made of them: presses and releases alternate, none is
// out of order, and the result does not depend on how often time advances.

import CInput
import Glibc
import Recorder

@testable import Panel

extension FuzzTarget {
  static let input = FuzzTarget(
    name: "input", limitBytes: 1536,
    seeds: {
      func event(_ type: Int32, _ code: Int32, _ value: Int32, at milliseconds: Int) -> [UInt8] {
        var event = input_event()
        event.time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        (event.type, event.code, event.value) = (UInt16(type), UInt16(code), value)
        return withUnsafeBytes(of: event) { Array($0) }
      }
      let press = event(EV_KEY, 30, 1, at: 100) + event(EV_KEY, 30, 0, at: 250)
      let again = event(EV_KEY, 30, 1, at: 300) + event(EV_SYN, SYN_REPORT, 0, at: 300)
      let dropped = event(EV_SYN, SYN_DROPPED, 0, at: 400) + event(EV_SYN, SYN_REPORT, 0, at: 401)
      let long = event(EV_KEY, 30, 1, at: 1000) + event(EV_KEY, 30, 2, at: 3000)
      return [
        press, press + again, press + dropped + long, long + event(EV_KEY, 30, 0, at: 99_000),
      ]
    },
    run: { bytes in
      let edges = try edges(in: bytes)
      var (seldom, often) = (button(), button())
      var (all, piecemeal): ([GestureEffect], [GestureEffect]) = ([], [])
      var latest = Int64(0)
      for edge in edges {
        // The kernel's clock does not go back, and is far from its end.
        latest = max(latest, min(max(edge.at.nanoseconds, 0), 1 << 60))
        let edge = Edge(isActive: edge.isActive, at: Instant(nanoseconds: latest))
        if let due = often.due, due <= edge.at { piecemeal += often.advance(to: due) }
        all += seldom.handle(edge)
        piecemeal += often.handle(edge)
      }
      let end = Instant(nanoseconds: latest).adding(milliseconds: 100_000)
      all += seldom.advance(to: end)
      piecemeal += often.advance(to: end)
      try prove(all == piecemeal && seldom == often, "gestures depend on when time is told")
      try judge(all)
    })

  private static func button() -> Gestures {
    Gestures(GestureTiming(), isActive: false, at: Instant(nanoseconds: 0))
  }

  private static func edges(in bytes: [UInt8]) throws -> [Edge] {
    let edges = try withFile(bytes) { path in
      let device = try InputDevice.open(path, NoKernel())
      var edges: [Edge] = []
      // Unlike a pipe, a file is at its end once it has been read.
      for _ in 0...bytes.count {
        let (more, isGone) = device.read(watched: [30, 48])
        edges += more.map { $0.edge }
        if isGone { return edges }
      }
      throw Broken("the end of a device is not seen")
    }
    let most = bytes.count / MemoryLayout<input_event>.size * 2
    try prove(edges.count <= most, "more edges than there were events")
    return edges
  }

  private struct NoKernel: InputKernel {
    func name(_ descriptor: Int32) -> String? { nil }
    func prepare(_ descriptor: Int32, isGrabbed: Bool) -> Int32 { 0 }
    func keysDown(_ descriptor: Int32) -> Set<UInt16>? { [30] }
  }

  private static func judge(_ effects: [GestureEffect]) throws {
    var isDown = false
    var last = Instant(nanoseconds: 0)
    for effect in effects {
      guard case .turned(let isOn, let instant) = effect else { continue }
      try prove(isOn != isDown, "twice the same in a row")
      try prove(instant >= last, "gestures out of order")
      (isDown, last) = (isOn, instant)
    }
  }
}

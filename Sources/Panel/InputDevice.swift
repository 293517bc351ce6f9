// One Linux input device that is open, and the edges of its keys. Read by the loop's thread when
// there is something; never waits. When the kernel dropped events, the keys are asked how they are.
import CInput
import Glibc
import Recorder

/// What only a real input device can be asked; a test that has none answers itself.
protocol InputKernel {
  func name(_ descriptor: Int32) -> String?
  /// 0, or the negative errno of what was refused.
  func prepare(_ descriptor: Int32, isGrabbed: Bool) -> Int32
  func keysDown(_ descriptor: Int32) -> Set<UInt16>?
}

struct LinuxInput: InputKernel {
  func name(_ descriptor: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard cinput_name(descriptor, &name, UInt(name.count)) >= 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func prepare(_ descriptor: Int32, isGrabbed: Bool) -> Int32 {
    let result = cinput_use_monotonic_clock(descriptor)
    return result < 0 || !isGrabbed ? result : cinput_grab(descriptor)
  }

  func keysDown(_ descriptor: Int32) -> Set<UInt16>? {
    var bits = [UInt8](repeating: 0, count: Int(CINPUT_KEY_BYTES))
    guard cinput_keys_down(descriptor, &bits) >= 0 else { return nil }
    let down = (0..<UInt16(KEY_MAX)).filter { bits[Int($0) / 8] & (1 << ($0 % 8)) != 0 }
    return Set(down)
  }
}

final class InputDevice {
  let path: String
  let descriptor: Int32
  /// Set while what arrives is the rest of something whose beginning was lost.
  private var hasDropped = false
  private let kernel: any InputKernel

  private init(_ path: String, _ descriptor: Int32, _ kernel: any InputKernel) {
    self.path = path
    self.descriptor = descriptor
    self.kernel = kernel
  }

  deinit { close(descriptor) }

  struct Refusal: Error { let errno: Int32 }

  static func open(
    _ path: String, _ kernel: any InputKernel
  ) throws(Refusal) -> InputDevice {
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { throw Refusal(errno: errno) }
    return InputDevice(path, descriptor, kernel)
  }

  var name: String? { kernel.name(descriptor) }

  func prepare(isGrabbed: Bool) throws(Refusal) {
    let result = kernel.prepare(descriptor, isGrabbed: isGrabbed)
    if result < 0 { throw Refusal(errno: -result) }
  }

  var keysDown: Set<UInt16> { kernel.keysDown(descriptor) ?? [] }

  struct KeyEdge: Equatable {
    let code: UInt16
    let edge: Edge
  }

  /// What waits; `isGone` when nothing ever will again.
  func read(watched: Set<UInt16>) -> (edges: [KeyEdge], isGone: Bool) {
    var edges: [KeyEdge] = []
    var events = [cinput_event](
      repeating: cinput_event(), count: Int(CINPUT_EVENTS_AT_ONCE))
    while true {
      let count = Int(cinput_read(descriptor, &events))
      if count < 0 { return (edges, true) }
      for event in events.prefix(count) { hear(event, watched, &edges) }
      if count < events.count { return (edges, false) }
    }
  }

  private func hear(_ event: cinput_event, _ watched: Set<UInt16>, _ edges: inout [KeyEdge]) {
    let instant = Instant(nanoseconds: event.nanoseconds)
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_SYN, SYN_DROPPED): hasDropped = true
    case (EV_SYN, SYN_REPORT):
      guard hasDropped else { return }
      hasDropped = false
      let down = keysDown
      for code in watched.sorted() {
        edges.append(
          KeyEdge(code: code, edge: Edge(isActive: down.contains(code), at: instant)))
      }
    case (EV_KEY, _):
      // 2 is the keyboard repeating itself.
      guard !hasDropped, event.value != 2, watched.contains(event.code) else { return }
      edges.append(
        KeyEdge(code: event.code, edge: Edge(isActive: event.value != 0, at: instant)))
    default: break
    }
  }
}

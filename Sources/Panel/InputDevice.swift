// An open Linux input device, and the edges of its keys. Read by the loop's thread when it is
// readable; never waits. If the kernel dropped events, the state of the keys is read.
import CInput
import Glibc
import Recorder

/// The ioctls of a real input device; a test gives answers of its own.
protocol InputKernel {
  func name(_ descriptor: Int32) -> String?
  /// Returns 0, or the negative errno of what was refused.
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
  /// True while events are incomplete: from SYN_DROPPED to the next SYN_REPORT.
  private var hasDropped = false
  private let kernel: any InputKernel

  private init(_ path: String, _ descriptor: Int32, _ kernel: any InputKernel) {
    self.path = path
    self.descriptor = descriptor
    self.kernel = kernel
  }

  deinit { close(descriptor) }

  struct OpenError: Error { let errno: Int32 }

  static func open(
    _ path: String, _ kernel: any InputKernel
  ) throws(OpenError) -> InputDevice {
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { throw OpenError(errno: errno) }
    return InputDevice(path, descriptor, kernel)
  }

  var name: String? { kernel.name(descriptor) }

  func prepare(isGrabbed: Bool) throws(OpenError) {
    let result = kernel.prepare(descriptor, isGrabbed: isGrabbed)
    if result < 0 { throw OpenError(errno: -result) }
  }

  var keysDown: Set<UInt16> { kernel.keysDown(descriptor) ?? [] }

  struct KeyEdge: Equatable {
    let code: UInt16
    let edge: Edge
  }

  /// Reads the edges that wait; `isGone` if the device is gone.
  func read(watched: Set<UInt16>) -> (edges: [KeyEdge], isGone: Bool) {
    var edges: [KeyEdge] = []
    var events = [cinput_event](
      repeating: cinput_event(), count: Int(CINPUT_EVENTS_AT_ONCE))
    while true {
      let count = Int(cinput_read(descriptor, &events))
      if count < 0 { return (edges, true) }
      for event in events.prefix(count) { handle(event, watched, &edges) }
      if count < events.count { return (edges, false) }
    }
  }

  private func handle(_ event: cinput_event, _ watched: Set<UInt16>, _ edges: inout [KeyEdge]) {
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
      // 2 is autorepeat.
      guard !hasDropped, event.value != 2, watched.contains(event.code) else { return }
      edges.append(
        KeyEdge(code: event.code, edge: Edge(isActive: event.value != 0, at: instant)))
    default: break
    }
  }
}

// One line of a GPIO chip, held by this process until this value is dropped. Loop thread only;
// nothing here waits.
import CGPIO
import Glibc
import Recorder

struct GpioLine: ~Copyable {
  private let handle: OpaquePointer

  private init(adopting handle: OpaquePointer) { self.handle = handle }

  deinit { cgpio_release(handle) }

  /// - Returns: the line; nil if it was refused, with the negative errno in `refused`.
  static func input(
    _ place: LinePlace, bias: Bias, isActiveLow: Bool, consumer: String, _ refused: inout Int32
  ) -> GpioLine? {
    let wiring = cgpio_wiring(
      offset: UInt32(place.offset), is_active_low: isActiveLow, bias: bias.code,
      drive: CGPIO_DRIVE_PUSH_PULL)
    var made: OpaquePointer?
    refused = cgpio_request_input(place.path, wiring, consumer, &made)
    return made.map { GpioLine(adopting: $0) }
  }

  /// The line starts inactive.
  static func output(
    _ place: LinePlace, drive: Drive, isActiveLow: Bool, consumer: String, _ refused: inout Int32
  ) -> GpioLine? {
    let wiring = cgpio_wiring(
      offset: UInt32(place.offset), is_active_low: isActiveLow, bias: CGPIO_BIAS_AS_IS,
      drive: drive.code)
    var made: OpaquePointer?
    refused = cgpio_request_output(place.path, wiring, consumer, &made)
    return made.map { GpioLine(adopting: $0) }
  }

  var descriptor: Int32 { cgpio_descriptor(handle) }

  /// Nil if the line can no longer be read.
  var isActive: Bool? {
    let value = cgpio_value(handle)
    return value < 0 ? nil : value == 1
  }

  /// Returns 0, or a negative errno.
  func set(_ isActive: Bool) -> Int32 { cgpio_set(handle, isActive) }

  /// Reads the edges that wait. `mayHaveLost`: the kernel may have dropped some. `result`: a
  /// negative errno on failure.
  func read() -> (edges: [Edge], mayHaveLost: Bool, result: Int32) {
    var mayHaveLost = false
    var result: Int32 = 0
    let edges = [cgpio_edge](unsafeUninitializedCapacity: Int(CGPIO_EDGES_AT_ONCE)) {
      result = cgpio_read_edges(handle, $0.baseAddress, &mayHaveLost)
      $1 = Int(max(0, result))
    }
    let read = edges.map { Edge(isActive: $0.is_active, at: Instant(nanoseconds: $0.nanoseconds)) }
    return (read, mayHaveLost, result)
  }

  /// The generation of libgpiod in use.
  static var generation: Int { Int(cgpio_generation()) }
}

extension Bias {
  fileprivate var code: cgpio_bias {
    switch self {
    case .asIs: CGPIO_BIAS_AS_IS
    case .none: CGPIO_BIAS_DISABLED
    case .pullUp: CGPIO_BIAS_PULL_UP
    case .pullDown: CGPIO_BIAS_PULL_DOWN
    }
  }
}

extension Drive {
  fileprivate var code: cgpio_drive {
    switch self {
    case .pushPull: CGPIO_DRIVE_PUSH_PULL
    case .openDrain: CGPIO_DRIVE_OPEN_DRAIN
    case .openSource: CGPIO_DRIVE_OPEN_SOURCE
    }
  }
}

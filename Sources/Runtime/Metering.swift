// The level meter. It measures while a console, a client or a checkup needs it. Used by the loop's
// thread.

import Console
import Recorder

/// The level meter, shared by those who need it.
public final class Metering {
  private let turn: (_ isOn: Bool) -> Void
  private let measured: () -> Float?
  private var users = 0
  private var hold = MeterHold()
  /// The consoles that draw a meter, by their numbers.
  private var screens: [Int: (Meter) -> Void] = [:]

  /// - Parameters:
  ///   - turn: starts and stops the measuring.
  ///   - peak: returns the current peak, where 1 is full scale; nil while no device is open.
  public init(turn: @escaping (_ isOn: Bool) -> Void, peak: @escaping () -> Float?) {
    (self.turn, measured) = (turn, peak)
  }

  public var peak: Float? { measured() }

  /// Starts measuring. Each start needs one stop.
  public func start() {
    users += 1
    if users == 1 { turn(true) }
  }

  /// Stops measuring when the last user stops.
  public func stop() {
    users -= 1
    precondition(users >= 0, "a meter is stopped that was not started")
    if users == 0 { turn(false) }
  }

  func show(on console: Int, nowNanoseconds: Int64) {
    guard let peak else { return }
    screens[console]?(hold.meter(peak: peak, nowNanoseconds: nowNanoseconds))
  }

  func add(_ screen: @escaping (Meter) -> Void, of console: Int) { screens[console] = screen }
}

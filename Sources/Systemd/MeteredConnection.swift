// Whether the network connection costs by the byte, as NetworkManager says on the system bus, when
// it starts and at each change. Make it, use it and drop it on the loop's thread. It never waits
// for the bus: without one, or without NetworkManager, the connection counts as free.
import CSystemd
import Glibc

/// Follows `Metered` of NetworkManager.
public final class MeteredConnection {
  public private(set) var isMetered = false
  /// Called when that has changed.
  public var onChange: () -> Void = {}
  private let address: String
  private let loop: EventLoop
  private var bus: OpaquePointer?
  private var timer: Timer?
  /// A bus that was started again is found, and a change that was missed.
  private static let pollMilliseconds: Int64 = 600_000
  private static let timeoutMicroseconds: UInt64 = 10_000_000

  /// - Parameter address: of the bus; that of this machine unless a test has its own.
  public init(address: String? = nil, on loop: EventLoop) throws(EventLoopError) {
    self.address =
      address ?? getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      ?? "unix:path=/run/dbus/system_bus_socket"
    self.loop = loop
    timer = try loop.timer(
      everyMilliseconds: Self.pollMilliseconds, slackMilliseconds: Self.pollMilliseconds / 2
    ) { [unowned self] in ask() }
    ask()
  }

  deinit { disconnect() }

  fileprivate func ask() {
    if bus == nil || sd_bus_is_open(bus) <= 0 { connect() }
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    guard
      sd_bus_message_new_method_call(
        bus, &message, Self.manager, Self.path, Self.properties, "Get") >= 0,
      sd_bus_message_append_basic(message, Self.textType, Self.manager) >= 0,
      sd_bus_message_append_basic(message, Self.textType, "Metered") >= 0,
      sd_bus_call_async(
        bus, nil, message, answered, Unmanaged.passUnretained(self).toOpaque(),
        Self.timeoutMicroseconds) >= 0
    else { return note(false) }
  }

  private func connect() {
    disconnect()
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard sd_bus_new(&bus) >= 0, sd_bus_set_address(bus, address) >= 0,
      sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0,
      sd_bus_attach_event(bus, loop.handle.pointer, 0) >= 0,
      sd_bus_match_signal_async(
        bus, nil, Self.manager, Self.path, Self.properties, "PropertiesChanged", changed, nil,
        context) >= 0
    else { return disconnect() }
  }

  private func disconnect() {
    guard let bus else { return }
    sd_bus_detach_event(bus)
    sd_bus_close(bus)
    sd_bus_unref(bus)
    self.bus = nil
  }

  private func note(_ isMetered: Bool) {
    if self.isMetered == isMetered { return }
    self.isMetered = isMetered
    onChange()
  }

  /// Reads the answer to `ask()`.
  fileprivate func receive(_ answer: OpaquePointer?) {
    var value: UInt32 = 0
    guard sd_bus_message_is_method_error(answer, nil) == 0,
      sd_bus_message_enter_container(answer, Self.variantType, "u") > 0,
      sd_bus_message_read_basic(answer, Self.numberType, &value) > 0
    else { return note(false) }
    // 1 is NM_METERED_YES. 3 is NM_METERED_GUESS_YES: NetworkManager guesses it of a phone.
    note(value == 1 || value == 3)
  }

  private static let manager = "org.freedesktop.NetworkManager"
  private static let path = "/org/freedesktop/NetworkManager"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let textType = CChar(bitPattern: UInt8(ascii: "s"))
  private static let numberType = CChar(bitPattern: UInt8(ascii: "u"))
  private static let variantType = CChar(bitPattern: UInt8(ascii: "v"))
}

private let answered: sd_bus_message_handler_t = { message, context, _ in
  if let context {
    Unmanaged<MeteredConnection>.fromOpaque(context).takeUnretainedValue().receive(message)
  }
  return 0
}

private let changed: sd_bus_message_handler_t = { _, context, _ in
  if let context {
    Unmanaged<MeteredConnection>.fromOpaque(context).takeUnretainedValue().ask()
  }
  return 0
}

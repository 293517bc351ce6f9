// A connection that costs by the byte, as a NetworkManager on a bus of the test's own says.
import CSystemd
import Glibc
import Scratch
import Testing

@testable import Systemd

@Suite struct MeteredConnectionTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path + "/bus" }

  @Test(
    "what NetworkManager says or guesses is known",
    arguments: [(0, false), (1, true), (2, false), (3, true), (4, false)] as [(UInt32, Bool)])
  func values(said: UInt32, isMetered: Bool) throws {
    let bus = try FakeBus(at: path, metered: said)
    let loop = try EventLoop()
    let connection = try MeteredConnection(address: "unix:path=\(path)", on: loop)
    try bus.turn(with: loop) { bus.answers == 1 }
    try bus.turn(with: loop) { connection.isMetered == isMetered }
  }

  @Test("a change is told once, and an error means that it is free")
  func changes() throws {
    let bus = try FakeBus(at: path, metered: 2)
    let loop = try EventLoop()
    let connection = try MeteredConnection(address: "unix:path=\(path)", on: loop)
    var changes: [Bool] = []
    connection.onChange = { [unowned connection] in changes.append(connection.isMetered) }
    try bus.turn(with: loop) { bus.answers == 1 }

    // When the phone's network takes over, and an unrelated property changes
    bus.metered = 1
    try bus.tellChange()
    try bus.turn(with: loop) { connection.isMetered }
    try bus.tellChange()
    try bus.turn(with: loop) { bus.answers == 3 }
    // and NetworkManager no longer says anything
    bus.metered = nil
    try bus.tellChange()
    try bus.turn(with: loop) { !connection.isMetered }
    #expect(changes == [true, false])
  }

  @Test("without a bus, or with one that never answers, nothing waits and it is free")
  func nothing() throws {
    let loop = try EventLoop()
    let none = try MeteredConnection(address: "unix:path=\(path)", on: loop)
    let silent = try FakeBus(at: path, metered: 1)
    let waiting = try MeteredConnection(address: "unix:path=\(path)", on: loop)
    for _ in 0..<5 { _ = try loop.runOneTurn(waitingAtMostMilliseconds: 1) }
    #expect(!none.isMetered && !waiting.isMetered && silent.answers == 0)
  }
}

/// The system bus with NetworkManager on it, for one client, on the test's thread.
private final class FakeBus {
  /// Nil if there is no such property.
  var metered: UInt32?
  private(set) var answers = 0
  private let listener: Int32
  private var bus: OpaquePointer?

  init(at path: String, metered: UInt32) throws {
    self.metered = metered
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && listen(listener, 4) == 0)
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if let bus {
      sd_bus_close(bus)
      sd_bus_unref(bus)
    }
    close(listener)
  }

  /// Lets both sides go on until something is so.
  func turn(with loop: EventLoop, until isSo: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while !isSo() {
      try #require(ContinuousClock.now < deadline, "it never happened")
      let client = bus == nil ? accept(listener, nil, nil) : -1
      if client >= 0 { try serve(client) }
      while let bus, sd_bus_process(bus, nil) > 0 {}
      _ = try loop.runOneTurn(waitingAtMostMilliseconds: 5)
    }
  }

  private func serve(_ client: Int32) throws {
    _ = fcntl(client, F_SETFL, O_NONBLOCK)
    var identity = sd_id128_t()
    try #require(sd_id128_randomize(&identity) >= 0)
    try #require(sd_bus_new(&bus) >= 0 && sd_bus_set_fd(bus, client, client) >= 0)
    try #require(sd_bus_set_server(bus, 1, identity) >= 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    try #require(sd_bus_add_filter(bus, nil, called, context) >= 0 && sd_bus_start(bus) >= 0)
  }

  func tellChange() throws {
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    let isMade = sd_bus_message_new_signal(
      bus, &message, "/org/freedesktop/NetworkManager", "org.freedesktop.DBus.Properties",
      "PropertiesChanged")
    try #require(isMade >= 0)
    sd_bus_message_set_sender(message, "org.freedesktop.NetworkManager")
    try #require(sd_bus_send(bus, message, nil) >= 0)
  }

  fileprivate func answer(_ call: OpaquePointer?) {
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    if sd_bus_message_is_method_call(call, nil, "Get") > 0 {
      answers += 1
      guard var metered else {
        sd_bus_reply_method_errno(call, ENOENT, nil)
        return
      }
      sd_bus_message_new_method_return(call, &reply)
      sd_bus_message_open_container(reply, CChar(bitPattern: UInt8(ascii: "v")), "u")
      sd_bus_message_append_basic(reply, CChar(bitPattern: UInt8(ascii: "u")), &metered)
      sd_bus_message_close_container(reply)
    } else {
      sd_bus_message_new_method_return(call, &reply)
      if sd_bus_message_is_method_call(call, nil, "Hello") > 0 {
        sd_bus_message_append_basic(reply, CChar(bitPattern: UInt8(ascii: "s")), ":1.7")
      }
    }
    sd_bus_send(nil, reply, nil)
  }
}

private let called: sd_bus_message_handler_t = { message, context, _ in
  guard let context, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
  Unmanaged<FakeBus>.fromOpaque(context).takeUnretainedValue().answer(message)
  return 1
}

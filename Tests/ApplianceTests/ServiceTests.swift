// The appliance as a service: what it reports to a service manager, here a datagram socket in
// systemd's place, and what happens to a take when it is started again after a crash.

import Glibc
import Testing

@Suite actor ServiceTests: Desk {
  nonisolated let chair = Chair()

  @Test("it reports READY, its status, the watchdog, and STOPPING")
  func tells() throws {
    let scratch = Scratch()
    let manager = try #require(Manager(scratch.path + "/notify"))
    let child = try scratch.reeld(
      ["--virtual", "--headless", "--root", scratch.root],
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "300000"])
    try manager.handle("READY=1")
    try manager.handle("WATCHDOG=1")
    #expect(manager.heard.contains { $0.hasPrefix("STATUS=Ready") })
    let count = manager.heard.count { $0 == "WATCHDOG=1" }
    try until("more signs of life") {
      manager.listen()
      return manager.heard.count { $0 == "WATCHDOG=1" } > count + 2
    }
    child.send(SIGHUP)
    try manager.handle("RELOADING=1")
    child.send(SIGTERM)
    try manager.handle("STOPPING=1")
    #expect(try scratch.result(of: child).ending == .exited(0))
  }

  @Test("a manager that does not read holds nothing up, and gets READY when it reads again")
  func deafManager() throws {
    let scratch = Scratch()
    let manager = try #require(Manager(scratch.path + "/notify"))
    manager.fill()
    let child = try scratch.reeld(
      ["--virtual", "--headless", "--root", scratch.root],
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "300000"])
    // The recorder serves clients although READY could not be sent.
    let socket = scratch.root + "/run/control.sock"
    try until("an answer") {
      try scratch.run(Talker.reelctl, "--socket", socket, "status").ending == .exited(0)
    }
    #expect(!manager.heard.contains("READY=1"))
    try manager.handle("READY=1")
    try manager.handle("WATCHDOG=1")
    #expect(manager.heard.contains { $0.hasPrefix("STATUS=") })
    child.send(SIGTERM)
    try until("the end of reeld") { child.hasEnded() }
  }

  @Test("started again after a crash in a take, it records on; else it waits for a press")
  func recordsOn() throws {
    let scratch = Scratch()
    // The socket need not exist.
    let environment = ["NOTIFY_SOCKET": scratch.path + "/nobody"]
    let first = try Seat(scratch, environment: environment)
    try first.see("■ Ready", " dB")
    first.type("r")
    try first.see("● RECORDING")
    try until("sound on the card") { scratch.recordedBytes > 10_000 }
    first.child.send(SIGKILL)
    #expect(try first.ending() == .killed(SIGKILL))

    let second = try Seat(scratch, environment: environment)
    try second.see("● RECORDING")
    try second.stop()
    try second.see("■ Ready")
    // The thread of the small files may still wait for the card.
    try until("the end of the take's mark") { access(scratch.root + "/run/recording", F_OK) != 0 }
    second.child.send(SIGKILL)
    #expect(try second.ending() == .killed(SIGKILL))

    let third = try Seat(scratch, environment: environment)
    try third.see("■ Ready", " dB")
    #expect(scratch.soundFiles.count == 2)
  }

  @Test("started by hand after a crash, it waits for a press")
  func byHand() throws {
    let first = try Seat.ready()
    first.type("r")
    try first.see("● RECORDING")
    try until("sound on the card") { first.scratch.recordedBytes > 10_000 }
    first.child.send(SIGKILL)
    #expect(try first.ending() == .killed(SIGKILL))
    let second = try Seat.ready(first.scratch)
    #expect(second.scratch.soundFiles.count == 1)
  }
}

/// Receives what reeld sends to a service manager.
private final class Manager {
  let path: String
  private let socket: Int32
  private(set) var heard: [String] = []

  init?(_ path: String) {
    self.path = path
    socket = Glibc.socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = path.utf8.count < MemoryLayout.size(ofValue: address.sun_path)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) == 0 }
    }
    if !fits || !isBound { return nil }
  }

  deinit { close(socket) }

  /// Fills the socket's buffer until a send would block.
  func fill() {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let kind = SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let sender = Glibc.socket(AF_UNIX, Int32(kind), 0)
    defer { close(sender) }
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        while sendto(sender, "X=1", 3, 0, $0, size) == 3 {}
      }
    }
  }

  func listen() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &bytes, bytes.count, 0)
      if count <= 0 { return }
      heard += String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        .map(String.init)
    }
  }

  func handle(_ message: String) throws {
    try until(message) {
      listen()
      return heard.contains(message)
    }
  }
}

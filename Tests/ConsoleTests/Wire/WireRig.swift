// The control socket with the reducer behind it and clients in front, all on one thread: a client
// writes, the loop turns, the client reads. Nothing here waits for a fixed time.

import Glibc
import JSON
import Loop
import Realtime
import Recorder
import Scratch
import Systemd
import Testing

@testable import Console

final class WireRig {
  let bench = Bench()
  let loop: EventLoop
  private let scratch = ScratchFolder()
  var path: String { scratch.path }
  private(set) var socket: ControlSocket?
  var peak: Float? = 0.5
  private(set) var isMetering = false
  private(set) var isCollecting = false
  /// What the microphone hears, until it is read.
  var live: [LiveBlock] = []
  /// Passed files that the socket keeps, by their numbers.
  private(set) var kept: [Int: Int32] = [:]
  private var lastKept = 0
  /// Files for clients, by their numbers.
  var offered: [Int: Int32] = [:]

  init() throws {
    loop = try EventLoop()
    let bench = bench
    socket = try ControlSocket(
      at: path + "/control.sock", on: loop,
      ControlSocket.Dependencies(
        state: { bench.state }, send: { bench.send($0) },
        observe: { bench.store?.observe($0, with: $1) },
        showStatus: { take in
          guard let store = bench.store else { preconditionFailure("a bench has a store") }
          return store.show(StatusView.init, to: take)
        }, peak: { [unowned self] in peak }, meter: { [unowned self] in isMetering = $0 },
        live: ControlSocket.Live(
          turn: { [unowned self] in isCollecting = $0 },
          read: { [unowned self] in
            defer { live = [] }
            return live
          }),
        files: ControlSocket.Files(
          keep: { [unowned self] in keep($0) }, drop: { [unowned self] in drop($0) },
          claim: { [unowned self] in offered.removeValue(forKey: $0) })))
    bench.onAnswer = { [unowned self] answer, origin, isLast in
      if case .client(let id, let request) = origin {
        socket?.answer(id, request, answer, isLast: isLast)
      }
    }
  }

  private func keep(_ file: Int32) -> Int {
    lastKept += 1
    kept[lastKept] = file
    return lastKept
  }

  private func drop(_ number: Int) {
    for file in [kept.removeValue(forKey: number), offered.removeValue(forKey: number)] {
      if let file { Glibc.close(file) }
    }
  }

  // The socket deletes its file, before the directory goes.
  deinit { socket = nil }

  func close() { socket = nil }

  /// Turns the loop until `isSo` holds; returns false after 20,000 turns.
  func turn(until isSo: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<20_000 {
      if try isSo() { return true }
      // If the loop fails, `isSo` never holds and the test fails.
      _ = try? loop.runOneTurn(waitingAtMostMilliseconds: 5)
    }
    return try isSo()
  }

  func client() throws -> Caller {
    let file = try SocketFile.connect(to: path + "/control.sock")
    return Caller(dup(file.descriptor), self)
  }

  /// Connects a client that may only look.
  func spectator() throws -> Caller {
    let (mine, theirs) = try SocketFile.pair()
    socket?.serve(SocketFile.adopt(theirs), access: .status)
    return Caller(mine, self)
  }
}

/// The other end of a connection.
final class Caller {
  private let descriptor: Int32
  private unowned let rig: WireRig
  private var input: [UInt8] = []
  private(set) var isOver = false
  private var lastID = 0
  /// Passed with what was read.
  private var files: [Int32] = []

  init(_ descriptor: Int32, _ rig: WireRig) {
    self.descriptor = descriptor
    self.rig = rig
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { for file in files + [descriptor] { close(file) } }

  /// Returns the oldest file that was passed, which the caller must close.
  func takeFile() -> Int32? { files.isEmpty ? nil : files.removeFirst() }

  /// Writes as many bytes as fit now; returns their count.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Int {
    let count = bytes.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count < 0, errno != EAGAIN { isOver = true }
    return max(0, count)
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// Sends a line with open files.
  func pass(_ text: String, _ files: [Int32]) {
    #expect(SocketFile.send(Array(text.utf8)[...], with: files, to: descriptor) == text.utf8.count)
  }

  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  @discardableResult
  func ask(_ request: WireRequest.Body, id: Int? = nil) throws -> Int {
    lastID += 1
    let request = WireRequest(id: id ?? lastID, request)
    write(try JSON.encode(request) + [10])
    return request.id
  }

  func read() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let came = SocketFile.receive(from: descriptor, into: &buffer)
      let count = came.count
      files += came.files
      if count > 0 {
        input += buffer[..<count]
        continue
      }
      if count == 0 || errno != EAGAIN { isOver = true }
      return
    }
  }

  private func line() -> [UInt8]? {
    read()
    guard let end = input.firstIndex(of: 10) else { return nil }
    defer { input.removeFirst(end + 1) }
    return Array(input[..<end])
  }

  /// Returns the next reply; nil when the connection ends, or nothing comes.
  func next() throws -> WireReply? {
    var found: [UInt8]?
    _ = rig.turn {
      found = line()
      return found != nil || isOver
    }
    return try found.map { try JSON.decode(WireReply.self, from: $0) }
  }

  /// Returns the answer to a command.
  func answer(_ words: String...) throws -> Answer? {
    let id = try ask(.command(words))
    while let reply = try next() {
      switch reply {
      case .ok(id, let answer): return answer
      case .error(id, let failure): return .failed(failure)
      default: continue
      }
    }
    return nil
  }

  /// Whether the socket closes the connection.
  func endsByThem() -> Bool {
    rig.turn {
      read()
      return isOver
    }
  }
}

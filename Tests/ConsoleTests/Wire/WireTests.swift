// The socket as a client sees it: greeting, requests and replies, watching, limits.

import Glibc
import Loop
import Recorder
import Testing

@testable import Console

@Suite struct WireTests {
  private func hello(_ client: Caller) throws {
    guard case .hello(let hello) = try client.next() else {
      Issue.record("no greeting")
      return
    }
    #expect(hello.version == "1.0")
  }

  @Test("a client is greeted, asks, and is answered under its own ids")
  func request() throws {
    let rig = try WireRig()
    let client = try rig.client()
    try hello(client)
    guard case .status(let status) = try client.answer("status") else {
      Issue.record("no status")
      return
    }
    #expect(status.state == .idle)
    try client.ask(.command(["mkdir", "Letters"]), id: 700)
    try client.ask(.command(["nonsense"]), id: 701)
    let one = try client.next()
    let other = try client.next()
    guard case .ok(700, .done) = one, case .error(701, let failure) = other else {
      Issue.record("\(String(describing: one)), \(String(describing: other))")
      return
    }
    #expect(failure.code == "unknownCommand")
  }

  @Test("the protocol's own lines are as documented")
  func plainLines() throws {
    let rig = try WireRig()
    let client = try rig.client()
    try hello(client)
    client.write(#"{"reel":1,"id":7,"do":["pwd"]}"# + "\n")
    #expect(try client.next() == .ok(7, .told("/")))
    client.write(#"{"id":8,"do":["cd","Interviews"],"more":null}"# + "\n")
    #expect(try client.next() == .ok(8, .told("/Interviews")))
    client.write(#"{"reel":2,"id":9,"do":["pwd"]}"# + "\n")
    guard case .error(nil, let failure) = try client.next() else {
      Issue.record("another version was taken")
      return
    }
    #expect(failure.sentence == "This appliance speaks version 1, not 2.")
  }

  @Test("two clients have a current folder each and see the same library")
  func two() throws {
    let rig = try WireRig()
    let (one, other) = (try rig.client(), try rig.client())
    try hello(one)
    try hello(other)
    #expect(try one.answer("cd", "Interviews") == .told("/Interviews"))
    #expect(try other.answer("pwd") == .told("/"))
    _ = try one.answer("mkdir", "June")
    guard case .item(let item) = try other.answer("info", "/Interviews/June") else {
      Issue.record("not seen")
      return
    }
    #expect(item.path == "/Interviews/June")
  }

  @Test("a client that may only look is told so")
  func spectator() throws {
    let rig = try WireRig()
    let client = try rig.spectator()
    guard case .hello(let hello) = try client.next() else {
      Issue.record("no greeting")
      return
    }
    #expect(hello.access == .status)
    guard case .failed(let failure) = try client.answer("record") else {
      Issue.record("it records")
      return
    }
    #expect(failure.code == "mayNotChange")
    #expect(try client.answer("ls")?.isFailure == false)
  }

  @Test("a watched folder: its items, each change in order, its end")
  func folder() throws {
    let rig = try WireRig()
    let (watcher, other) = (try rig.client(), try rig.client())
    try hello(watcher)
    try hello(other)
    let id = try watcher.ask(.watch(.folder("/Interviews")))
    guard case .now(id, .listing(let listing)) = try watcher.next() else {
      Issue.record("no present value")
      return
    }
    #expect(listing.items.map(\.title) == ["May", "Kitchen", "Cellar with a long name"])
    _ = try other.answer("rename", "/Interviews/Kitchen", "Attic")
    guard case .changes(id, let changes) = try watcher.next() else {
      Issue.record("no change")
      return
    }
    #expect(changes.map(\.what) == [.changed])
    #expect(changes[0].item?.title == "Attic" && changes[0].at == 1 && changes[0].was == 1)
    _ = try other.answer("mv", "11", "/")
    guard case .changes(id, let gone) = try watcher.next() else {
      Issue.record("no removal")
      return
    }
    #expect(gone.contains { $0.what == .removed && $0.id == Bench.kitchen && $0.at == 1 })
    try watcher.ask(.unwatch(id), id: 99)
    #expect(try watcher.next() == .end(id, "unwatched"))
    #expect(try watcher.next() == .ok(99, .told("")))
  }

  @Test("watching a recording ends when it is gone")
  func item() throws {
    let rig = try WireRig()
    let (watcher, other) = (try rig.client(), try rig.client())
    try hello(watcher)
    try hello(other)
    let id = try watcher.ask(.watch(.item("11")))
    guard case .now(id, .item(let item)) = try watcher.next() else {
      Issue.record("no present value")
      return
    }
    #expect(item.title == "Kitchen")
    _ = try other.answer("heard", "11")
    guard case .changes(id, let changes) = try watcher.next() else {
      Issue.record("no change")
      return
    }
    #expect(changes.map(\.what) == [.updated] && changes[0].item?.heard == true)
    rig.bench.send(
      .card(
        .found(
          .vanished([
            Whereabouts(
              id: Bench.kitchen, path: [.root, Bench.interviews], tally: Tally(recordings: 1))
          ]))))
    #expect(try watcher.next() == .end(id, "gone"))
    let missing = try watcher.ask(.watch(.item("nowhere")))
    guard case .error(missing, let failure) = try watcher.next() else {
      Issue.record("what is not there was watched")
      return
    }
    #expect(failure.code == "notFound")
  }

  @Test("notices, status and levels are sent as they come; levels only while watched")
  func streams() throws {
    let rig = try WireRig()
    let client = try rig.client()
    try hello(client)
    let notices = try client.ask(.watch(.notices))
    guard case .now(notices, .notices([])) = try client.next() else {
      Issue.record("notices")
      return
    }
    rig.bench.send(.card(.condition(.readOnly)))
    guard case .changes(notices, let changes) = try client.next() else {
      Issue.record("no notice")
      return
    }
    #expect(changes.map(\.what) == [.noticed] && changes[0].notice?.code == .cardReadOnly)

    let levels = try client.ask(.watch(.levels))
    for _ in 0..<3 {
      guard case .now(levels, .levels(let peak)) = try client.next() else {
        Issue.record("no level")
        return
      }
      #expect(abs((peak ?? 0) + 6.02) < 0.01)
    }
    #expect(rig.isMetering)
    try client.ask(.unwatch(levels))
    _ = rig.turn { !rig.isMetering }
    #expect(!rig.isMetering)
  }

  @Test("the watched status follows a recording")
  func status() throws {
    let rig = try WireRig()
    let client = try rig.client()
    try hello(client)
    let id = try client.ask(.watch(.status))
    guard case .now(id, .status(let first)) = try client.next() else {
      Issue.record("no present status")
      return
    }
    #expect(first.state == .idle)
    rig.bench.send(.request(.take(.start(title: "x")), from: .appliance))
    var states: [StatusView.Word] = []
    while states.last != .recording, case .now(id, .status(let view)) = try client.next() {
      states.append(view.state)
    }
    #expect(states.last == .recording)
  }

  @Test("an id that is in use is refused; so are requests over the limit")
  func ids() throws {
    let rig = try WireRig()
    rig.bench.cardAnswers = false
    let client = try rig.client()
    try hello(client)
    for id in 1...(Wire1.requestLimit + 1) { try client.ask(.command(["search", "x"]), id: id) }
    guard case .error(Wire1.requestLimit + 1, let failure) = try client.next() else {
      Issue.record("more than may be")
      return
    }
    #expect(failure.code == "busy")
    try client.ask(.command(["pwd"]), id: 1)
    guard case .error(1, let taken) = try client.next() else {
      Issue.record("an id that is in use was accepted")
      return
    }
    #expect(taken.code == "badRequest")
  }

  @Test("the number of clients is limited, and one that leaves makes room")
  func clients() throws {
    let rig = try WireRig()
    var clients: [Caller] = []
    for _ in 0..<Wire1.clientLimit {
      clients.append(try rig.client())
      try hello(clients[clients.count - 1])
    }
    let late = try rig.client()
    guard case .error(nil, let failure) = try late.next() else {
      Issue.record("let in")
      return
    }
    #expect(failure.code == "busy" && late.endsByThem())
    clients.removeLast()
    _ = rig.turn { (rig.socket?.clients.count ?? 0) < Wire1.clientLimit }
    try hello(try rig.client())
  }

  @Test("a client that hangs up is forgotten, with its console and its requests")
  func hangUp() throws {
    let rig = try WireRig()
    let client = try rig.client()
    try hello(client)
    rig.bench.cardAnswers = false
    let consoles = rig.bench.state.consoles.count
    try client.ask(.command(["search", "x"]))
    _ = rig.turn { !rig.bench.state.library.pending.isEmpty }
    client.hangUp()
    #expect(rig.turn { rig.bench.state.consoles.count == consoles - 1 })
    rig.bench.send(.card(.work(ticket: 1, .done(.searched([])))))
  }

  @Test("a client that shuts down its sending side is still answered")
  func halfClosed() throws {
    let rig = try WireRig()
    let (mine, theirs) = try SocketFile.pair()
    rig.socket?.serve(SocketFile.adopt(theirs), access: .control)
    let client = Caller(mine, rig)
    client.write(#"{"id":1,"do":["ls","/Interviews"]}"# + "\n")
    shutdown(mine, Int32(SHUT_WR))
    try hello(client)
    guard case .ok(1, .listing) = try client.next() else {
      Issue.record("not answered")
      return
    }
    #expect(client.endsByThem())
  }

  @Test("root, the daemon's own user and the group's members are recognised")
  func peers() {
    let someone = Peer(user: 1234, groups: [50, 60])
    #expect(someone.isMember(of: 60) && !someone.isMember(of: 7))
    #expect(someone.isOwner(daemon: 1234) && !someone.isOwner(daemon: 99))
    #expect(Peer(user: 0, groups: []).isOwner(daemon: 99))
  }

  @Test("a socket's file is protected, replaced when stale, removed at the end; long paths work")
  func file() throws {
    let rig = try WireRig()
    let path = rig.path + "/control.sock"
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
    rig.close()
    #expect(access(path, F_OK) != 0)

    let long = rig.path + "/" + String(repeating: "d", count: 120)
    mkdir(long, 0o755)
    defer { rmdir(long) }
    for _ in 0..<2 {
      let listener = try SocketFile.listen(at: long + "/s")
      _ = try SocketFile.connect(to: long + "/s")
      _ = listener.descriptor
    }
    unlink(long + "/s")
  }
}

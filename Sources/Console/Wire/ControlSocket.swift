// The control socket: whoever may talk to the appliance is let in, told what it may do, and served.
// Each connection is a console of its own with a place of its own; commands go through the one
// desk. Loop's thread; docs/protocol.md says what goes over the wire.

import FoundationEssentials
import Glibc
import Loop
import Recorder
import Systemd

public final class ControlSocket {
  /// Where files that clients pass are kept until they are used.
  public struct Files {
    let keep: (Int32) -> Int
    let drop: (Int) -> Void

    public init(keep: @escaping (Int32) -> Int, drop: @escaping (Int) -> Void) {
      self.keep = keep
      self.drop = drop
    }

    /// They are closed, and nobody finds them.
    public static var none: Files {
      Files(
        keep: { descriptor in
          close(descriptor)
          return 0
        }, drop: { _ in })
    }
  }

  /// What it needs of the appliance behind it.
  public struct World {
    public let state: () -> State
    public let send: (Action) -> Void
    public let desk: CommandDesk
    public let observe: (Address, @escaping (WireObservation) -> Void) -> Token?
    public let showStatus: (@escaping (StatusView) -> Void) -> Token
    /// The loudest now, 1 being full scale; nil while no device is open.
    public let peak: () -> Float?
    /// Wanted by somebody, or by nobody any more.
    public let meter: (Bool) -> Void
    public let files: Files

    public init(
      state: @escaping () -> State, send: @escaping (Action) -> Void, desk: CommandDesk,
      observe: @escaping (Address, @escaping (WireObservation) -> Void) -> Token?,
      showStatus: @escaping (@escaping (StatusView) -> Void) -> Token,
      peak: @escaping () -> Float?, meter: @escaping (Bool) -> Void, files: Files = .none
    ) {
      self.state = state
      self.send = send
      self.desk = desk
      self.observe = observe
      self.showStatus = showStatus
      self.peak = peak
      self.meter = meter
      self.files = files
    }
  }

  public typealias WireObservation = Observation<Appliance.Value, Change>

  /// Ids of consoles below this are other consoles'.
  static let firstConsole = 1000

  let loop: EventLoop
  let world: World
  private let path: String
  private let group: String
  /// What members of the group may do. Root and the daemon's own user may do all.
  private let access: Console.Access
  private let file: SocketFile
  private var watch: FileWatch?
  private(set) var clients: [Int: WireClient] = [:]
  private var lastConsole = firstConsole
  var streams = WireStreams()

  /// Listens at a path. What lies there is taken away: the caller knows that it is nobody's.
  public init(
    at path: String, group: String = "reel", access: Console.Access = .control,
    on loop: EventLoop, _ world: World
  ) throws {
    self.loop = loop
    self.world = world
    self.path = path
    self.access = access
    self.group = group
    file = try SocketFile.listen(at: path, group: group)
    watch = try loop.watch(fileDescriptor: file.descriptor, for: .readable) { [unowned self] _ in
      letIn()
    }
  }

  /// Nobody is to find a socket that no one answers at.
  deinit { unlink(path) }

  // MARK: Who comes and goes

  private func letIn() {
    for _ in 0..<8 {
      guard let file = file.accept() else { return }
      greet(file)
    }
  }

  private func greet(_ file: consuming SocketFile) {
    let peer = Peer(of: file.descriptor)
    let isMember = peer?.isMember(of: SocketFile.group(of: path) ?? getegid()) ?? false
    let isOwner = peer?.isOwner(daemon: geteuid()) ?? false
    guard isMember || isOwner else {
      return refuse(
        file, Failure("notPermitted", "Only root and members of the group \(group) may do that."))
    }
    guard clients.count < Wire1.clientLimit else {
      return refuse(
        file,
        Failure("busy", "\(Wire1.clientLimit) programs are connected; there may be no more."))
    }
    serve(file, access: isOwner ? .control : access)
  }

  /// One line, and the connection is over. Nobody waits for it to be read.
  private func refuse(_ file: consuming SocketFile, _ failure: Failure) {
    // A sentence of ours can be written as JSON.
    guard let line = try? JSONLine.encode(WireReply.error(nil, failure)) + [10] else { return }
    _ = send(file.descriptor, line, line.count, Int32(MSG_NOSIGNAL))
  }

  func serve(_ file: consuming SocketFile, access: Console.Access) {
    lastConsole += 1
    let house = WireClient.House(
      loop: loop, hear: { [unowned self] in hear($0, $1) },
      leave: { [unowned self] in forget($0) })
    let client: WireClient
    do { client = try WireClient(id: lastConsole, file, house) } catch {
      return  // its end of the connection is closed, which says it
    }
    clients[client.id] = client
    world.send(
      .console(.opened(ConsoleDescription(id: client.id, kind: .socket, access: access))))
    client.say(.hello(WireHello(version: world.state().host.version, access: access)))
  }

  /// Those that were used are somebody else's by now.
  private func drop(_ numbers: [Int]?) {
    for number in numbers ?? [] { world.files.drop(number) }
  }

  private func forget(_ client: WireClient) {
    clients[client.id] = nil
    for numbers in client.keptFiles.values { drop(numbers) }
    client.keptFiles = [:]
    endStreamsIfUnwanted()
    world.desk.forget(console: client.id)
    world.send(.console(.closed(client.id)))
  }

  // MARK: What they say

  private func hear(_ client: WireClient, _ line: [UInt8]) {
    let request: WireRequest
    do { request = try JSONLine.decode(WireRequest.self, from: line) } catch {
      let why = (error as? WireMistake)?.description ?? (error as? JSONLine.TooDeep)?.description
      return client.makeMistake(
        Failure("badRequest", why ?? "That is no request; see docs/protocol.md."))
    }
    let isTaken = client.underWay.contains(request.id) || client.subscriptions[request.id] != nil
    guard !isTaken else {
      return client.say(
        .error(request.id, Failure("badRequest", "The id \(request.id) is in use already.")))
    }
    let files: [Int32]
    do throws(Failure) { files = try client.takeFiles(request.files) } catch {
      return client.say(.error(request.id, error))
    }
    switch request.wish {
    case .command(let words): carryOut(words, files, request.id, client)
    case .watch(let target): watch(target, request.id, client)
    case .unwatch(let other):
      guard client.subscriptions.removeValue(forKey: other) != nil else {
        let sentence = "Nothing is watched under the id \(other)."
        return client.say(.error(request.id, Failure("badRequest", sentence)))
      }
      endStreamsIfUnwanted()
      client.say(.end(other, "unwatched"))
      client.say(.ok(request.id, .told("")))
    }
  }

  private func carryOut(
    _ words: [String], _ files: [Int32], _ id: Int, _ client: WireClient
  ) {
    guard client.underWay.count < Wire1.requestLimit else {
      for file in files { close(file) }
      return client.say(.error(id, Failure(.busy)))
    }
    if let failure = PassedFile.mistake(of: files, for: words) {
      for file in files { close(file) }
      return client.say(.error(id, failure))
    }
    let numbers = files.map(world.files.keep)
    client.underWay.insert(id)
    client.keptFiles[id] = numbers
    world.desk.take(words, files: numbers, from: .client(client.id, request: id)) {
      [weak self, weak client] answer, isLast in
      guard let self, let client else { return }
      if isLast { drop(client.keptFiles.removeValue(forKey: id)) }
      switch answer {
      case .failed(let failure): client.say(.error(id, failure))
      case let answer: client.say(isLast ? .ok(id, answer) : .part(id, answer))
      }
      if isLast { client.isAnswered(id) }
    }
  }
}

// The control socket: checks who connects, greets each client with what it may do, and serves it.
// Each connection is a console of its own with a place of its own; commands go to the heart, whose
// answers come back by `answer`. Loop's thread; docs/protocol.md describes the protocol.

import Glibc
import JSON
import Loop
import Realtime
import Recorder
import Systemd

/// The socket for programs.
public final class ControlSocket {
  /// Keeps files that clients pass until they are used, and those they are given.
  public struct Files {
    let keep: (Int32) -> Int
    let drop: (Int) -> Void
    /// Returns a file that a client is given, which the caller must close; nil if it is gone.
    let claim: (Int) -> Int32?

    public init(
      keep: @escaping (Int32) -> Int, drop: @escaping (Int) -> Void,
      claim: @escaping (Int) -> Int32?
    ) {
      (self.keep, self.drop, self.claim) = (keep, drop, claim)
    }

    /// Closes passed files at once.
    public static var none: Files {
      Files(
        keep: { descriptor in
          ForeignFile.close(descriptor)
          return 0
        }, drop: { _ in }, claim: { _ in nil })
    }
  }

  /// What the microphone hears now, for clients that listen.
  public struct Live {
    /// Begins or ends to collect it.
    let turn: (Bool) -> Void
    /// Returns what was heard since the last call.
    let read: () -> [LiveBlock]

    public init(turn: @escaping (Bool) -> Void, read: @escaping () -> [LiveBlock]) {
      (self.turn, self.read) = (turn, read)
    }

    public static var none: Live { Live(turn: { _ in }, read: { [] }) }
  }

  /// What the socket needs from the appliance.
  public struct Dependencies {
    public let state: () -> State
    public let send: (Action) -> Void
    public let observe: (Address, @escaping (WireObservation) -> Void) -> Token?
    public let showStatus: (@escaping (StatusView) -> Void) -> Token
    /// The current peak, where 1 is full scale; nil while no device is open.
    public let peak: () -> Float?
    /// Turns metering on or off.
    public let meter: (Bool) -> Void
    public let live: Live
    public let files: Files

    public init(
      state: @escaping () -> State, send: @escaping (Action) -> Void,
      observe: @escaping (Address, @escaping (WireObservation) -> Void) -> Token?,
      showStatus: @escaping (@escaping (StatusView) -> Void) -> Token,
      peak: @escaping () -> Float?, meter: @escaping (Bool) -> Void, live: Live = .none,
      files: Files = .none
    ) {
      self.state = state
      self.send = send
      self.observe = observe
      self.showStatus = showStatus
      self.peak = peak
      self.meter = meter
      self.live = live
      self.files = files
    }
  }

  public typealias WireObservation = Observation<Appliance.Value, Change>

  /// Lower ids belong to other kinds of consoles.
  static let firstConsole = 1000

  let loop: EventLoop
  let dependencies: Dependencies
  private let path: String
  private let group: String
  /// What members of the group may do. Root and the daemon's own user may do all.
  private let access: Console.Access
  private let file: SocketFile
  /// The group of the socket's file, read once: its directory may be on a card that stalls.
  private let memberGroup: gid_t
  private var watch: FileWatch?
  private(set) var clients: [Int: WireClient] = [:]
  private var lastConsole = firstConsole
  var streams = WireStreams()

  /// Listens at a path. A file there is deleted: the caller must know that no process uses it.
  public init(
    at path: String, group: String = SocketFile.standardGroup,
    access: Console.Access = .control, on loop: EventLoop, _ dependencies: Dependencies,
    logError: (String) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.dependencies = dependencies
    self.path = path
    self.access = access
    self.group = group
    file = try SocketFile.listen(at: path, group: group, logError: logError)
    memberGroup = SocketFile.group(of: path) ?? getegid()
    watch = try loop.watch(fileDescriptor: file.descriptor, for: .readable) { [unowned self] _ in
      letIn()
    }
  }

  /// Deletes the file, so that no client finds a socket without a server.
  deinit { unlink(path) }

  // MARK: Connections

  private func letIn() {
    for _ in 0..<8 {
      guard let file = file.accept() else { return }
      greet(file)
    }
  }

  private func greet(_ file: consuming SocketFile) {
    let peer = Peer(of: file.descriptor)
    let isMember = peer?.isMember(of: memberGroup) ?? false
    let isOwner = peer?.isOwner(daemon: geteuid()) ?? false
    guard isMember || isOwner else {
      return refuse(
        file,
        CommandError("notPermitted", "Only root and members of the group \(group) may do that."))
    }
    guard clients.count < Wire1.clientLimit else {
      return refuse(
        file,
        CommandError("busy", "\(Wire1.clientLimit) programs are connected; there may be no more."))
    }
    serve(file, access: isOwner ? .control : access)
  }

  /// Sends one line and closes the connection, without waiting for the client to read it.
  private func refuse(_ file: consuming SocketFile, _ failure: CommandError) {
    // Our own sentences can always be written as JSON.
    guard let line = try? JSON.encode(WireReply.error(nil, failure)) + [10] else { return }
    _ = send(file.descriptor, line, line.count, Int32(MSG_NOSIGNAL))
  }

  func serve(_ file: consuming SocketFile, access: Console.Access) {
    lastConsole += 1
    let house = WireClient.House(
      loop: loop, handle: { [unowned self] in handle($0, $1) },
      leave: { [unowned self] in forget($0) })
    let client: WireClient
    do { client = try WireClient(id: lastConsole, file, house) } catch {
      return  // the client sees that the connection is closed
    }
    clients[client.id] = client
    dependencies.send(
      .console(.opened(ConsoleDescription(id: client.id, kind: .socket, access: access))))
    client.send(.hello(WireHello(version: dependencies.state().host.version, access: access)))
  }

  /// Drops passed files. A file that was used belongs to the card's thread by now.
  private func drop(_ numbers: [Int]?) {
    for number in numbers ?? [] { dependencies.files.drop(number) }
  }

  private func forget(_ client: WireClient) {
    clients[client.id] = nil
    for numbers in client.keptFiles.values { drop(numbers) }
    client.keptFiles = [:]
    endStreamsIfUnwanted()
    dependencies.send(.console(.closed(client.id)))
  }

  // MARK: Requests

  private func handle(_ client: WireClient, _ line: [UInt8]) {
    let request: WireRequest
    do { request = try JSON.decode(WireRequest.self, from: line) } catch {
      let why = (error as? WireMistake)?.description ?? "That is no request: \(error)."
      return client.makeMistake(CommandError("badRequest", why))
    }
    let isTaken = client.underWay.contains(request.id) || client.subscriptions[request.id] != nil
    guard !isTaken else {
      return client.send(
        .error(request.id, CommandError("badRequest", "The id \(request.id) is in use already.")))
    }
    let files: [Int32]
    do throws(CommandError) { files = try client.claimFiles(request.files) } catch {
      return client.send(.error(request.id, error))
    }
    switch request.body {
    case .command(let words): perform(words, files, request.id, client)
    case .watch(let target): watch(target, request.id, client)
    case .unwatch(let other):
      guard client.subscriptions.removeValue(forKey: other) != nil else {
        let sentence = "Nothing is watched under the id \(other)."
        return client.send(.error(request.id, CommandError("badRequest", sentence)))
      }
      client.windows[other] = nil
      endStreamsIfUnwanted()
      client.send(.end(other, "unwatched"))
      client.send(.ok(request.id, .told("")))
    }
  }

  private func perform(
    _ words: [String], _ files: [Int32], _ id: Int, _ client: WireClient
  ) {
    guard client.underWay.count < Wire1.requestLimit else {
      for file in files { ForeignFile.close(file) }
      return client.send(.error(id, CommandError(.busy)))
    }
    if let failure = PassedFile.mistake(of: files, for: words) {
      for file in files { ForeignFile.close(file) }
      return client.send(.error(id, failure))
    }
    let numbers = files.map(dependencies.files.keep)
    client.underWay.insert(id)
    client.keptFiles[id] = numbers
    run(words, files: numbers, id, client)
  }

  func run(_ words: [String], files: [Int] = [], _ id: Int, _ client: WireClient) {
    let origin = Origin.client(client.id, request: id)
    dependencies.send(.console(.command(words, files: files, from: origin)))
  }

  /// Sends a client a part of an answer, or its end.
  public func answer(_ console: Int, _ id: Int, _ answer: Answer, isLast: Bool) {
    guard let client = clients[console], client.underWay.contains(id) else {
      if let file = answer.file { dependencies.files.drop(file.number) }
      guard let client = clients[console] else { return }
      // A watch looks a name up; it may have ended meanwhile.
      if isLast, case .looking = client.subscriptions[id] { observe(answer, id, client) }
      return
    }
    if isLast { drop(client.keptFiles.removeValue(forKey: id)) }
    if case .failed(let failure) = answer {
      client.send(.error(id, failure))
    } else if let passed = answer.file {
      if let file = dependencies.files.claim(passed.number) {
        client.send(.ok(id, answer), passing: file)
      } else {
        client.send(.error(id, CommandError("gone", "The file was closed before it was passed.")))
      }
    } else {
      client.send(isLast ? .ok(id, answer) : .part(id, answer))
    }
    if isLast { client.isAnswered(id) }
  }
}

// A target: it turns an operation into one transfer, and what came of the transfer into an answer.
// Targets are values without state, so a job can be tested without a server. Pure.

/// Where copies go.
public protocol Target: Sendable {
  /// As the configuration names it.
  var name: String { get }
  var traits: TargetTraits { get }
  func request(for operation: RemoteOperation) -> TargetRequest
  /// Only for operations that are transfers.
  func answer(to operation: RemoteOperation, _ result: TransferResult) -> RemoteAnswer
}

/// What performs an operation.
public enum TargetRequest: Equatable, Sendable {
  case transfer(TransferRequest)
  /// A task on a mounted directory.
  case disk(DiskPlace)
  /// The answer is known without asking.
  case answer(RemoteAnswer)
}

/// What all servers have in common.
public struct ServerSettings: Equatable, Sendable {
  public var name: String
  public var url: ServerURL
  public var access: ServerAccess
  public var limits: TransferLimits

  public init(name: String, url: ServerURL, access: ServerAccess, limits: TransferLimits) {
    self.name = name
    self.url = url
    self.access = access
    self.limits = limits
  }

  func request(
    _ method: TransferRequest.Method, _ url: String, headers: [String] = [],
    sink: TransferSink = .hash(atMost: 64 << 10), soundFrom: Int64 = 0
  ) -> TransferRequest {
    var request = TransferRequest(method, url)
    request.headers = headers
    request.sink = sink
    request.soundFrom = soundFrom
    request.access = access
    request.limits = limits
    return request
  }

  /// Returns the request that reads a file; nil if the operation doesn't.
  func reading(
    _ operation: RemoteOperation, _ address: (RemoteName) -> String, headers: [String] = []
  ) -> TransferRequest? {
    switch operation {
    case .read(let name, let content):
      request(
        .get, address(name), headers: headers, sink: .hash(atMost: content.hashes.length),
        soundFrom: content.soundFrom)
    case .fetch(let name, let limit, let soundFrom):
      request(
        .get, address(name), headers: headers, sink: .write(atMost: limit), soundFrom: soundFrom)
    default: nil
    }
  }
}

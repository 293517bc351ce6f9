// One transfer as a value: what is asked of a server, how it is proven who asks, and what it may
// cost. Target state machines make these; only `TransferEngine` performs them. Plain values, for
// any thread. A secret is in them, so a request is never printed or logged.

/// A transfer that a server is asked for.
public struct TransferRequest: Equatable, Sendable {
  public enum Method: Equatable, Sendable {
    case get
    /// The names in a directory of SFTP, one on each line.
    case names
    /// Asks only for the headers of HTTP, or whether a file of SFTP exists.
    case head
    case put(TransferBody)
    case post([UInt8])
    /// A method of HTTP without a body, such as MOVE.
    case plain(String)
    /// Commands of SFTP as libcurl writes them, such as `rename "a" "b"`.
    case commands([String])
  }

  public var method: Method
  public var url: String
  /// Lines such as `Overwrite: F`.
  public var headers: [String] = []
  public var sink = TransferSink.hash(atMost: 0)
  /// Where the sound begins in what is sent or received.
  public var soundFrom: Int64 = 0
  public var access = ServerAccess()
  public var limits = TransferLimits()

  public init(_ method: Method, _ url: String) {
    self.method = method
    self.url = url
  }
}

/// What an upload sends.
public enum TransferBody: Equatable, Sendable {
  case bytes([UInt8])
  /// The first so many bytes of the descriptor that the driver adds; `resumes` asks the server how
  /// much it has, and sends the rest.
  case source(length: Int64, resumes: Bool)
  /// Bytes of the descriptor from there on.
  case piece(offset: Int64, length: Int64)
}

/// Where a download goes. Each is hashed as it comes.
public enum TransferSink: Equatable, Sendable {
  case hash(atMost: Int64)
  case collect(atMost: Int)
  /// Into the descriptor that the driver adds, from its beginning.
  case write(atMost: Int64)

  var limit: Int64 {
    switch self {
    case .hash(let limit), .write(let limit): limit
    case .collect(let limit): Int64(limit)
    }
  }
}

/// What a transfer may cost, in time and memory. Tests inject short times.
public struct TransferLimits: Equatable, Sendable {
  public var connectMilliseconds = 20_000
  /// A transfer slower than `stallBytesPerSecond` for so long has stalled.
  public var stallSeconds = 60
  public var stallBytesPerSecond = 100
  /// Without the time for the body.
  public var totalMilliseconds: Int64 = 120_000
  /// The time for the body: a transfer that is slower than this on average ends.
  public var slowestBytesPerSecond: Int64 = 2000
  public var headerBytes = 64 << 10
  /// Nil for no limit.
  public var bytesPerSecond: Int64?

  public init() {}

  /// Returns the longest time for a transfer of so many bytes.
  func totalMilliseconds(forBytes count: Int64) -> Int64 {
    let slowest = max(1, min(slowestBytesPerSecond, bytesPerSecond ?? .max))
    let body = min(count, 1 << 44).multipliedReportingOverflow(by: 1000).partialValue / slowest
    return totalMilliseconds + 2 * body
  }
}

/// How a client proves who it is, and how it knows the server.
public struct ServerAccess: Equatable, Sendable {
  public enum Login: Equatable, Sendable {
    case none
    case password(Secret)
    /// The file of a private key of SSH.
    case keyFile(String)
    /// Signature version 4 of S3; the secret is that of the access key.
    case s3(region: String, Secret)
  }

  public var user = ""
  public var login = Login.none
  /// Public keys of the server's certificate, such as `sha256//…=`; nil if any good one will do.
  public var pin: String?
  /// A file of certificates to trust instead of the system's.
  public var authorities: String?
  public var hostKey = HostKeyPolicy()

  public init() {}
}

/// Which key an SSH server must have.
public struct HostKeyPolicy: Equatable, Sendable {
  /// Such as `SHA256:…`, from the configuration.
  public var fingerprint: String?
  /// A file in the format of OpenSSH with the one key that is accepted; if there is none, the first
  /// key that the server shows is accepted, and reported.
  public var knownHosts: String?

  public init() {}
}

/// A text that is never printed.
public struct Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { "(secret)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

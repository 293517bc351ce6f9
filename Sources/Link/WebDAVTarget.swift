// WebDAV, as of Apache, nginx and Nextcloud: PUT under a temporary name, MOVE that never replaces,
// GET. Folders are made when an upload finds one missing. Pure.

/// A server of WebDAV.
public struct WebDAVTarget: Target, Equatable {
  public let server: ServerSettings
  /// Nextcloud wants at least 5 MB.
  public var pieceBytes: Int64 = 8 << 20
  public var name: String { server.name }
  private let uploads: NextcloudUploads?

  public init(_ server: ServerSettings) {
    self.server = server
    uploads = NextcloudUploads(server.url)
  }

  public var traits: TargetTraits {
    var traits = TargetTraits()
    if uploads != nil { traits.pieceBytes = pieceBytes }
    return traits
  }

  func address(_ name: RemoteName) -> String {
    server.url.origin + server.url.path + "/" + name.encoded
  }

  public func request(for operation: RemoteOperation) -> TargetRequest {
    // What a proxy kept would not be what the server has.
    let fresh = ["Cache-Control: no-cache"]
    if let reading = server.reading(operation, address, headers: fresh) {
      return .transfer(reading)
    }
    switch operation {
    case .probe(let name), .version(let name):
      return .transfer(server.request(.head, address(name), headers: fresh))
    case .list(let folder, _):
      return .transfer(
        server.request(
          .plain("PROPFIND"), address(folder) + "/", headers: fresh + ["Depth: 1"],
          sink: .collect(atMost: RemoteListing.bytesMaximum)))
    case .makeFolder(let name):
      return .transfer(server.request(.plain("MKCOL"), address(name) + "/"))
    case .send(let name, let content, _):
      return .transfer(
        server.request(
          .put(.source(length: content.hashes.length, resumes: false)), address(name),
          headers: ["Content-Type: application/octet-stream"], soundFrom: content.soundFrom))
    case .move(let old, let new), .duplicate(let old, let new):
      return .transfer(
        server.request(
          .plain("MOVE"), address(old),
          headers: ["Destination: \(address(new))", "Overwrite: F"]))
    case .remove(let name): return .transfer(server.request(.plain("DELETE"), address(name)))
    case .pieces(let name, let content, let pieces, let step):
      return uploads?.request(name, content, pieces, step, at: self)
        ?? .answer(.failed(.unexpected("send")))
    case .read, .fetch, .replace: return .answer(.failed(.unexpected("read")))
    }
  }

  public func answer(to operation: RemoteOperation, _ result: TransferResult) -> RemoteAnswer {
    if let failure = result.failure(at: server) { return failure }
    let isGood = (200...299).contains(result.status)
    switch (operation, result.status) {
    case (.pieces(let name, let content, _, let step), _):
      return uploads?.answer(name, content, step, result, at: server)
        ?? .failed(.unexpected("send"))
    case (.probe, _) where isGood: return .present(result.headers.contentLength)
    case (.list, 207): return RemoteListing.webDAV(result.body)
    case (.list, 404): return .absent
    case (.version, _) where isGood: return result.version
    case (.version, 404), (.version, 410): return .absent
    case (.probe, 404), (.probe, 410), (.read, 404), (.fetch, 404), (.remove, 404): return .absent
    // A parent of the name may be a file: then making the folder fails, and says so.
    case (.send, 404), (.send, 409), (.move, 409): return .folderMissing
    case (.move, 404): return .absent
    case (.move, 412): return .taken
    case (.makeFolder, 405): return .done
    case (.makeFolder, 409): return .folderMissing
    case (.send, _) where isGood: return .sent(result.sent, resumedFrom: 0)
    case (.read, 200), (.fetch, 200): return result.hashed
    // Parts of a multi-status are refusals.
    case (.makeFolder, _) where isGood, (.move, 201), (.move, 204), (.remove, 200), (.remove, 204),
      (.move, 200), (.remove, 202):
      return .done
    default: return .failed(.status(result, at: server))
    }
  }
}

// SFTP, as of OpenSSH: an upload under a temporary name that goes on where it was cut, a rename
// that fails onto an existing name, and a read. libcurl makes missing folders. Pure.

/// A server of SFTP.
public struct SFTPTarget: Target, Equatable {
  public let server: ServerSettings
  public var name: String { server.name }

  public init(_ server: ServerSettings) { self.server = server }

  public var traits: TargetTraits {
    var traits = TargetTraits()
    traits.resumes = true
    traits.moveIsVague = true
    return traits
  }

  private func address(_ name: RemoteName) -> String {
    server.url.origin + server.url.path + "/" + name.encoded
  }

  /// The path in a command, in quotes. `/~/` in an address is the user's home.
  private func path(_ name: RemoteName) -> String {
    let base = PercentDecoding.decode(server.url.path)
    let whole = base + "/" + name.description
    let path = whole.hasPrefix("/~/") ? String(whole.dropFirst(3)) : whole
    var quoted = "\""
    for character in path.unicodeScalars {
      if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }

  private func commands(_ commands: [String]) -> TargetRequest {
    .transfer(server.request(.commands(commands), server.url.origin + server.url.path + "/"))
  }

  public func request(for operation: RemoteOperation) -> TargetRequest {
    if let reading = server.reading(operation, address) { return .transfer(reading) }
    switch operation {
    case .probe(let name), .version(let name):
      return .transfer(server.request(.head, address(name)))
    case .list(let folder, _):
      return .transfer(
        server.request(
          .names, address(folder) + "/", sink: .collect(atMost: RemoteListing.bytesMaximum)))
    case .makeFolder(let name): return commands(["*mkdir \(path(name))"])
    case .send(let name, let content, let resumes):
      return .transfer(
        server.request(
          .put(.source(length: content.hashes.length, resumes: resumes)), address(name),
          soundFrom: content.soundFrom))
    case .move(let old, let new), .duplicate(let old, let new):
      return commands(["rename \(path(old)) \(path(new))"])
    case .remove(let name): return commands(["rm \(path(name))"])
    case .read, .fetch, .replace, .pieces: return .answer(.failed(.unexpected("read")))
    }
  }

  public func answer(to operation: RemoteOperation, _ result: TransferResult) -> RemoteAnswer {
    if let failure = failure(operation, result) { return failure }
    switch operation {
    case .probe: return result.changedSeconds == nil ? .absent : .present(nil)
    case .list: return RemoteListing.lines(result.body)
    case .version: return result.changedSeconds == nil ? .absent : result.version
    case .makeFolder, .move, .duplicate, .remove, .replace: return .done
    case .send: return .sent(result.sent, resumedFrom: result.resumedFrom)
    case .read, .fetch: return result.hashed
    case .pieces: return .failed(.unexpected("send"))
    }
  }

  /// Returns what a failure means for the operation; nil if there is none.
  private func failure(
    _ operation: RemoteOperation, _ result: TransferResult
  ) -> RemoteAnswer? {
    guard case .failed(let code, let words, _) = result.ending else {
      return result.failure(at: server)
    }
    // libcurl has one code for all commands that fail; its words tell which.
    let isMissing =
      CurlCode.isMissingFile(code)
      || code == CurlCode.commandFailed && words.firstRange(of: "o such file") != nil
    switch operation {
    case .probe, .list, .version, .replace, .read, .fetch, .remove, .move, .duplicate:
      if isMissing { return .absent }
    case .send:
      if isMissing { return .folderMissing }
    case .makeFolder, .pieces: break
    }
    // In some places the code of a missing folder is a refusal to begin.
    return result.failure(at: server)
  }
}

/// Takes apart what an address encodes.
enum PercentDecoding {
  static func decode(_ text: String) -> String {
    var bytes: [UInt8] = []
    let all = Array(text.utf8)
    var index = 0
    while index < all.count {
      if all[index] == UInt8(ascii: "%"), index + 2 < all.count,
        let value = UInt8(String(decoding: all[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        index += 3
      } else {
        bytes.append(all[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

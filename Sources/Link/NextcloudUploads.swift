// Nextcloud's uploads in pieces: a folder of the user's uploads takes them, and moving its ".file"
// puts them together under the temporary name, from which the ordinary rename goes on. The folder
// is named after the content, so an upload that was cut is found by its name alone. Pure.
import Digest

/// The part of a WebDAV server that is Nextcloud's.
struct NextcloudUploads: Equatable, Sendable {
  /// The address of the user's uploads.
  private let address: String

  /// Nil if the address of a target is not one of Nextcloud's files.
  init?(_ url: ServerURL) {
    let mark = "/remote.php/dav/files/"
    guard let place = url.path.firstRange(of: mark) else { return nil }
    let user = url.path[place.upperBound...].prefix { $0 != "/" }
    if user.isEmpty { return nil }
    address =
      url.origin + url.path[..<place.lowerBound] + "/remote.php/dav/uploads/" + String(user) + "/"
  }

  private static func upload(_ name: RemoteName, _ content: Content) -> String {
    var hash = SHA256()
    hash.update(Array(name.description.utf8))
    return "reel-\("\(content.hashes.sound)".prefix(32))-\("\(hash.sum)".prefix(16))"
  }

  func request(
    _ name: RemoteName, _ content: Content, _ pieces: Pieces, _ operation: PieceOperation,
    at target: WebDAVTarget
  ) -> TargetRequest {
    let place = "Destination: " + target.address(name)
    let length = "OC-Total-Length: \(content.hashes.length)"
    func ask(_ method: TransferRequest.Method, _ path: String, _ headers: [String])
      -> TargetRequest
    { .transfer(target.server.request(method, address + path, headers: headers)) }
    switch operation {
    case .find: return .answer(.upload(Self.upload(name, content)))
    case .list(let upload, _):
      return .transfer(
        target.server.request(
          .plain("PROPFIND"), address + upload + "/",
          headers: ["Cache-Control: no-cache", "Depth: 1"],
          sink: .collect(atMost: RemoteListing.bytesMaximum)))
    case .begin: return ask(.plain("MKCOL"), Self.upload(name, content), [place])
    case .send(let upload, let number):
      let (offset, bytes) = pieces.place(of: number)
      let file = String(String(number + 100_000).dropFirst())
      return ask(.put(.piece(offset: offset, length: bytes)), upload + "/" + file, [place, length])
    // The temporary name is this program's own.
    case .finish(let upload, _):
      return ask(.plain("MOVE"), upload + "/.file", [place, length, "Overwrite: T"])
    case .abandon(let upload): return ask(.plain("DELETE"), upload, [])
    }
  }

  func answer(
    _ name: RemoteName, _ content: Content, _ operation: PieceOperation, _ result: TransferResult,
    at server: ServerSettings
  ) -> RemoteAnswer {
    switch (operation, result.status) {
    case (.list, 207): RemoteListing.nextcloudPieces(result.body)
    case (.list, 404), (.abandon, 404): .absent
    // It is there already: its answer was lost.
    case (.begin, 201), (.begin, 405): .upload(Self.upload(name, content))
    case (.send, 200), (.send, 201), (.send, 204): .piece("", result.sent?.sound)
    case (.finish, 200), (.finish, 201), (.finish, 204): .done
    case (.finish, 409): .folderMissing
    case (.abandon, 200), (.abandon, 202), (.abandon, 204): .done
    default: .failed(.status(result, at: server))
    }
  }
}

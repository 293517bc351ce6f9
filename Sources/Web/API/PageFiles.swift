// The page's files: read once at start, served from memory with an ETag. Pure after that; a path
// that is not one of their names is not found, so none can lead out of the directory.
import Glibc
import Realtime

/// The files of the page, by their names.
public struct PageFiles {
  struct File {
    let type: String
    let bytes: [UInt8]
    let tag: String
  }

  private var files: [String: File] = [:]
  private static let filesMaximum = 50
  private static let bytesMaximum = 1 << 20
  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
    "json": "application/manifest+json",
  ]

  /// Reads a directory; files of other kinds are left out.
  public init(directory: String) throws(WebError) {
    guard let listing = opendir(directory) else { throw Self.missing(directory, errno) }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let type = Self.types[String(name.split(separator: ".").last ?? "")],
        files.count < Self.filesMaximum
      else { continue }
      let bytes = try Self.bytes(of: directory + "/" + name)
      let tag = "\"" + Secrets.hash(String(decoding: bytes, as: UTF8.self)).prefix(16) + "\""
      files[name] = File(type: type, bytes: bytes, tag: tag)
    }
    if files["index.html"] == nil { throw Self.missing(directory + "/index.html", ENOENT) }
  }

  private static func bytes(of path: String) throws(WebError) -> [UInt8] {
    do throws(SmallFile.ReadError) {
      let bytes = try SmallFile.bytes(of: path, atMost: bytesMaximum + 1)
      if bytes.count > bytesMaximum { throw .failed(EFBIG) }
      return bytes
    } catch {
      switch error {
      case .missing: throw missing(path, ENOENT)
      case .notAFile: throw missing(path, EINVAL)
      case .failed(let number): throw missing(path, number)
      }
    }
  }

  private static func missing(_ path: String, _ number: Int32) -> WebError {
    WebError(
      .page, errorNumber: number,
      "cannot read the page's file \(path): \(systemWords(for: number)); see --page")
  }

  func reply(to request: HTTPRequest, name: String) -> Reply {
    guard let file = files[name] else { return .failure(404, "there is no such file") }
    var reply = Reply(200, type: file.type, .bytes(file.bytes))
    // A new version must be seen at once: asked for each time, and sent only if it changed.
    reply.headers += [("ETag", file.tag), ("Cache-Control", "no-cache")]
    if request.header("if-none-match") == file.tag {
      reply.status = 304
      reply.body = .bytes([])
    }
    return reply
  }

  /// What everything is answered with while the page is off.
  static var off: Reply {
    let text = """
      <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Reel</title>
      <meta name="viewport" content="width=device-width">
      <h1>This recorder's page is off</h1>
      <p>Turn it on there: <code>reelctl web on</code></p></html>

      """
    var reply = Reply(403, type: "text/html; charset=utf-8", .bytes(Array(text.utf8)))
    reply.headers.append(("Cache-Control", "no-store"))
    return reply
  }
}

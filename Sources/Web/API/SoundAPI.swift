// A recording's sound: the recorder passes the open file, and the kernel sends it. Loop's thread.
// This program opens no path; a file that is no regular file is not sent.
import Glibc
import JSON

/// Answers requests for sound.
struct SoundAPI {
  let pool: CommandPool

  func answer(_ exchange: Exchange, id: String) {
    let track = exchange.request.argument("track")
    pool.ask(["info", "--", id]) { reply in
      guard let item = reply.answer?["item"] else {
        return exchange.finish(.refusal(reply))
      }
      guard let folder = item["folderID"]?.text, let tracks = item["tracks"]?.items,
        let chosen = tracks.first(where: { track == nil || $0["name"]?.text == track })
      else { return exchange.finish(.failure(404, "there is no such track")) }
      let words =
        ["open", "--in", folder] + (track.map { ["--track", $0] } ?? []) + ["--", id]
      pool.ask(words) { reply in
        guard case .ok(_, let file?) = reply else { return exchange.finish(.refusal(reply)) }
        exchange.finish(Self.reply(to: exchange.request, file, chosen))
      }
    }
  }

  private static func reply(
    to request: HTTPRequest, _ file: OwnedFile, _ track: JSONValue
  ) -> Reply {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(500, "the recorder passed no file")
    }
    let size = Int64(status.st_size)
    let time = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    // The hash is of the sound only, and a new name changes the tags in the file.
    let hash = (track["sha256"]?.text ?? "").prefix(32)
    let tag = "\"\(hash)-\(size)-\(String(time, radix: 36))\""
    var reply = self.reply(to: request, file, size: size, tag: tag, type: type(of: track))
    reply.headers += [
      ("ETag", tag), ("Accept-Ranges", "bytes"), ("Cache-Control", "private, no-cache"),
    ]
    if request.argument("save") != nil, let path = track["file"]?.text {
      let name = path.split(separator: "/").last.map(String.init) ?? "recording"
      reply.headers.append(("Content-Disposition", attachment(name)))
    }
    return reply
  }

  private static func reply(
    to request: HTTPRequest, _ file: OwnedFile, size: Int64, tag: String, type: String
  ) -> Reply {
    if request.header("if-none-match") == tag { return Reply(304, type: type, .bytes([])) }
    let range = ByteRange(
      request.header("range"), condition: request.header("if-range"), tag: tag, size: size)
    switch range {
    case .whole: return Reply(200, type: type, .file(file, offset: 0, count: size))
    case .part(let first, let count):
      var reply = Reply(206, type: type, .file(file, offset: first, count: count))
      reply.headers.append(("Content-Range", "bytes \(first)-\(first + count - 1)/\(size)"))
      return reply
    case .outside:
      var reply = Reply.failure(416, "the file has \(size) bytes")
      reply.headers.append(("Content-Range", "bytes */\(size)"))
      return reply
    }
  }

  private static func type(of track: JSONValue) -> String {
    switch track["format"]?.text {
    case "opus", "vorbis": "audio/ogg"
    case "flac": "audio/flac"
    case "mp3": "audio/mpeg"
    default:
      (track["file"]?.text ?? "").lowercased().hasSuffix(".wav")
        ? "audio/wav" : "application/octet-stream"
    }
  }

  /// The header that makes a browser save a file under a name, in both spellings.
  static func attachment(_ name: String) -> String {
    let plain = String(
      name.unicodeScalars.map { scalar in
        let isSafe = scalar.isASCII && scalar.value >= 32 && scalar != "\"" && scalar != "\\"
        return isSafe && scalar != "%" && scalar.value != 127 ? Character(scalar) : "_"
      })
    let coded = name.utf8.map { byte in
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == 45 || byte == 46 || byte == 95
      return isPlain
        ? String(decoding: [byte], as: UTF8.self) : "%" + Secrets.hexadecimal([byte]).uppercased()
    }.joined()
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(coded)"
  }
}

extension Reply {
  /// What a browser gets when the recorder refused something, or is not there.
  static func refusal(_ reply: RecorderReply) -> Reply {
    switch reply {
    case .away: .failure(503, "The recorder does not answer.")
    case .error("notFound", let sentence): .failure(404, sentence)
    case .error(let code, let sentence): .failure(409, sentence, code: code)
    case .ok: .failure(500, "The recorder answered something else.")
    }
  }
}

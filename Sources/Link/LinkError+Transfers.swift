// What a failed transfer means: statuses of HTTP, codes of libcurl and numbers of errno become one
// `LinkError` each. What a server wrote is never shown, except a short line of libcurl's. Pure.
import CCurl
import Glibc
import Realtime

extension TransferResult {
  /// Returns the answer if the transfer itself failed; nil if the server answered.
  func failure(at server: ServerSettings) -> RemoteAnswer? {
    switch ending {
    case .answered: nil
    case .stopped: .failed(.unreachable(server, .recording, 0, "it was stopped"))
    case .headersTooLarge: .failed(.tooTalkative(server))
    // Of an answer that is read back it means that the file is another one.
    case .bodyTooLarge: .tooLong
    case .sentElsewhere(let place): .failed(.sentElsewhere(place, by: server))
    case .local(let number): .failed(.source(number))
    case .failed(let code, let words, _):
      .failed(LinkError.transfer(code, words, self, at: server))
    }
  }

  /// The hashes of what was read.
  var hashed: RemoteAnswer { received.map { .hashed($0) } ?? .failed(.unexpected("read")) }
}

/// The codes of libcurl that this program looks at, as numbers.
enum CurlCode {
  static let commandFailed = Int32(bitPattern: CURLE_QUOTE_ERROR.rawValue)

  static func isMissingFile(_ code: Int32) -> Bool {
    code == Int32(bitPattern: CURLE_REMOTE_FILE_NOT_FOUND.rawValue)
  }
}

extension LinkError {
  static func transfer(
    _ code: Int32, _ words: String, _ result: TransferResult, at server: ServerSettings
  ) -> LinkError {
    let number = Int(code)
    let name = server.name
    // Some of libcurl's words are two sentences.
    let words = words.replacing(". ", with: ", ")
    switch CURLcode(rawValue: UInt32(bitPattern: code)) {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ISSUER_ERROR:
      return identity(server, result, number)
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_URL_MALFORMAT,
      CURLE_COULDNT_RESOLVE_PROXY:
      return LinkError(
        .configuration, .target, number: number,
        "The target \(name) cannot work as it is configured (\(words)); check its keys.")
    case CURLE_LOGIN_DENIED: return credentials(server, number)
    case CURLE_REMOTE_ACCESS_DENIED: return forbidden(server, number)
    case CURLE_REMOTE_DISK_FULL: return full(server, number)
    case CURLE_COULDNT_RESOLVE_HOST:
      return LinkError(
        .network, .target, number: number,
        "The name \(server.url.host) is not found; check the address and the network.")
    case CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR:
      return unreachable(server, .target, number, words)
    case CURLE_OPERATION_TIMEDOUT, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING,
      CURLE_PARTIAL_FILE, CURLE_AGAIN:
      return unreachable(server, .recording, number, words)
    default:
      if Self.hasQuotaWords(words) { return full(server, number) }
      return LinkError(
        .server, .recording, number: number, "\(name) failed (\(words)); it is tried again.")
    }
  }

  /// SFTP has one code for every failure; servers write the reason.
  private static func hasQuotaWords(_ words: String) -> Bool {
    let low = words.lowercased()
    return ["quota", "no space", "disk full", "disc full"].contains {
      low.firstRange(of: $0) != nil
    }
  }

  static func unreachable(
    _ server: ServerSettings, _ scope: Scope, _ number: Int, _ words: String
  ) -> LinkError {
    LinkError(
      .network, scope, number: number,
      "\(server.name) cannot be reached, or the connection broke (\(words)); it is tried again.")
  }

  private static func identity(
    _ server: ServerSettings, _ result: TransferResult, _ number: Int
  ) -> LinkError {
    if let key = result.wrongHostKey {
      return LinkError(
        .identity, .target, number: number,
        "\(server.name) shows another host key than before, \(key.fingerprint): if the server was"
          + " set up anew, write this as 'hostKey'; otherwise another machine answers.")
    }
    return LinkError(
      .identity, .target, number: number,
      "The certificate of \(server.name) is not trusted or not the pinned one; check the clock,"
        + " 'ca' and 'pin'.")
  }

  private static func credentials(_ server: ServerSettings, _ number: Int) -> LinkError {
    LinkError(
      .credentials, .target, number: number,
      "\(server.name) refuses the user or the secret; check 'user' and 'credential'.")
  }

  private static func forbidden(_ server: ServerSettings, _ number: Int) -> LinkError {
    LinkError(
      .credentials, .recording, number: number,
      "\(server.name) does not let this user write there; check the rights, or 'url'.")
  }

  static func full(_ server: ServerSettings, _ number: Int) -> LinkError {
    LinkError(
      .space, .target, number: number,
      "\(server.name) has no space left, or the quota is used up; make room there.")
  }

  static func unfinished(at server: ServerSettings) -> LinkError {
    LinkError(
      .server, .recording, number: 200,
      "\(server.name) cannot put the pieces of the file together; it is sent again later.")
  }

  static func tooTalkative(_ server: ServerSettings) -> LinkError {
    LinkError(
      .server, .recording,
      "\(server.name) answers with more than a server does; check the address, or a proxy.")
  }

  static func sentElsewhere(_ place: String, by server: ServerSettings) -> LinkError {
    // S3 doesn't say where a bucket of another region is.
    let host = place.isEmpty ? "?" : String(place.prefix { $0 != "?" }.prefix(100))
    return LinkError(
      .configuration, .target,
      "\(server.name) sends its clients to another server (\(host)); write that as 'url' if it is"
        + " the right one, or check 'region'.")
  }

  static func source(_ number: Int32) -> LinkError {
    LinkError(
      .source, .recording, number: Int(number),
      "The card cannot be read or written: \(systemWords(for: number)).")
  }

  static func noBucket(_ bucket: String, at server: ServerSettings) -> LinkError {
    LinkError(
      .configuration, .target, number: 404,
      "\(server.name) has no bucket “\(bucket)”; make it there, or correct 'bucket'.")
  }

  static func wrongClock(at server: ServerSettings) -> LinkError {
    LinkError(
      .configuration, .target, number: 403,
      "\(server.name) says that the clock of this machine is wrong; set it, or start a time"
        + " service."
    )
  }
}

// What a status of HTTP means, and how long a server asks to wait. Pure; the header is a stranger's
// text, and what it asks for is bounded.
import Glibc

extension LinkError {
  /// Returns the error for a status that an operation has no use for. It holds the whole target
  /// only if it cannot be about one recording; what is about all of them shows after a few.
  static func status(_ result: TransferResult, at server: ServerSettings) -> LinkError {
    let status = result.status
    let name = server.name
    switch status {
    case 401:
      return LinkError(
        .credentials, .target, number: status,
        "\(name) refuses the user or the secret; check 'user' and 'credential'.")
    case 403:
      return LinkError(
        .credentials, .recording, number: status,
        "\(name) does not let this user write there; check the rights, or 'url'.")
    case 507: return full(server, status)
    case 429, 503: return busy(result, at: server, scope: .target)
    case 423: return busy(result, at: server, scope: .recording)
    case 400, 414, 422:
      return LinkError(
        .name, .recording, number: status,
        "\(name) does not accept the name or the file (status \(status)); rename the recording.")
    case 413:
      return LinkError(
        .server, .recording, number: status,
        "\(name) accepts no file that large; raise its limit.")
    case 404, 405, 410, 501:
      return LinkError(
        .configuration, .recording, number: status,
        "\(name) does not know this address, or cannot do what is needed (status \(status)); check"
          + " 'kind' and 'url'.")
    default:
      return LinkError(
        .server, .recording, number: status, "\(name) failed (status \(status)); it is tried again."
      )
    }
  }

  static func busy(
    _ result: TransferResult, at server: ServerSettings, scope: Scope
  ) -> LinkError {
    LinkError(
      .busy, scope, number: result.status,
      retryAfterSeconds: result.headers.retryAfter.flatMap {
        RetryAfter.seconds($0, nowSeconds: result.endedAtSeconds)
      }, "\(server.name) asks to wait; it is tried again.")
  }
}

/// The header `Retry-After`.
enum RetryAfter {
  /// No server may hold up copies for longer.
  static let maximumSeconds: Int64 = 86_400

  /// Returns the time to wait, for a number of seconds or a date; nil if it is neither.
  static func seconds(_ text: String, nowSeconds: Int64) -> Int64? {
    guard text.utf8.count <= 64 else { return nil }
    if text.utf8.allSatisfy({ (48...57).contains($0) }), !text.isEmpty {
      return min(Int64(text) ?? maximumSeconds, maximumSeconds)
    }
    guard var date = date(text) else { return nil }
    return min(max(0, Int64(timegm(&date)) - nowSeconds), maximumSeconds)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses the one form of date that servers must write: `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> tm? {
    let words = text.split { $0 == " " || $0 == ":" }
    guard words.count == 8, words[7] == "GMT",
      let month = months.firstIndex(of: String(words[2])),
      let day = Int32(words[1]), let year = Int32(words[3]), let hour = Int32(words[4]),
      let minute = Int32(words[5]), let second = Int32(words[6]), (1...31).contains(day),
      (1970...9999).contains(year), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second)
    else { return nil }
    var date = tm()
    date.tm_mday = day
    date.tm_mon = Int32(month)
    date.tm_year = year - 1900
    date.tm_hour = hour
    date.tm_min = minute
    date.tm_sec = second
    return date
  }
}

// The keys of `link.json`: what each accepts, and what must hold of several keys together. Pure: it
// touches no file, and it never quotes a value that may be a secret.
import JSON

/// The keys of a target, in the order of the manual.
enum LinkConfigurationTable {
  typealias Key = LinkKey<TargetConfiguration>

  static var target: [Key] { identity + place + rules }

  private static var identity: [Key] {
    [
      .text("name", "a name of letters, digits, \"-\" and \"_\", such as \"cloud\"") {
        text, target in
        target.name = text
        return text.utf8.count <= 40
          && text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0)
          }
      },
      .word("kind", \.kind),
      .text("url", "an address such as \"https://cloud.example/dav\", without a user or a \"?\"") {
        text, target in
        target.url = ServerURL(text)
        return target.url != nil
      },
    ]
  }

  private static var place: [Key] {
    [
      .text("path", "a path that begins with \"/\"") { text, target in
        target.path = text
        return text.hasPrefix("/")
      },
      .text("label", "the label of a disk, such as \"REEL\"") { text, target in
        target.label = text
        return text.utf8.count <= 64 && !text.contains("/")
      },
      .flag("mounted", \.isMounted),
      .text("bucket", "the name of a bucket: 3 to 63 small letters, digits, \"-\" and \".\"") {
        text, target in
        target.bucket = text
        return (3...63).contains(text.utf8.count)
          && text.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46
          }
      },
      .text("region", "a region such as \"eu-central-1\"") { text, target in
        target.region = text
        return text.utf8.count <= 40
          && text.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45
          }
      },
      .word("style", \.style),
      .text("prefix", "folders at the target, such as \"reel/box-1\"") { text, target in
        target.prefix = text.split(separator: "/").map(String.init)
        return target.prefix.count <= 8 && target.prefix.allSatisfy(RemoteName.isGood)
      },
      .text("user", "the name of a user or the id of an access key, without \":\"") {
        text, target in
        target.user = text
        return !text.contains(":")
      },
      .text(
        "credential", "the name of a credential, or the path of a file with the secret",
        isSecret: true
      ) { text, target in
        target.credential = text
        return text.hasPrefix("/") || RemoteName.isGood(text)
      },
    ]
  }

  private static var rules: [Key] {
    [
      .list("folders", "a list of folders, such as [\"/Interviews\"]", \.folders) { text in
        text.hasPrefix("/")
          ? (text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text) : nil
      },
      .list("hours", "a list of parts of the day, such as [\"22:00-06:00\"]", \.hours) {
        HourRange($0)
      },
      .word("metered", \.metered),
      .text("bandwidth", "a rate of at least 1 kB/s, such as \"1 MB/s\" or \"8 Mbit/s\"") {
        text, target in
        target.bytesPerSecond = Bandwidth.bytesPerSecond(text)
        return target.bytesPerSecond != nil
      },
      .flag("texts", \.hasTexts),
      .flag("mirrorDeletions", \.mirrorsDeletions),
      LinkKey(name: "rereadDays", expected: "a number of days from 0 to 3650") { value, target in
        guard case .integer(let days) = value, (0...3650).contains(days) else { return false }
        target.rereadDays = days == 0 ? nil : Int(days)
        return true
      },
      .text("pin", "the hash of a public key, such as \"sha256//…=\"") { text, target in
        target.pin = text
        return text.split(separator: ";").allSatisfy {
          $0.hasPrefix("sha256//") && $0.utf8.count == 52
        }
      },
      .text("hostKey", "a fingerprint as of \"ssh-keygen -l\", such as \"SHA256:…\"") {
        text, target in
        target.hostKey = text
        return text.hasPrefix("SHA256:") && text.utf8.count == 50
      },
      .text("ca", "the path of a file of certificates") { text, target in
        target.authorities = text
        return text.hasPrefix("/")
      },
    ]
  }

  static var heartbeat: [LinkKey<HeartbeatConfiguration>] {
    [
      .text("url", "an address that begins with \"https://\"", isSecret: true) { text, heartbeat in
        heartbeat.url = Secret(text)
        let plain = ServerURL(String(text.prefix { $0 != "?" }))
        return plain.map { $0.scheme == "https" || $0.scheme == "http" && $0.isLoopback } ?? false
      },
      LinkKey(name: "every", expected: "a number of seconds from 30 to 86400") { value, heartbeat in
        guard case .integer(let seconds) = value, (30...86_400).contains(seconds) else {
          return false
        }
        heartbeat.everySeconds = seconds
        return true
      },
    ]
  }

  // MARK: Several keys together

  /// The keys that each kind has beside those of all.
  private static let own: [TargetConfiguration.Kind: (needed: [String], more: [String])] = [
    .s3: (["url", "bucket", "user", "credential"], ["region", "style", "pin", "ca"]),
    .webdav: (["url"], ["user", "credential", "pin", "ca"]),
    .sftp: (["url", "user", "credential"], ["hostKey"]),
    .directory: ([], ["path", "label", "mounted"]),
  ]

  private static let special: Set<String> = [
    "url", "bucket", "user", "credential", "region", "style", "pin", "ca", "hostKey", "path",
    "label", "mounted",
  ]

  /// Reports what does not fit together; `found` are the offsets of the keys in the text.
  static func check(
    _ target: TargetConfiguration, at offset: Int, _ found: [String: Int], isKindKnown: Bool,
    _ reading: inout LinkReading
  ) {
    for name in ["name", "kind"] where found[name] == nil {
      reading.wrong(at: offset, "'\(name)' is missing here")
    }
    // A kind that was not understood needs nothing.
    guard found["kind"] != nil, isKindKnown, let own = own[target.kind] else { return }
    for name in own.needed where found[name] == nil {
      reading.wrong(
        at: offset, "'\(name)' is missing here: kind \"\(target.kind.rawValue)\" needs it")
    }
    let unused = found.filter {
      special.contains($0.key) && !own.needed.contains($0.key) && !own.more.contains($0.key)
    }
    for (name, place) in unused.sorted(by: { $0.value < $1.value }) {
      reading.below(name) {
        $0.wrong(at: place, "kind \"\(target.kind.rawValue)\" has no such key; take the line out")
      }
    }
    if target.kind == .directory {
      if target.path == nil && target.label == nil {
        reading.wrong(at: offset, "'path' or 'label' is missing here")
      }
    } else if let url = target.url, let place = found["url"] {
      reading.below("url") { check(url, of: target.kind, at: place, &$0) }
    }
    if target.mirrorsDeletions, !target.hasTexts, let place = found["mirrorDeletions"] {
      reading.below("mirrorDeletions") {
        $0.wrong(at: place, "it needs the files of texts; take \"texts\": false out")
      }
    }
    if target.credential != nil, target.user.isEmpty, let place = found["credential"] {
      reading.wrong(at: place, "'user' is missing here: a secret is a user's")
    }
  }

  private static func check(
    _ url: ServerURL, of kind: TargetConfiguration.Kind, at place: Int,
    _ reading: inout LinkReading
  ) {
    switch (kind, url.scheme) {
    case (.sftp, "sftp"), (.webdav, "https"), (.s3, "https"): break
    case (.webdav, "http"), (.s3, "http"):
      if !url.isLoopback {
        reading.wrong(
          at: place, "\"http:\" sends the secret and the sound in the clear; write \"https:\"")
      }
    default:
      let scheme = kind == .sftp ? "sftp:" : "https:"
      reading.wrong(at: place, "the address of kind \"\(kind.rawValue)\" begins with \"\(scheme)\"")
    }
  }
}

/// Rates as people write them.
enum Bandwidth {
  private static let units: [(name: String, size: Double)] = [
    ("gb/s", 1e9), ("mb/s", 1e6), ("kb/s", 1e3), ("gib/s", 1_073_741_824),
    ("mib/s", 1_048_576), ("kib/s", 1024), ("b/s", 1), ("gbit/s", 125e6), ("mbit/s", 125e3),
    ("kbit/s", 125), ("bit/s", 0.125),
  ]

  /// Nil if it is no rate, or below 1 kB/s.
  static func bytesPerSecond(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    guard let number = Double(digits), let size = units.first(where: { $0.name == unit })?.size,
      (1000...1e12).contains(number * size)
    else { return nil }
    return Int64(number * size)
  }
}

// Makes targets of the configuration: reads their secrets, and knows where the keys of SSH servers
// are remembered. A secret goes from its file into a request, and nowhere else. Waits for the disk;
// it is done at the start, on a reload, and when a host's key is new.
import Glibc
import Realtime

/// Makes targets.
public struct TargetFactory: Sendable {
  /// systemd's, from `CREDENTIALS_DIRECTORY`; nil if there is none.
  public var credentials: String?
  /// Where the keys of SSH servers are remembered.
  public var state: String
  public var limits = TransferLimits()

  public init(credentials: String?, state: String) {
    self.credentials = credentials
    self.state = state
  }

  private static let secretBytesMaximum = 16_384

  /// Throws an error with the code `configuration` if a secret cannot be read.
  public func target(_ configuration: TargetConfiguration) throws(LinkError) -> any Target {
    switch configuration.kind {
    case .directory: return DirectoryTarget(place(configuration))
    case .webdav: return WebDAVTarget(try settings(configuration))
    case .sftp: return SFTPTarget(try settings(configuration))
    case .s3:
      return S3Target(
        try settings(configuration), bucket: configuration.bucket, style: configuration.style)
    }
  }

  private func place(_ configuration: TargetConfiguration) -> DiskPlace {
    var place = DiskPlace(
      target: configuration.name, path: configuration.path ?? "/", label: configuration.label)
    place.isMounted = configuration.isMounted
    return place
  }

  private func settings(_ configuration: TargetConfiguration) throws(LinkError) -> ServerSettings {
    guard let url = configuration.url else { throw .noPlace }
    var access = ServerAccess()
    access.user = configuration.user
    access.pin = configuration.pin
    access.authorities = configuration.authorities
    access.hostKey.fingerprint = configuration.hostKey
    access.hostKey.knownHosts = knownHosts(of: configuration.name)
    if let credential = configuration.credential {
      access.login = try login(configuration, credential)
    }
    var limits = limits
    limits.bytesPerSecond = configuration.bytesPerSecond
    return ServerSettings(
      name: configuration.name, url: url, access: access, limits: limits)
  }

  private func login(
    _ configuration: TargetConfiguration, _ credential: String
  ) throws(LinkError) -> ServerAccess.Login {
    let path = try path(of: credential, for: configuration.name)
    var bytes: [UInt8]
    do throws(SmallFile.ReadError) {
      bytes = try SmallFile.bytes(of: path, atMost: Self.secretBytesMaximum)
    } catch { throw unreadable(credential, configuration.name, error.words) }
    while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
    if bytes.isEmpty { throw unreadable(credential, configuration.name, "it is empty") }
    let text = String(decoding: bytes, as: UTF8.self)
    if configuration.kind == .sftp, text.hasPrefix("-----BEGIN ") { return .keyFile(path) }
    if bytes.contains(where: { $0 < 0x20 }) {
      throw unreadable(credential, configuration.name, "it is more than a line")
    }
    let secret = Secret(text)
    return configuration.kind == .s3
      ? .s3(region: configuration.region, secret) : .password(secret)
  }

  private func path(of credential: String, for target: String) throws(LinkError) -> String {
    if credential.hasPrefix("/") { return credential }
    guard let credentials else {
      throw unreadable(credential, target, "systemd gave no credentials")
    }
    // systemd gives the files of a directory names that begin with its own.
    let plain = credentials + "/" + credential
    return access(plain, R_OK) == 0 ? plain : credentials + "/link_" + credential
  }

  private func unreadable(_ credential: String, _ target: String, _ words: String) -> LinkError {
    LinkError(
      .configuration, .target,
      "The credential “\(credential)” of \(target) cannot be used: \(words); see 'credential'.")
  }

  // MARK: Host keys

  /// Returns the file with the key of a target's server.
  public func knownHosts(of target: String) -> String { "\(state)/hosts/\(target)" }

  /// Remembers the key that an SSH server showed first; it must show this one from now on.
  public func remember(
    _ key: HostKey, of configuration: TargetConfiguration
  ) throws(LinkError) {
    guard let url = configuration.url else { return }
    let path = knownHosts(of: configuration.name)
    let host = url.host.filter { $0 != "[" && $0 != "]" }
    mkdir(state + "/hosts", 0o700)
    let line = Array(key.line(host: host, port: url.port).utf8)
    if let number = SmallFile.replace(path, with: line, mode: 0o600) {
      throw LinkError(
        .system, .target, number: Int(number),
        "The host key of \(configuration.name) cannot be remembered: \(systemWords(for: number)).")
    }
  }
}

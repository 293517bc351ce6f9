// What libcurl is told before a transfer: the method, the proof of who asks, the limits, and the
// callbacks. Certificates are always verified; there is no option that turns this off. Runs on the
// loop's thread.
import CCurl
import Glibc

extension Transfer {
  /// Sets every option; the handle is new, or begins anew elsewhere on its server.
  func prepare(url: String) {
    begin()
    easy.set(CURLOPT_URL, url)
    setMethod()
    setLimits()
    setLogin()
    setTrust(url: url)
    setCallbacks()
  }

  private var isSecureShell: Bool { request.url.hasPrefix("sftp:") }

  private func setMethod() {
    switch request.method {
    case .get: easy.set(CURLOPT_HTTPGET, 1)
    case .names: easy.set(CURLOPT_DIRLISTONLY, 1)
    case .head:
      easy.set(CURLOPT_NOBODY, 1)
      easy.set(CURLOPT_FILETIME, 1)
    case .plain(let name): easy.set(CURLOPT_CUSTOMREQUEST, name)
    case .commands:
      easy.set(CURLOPT_NOBODY, 1)
      easy.set(CURLOPT_QUOTE, lines)
    case .post:
      easy.set(CURLOPT_UPLOAD, 1)
      easy.set(CURLOPT_CUSTOMREQUEST, "POST")
      easy.set(CURLOPT_INFILESIZE_LARGE, large: request.method.body?.length ?? 0)
    case .put(let body):
      easy.set(CURLOPT_UPLOAD, 1)
      easy.set(CURLOPT_INFILESIZE_LARGE, large: body.length)
      if isSecureShell {
        easy.set(CURLOPT_FTP_CREATE_MISSING_DIRS, 1)
        // Asks the server how much of the file there is.
        if body.resumes { easy.set(CURLOPT_RESUME_FROM_LARGE, large: -1) }
      }
    }
    if !isSecureShell { easy.set(CURLOPT_HTTPHEADER, lines) }
    easy.set(CURLOPT_HTTP_VERSION, reel_curl_http_1_1)
    easy.set(CURLOPT_USERAGENT, "reel-link")
  }

  private func setLimits() {
    let limits = request.limits
    easy.set(CURLOPT_NOSIGNAL, 1)
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds)
    easy.set(CURLOPT_LOW_SPEED_LIMIT, limits.stallBytesPerSecond)
    easy.set(CURLOPT_LOW_SPEED_TIME, limits.stallSeconds)
    var length = request.sink.limit
    if let body = request.method.body { length = max(length, body.length) }
    let total = limits.totalMilliseconds(forBytes: length)
    // libcurl keeps it as a 32-bit number on some machines.
    easy.set(CURLOPT_TIMEOUT_MS, Int(min(total, Int64(Int32.max))))
    easy.set(CURLOPT_MAX_SEND_SPEED_LARGE, large: limits.bytesPerSecond ?? 0)
    easy.set(CURLOPT_MAX_RECV_SPEED_LARGE, large: limits.bytesPerSecond ?? 0)
    easy.set(CURLOPT_TCP_KEEPALIVE, 1)
  }

  private func setLogin() {
    let access = request.access
    if case .none = access.login { return }
    easy.set(CURLOPT_USERNAME, access.user)
    switch access.login {
    case .none: break
    case .password(let secret):
      easy.set(CURLOPT_PASSWORD, secret.text)
      easy.set(CURLOPT_HTTPAUTH, Int(basicAuthentication))
      easy.set(CURLOPT_SSH_AUTH_TYPES, SSHAuthentication.passwords)
    case .keyFile(let path):
      easy.set(CURLOPT_SSH_AUTH_TYPES, SSHAuthentication.publicKey)
      easy.set(CURLOPT_SSH_PRIVATE_KEYFILE, path)
    case .s3(let region, let secret):
      easy.set(CURLOPT_PASSWORD, secret.text)
      easy.set(CURLOPT_AWS_SIGV4, "aws:amz:\(region):s3")
    }
  }

  private func setTrust(url: String) {
    let access = request.access
    easy.set(CURLOPT_SSL_VERIFYPEER, 1)
    easy.set(CURLOPT_SSL_VERIFYHOST, 2)
    easy.set(CURLOPT_SSLVERSION, reel_curl_tls_1_2)
    if let pin = access.pin { easy.set(CURLOPT_PINNEDPUBLICKEY, pin) }
    if let file = access.authorities { easy.set(CURLOPT_CAINFO, file) }
    easy.set(CURLOPT_FOLLOWLOCATION, 0)
    let server = ServerURL(String(request.url.prefix { $0 != "?" }))
    // What stays on this machine never goes to a proxy, which would read it.
    if server?.isLoopback ?? false { easy.set(CURLOPT_NOPROXY, "*") }
    easy.set(CURLOPT_PROTOCOLS_STR, server?.scheme ?? "https")
    // Without a file, libcurl doesn't ask the callback.
    easy.set(CURLOPT_SSH_KNOWNHOSTS, access.hostKey.knownHosts ?? "/dev/null")
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let handle = easy.pointer
    reel_curl_set_bytes(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
      let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
      return transfer(context)?.read(buffer) ?? Int(CURL_READFUNC_ABORT)
    }
    reel_curl_set_bytes(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return transfer(context)?.write(buffer) ?? false ? buffer.count : refused
    }
    reel_curl_set_bytes(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return transfer(context)?.readHeader(buffer) ?? false ? buffer.count : refused
    }
    reel_curl_set_seek(handle) { context, offset, origin in
      let isDone = transfer(context)?.seek(Int64(offset), origin) ?? false
      return isDone ? Int32(CURL_SEEKFUNC_OK) : Int32(CURL_SEEKFUNC_FAIL)
    }
    reel_curl_set_host_key(handle) { _, _, found, match, context in
      let key = found.flatMap { HostKey($0.pointee) }
      let isAccepted = transfer(context)?.accepts(
        key, isKnown: match == CURLKHMATCH_OK, isOther: match == CURLKHMATCH_MISMATCH)
      let answer = isAccepted ?? false ? CURLKHSTAT_FINE : CURLKHSTAT_REJECT
      return Int32(bitPattern: answer.rawValue)
    }
    for option in [
      CURLOPT_READDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_SEEKDATA,
      CURLOPT_SSH_KEYDATA,
    ] {
      easy.set(option, context)
    }
  }
}

/// Another count than the one that was given stops a transfer.
private let refused = Int.max

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

/// `CURLAUTH_BASIC`, a macro with a cast that Swift does not import.
private let basicAuthentication = 1

/// `CURLSSH_AUTH_…`.
private enum SSHAuthentication {
  static let publicKey = 1
  /// With a password, also typed at a prompt.
  static let passwords = 1 << 1 | 1 << 3
}

extension TransferRequest.Method {
  /// What is sent; nil if nothing is.
  var body: TransferBody? {
    switch self {
    case .put(let body): body
    case .post(let bytes): .bytes(bytes)
    case .get, .names, .head, .plain, .commands: nil
    }
  }
}

extension TransferBody {
  var length: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .source(let length, _), .piece(_, let length): length
    }
  }

  /// Where it begins in the descriptor.
  var offset: Int64 {
    if case .piece(let offset, _) = self { offset } else { 0 }
  }

  var resumes: Bool {
    if case .source(_, let resumes) = self { resumes } else { false }
  }
}

extension HostKey {
  /// Nil if it is no key: its name comes first in it, after four bytes of length.
  init?(_ found: curl_khkey) {
    guard let start = found.key, (8...16_384).contains(found.len) else { return nil }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: found.len))
    let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard (1...64).contains(length), bytes.count >= 4 + length else { return nil }
    let name = bytes[4..<4 + length]
    guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    self.init(kind: String(decoding: name, as: UTF8.self), bytes: bytes)
  }
}

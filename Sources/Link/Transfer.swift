// One transfer while it runs: libcurl's handle and what its callbacks need. The engine makes and
// ends it, on the loop's thread; the callbacks run inside libcurl and may neither end a transfer
// nor begin one. Every byte from the server is counted against a limit before it is kept.
import CCurl
import Glibc

/// A transfer that runs; `TransferEngine.stop` ends it.
public final class Transfer {
  let request: TransferRequest
  let file: OpenedFile?
  let easy: EasyHandle
  let lines: LineList
  let done: (TransferResult) -> Void
  private let errorText: UnsafeMutablePointer<CChar>

  var redirects = 0
  private var sentOffset: Int64 = 0
  private var startOffset: Int64 = 0
  private var sending: ContentHasher
  private var receiving: ContentHasher
  private var headerBytes = 0
  private var uselessBytes = 0
  private var headers = ResponseHeaders()
  private var body: [UInt8] = []
  private var tooLarge: TransferResult.Ending?
  private var localError: LocalError?
  private var newHostKey: HostKey?
  private var wrongHostKey: HostKey?

  /// An error's page is read so far, so that the connection can be used again.
  private static let uselessBytesMaximum = 256 << 10
  /// Of an error's page so much is kept, for the code that S3 writes into it.
  private static let errorPageBytes = 4096

  init(
    _ request: TransferRequest, _ file: OpenedFile?, done: @escaping (TransferResult) -> Void
  ) throws(LinkError) {
    self.request = request
    self.file = file
    self.done = done
    easy = try EasyHandle()
    if case .commands(let commands) = request.method {
      lines = try LineList(commands)
    } else {
      lines = try LineList(request.headers)
    }
    sending = ContentHasher(soundFrom: request.soundFrom)
    receiving = ContentHasher(soundFrom: request.soundFrom)
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { errorText.deallocate() }

  /// Forgets what a server said before it sent the client elsewhere.
  func begin() {
    sentOffset = 0
    startOffset = 0
    sending = ContentHasher(soundFrom: request.soundFrom)
    receiving = ContentHasher(soundFrom: request.soundFrom)
    headers = ResponseHeaders()
    body = []
    uselessBytes = 0
    errorText[0] = 0
    easy.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText))
  }

  // MARK: The end

  func result(_ code: CURLcode) -> TransferResult {
    var result = TransferResult(ending(code))
    result.status = easy.long(CURLINFO_RESPONSE_CODE)
    result.headers = headers
    result.body = body
    if request.method.body != nil { result.sent = sending.hashes() }
    result.received = receiving.hashes()
    result.resumedFrom = startOffset
    let changed = easy.offset(CURLINFO_FILETIME_T)
    if changed >= 0 { result.changedSeconds = changed }
    result.newHostKey = newHostKey
    result.wrongHostKey = wrongHostKey
    result.endedAtSeconds = Int64(time(nil))
    return result
  }

  private func ending(_ code: CURLcode) -> TransferResult.Ending {
    if let localError { return .local(errorNumber: localError.errorNumber) }
    if let tooLarge { return tooLarge }
    // The page of an error was cut by this end: its status is the answer.
    if code == CURLE_OK || uselessBytes > Self.uselessBytesMaximum { return .answered }
    let words = errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : errorWords
    let number = Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO))
    return .failed(code: Int32(bitPattern: code.rawValue), words: words, errorNumber: number)
  }

  private var errorWords: String { String(cString: errorText) }

  // MARK: Callbacks

  /// Gives libcurl the next bytes to send; nil stops the transfer.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    var count = 0
    switch request.method.body {
    case .bytes(let bytes):
      let from = min(Int(sentOffset), bytes.count)
      count = min(buffer.count, bytes.count - from)
      buffer.copyBytes(from: bytes[from..<from + count])
    case .source, .piece:
      let body = request.method.body
      let wanted = Int(min(Int64(buffer.count), max(0, (body?.length ?? 0) - sentOffset)))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      let place = (body?.offset ?? 0) + sentOffset
      switch file?.read(part, at: place) ?? .failure(LocalError(errorNumber: EBADF)) {
      case .success(let read) where read == wanted: count = read
      // The file is shorter than it was.
      case .success: return fail(LocalError(errorNumber: ENODATA))
      case .failure(let error): return fail(error)
      }
    case nil: return 0
    }
    sending.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    sentOffset += Int64(count)
    return count
  }

  private func fail(_ error: LocalError) -> Int? {
    localError = error
    return nil
  }

  /// Goes to a place of what is sent: the beginning, or where an upload goes on.
  func seek(_ offset: Int64, _ origin: Int32) -> Bool {
    guard origin == SEEK_SET, offset >= 0 else { return false }
    if offset > request.method.body?.length ?? 0 { return false }
    sentOffset = offset
    startOffset = offset
    sending = ContentHasher(soundFrom: request.soundFrom)
    return true
  }

  /// Takes bytes of a body. Returns false to stop the transfer.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if easy.long(CURLINFO_RESPONSE_CODE) >= 300 {
      uselessBytes += bytes.count
      body += bytes.prefix(max(0, Self.errorPageBytes - body.count))
      return uselessBytes <= Self.uselessBytesMaximum
    }
    if receiving.length + Int64(bytes.count) > request.sink.limit {
      tooLarge = .bodyTooLarge
      return false
    }
    switch request.sink {
    case .hash: break
    case .collect: body += bytes
    case .write:
      let place = receiving.length
      guard let file else { return false }
      localError = file.write(bytes, at: place)
      if localError != nil { return false }
    }
    receiving.append(bytes)
    return true
  }

  /// Takes a line of the headers. Returns false to stop the transfer.
  func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headerBytes += line.count
    if headerBytes > request.limits.headerBytes {
      tooLarge = .headersTooLarge
      return false
    }
    headers.read(line)
    return true
  }

  /// Decides whether the key that an SSH server showed is its own.
  func accepts(_ key: HostKey?, isKnown: Bool, isOther: Bool) -> Bool {
    guard let key else { return false }
    let policy = request.access.hostKey
    if let fingerprint = policy.fingerprint {
      if key.fingerprint == fingerprint { return true }
    } else {
      if isKnown { return true }
      if !isOther {
        newHostKey = key
        return true
      }
    }
    wrongHostKey = key
    return false
  }
}

// The server that lies, as tests use it: its targets, what it keeps, and how often it lies. Tests
// share one server where each fault is a folder of its own; it ends with the tests' process, which
// holds its input.
import Digest
import JSON
import Testing

@testable import Link

/// A server that lies.
struct Liar {
  let server: TestServer
  let port: Int

  init() throws {
    server = try TestServer(["/usr/bin/python3", serversFolder + "/liar.py"])
    port = try server.printedPort()
  }

  static let shared = Result { try Liar() }

  func webDAV(
    _ path: String, _ login: ServerAccess.Login = .none, limits: TransferLimits = shortLimits()
  ) throws -> WebDAVTarget {
    WebDAVTarget(
      try settings("http://127.0.0.1:\(port)/\(path)", user: "reel", login, limits: limits))
  }

  /// S3's bucket with a fault; empty for none.
  func s3(_ fault: String, secret: String = "open sesame") throws -> S3Target {
    let login = ServerAccess.Login.s3(region: "us-east-1", Secret(secret))
    let root = fault.isEmpty ? "s3" : "s3-" + fault
    return S3Target(
      try settings("http://127.0.0.1:\(port)/\(root)", user: "reel", login), bucket: "bucket",
      style: .path)
  }

  private func ask(
    _ method: TransferRequest.Method, _ path: String, _ bench: LinkBench
  ) throws -> [UInt8] {
    let engine = try TransferEngine(on: bench.loop)
    var result: TransferResult?
    var request = TransferRequest(method, "http://127.0.0.1:\(port)/\(path)")
    request.sink = .collect(atMost: 10_000_000)
    try engine.start(request) { result = $0 }
    return try bench.wait { result }.body
  }

  /// Lies in so many of a thousand requests below "mixed".
  func lie(perThousand: Int, _ bench: LinkBench) throws {
    let digits = String(perThousand + 1000).dropFirst()
    _ = try ask(.put(.bytes([])), "share/\(perThousand < 1000 ? "0." + digits : "1")", bench)
  }

  /// Returns how often each method came for each fault, as text.
  func counts(_ bench: LinkBench) throws -> String {
    String(decoding: try ask(.get, "count", bench), as: UTF8.self)
  }

  private struct Kept: Decodable {
    let files: [String: String]
    let lies: [String: Int]
    let uploads: [String]
  }

  /// Returns the names of uploads in pieces that are not at their end.
  func uploads(_ bench: LinkBench) throws -> [String] {
    try JSON.decode(Kept.self, from: try ask(.get, "sums", bench)).uploads
  }

  /// Returns the hashes of the files that it keeps, by their paths, and how often it lied.
  func kept(_ bench: LinkBench) throws -> (sums: [String: String], lies: Int) {
    let kept = try JSON.decode(Kept.self, from: try ask(.get, "sums", bench))
    return (kept.files, kept.lies.values.reduce(0, +))
  }
}

/// The copy failed with that error, of which holds what holds of every one.
func expectError(of outcome: CopyOutcome, code: String, scope: String? = nil) throws {
  let error = try #require(outcome.error)
  #expect(error.code.rawValue == code, "\(error)")
  if let scope { #expect(error.scope.rawValue == scope, "\(error)") }
  expectRetried(error)
}

/// What holds of every error of a copy: it is one sentence, and it is tried again later.
func expectRetried(_ error: LinkError) {
  let text = error.sentence
  #expect(text.hasSuffix(".") && !text.contains(". ") && !text.contains("\n"), "\(text)")
  #expect((10...300).contains(text.count), "\(text)")
  let file = QueuedRecording.File(
    track: "main", path: ["a.opus"], sizeBytes: 1, soundFrom: 0, sound: SHA256().sum)
  let recording = QueuedRecording(
    id: "a", folder: "0", folderPath: "/", files: [file], copy: nil)
  var queue = CopyQueue()
  _ = queue.handle(.connected, nowSeconds: 1000, chance: 0)
  let page = QueuePage([recording], next: nil, waiting: 1)
  _ = queue.handle(.page(page), nowSeconds: 1000, chance: 0)
  let effects = queue.handle(.sent(.failed(error)), nowSeconds: 1000, chance: 0)
  let wait = max(60, error.retryAfterSeconds ?? 0)
  // It is told, with the time of the next try, and nothing is noted of a copy.
  let isTold = effects.contains { effect in
    guard case .tell(let telling) = effect, telling.recording == "a" else { return false }
    return telling.condition == .failed && telling.why == text && telling.retrySeconds == wait
  }
  #expect(isTold, "\(effects)")
  #expect(effects.contains(.rest(untilSeconds: 1000 + wait)), "\(effects)")
  let early = queue.handle(.tick, nowSeconds: 999 + wait, chance: 0)
  let again = queue.handle(.page(page), nowSeconds: 999 + wait, chance: 0)
  #expect(!(early + again).contains(.send(recording, file: 0)))
  _ = queue.handle(.tick, nowSeconds: 1000 + wait, chance: 0)
  let due = queue.handle(.page(page), nowSeconds: 1000 + wait, chance: 0)
  #expect(due.contains(.send(recording, file: 0)), "\(due)")
}

// A folder as a zip archive, made while it is sent: one file is open at a time, and of those that
// were sent only the records of the archive's directory are kept. Loop's thread; a read of the card
// may wait, which keeps only browsers waiting. What could not be read is listed in the archive.
import CZlib
import Glibc

/// The body of a download.
final class ZipStream: BodySource {
  var onReady: () -> Void = {}
  var onEnd: () -> Void = {}
  private let walk: ZipWalk
  private var output: [UInt8] = []
  private var sent = 0
  /// How many bytes the archive has so far.
  private var length: UInt64 = 0
  private var current: (file: OwnedFile, entry: ZipEntry, done: UInt64)?
  private var directory: [UInt8] = []
  private var count = 0
  private var isAsking = false
  private var isComplete = false
  private var isBroken = false

  init(_ walk: ZipWalk) { self.walk = walk }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPart {
    if isBroken { return .broken }
    if sent < output.count { return sendOutput(buffer) }
    if current != nil { return sendFile(buffer) }
    if isComplete { return .end }
    askForNext()
    // The answer may be there at once, without the recorder: then there is something to send.
    if isBroken { return .broken }
    return sent < output.count ? sendOutput(buffer) : .later
  }

  func end() {
    current = nil
    onEnd()
    onEnd = {}
  }

  private func sendOutput(_ buffer: UnsafeMutableRawBufferPointer) -> BodyPart {
    let part = min(buffer.count, output.count - sent)
    output.withUnsafeBytes { bytes in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + part]))
    }
    sent += part
    if sent == output.count { (output, sent) = ([], 0) }
    return .bytes(part)
  }

  private func add(_ bytes: [UInt8]) {
    output += bytes
    length += UInt64(bytes.count)
  }

  private func sendFile(_ buffer: UnsafeMutableRawBufferPointer) -> BodyPart {
    guard let (file, known, before) = current else { return .broken }
    var (entry, done) = (known, before)
    let wanted = Int(min(UInt64(buffer.count), entry.size - done))
    if wanted > 0 {
      let got = pread(file.descriptor, buffer.baseAddress, wanted, off_t(done))
      // A file that became shorter cannot be sent as announced.
      if got <= 0 { return .broken }
      entry.checksum = UInt32(
        truncatingIfNeeded: crc32_z(
          UInt(entry.checksum), buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), got))
      done += UInt64(got)
      length += UInt64(got)
      current = (file, entry, done)
      if done < entry.size { return .bytes(got) }
      close(entry)
      return .bytes(got)
    }
    close(entry)
    return sendOutput(buffer)
  }

  private func close(_ entry: ZipEntry) {
    add(entry.descriptor)
    directory += entry.directoryRecord
    count += 1
    current = nil
  }

  private func askForNext() {
    if isAsking { return }
    isAsking = true
    walk.next { [weak self] next in
      guard let self else { return }
      isAsking = false
      switch next {
      case .failed: isBroken = true
      case .file(let file, let name): begin(file, name)
      case .end(let missing): finish(missing)
      }
      onReady()
    }
  }

  private func begin(_ file: OwnedFile, _ name: String) {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      isBroken = true
      return
    }
    var entry = ZipEntry(
      name: name, size: UInt64(max(0, status.st_size)),
      modifiedSeconds: Int(status.st_mtim.tv_sec))
    entry.offset = length
    add(entry.header)
    current = (file, entry, 0)
  }

  private func finish(_ missing: [String]) {
    if !missing.isEmpty { list(missing) }
    let start = length
    add(directory)
    add(ZipFormat.end(count: count, offset: start, size: UInt64(directory.count)))
    directory = []
    isComplete = true
  }

  private func list(_ missing: [String]) {
    let text = Array((missing.joined(separator: "\n") + "\n").utf8)
    var entry = ZipEntry(
      name: "NOT IN THIS ARCHIVE.txt", size: UInt64(text.count), modifiedSeconds: Int(time(nil)))
    entry.offset = length
    entry.checksum = UInt32(truncatingIfNeeded: crc32_z(0, text, text.count))
    add(entry.header)
    add(text)
    close(entry)
  }
}

/// Gives out archives: one at a time to a session, two in all.
final class ZipDesk {
  private let pool: CommandPool
  private let turns = SessionTurns(
    refusal: "Another folder is being downloaded; try again when it is done.")

  init(_ pool: CommandPool) { self.pool = pool }

  func answer(_ exchange: Exchange, folder: String, session: String) {
    guard turns.begin(exchange, session: session) else { return }
    pool.ask(["info", "--", folder]) { [pool] reply in
      guard let item = reply.answer?["item"] else { return exchange.finish(.refusal(reply)) }
      guard item["kind"]?.text == "folder" else {
        return exchange.finish(.failure(404, "This is not a folder."))
      }
      let title = item["title"]?.text ?? ""
      let stream = ZipStream(ZipWalk(pool, folder: folder))
      var answer = Reply(200, type: "application/zip", .stream(stream))
      let name = title.isEmpty ? "recordings" : title
      answer.headers += [
        ("Content-Disposition", SoundAPI.attachment(name + ".zip")), ("Cache-Control", "no-store"),
      ]
      exchange.finish(answer)
    }
  }
}

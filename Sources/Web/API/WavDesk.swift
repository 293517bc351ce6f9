// One track of a recording as WAV: the recorder writes it into a file that this program opened in
// its own state directory, and that has no name any more. Loop's thread. The recorder works as for
// `export`; it is one file at a time for each session, two in all, and only while there is room. If
// the browser leaves meanwhile, the recorder is told to stop.
import Glibc
import JSON

/// Has recordings converted for browsers.
final class WavDesk {
  /// What is left free on the disk of the state directory.
  private static let reserveBytes: Int64 = 256 << 20
  /// A header, with room for what the recorder knows of the recording.
  private static let headBytes: Int64 = 1 << 20

  private let pool: CommandPool
  private let directory: String
  private let turns = SessionTurns(
    refusal: "Another recording is being converted; try again when it is done.")

  init(_ pool: CommandPool, state directory: String) {
    (self.pool, self.directory) = (pool, directory)
  }

  func answer(_ exchange: Exchange, id: String, session: String) {
    guard turns.begin(exchange, session: session) else { return }
    let name = exchange.request.argument("track")
    let work = LongWork(pool)
    exchange.onLeave = { work.cancel() }
    pool.ask(["info", "--", id]) { [weak self] reply in
      guard let self, !work.isUnwanted else { return }
      guard let item = reply.answer?["item"] else { return exchange.finish(.refusal(reply)) }
      // Its files are not told before it is finished.
      if ["recording", "closing"].contains(item["stage"]?.text) {
        let sentence = "It is still being recorded; stop the recording first."
        return exchange.finish(.failure(409, sentence, code: "stillInUse"))
      }
      let tracks = item["tracks"]?.items ?? []
      guard let track = tracks.first(where: { name == nil || $0["name"]?.text == name }) else {
        return exchange.finish(.failure(404, "there is no such track"))
      }
      convert(exchange, id, Track(track), work)
    }
  }

  /// What has to be known of a track.
  struct Track {
    let name: String
    let file: String
    /// Of the WAV file, which the recorder makes as deep as the track.
    let bytes: Int64

    init(_ track: JSONValue) {
      name = track["name"]?.text ?? ""
      file = track["file"]?.text ?? ""
      let isDeep = (track["bits"]?.integer ?? 16) > 16
      // The recorder's numbers; a product that cannot be is more than any disk has.
      let samples = (track["frames"]?.integer ?? 0).multipliedReportingOverflow(
        by: track["channels"]?.integer ?? 1)
      let bytes = samples.partialValue.multipliedReportingOverflow(by: isDeep ? 3 : 2)
      self.bytes = samples.overflow || bytes.overflow ? .max / 2 : Int64(bytes.partialValue)
    }

    /// The name under which it is saved.
    var title: String {
      let name = file.split(separator: "/").last ?? "recording"
      let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
      return stem + ".wav"
    }
  }

  private func convert(_ exchange: Exchange, _ id: String, _ track: Track, _ work: LongWork) {
    guard hasRoom(bytes: track.bytes) else {
      return exchange.finish(
        .failure(
          503, "There is no room here to convert this recording; download it as it is.",
          code: "noRoom"))
    }
    guard let file = makeFile() else {
      return exchange.finish(.failure(500, "No file can be made to convert the recording into."))
    }
    let words = ["export", "--track", track.name, "--", id, "recording.wav"]
    pool.ask(words, passing: file, work: work) { reply in
      var status = stat()
      guard reply.answer != nil, fstat(file.descriptor, &status) == 0 else {
        return exchange.finish(.refusal(reply))
      }
      let size = Int64(status.st_size)
      var answer = Reply(200, type: "audio/wav", .file(file, offset: 0, count: size))
      answer.headers += [
        ("Content-Disposition", SoundAPI.attachment(track.title)), ("Cache-Control", "no-store"),
      ]
      exchange.finish(answer)
    }
  }

  private func hasRoom(bytes: Int64) -> Bool {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return false }
    let free = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return free.overflow || free.partialValue > bytes + Self.headBytes + Self.reserveBytes
  }

  /// Returns a new file without a name, so that it is gone with its last owner.
  private func makeFile() -> OwnedFile? {
    let path = directory + "/converting-" + Secrets.hexadecimal(Secrets.bytes(8))
    let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard made >= 0 else { return nil }
    unlink(path)
    return OwnedFile(owning: made)
  }
}

// Proves that a program at a serial port gets each answer whole, however slowly it reads: a folder
// of more than a page comes in several lines, one command after the other.

import Glibc
import JSON
import Recorder
import Systemd
import Testing

@testable import Console

@Suite struct SerialAnswerTests {
  /// A serial console in front of the language's `Bench`, and the program at its other end.
  private final class Port {
    let bench = Bench()
    let loop: EventLoop
    let console: SerialConsole
    private let main: Int32
    private var input: [UInt8] = []

    struct NoTerminal: Error {}

    init(recordings: Int) throws {
      // TIOCSPTLCK and TIOCGPTN are not imported into Swift.
      let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
      var (lock, number) = (Int32(0), UInt32(0))
      guard main >= 0, ioctl(main, setLock, &lock) == 0, ioctl(main, getNumber, &number) == 0
      else { throw NoTerminal() }
      loop = try EventLoop()
      bench.card[Bench.may] = Listing(
        recordings: (0..<recordings).map {
          Bench.recording(
            ItemID(high: 0x5555, low: UInt64($0)), 100 + $0, "Recording \($0)", in: Bench.may)
        })
      let bench = bench
      console = SerialConsole(
        id: 3, path: "/dev/pts/\(number)", access: .control, on: loop,
        send: { bench.send(.console($0)) }, logError: { Issue.record("\($0)") })
      let console = console
      bench.onAnswer = { [unowned console] answer, origin, isLast in
        if origin == .console(3) { console.write(answer, isLast: isLast) }
      }
      console.begin()
      console.enter(.plain)
      console.change(to: .json)
      console.unsent = []
    }

    deinit {
      console.end()
      close(main)
    }

    func type(_ line: String) {
      let bytes = Array((line + "\n").utf8)
      #expect(write(main, bytes, bytes.count) == bytes.count)
    }

    /// Reads slowly until `count` lines of JSON have arrived; skips other lines.
    func lines(_ count: Int) -> [String] {
      var lines: [String] = []
      for _ in 0..<200_000 where lines.count < count {
        // If the loop fails, the lines never come and the test fails.
        _ = try? loop.runOneTurn(waitingAtMostMilliseconds: 1)
        var buffer = [UInt8](repeating: 0, count: 1000)
        let read = Glibc.read(main, &buffer, buffer.count)
        guard read > 0 else { continue }
        input += buffer[..<read]
        // To search all of a long answer after each read is slow.
        guard buffer[..<read].contains(10) else { continue }
        while let end = input.firstIndex(of: 10) {
          let line = String(decoding: input[..<end], as: UTF8.self)
          input.removeFirst(end + 1)
          if let start = line.firstIndex(of: "{") { lines.append(String(line[start...])) }
        }
      }
      return lines
    }
  }

  private func listing(_ line: String) -> FolderListing? {
    // A line that is not an answer counts as none.
    guard let answer = try? JSON.decode(Answer.self, from: Array(line.utf8)),
      case .listing(let listing) = answer
    else { return nil }
    return listing
  }

  @Test("an answer far over 64 KiB comes whole, and so does the one after it")
  func whole() throws {
    let port = try Port(recordings: 500)
    port.type("ls /Interviews/May")
    port.type("pwd")
    let lines = port.lines(2)
    #expect(lines.first.map { $0.utf8.count > 64 << 10 } == true)
    #expect(lines.first.flatMap(listing)?.items.count == 500)
    #expect(lines.last?.contains("told") == true)
  }

  @Test("a folder of 1,203 comes in three lines, before the next command is begun")
  func pages() throws {
    let port = try Port(recordings: 1203)
    port.type("ls -- /Interviews/May")
    port.type("pwd")
    let lines = port.lines(4)
    let listings = lines.compactMap(listing)
    #expect(listings.map(\.from) == [0, 500, 1000])
    #expect(listings.flatMap { $0.items.map(\.id) }.count == 1203)
    #expect(lines.last?.contains("told") == true)
  }

  @Test("--count limits the answer")
  func part() throws {
    let port = try Port(recordings: 1203)
    port.type("ls --count 3 /Interviews/May")
    port.type("pwd")
    let lines = port.lines(2)
    #expect(lines.first.flatMap(listing)?.items.count == 3 && lines.count == 2)
  }
}

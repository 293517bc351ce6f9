// How the output of systemd's programs is read: about the service and its limits, and about the
// clock. Programs that fail, hang or print endlessly take a bounded time, and their output is not
// used.

import FoundationEssentials
import Glibc
import Recorder
import Testing

@testable import Host

@Suite struct QuestionTests {
  private func script(_ text: String) throws -> String {
    var name = Array("/tmp/reel-question-XXXXXX".utf8CString)
    try #require(mkdtemp(&name) != nil)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let file = path + "/program"
    writeProgram("#!/bin/sh\n\(text)\n", to: file)
    return file
  }

  private func answer(_ lines: String...) -> ServiceAnswer {
    ServiceAnswer(lines.joined(separator: "\n") + "\n")
  }

  @Test("a unit's state, its restarts, whether it starts at boot, and why it failed")
  func service() {
    let running = answer(
      "LoadState=loaded", "ActiveState=active", "UnitFileState=enabled", "NRestarts=2",
      "LimitRTPRIO=60", "LimitMEMLOCK=268435456")
    #expect(running.service == .running(restarts: 2, startsAtBoot: true) && running.isRunning)
    #expect(
      running.limits
        == .allowed(owner: "The service", realtimePriority: 60, lockedBytes: 268_435_456))
    #expect(
      answer("LoadState=loaded", "ActiveState=inactive", "UnitFileState=disabled").service
        == .stopped(startsAtBoot: false))
    #expect(
      answer("LoadState=loaded", "ActiveState=failed", "Result=exit-code", "ExecMainStatus=78")
        .service == .failed(why: "its configuration has a mistake"))
    #expect(
      answer("LoadState=loaded", "ActiveState=failed", "Result=watchdog").service
        == .failed(why: "watchdog"))
    #expect(answer("LoadState=not-found", "ActiveState=inactive").service == .notInstalled)
    #expect(answer("nonsense", "=", "").service == .noSystemd)
  }

  @Test("the clock counts as synchronised if timedated says so or timesyncd's marker exists")
  func clock() throws {
    let nowhere = "/nowhere/timesync"
    func ask(_ program: String, _ folder: String = nowhere) -> Bool {
      ClockQuestion.isSynchronised(asking: program, timesyncd: folder)
    }
    #expect(ask(try script("[ \"$1 $3\" = 'show --value' ] && echo yes")))
    #expect(!ask(try script("echo no")))
    #expect(!ask(try script("echo yes; exit 1")))
    #expect(!ask("/nowhere/timedatectl"))
    // If timesyncd runs, timedated is not asked.
    let folder = try script("echo yes")
    let place = String(folder.dropLast("/program".count))
    #expect(!ask(folder, place))
    try Data().write(to: URL(filePath: place + "/synchronized"))
    #expect(ask("/nowhere/timedatectl", place))
  }

  @Test("a program that hangs or floods is killed, and its output is not used")
  func bounds() throws {
    let begin = Date()
    #expect(
      ShortProgram.output(of: [try script("echo yes; exec sleep 60")], limitMilliseconds: 300)
        == nil)
    #expect(ShortProgram.output(of: [try script("exec yes")], limitMilliseconds: 20_000) == nil)
    #expect(Date().timeIntervalSince(begin) < 15)
    #expect(ShortProgram.output(of: [try script("printf 'a\\nb'")]) == "a\nb")
  }

  @Test(
    "a Raspberry Pi's firmware reports its supply now and since boot",
    arguments: [
      ("0\n", BoardFacts.Supply.well), ("1\n", .tooLowNow), ("50005\n", .tooLowNow),
      ("4\n", .slowedNow), ("10000\n", .tooLowSinceBoot), ("80000\n", .slowedSinceBoot),
    ])
  func board(_ bits: String, _ supply: BoardFacts.Supply) throws {
    let place = try script("")
    let system = String(place.dropLast("/program".count))
    let folder = system + "/devices/platform/soc/soc:firmware"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bits.utf8).write(to: URL(filePath: folder + "/get_throttled"))
    #expect(BoardFacts.read(system).supply == supply)
    #expect(BoardFacts.read("/nowhere").supply == nil)
  }
}

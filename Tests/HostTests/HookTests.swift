// Hooks run one after the other, are told what happened, and are killed at their time limit; the
// board's health is read from files of the kernel. In a directory of its own.
import FoundationEssentials
import Glibc
import Recorder
import Scratch
import Testing

@testable import Host

/// A directory that is removed with the test.
final class Folder {
  private let scratch = ScratchFolder()
  var path: String { scratch.path }

  func write(_ text: String, to name: String, mode: mode_t = 0o755) {
    var parts = path
    for part in name.split(separator: "/").dropLast() {
      parts += "/" + part
      mkdir(parts, 0o755)
    }
    if text.hasPrefix("#!"), mode == 0o755 { return writeProgram(text, to: path + "/" + name) }
    guard let file = fopen(path + "/" + name, "w") else { return }
    fputs(text, file)
    fclose(file)
    chmod(path + "/" + name, mode)
  }

  func read(_ name: String) -> String {
    guard case .text(let bytes) = ConfigurationReader.contents(of: path + "/" + name) else {
      return ""
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

private func now() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Runs until nothing waits any more; a minute is long enough for any machine.
private func finish(_ runner: inout HookRunner) -> [String] {
  var complaints: [String] = []
  let end = now() + 60_000
  while runner.isBusy, now() < end {
    complaints += runner.step(nowMilliseconds: now())
    usleep(2000)  // Between two polls.
  }
  return complaints
}

@Suite struct HookTests {
  private func runner(_ folder: Folder, limitMilliseconds: Int64 = 60_000) -> HookRunner {
    var runner = HookRunner()
    runner.plan.directory = folder.path + "/hooks"
    runner.plan.limitMilliseconds = limitMilliseconds
    return runner
  }

  @Test("programs run in the order of their names, and are told what happened")
  func runs() throws {
    let folder = Folder()
    for name in ["20-b", "10-a"] {
      folder.write(
        "#!/bin/sh\necho \(name) $1 $REEL_EVENT \"$REEL_TITLE\" ${HOME:-none}"
          + " >>\(folder.path)/log\n",
        to: "hooks/" + name)
    }
    folder.write("#!/bin/sh\necho no >>\(folder.path)/log\n", to: "hooks/30-c", mode: 0o644)
    folder.write("#!/bin/sh\necho no >>\(folder.path)/log\n", to: "hooks/40-d.dpkg-old")
    var runner = runner(folder)
    let isTaken1 = runner.add(HookEvent("recording-began", ["TITLE": "A b"]))
    #expect(isTaken1)
    let isTaken2 = runner.add(HookEvent("recording-ended"))
    #expect(isTaken2)
    let complaints = finish(&runner)
    #expect(complaints == [])
    #expect(
      folder.read("log") == """
        10-a recording-began recording-began A b none
        20-b recording-began recording-began A b none
        10-a recording-ended recording-ended  none
        20-b recording-ended recording-ended  none

        """)
  }

  @Test("a hook over its time limit is killed with its children, and the next one runs")
  func limit() throws {
    let folder = Folder()
    folder.write("#!/bin/sh\nsleep 100 &\nwait\n", to: "hooks/1")
    folder.write("#!/bin/sh\necho after >\(folder.path)/log\n", to: "hooks/2")
    folder.write("#!/bin/sh\nexit 3\n", to: "hooks/3")
    folder.write("no program\n", to: "hooks/4")
    var runner = runner(folder, limitMilliseconds: 200)
    let isTaken3 = runner.add(HookEvent("notice"))
    #expect(isTaken3)
    let complaints = finish(&runner)
    #expect(folder.read("log") == "after\n")
    #expect(complaints.count == 3)
    #expect(complaints.first?.hasSuffix("hooks/1 took longer than 200 ms and was ended") == true)
    #expect(complaints.dropFirst().first?.hasSuffix("hooks/3 ended with exit status 3") == true)
    #expect(complaints.last?.contains("hooks/4 could not be run") == true)
  }

  @Test("the queue is bounded, and without a directory nothing is queued")
  func bounded() throws {
    let folder = Folder()
    folder.write("#!/bin/sh\nsleep 1000\n", to: "hooks/1")
    var runner = runner(folder)
    _ = runner.step(nowMilliseconds: now())
    let taken = (0...100).map { _ in runner.add(HookEvent("notice")) }
    #expect(taken.dropLast().allSatisfy { $0 } && taken.last == false)
    _ = runner.step(nowMilliseconds: now())
    runner.end()
    var none = HookRunner()
    none.plan.directory = folder.path + "/nowhere"
    let isTaken4 = none.add(HookEvent("notice"))
    #expect(isTaken4)
    let complaints = finish(&none)
    #expect(complaints == [])
    none.plan.directory = nil
    let isTaken5 = none.add(HookEvent("notice"))
    #expect(isTaken5)
    #expect(!none.isBusy)
  }

  @Test("the board's supply, speed and temperature are read")
  func health() throws {
    let folder = Folder()
    #expect(BoardHealth.read(folder.path) == BoardHealth())
    folder.write("51234\n", to: "class/thermal/thermal_zone0/temp")
    folder.write("cpu_thermal\n", to: "class/hwmon/hwmon0/name")
    folder.write("1\n", to: "class/hwmon/hwmon0/in0_lcrit_alarm")
    folder.write("rpi_volt\n", to: "class/hwmon/hwmon1/name")
    folder.write("0\n", to: "class/hwmon/hwmon1/in0_lcrit_alarm")
    var health = BoardHealth.read(folder.path)
    #expect(!health.isUnderVoltage && !health.isThrottled && health.temperatureCelsius == 51)
    folder.write("1\n", to: "class/hwmon/hwmon1/in0_lcrit_alarm")
    #expect(BoardHealth.read(folder.path).isUnderVoltage)
    folder.write("50004\n", to: "devices/platform/soc/soc:firmware/get_throttled")
    let throttled = BoardHealth.read(folder.path)
    #expect(throttled.isThrottled)
    #expect(throttled.differs(from: health) && !health.differs(from: health))
    let before = health
    health.temperatureCelsius = 52
    #expect(!health.differs(from: before))
  }
}

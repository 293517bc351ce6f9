# Life under systemd: priority, locked memory and the sandbox as in the unit, and every way in which
# a service ends while it records.

import time

from kit import stage
from kit.reel import RECORDINGS
from kit.sound import Judged

ABOUT = "under systemd: sandbox; stopped, killed, hung, crashing, rebooted in mid-take"
QUICK = True
PREROLL = stage.PREROLL
# Seconds: a machine that was short of time took 1.004 s where 1 was let pass.
LET_PASS = 5


def run(lab):
    stage.armed(lab)
    sandbox(lab)
    stopped(lab)
    killed(lab)
    hung(lab)
    crashing(lab)
    refused(lab)
    rebooted(lab)


def main_process(lab):
    return int(lab.board.run("systemctl show -P MainPID reeld"))


def sandbox(lab):
    seen, board = lab.seen, lab.board
    pressed = stage.begin_take(lab)
    process = main_process(lab)
    threads = board.run(f"ps -L -o comm=,cls=,rtprio= -p {process}")
    first = [line for line in threads.splitlines() if " FF " in line or " RR " in line]
    seen.check(bool(first), f"ps: before others run {[' '.join(line.split()) for line in first]}",
               threads)
    facts = board.run(f"cat /proc/{process}/status /proc/{process}/limits")
    locked = number(facts, "VmLck:")
    seen.check(locked > 10_000, f"{locked} KiB are locked, the program among them; resident are"
               f" {number(facts, 'VmRSS:')} KiB", facts)
    seen.check(number(facts, "Max realtime priority") == 60, "it may take priorities to 60", facts)
    seen.check(number(facts, "Max locked memory") == 256 << 20, "it may lock 256 MiB", facts)
    seen.check(number(facts, "NoNewPrivs:") == 1 and number(facts, "Seccomp:") == 2
               and "CapEff:\t0000000000000000" in facts and "CapBnd:\t0000000000000000" in facts,
               "the kernel holds it without privileges, under a filter", facts)
    for command, what in (
            ("touch /usr/bin/x", "cannot write to the system"),
            ("touch /etc/reel/x", "cannot write its configuration"),
            ("ls /home | grep .", "sees nobody's home"),
            ("head -c 1 /dev/vda", "cannot read the disk")):
        inside = f"nsenter -t {process} -m -S $(id -u reel) -G $(id -g reel) sh -c '{command}'"
        seen.check(not board.succeeds(inside), f"in its sandbox one {what}")
    score = board.run("systemd-analyze security --no-pager reeld | tail -n 1")
    seen.note(score.strip())
    seen.figure("systemd-analyze security", score.split(": ")[-1].split()[0])
    stopped_at = stage.end_take(lab)
    judge(lab, 1, stopped_at - pressed + PREROLL, 0.3, "a plain take")


def number(text, key):
    line = next((line for line in text.splitlines() if line.startswith(key)), "")
    words = line[len(key):].split()
    return int(words[0]) if words and words[0].isdigit() else -1


def stopped(lab):
    """Stops it by the service manager, in mid-take."""
    board = lab.board
    pressed = stage.begin_take(lab)
    board.run("sleep 4")
    # The time the board takes to stop an idle service, and then to start two programs, as our unit
    # does. What is beyond it is the recorder's, and the time the board stood still: promised is 1 s.
    after = " -p ExecStopPost='/usr/bin/reeld --version'" * 2
    board.run(f"systemd-run --quiet --collect --unit=idle{after} sleep 1000")
    least = stage.elapsed(lab, "systemctl stop idle")
    at = stage.now(lab)
    took = stage.elapsed(lab, "systemctl stop reeld")
    lab.seen.check(took - least < LET_PASS, f"systemctl stop takes {took:.2f} s in mid-take;"
                   f" {least:.2f} s with a service that does nothing; let pass are {LET_PASS} s more")
    lab.seen.figure("stop in mid-take beyond an idle service, in seconds", f"{took - least:.2f}")
    judge(lab, 2, at - pressed + PREROLL, 0.5, "stopped in mid-take")
    lab.reel.start()
    lab.reel.wait_armed()
    lab.seen.check(not lab.panel.lit("record"), "started again it waits, and does not record")


def killed(lab):
    board = lab.board
    pressed = stage.begin_take(lab)
    board.run("sleep 6")
    process = main_process(lab)
    at = float(board.run(f"kill -9 {process}; cut -d' ' -f1 /proc/uptime"))
    resumed(lab, process, at, "kill -9")
    end_and_judge(lab, 3, at - pressed + PREROLL, 0.5, "killed")


def hung(lab):
    board = lab.board
    pressed = stage.begin_take(lab)
    board.run("sleep 4")
    process = main_process(lab)
    at = float(board.run(f"kill -STOP {process}; cut -d' ' -f1 /proc/uptime"))
    resumed(lab, process, at, "it hangs (kill -STOP), and the watchdog")
    said = lab.reel.words()
    lab.seen.check("atchdog timeout" in said, "the journal: a watchdog's timeout", said[-2000:])
    end_and_judge(lab, 5, at - pressed + PREROLL, 0.5, "hung")


def crashing(lab):
    """Twelve crashes in a row: the restarts get further apart, and it comes back."""
    board, seen = lab.board, lab.seen
    process, gaps = 0, []
    for _ in range(12):
        process, gap = next_process(lab, process)
        gaps.append(gap)
        board.run(f"kill -9 {process}")
    process, gap = next_process(lab, process)
    gaps.append(gap)
    seen.note("seconds until it ran again: " + ", ".join(f"{gap:.0f}" for gap in gaps[1:]))
    # Two earlier crashes may be within the last five minutes: the series is 12 to 14 long.
    seen.check(max(gaps[1:3]) < 12 and min(gaps[-2:]) > 25,
               "after the first crashes it is back at once, after the last ones in half a minute",
               gaps)
    lab.reel.wait_armed()
    seen.check(lab.reel.is_running(), "after twelve crashes in a row it is back, and armed")
    seen.check("ended badly" in lab.reel.words(), "the journal says why it took so long")


def next_process(lab, old):
    """Returns the next main process, and how long it took to start."""
    began = stage.now(lab)
    lab.board.wait(f"p=$(systemctl show -P MainPID reeld); [ $p -ne 0 ] && [ $p -ne {old} ]", 120,
                   "another reeld")
    return main_process(lab), stage.now(lab) - began


def refused(lab):
    """A mistake in the configuration: it stays down, and says what to do."""
    board, seen = lab.board, lab.seen
    board.run("systemctl stop reeld; mkdir -p /etc/reel/reel.d; "
              "echo '{ prerol: 2 }' > /etc/reel/reel.d/wrong.json; systemctl start reeld; true")
    board.run("sleep 5")
    state = board.run("systemctl show -P ActiveState reeld")
    said = lab.reel.words()
    seen.check(state == "failed" and "/etc/reel/reel.d/wrong.json:1:3: prerol" in said
               and "systemctl start reeld" in said, "a mistake: it stays down and says why", said)
    board.run("rm /etc/reel/reel.d/wrong.json; systemctl start reeld")
    lab.reel.wait_armed()


def resumed(lab, process, at, how):
    board, seen = lab.board, lab.seen
    board.wait(f"p=$(systemctl show -P MainPID reeld); [ $p -ne 0 ] && [ $p -ne {process} ]", 120,
               "another reeld")
    lab.reel.wait_armed()
    seen.check(lab.panel.wait_lit("record", True, 30),
               f"{how}: it is started again and records on", lab.reel.words()[-2000:])
    seen.note(f"that took {stage.now(lab) - at:.1f} s, as the board's clock goes")


def end_and_judge(lab, before, seconds, loss, how):
    """Checks the take that was cut short, and the one that went on."""
    lab.board.run("sleep 4")
    stage.end_take(lab)
    takes = lab.reel.wait_takes(before + 1)
    lab.seen.need(len(takes) == before + 1, f"{how}: both takes are there: {takes}")
    judge(lab, before, seconds, loss, how)
    stage.judge(lab, takes[-1])


def judge(lab, number, seconds, loss, how):
    """Checks that the take of that number is as long as it should be, and plays."""
    takes = lab.reel.wait_takes(number) if number < 3 else lab.reel.takes()
    name = next((take for take in takes if int(take[:4]) == number), None)
    lab.seen.need(name is not None, f"{how}: the take is there", takes)
    judged = Judged(lab.board, f"{RECORDINGS}/{name}")
    lost = seconds - judged.seconds
    lab.seen.check(not judged.warnings and abs(judged.hertz - 440) < 10,
                   f"{how}: “{name}” plays, opusinfo has no complaint", judged)
    # A service that is told to end records on until the signal arrives.
    lab.seen.check(-2 < lost < loss + sum(lab.panel.stalls(0)[-3:]) / 1000,
                   f"{how}: {judged.seconds:.2f} s of {seconds:.2f}, {lost:.2f} s lost")
    if loss == 0.5:
        lab.seen.figure(f"{how}: lost, in seconds", f"{lost:.2f}")


def rebooted(lab):
    board, seen = lab.board, lab.seen
    pressed = stage.begin_take(lab)
    board.run("sleep 4")
    at = float(board.run("cut -d' ' -f1 /proc/uptime; systemctl reboot --no-block"))
    began = time.monotonic()
    board.machine.wait(180)
    seen.note(f"the board went down in {time.monotonic() - began:.1f} s")
    board.power_cut()
    board.boot()
    stage.attach(lab)
    board.wait("systemctl is-active --quiet reeld", 90, "reeld to start by itself")
    lab.reel.wait_armed()
    seen.check(not lab.panel.lit("record"), "after the reboot it waits, and does not record")
    judge(lab, 7, at - pressed + PREROLL, 0.5, "rebooted")
    state = board.run("systemctl show -P NRestarts -P Result reeld").split()
    seen.check("success" in state, f"the service is right: {state}")

# The recorder runs out of file descriptors, and out of memory, in mid-take: its recording so far is
# safe, and it records on.

from kit import stage

ABOUT = "out of file descriptors, out of memory in mid-take: what was recorded is safe"


def run(lab):
    stage.armed(lab)
    descriptors(lab)
    memory(lab)


def descriptors(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    process = board.run("pidof reeld")
    stage.begin_take(lab)
    used = int(board.run(f"ls /proc/{process}/fd | sort -n | tail -n 1")) + 1
    board.run(f"prlimit --pid {process} --nofile={used}:{used}")
    seen.note(f"from now on it gets no descriptor above {used - 1}")
    board.run("for n in 1 2 3; do timeout 2 reelctl status >/dev/null 2>&1; done; true")
    panel.press("mark")
    # Longer than the watchdog's timeout.
    board.run("sleep 40")
    seen.check(board.run("pidof reeld") == process and panel.lit("record"),
               "40 s later it records on, and the watchdog was fed", reel.words()[-2000:])
    panel.press("split")
    board.run("sleep 3")
    seen.check(panel.lit("record"), "split: it records on", reel.words()[-2000:])
    panel.press("stop")
    seen.check(panel.wait_lit("record", False, 30), "stop: it has ended", reel.words()[-2000:])
    takes = reel.wait_takes(2)
    seen.check(len(takes) == 2, f"both parts are there: {takes}", reel.words()[-2000:])
    panel.press("record")
    board.run("sleep 4")
    seen.check(panel.lit("record"), "record: another recording begins", reel.words()[-2000:])
    used_time = board.run(f"ps -o cputimes= -p {process}; sleep 5; ps -o cputimes= -p {process}")
    first, second = map(int, used_time.split())
    seen.check(second - first < 4, f"it does not spin: {second - first} s of a processor in 5 s")
    panel.press("stop")
    panel.wait_lit("record", False, 30)
    board.run(f"prlimit --pid {process} --nofile=1024:1024; sleep 2")
    for line in reel.words().splitlines()[5:]:
        seen.note("it says: " + line)
    seen.check(board.succeeds("timeout 20 reelctl status"), "with descriptors again it answers")
    before = len(reel.wait_takes(3))
    seen.need(before == 3, f"all that was recorded is there: {reel.takes()}", reel.words()[-2000:])
    stage.begin_take(lab)
    board.run("sleep 2")
    stage.end_take(lab)
    takes = reel.wait_takes(before + 1)
    seen.check(len(takes) == before + 1, "and it records as before")
    for take in takes:
        stage.judge(lab, take)


def memory(lab):
    seen, board, reel = lab.seen, lab.board, lab.reel
    before = len(reel.takes())
    process = board.run("pidof reeld")
    pressed = stage.begin_take(lab)
    board.run("sleep 6")
    at = stage.now(lab)
    board.run("systemctl set-property --runtime reeld MemoryMax=2M MemorySwapMax=0 || true")
    board.wait(f"[ \"$(pidof reeld)\" != {process} ]", 60, "the kernel to end it")
    board.run("systemctl set-property --runtime reeld MemoryMax=infinity; "
              "systemctl reset-failed reeld; systemctl start reeld")
    killed = board.run("journalctl -b -k -o cat | grep -ci 'out of memory\\|oom-kill'; true")
    seen.check(int(killed) > 0, "the kernel killed it: out of memory")
    reel.wait_armed()
    seen.check(lab.panel.wait_lit("record", True, 30), "with memory again it is started, and"
               " records on", reel.words()[-2000:])
    board.run("sleep 3")
    stage.end_take(lab)
    takes = reel.wait_takes(before + 2)
    seen.need(len(takes) == before + 2, f"both takes are there: {takes}")
    judged = stage.judge(lab, takes[-2])
    lost = at - pressed + stage.PREROLL - judged.seconds
    seen.check(lost < 0.5 + sum(lab.panel.stalls(pressed)) / 1000, f"{lost:.2f} s are lost")

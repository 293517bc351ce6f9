# A board without a clock battery starts in 1970, and its clock is set in the middle of a recording:
# the recording keeps its length, and later ones have the right date.

import time

from kit import stage
from kit.panel import plan
from kit.reel import RECORDINGS

ABOUT = "a board that starts in 1970 is told the time in mid-take"


def run(lab):
    seen, board = lab.seen, lab.board
    board.clock = "1970-01-01T00:00:10"
    board.boot()
    board.push_file(lab.tools.made("clock"), "/usr/local/bin/lab-clock", "755")
    board.run("date -s @100")
    stage.attach(lab)
    lab.reel.install(plan())
    lab.reel.start()
    lab.reel.wait_armed()
    seen.note("the board believes it is " + board.run("date"))
    pressed = stage.begin_take(lab)
    board.run("sleep 5")
    board.run(f"lab-clock {int(time.time())}")
    # As systemd-timesyncd does: the sandbox hides the kernel's clock state from the recorder.
    board.run("mkdir -p /run/systemd/timesync && touch /run/systemd/timesync/synchronized")
    seen.note("it is told that it is " + board.run("date"))
    board.run("sleep 7")
    stopped = stage.end_take(lab)
    takes = lab.reel.wait_takes(1)
    seen.need(len(takes) == 1, f"the take is there: {takes}")
    judged = stage.judge(lab, takes[0])
    expected = stopped - pressed + 2
    seen.check(abs(judged.seconds - expected) < 0.5,
               f"it is {judged.seconds:.2f} s long of {expected:.2f}")
    dated(lab, judged, "the take in which the clock was set")
    stage.begin_take(lab)
    stage.end_take(lab)
    takes = lab.reel.wait_takes(2)
    seen.need(len(takes) == 2, f"a second take: {takes}")
    dated(lab, stage.judge(lab, takes[-1]), "the second take")
    seen.note(board.run(f"ls -l --time-style=full-iso {RECORDINGS}/*.opus"))


def dated(lab, judged, which):
    dates = [line.strip() for line in judged.told.splitlines() if "DATE" in line]
    year = time.strftime("%Y")
    lab.seen.check(any(year in date for date in dates), f"{which} is dated right: {dates}",
                   judged.told)

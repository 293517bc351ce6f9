# A board with the right time, whose clock is set a day ahead and then two days back in mid-take:
# times within a take, and its length, follow the monotonic clock.

import time

from kit import stage

ABOUT = "the clock jumps a day ahead and two days back in mid-take: length and order stay true"
DAY = 86400


def run(lab):
    seen, board, reel = lab.seen, lab.board, lab.reel
    stage.ready(lab)
    board.push_file(lab.tools.made("clock"), "/usr/local/bin/lab-clock", "755")
    jump(lab, 0)
    reel.configure(stage.plan())
    reel.start()
    reel.wait_armed()
    seen.check(reel.status().get("clockIsSynchronised") is True, "the clock is synchronised",
               reel.status())
    pressed = stage.begin_take(lab)
    board.run("sleep 5")
    jump(lab, DAY)
    board.run("sleep 5")
    lab.panel.press("mark")
    marked = lab.panel.pressed
    jump(lab, -DAY)
    board.run("sleep 5")
    stopped = stage.end_take(lab)
    takes = reel.wait_takes(1)
    seen.need(len(takes) == 1, f"the take is there: {takes}", reel.words())
    judged = stage.judge(lab, takes[0])
    expected = stopped - pressed + stage.PREROLL
    seen.check(abs(judged.seconds - expected) < 0.1,
               f"it is {judged.seconds:.2f} s long of {expected:.2f}")
    chapter = next((line.split("=")[1] for line in judged.told.splitlines()
                    if "CHAPTER" in line and "NAME" not in line), "00:00:00.000")
    hours, minutes, seconds = chapter.split(":")
    at = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
    wanted = marked - pressed + stage.PREROLL
    seen.check(abs(at - wanted) < 0.1, f"the mark is at {at:.3f} s of {wanted:.3f}")
    date = next(line for line in judged.told.splitlines() if "DATE=" in line)
    seen.check(time.strftime("%Y-%m-%d", time.gmtime(began(lab, pressed))) in date,
               f"it is dated as the clock was at its beginning: {date.strip()}")
    stage.begin_take(lab)
    stage.end_take(lab)
    takes = reel.wait_takes(2)
    seen.check(len(takes) == 2 and takes[1].startswith("0002"), f"in their order: {takes}")
    seen.check(reel.is_running(), "the watchdog was fed all the time", reel.words())


def jump(lab, seconds):
    lab.board.run(f"lab-clock {int(time.time()) + seconds}; mkdir -p /run/systemd/timesync; "
                  "touch /run/systemd/timesync/synchronized")
    lab.seen.note("the board believes it is " + lab.board.run("date"))


def began(lab, pressed):
    """Returns when that was, by this machine's clock, which was the board's then."""
    return time.time() - (stage.now(lab) - pressed)

# The start of most scenarios: a board with sound, a panel and Reel, armed.

import glob
import os
import re
import time

from kit.panel import plan
from kit.reel import RECORDINGS, ROOT
from kit.sound import Judged


PREROLL = 2.0
CARD_MEGABYTES = 512


def armed(lab, *configuration, has_card=False, kind="ext4"):
    """Starts Reel, armed. `has_card`: Reel's files are on a card, else on the board's own disk.
    `kind`: the card's file system."""
    ready(lab, kind)
    if has_card:
        lab.board.run(f"echo '{lab.card.fstab(ROOT)}' >> /etc/fstab && "
                      f"systemctl daemon-reload && mount {ROOT} && sync")
    if has_card and kind == "ext4":
        lab.board.run(f"chown reel:reel {ROOT}")
    lab.reel.configure(plan(), *configuration)
    lab.reel.start()
    lab.reel.wait_armed()


def ready(lab, kind="ext4"):
    """A board that has started, with everything plugged in, Reel installed but not running.
    That takes longer than most scenarios, so it is done once for each package, and every scenario
    goes on from a copy. So all of them have a card, used or not."""
    lab.insert_card(CARD_MEGABYTES, kind)
    if not os.path.exists(lab.saved):
        lab.board.boot()
        attach(lab)
        lab.reel.install(plan())
        # Everything that starts with a board has started by then.
        lab.board.run("systemctl is-system-running --wait; sync; true", 300)
        for old in glob.glob(re.sub(r"\d+\.qcow2$", "*.qcow2", lab.saved)):
            os.unlink(old)
        lab.board.save(lab.saved)
    lab.board.resume(lab.saved)
    lab.panel.find()


def attach(lab):
    """Plugs in the board's devices; needed after each start."""
    lab.sound.attach()
    lab.sound.feed(440)
    lab.panel.attach()


def now(lab):
    """Returns the board's monotonic clock, in seconds."""
    return float(lab.board.run("cut -d' ' -f1 /proc/uptime"))


def elapsed(lab, command):
    """Returns the seconds that a command takes, by the board's clock."""
    clock = "cut -d' ' -f1 /proc/uptime"
    began, ended = map(float, lab.board.run(
        f"{clock}; {{ {command}; }} >/dev/null; {clock}").split())
    return ended - began


def clock_of(lab):
    """Returns the offset of the board's clock from this machine's, by the quickest of four."""
    answers = []
    for _ in range(4):
        began = time.monotonic()
        there = now(lab)
        ended = time.monotonic()
        answers.append((ended - began, there - (began + ended) / 2))
    return min(answers)[1]


def begin_take(lab):
    """Returns when the button was pressed, by the board's clock."""
    lab.board.run("sleep 3")  # until the pre-roll is full
    lab.panel.press("record")
    pressed = lab.panel.pressed
    lab.seen.need(lab.panel.wait_lit("record", True), "a recording begins", lab.reel.words)
    return pressed


def end_take(lab):
    """Returns when the button was pressed, by the board's clock."""
    lab.panel.press("stop")
    pressed = lab.panel.pressed
    lab.seen.check(lab.panel.wait_lit("record", False, 30), "stop: it has ended")
    return pressed


def judge(lab, name, hertz=440):
    """Returns the verdict of other programs on a recording; checks that it plays, and that it is
    the tone that was fed, if any."""
    judged = Judged(lab.board, f"{RECORDINGS}/{name}")
    lab.seen.check(
        judged.seconds > 0 and (not hertz or abs(judged.hertz - hertz) < 10),
        f"“{name}”: opusdec {judged.seconds:.2f} s, sox hears {judged.hertz} Hz,"
        f" opusinfo: {judged.warnings or 'no complaint'}", judged)
    return judged

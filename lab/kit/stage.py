# The stage that most scenarios begin on: a board with sound, a panel and Reel, armed.

import glob
import os
import re
import time

from kit.panel import plan
from kit.reel import RECORDINGS
from kit.sound import Judged


PREROLL = 2.0
CARD_MEGABYTES = 512


def armed(lab, *configuration, has_card=False):
    """`has_card`: all that Reel keeps is on a card; else it is on the board's own disk."""
    ready(lab)
    if has_card:
        lab.board.run("echo 'LABEL=card /var/lib/reel ext4 nofail 0 2' >> /etc/fstab && "
                      "systemctl daemon-reload && mount /var/lib/reel && "
                      "chown reel:reel /var/lib/reel && sync")
    lab.reel.configure(plan(), *configuration)
    lab.reel.start()
    lab.reel.wait_armed()


def ready(lab):
    """A board that has started, with everything plugged in, and with Reel installed, which does not
    run yet. To come so far takes longer than most scenarios: it is done once for each package, and
    every scenario goes on from there with a copy. So all of them have a card, used or not."""
    lab.insert_card(CARD_MEGABYTES)
    if not os.path.exists(lab.saved):
        lab.board.boot()
        attach(lab)
        lab.reel.install(plan())
        # Whatever else starts with a board has started by then.
        lab.board.run("systemctl is-system-running --wait; sync; true", 300)
        for old in glob.glob(re.sub(r"\d+\.qcow2$", "*.qcow2", lab.saved)):
            os.unlink(old)
        lab.board.save(lab.saved)
    lab.board.resume(lab.saved)
    lab.panel.find()


def attach(lab):
    """What is plugged into the board; after each start."""
    lab.sound.attach()
    lab.sound.feed(440)
    lab.panel.attach()


def now(lab):
    """The board's clock that only goes forward, in seconds."""
    return float(lab.board.run("cut -d' ' -f1 /proc/uptime"))


def clock_of(lab):
    """What is added to this machine's clock to have the board's."""
    began = time.monotonic()
    there = now(lab)
    return there - (began + time.monotonic()) / 2


def begin_take(lab):
    """Returns when the button was pressed, by the board's clock."""
    lab.board.run("sleep 3")  # the preroll is full
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
    """What others make of a recording; it has to play, and to be the tone it was fed with, if it
    was one."""
    judged = Judged(lab.board, f"{RECORDINGS}/{name}")
    lab.seen.check(
        judged.seconds > 0 and (not hertz or abs(judged.hertz - hertz) < 10),
        f"“{name}”: opusdec {judged.seconds:.2f} s, sox hears {judged.hertz} Hz,"
        f" opusinfo: {judged.warnings or 'no complaint'}", judged)
    return judged

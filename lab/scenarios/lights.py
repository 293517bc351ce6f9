# A light of the board's own, in /sys/class/leds, that comes after the recorder has started, goes and
# returns: as one on a USB keypad, or one whose driver takes its time.

import time

from kit import stage
from kit.panel import plan

ABOUT = "a light of the kernel's that comes late, goes and returns"
LED = "lab:record"


def run(lab):
    seen, board, reel = lab.seen, lab.board, lab.reel
    stage.ready(lab)
    board.push_file(lab.tools.made("led"), "/usr/local/bin/lab-led", "755")
    board.run("modprobe uleds && udevadm settle")
    wiring = plan()
    wiring["panel"]["lights"].append({"light": "record", "led": LED})
    reel.configure(wiring)
    reel.start()
    reel.wait_armed(whole=False)
    faults = reel.status()["panelFaults"]
    seen.check(len(faults) == 1 and LED in str(faults), f"a light that is not there is told: {faults}")
    plug(lab)
    seen.check(told(lab, 0), "it comes: nothing is wrong any more", reel.status())
    stage.begin_take(lab)
    seen.check(shows(lab, 255), "a recording begins, and it is lit")
    board.run("systemctl stop led")
    # Nobody tells; the next time it is to be set it is missed.
    stage.end_take(lab)
    seen.check(told(lab, 1), "it goes: that is told", reel.status())
    stage.begin_take(lab)
    plug(lab)
    seen.check(shows(lab, 255), "it returns in mid-take: it is lit at once")
    stage.end_take(lab)
    seen.check(shows(lab, 0), "the recording has ended, and it is dark")
    seen.check(told(lab, 0), "nothing is wrong any more", reel.status())


def plug(lab):
    lab.board.run("rm -f /run/led; systemd-run --quiet --collect --unit=led sh -c"
                  f" 'lab-led {LED} > /run/led'; udevadm settle")


def shows(lab, brightness):
    return lab.board.succeeds(
        f"for n in $(seq 60); do [ \"$(tail -n 1 /run/led)\" = {brightness} ] && exit 0;"
        " sleep 0.5; done; exit 1")


def told(lab, count):
    """Whether there are so many faults of the panel within half a minute."""
    until = time.monotonic() + 30
    while len(lab.reel.status()["panelFaults"]) != count and time.monotonic() < until:
        time.sleep(1)
    return len(lab.reel.status()["panelFaults"]) == count

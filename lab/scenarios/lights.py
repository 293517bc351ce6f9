# A light of the kernel's own, in /sys/class/leds, that comes after the recorder has started, goes,
# and another in mid-take: here those of a USB keyboard, which has another number each time.

import time

from kit import stage
from kit.panel import plan

ABOUT = "a light of the kernel's that comes late, goes, and comes in mid-take"


def run(lab):
    seen, board, reel = lab.seen, lab.board, lab.reel
    stage.ready(lab)
    plug(lab)
    light = board.run("ls -d /sys/class/leds/input*::kana")
    first = int(light.split("input")[1].split(":")[0])
    unplug(lab)
    lights = [f"input{first + number}::kana" for number in (1, 2)]
    wiring = plan()
    wiring["panel"]["lights"] += [{"light": "record", "led": light} for light in lights]
    reel.configure(wiring)
    reel.start()
    reel.wait_armed(whole=False)
    seen.check(faults(lab, 2), "two lights that are not there are told", reel.status)
    seen.note("reeld: " + reel.status()["panelFaults"][0])
    plug(lab)
    seen.check(faults(lab, 1), "one comes: it is missed no more", reel.status)
    stage.begin_take(lab)
    seen.check(shows(lab, lights[0], 1), "a recording begins, and it is lit")
    unplug(lab)
    # Nobody tells; when it is to be set the next time it is missed.
    stage.end_take(lab)
    seen.check(faults(lab, 2), "it goes: that is told", reel.status)
    seen.note("reeld: " + reel.status()["panelFaults"][0])
    stage.begin_take(lab)
    plug(lab)
    seen.check(shows(lab, lights[1], 1), "the other comes in mid-take: it is lit at once")
    stage.end_take(lab)
    seen.check(shows(lab, lights[1], 0), "the recording has ended, and it is dark")
    seen.check(faults(lab, 1), "it is missed no more", reel.status)
    reel.stop()
    said = board.run(f"cat '/sys/class/leds/{lights[1]}/trigger'")
    seen.check("[kbd-kanalock]" in said, "reeld has ended: the light is the kernel's again", said)


def plug(lab):
    lab.board.control("device_add", driver="usb-kbd", id="keyboard", bus="usb.0")
    lab.board.wait("ls -d /sys/class/leds/input*::kana", 60, "the keyboard's lights")
    lab.board.run("udevadm settle")


def unplug(lab):
    lab.board.control("device_del", id="keyboard")
    lab.board.wait("! ls -d /sys/class/leds/input*::kana", 60, "the keyboard to be gone")


def shows(lab, light, brightness):
    return lab.board.succeeds(
        f"for n in $(seq 40); do [ \"$(cat '/sys/class/leds/{light}/brightness')\" = {brightness} ]"
        " && exit 0; sleep 0.5; done; exit 1")


def faults(lab, count):
    """Whether there are so many of the panel within half a minute."""
    until = time.monotonic() + 30
    while len(lab.reel.status()["panelFaults"]) != count and time.monotonic() < until:
        time.sleep(1)
    return len(lab.reel.status()["panelFaults"]) == count

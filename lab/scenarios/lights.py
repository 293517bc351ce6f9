# A kernel LED, in /sys/class/leds, that appears after the recorder has started, goes, and is
# replaced in mid-take: here the LEDs of a USB keyboard, which have another number each time. And a
# recorder that is killed, whose lights go out.

import time

from kit import stage
from kit.panel import plan

ABOUT = "a light of the kernel's that comes late, goes, and comes in mid-take; kill -9: dark"


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
    # There is no event; it is noticed when it is set the next time.
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
    killed(lab, lights[1])


def killed(lab, light):
    """A dead daemon cannot turn its lights off: systemd runs a program for it. The daemon is not
    started again here, which would light them at once."""
    board, seen = lab.board, lab.seen
    lab.reel.start()
    lab.reel.wait_armed(whole=False)
    stage.begin_take(lab)
    seen.check(shows(lab, light, 1), "a recording runs, and the light is lit")
    unit = "/run/systemd/system/reeld.service.d"
    board.run(f"mkdir -p {unit} && printf '[Service]\\nRestart=no\\n' > {unit}/no-restart.conf && "
              "systemctl daemon-reload")
    # The time that the board takes to start the program at all.
    least = stage.elapsed(lab, "reeld --version")
    dark = f"[ \"$(cat '/sys/class/leds/{light}/brightness')\" = 0 ]"
    took = stage.elapsed(lab, "kill -9 $(systemctl show -P MainPID reeld); "
                   f"for n in $(seq 100); do {dark} && break; sleep 0.05; done")
    seen.check(board.succeeds(dark), "kill -9: the light goes out")
    seen.check(took - least < 1, f"that took {took:.2f} s; starting a program takes {least:.2f} s")
    seen.figure("kill -9 to dark, in seconds", f"{took:.2f}")


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
    """Whether the panel has that many faults within half a minute."""
    until = time.monotonic() + 30
    while len(lab.reel.status()["panelFaults"]) != count and time.monotonic() < until:
        time.sleep(1)
    return len(lab.reel.status()["panelFaults"]) == count

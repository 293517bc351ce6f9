# A foot pedal that is a USB keyboard, as most are: pressed, unplugged, plugged in, pressed again.

from kit import stage
from kit.panel import plan

ABOUT = "a USB foot pedal begins and ends recordings, also when it was unplugged meanwhile"
NAME = "QEMU QEMU USB Keyboard"


def run(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    stage.ready(lab)
    configuration = plan()
    configuration["panel"]["inputs"] = [{"device": NAME, "keys": {"KEY_B": "record"}}]
    reel.configure(configuration)
    reel.start()
    reel.wait_armed(whole=False)
    faults = reel.status()["panelFaults"]
    seen.check(len(faults) == 1, f"without the pedal reeld is armed, and says so: {faults}")
    for round_ in ("plugged in", "unplugged and plugged in again"):
        plug(lab)
        tread(lab)
        seen.check(panel.wait_lit("record", True), f"{round_}: a tread, and it records")
        tread(lab)
        seen.check(panel.wait_lit("record", False), "a second tread, and it has stopped")
        unplug(lab)
    plug(lab)
    tread(lab)
    seen.check(panel.wait_lit("record", True), "once more: it records")
    unplug(lab)
    seen.check(panel.wait_lit("record", True), "unplugged in mid-take: it goes on recording")
    plug(lab)
    tread(lab)
    seen.check(panel.wait_lit("record", False), "plugged in again: a tread ends it")
    seen.check(len(reel.wait_takes(3)) == 3, f"three recordings: {reel.takes()}")


def plug(lab):
    lab.board.control("device_add", driver="usb-kbd", id="pedal", bus="usb.0")
    lab.board.wait(f"grep -q '{NAME}' /proc/bus/input/devices", 60, "the kernel to see the pedal")
    lab.board.run("udevadm settle; sleep 1")


def unplug(lab):
    lab.board.control("device_del", id="pedal")
    lab.board.wait(f"! grep -q '{NAME}' /proc/bus/input/devices", 60, "the pedal to be gone")


def tread(lab):
    lab.board.control(
        "send-key", keys=[{"type": "qcode", "data": "b"}], **{"hold-time": 150})
    lab.board.run("sleep 0.7")

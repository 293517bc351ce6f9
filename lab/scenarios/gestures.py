# Every gesture of a button and every pattern of the three lights, on pins, as docs/lights.md has
# them.

from kit import stage
from kit.panel import LINES, plan
from kit.reel import ROOT

ABOUT = "every gesture, and everything the three lights say"
RESERVE = 32 << 20
BINDINGS = {
    "stop.press": "stop", "stop.hold": "split", "stop.doublePress": "mark",
    "mark.press": "nothing", "mark.release": "volume-up", "mark.hold": "volume-down",
}


def run(lab):
    stage.armed(lab, {"bindings": BINDINGS}, has_card=True)
    lab.board.run("sleep 3")
    idle(lab)
    gestures(lab)
    play_light(lab)
    refused(lab)
    too_loud(lab)
    little_room(lab)
    without_microphone(lab)
    cut_short(lab)


def idle(lab):
    seen, panel = lab.seen, lab.panel
    winks = panel.winks("status", 15200)
    seen.check(winks in (3, 4), f"status light, all is well: {winks} winks in 15 s")
    lasted = longest_lit(panel.watch("status", 6000))
    seen.check(lasted < 200, f"a wink lasts {lasted} ms")
    seen.check(panel.wait_lit("record", False), "record light, idle: dark")
    seen.check(panel.wait_lit("play", False), "play light, nothing to hear: dark")


def longest_lit(changes):
    pairs = zip(changes, changes[1:])
    return max((after[0] - before[0] for before, after in pairs if before[1]), default=0)


def volume(lab):
    return lab.reel.status()["volumePercent"]


def gestures(lab):
    seen, panel, reel = lab.seen, lab.panel, lab.reel
    was = volume(lab)
    panel.press("mark", 400)
    seen.check(volume(lab) == min(100, was + 5) or was == 100, f"release: {was} %, {volume(lab)} %")
    was = volume(lab)
    panel.press("mark", 1400)
    lab.board.run("sleep 0.3")
    now = volume(lab)
    # Down at the hold, and up again at the release.
    seen.check(now in (was, min(100, was - 5 + 5)), f"hold, then release: {was} %, {now} %")
    stage.begin_take(lab)
    panel.press("stop", 1300)
    # Its hold splits, and there is nothing left to split: refused, with two seconds of fast
    # blinking.
    seen.check(panel.winks("record", 1500) >= 4, "stop, held: the press ends the take, so that the"
               " hold is refused")
    seen.check(panel.wait_lit("record", False), "and it stays ended")
    panel.press("record")
    seen.check(panel.wait_lit("record", True), "record: press")
    panel.press("record", 1500)
    seen.check(panel.wait_lit("record", False), "record, held: its press ended the take, once")
    seen.check(len(reel.wait_takes(2)) == 2, f"two takes: {reel.takes()}")
    double(lab)


def double(lab):
    """Two presses within 0.4 s are a double press; its marks are in the file."""
    seen, panel = lab.seen, lab.panel
    panel.press("record")
    panel.wait_lit("record", True)
    lab.reel.configure(plan(), {"bindings": {
        "stop.press": "stop", "mark.press": "nothing", "mark.doublePress": "mark"}})
    lab.board.run("systemctl reload reeld; sleep 2")
    panel.press("mark", 100)
    lab.board.run("sleep 1")
    seen.check(marks(lab) == 0, "one press is no double press")
    line = LINES.index("button-mark")
    panel.pin(f"hammer {line} 2 200")
    lab.board.run("sleep 1")
    seen.check(marks(lab) == 1, f"two presses 0.2 s apart are one: {marks(lab)} mark")
    panel.pin(f"hammer {line} 2 900")
    lab.board.run("sleep 1")
    seen.check(marks(lab) == 1, f"two presses 0.9 s apart are none: {marks(lab)} mark")
    stage.end_take(lab)


def marks(lab):
    take = lab.reel.status().get("take") or {}
    found = take.get("marks", 0)
    return found if isinstance(found, int) else len(found)


def play_light(lab):
    seen, panel = lab.seen, lab.panel
    changes = panel.watch("play", 4200)
    seen.check(7 <= len(changes) <= 10, f"play light, unheard: {len(changes)} changes in 4 s")
    panel.press("play")
    seen.check(panel.wait_lit("play", True), "playing: steady")
    panel.press("play", 1300)
    panel.wait_lit("play", False, 3)
    lab.board.run("reelctl heard 1 2 3")
    seen.check(panel.wait_lit("play", False), "everything heard: dark", lab.board.run("reelctl ls"))


def refused(lab):
    seen, panel = lab.seen, lab.panel
    panel.down("switch-hold")
    lab.board.run("sleep 0.5")
    panel.press("record")
    began = panel.pressed
    blinks = panel.winks("record", 3500)
    seen.check(7 <= blinks <= 11, f"the panel locked, record: {blinks} fast blinks",
               f"pressed at {began}")
    seen.check(panel.wait_lit("record", False, 3), "then dark again")
    panel.up("switch-hold")


def too_loud(lab):
    seen, panel, sound = lab.seen, lab.panel, lab.sound
    sound.silence()
    sound.feed(440, loudness=4.0)
    stage.begin_take(lab)
    seen.check(panel.wait_lit("status", True), "status light, the sound clips: steady")
    stage.end_take(lab)
    sound.silence()
    sound.feed(440)
    winks = panel.winks("status", 10200)
    seen.check(winks in (2, 3), f"after that take: {winks} winks in 10 s")


def little_room(lab):
    seen, board, panel = lab.seen, lab.board, lab.panel
    free = int(board.run(f"df --output=avail -B1 {ROOT} | tail -n 1"))
    board.run(f"fallocate -l {free - RESERVE - 2_500_000} {ROOT}/ballast")
    # An idle recorder measures the card's space once a minute.
    board.run("sleep 65")
    winks = panel.winks("record", 4200)
    seen.check(winks in (4, 5), f"record light, under ten minutes left, idle: {winks} winks in 4 s")
    panel.press("record")
    board.run("sleep 1")
    changes = panel.watch("record", 4200)
    dark = sum(1 for _, is_lit in changes[1:] if not is_lit)
    seen.check(dark in (4, 5) and longest_dark(changes) < 250,
               f"the same, recording: {dark} short gaps in 4 s", changes)
    panel.press("stop")
    board.run(f"rm {ROOT}/ballast; sleep 65")
    seen.check(panel.wait_lit("record", False), "with room again: dark")


def longest_dark(changes):
    pairs = zip(changes, changes[1:])
    return max((after[0] - before[0] for before, after in pairs if not before[1]), default=0)


def without_microphone(lab):
    seen, board, panel = lab.seen, lab.board, lab.panel
    stage.begin_take(lab)
    board.run("echo snd_aloop.0 > /sys/bus/platform/drivers/snd_aloop/unbind", 60)
    board.run("sleep 1")
    changes = len(panel.watch("record", 4200))
    seen.check(7 <= changes <= 10, f"record light, it waits for the microphone: {changes} changes"
               " in 4 s")
    winks = panel.winks("status", 10200)
    seen.check(winks in (6, 7, 8, 9), f"status light, no microphone: {winks} winks in 10 s, threes")
    panel.press("stop")
    lab.sound.silence()
    board.run("echo snd_aloop.0 > /sys/bus/platform/drivers/snd_aloop/bind; udevadm settle", 60)
    lab.sound.feed(440)
    lab.reel.wait_armed()


def cut_short(lab):
    seen, panel = lab.seen, lab.panel
    # The take that lost its microphone, until it is acknowledged.
    winks = panel.winks("status", 10200)
    seen.check(winks in (4, 5), f"status light, a take was cut short: {winks} winks in 10 s, twos")
    panel.press("acknowledge")
    winks = panel.winks("status", 15200)
    seen.check(winks in (3, 4), f"acknowledged: {winks} winks in 15 s")
    lab.reel.stop()
    seen.check(not any(is_lit for _, is_lit in panel.watch("status", 5500)),
               "status light, the recorder does not run: dark")

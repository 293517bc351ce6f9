# Every button with cheap contacts, on real pins: each press acts once.

from kit import stage
from kit.board import Late
from kit.panel import BUTTONS
from kit.reel import RECORDINGS
from kit.sound import Judged

ABOUT = "every button, with 20 ms of chatter and with spikes: each press does its work, once"
QUICK = True


def run(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    stage.armed(lab)
    used = board.run("gpioinfo | grep -c reel")
    seen.need(int(used) >= len(BUTTONS), f"gpioinfo: reel holds {used} lines",
              board.run("gpioinfo") + "\n" + reel.words())
    record(lab)
    play(lab)
    rest(lab)


def record(lab):
    seen, panel, reel = lab.seen, lab.panel, lab.reel
    panel.warm_up()
    before = spikes_begin_nothing(lab)
    edges = panel.press("record", 120, 20)
    seen.need(panel.wait_lit("record", True), f"record ({edges} edges): its light is steady",
              reel.words())
    seen.check(len(reel.takes(every=True)) == before + 1, "one take is on the card",
               reel.takes(every=True))
    edges = panel.press("mark", 120, 20)
    seen.note(f"mark ({edges} edges)")
    lab.board.run("sleep 15")
    edges = panel.press("stop", 120, 20)
    seen.check(panel.wait_lit("record", False), f"stop ({edges} edges): the light goes out")
    takes = reel.wait_takes(before + 1)
    seen.need(len(takes) == before + 1, f"one take more: {takes}")
    judged = Judged(lab.board, f"{RECORDINGS}/{takes[-1]}")
    seen.check(not judged.warnings, f"opusinfo has no complaint; opusdec: {judged.seconds:.2f} s",
               judged)
    seen.check(abs(judged.hertz - 440) < 10, f"sox hears {judged.hertz} Hz of 440", judged.sox)
    marks = [line for line in judged.told.splitlines() if "CHAPTER" in line]
    seen.check(any("CHAPTER" in mark for mark in marks), f"the mark is a chapter: {marks}",
               judged.told)


def spikes_begin_nothing(lab):
    """Returns how many takes there are: a spike that the emulator makes too long is a press."""
    seen, panel, reel = lab.seen, lab.panel, lab.reel
    late = None
    for attempt in range(5):
        before = len(reel.takes(every=True))
        try:
            lasted = panel.spikes("record", 5, 200)
            seen.check(len(reel.takes(every=True)) == before,
                       f"5 spikes ({lasted} us the longest) begin no take",
                       reel.takes(every=True))
            return before
        except Late as trouble:
            late = trouble
            seen.note(f"this machine is busy: {late}")
            panel.press("stop", 120)
            panel.wait_lit("record", False)
    # The whole scenario is tried again then, and fails in the end.
    raise late


def play(lab):
    seen, panel = lab.seen, lab.panel
    edges = panel.press("play", 120, 20)
    seen.check(panel.wait_lit("play", True), f"play ({edges} edges): its light is steady")
    used = lab.board.run("cat /proc/asound/Loopback/pcm0p/sub1/status")
    seen.check("RUNNING" in used, "the card is being played to", used)
    panel.press("play", 120, 20)
    changes = len(panel.watch("play", 4000))
    seen.check(7 <= changes <= 10, f"play again: it pauses, the light blinks ({changes} changes in"
               " 4 s): not heard to its end")
    panel.press("play", 1300, 20)


def rest(lab):
    seen, panel, reel = lab.seen, lab.panel, lab.reel
    before = len(reel.takes())
    lab.sound.silence()
    lab.sound.feed(660)
    lab.board.run("sleep 4")
    panel.press("record", 120, 20)
    seen.check(panel.wait_lit("record", True), "record: a second take begins")
    lab.board.run("sleep 15")
    panel.press("record", 120, 20)
    seen.check(panel.wait_lit("record", False), "record again: it has ended")
    takes = reel.wait_takes(before + 1)
    seen.check(len(takes) == before + 1, f"one take more: {takes}")
    judged = Judged(lab.board, f"{RECORDINGS}/{takes[-1]}")
    seen.check(abs(judged.hertz - 660) < 15, f"sox hears {judged.hertz} Hz of 660 in it", judged)
    panel.press("play", 120, 20)
    seen.check(heard(lab, 440), "play: the oldest not heard to its end is heard, at 440 Hz")
    for _ in takes[1:]:
        panel.press("next", 120, 20)
    seen.check(heard(lab, 660), "next: what was just recorded is heard, at 660 Hz")
    # Within its first three seconds already the first press would go to the recording before, and
    # the second further back, where a spike that lasted too long has left one recording more.
    lab.board.run("sleep 3")
    panel.press("previous", 120, 20)
    panel.press("previous", 120, 20)
    seen.check(heard(lab, 440), "previous, twice: the one before is heard, at 440 Hz")
    panel.press("next", 120, 20)
    seen.check(heard(lab, 660), "next: 660 Hz again")
    panel.press("play", 1300, 20)
    used = lab.board.run("cat /proc/asound/Loopback/pcm0p/sub1/status")
    seen.check("RUNNING" not in used, "play, held: nothing is played", used)
    panel.press("next", 120, 20)
    panel.press("delete", 1300, 20)
    left = reel.wait_takes(before)
    trash = lab.board.run(f"ls {RECORDINGS}/.trash")
    seen.check(len(left) == before and ".opus" in trash, f"next, delete held: {left} is left",
               f"{left} {trash}")
    reel.stop()
    lab.board.run(f"install -d -o reel -g reel {RECORDINGS}/Interviews")
    reel.start()
    reel.wait_armed()
    panel.press("folder", 120, 20)
    edges = panel.press("record", 120, 20)
    seen.check(panel.wait_lit("record", True), f"record ({edges} edges) again", reel.words())
    panel.press("split", 120, 20)
    lab.board.run("sleep 2")
    panel.press("stop", 120, 20)
    panel.wait_lit("record", False)
    takes = [take for take in reel.wait_takes(before + 2) if take.startswith("Interviews/")]
    seen.check(len(takes) == 2, f"folder, record, split, stop: {takes}",
               f"{reel.takes(every=True)}\n{reel.words()}")
    locked(lab)


def heard(lab, hertz):
    """Whether the speaker plays that frequency within some seconds."""
    for _ in range(6):
        at = lab.sound.played()
        if abs(at - hertz) < 15:
            return True
    lab.seen.note(f"heard is {at} Hz")
    return False


def locked(lab):
    seen, panel, reel = lab.seen, lab.panel, lab.reel
    before = reel.takes(every=True)
    panel.down("switch-hold")
    panel.press("record", 120, 20)
    changes = panel.watch("record", 2500)
    blinks = sum(1 for _, is_lit in changes if is_lit)
    seen.check(blinks >= 6, f"hold switch, record: the light blinks {blinks} times (refused)",
               changes)
    panel.up("switch-hold")
    seen.check(reel.takes(every=True) == before, "nothing was begun", reel.takes(every=True))
    panel.press("record", 120, 20)
    seen.check(panel.wait_lit("record", True), "hold switch off, record: its light is steady")
    panel.press("stop", 120, 20)
    seen.check(panel.wait_lit("record", False), "stop: the light goes out")

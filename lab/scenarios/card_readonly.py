# The card's file system turns read-only in mid-take, as the kernel does with a damaged one: what
# was written plays, the lights say so, and a press is refused.

from kit import stage
from kit.reel import ROOT

ABOUT = "the card turns read-only in mid-take: what it had plays, the next press is refused"


def run(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    stage.armed(lab, has_card=True)
    pressed = stage.begin_take(lab)
    board.run("sleep 8")
    at = stage.now(lab)
    # Does the same as errors=remount-ro; a plain remount is refused while files are written.
    board.run(f"mount -o remount,abort {ROOT}; touch {ROOT}/x 2>/dev/null; true")
    seen.check(not board.succeeds(f"touch {ROOT}/x"), "the card cannot be written any more")
    seen.check(panel.wait_lit("record", False, 30), "the take is ended", reel.words())
    board.run("sleep 3")
    winks = panel.winks("status", 10200)
    seen.check(winks in (7, 8, 9), f"the status light: {winks} winks in 10 s, fours",
               reel.status())
    panel.press("record")
    blinks = panel.winks("record", 2500)
    seen.check(blinks >= 6, f"record: refused, the light blinks {blinks} times")
    seen.check(reel.is_running(), "reeld runs")
    seen.note("it says: " + reel.words().splitlines()[-1])
    seen.note("reelctl: " + (reel.status().get("sentence") or ""))
    reel.stop()
    board.run(f"umount {ROOT}; e2fsck -p /dev/vdb; [ $? -le 1 ]")
    board.run(f"mount {ROOT}")
    reel.start()
    reel.wait_armed()
    takes = reel.wait_takes(1)
    seen.need(len(takes) == 1, f"checked and mounted again, the take is there: {takes}")
    judged = stage.judge(lab, takes[0])
    lost = at - pressed + stage.PREROLL - judged.seconds
    allowed = 1.2 + 0.4 + sum(lab.panel.stalls(pressed)) / 1000
    seen.check(lost < allowed, f"{lost:.2f} s of it are lost")
    stage.begin_take(lab)
    stage.end_take(lab)
    seen.check(len(reel.wait_takes(2)) == 2, "and it records again")

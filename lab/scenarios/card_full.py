# The card fills up in mid-take: the take is closed in time and plays, the lights say why, and a
# press is refused until there is room.

from kit import stage
from kit.reel import ROOT

ABOUT = "the card fills up: the take is closed and plays, the next press is refused"
RESERVE = 32 << 20


def run(lab):
    seen, board, panel = lab.seen, lab.board, lab.panel
    stage.armed(lab, has_card=True)
    stage.begin_take(lab)
    free = int(board.run(f"df --output=avail -B1 {ROOT} | tail -n 1"))
    # Leaves a few seconds of sound above the reserve.
    board.run(f"fallocate -l {free - RESERVE - 200_000} {ROOT}/ballast")
    seen.check(panel.wait_lit("record", False, 60), "the take is ended before the card is full",
               lab.reel.words())
    takes = lab.reel.wait_takes(1)
    seen.check(len(takes) == 1, f"it is there: {takes}")
    stage.judge(lab, takes[0])
    winks = sum(1 for _, is_lit in panel.watch("status", 5000) if is_lit)
    seen.check(winks in (4, 5), f"the status light winks {winks} times in 5 s: card trouble")
    panel.press("record")
    blinks = sum(1 for _, is_lit in panel.watch("record", 2500) if is_lit)
    seen.check(blinks >= 6, f"record: refused, the light blinks {blinks} times")
    seen.check(len(lab.reel.takes(every=True)) == 1, "nothing was begun")
    # An idle recorder measures the card's space once a minute.
    board.run(f"rm {ROOT}/ballast; sleep 65")
    panel.press("record")
    seen.check(panel.wait_lit("record", True), "with room again, record: it records")
    stage.end_take(lab)

# The power is cut in the middle of a recording, and the card loses unflushed data. The recording is
# there after the next start, and plays.

import random
import time

from kit import stage
from kit.reel import ROOT
from kit.seen import against

ABOUT = "the power is cut in mid-take, on a card that forgets: the take is there and plays"
COUNT = (10, 1, "cuts")
PROMISE = 1.2
# In an emulator sound and card are late by up to this, in seconds.
EMULATOR = 0.4


def run(lab):
    seen, losses, most = lab.seen, [], 0.0
    stage.armed(lab, has_card=True)
    lab.board.run("sync")
    for cut in range(lab.count):
        pressed = stage.begin_take(lab)
        lab.board.run(f"sleep {random.Random(cut).uniform(8, 20):.2f}")
        clock = stage.clock_of(lab)
        lab.card.wait_dirty()
        cut_at = time.monotonic()
        lab.board.power_cut()
        standstill = lab.board.standstill
        flushed = cut_at - lab.card.flushed_at
        lost = lab.card.lose_power()
        seen.note(f"cut; the card lost {lost} sectors it was not told to keep, of"
                  f" {lab.card.written_bytes // 512} it took, with {lab.card.flushes} flushes")
        took = lab.board.boot()
        stage.attach(lab)
        lab.board.wait("systemctl is-active --quiet reeld", 60, "reeld to start by itself")
        lab.reel.wait_armed()
        seen.check(True, f"{took:.0f} s later the board is up and reeld armed by itself")
        takes = lab.reel.wait_takes(cut + 1)
        seen.need(len(takes) == cut + 1, f"the take is there: {takes}", there(lab))
        judged = stage.judge(lab, takes[-1])
        loss = cut_at + clock - pressed + stage.PREROLL - judged.seconds
        still = standstill.within(cut_at - loss, cut_at)
        seen.check(loss - still < PROMISE + EMULATOR,
                   f"{loss:.2f} s are lost, {still:.2f} of them while the board stood still;"
                   f" promised are {PROMISE} at most, {EMULATOR} more are let pass here; the last"
                   f" flush was {flushed:.2f} s old")
        losses.append(loss - still)
        most = max(most, loss)
        checked = lab.board.run("journalctl -b -k -o cat | grep -i 'EXT4-fs.*vdb'; true")
        for line in checked.splitlines():
            seen.note("the kernel: " + line)
    seen.figure("power cuts of the whole board survived", f"{len(losses)} of {lab.count}")
    seen.figure("most sound lost, in seconds", against(PROMISE, EMULATOR, losses))
    seen.figure("with the time the board stood still", f"{most:.2f}")


def there(lab):
    """Returns the card's files and reeld's log, for finding the cause of a failure."""
    return lab.board.run(f"find {ROOT} -type f -printf '%P %s %t\\n'") + "\n" + lab.reel.words()

# Two hundred presses in twenty seconds: each begins a take or ends one, so that every second press
# makes a take; none may hang or be damaged.

from kit import stage
from kit.reel import RECORDINGS
from kit.sound import Judged

ABOUT = "two hundred presses of record in twenty seconds: every take is whole, nothing hangs"
COUNT = (200, 60, "presses")


def run(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    stage.armed(lab, has_card=True)
    board.run("sleep 3")
    process = board.run("pidof reeld")
    panel.hammer("record", lab.count, 100)
    seen.check(board.run("pidof reeld") == process, 
               f"after {lab.count} presses the same reeld runs")
    board.wait("reelctl status", 30, "an answer")
    board.run("sleep 3")
    seen.check(panel.wait_lit("record", False, 30), "the last press has ended the last take")
    reel.wait_closed(120)
    takes = reel.takes()
    seen.check(len(takes) == lab.count // 2,
               f"{len(takes)} takes; {lab.count} presses make {lab.count // 2}",
               lambda: reel.words()[-2000:])
    wrong = []
    for name in takes:
        judged = Judged(board, f"{RECORDINGS}/{name}")
        if judged.warnings or judged.seconds <= 0 or abs(judged.hertz - 440) > 20:
            wrong.append(f"{name}: {judged}")
    seen.check(not wrong, f"opusinfo, opusdec and sox: all {len(takes)} are whole",
               "\n".join(wrong[:3]))
    numbers = [int(name[:4]) for name in takes]
    seen.check(len(set(numbers)) == len(numbers), "no number was given twice")
    stage.begin_take(lab)
    board.run("sleep 3")
    stage.end_take(lab)
    takes = reel.wait_takes(len(takes) + 1)
    stage.judge(lab, takes[-1])
    seen.figure("presses", f"{lab.count}, of them takes {len(takes) - 1}")

# The source of the sound stalls and dies without an error, like a sound server: the take's time
# stays true, and a silent microphone is noticed while it can be repaired.

from kit import stage

ABOUT = "what brings the sound stalls and dies in mid-take: the time stays true, the light says so"


def run(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    stage.armed(lab)
    pressed = stage.begin_take(lab)
    board.run("sleep 5; systemctl kill --signal=STOP tone; sleep 8")
    seen.check(panel.lit("record"), "the feeder stalls for 8 s: it records on")
    board.run("systemctl kill --signal=CONT tone; sleep 5")
    seen.check(panel.lit("record"), "it goes on")
    board.run("systemctl kill --signal=KILL tone")
    board.wait("reelctl status --json | grep -q '\"microphoneSeemsDead\":true'", 90,
               "the silence to be noticed")
    winks = panel.winks("status", 10200)
    seen.check(winks in (5, 6, 7), f"it dies; the status light, in the take: {winks} winks in"
               " 10 s, threes", reel.status())
    lab.sound.feed(440)
    board.wait("! reelctl status --json | grep -q '\"microphoneSeemsDead\":true'", 30,
               "the sound to be noticed")
    seen.check(True, "sound again: nothing is said of a dead microphone any more")
    board.run("sleep 3")
    stopped = stage.end_take(lab)
    takes = reel.wait_takes(1)
    seen.need(len(takes) == 1, f"one take: {takes}")
    judged = stage.judge(lab, takes[0], hertz=None)
    expected = stopped - pressed + stage.PREROLL
    seen.check(abs(judged.seconds - expected) < 0.1,
               f"it is {judged.seconds:.2f} s long of {expected:.2f}")

# The card answers nothing for ten minutes in mid-take, as no card should: no sound is lost, and
# everything that does not need the card answers at once, at both consoles.

from kit import stage

ABOUT = "the card stalls for ten minutes in mid-take: no sound is lost"
COUNT = (600, 15, "seconds")
# A loop that waits for the card would not answer these. The emulator needs some of the seconds.
AT_ONCE, SECONDS = ("status", "volume 30", "mark", "pwd", "notices"), 5


def run(lab):
    seen, board = lab.seen, lab.board
    stage.armed(lab, has_card=True)
    lab.gadget.plug_in()
    board.wait("fuser -s /dev/ttyGS0", 20, "reeld to open the port")
    pressed = stage.begin_take(lab)
    board.run("sleep 5")
    lab.card.stall()
    until = stage.now(lab) + lab.count
    answers(lab)
    board.run(f"sleep {max(0, until - stage.now(lab)):.0f}", lab.count + 120)
    seen.check(lab.panel.lit("record"), f"after {lab.count} s without a card the light is on")
    lab.card.go_on()
    board.run("sleep 5")
    stopped = stage.end_take(lab)
    takes = lab.reel.wait_takes(1)
    seen.need(len(takes) == 1, f"one take: {takes}", lab.reel.words())
    judged = stage.judge(lab, takes[0])
    expected = stopped - pressed + stage.PREROLL
    seen.check(abs(judged.seconds - expected) < 0.5,
               f"it is {judged.seconds:.2f} s long of {expected:.2f}")
    seen.figure("seconds the card stalled", f"{lab.count}, promised are 600")
    seen.figure("sound lost, in seconds", f"{expected - judged.seconds:.2f}")


def answers(lab):
    """Uses the appliance while the card does not answer: by commands, and from the laptop."""
    board, seen, gadget = lab.board, lab.seen, lab.gadget
    board.run("sleep 2")
    for words in AT_ONCE:
        began = stage.now(lab)
        answered = board.succeeds(f"timeout {SECONDS} reelctl {words}")
        seen.check(answered, f"without a card, “{words}” is answered in {SECONDS} s")
        seen.note(f"“{words}” took {stage.now(lab) - began:.2f} s")
    # A command that needs the card may wait, but must not keep the others from being answered.
    board.run("timeout 2 reelctl mkdir Waiting >/dev/null 2>&1; true")
    gadget.listen()
    gadget.say("\rstatus\r")
    seen.check("free" in gadget.wait_heard("free"), "the laptop asks for the status and is told")
    board.run("systemctl stop laptop")

# The card answers nothing for a minute in mid-take, as cheap ones do: no sound is lost.

from kit import stage

ABOUT = "the card stalls for a minute in mid-take: no sound is lost"
COUNT = (60, 15, "seconds")


def run(lab):
    seen, board = lab.seen, lab.board
    stage.armed(lab, has_card=True)
    pressed = stage.begin_take(lab)
    board.run("sleep 5")
    lab.card.stall()
    board.run(f"sleep {lab.count}")
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

# The card refuses every write from one moment on, and the kernel makes it read-only, as at the end
# of a card's life: what was written before is there and plays.

from kit import stage

ABOUT = "the card dies in mid-take and turns read-only: what it had taken plays"


def run(lab):
    seen, board, panel = lab.seen, lab.board, lab.panel
    stage.armed(lab, has_card=True)
    stage.begin_take(lab)
    board.run("sleep 10")
    lab.card.fail()
    board.wait("journalctl -b -k -o cat | grep -qi 'aborting journal\\|remounting.*read-only'", 60,
               "the kernel to give the card up")
    for line in board.run("journalctl -b -k -o cat | grep -i vdb").splitlines()[-3:]:
        seen.note("the kernel: " + line)
    board.run("sleep 10")
    seen.check(lab.reel.is_running(), "reeld runs", lab.reel.words())
    winks = [is_lit for _, is_lit in panel.watch("status", 6000)]
    seen.check(sum(winks) in (4, 5, 6), f"the status light winks {sum(winks)} times in 6 s")
    for line in lab.reel.words().splitlines():
        seen.note("it says: " + line)
    took = lab.reel.stop(180)
    seen.check(took < 90, f"systemctl stop takes {took:.1f} s")
    board.power_cut()
    lab.card.lose_power()
    lab.card.fail(False)
    board.boot()
    stage.attach(lab)
    lab.reel.start()
    lab.reel.wait_armed()
    takes = lab.reel.wait_takes(1)
    seen.need(len(takes) == 1, f"the card writes again, after a start: {takes}", lab.reel.words())
    judged = stage.judge(lab, takes[0])
    seen.check(judged.seconds > 8, "all but its end is there")

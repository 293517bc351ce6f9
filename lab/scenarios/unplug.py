# The sound card is unplugged in mid-take and plugged in again: the take ends, and goes on in a
# second part when the card is back.

from kit import stage

ABOUT = "the sound card is pulled out in mid-take: the take ends, a second part begins"
DRIVER = "/sys/bus/platform/drivers/snd_aloop"


def run(lab):
    seen, board, panel = lab.seen, lab.board, lab.panel
    stage.armed(lab)
    stage.begin_take(lab)
    board.run("sleep 5")
    board.run(f"echo snd_aloop.0 > {DRIVER}/unbind", 60)
    seen.check("Loopback" not in board.run("cat /proc/asound/cards"), "the card is gone")
    blinks = [is_lit for _, is_lit in panel.watch("record", 5000)]
    seen.check(len(blinks) >= 6, f"the record light blinks: it waits ({len(blinks)} changes)")
    lab.sound.silence()
    board.run(f"echo snd_aloop.0 > {DRIVER}/bind; udevadm settle", 60)
    lab.sound.feed(440)
    seen.check(panel.wait_lit("record", True, 30), "the card is back: the light is steady again",
               lab.reel.words())
    board.run("sleep 5")
    stage.end_take(lab)
    takes = lab.reel.wait_takes(2)
    seen.check(len(takes) == 2, f"two parts: {takes}")
    for take in takes:
        stage.judge(lab, take)
    for line in lab.reel.words().splitlines():
        seen.note("it says: " + line)

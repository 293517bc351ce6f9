# A sound card that appears after the recorder has started, and one that goes and returns while it
# waits: under its unit, whose device rules were made before the card was there.

from kit import stage
from kit.panel import plan

ABOUT = "a sound card that comes after the start, and one that goes and returns"
CARD = "/sys/bus/platform/drivers/snd_aloop"


def run(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    board.boot()
    panel.attach()
    reel.install(plan())
    seen.check("no soundcards" in board.run("cat /proc/asound/cards 2>/dev/null || "
                                            "echo no soundcards"), "the board has no sound card")
    reel.start()
    board.wait("reelctl status", 60, "an answer")
    board.run("sleep 3")
    winks = panel.winks("status", 10200)
    seen.check(winks in (6, 7, 8, 9), f"status light, no microphone: {winks} winks in 10 s, threes",
               reel.status())
    panel.press("record")
    blinks = panel.winks("record", 2500)
    seen.check(blinks >= 2, f"record: the light blinks {blinks} times", reel.status())
    panel.press("stop")
    at = stage.now(lab)
    lab.sound.attach()
    lab.sound.feed(440)
    armed(lab, "the card comes", at)
    take(lab, 1)
    for number in (2, 3):
        lab.sound.silence()
        board.run(f"echo snd_aloop.0 > {CARD}/unbind; udevadm settle", 60)
        board.run("sleep 8")
        at = stage.now(lab)
        board.run(f"echo snd_aloop.0 > {CARD}/bind; udevadm settle", 60)
        lab.sound.feed(440)
        armed(lab, "it went and returns", at)
        take(lab, number)


def armed(lab, what, at):
    seen, reel = lab.seen, lab.reel
    seen.need(lab.board.succeeds(
        "for n in $(seq 120); do reelctl status --json | grep -q '\"isOpen\":true' && exit 0;"
        " sleep 0.5; done; exit 1", 180), f"{what}: it is heard", reel.words()[-2500:])
    seen.figure(f"{what}: heard after, in seconds", f"{stage.now(lab) - at:.1f}")


def take(lab, number):
    stage.begin_take(lab)
    lab.board.run("sleep 4")
    stage.end_take(lab)
    takes = lab.reel.wait_takes(number)
    lab.seen.need(len(takes) == number, f"a take: {takes}", lab.reel.words()[-2500:])
    stage.judge(lab, takes[-1])

# The time from a button's edge to the light, for reeld and for the least program in C on the same
# board in the same minutes. The emulator is slow and this machine is shared, so times are shown
# beside their bar, and only one longer than a blink fails. Other failures are counts, which a busy
# machine does not change: presses without a light, and wake-ups of the loop's thread for one press.

from kit import stage
from kit.panel import LINES, plan

ABOUT = "from the edge of a press to the record light, beside the least program in C"
COUNT = (100, 20, "presses")
# The bar: the most milliseconds that reeld may add to the least program's time, in 99 of 100
# presses.
BAR_MS = 5
# A light later than this does not look like an answer to the press.
BLINK_MS = 100
# For one press with its release: the two edges, the light, the take's begin or end, and the events
# from the card and the sound threads.
WAKE_UPS = 15


def run(lab):
    reel = lab.reel
    stage.ready(lab)
    for glitch in (2, 0):
        wiring = plan()
        wiring["panel"]["glitch"] = f"{glitch} ms"
        reel.configure(wiring)
        reel.start()
        reel.wait_armed()
        measure(lab, glitch)
        reel.stop()


def measure(lab, glitch):
    seen = lab.seen
    began, before = stage.now(lab), wake_ups(lab)
    lab.board.run("sleep 10")
    idle = (wake_ups(lab) - before) / (stage.now(lab) - began)
    began, before = stage.now(lab), wake_ups(lab)
    ours, simple = measured(lab, glitch)
    seconds = stage.now(lab) - began
    woken = (wake_ups(lab) - before - idle * seconds) / lab.count
    still = sum(late > BLINK_MS / 2 for late in lab.panel.stalls(began))
    seen.check(-1 not in ours and -1 not in simple and len(ours) == lab.count,
               f"with {glitch} ms of glitch filter, {lab.count} presses turned the light")
    late = sum(mine / 1000 > BLINK_MS + glitch for mine in ours)
    seen.check(late <= still, f"{late} lights came later than {BLINK_MS} ms; the board itself stood"
               f" still {still} times", sorted(ours)[-10:])
    seen.check(woken <= WAKE_UPS, f"the loop's thread was woken {woken:.1f} times for a press, of"
               f" {WAKE_UPS} at most")
    ours, simple = sorted(ours), sorted(simple)
    for share in (50, 90, 99):
        mine, theirs = at(ours, share) / 1000, at(simple, share) / 1000
        seen.note(f"p{share}: reeld {mine:.2f} ms, the least program {theirs:.2f} ms,"
                  f" {mine / theirs:.2f} times")
    added = (at(ours, 99) - at(simple, 99)) / 1000
    seen.figure(f"with {glitch} ms of glitch filter reeld adds at p99, in ms",
                f"{added:.2f} (the bar is {BAR_MS} on a board; this one is emulated)")
    seen.figure(f"with {glitch} ms of glitch filter wake-ups for a press", f"{woken:.1f}")


def wake_ups(lab):
    """Returns how often reeld's main thread, the loop's, was woken since it started."""
    return int(lab.board.run(
        "at=$(pidof reeld); sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p'"
        " /proc/$at/task/$at/status"))


def measured(lab, glitch):
    """Returns the microseconds of reeld and of the least program, press by press in turn."""
    panel = lab.panel
    button, light = LINES.index("button-spare"), LINES.index("light-spare")
    lab.board.run("systemctl stop simple 2>/dev/null; systemd-run --quiet --unit=simple --collect"
                  f" lab-pin {panel.device} simple {button} {light} {glitch * 1000}; sleep 1")
    pairs = (f"{LINES.index('button-record')} {LINES.index('light-record')} {button} {light}")
    text = panel.pin(f"time {lab.count} 350 {pairs}", 900)
    rows = [tuple(map(int, line.split())) for line in text.splitlines()]
    return [row[0] for row in rows], [row[1] for row in rows]


def at(numbers, share):
    return numbers[min(len(numbers) - 1, len(numbers) * share // 100)]

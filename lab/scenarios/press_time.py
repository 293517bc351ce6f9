# How long reeld takes from a button's edge to the light, beside what the least program in C takes
# on the same board in the same minutes: the emulator is slow and this machine is shared, so the
# ratio counts.

from kit import stage
from kit.panel import LINES, plan

ABOUT = "from the edge of a press to the record light, beside the least program in C"
COUNT = (100, 20, "presses")


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
    ours, simple = measured(lab, glitch)
    lab.seen.check(-1 not in ours and -1 not in simple and len(ours) == lab.count,
                   f"with {glitch} ms of glitch filter, {lab.count} presses turned the light")
    ours, simple = sorted(ours), sorted(simple)
    for share in (50, 90, 99):
        mine, theirs = at(ours, share), at(simple, share)
        lab.seen.note(f"p{share}: reeld {mine / 1000:.2f} ms, the least program"
                      f" {theirs / 1000:.2f} ms, {mine / theirs:.2f} times")
        own = (mine - theirs) / 1000
        lab.seen.note(f"p{share}: so reeld itself adds {own:.2f} ms")


def measured(lab, glitch):
    """Microseconds of reeld and of the least program, press by press in turn."""
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

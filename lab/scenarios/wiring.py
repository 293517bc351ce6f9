# A user wires a panel and wants to know what it does: which line a button is on, what the lines and
# gestures are doing, and what is reported for a line that another program has.

from kit import stage
from kit.panel import LINES

ABOUT = "wiring: `reelctl panel`, `reelctl panel identify`, and a line that is taken"


def run(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    stage.armed(lab)
    identify(lab)
    panel.press("mark", chatter=20)
    said = board.run("reelctl panel")
    mark = [line for line in said.splitlines() if "button-mark" in line or "mark" in line]
    seen.check(bool(mark), "after a press `reelctl panel` shows the button and its line", said)
    seen.note("it says: " + " / ".join(line.strip() for line in mark[:3]))
    taken(lab)


def identify(lab):
    board, panel = lab.board, lab.panel
    board.run("systemd-run --quiet --collect --unit=asking sh -c"
              " 'timeout 12 reelctl panel identify > /tmp/identified 2>&1'")
    board.run("sleep 4")
    spare = LINES.index("button-spare")
    panel.pin(f"press {spare} 200 0")
    board.wait("grep -q button-spare /tmp/identified", 15, "the spare line to be told of")
    said = board.run("cat /tmp/identified")
    lab.seen.check("button-spare" in said, "a press on a line nobody uses is told by its name",
                   said)
    lab.seen.note("it says: " + said.splitlines()[-1])


def taken(lab):
    board, panel, reel = lab.board, lab.panel, lab.reel
    reel.stop()
    line = LINES.index("button-record")
    # The tools of libgpiod 2 take the chip as an option, those of 1 do not.
    board.run("gpiomon --help | grep -q -- --chip && chip=--chip; systemd-run --quiet --collect"
              f" --unit=taker gpiomon $chip {panel.device} {line}")
    board.run("sleep 2")
    reel.start()
    board.wait("reelctl status", 30, "reeld to answer")
    said = board.run("reelctl status")
    line = [text.strip() for text in said.splitlines() if "button-record" in text]
    lab.seen.check(bool(line), "a line that another program has is told of", said)
    lab.seen.note("it says: " + (line or [""])[0])
    panel.press("acknowledge")
    lab.seen.check(reel.is_running(), "and the rest of the panel works")

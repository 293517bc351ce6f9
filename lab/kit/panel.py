# The panel of an emulated board: pins of the kernel's simulator, with names as on a real board, and
# reeld's configuration for them.

import math

from kit.board import Late

# In the order of their lines. The last two are for comparison: reeld does not use them.
LINES = [
    "button-record", "button-stop", "button-play", "button-next", "button-previous",
    "button-folder", "button-mark", "button-delete", "button-split", "button-acknowledge",
    "switch-hold", "light-record", "light-status", "light-play", "button-spare", "light-spare",
]
BUTTONS = {
    "record": "button-record", "stop": "button-stop", "play": "button-play",
    "next": "button-next", "previous": "button-previous", "folder": "button-folder",
    "mark": "button-mark", "delete": "button-delete", "split": "button-split",
    "acknowledge": "button-acknowledge", "hold-switch": "switch-hold",
}
LIGHTS = {"record": "light-record", "status": "light-status", "play": "light-play"}
HELD_MS = 1000  # a button that is down for this long is held

# Released lines are high: a button's own resistor pulls them up.
SCRIPT = f"""\
#!/bin/bash
# Makes the panel's chip with the kernel's pin simulator. Part of the emulated board only.
set -e
modprobe -a configfs gpio-sim-lab
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
mkdir -p /sys/kernel/config/gpio-sim/panel/bank0
cd /sys/kernel/config/gpio-sim/panel
echo panel > bank0/label
echo {len(LINES)} > bank0/num_lines
at=0
for name in {' '.join(LINES)}; do
  mkdir bank0/line$at
  echo $name > bank0/line$at/name
  at=$((at + 1))
done
echo 1 > live
cd /sys/devices/platform/$(cat dev_name)/$(cat bank0/chip_name)
for at in {' '.join(str(at) for at, name in enumerate(LINES) if 'light' not in name)}; do
  echo pull-up > sim_gpio$at/pull
done
"""

UNIT = """\
[Unit]
Description=Panel of the lab
Before=reeld.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/sbin/lab-panel

[Install]
WantedBy=multi-user.target
"""


def plan():
    """Returns the panel's part of the configuration."""
    return {
        "panel": {
            "buttons": [{"control": use, "line": line} for use, line in BUTTONS.items()],
            "lights": [{"light": light, "line": line} for light, line in LIGHTS.items()],
        },
        "bindings": {"stop.press": "stop"},
    }


class Panel:
    def __init__(self, board, tools):
        self.board = board
        self.chip = ""
        self.device = ""
        self.pressed = 0.0  # when a button last went down, by the board's clock

        self._tools = tools

    def attach(self):
        """Makes the chip, now and at every later start, before reeld, as on a real board."""
        self.board.push_file(self._tools.made("pin"), "/usr/local/bin/lab-pin", "755")
        self.board.push_file(self._tools.made("late"), "/usr/local/bin/lab-late", "755")
        self.board.run("systemctl is-active --quiet late ||"
                       " systemd-run --quiet --collect --unit=late lab-late /run/late")
        self.board.push(SCRIPT.encode(), "/usr/local/sbin/lab-panel", "755")
        self.board.push(UNIT.encode(), "/etc/systemd/system/lab-panel.service")
        self.board.run("systemctl daemon-reload && systemctl enable --quiet --now lab-panel")
        self.find()

    def find(self):
        """Finds the folder of the chip that was made."""
        made = "/sys/kernel/config/gpio-sim/panel"
        name = self.board.run(f"cat {made}/bank0/chip_name")
        platform = self.board.run(f"cat {made}/dev_name")
        self.chip = f"/sys/devices/platform/{platform}/{name}"
        self.device = f"/dev/{name}"

    def pin(self, words, seconds=60):
        return self.board.run(f"lab-pin {self.chip} {words}", seconds)

    def down(self, line):
        self.pin(f"down {LINES.index(line)}")

    def up(self, line):
        self.pin(f"up {LINES.index(line)}")

    def press(self, use, milliseconds=120, chatter=0):
        """Returns the number of edges. A machine too busy to press in time is no failure."""
        line = LINES.index(BUTTONS[use])
        words = self.pin(f"press {line} {milliseconds} {chatter}").split()
        edges, presses, lasted, first = map(int, words)
        self.pressed = first / 1e9
        if presses > 1:
            raise Late(f"one press, with {chatter} ms of chatter, came out as {presses}")
        if milliseconds < HELD_MS < lasted + 100:
            raise Late(f"a press of {milliseconds} ms lasted {lasted} ms")
        return edges

    def hammer(self, use, count, milliseconds):
        line = LINES.index(BUTTONS[use])
        self.pin(f"hammer {line} {count} {milliseconds}", count * milliseconds // 1000 + 60)

    def stalls(self, since, until=math.inf):
        """Returns the board's own stalls between those times, in milliseconds."""
        lines = self.board.run("cat /run/late 2>/dev/null; true").splitlines()
        return [int(late) for at, late in map(str.split, lines) if since <= float(at) <= until]

    def spikes(self, use, count, microseconds):
        """Returns the longest spike, in microseconds."""
        line = LINES.index(BUTTONS[use])
        longest, late = map(int, self.pin(f"spikes {line} {count} {microseconds}").split())
        if late:
            raise Late(f"a spike that was to last {microseconds} us lasted {longest} us")
        return longest

    def warm_up(self):
        """Warms up: the emulator translates code that runs for the first time, and is late then."""
        for use in ("acknowledge", "previous"):
            self.pin(f"spikes {LINES.index(BUTTONS[use])} 10 200")
            self.pin(f"press {LINES.index(BUTTONS[use])} 100 20")

    def lit(self, light):
        line = LINES.index(LIGHTS[light])
        return self.board.run(f"cat {self.chip}/sim_gpio{line}/value") == "1"

    def watch(self, light, milliseconds):
        """Returns (milliseconds, is lit) at each change of the light, beginning with its state."""
        line = LINES.index(LIGHTS[light])
        text = self.pin(f"watch {milliseconds} {line}", milliseconds // 1000 + 60)
        return [(int(at), is_lit == "1") for at, _, is_lit in map(str.split, text.splitlines())]

    def winks(self, light, milliseconds):
        """Returns how often it came on in that time."""
        changes = self.watch(light, milliseconds)
        return sum(1 for before, after in zip(changes, changes[1:]) if after[1] and not before[1])

    def wait_lit(self, light, is_lit, seconds=10):
        """Waits until the light stays so for half a second; returns whether that happened."""
        line = LINES.index(LIGHTS[light])
        want = "1" if is_lit else "0"
        return self.board.succeeds(
            f"for n in $(seq {seconds * 4}); do\n"
            f"  seen=$(lab-pin {self.chip} watch 500 {line} | cut -d' ' -f3 | tr -d '\\n')\n"
            f"  [ \"$seen\" = {want} ] && exit 0\ndone\nexit 1", seconds * 4 + 60)

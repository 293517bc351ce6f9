# Reel on an emulated board: what is installed there, how it is started, and what it says of itself.

import json
import os
import shutil
import subprocess
import tempfile
import time

from kit import places
from kit.board import Trouble

ROOT = "/var/lib/reel"
RECORDINGS = ROOT + "/recordings"

UNIT = """\
[Unit]
Description=Push-button audio recorder
After=sound.target

[Service]
Type=simple
ExecStart=/usr/bin/reeld
Restart=on-failure
RestartSec=1
LimitRTPRIO=80
LimitMEMLOCK=infinity

[Install]
WantedBy=multi-user.target
"""


def build():
    """The release for these boards, with Swift's own libraries inside; returns its program."""
    scratch = os.path.join(places.PROJECT, ".build", "lab")
    done = subprocess.run(
        ["swift", "build", "-c", "release", "--product", "reeld", "-Xswiftc", "-static-stdlib",
         "--package-path", places.PROJECT, "--scratch-path", scratch],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Trouble("reeld does not build:\n" + done.stdout[-3000:])
    stripped = os.path.join(scratch, "reeld-stripped")
    shutil.copy2(os.path.join(scratch, "release", "reeld"), stripped)
    subprocess.run(["strip", stripped], check=True)
    return stripped


class Unreadable(Trouble):
    """A flight log that says nothing."""


class Reel:
    def __init__(self, board, program):
        self.board = board
        self._program = program

    def install(self, *configuration):
        """The one place that decides what gets onto the board and how."""
        self.board.push_file(self._program, "/usr/bin/reeld", "755")
        self.board.push(UNIT.encode(), "/etc/systemd/system/reeld.service")
        self.configure(*configuration)
        self.board.run("systemctl daemon-reload")

    def configure(self, *parts):
        """Its configuration: the loopback card, and these keys."""
        whole = {"device": "hw:Loopback,1,0", "output": "hw:Loopback,0,1"}
        for part in parts:
            whole.update(part)
        text = json.dumps(whole, indent=2) + "\n"
        self.board.push(text.encode(), "/etc/reel/reel.json")

    def start(self):
        self.board.run("systemctl start reeld")

    def stop(self, seconds=120):
        self.board.run("systemctl stop reeld", seconds)

    def is_running(self):
        return self.board.succeeds("systemctl is-active --quiet reeld")

    def words(self):
        """Everything it wrote since the board started."""
        return self.board.run("journalctl -b -u reeld -o cat --no-pager")

    def wait_armed(self, seconds=60):
        """Until it hears the microphone and could begin a take at once."""
        until = time.monotonic() + seconds
        log = ROOT + "/run/flight.log"
        self.board.wait(f"[ {log} -nt /etc/systemd/system/reeld.service ]", seconds, "its start")
        while not self._is_armed():
            if time.monotonic() > until:
                raise Trouble(f"not armed within {seconds} s:\n{self.words()}")
            time.sleep(1)

    def _is_armed(self):
        try:
            return "running" in self.state()["device"]["capture"]
        except Unreadable:
            return False  # it has written next to nothing yet

    def wait_takes(self, count, seconds=20):
        """The takes' names, when there are so many or the time is over."""
        until = time.monotonic() + seconds
        while len(self.takes()) != count and time.monotonic() < until:
            time.sleep(0.5)
        return self.takes()

    def state(self):
        """Its state now, from the flight log: what the log alone leads to, run again here."""
        with tempfile.TemporaryDirectory() as folder:
            log = self.board.pull_file(ROOT + "/run/flight.log", os.path.join(folder, "log"))
            lines = self._replay(log).splitlines()
            last = next(line for line in reversed(lines) if line[:1].isdigit()).split()[0]
            return json.loads(self._replay(log, "--at", last))

    def _replay(self, log, *words):
        done = subprocess.run(
            [self._program, "--replay", log, *words], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=60)
        if done.returncode != 0:
            raise Unreadable(f"the flight log cannot be run again: {done.stderr}{self.words()}")
        return done.stdout

    def takes(self, every=False):
        """The recordings' files, by name; every one: those that are being made, too."""
        text = self.board.run(
            f"find {RECORDINGS} -name .trash -prune -o -type f -printf '%P\\n'")
        names = [name for name in text.splitlines() if ".opus" in name]
        return sorted(name for name in names if every or name.endswith(".opus"))

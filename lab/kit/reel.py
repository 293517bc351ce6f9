# Reel on an emulated board: what is installed there, how it is started, and what it says of itself.

import fcntl
import glob
import json
import os
import subprocess
import time

from kit import places
from kit.board import Trouble

ROOT = "/var/lib/reel"
RECORDINGS = ROOT + "/recordings"


# How the package of a board is built, and what its file ends in.
PACKAGES = {
    "bookworm-amd64": ([], "deb12_amd64"),
    "trixie-arm64": (["--trixie-arm64"], "deb13_arm64"),
}


def build(board):
    """The package for this board, as a user gets it; returns its file."""
    words, ending = PACKAGES[board]
    os.makedirs(places.cache(), exist_ok=True)
    # Two at once would be in each other's way; whoever comes second finds nearly all of it built.
    with open(os.path.join(places.cache(), "package.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            [os.path.join(places.PROJECT, "scripts", "package")] + words, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
    packages = glob.glob(os.path.join(places.PROJECT, "dist", f"reel_*+{ending}.deb"))
    if done.returncode != 0 or not packages:
        raise Trouble("the package is not built:\n" + done.stdout[-3000:])
    return max(packages, key=os.path.getmtime)


class Reel:
    def __init__(self, board, package):
        self.board = board
        self.package = package

    def install(self, *configuration):
        """The one place that decides what gets onto the board and how. It does not run yet."""
        self.board.push_file(self.package, "/tmp/reel.deb")
        self.board.run(
            "DEBIAN_FRONTEND=noninteractive dpkg -i --force-confold /tmp/reel.deb && "
            "systemctl stop reeld && rm /tmp/reel.deb", 300)
        self.configure(*configuration)

    def configure(self, *parts):
        """Its configuration: the loopback card, and these keys. Encoding is as cheap as it can be:
        an emulated processor takes twenty times as long over it, and would do nothing else."""
        whole = {"device": "hw:Loopback,1,0", "output": "hw:Loopback,0,1",
                 "encoder": {"complexity": 0}}
        for part in parts:
            whole.update(part)
        text = json.dumps(whole, indent=2) + "\n"
        self.board.push(text.encode(), "/etc/reel/reel.json")

    def start(self):
        if not self.board.succeeds("systemctl start reeld"):
            raise Trouble(f"reeld does not start:\n{self.words()}")

    def stop(self, seconds=120):
        """Returns how many seconds that took."""
        times = self.board.run("date +%s.%N; systemctl stop reeld; date +%s.%N", seconds)
        began, ended = map(float, times.split())
        return ended - began

    def is_running(self):
        return self.board.succeeds("systemctl is-active --quiet reeld")

    def words(self):
        """Everything it wrote since the board started."""
        return self.board.run("journalctl -b -u reeld -o cat --no-pager")

    def status(self):
        """What it says of itself, or nothing."""
        text = self.board.run("reelctl status --json", check=False)
        return json.loads(text) if text.startswith("{") else {}

    def wait_armed(self, seconds=60, whole=True):
        """Until it hears the microphone and could begin a take at once; and all of the panel is
        there, unless that is not to be."""
        until = time.monotonic() + seconds
        status = self.status()
        while not (status and status.get("device", {}).get("isOpen")):
            if time.monotonic() > until:
                raise Trouble(f"not armed within {seconds} s: {status}\n{self.words()}")
            time.sleep(1)
            status = self.status()
        if whole and status["panelFaults"]:
            raise Trouble(f"the panel does not work: {status['panelFaults']}")

    def wait_takes(self, count, seconds=20):
        """The takes' names, when there are so many or the time is over."""
        until = time.monotonic() + seconds
        while len(self.takes()) != count and time.monotonic() < until:
            time.sleep(0.5)
        return self.takes()

    def wait_closed(self, seconds=60):
        """Until every take is whole, and on the card."""
        self.board.wait(
            "said=$(reelctl ls --json) && ! grep -qE '\"stage\": ?\"(recording|closing)' <<<$said",
            seconds, "every take to be closed")

    def takes(self, every=False):
        """The recordings' files, by name; every one: those that are being made, too."""
        text = self.board.run(
            f"find {RECORDINGS} -name .trash -prune -o -type f -printf '%P\\n'")
        names = [name for name in text.splitlines() if ".opus" in name]
        return sorted(name for name in names if every or name.endswith(".opus"))

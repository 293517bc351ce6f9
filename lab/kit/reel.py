# Reel on an emulated board: what is installed there, how it is started, and what it reports.

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


# How the package of a board is built, and the end of its file's name.
PACKAGES = {
    "bookworm-amd64": ([], "deb12_amd64"),
    "trixie-arm64": (["--trixie-arm64"], "deb13_arm64"),
}


def build(board):
    """Builds the package for this board, as a user gets it; returns its file."""
    words, ending = PACKAGES[board]
    os.makedirs(places.cache(), exist_ok=True)
    # Two builds at once would disturb each other; the second finds nearly all of it built.
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
        """Installs the package; the only place that decides how. Reel does not run yet."""
        self.board.push_file(self.package, "/tmp/reel.deb")
        self.board.run(
            "DEBIAN_FRONTEND=noninteractive dpkg -i --force-confold /tmp/reel.deb && "
            "systemctl stop reeld && rm /tmp/reel.deb", 300)
        self.configure(*configuration)

    def install_beside(self, name):
        """Installs another of the packages that were built with it."""
        folder, file = os.path.split(self.package)
        self.board.push_file(os.path.join(folder, file.replace("reel_", f"{name}_", 1)),
                             "/tmp/beside.deb")
        self.board.run("DEBIAN_FRONTEND=noninteractive dpkg -i --force-confold /tmp/beside.deb && "
                       "rm /tmp/beside.deb", 300)

    def configure(self, *parts):
        """Writes its configuration: the loopback card, and these keys. Encoding is as cheap as
        possible: an emulated processor is twenty times as slow, and would do nothing else."""
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
        """Returns the seconds that took."""
        times = self.board.run("date +%s.%N; systemctl stop reeld; date +%s.%N", seconds)
        began, ended = map(float, times.split())
        return ended - began

    def is_running(self):
        return self.board.succeeds("systemctl is-active --quiet reeld")

    def words(self):
        """Returns everything it logged since the board started."""
        return self.board.run("journalctl -b -u reeld -o cat --no-pager")

    def status(self):
        """Returns its status, or nothing."""
        text = self.board.run("reelctl status --json", check=False)
        return json.loads(text) if text.startswith("{") else {}

    def wait_armed(self, seconds=60, whole=True):
        """Waits until the microphone is open and a take could begin at once; and until the panel
        has no faults, unless `whole` is false."""
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
        """Returns the takes' names when there are `count` of them or the time is over."""
        until = time.monotonic() + seconds
        while len(self.takes()) != count and time.monotonic() < until:
            time.sleep(0.5)
        return self.takes()

    def wait_closed(self, seconds=60):
        """Waits until every take is closed, and on the card."""
        self.board.wait(
            "said=$(reelctl ls --json) && ! grep -qE '\"stage\": ?\"(recording|closing)' <<<$said",
            seconds, "every take to be closed")

    def takes(self, every=False):
        """Returns the names of all recordings' files, also of running takes."""
        text = self.board.run(
            f"find {RECORDINGS} -name .trash -prune -o -type f -printf '%P\\n'")
        names = [name for name in text.splitlines() if ".opus" in name]
        return sorted(name for name in names if every or name.endswith(".opus"))

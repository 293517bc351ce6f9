# The package while the recorder is in use: a newer version is installed in mid-take and while
# nothing runs, the package is removed in mid-take, and purged. No recording is touched.

import os
import subprocess
import tempfile

from kit import stage
from kit.reel import RECORDINGS

ABOUT = "the package is upgraded and removed in mid-take, and purged: recordings stay as they are"


def run(lab):
    seen, board, reel = lab.seen, lab.board, lab.reel
    stage.armed(lab)
    process = board.run("pidof reeld")
    stage.begin_take(lab)
    said = install(lab, "1")
    seen.check("recording is running" in said, "upgraded in mid-take, the package says what holds",
               said)
    seen.check(board.run("pidof reeld") == process and lab.panel.lit("record"),
               "the same process records on")
    board.run("sleep 4")
    stage.end_take(lab)
    takes = reel.wait_takes(1)
    seen.need(len(takes) == 1, f"the take is there: {takes}")
    stage.judge(lab, takes[0])
    install(lab, "2")
    reel.wait_armed()
    seen.check(board.run("pidof reeld") != process, "upgraded when nothing runs, it starts anew")
    seen.check(board.run("dpkg-query -W -f '${Version}' reel").endswith("lab2"), "dpkg: lab2")
    stage.begin_take(lab)
    board.run("sleep 3")
    board.run("dpkg -r reel", 300)
    seen.check(not board.succeeds("pidof reeld"), "removed in mid-take, it is ended")
    takes = reel.takes()
    seen.need(len(takes) == 2, f"both takes are there: {takes}")
    stage.judge(lab, takes[1])
    sums = board.run(f"cd {RECORDINGS} && sha256sum *.opus")
    said = board.run("dpkg --purge reel", 300)
    seen.check("Recordings stay in" in said, "purging, it says where recordings stay", said)
    seen.check(board.run(f"cd {RECORDINGS} && sha256sum *.opus") == sums,
               "purged: both recordings are unchanged")
    left = board.run("find /etc/reel /usr/bin/reel* /lib/systemd/system/reel* /etc/systemd/system"
                     " -name 'reel*' 2>/dev/null; true")
    seen.check(not left, "nothing else of it is left", left)
    reel.install()
    reel.configure(stage.plan())
    reel.start()
    reel.wait_armed()
    listed = board.run("reelctl ls")
    seen.check(len(reel.takes()) == 2 and board.run(f"cd {RECORDINGS} && sha256sum *.opus") == sums
               and all(take[5:-5] in listed for take in takes),
               "installed again, it lists both", listed)


def install(lab, number):
    """Installs the same package with a higher version; returns dpkg's output."""
    with tempfile.TemporaryDirectory() as folder:
        tree, file = os.path.join(folder, "tree"), os.path.join(folder, "reel.deb")
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run(["dpkg-deb", "-R", lab.reel.package, tree], **quiet)
        control = os.path.join(tree, "DEBIAN", "control")
        with open(control) as text:
            lines = [line.rstrip("\n") + f"+lab{number}\n" if line.startswith("Version:") else line
                     for line in text]
        with open(control, "w") as text:
            text.writelines(lines)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", tree, file], **quiet)
        lab.board.push_file(file, "/tmp/reel.deb")
    return lab.board.run(
        "DEBIAN_FRONTEND=noninteractive dpkg -i --force-confold /tmp/reel.deb", 300)

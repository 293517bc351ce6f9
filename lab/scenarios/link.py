# Copies over the network beside a take: a server that lies, one that hangs, and reel-link killed
# again and again; then the power is cut. The take has every frame, and in the end each copy is the
# file on the card.

import json
import os
import subprocess
import tempfile
import time

from kit import network, stage
from kit.reel import RECORDINGS
from kit.remote import Liar, certificate

ABOUT = "copies beside a take: servers lie and hang, reel-link is killed, the power is cut"
COUNT = (30, 8, "recordings to copy")
ARCHIVE = RECORDINGS + "/Archive"
KILLS = 4
CUTS = 2
PATIENCE_SECONDS = 900


def run(lab):
    with tempfile.TemporaryDirectory() as folder:
        files = certificate(folder, "server", network.HOST)
        liar = Liar(files)
        try:
            scene(lab, folder, files[0], liar)
        finally:
            liar.end()


def scene(lab, folder, authority, liar):
    seen, board = lab.seen, lab.board
    stage.armed(lab, has_card=True)
    lab.network.attach()
    fill(lab, folder)
    lab.reel.install_beside("reel-link")
    board.push_file(authority, "/etc/reel/lab.pem")
    score = board.run("systemd-analyze security --no-pager reel-link | tail -n 1").split(": ")[-1]
    seen.check(float(score.split()[0]) <= 1.5, f"systemd-analyze security: {score}")
    seen.figure("systemd-analyze security", score.split()[0])
    liar.lie(0.2)
    # While a take runs the recorder computes no hashes, and without one nothing is copied.
    board.run("reelctl verify /Archive", seconds=PATIENCE_SECONDS)
    wait_for(lab, "manifest", "lines", lab.count, "every recording to have its hash")
    configure(lab, liar, ["mixed", "hang"])
    beside_take(lab, liar)
    cut_power(lab, liar)
    liar.lie(0)
    configure(lab, liar, ["mixed"])
    wait_for(lab, "copies --target mixed", "count", 0, "every copy to be verified")
    compare(lab, liar)


def fill(lab, folder):
    """Puts recordings of half a minute on the card, as another program would have made them."""
    lab.reel.stop()
    for number in range(lab.count):
        file = os.path.join(folder, "take.opus")
        sound = subprocess.run(
            ["sox", "-n", "-r", "48000", "-c", "1", "-b", "16", "-t", "raw", "-", "synth", "30",
             "brownnoise", "synth", "sine", "mix", str(200 + number)],
            check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(
            ["opusenc", "--quiet", "--raw", "--raw-chan", "1", "--comp", "0", "--bitrate", "128",
             "-", file], check=True, input=sound)
        lab.board.push_file(file, f"{ARCHIVE}/Take {number:02}.opus")
    lab.board.run(f"chown -R reel:reel {RECORDINGS}")
    lab.reel.start()
    lab.reel.wait_armed()
    wait_for(lab, "status", "recordings", lab.count, "the recorder to find them")


def wait_for(lab, words, key, count, what):
    """Waits until the recorder answers with this count."""
    lab.board.wait(f"reelctl {words} --json | tr -d ' ' | grep -q '\"{key}\":{count}[,}}]'",
                   PATIENCE_SECONDS, what, every=3)


def configure(lab, liar, faults):
    targets = [
        {"name": fault, "kind": "webdav", "ca": "/etc/reel/lab.pem",
         "url": f"https://{network.HOST}:{liar.port}/{fault}"} for fault in faults]
    lab.board.push(json.dumps({"targets": targets}).encode(), "/etc/reel/link.json")
    said = lab.board.run("reel-link --check-config")
    lab.seen.note(f"reel-link --check-config: {said.strip()}")
    lab.board.run("systemctl restart reel-link")


def beside_take(lab, liar):
    """A take by its button, while copies are made and reel-link is killed."""
    seen, board = lab.seen, lab.board
    pressed = stage.begin_take(lab)
    peak = 0
    for _ in range(KILLS):
        wait_more(liar)
        status = board.run("cat /proc/$(systemctl show -P MainPID reel-link)/status")
        peak = max(peak, *(int(line.split()[1]) for line in status.splitlines()
                           if line.startswith("VmHWM:")))
        board.run("systemctl kill -s KILL reel-link; systemctl start reel-link")
    wait_more(liar)
    stopped = stage.end_take(lab)
    kept, lies = liar.sums()
    seen.check(len(kept) > 0 and lies > 0, f"meanwhile the server got {len(kept)} files, and lied"
               f" {lies} times; reel-link was killed {KILLS} times",
               lambda: board.run("journalctl -u reel-link -o cat | tail -n 20;"
                                 " reelctl copies"))
    seen.figure("peak memory of reel-link, in MB", f"{peak / 1024:.1f}")
    lab.reel.wait_closed()
    name = next(name for name in lab.reel.takes() if not name.startswith("Archive/"))
    item = json.loads(board.run(f"reelctl info {int(name[:4])} --json"))
    seen.check(not item["integrity"].get("gaps"), "the take beside it has no gap",
               lambda: f"{item}\n{lab.reel.words()[-2000:]}")
    judged = stage.judge(lab, name)
    expected = stopped - pressed + stage.PREROLL
    seen.check(abs(judged.seconds - expected) < 0.3,
               f"it has {judged.seconds:.2f} s of the {expected:.2f} s from press to press", judged)


def cut_power(lab, liar):
    """Cuts the power in the midst of a copy; the card loses what it was not told to keep."""
    for _ in range(CUTS):
        lab.board.run("sync -f /etc/reel; systemctl restart reel-link")
        wait_more(liar)
        lab.board.power_cut()
        lost = lab.card.lose_power()
        count = len(liar.sums()[0])
        lab.seen.note(f"the power is cut after {count} files; {lost} sectors are lost")
        lab.board.boot()
        stage.attach(lab)
        lab.network.attach()
        lab.reel.wait_armed()


def wait_more(liar):
    """Waits until the server got another file, or lied; a kill comes in the midst of the next."""
    before, until = liar.sums(), time.monotonic() + 40
    while liar.sums() == before and time.monotonic() < until:
        time.sleep(0.5)


def compare(lab, liar):
    """Each file of the card is there once, byte for byte."""
    seen = lab.seen
    lines = lab.board.run(f"cd {RECORDINGS} && find . -name '*.opus' -not -path './.trash/*'"
                          " -exec sha256sum {} +").splitlines()
    here = sorted(line.split()[0] for line in lines)
    kept, lies = liar.sums()
    there = sorted(digest for name, digest in kept.items()
                   if name.startswith("/mixed/") and name.endswith(".opus"))
    seen.check(here == there, f"{len(here)} recordings, and each is at the server once, byte for"
               f" byte, after {lies} lies", f"{here}\n{kept}")
    seen.figure("recordings copied", f"{len(here)}, after {lies} lies")

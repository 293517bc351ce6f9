# Eight channels with a tone each are recorded as tracks: every tone is in its track's file and in no
# other, the files are equally long, and other programs have no complaint.

import os
import re
import subprocess
import tempfile

from kit import stage
from kit.panel import plan
from kit.reel import RECORDINGS

ABOUT = "eight channels, a tone in each: every tone in its track's file, all equally long"
TONES = [300, 400, 500, 600, 700, 800, 900, 1000]
RATE = 48000


def run(lab):
    seen, board, reel = lab.seen, lab.board, lab.reel
    stage.ready(lab)
    # The feeder decides how many channels the loopback has, so it begins before the recorder.
    lab.sound.silence()
    feed(lab)
    reel.configure(plan(), {"tracks": [
        {"name": f"channel {n}", "channels": [n], "format": "flac", "level": 0}
        for n in range(1, 9)]})
    reel.start()
    reel.wait_armed()
    stage.begin_take(lab)
    board.run("sleep 10")
    lab.panel.press("mark")
    stage.end_take(lab)
    reel.wait_closed()
    found = board.run("reelctl info 1 --json")
    names = re.findall(r'"file" ?: ?"([^"]+)"', found[found.index('"tracks"'):])
    seen.need(len(names) == 8, f"{len(names)} tracks", found)
    lengths = set()
    for number, (name, hertz) in enumerate(zip(names, TONES), 1):
        heard, frames, words = judged(board, name)
        lengths.add(frames)
        seen.check(abs(heard - hertz) < 10 and "error" not in words.lower(),
                   f"{name}: {heard} Hz of {hertz}, {frames} frames", words)
    seen.check(len(lengths) == 1 and min(lengths) > 8 * RATE, "all are equally long", lengths)
    seen.check('"gaps":[{' not in found, "no sound was lost", found)
    verified = board.run("reelctl verify /")
    seen.check("as it should be" in verified, f"verify: {verified.strip()}")


def feed(lab):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "tones.wav")
        # Ten seconds hold whole periods of each, so it repeats without a seam.
        words = ["sox", "-n", "-r", str(RATE), "-c", "8", "-b", "16", file, "synth", "10"]
        for hertz in TONES:
            words += ["sine", str(hertz)]
        subprocess.run(words + ["vol", "0.5"], check=True, stderr=subprocess.DEVNULL)
        lab.sound.feed_file(file, channels=8)


def judged(board, name):
    """Returns the frequency, the number of frames, and what other programs say of a track."""
    with tempfile.TemporaryDirectory() as folder:
        file = board.pull_file(f"{RECORDINGS}/{name}", os.path.join(folder, "track.flac"))
        tested = subprocess.run(["flac", "-t", "-s", file], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, timeout=120)
        stat = subprocess.run(["sox", file, "-n", "stat"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120).stdout
        frames = subprocess.check_output(["soxi", "-s", file], text=True)
    match = re.search(r"Rough\s+frequency:\s+(\d+)", stat)
    words = tested.stdout + (f"error: status {tested.returncode}" if tested.returncode else "")
    return int(match.group(1)) if match else 0, int(frames), words

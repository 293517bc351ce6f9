# Every frame that goes in comes out: clicks at distances that never repeat within a minute are
# played into the loopback card, and looked for in the recording, across splits.

import array
import os
import random
import subprocess
import tempfile
import time
import wave

from kit import stage
from kit.board import Late
from kit.reel import RECORDINGS

ABOUT = "known clicks in, every frame accounted for out, across splits; the length to the frame"
COUNT = (60, 2, "minutes")
RATE = 48000
PERIOD = 60 * RATE
# An encoder may move a click by some frames.
SLACK = 30
LENGTH = 24
# How far a take's beginning and end may be from the edges of the presses, in seconds; and the
# tolerance here, where edges and the sound card's clock are emulated.
PROMISE = 0.001
EMULATOR = 0.02


def run(lab):
    seen, board = lab.seen, lab.board
    clicks = pattern()
    stage.armed(lab, {"splitEvery": "1 min" if lab.count < 10 else "10 min"})
    lab.sound.silence()
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "clicks.wav")
        write(file, clicks)
        lab.sound.feed_file(file)
    board.run("sleep 2")
    pressed = stage.begin_take(lab)
    until = time.monotonic() + lab.count * 60
    while time.monotonic() < until:
        board.run(f"sleep {min(30, max(0, until - time.monotonic())):.1f}")
    stopped = stage.end_take(lab)
    board.run("sleep 2")
    troubled = lab.sound.trouble()
    takes = lab.reel.takes()
    parts = [decoded(board, name) for name in takes]
    joined = array.array("h")
    for part in parts:
        joined.extend(part)
    seen.check(len(takes) > 1, f"{len(takes)} files, {len(joined)} frames together")
    info = [board.run(f"reelctl info {int(name[:4])} --json") for name in takes]
    if troubled or any('"gaps":[{' in text for text in info):
        if sum(lab.panel.stalls(pressed)) > 100:
            raise Late(f"the board stood still, and sound was lost: {troubled}")
        seen.check(False, "no sound was lost on the way in", f"{troubled}\n{info}")
    compare(lab, clicks, joined, [len(part) for part in parts])
    length = len(joined) / RATE
    expected = stopped - pressed + stage.PREROLL
    # While the board stalls, an edge is stamped before or after the stall.
    still = sum(sum(lab.panel.stalls(at - 0.3, at + 0.3)) for at in (pressed, stopped)) / 1000
    seen.check(abs(length - expected) < EMULATOR + expected * 20e-6 + still,
               f"it is {length:.4f} s long; from the edge of the one press to the other, and the"
               f" preroll, {expected:.4f}; let pass are {EMULATOR * 1000:.0f} ms"
               + (f"; the board stood still for {still:.3f} s" if still else ""))
    seen.figure("length against the edges of the presses, in ms",
                f"{(length - expected) * 1000:.1f} (promised {PROMISE * 1000:.0f} at most, which the"
                f" simulation proves to the frame; let pass here are {EMULATOR * 1000:.0f}, since"
                " an emulated edge has its time late)")
    seen.figure("frames accounted for", len(joined))


def pattern():
    """Returns where the clicks begin within one minute."""
    chance, at, places = random.Random(8), 3000, []
    while at < PERIOD - 3000:
        places.append(at)
        at += chance.randrange(9000, 27000)
    return places


def write(path, clicks):
    samples = array.array("h", bytes(PERIOD * 2))
    for at in clicks:
        for n in range(LENGTH):
            samples[at + n] = 24000 if n % 8 < 4 else -24000
    stereo = array.array("h", bytes(PERIOD * 4))
    stereo[0::2] = samples
    stereo[1::2] = samples
    with wave.open(path, "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        file.writeframes(stereo.tobytes())


def decoded(board, name):
    with tempfile.TemporaryDirectory() as folder:
        file = board.pull_file(f"{RECORDINGS}/{name}", os.path.join(folder, "take.opus"))
        raw = os.path.join(folder, "take.raw")
        subprocess.run(["opusdec", "--quiet", "--rate", str(RATE), "--no-dither", file, raw],
                       check=True, timeout=900, stderr=subprocess.DEVNULL)
        samples = array.array("h")
        with open(raw, "rb") as source:
            samples.frombytes(source.read())
    return samples


def found_in(samples):
    """Returns where clicks are: the middle of the energy around the loudest frame of each. The
    encoder may make one faintly audible up to its packet's 960 frames before."""
    places, block, start = [], 480, 0
    while start < len(samples):
        piece = samples[start:start + block]
        start += block
        if max(max(piece), -min(piece)) < 6000:
            continue
        around = samples[start - block:start + 2 * block]
        loudest = max(range(len(around)), key=lambda n: abs(around[n])) + start - block
        places.append(middle(samples, loudest))
        # The next click is further away than that.
        start = loudest + 4000
    return places


def middle(samples, at):
    begin = max(0, at - 150)
    energy = [value * value for value in samples[begin:at + 150]]
    return begin + round(sum(n * one for n, one in enumerate(energy)) / sum(energy))


def compare(lab, clicks, joined, lengths):
    """Checks that each click is where the pattern has one; none is missing or too many."""
    seen, found = lab.seen, found_in(joined)
    seen.need(len(found) > 10, f"{len(found)} clicks are heard")
    shift = aligned(found, clicks)
    seen.need(shift is not None, "they are the ones that were fed", found[:20])
    expected, turn, last = [], 0, len(joined)
    while (at := turn * PERIOD - shift) < last:
        expected += [at + click + LENGTH // 2 for click in clicks if 0 <= at + click < last - 30]
        turn += 1
    off = [abs(a - b) for a, b in zip(found, expected)]
    # One may be cut off at the very beginning or end.
    whole = abs(len(found) - len(expected)) <= 1
    seen.check(whole, f"{len(found)} clicks of {len(expected)}")
    wrong = next((n for n, distance in enumerate(off) if distance > SLACK), None)
    seen.check(wrong is None, f"each is in its place: off by {max(off)} frames at most",
               f"from click {wrong} on: {list(zip(found, expected))[max(0, (wrong or 0) - 2):][:6]}"
               f"\njoints at {[sum(lengths[:n]) for n in range(1, len(lengths))]}")
    seen.figure("clicks in their place", f"{sum(d <= SLACK for d in off)} of {len(expected)}")


def aligned(found, clicks):
    """Returns how many frames of the pattern had passed when the take began."""
    for first, click in enumerate(clicks):
        shift = click + LENGTH // 2 - found[0]
        rest = clicks[first:] + [at + PERIOD for at in clicks]
        if all(abs(rest[n] + LENGTH // 2 - shift - found[n]) <= SLACK for n in range(min(8, len(found)))):
            return shift % PERIOD
    return None

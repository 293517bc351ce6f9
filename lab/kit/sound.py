# Sound on an emulated board: a loopback card that is fed with a known sound; and what tools that
# are not ours make of a recording. They run here, on files pulled from the board.

import os
import re
import subprocess
import tempfile


class Sound:
    def __init__(self, board):
        self.board = board

    def attach(self):
        """The card `Loopback`: what is played on its device 0 is heard on its device 1."""
        self.board.push(b"options snd-aloop pcm_substreams=2\n", "/etc/modprobe.d/lab.conf")
        self.board.push(b"snd-aloop\n", "/etc/modules-load.d/lab.conf")
        self.board.run("modprobe snd-aloop && udevadm settle")

    def feed(self, hertz=440, loudness=0.5):
        """A tone that goes on by itself; stereo at 48 kHz."""
        with tempfile.TemporaryDirectory() as folder:
            tone = os.path.join(folder, "tone.wav")
            # Ten seconds hold whole periods of whole frequencies, so it may begin again and again.
            subprocess.run(
                ["sox", "-n", "-r", "48000", "-c", "2", "-b", "16", tone, "synth", "10", "sine",
                 str(hertz), "vol", str(loudness)], check=True, stderr=subprocess.DEVNULL)
            self.feed_file(tone)

    def feed_file(self, file):
        """This sound over and over: stereo at 48 kHz, sixteen bits. It comes before the rest of
        the board, with two seconds in hand: what feeds the card is not what is tried here. Whoever
        opens a loopback first says in which format, and a card that comes late is opened at once
        by the recorder: so the feeder converts. Of its complaints only its own count, not those of
        the feeder before it, on a board that was saved."""
        self.board.push_file(file, "/tmp/feed.wav")
        self.board.run(
            "systemd-run --quiet --unit=tone --collect sh -c '"
            "while :; do tail -c +45 /tmp/feed.wav; done | chrt -f 70 "
            "aplay -q -t raw -f S16_LE -r 48000 -c 2 --buffer-time=2000000 -D plughw:Loopback,0,0"
            " 2>/run/feed'")

    def trouble(self):
        """What the feeder complains of: it was too late."""
        return self.board.run("cat /run/feed 2>/dev/null; true")

    def silence(self):
        self.board.run("systemctl stop tone")

    def played(self):
        """What the speaker plays just now, in hertz; 0: nothing."""
        facts = self.board.run("cat /proc/asound/Loopback/pcm0p/sub1/hw_params")
        found = {line.split(": ")[0]: line.split(": ")[1].split()[0]
                 for line in facts.splitlines() if ": " in line}
        if "format" not in found:
            return 0
        self.board.run(
            f"timeout 20 arecord -q -D plughw:Loopback,1,1 -f {found['format']} -r {found['rate']}"
            f" -c {found['channels']} -d 1 /tmp/played.wav", check=False)
        with tempfile.TemporaryDirectory() as folder:
            wave = self.board.pull_file("/tmp/played.wav", os.path.join(folder, "played.wav"))
            # Tones of the recorder itself are short; what is heard at last counts.
            facts = Judged.run(
                ["sox", wave, "-n", "remix", "1", "reverse", "trim", "0", "0.4", "stat"])
        match = re.search(r"Rough\s+frequency:\s+(\d+)", facts)
        return int(match.group(1)) if match else 0


class Judged:
    """What others say of a recording."""

    def __init__(self, board, path):
        with tempfile.TemporaryDirectory() as folder:
            file = board.pull_file(path, os.path.join(folder, "take.opus"))
            self.bytes = os.path.getsize(file)
            self.opusinfo = self.run(["opusinfo", file])
            self.ffprobe = self.run(
                ["ffprobe", "-v", "error", "-show_entries",
                 "stream=codec_name,channels,sample_rate:format=duration", "-of", "csv=p=0", file])
            wave = os.path.join(folder, "take.wav")
            self.opusdec = self.run(["opusdec", "--quiet", "--rate", "48000", file, wave])
            self.sox = self.run(["sox", wave, "-n", "stat"]) if os.path.exists(wave) else ""
            self.seconds = self._seconds(wave)

    @staticmethod
    def run(words):
        done = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        return done.stdout + (f"\n[status {done.returncode}]" if done.returncode else "")

    @staticmethod
    def _seconds(wave):
        if not os.path.exists(wave):
            return 0.0
        return float(subprocess.check_output(["soxi", "-D", wave], text=True))

    @property
    def hertz(self):
        match = re.search(r"Rough\s+frequency:\s+(\d+)", self.sox)
        return int(match.group(1)) if match else 0

    @property
    def loudest(self):
        match = re.search(r"Maximum amplitude:\s+([\d.]+)", self.sox)
        return float(match.group(1)) if match else 0.0

    @property
    def warnings(self):
        return [line for line in self.opusinfo.splitlines() if "WARNING" in line or "ERROR" in line]

    def __str__(self):
        return f"{self.opusinfo}\n{self.ffprobe}\n{self.opusdec}\n{self.sox}"

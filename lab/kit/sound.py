# Sound on an emulated board: a loopback card that plays a known sound to the recorder; and the
# verdict of other programs on a recording. They run on this machine, on files pulled from the
# board.

import os
import re
import subprocess
import tempfile


class Sound:
    def __init__(self, board):
        self.board = board

    def attach(self):
        """Adds the card `Loopback`: its device 1 hears what its device 0 plays."""
        self.board.push(b"options snd-aloop pcm_substreams=2\n", "/etc/modprobe.d/lab.conf")
        self.board.push(b"snd-aloop\n", "/etc/modules-load.d/lab.conf")
        self.board.run("modprobe snd-aloop && udevadm settle")

    def feed(self, hertz=440, loudness=0.5):
        """Plays an endless tone; stereo at 48 kHz."""
        with tempfile.TemporaryDirectory() as folder:
            tone = os.path.join(folder, "tone.wav")
            # Ten seconds hold whole periods of whole frequencies, so it repeats without a seam.
            subprocess.run(
                ["sox", "-n", "-r", "48000", "-c", "2", "-b", "16", tone, "synth", "10", "sine",
                 str(hertz), "vol", str(loudness)], check=True, stderr=subprocess.DEVNULL)
            self.feed_file(tone)

    def feed_file(self, file, channels=2):
        """Plays this sound over and over: at 48 kHz, sixteen bits. The feeder is not under
        test, so it runs before the rest of the board, two seconds ahead. The program that opens a
        loopback first decides its format, and the recorder opens a late card at once: so the feeder
        converts. Only its own reports count, not those of an earlier feeder on a saved board."""
        self.board.push_file(file, "/tmp/feed.wav")
        self.board.run(
            "systemd-run --quiet --unit=tone --collect sh -c '"
            f"while :; do tail -c +{head(file)} /tmp/feed.wav; done | chrt -f 70 "
            f"aplay -q -t raw -f S16_LE -r 48000 -c {channels} --buffer-time=2000000"
            " -D plughw:Loopback,0,0 2>/run/feed'")

    def trouble(self):
        """Returns the feeder's reports of being too late."""
        return self.board.run("cat /run/feed 2>/dev/null; true")

    def silence(self):
        self.board.run("systemctl stop tone")

    def played(self):
        """Returns the frequency that the speaker plays now, in hertz; 0: nothing."""
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
            # The recorder's own tones are short; the end of the sound counts.
            facts = Judged.run(
                ["sox", wave, "-n", "remix", "1", "reverse", "trim", "0", "0.4", "stat"])
        match = re.search(r"Rough\s+frequency:\s+(\d+)", facts)
        return int(match.group(1)) if match else 0


def head(file):
    """Returns where the samples of a WAV file begin, counted from 1: the header of more than two
    channels is longer."""
    with open(file, "rb") as source:
        return source.read(256).index(b"data") + 9


class Judged:
    """The verdict of other programs on a recording."""

    def __init__(self, board, path):
        self.is_flac = path.endswith(".flac")
        with tempfile.TemporaryDirectory() as folder:
            file = board.pull_file(path, os.path.join(folder, os.path.basename(path)))
            self.bytes = os.path.getsize(file)
            self.told = self.run(
                ["flac", "--test", "--silent", file] if self.is_flac else ["opusinfo", file])
            self.ffprobe = self.run(
                ["ffprobe", "-v", "error", "-show_entries",
                 "stream=codec_name,channels,sample_rate:format=duration", "-of", "csv=p=0", file])
            wave = os.path.join(folder, "take.wav")
            self.decoded = self.run(
                ["flac", "--decode", "--silent", "-o", wave, file] if self.is_flac
                else ["opusdec", "--quiet", "--rate", "48000", file, wave])
            self.sox = (
                self.run(["sox", wave, "-n", "remix", "1", "stat"]) if os.path.exists(wave) else "")
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
        lines = self.told.splitlines()
        if self.is_flac:
            return lines
        return [line for line in lines if "WARNING" in line or "ERROR" in line]

    @property
    def complaints(self):
        """The warnings about a recording that was cut: it has no sum of its samples."""
        return [line for line in self.warnings if "MD5 signature since it was unset" not in line]

    def __str__(self):
        return f"{self.told}\n{self.ffprobe}\n{self.decoded}\n{self.sox}"

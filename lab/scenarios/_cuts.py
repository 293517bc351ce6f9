# The card's power is cut at random moments of everything that is written to it, and the card loses
# unflushed data. The board runs on, but reeld is killed in the same moment; then the card is
# checked and mounted as at a start, and reeld starts on it. That takes seconds where a whole start
# takes a minute; `power-cut` does it with the whole board. `cuts`, `cuts-vfat` and `cuts-exfat` run
# this on cards of three kinds, `cuts-tracks` with takes of several files.

import os
import random
import re
import shutil
import tempfile
import time

from kit import exfat, stage
from kit.board import Late, Trouble
from kit.reel import RECORDINGS, ROOT
from kit.seen import against
from kit.sound import Judged

PHASES = "recording, stopping, splitting, renaming, moving, deleting"
COUNT = (100, 4, "cuts")
PROMISE = 1.2
# In an emulator sound and card are late by up to this, in seconds.
EMULATOR = 0.4
# At one cut, before the whole scenario begins again.
ATTEMPTS = 5


def run_on(lab, kind, tracks=()):
    """Runs the cuts on a card with this file system, with takes of these tracks."""
    cuts = Cuts(lab, kind, tracks)
    phases = [cuts.recording, cuts.stopping, cuts.renaming, cuts.splitting, cuts.moving,
              cuts.beginning, cuts.deleting]
    # A short run has no time for all, so each change of the project begins with another.
    first = int(os.environ.get("REEL_RUN") or 0)
    for number in range(lab.count):
        cuts.number = number
        cuts.run(phases[(first + number) % len(phases)])
    cuts.end()


class Cuts:
    def __init__(self, lab, kind, tracks):
        self.lab, self.board, self.seen, self.card = lab, lab.board, lab.seen, None
        self.tracks = max(1, len(tracks))
        self.number = 0
        self.survived = 0
        self.flushed = 0.0
        self.losses = []  # without the time the board stood still
        self.most = 0.0  # with it
        self.safe = {}  # finished recordings: what is in the file, and a name it had
        self.random = random.Random()
        self.kept = tempfile.mkdtemp(prefix="reel-cuts-")
        stage.armed(lab, {"tracks": list(tracks)}, has_card=True, kind=kind)
        self.card = lab.card
        # It must not restart on a card without power.
        self.board.push(b"[Service]\nRestart=no\n",
                        "/run/systemd/system/reeld.service.d/lab.conf")
        self.board.run("systemctl daemon-reload")
        self.board.run("reelctl mkdir Elsewhere && sync")
        for _ in range(3):
            stage.begin_take(lab)
            self.board.run("sleep 1")
            stage.end_take(lab)
        lab.reel.wait_closed()
        self.remember(self.files())

    def run(self, phase):
        """Runs one cut; once more if this machine was too busy to press a button in time."""
        for _ in range(ATTEMPTS):
            try:
                return phase()
            except Late as late:
                self.seen.note(f"this machine is too busy: {late}; cut {self.number + 1} once more")
                self.card.wait_cut(0)
                self.start_again()
                found = self.files()
                self.check_safe("cut without a press", found)
                self.remember(found)
        raise Late(f"cut {self.number + 1} was too late {ATTEMPTS} times")

    # Activities at the cut

    def recording(self):
        pressed = stage.begin_take(self.lab)
        time.sleep(self.random.uniform(1, 5))
        self.cut("recording", self.random.randint(1, 12), pressed)

    def beginning(self):
        self.board.run("sleep 3")
        self.card.cut_in(self.random.randint(1, 25))
        self.lab.panel.press("record")
        self.cut("beginning", None, self.lab.panel.pressed)

    def stopping(self):
        pressed = stage.begin_take(self.lab)
        time.sleep(self.random.uniform(1, 3))
        self.card.cut_in(self.random.randint(1, 20))
        self.lab.panel.press("stop")
        self.cut("stopping", None, pressed, until=self.lab.panel.pressed)

    def splitting(self):
        pressed = stage.begin_take(self.lab)
        time.sleep(self.random.uniform(1, 3))
        self.card.cut_in(self.random.randint(1, 30))
        self.lab.panel.press("split")
        self.cut("splitting", None, pressed)

    def renaming(self):
        self.begin_command(f"rename {self.one()} 'Name {self.number}'", 12)
        self.cut("renaming")

    def moving(self):
        self.begin_command(f"mv {self.one()} /Elsewhere", 16)
        self.cut("moving")

    def deleting(self):
        self.begin_command(f"rm --yes {self.one()}", 16)
        self.cut("deleting")

    def one(self):
        """Returns the number of a recording that is not in the trash."""
        names = [at.split("/")[-1] for _, at in self.files() if not at.startswith(".trash")]
        return int(self.random.choice(names).split(" ")[0])

    def begin_command(self, words, most):
        self.card.cut_in(self.random.randint(1, most))
        self.board.run(f"timeout 20 reelctl {words} >/tmp/told 2>&1 </dev/null & true")

    # The cut, and the state after it

    def cut(self, what, operations=None, pressed=None, until=None):
        if operations:
            self.card.cut_in(operations)
        self.card.wait_cut(5)
        self.flushed = self.card.cut_at - self.card.flushed_at  # how old the last flush was
        at = self.card.cut_at + stage.clock_of(self.lab)
        end = min(at, until) if until else at
        self.start_again()
        found = self.files()
        new = [file for file in found if file[0] not in self.safe]
        text = f"cut {self.number + 1}, {what}: {self.card.lost} sectors lost"
        holds = self.check_safe(text, found)
        if pressed is None:
            holds &= self.seen.check(not new, f"{text}: nothing is there twice or torn", new)
        else:
            if self.card.kind == "exfat":
                holds &= self.check_chains(text, new)
            holds &= self.check_take(text, new, end - pressed, at - end)
        holds &= self.check_words(text)
        self.survived += holds
        self.keep(holds)
        self.remember(found)

    def start_again(self):
        # The stop keeps systemd from restarting it, and so from mounting the card. The unit's
        # ExecStopPost programs have the card in a mount namespace of their own until they end, too.
        self.board.run("systemctl kill --signal=KILL reeld; systemctl stop --no-block reeld")
        self.card.refuse()
        self.board.wait("systemctl show -P ActiveState reeld | grep -qE '^(inactive|failed)'"
                        f" && ! pidof -q reeld && {{ umount {ROOT} || ! mountpoint -q {ROOT}; }}"
                        " && [ ! -e /sys/fs/ext4/vdb ] && { blockdev --flushbufs /dev/vdb; true; }",
                        60, "reeld to be gone and the card to be let go of")
        self.card.power_on()
        self.card.image(os.path.join(self.kept, "card.img"))
        if self.card.kind == "ext4":
            self.check_journal()
        self.board.run(f"rm -rf /run/reel; udevadm settle; mount {ROOT}; "
                       "systemctl reset-failed reeld; "
                       "journalctl -q -u reeld -n 1 --cursor-file=/tmp/since >/dev/null; true")
        self.lab.reel.start()
        self.lab.reel.wait_armed()
        self.lab.reel.wait_closed()

    def check_journal(self):
        """Checks the card as the system does before it mounts ext4."""
        checked = self.board.run("e2fsck -p /dev/vdb; s=$?; [ $s -le 1 ] || exit $s")
        if "recovering journal" not in checked and "clean" not in checked:
            self.seen.note("e2fsck: " + checked)

    def files(self):
        """Returns (checksum, path) of every sound file. A take that was cut before its first page
        reached the card leaves an empty one: nothing is lost, and nothing was promised."""
        lines = self.board.run(f"cd {RECORDINGS} && find . -type f -size +0"
                               " \\( -name '*.opus*' -o -name '*.flac*' \\) -exec sha256sum {} + 2>&1; true")
        found = [line.split("  ./", 1) for line in lines.splitlines()]
        unread = ["  ./".join(line) for line in found if len(line) != 2]
        self.seen.check(not unread, "every file can be read",
                        lambda: "\n".join(unread) + "\n" + self.said_since_cut())
        return sorted(tuple(line) for line in found if len(line) == 2)

    def remember(self, found):
        self.safe = dict(found)

    def check_safe(self, text, found):
        digests = [digest for digest, _ in found]
        wrong = [name for digest, name in self.safe.items() if digests.count(digest) != 1]
        return self.seen.check(
            not wrong, f"{text}: all of {len(self.safe)} finished recordings are there, unchanged",
            lambda: f"{wrong}\n{found}\n{self.lab.reel.words()[-3000:]}")

    def check_take(self, text, new, seconds, after):
        """Checks the take that ran: `seconds` from the press to the cut, or to the stop `after`
        seconds before it."""
        # A part of less sound than it repeats of the one before is set aside: it has none of its own.
        judged = {name: Judged(self.board, f"{RECORDINGS}/{name}") for _, name in new
                  if ".damaged-" not in name}
        # A part without any page on the card leaves a file without sound.
        judged = {name: take for name, take in judged.items() if take.bytes > 1000}
        # Of several tracks, the one that has the least counts.
        length = min(sum(take.seconds for name, take in judged.items() if track_of(name) == track)
                     for track in range(self.tracks))
        # Sound from before the press counts as lost since the press only, as in the simulation.
        lost = min(seconds, seconds + stage.PREROLL - length)
        still = self.board.standstill.within(self.card.cut_at - lost - after, self.card.cut_at)
        self.losses.append(lost - still)
        self.most = max(self.most, lost)
        is_little = lost - still < PROMISE + EMULATOR
        said = (f"{lost:.2f} s are lost, {still:.2f} of them while the board stood still; promised"
                f" are {PROMISE} at most, {EMULATOR} more are let pass here; the last flush was"
                f" {self.flushed:.2f} s old")
        if not judged and is_little:
            self.seen.note(f"{text}: no sound of the take is there: {said}")
            return True
        if not self.seen.check(bool(new), f"{text}: the take is there: {said}", self.there):
            return False
        whole = bool(judged) and all(
            take.seconds > 0 and not take.complaints and abs(take.hertz - 440) < 15
            for take in judged.values())
        self.seen.check(whole, f"{text}: {len(new)} new, {length:.2f} s, plays",
                        "\n".join(map(str, judged.values())))
        return whole & self.seen.check(is_little and lost > -0.3, f"{text}: {said}", self.there)

    def check_chains(self, text, new):
        """Checks that no file of the take lay in one piece when the power went."""
        loose = exfat.in_one_piece(os.path.join(self.kept, "card.img"))
        loose &= {name.split("/")[-1] for _, name in new}
        return self.seen.check(not loose, f"{text}: its files have chains", sorted(loose))

    def check_words(self, text):
        said = self.board.run(
            "journalctl -q -u reeld -o cat --no-pager --cursor-file=/tmp/since; true")
        bad = [line for line in said.splitlines()
               if "gone from the card" in line or "rebuilt" in line or "damaged" in line]
        left = self.board.run(
            f"find {RECORDINGS} -name 'folder.*.damaged*' -o -name '*.part'; true")
        return self.seen.check(not bad and not left, f"{text}: no index was hurt",
                               f"{bad}\n{left}\n{said}")

    def said_since_cut(self):
        """Returns the last words of the recorder, of its card's check, and of the kernel."""
        return self.board.run("journalctl -q -b -n 60 -o short-monotonic --no-pager")

    def keep(self, holds):
        """Keeps the card as it was before reeld's start, if a fact did not hold."""
        if holds:
            return
        path = os.path.join(self.kept, f"before-{self.number + 1}.img")
        shutil.copyfile(os.path.join(self.kept, "card.img"), path)
        self.seen.note(f"the card as it was before the start is in {path}")

    def there(self):
        return self.board.run(f"find {ROOT} -type f -printf '%P %s %t\\n'") + "\n" + \
            self.lab.reel.words()[-4000:]

    def end(self):
        said = self.board.run("reelctl verify", 300, check=False)
        self.seen.check("everything is as it should be" in said,
                        "reelctl verify: " + said.splitlines()[-1], said)
        self.lab.reel.stop()
        self.board.run(f"umount {ROOT}")
        # All three exit with 0 if and only if nothing is to be repaired.
        check = {"ext4": "e2fsck -fn", "vfat": "fsck.vfat -n", "exfat": "fsck.exfat -n"}
        program = check[self.card.kind]
        checked = self.board.run(f"{program} /dev/vdb; echo $?").splitlines()
        self.seen.check(checked[-1] == "0", f"{program}: {checked[-2]}", "\n".join(checked))
        self.seen.figure("power cuts survived", f"{self.survived} of {self.lab.count}")
        self.seen.figure("most sound lost, in seconds", against(PROMISE, EMULATOR, self.losses))
        self.seen.figure("with the time the board stood still", f"{self.most:.2f}")
        if self.survived == self.lab.count:
            shutil.rmtree(self.kept, ignore_errors=True)
        else:
            raise Trouble(f"{self.lab.count - self.survived} cuts were not survived")


def track_of(name):
    """Returns which track of its take a file has, counted from 0."""
    match = re.search(r" \((\d)\)\.\w+$", name)
    return int(match.group(1)) if match else 0

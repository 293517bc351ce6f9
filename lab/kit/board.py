# One emulated board: QEMU on a temporary copy of its disk, a port for running commands on it, a
# folder shared with it for large files, and QEMU's own control port. Everything here has a time
# limit; a timeout is a failure that shows the last lines of the board's console.

import json
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import time

from kit import network
from kit.standstill import Standstill

# For boards that hang: an emulator that shares its processors may be slow.
BOOT_SECONDS = 600
COMMAND_SECONDS = 120
# Larger files go through the folder: the port takes 4 KiB at a time, and waits after each.
SMALL_BYTES = 16384
SHARED = "/run/lab"
# By the architecture in a board's name: the emulator, and the kernel's arguments: the console, and
# on a PC to accept late timers, which are normal here.
MACHINES = {
    "amd64": (["qemu-system-x86_64"], "console=ttyS0 no_timer_check"),
    "arm64": (["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72"], "console=ttyAMA0"),
}


class Trouble(Exception):
    """A failure of the board itself, in one sentence."""


class Failed(Trouble):
    """A command on the board that ended with another status than 0."""


class Late(Exception):
    """The machine was too busy to do something in time: inconclusive; try it again."""


class Board:
    """The board of this name; boots from `made`, what make-board printed."""

    def __init__(self, name, made):
        self.made = made
        self.machine_words, self.kernel_words = MACHINES[name.split("-")[1]]
        self.folder = tempfile.mkdtemp(prefix="reel-lab-")
        self.disk = os.path.join(self.folder, "disk.qcow2")
        self.disk_cache = "writeback"
        self.extra = []  # further words for QEMU
        self.clock = "utc"  # as -rtc base= says it
        self.has_terminal = False  # this terminal is a console of the board's
        self.console = os.path.join(self.folder, "console.log")
        self.machine = None
        self.standstill = None  # once it is switched on
        self._shared = os.path.join(self.folder, "shared")
        self._port = None
        self._control = None
        self._boots = 0
        backing = os.path.join(made, "disk.qcow2")
        subprocess.run(
            ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", backing, self.disk],
            check=True)
        os.mkdir(self._shared)

    # Power

    def boot(self, limit=BOOT_SECONDS):
        """Switches it on and waits until it takes commands; returns the seconds that took."""
        began = time.monotonic()
        self._switch_on(began + limit)
        line = self._line(began + limit)
        while not line.startswith(b"READY"):
            line = self._line(began + limit)
        self._share()
        return time.monotonic() - began

    def save(self, path):
        """Saves its running state to a file from which any number of boards can go on."""
        self.run(f"umount {SHARED}")
        self._snapshot("snapshot-save")
        self.power_cut()
        os.rename(shutil.copyfile(self.disk, f"{path}.{os.getpid()}"), path)

    def resume(self, path):
        """Restores a saved state."""
        shutil.copyfile(path, self.disk)
        self._switch_on(time.monotonic() + COMMAND_SECONDS, ["-S"])
        self._snapshot("snapshot-load")
        self.control("cont")
        self._share()

    def _snapshot(self, what):
        """Saves or loads a snapshot of its memory and its own disk, without the card."""
        self.control(what, tag="ready", vmstate="disk", devices=["disk"], **{"job-id": "job"})
        until = time.monotonic() + COMMAND_SECONDS
        while (job := self.control("query-jobs")[0])["status"] != "concluded":
            if time.monotonic() > until:
                raise Trouble(f"QEMU does not end its {what}")
            time.sleep(0.2)
        if "error" in job:
            raise Trouble(f"QEMU refused {what}: {job['error']}")
        self.control("job-dismiss", id="job")

    def _share(self):
        self.run(f"modprobe 9pnet_virtio && mkdir -p {SHARED} && mount -t 9p"
                 f" -o trans=virtio,version=9p2000.L,msize=262144 lab {SHARED}")

    def _switch_on(self, until, words=()):
        self._boots += 1
        for name in ("hand", "control"):
            path = self._path(name)
            if os.path.exists(path):
                os.unlink(path)
        with open(self.console, "ab") as log:
            log.write(b"--- start %d ---\n" % self._boots)
        self.machine = subprocess.Popen(
            self.command_line() + list(words),
            stdin=None if self.has_terminal else subprocess.DEVNULL,
            stdout=None if self.has_terminal else self._log(), stderr=self._log(),
            start_new_session=not self.has_terminal)
        self._port = self._connect("hand", until)
        processors = self.control("query-cpus-fast")
        self.standstill = Standstill(
            self.machine.pid, [processor["thread-id"] for processor in processors])

    def command_line(self):
        words = self.machine_words + [
            "-nodefaults", "-accel", "tcg,thread=multi", "-smp", "2",
            "-m", "1024", "-display", "none", "-no-reboot", "-rtc", f"base={self.clock}",
            "-kernel", os.path.join(self.made, "vmlinuz"),
            "-initrd", os.path.join(self.made, "initrd.img"),
            "-append", f"{self.kernel_words} quiet panic=-1 net.ifnames=0",
            # Before any card: the first disk is the board's own.
            "-drive", f"file={self.disk},if=none,id=own,node-name=disk,format=qcow2,"
            f"cache={self.disk_cache}",
            "-device", "virtio-blk-pci,drive=own",
            "-chardev", f"file,id=console,path={self.console},append=on",
            "-serial", "chardev:console",
            "-device", "virtio-serial-pci", "-device", "virtio-rng-pci",
            "-chardev", f"socket,id=hand,path={self._path('hand')},server=on,wait=off",
            "-device", "virtserialport,chardev=hand,name=reel.lab",
            "-fsdev", f"local,id=shared,path={self._shared},security_model=none",
            "-device", "virtio-9p-pci,fsdev=shared,mount_tag=lab",
            "-qmp", f"unix:{self._path('control')},server=on,wait=off",
            "-device", "qemu-xhci,id=usb",
        ] + network.WORDS
        # Every board has a terminal, visible or not: a saved board needs the same machine to go on.
        terminal = "stdio,id=shell,signal=off" if self.has_terminal else "null,id=shell"
        words += ["-chardev", terminal, "-device", "virtconsole,chardev=shell"]
        return words + self.extra

    def power_cut(self):
        """Pulls the plug: the machine is off at once."""
        if self.machine and self.machine.poll() is None:
            self.machine.kill()
        if self.machine:
            self.machine.wait()
        self._hang_up()

    def power_off(self, limit=120):
        """Powers off in the orderly way; returns the seconds that took."""
        began = time.monotonic()
        self._ask("systemctl poweroff --no-block", 30, b"")
        try:
            self.machine.wait(limit)
        except subprocess.TimeoutExpired:
            raise Trouble(f"the board did not switch itself off in {limit} s{self.tail()}")
        self._hang_up()
        return time.monotonic() - began

    def close(self, keep=False):
        self.power_cut()
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)

    # Commands

    def run(self, command, seconds=COMMAND_SECONDS, given=b"", check=True):
        """Runs a command with a shell as root; returns its output without the last line end."""
        status, output = self._ask(command, seconds, given)
        text = output.decode("utf-8", "replace").rstrip("\n")
        if status == 124 and check:
            raise Failed(f"did not end in {seconds} s: {command}\n{text}{self.tail()}")
        if status != 0 and check:
            raise Failed(f"ended with status {status}: {command}\n{text}")
        return text

    def succeeds(self, command, seconds=COMMAND_SECONDS):
        return self._ask(command, seconds, b"")[0] == 0

    def push(self, data, path, mode="644"):
        """Makes a file of these bytes on the board."""
        at = shlex.quote(path)
        if len(data) > SMALL_BYTES:
            with open(os.path.join(self._shared, "file"), "wb") as target:
                target.write(data)
            self.run(f"mkdir -p $(dirname {at}) && install -m {mode} {SHARED}/file {at}")
            return
        self.run(f"mkdir -p $(dirname {at}) && cat > {at} && chmod {mode} {at}", given=data)

    def push_file(self, file, path, mode="644"):
        with open(file, "rb") as source:
            self.push(source.read(), path, mode)

    def pull(self, path):
        """Returns the bytes of a file on the board."""
        self.run(f"cp --no-preserve=all {shlex.quote(path)} {SHARED}/file")
        with open(os.path.join(self._shared, "file"), "rb") as source:
            return source.read()

    def pull_file(self, path, file):
        with open(file, "wb") as target:
            target.write(self.pull(path))
        return file

    def wait(self, command, seconds, what, every=0.5):
        """Waits until the command succeeds; returns the seconds that took."""
        began = time.monotonic()
        while not self.succeeds(command):
            if time.monotonic() - began > seconds:
                raise Trouble(f"not within {seconds} s: {what}")
            time.sleep(every)
        return time.monotonic() - began

    # QEMU's control port

    def control(self, execute, **arguments):
        """Runs a QMP command; returns its answer."""
        if self._control is None:
            port = self._connect("control", time.monotonic() + 10)
            # While QEMU loads a snapshot it does not answer.
            port.settimeout(COMMAND_SECONDS)
            self._control = port.makefile("rwb")
            self._control.readline()
            self._say({"execute": "qmp_capabilities"})
        return self._say({"execute": execute, "arguments": arguments})

    def _say(self, words):
        self._control.write(json.dumps(words).encode() + b"\n")
        self._control.flush()
        while True:
            answer = json.loads(self._control.readline())
            if "error" in answer:
                raise Trouble(f"QEMU refused {words}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    # Internals

    def tail(self, lines=25):
        try:
            with open(self.console, "rb") as log:
                last = log.read()[-20000:].decode("utf-8", "replace").splitlines()[-lines:]
        except OSError:
            last = []
        return "\nthe console's last lines:\n  " + "\n  ".join(last)

    def _log(self):
        return open(os.path.join(self.folder, "qemu.log"), "ab")

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _connect(self, name, until):
        while True:
            self._check_power()
            port = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                port.connect(self._path(name))
                port.settimeout(5)
                return port
            except OSError:
                port.close()
            if time.monotonic() > until:
                raise Trouble(f"QEMU did not open its port “{name}”")
            time.sleep(0.05)

    def _hang_up(self):
        for port in (self._port, self._control):
            if port:
                port.close()
        self._port = self._control = None

    def _check_power(self):
        if self.machine.poll() is not None:
            with open(os.path.join(self.folder, "qemu.log")) as log:
                words = log.read()[-2000:]
            raise Trouble(f"the board went off by itself{self.tail()}\n{words}")

    def _bytes(self, count, until):
        pieces = []
        while count > 0:
            try:
                piece = self._port.recv(min(count, 1 << 20))
            except socket.timeout:
                piece = None
            if piece == b"" or piece is None:
                self._check_power()
                if time.monotonic() > until:
                    raise Trouble(f"the board does not answer{self.tail()}")
                continue
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def _line(self, until):
        line = b""
        while not line.endswith(b"\n"):
            line += self._bytes(1, until)
        return line

    def _ask(self, command, seconds, given):
        words = command.encode()
        self._port.settimeout(seconds + 180)
        self._port.sendall(b"RUN %d %d %d\n" % (seconds, len(words), len(given)) + words + given)
        self._port.settimeout(5)
        until = time.monotonic() + seconds + 180
        head = self._line(until).split()
        while not head or head[0] != b"DID":
            head = self._line(until).split()
        return int(head[1]), self._bytes(int(head[2]), until)

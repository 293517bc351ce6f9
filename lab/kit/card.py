# The worst of memory cards, served to an emulated board over a socket (NBD): data that was not
# flushed is lost, in part and in any order, when the power is cut; it can stall, and it can fail.
# Its server is a thread of the lab's own process.

import os
import random
import socket
import struct
import subprocess
import threading
import time

REQUEST, REPLY, OPTION_REPLY = 0x25609513, 0x67446698, 0x3E889045565A9
READ, WRITE, LEAVE, FLUSH = 0, 1, 2, 3
HAS_FLAGS, SENDS_FLUSH = 1, 4
SECTOR = 512
EIO = 5
# How a card of each kind is made, and its mount options on the board; docs/card.md gives users the
# same options.
FAT_OPTIONS = "nofail,noatime,uid=reel,gid=reel,umask=0027"
KINDS = {
    "ext4": (["mkfs.ext4", "-q", "-L", "card"], "nofail,noatime"),
    "vfat": (["mkfs.vfat", "-F", "32", "-s", "8", "-n", "CARD"], FAT_OPTIONS + ",utf8"),
    "exfat": (["mkfs.exfat", "-L", "CARD"], FAT_OPTIONS),
}


class Card:
    def __init__(self, folder, megabytes, kind="ext4"):
        self.kind = kind
        self.path = os.path.join(folder, "card.img")
        self.socket_path = os.path.join(folder, "card")
        self._size = megabytes << 20
        self._random = random.Random()
        self._pending = {}  # by sector; unflushed data that a power cut may lose
        self._pending_order = []  # the writes, as they came: lists of sectors
        self._lock = threading.Lock()
        self._goes = threading.Event()
        self._goes.set()
        self._fails = False
        self._is_cut = False
        self._cut_in = None  # writes and flushes until the power is cut
        self._cut = threading.Event()
        self.cut_at = 0.0
        self.lost = 0
        self.flushed_at = 0.0
        self.flushes = 0
        self.written_bytes = 0
        subprocess.run(["truncate", "-s", str(self._size), self.path], check=True)
        program, *words = KINDS[kind][0]
        subprocess.run(["/sbin/" + program, *words, self.path], check=True,
                       stdout=subprocess.DEVNULL)
        self._file = open(self.path, "r+b", buffering=0)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(self.socket_path)
        listener.listen(1)
        threading.Thread(target=self._serve, args=(listener,), daemon=True).start()

    def words(self):
        """Returns QEMU's arguments for the card."""
        return ["-blockdev", "driver=nbd,node-name=card,server.type=unix,"
                f"server.path={self.socket_path},export=card",
                "-device", "virtio-blk-pci,drive=card"]

    def fstab(self, directory):
        """Returns its line in fstab. The system does not check FAT, as in most people's fstab:
        Reel's own check must suffice. Reel does not check ext4, so there the system does."""
        return f"/dev/vdb {directory} {self.kind} {KINDS[self.kind][1]} 0 {2 * (self.kind == 'ext4')}"

    # Faults

    def stall(self):
        """Answers nothing from now on."""
        self._goes.clear()

    def go_on(self):
        self._goes.set()

    def fail(self, fails=True):
        """Every write ends in an error."""
        self._fails = fails

    def wait_dirty(self, seconds=5):
        """Waits until it holds unflushed data, or the time is over."""
        until = time.monotonic() + seconds
        while not self._pending and time.monotonic() < until:
            time.sleep(0.001)

    def lose_power(self):
        """Cuts the power: of the writes since the last flush, some happened and some did not, and
        the last few sectors of one may be torn off. Returns how many sectors were lost."""
        with self._lock:
            lost = self._lose()
        self._goes.set()
        return lost

    def _lose(self):
        lost = 0
        for sectors in self._pending_order:
            kept = len(sectors) if self._random.random() < 0.5 else 0
            if self._random.random() < 0.1:
                kept = self._random.randrange(len(sectors) + 1)
            lost += len(sectors) - kept
            for sector, data in sectors[:kept]:
                self._put(sector, data)
        self._pending.clear()
        self._pending_order.clear()
        return lost

    # The power of the card alone. It is cut while the board runs on: requests stay unanswered until
    # `refuse`, so that the board cannot notice the cut any earlier than with its own power.

    def cut_in(self, operations):
        """Cuts the power just before the given write or flush, counted from now."""
        with self._lock:
            self._cut_in = operations

    def wait_cut(self, seconds):
        """Waits for that cut, or cuts now if the time is over; returns whether it had happened."""
        had = self._cut.wait(seconds)
        with self._lock:
            if not self._is_cut:
                self._cut_now()
        return had

    def _cut_now(self):
        self.cut_at = time.monotonic()
        self.lost = self._lose()
        self._cut_in = None
        self._is_cut = True
        self._goes.clear()
        self._cut.set()

    def refuse(self):
        """Without power: answers every pending and new request with an error."""
        self._goes.set()

    def power_on(self):
        with self._lock:
            self._is_cut = False
            self._cut.clear()

    def table(self):
        """Returns the place and bytes of a FAT32 card's table of clusters, both copies."""
        with self._lock:
            head = self._read(0, SECTOR)
            reserved, copies = struct.unpack_from("<HB", head, 14)
            sectors, = struct.unpack_from("<I", head, 36)
            return reserved * SECTOR, self._read(reserved * SECTOR, copies * sectors * SECTOR)

    def put_table(self, table):
        """Restores an old table: files made since have names without clusters. The board must not
        have it mounted."""
        with self._lock:
            self._write(*table)
            self._flush()

    def image(self, path):
        """Makes a copy of its content."""
        with self._lock:
            subprocess.run(["cp", "--sparse=always", self.path, path], check=True)

    # The server

    def _serve(self, listener):
        while True:
            peer, _ = listener.accept()
            try:
                self._greet(peer)
                while self._answer(peer):
                    pass
            except (OSError, EOFError):
                pass  # the machine is off
            peer.close()

    def _greet(self, peer):
        peer.sendall(b"NBDMAGICIHAVEOPT" + struct.pack(">H", 3))
        _take(peer, 4)
        while True:
            _, option, length = struct.unpack(">QII", _take(peer, 16))
            _take(peer, length)
            if option == 7:  # go
                facts = struct.pack(">HQH", 0, self._size, HAS_FLAGS | SENDS_FLUSH)
                _tell(peer, option, 3, facts)
                _tell(peer, option, 1, b"")
                return
            _tell(peer, option, 0x80000001, b"")

    def _answer(self, peer):
        magic, _, kind, handle, offset, length = struct.unpack(
            ">IHHQQI", _take(peer, 28))
        data = _take(peer, length) if kind == WRITE else b""
        if magic != REQUEST or kind == LEAVE:
            return False
        self._goes.wait()
        error, answer = self._do(kind, offset, length, data)
        peer.sendall(struct.pack(">IIQ", REPLY, error, handle) + answer)
        return True

    def _do(self, kind, offset, length, data):
        with self._lock:
            if self._cut_in is not None and kind in (WRITE, FLUSH):
                self._cut_in -= 1
                if self._cut_in <= 0:
                    self._cut_now()
            is_cut = self._is_cut
        if is_cut:
            self._goes.wait()
            return EIO, b""
        with self._lock:
            if kind == READ:
                return 0, self._read(offset, length)
            if self._fails:
                return EIO, b""
            if kind == WRITE:
                self._write(offset, data)
            if kind == FLUSH:
                self._flush()
        return 0, b""

    def _read(self, offset, length):
        self._file.seek(offset)
        data = bytearray(self._file.read(length))
        if self._pending:
            for at in range(0, length, SECTOR):
                newer = self._pending.get((offset + at) // SECTOR)
                if newer is not None:
                    data[at:at + SECTOR] = newer
        return bytes(data)

    def _write(self, offset, data):
        sectors = [
            ((offset + at) // SECTOR, data[at:at + SECTOR]) for at in range(0, len(data), SECTOR)]
        self._pending.update(sectors)
        self._pending_order.append(sectors)
        self.written_bytes += len(data)

    def _flush(self):
        self.flushes += 1
        self.flushed_at = time.monotonic()
        for sector, data in self._pending.items():
            self._put(sector, data)
        self._pending.clear()
        self._pending_order.clear()

    def _put(self, sector, data):
        self._file.seek(sector * SECTOR)
        self._file.write(data)


def _take(peer, count):
    data = bytearray()
    while len(data) < count:
        piece = peer.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


def _tell(peer, option, kind, data):
    peer.sendall(struct.pack(">QIII", OPTION_REPLY, option, kind, len(data)) + data)

# The USB cable between a board and a laptop: both ends are in one kernel, the board's as
# /dev/ttyGS0, the laptop's as /dev/ttyACM0.

import time

BOARD, LAPTOP = "/dev/ttyGS0", "/dev/ttyACM0"


class Gadget:
    def __init__(self, board):
        self.board = board

    def plug_in(self):
        self.board.run("modprobe dummy_hcd && modprobe g_serial && udevadm settle")
        self.board.wait(f"[ -c {BOARD} ] && [ -c {LAPTOP} ]", 30, "both ends of the cable")
        self._set_up()

    def pull(self):
        self.board.run("echo disconnect > /sys/class/udc/dummy_udc.0/soft_connect")
        self.board.wait(f"[ ! -e {LAPTOP} ]", 20, "the laptop's end to go")

    def return_it(self):
        self.board.run("echo connect > /sys/class/udc/dummy_udc.0/soft_connect")
        self.board.wait(f"[ -c {LAPTOP} ]", 20, "the laptop's end")
        self._set_up()

    def _set_up(self):
        self.board.run(f"stty -F {LAPTOP} raw -echo 115200")

    def listen(self):
        """From now on what the board sends is read."""
        self.board.run(
            "systemctl stop laptop 2>/dev/null; rm -f /run/laptop; systemd-run --quiet --collect"
            f" --unit=laptop sh -c 'cat {LAPTOP} > /run/laptop'; sleep 0.5")

    def say(self, text):
        self.board.run(f"timeout 10 sh -c 'cat > {LAPTOP}'", given=text.encode())

    def heard(self):
        return self.board.run("cat /run/laptop 2>/dev/null; true")

    def wait_heard(self, word, seconds=20):
        """What came until the word was in it, or until the time was over."""
        until = time.monotonic() + seconds
        while word not in self.heard() and time.monotonic() < until:
            time.sleep(0.5)
        return self.heard()

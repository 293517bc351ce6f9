# The USB cable between a board and a laptop: both ends are in the board's kernel, the board's as
# /dev/ttyGS0, the laptop's as /dev/ttyACM0.

import time

BOARD, LAPTOP = "/dev/ttyGS0", "/dev/ttyACM0"
MADE = "/sys/kernel/config/usb_gadget/lab"


class Gadget:
    def __init__(self, board):
        self.board = board

    def plug_in(self):
        self.board.run(
            "set -e; modprobe -a dummy_hcd configfs libcomposite\n"
            "mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config\n"
            f"mkdir {MADE}; cd {MADE}; echo 0x1d6b > idVendor; echo 0x0104 > idProduct\n"
            "mkdir functions/acm.0 configs/c.1; ln -s functions/acm.0 configs/c.1/")
        self.return_it()

    def pull(self):
        self.board.run(f"echo > {MADE}/UDC")
        self.board.wait(f"[ ! -e {LAPTOP} ]", 20, "the laptop's end to go")

    def return_it(self):
        self.board.run(f"echo dummy_udc.0 > {MADE}/UDC && udevadm settle")
        self.board.wait(f"[ -c {BOARD} ] && [ -c {LAPTOP} ]", 30, "both ends of the cable")
        self._set_up()

    def _set_up(self):
        self.board.run(f"stty -F {LAPTOP} raw -echo 115200")

    def listen(self):
        """Reads what the board sends from now on."""
        self.board.run(
            "systemctl stop laptop 2>/dev/null; rm -f /run/laptop; systemd-run --quiet --collect"
            f" --unit=laptop sh -c 'cat {LAPTOP} > /run/laptop'; sleep 0.5")

    def say(self, text):
        self.board.run(f"timeout 10 sh -c 'cat > {LAPTOP}'", given=text.encode())

    def heard(self):
        return self.board.run("cat /run/laptop 2>/dev/null; true")

    def wait_heard(self, word, seconds=20):
        """Returns the bytes received up to the word, or until the time was over."""
        until = time.monotonic() + seconds
        while word not in self.heard() and time.monotonic() < until:
            time.sleep(0.5)
        return self.heard()

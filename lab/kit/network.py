# The network of an emulated board: a network card behind which only this machine is. The board has
# no route to anything else, so that nothing of it leaves this machine.

import socket
import time

# What QEMU's own network gives the one machine in it.
OWN = "10.0.2.15"
# This machine's loopback, as the board reaches it.
HOST = "10.0.2.2"
# Words for QEMU. Every board has the card, used or not: a saved board needs the same machine to go on.
WORDS = ["-netdev", "user,id=net,ipv6=off", "-device", "virtio-net-pci,netdev=net,romfile="]


class Network:
    def __init__(self, board):
        self.board = board

    def attach(self):
        """Gives the board its address, and the time: a saved board's clock has stood still, and
        certificates made since are not valid yet by it."""
        self.board.run("modprobe virtio_net; udevadm settle; ip link set eth0 up && "
                       f"ip address replace {OWN}/24 dev eth0 && date -s @{int(time.time())}")

    def forward(self, port):
        """Returns the port of this machine's loopback that leads to this port of the board."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            own = free.getsockname()[1]
        said = self.board.control(
            "human-monitor-command",
            **{"command-line": f"hostfwd_add net tcp:127.0.0.1:{own}-{OWN}:{port}"})
        if said.strip():
            raise OSError(f"QEMU does not forward a port: {said.strip()}")
        return own

# How long an emulated board stood still because its host was busy. A processor of the board is a
# thread of QEMU, and the host's kernel counts how long that thread was ready and did not run: the
# board's clock went on, and its programs did not. Samples that count; runs beside the scenario in a
# thread of its own, until the board is switched off.

import collections
import threading
import time

EVERY = 0.02
KEPT_SECONDS = 300


class Standstill:
    """`threads`: the ids of QEMU's threads that are the board's processors."""

    def __init__(self, process, threads):
        self._paths = [f"/proc/{process}/task/{thread}/schedstat" for thread in threads]
        # When, and how long each processor had waited by then, in seconds.
        self._samples = collections.deque(maxlen=int(KEPT_SECONDS / EVERY))
        threading.Thread(target=self._watch, daemon=True).start()

    def within(self, since, until):
        """Returns the standstill between two moments of the host's monotonic clock, in seconds:
        that of the processor that waited longest. Only what lies wholly between them counts."""
        inside = [waited for at, waited in list(self._samples) if since <= at <= until]
        if len(inside) < 2:
            return 0.0
        return max(last - first for first, last in zip(inside[0], inside[-1]))

    def _watch(self):
        try:
            while True:
                self._samples.append((time.monotonic(), [_waited(path) for path in self._paths]))
                time.sleep(EVERY)
        except OSError:
            pass  # the board is off


def _waited(path):
    with open(path) as counters:
        return int(counters.read().split()[1]) / 1e9

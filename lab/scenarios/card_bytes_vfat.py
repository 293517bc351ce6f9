# The cost of a change for a card with vfat.

from scenarios import _bytes

ABOUT = "vfat: " + _bytes.ABOUT
COUNT = _bytes.COUNT


def run(lab):
    _bytes.run_on(lab, "vfat")

# The cost of a change for a card with ext4.

from scenarios import _bytes

ABOUT = "ext4: " + _bytes.ABOUT
COUNT = _bytes.COUNT


def run(lab):
    _bytes.run_on(lab, "ext4")

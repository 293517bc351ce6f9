# The card's power is cut at random moments, on a card with ext4.

from scenarios import _cuts

ABOUT = "the card's power goes, ext4: " + _cuts.PHASES
COUNT = _cuts.COUNT


def run(lab):
    _cuts.run_on(lab, "ext4")

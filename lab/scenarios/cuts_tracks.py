# The card's power is cut at random moments, while takes have four tracks, each a file.

from scenarios import _cuts

ABOUT = "the card's power goes, takes of four tracks: " + _cuts.PHASES
COUNT = (50, 7, "cuts")
TRACKS = [
    {"name": "voice", "channels": [1]},
    {"name": "room", "channels": [2], "format": "flac", "level": 0},
    {"name": "both", "channels": [1, 2], "format": "flac", "bits": 24, "level": 0},
    {"name": "low", "channels": [1], "format": "flac", "level": 0, "gain": "-6 dB"},
]


def run(lab):
    _cuts.run_on(lab, "ext4", TRACKS)

# Places on this machine: the project, the lab, and the cache.

import os

LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROJECT = os.path.dirname(LAB)


def cache():
    xdg = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(os.environ.get("REEL_CACHE") or os.path.join(xdg, "reel"), "lab")

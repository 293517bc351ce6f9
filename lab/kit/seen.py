# What a scenario saw, one line for each thing, and whether all was as it should be.

import time


class Stop(Exception):
    """Nothing that would follow makes sense."""


class Seen:
    def __init__(self, say=print):
        self.failures = 0
        self.facts = 0
        self._figures = []
        self._say = say
        self._began = time.monotonic()

    def note(self, text):
        self._say(f"  {self._stamp()}       {text}", flush=True)

    def check(self, holds, text, why=""):
        """A fact that has to hold; returns whether it does. `why`: what to show if it does not, or
        what tells that, which is not asked for nothing."""
        self.facts += 1
        if not holds:
            self.failures += 1
        self._say(f"  {self._stamp()} {'ok  ' if holds else 'FAIL'}  {text}", flush=True)
        if not holds and callable(why):
            why = why()
        if not holds and why:
            for line in str(why).splitlines():
                self._say(f"                 | {line}", flush=True)
        return bool(holds)

    def figure(self, what, figure):
        """A number that is kept for the page of proofs."""
        self.note(f"{what}: {figure}")
        self._figures.append(f"{what}={figure}")

    def all_figures(self):
        held = f"{self.facts - self.failures} of {self.facts}"
        return [f"as it should be={held}"] + self._figures

    def need(self, holds, text, why=""):
        """A fact without which nothing that follows makes sense."""
        if not self.check(holds, text, why):
            raise Stop()

    def _stamp(self):
        return f"{time.monotonic() - self._began:6.1f} s"

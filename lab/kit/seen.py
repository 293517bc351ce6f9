# The report of a scenario: one line for each fact, and whether it held.

import time


class Stop(Exception):
    """Ends a scenario: nothing after this would make sense."""


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
        """Checks a fact; returns whether it holds. `why`: what to show if it does not, or a
        function that returns that, called only then."""
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
        """Notes a figure for the page of proofs."""
        self.note(f"{what}: {figure}")
        self._figures.append(f"{what}={figure}")

    def all_figures(self):
        held = f"{self.facts - self.failures} of {self.facts}"
        return [f"as it should be={held}"] + self._figures

    def need(self, holds, text, why=""):
        """Checks a fact without which nothing after it makes sense."""
        if not self.check(holds, text, why):
            raise Stop()

    def _stamp(self):
        return f"{time.monotonic() - self._began:6.1f} s"


def against(promise, slack, losses):
    """Returns the losses for the page of proofs, beside the promise and the lab's tolerance
    because an emulated board is slow. `losses`: without the time that the board stood still."""
    most, beyond = max(losses, default=0), sum(loss > promise for loss in losses)
    text = f"{most:.2f} (of {len(losses)} takes; promised {promise} at most"
    if beyond:
        text += f"; {beyond} lost more: an emulated board is let pass {slack} more"
    return text + ")"

#!/usr/bin/python3
# What the scripts that use the recorder's page in a browser have in common: a virtual recorder with
# reel-web in a directory of its own, waiting for what must happen, and running checks one by one.
# It is imported by scripts/check-browser and scripts/check-firefox, and does nothing by itself.

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

BUILD = os.environ.get("REEL_BUILD", ".build/debug")

# Counts what sounds, and lets long waits of the page be short.
SPY = """
  window.heard = {pieces: 0, peak: 0, ends: 0};
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...words) {
    heard.pieces += 1;
    for (const sample of this.buffer.getChannelData(0)) heard.peak = Math.max(heard.peak, sample);
    return start.apply(this, words);
  };
  const close = AudioContext.prototype.close;
  AudioContext.prototype.close = function () { heard.ends += 1; return close.apply(this); };
  const wait = window.setTimeout;
  window.setTimeout = (act, time, ...words) => wait(act, time > 60000 ? 100 : time, ...words);
"""


class Wrong(Exception):
    """A check failed."""


def until(what, condition, seconds=15, redrawn=()):
    """Waits for a condition, and returns its value.

    redrawn: what a condition raises when the page has drawn an element anew; it is asked again.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            value = condition()
        except redrawn:
            value = None
        if value:
            return value
        if time.monotonic() > end:
            raise Wrong(f"never happened: {what}")
        time.sleep(0.05)


class Rig:
    """A recorder with its page, in a directory of its own; by HTTPS with a certificate that only a
    browser accepts which knows its key."""

    def __init__(self, is_secure=False):
        self.folder = tempfile.mkdtemp(prefix="reel-browser-")
        self.root = self.folder + "/root"
        self.socket = self.root + "/run/control.sock"
        self.admin = self.folder + "/admin.sock"
        os.mkdir(self.folder + "/web")
        os.makedirs(self.root + "/etc")
        with open(self.root + "/etc/reel.json", "w", encoding="utf-8") as file:
            file.write('{ seek: "7 s" }')
        self.start_recorder()
        options = self.make_certificate() if is_secure else []
        self.web = self.start("reel-web", *options, "--listen", "127.0.0.1:0", "--socket", self.socket,
                              "--state", self.folder + "/web", "--admin", self.admin,
                              "--page", "Sources/Web/page")
        until("the server", lambda: os.path.exists(self.admin), 60)
        self.port = json.loads(self.ctl("web", "on", "--json"))["port"]
        self.base = f"http{'s' if is_secure else ''}://127.0.0.1:{self.port}/"

    def make_certificate(self):
        certificate, key = self.folder + "/certificate.pem", self.folder + "/key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-days", "90", "-subj", "/CN=recorder", "-addext",
             "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, stderr=subprocess.DEVNULL)
        return ["--certificate", certificate, "--key", key]

    def start(self, program, *words):
        log = open(f"{self.folder}/{program}.log", "ab")
        return subprocess.Popen([f"{BUILD}/{program}", *words], stdin=subprocess.DEVNULL,
                                stdout=log, stderr=log)

    def start_recorder(self):
        self.recorder = self.start("reeld", "--virtual", "--headless", "--root", self.root)
        until("the recorder", lambda: "Ready" in self.ctl("status"), 60)

    def ctl(self, *words):
        environment = dict(os.environ, REEL_SOCKET=self.socket, REEL_WEB_SOCKET=self.admin)
        return subprocess.run([f"{BUILD}/reelctl", *words], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              encoding="utf-8").stdout

    def record(self, title, seconds=1.0, mark=None):
        self.ctl("record", title)
        if mark:
            time.sleep(seconds / 2)
            self.ctl("mark", mark)
        time.sleep(seconds)
        self.ctl("stop")

    def code(self, role):
        return json.loads(self.ctl("web", "pair", "--role", role, "--json"))["code"]

    def end(self):
        for process in (self.web, self.recorder):
            process.terminate()
            process.wait(20)
        shutil.rmtree(self.folder)


def build_missing():
    for product in ("reeld", "reelctl", "reel-web"):
        if not os.path.exists(f"{BUILD}/{product}"):
            subprocess.run(["swift", "build", "--product", product], check=True)


def run_checks(checks, use=lambda check, rig: check(rig)):
    """Runs those that the command line names, or all. Returns whether all hold."""
    named = [word for word in sys.argv[1:] if not word.startswith("--")]
    holds = True
    for check in checks:
        if named and check.__name__ not in named:
            continue
        began, rig = time.monotonic(), Rig()
        try:
            use(check, rig)
            print(f"ok    {check.__name__} ({time.monotonic() - began:.0f} s)", flush=True)
        except Wrong as wrong:
            holds = False
            print(f"WRONG {check.__name__}: {wrong}", flush=True)
        finally:
            rig.end()
    return holds

#!/usr/bin/python3
# Starts Debian's Firefox without a window, in a profile of its own, and steers it by Marionette,
# the protocol that Firefox speaks itself: Debian has no geckodriver. It tells what the page asked
# for and what was logged, and it hears what sounds. It is imported by scripts/check-firefox.
# Whatever Firefox wants of other machines goes to a proxy that does not exist.

import array
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from browser_rig import Wrong, until

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER, TAB, HOME, DOWN = "\ue007", "\ue004", "\ue011", "\ue015"
F2, DELETE, SHIFT, BACKSPACE = "\ue032", "\ue017", "\ue008", "\ue003"
PREFERENCES = {
    "marionette.port": 0, "network.proxy.type": 1, "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9, "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1", "network.proxy.allow_hijacking_localhost": False,
    "app.normandy.enabled": False, "app.update.auto": False,
    "app.shield.optoutstudies.enabled": False,
    "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False, "datareporting.usage.uploadEnabled": False,
    "toolkit.telemetry.enabled": False, "toolkit.telemetry.server": "",
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "browser.shell.checkDefaultBrowser": False, "browser.aboutwelcome.enabled": False,
    "browser.download.folderList": 2, "browser.download.alwaysOpenPanel": False,
    "media.autoplay.default": 0, "media.gmp-manager.updateEnabled": False,
    "media.gmp-manager.url": "", "extensions.update.enabled": False,
    "extensions.getAddons.cache.enabled": False, "services.settings.server": "",
    # So little is kept of a sound that Firefox has to ask for its parts.
    "media.memory_cache_max_size": 0, "media.cache_size": 64, "media.cache_readahead_limit": 1,
    "media.cache_resume_threshold": 1,
}
# Keeps what a page asks for, and what the recorder's server answers.
WATCH = """
  window.reelSeen = [];
  const keep = {observe(channel, topic) {
    channel.QueryInterface(Ci.nsIHttpChannel);
    const [one, isAnswer] = [{url: channel.URI.spec}, topic !== 'http-on-modify-request'];
    one.isPage = !channel.loadInfo.triggeringPrincipal.isSystemPrincipal;
    one.status = isAnswer ? channel.responseStatus : 0;
    try { one.range = channel.getRequestHeader('Range'); } catch { one.range = ''; }
    try { one.part = isAnswer ? channel.getResponseHeader('Content-Range') : ''; } catch {}
    window.reelSeen.push(one);
  }};
  for (const topic of ['http-on-modify-request', 'http-on-examine-response'])
    Services.obs.addObserver(keep, topic);
"""
# What the page logged as an error, and each violation of its Content-Security-Policy.
LOGGED = """
  const errors = Services.console.getMessageArray().filter((one) =>
    one instanceof Ci.nsIScriptError && (one.category.startsWith('CSP') ||
      (one.sourceName.startsWith('http') && !(one.flags & Ci.nsIScriptError.warningFlag)))
  ).map((one) => `${one.category}: ${one.errorMessage}`);
  Services.console.reset();
  return errors;
"""


class Redrawn(Wrong):
    """The page has drawn an element anew, or something lies before it."""


class Firefox:
    """A Firefox, and the connection to it."""

    def __init__(self, ear):
        self.folder = tempfile.mkdtemp(prefix="reel-firefox-")
        self.downloads = self.folder + "/downloads"
        words = dict(PREFERENCES, **{"browser.download.dir": self.downloads})
        with open(self.folder + "/user.js", "w", encoding="utf-8") as file:
            file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                            for name, value in words.items())
        environment = dict(os.environ, HOME=self.folder, LC_ALL="C.UTF-8", **ear.environment)
        self.log = open(self.folder + "/log", "wb")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--marionette",
             "--remote-allow-system-access", "--profile", self.folder],
            env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        try:
            self.connect()
        except Wrong:
            self.end()
            raise

    def connect(self):
        port = until("the port of Firefox", self.port, 120)
        self.line = socket.create_connection(("127.0.0.1", port), 300)
        self.stream, self.number = self.line.makefile("rb"), 0
        self.receive()
        self.do("WebDriver:NewSession", capabilities={})
        self.do("WebDriver:SetWindowRect", width=1400, height=1000)
        self.chrome(WATCH)

    def port(self):
        if self.process.poll() is not None:
            raise Wrong("Firefox ended before it listened")
        try:
            with open(self.folder + "/MarionetteActivePort", encoding="ascii") as file:
                return int(file.read() or 0)
        except FileNotFoundError:
            return 0

    # The protocol: a length, a colon, and JSON.

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            byte = self.stream.read(1)
            if not byte:
                raise Wrong("Firefox has ended")
            length += byte
        return json.loads(self.stream.read(int(length[:-1])))

    def do(self, command, **words):
        self.number += 1
        text = json.dumps([0, self.number, command, words]).encode()
        self.line.sendall(b"%d:%s" % (len(text), text))
        _, _, error, answer = self.receive()
        if not error:
            return answer.get("value") if isinstance(answer, dict) else answer
        again = ("stale element reference", "element click intercepted", "no such element",
                 "element not interactable")
        raise (Redrawn if error["error"] in again else Wrong)(
            f"{command}: {error['error']}: {error['message']}")

    def js(self, script, *words):
        return self.do("WebDriver:ExecuteScript", script=script, args=words)

    def chrome(self, script, *words):
        """Runs a script in Firefox itself, beside the page."""
        self.do("Marionette:SetContext", value="chrome")
        try:
            return self.js(script, *words)
        finally:
            self.do("Marionette:SetContext", value="content")

    def seen(self):
        return self.chrome("return window.reelSeen")

    def logged(self):
        return self.chrome(LOGGED)

    def forget(self):
        self.do("WebDriver:Navigate", url="about:blank")
        self.chrome("Services.cookies.removeAll(); window.reelSeen.length = 0")
        self.chrome(LOGGED)

    def size(self, width, height):
        """Makes the page's place so large: a window of Firefox itself cannot be that narrow."""
        self.chrome("""
          for (const [name, value] of [['width', arguments[0]], ['height', arguments[1]]])
            for (const bound of ['min-', 'max-'])
              gBrowser.selectedBrowser.style.setProperty(bound + name, value + 'px');
        """, width, height)
        until(f"a page of {width} px", lambda: self.js("return innerWidth") == width, 60)

    def end(self):
        if hasattr(self, "number") and self.process.poll() is None:
            self.do("Marionette:Quit", flags=["eForceQuit"])
        else:
            self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)


class Ear:
    """A sound device for Firefox, and what comes out of it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="reel-sound-")
        subprocess.run(["Tests/support/paced-device", "start", self.folder], check=True)
        server = f"unix:{self.folder}/native"
        self.environment = {"PULSE_SERVER": server, "PULSE_SINK": "vspk"}
        self.recorder = subprocess.Popen(
            ["parec", f"--server={server}", "--device=vspk.monitor", "--raw", "--channels=1",
             "--format=s16le", "--rate=48000", "--latency-msec=50"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.peak = 0.0
        self.thread = threading.Thread(target=self.follow)
        self.thread.start()

    def follow(self):
        while piece := self.recorder.stdout.read(4800):
            samples = array.array("h", piece[:len(piece) & ~1])
            self.peak = max(self.peak, max(samples) / 32768)

    def hears(self, what):
        """Waits until it is heard now."""
        self.peak = 0.0
        until(f"{what} that can be heard", lambda: self.peak > 0.05, 60)

    def hears_nothing(self, what):
        """Waits until half a second in a row is silent."""
        def silence():
            self.peak = 0.0
            # Silence takes time: there is no event to wait for.
            time.sleep(0.5)
            return self.peak < 0.001
        until(f"silence after {what}", silence, 60)

    def end(self):
        self.recorder.terminate()
        self.recorder.wait(20)
        self.thread.join()
        subprocess.run(["Tests/support/paced-device", "stop", self.folder], check=True)
        shutil.rmtree(self.folder)

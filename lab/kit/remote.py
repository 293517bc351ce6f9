# What the board talks to over its network, on this machine: certificates, and the server of WebDAV
# and S3 that lies when it is told to, as in Tests/LinkTests.

import json
import os
import ssl
import subprocess
import urllib.request

from kit import places


def certificate(folder, name, address, days=90):
    """Returns the files of a new certificate for this address, and of its key."""
    files = [os.path.join(folder, f"{name}-{part}.pem") for part in ("certificate", "key")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", str(days), "-subj", "/CN=lab", "-addext",
         f"subjectAltName=IP:{address}", "-keyout", files[1], "-out", files[0]],
        check=True, stderr=subprocess.DEVNULL)
    return files


class Liar:
    """The server; `files`: its certificate and key."""

    def __init__(self, files):
        self._process = subprocess.Popen(
            ["python3", os.path.join(places.PROJECT, "Tests", "LinkTests", "servers", "liar.py"),
             *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self._process.stdout.readline())
        # Its certificate is for the board's side.
        self._context = ssl.create_default_context(cafile=files[0])
        self._context.check_hostname = False

    def lie(self, share):
        """From now on it answers this share of what is asked below "mixed" with a lie."""
        self._ask("PUT", f"/share/{share}")

    def sums(self):
        """Returns the hashes of what it has, by their names, and how often it lied."""
        kept = json.loads(self._ask("GET", "/sums"))
        return kept["files"], sum(kept["lies"].values())

    def _ask(self, method, path):
        request = urllib.request.Request(f"https://127.0.0.1:{self.port}{path}", method=method)
        with urllib.request.urlopen(request, context=self._context, timeout=60) as answer:
            return answer.read()

    def end(self):
        self._process.kill()
        self._process.wait()

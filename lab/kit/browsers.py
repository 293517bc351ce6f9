# Browsers of the recorder's page, on this machine: they reach the board by its network. One asks and
# reads an answer; many listen and download at once, in a thread of their own, until they are ended.

import asyncio
import hashlib
import http.client
import json
import ssl
import threading

# The page lets a session listen four times, and an address have 60 connections.
STREAMS_OF_SESSION = 4
LIMIT_SECONDS = 60


class Page:
    """The page at this port of this machine; by HTTPS if there is a file of certificates that
    vouch for it."""

    def __init__(self, port, authority=None):
        self.port = port
        self.secure = authority and ssl.create_default_context(cafile=authority)
        scheme = "https" if authority else "http"
        self.origin = f"{scheme}://127.0.0.1:{port}"

    def ask(self, path, session="", body=None):
        """Returns the answer's status, its headers and its bytes."""
        if self.secure:
            line = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.secure,
                                               timeout=LIMIT_SECONDS)
        else:
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_SECONDS)
        headers = {"Cookie": session, "Origin": self.origin, "Content-Type": "application/json"}
        line.request("GET" if body is None else "POST", path,
                     None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        line.close()
        return found

    def pair(self, code):
        """Returns the cookie of a new session, and all that was said of it."""
        status, headers, body = self.ask("/api/pair", body={"code": code, "name": "lab"})
        if status != 200:
            raise OSError(f"not paired: {status} {body}")
        return headers["Set-Cookie"].split(";")[0], headers["Set-Cookie"]


class Crowd:
    """Listeners, and browsers that download the same file again and again."""

    def __init__(self, page, sessions, listeners, downloads, path):
        self.heard = [0] * listeners
        self.pieces = set()  # the digests of what was downloaded
        self.downloads = 0
        self.troubles = []
        self._page = page
        self._tasks = [
            (self._listen, sessions[index // STREAMS_OF_SESSION], index)
            for index in range(listeners)
        ] + [(self._download, sessions[index % len(sessions)], path) for index in range(downloads)]
        self._over = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self._thread.start()

    def end(self):
        self._over.set()
        self._thread.join()

    async def _run(self):
        tasks = [asyncio.create_task(self._guarded(*task)) for task in self._tasks]
        while not self._over.is_set():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _guarded(self, work, *words):
        try:
            await work(*words)
        except (OSError, EOFError, ValueError) as trouble:
            if not self._over.is_set():
                self.troubles.append(f"{work.__name__}: {trouble!r}")

    async def _open(self, path, session):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self._page.port, ssl=self._page.secure or None, limit=1 << 20)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._page.port}\r\n"
                     f"Cookie: {session}\r\nConnection: close\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if not head.startswith("http/1.1 200"):
            raise OSError(f"{path}: {head.splitlines()[0]}")
        return reader, writer, head

    async def _listen(self, session, index):
        """Counts the bytes of sound, with the few that frame its chunks."""
        # A writer that nothing refers to closes its connection.
        reader, writer, _ = await self._open("/api/live", session)
        while piece := await reader.read(1 << 16):
            self.heard[index] += len(piece)
        writer.close()
        raise OSError("the stream has ended")

    async def _download(self, session, path):
        while True:
            reader, writer, head = await self._open(path, session)
            length = next(int(line.split(":")[1]) for line in head.splitlines()
                          if line.startswith("content-length"))
            self.pieces.add(hashlib.sha256(await reader.readexactly(length)).hexdigest())
            self.downloads += 1
            writer.close()

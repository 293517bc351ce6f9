#!/usr/bin/env python3
"""A server that lies: WebDAV and S3 in memory, with one fault for each first part of a path.
With a certificate and
its key as arguments it speaks TLS. It prints its port, and serves until its standard input ends. For tests, on loopback only."""
import base64
import hashlib
import hmac
import os
import socket
import ssl
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FILES = {}
LOCK = threading.Lock()
COUNTS = {}
ACCESS, SECRET = "reel", "open sesame"
PIECE = b"x" * 65536


class Liar(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    # The fault is the first part of the path.
    def fault(self):
        return self.path.split("/")[1]

    def handle_any(self):
        fault = self.fault()
        with LOCK:
            key = (self.command, fault)
            COUNTS[key] = COUNTS.get(key, 0) + 1
            self.turn = COUNTS[key]
        if fault == "count":
            text = repr(sorted((a, b, c) for (a, b), c in COUNTS.items())).encode()
            return self.answer(200, text)
        if fault == "garbage":
            self.wfile.write(b"\0\1\2 this is no HTTP\r\n" * 100)
            return self.cut()
        if fault == "silent":
            return self.cut()
        if fault == "hang":
            time.sleep(30)
            return self.cut()
        if fault == "headers":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for number in range(100000):
                self.wfile.write(b"X-%d: " % number + b"y" * 1000 + b"\r\n")
            return self.cut()
        if fault == "continues":
            for _ in range(1000000):
                self.wfile.write(b"HTTP/1.1 102 Processing\r\n\r\n")
            return self.cut()
        if fault == "elsewhere":
            return self.redirect("http://localhost:%d/good/x" % self.server.server_port)
        if fault == "protocol":
            return self.redirect("sftp://127.0.0.1/x")
        if fault == "round":
            return self.redirect(self.path + "x")
        if fault == "here":
            return self.redirect("/good" + self.path[5:])
        if fault == "secret" and not self.is_known():
            return self.answer(401, b"who?", {"WWW-Authenticate": "Basic realm=x"})
        if fault == "endless-error":
            return self.endless(500)
        if self.command == "PUT":
            if fault.startswith("status-"):
                extra = {}
                if fault == "status-429":
                    extra["Retry-After"] = "7"
                if fault == "status-503":
                    extra["Retry-After"] = "Fri, 31 Dec 9999 23:59:59 GMT"
                if self.is_expecting():
                    self.close_connection = True
                else:
                    self.body()
                return self.answer(int(fault[7:]), b"<Error><Code>Liar</Code></Error>", extra)
            if fault == "close":
                self.accept_body()
                self.rfile.read(1000)
                return self.cut()
            if fault == "stall":
                self.accept_body()
                self.rfile.read(1000)
                time.sleep(30)
                return self.cut()
            if fault == "endless":
                self.body()
                return self.endless(201)
        if self.is_signed_badly():
            return self.answer(403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>")
        getattr(self, "serve_" + self.command)(fault)

    do_GET = do_HEAD = do_PUT = do_DELETE = do_MOVE = do_MKCOL = do_COPY = handle_any

    def handle_expect_100(self):
        return True

    def is_expecting(self):
        return self.headers.get("Expect", "").lower() == "100-continue"

    def accept_body(self):
        if self.is_expecting():
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def body(self):
        self.accept_body()
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def cut(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def answer(self, status, body=b"", extra={}):
        self.send_response(status)
        for name, value in extra.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def redirect(self, place):
        if self.command == "PUT":
            self.body()
        self.answer(307, b"", {"Location": place})

    def endless(self, status):
        self.send_response(status)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"%x\r\n" % len(PIECE) + PIECE + b"\r\n")

    def is_known(self):
        wanted = base64.b64encode(f"{ACCESS}:{SECRET}".encode()).decode()
        return self.headers.get("Authorization") == "Basic " + wanted

    # Signature version 4, of the header only, as the documentation of S3 has it.
    def is_signed_badly(self):
        if self.fault() != "s3":
            return False
        text = self.headers.get("Authorization", "")
        if not text.startswith("AWS4-HMAC-SHA256 "):
            return True
        parts = dict(p.strip().split("=", 1) for p in text[17:].split(","))
        access, day, region, service, _ = parts["Credential"].split("/")
        names = parts["SignedHeaders"].split(";")
        canonical = "\n".join([
            self.command, self.path, "",
            *(f"{n}:{self.headers.get(n, '').strip()}" for n in names), "",
            parts["SignedHeaders"], self.headers.get("x-amz-content-sha256", "")])
        scope = f"{day}/{region}/{service}/aws4_request"
        signed = "\n".join([
            "AWS4-HMAC-SHA256", self.headers.get("x-amz-date", ""), scope,
            hashlib.sha256(canonical.encode()).hexdigest()])
        key = ("AWS4" + SECRET).encode()
        for word in (day, region, service, "aws4_request"):
            key = hmac.new(key, word.encode(), hashlib.sha256).digest()
        right = hmac.new(key, signed.encode(), hashlib.sha256).hexdigest()
        return access != ACCESS or right != parts["Signature"]

    def serve_PUT(self, fault):
        body = self.body()
        source = self.headers.get("x-amz-copy-source")
        if source:
            found = FILES.get("/s3" + urllib.parse.unquote(source))
            if found is None:
                return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            FILES[self.name()] = found
            return self.answer(200, b"<CopyObjectResult/>")
        if fault == "s3":
            wanted = self.headers.get("x-amz-content-sha256")
            if wanted != hashlib.sha256(body).hexdigest():
                return self.answer(400, b"<Error><Code>BadDigest</Code></Error>")
            if not self.name().startswith("/s3/bucket/"):
                return self.answer(404, b"<Error><Code>NoSuchBucket</Code></Error>")
        with LOCK:
            if self.headers.get("If-None-Match") == "*" and self.name() in FILES:
                return self.answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
            if fault == "swallow":
                return self.answer(201)
            if fault == "half" or fault == "half-once" and self.turn == 1:
                body = body[:len(body) // 2]
            FILES[self.name()] = body
        if fault == "lost-put":
            return self.cut()
        self.answer(201)

    def name(self):
        return urllib.parse.unquote(self.path)

    def serve_HEAD(self, fault):
        body = FILES.get(self.name())
        if body is None or fault == "blind":
            return self.answer(404)
        self.send_response(200)
        if fault != "no-length":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()

    def serve_GET(self, fault):
        body = FILES.get(self.name())
        if body is None:
            return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        if fault == "short":
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:len(body) // 2])
            return self.cut()
        if fault == "wrong":
            body = body[:-1] + bytes([body[-1] ^ 1])
        if fault == "wrong-length":
            body = body[:-1]
        if fault == "longer":
            body = body + b"!"
        if fault == "endless-read":
            return self.endless(200)
        if fault == "page":
            body = b"<html>please log in</html>"
        if fault == "partial":
            return self.answer(206, body)
        if fault == "drip":
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            for byte in body:
                self.wfile.write(bytes([byte]))
                time.sleep(0.3)
            return
        self.answer(200, body)

    def serve_MOVE(self, fault):
        place = urllib.parse.unquote(urllib.parse.urlparse(self.headers["Destination"]).path)
        place = place.replace("/here/", "/good/")
        with LOCK:
            if fault == "always-taken":
                return self.answer(412)
            if self.name() not in FILES:
                return self.answer(404)
            if self.headers.get("Overwrite") == "F" and place in FILES:
                return self.answer(412)
            FILES[place] = FILES.pop(self.name())
        if fault == "lost-move" and self.turn == 1:
            return self.cut()
        self.answer(201)

    def serve_DELETE(self, fault):
        self.answer(404 if FILES.pop(self.name(), None) is None else 204)

    def serve_MKCOL(self, fault):
        self.answer(201)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", 0), Liar)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)

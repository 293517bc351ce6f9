#!/usr/bin/env python3
"""A server that lies: WebDAV and S3 in memory, with one fault for each first part of a path; what
begins with "s3" is S3. Below "mixed" and "s3-mixed" each request is answered with a fault of its
own now and then; `PUT /share/0.05` says how often. `GET /sums` lists what it keeps.
With a certificate and its key as arguments it speaks TLS. It prints its port, and serves until its
standard input ends. For tests, on loopback only."""
import base64
import gzip
import hashlib
import hmac
import json
import os
import random
import re
import socket
import struct
import ssl
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FILES = {}
# What was sent of files in pieces, by the name of the upload.
UPLOADS = {}
LOCK = threading.Lock()
COUNTS = {}
LIES = {}
SHARE = [0.0]
ACCESS, SECRET = "reel", "open sesame"
PIECE = b"x" * 65536
# What a server that lies now and then does, by the method. Those of the first list hold a whole
# target, or take a client's whole patience, so they are rare.
RARE = ["hang", "drip-headers", "GET-401", "HEAD-429", "PUT-507", "elsewhere", "headers"]
OFTEN = {
    "HEAD": ["blind", "no-length", "other-length", "HEAD-500", "silent", "garbage"],
    "PUT": ["half", "swallow", "lost-put", "close", "reset", "early", "PUT-500", "PUT-423",
            "PUT-412", "silent"],
    "GET": ["flip", "short", "wrong-length", "longer", "page", "partial", "reset", "GET-500",
            "GET-404", "gzip", "bad-chunk", "silent"],
    "MOVE": ["lost-move", "always-taken", "MOVE-500", "MOVE-404", "silent"],
    "POST": ["POST-500", "lost-post", "error-in-200", "silent"],
}


class Liar(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    # The fault is the first part of the path.
    def fault(self):
        fault = self.path.split("/")[1]
        self.is_s3 = fault.split("-")[0] == "s3"
        if self.is_s3:
            fault = fault[3:] or "good"
        if fault != "mixed":
            return fault
        if random.random() >= SHARE[0]:
            return "good"
        fault = random.choice(
            RARE if random.random() < 0.1 else OFTEN.get(self.command, ["silent"]))
        with LOCK:
            LIES[fault] = LIES.get(fault, 0) + 1
        return fault

    def handle_any(self):
        self.path, _, query = self.path.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        self.signed_query = "&".join(sorted(query.split("&")))
        fault = self.fault()
        if fault == "share":
            SHARE[0] = float(self.path.split("/")[2])
            return self.answer(204)
        if fault == "sums":
            with LOCK:
                kept = dict(FILES)
            sums = {name: hashlib.sha256(body).hexdigest() for name, body in kept.items()}
            uploads = [name or "/".join(key) for key, (name, _) in list(UPLOADS.items())]
            kept = {"files": sums, "lies": LIES, "uploads": uploads}
            return self.answer(200, json.dumps(kept).encode())
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
        # Such as GET-429: that method is answered with that status.
        if fault.startswith(self.command + "-"):
            if self.command in ("PUT", "POST"):
                self.body()
            return self.answer(
                int(fault.split("-")[1]), b"<Error><Code>Liar</Code></Error>",
                {"Retry-After": "11"})
        if fault == "error-in-200":
            if self.command in ("PUT", "POST"):
                self.body()
            return self.answer(200, b"<Error><Code>InternalError</Code></Error>")
        if fault == "drip-headers":
            for byte in b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000:
                self.wfile.write(bytes([byte]))
                time.sleep(0.3)
            return self.cut()
        if fault == "switch":
            return self.answer(101, b"", {"Upgrade": "h2c", "Connection": "Upgrade"})
        if fault == "two-lengths":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"
                             b"123456")
            return self.cut()
        if fault == "port":
            return self.redirect("http://127.0.0.1:1" + self.path)
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
                if not self.is_expecting():
                    self.body()
                self.answer(int(fault[7:]), b"<Error><Code>Liar</Code></Error>", extra)
                return self.leave() if self.is_expecting() else None
            if fault == "reset":
                self.accept_body()
                self.rfile.read(100)
                return self.reset()
            # Says that all is well before it has read anything.
            if fault == "early":
                self.close_connection = True
                return self.answer(201)
            if fault == "tarpit":
                self.accept_body()
                while self.rfile.read(1):
                    time.sleep(0.3)
                return self.cut()
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
        if "uploads" in self.query or "uploadId" in self.query:
            return self.serve_pieces(fault)
        if "/remote.php/dav/uploads/" in self.path:
            return self.serve_chunks(fault)
        getattr(self, "serve_" + self.command)(fault)

    # S3's uploads in pieces.
    def serve_pieces(self, fault):
        body = self.body() if self.command in ("PUT", "POST") else b""
        if fault == "no-pieces":
            return self.answer(501, b"<Error><Code>NotImplemented</Code></Error>")
        if self.headers.get("x-amz-content-sha256") != hashlib.sha256(body).hexdigest():
            return self.answer(400, b"<Error><Code>XAmzContentSHA256Mismatch</Code></Error>")
        name, upload = self.name(), self.query.get("uploadId")
        with LOCK:
            if "uploads" in self.query:
                return self.begin_or_find(fault)
            if upload not in UPLOADS:
                return self.answer(404, b"<Error><Code>NoSuchUpload</Code></Error>")
            parts = UPLOADS[upload][1]
            if self.command == "DELETE":
                del UPLOADS[upload]
                return self.answer(204)
            if self.command == "GET":
                found = [f"<Part><PartNumber>{n}</PartNumber><ETag>&quot;{self.tag(b)}&quot;</ETag>"
                         f"<Size>{len(b)}</Size></Part>" for n, b in sorted(parts.items())]
                if fault == "list-lies":
                    found = ["<Part><PartNumber>1</PartNumber><ETag>x</ETag><Size>5</Size></Part>",
                             "<Part><PartNumber>-7</PartNumber><ETag>x</ETag><Size>5</Size></Part>",
                             "<Part><PartNumber>999999999999999999999</PartNumber></Part>",
                             "<IsTruncated>true</IsTruncated>"]
                return self.answer(200, f"<R>{''.join(found)}</R>".encode())
            if self.command == "PUT":
                return self.keep_piece(fault, parts, int(self.query["partNumber"]), body)
        return self.finish(fault, upload, parts, body)

    def keep_piece(self, fault, parts, number, body):
        key = (f"piece {number}", fault)
        turn = COUNTS[key] = COUNTS.get(key, 0) + 1
        if fault == "cut-pieces" and number == 3 and turn == 1:
            return self.cut_answer()
        if fault == "damaged-pieces" and number == 2 and turn == 1:
            body = body[:-1] + bytes([body[-1] ^ 1])
        if fault != "swallow-pieces":
            parts[number] = body
        if fault == "damaged-pieces" and number == 3 and turn == 1:
            return self.cut_answer()
        self.answer(200, b"", {"ETag": f'"{self.tag(body)}"'})

    # Newer libcurls send again by themselves what a connection took that was used before and ended
    # without a word; not so what was answered in part.
    def cut_answer(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut")
        self.cut()

    def tag(self, body):
        return hashlib.md5(body).hexdigest()

    def begin_or_find(self, fault):
        if self.command == "GET":
            if fault == "list-lies":
                UPLOADS["lie"] = (self.path + self.query["prefix"], {})
            found = [f"<Upload><Key>{urllib.parse.quote(n.split('/', 3)[3])}</Key>"
                     f"<UploadId>{u}</UploadId></Upload>"
                     for u, (n, _) in UPLOADS.items() if n.split("/")[1] == self.path.split("/")[1]
                     and n.split("/", 3)[3].startswith(self.query["prefix"])]
            if fault == "find-403":
                return self.answer(403, b"<Error><Code>AccessDenied</Code></Error>")
            return self.answer(200, f"<R>{''.join(found)}</R>".encode())
        if fault == "nameless":
            return self.answer(200, b"<R><UploadId>a b</UploadId></R>")
        upload = "u%x" % random.getrandbits(64)
        UPLOADS[upload] = (self.name(), {})
        self.answer(200, f"<R><UploadId>{upload}</UploadId></R>".encode())

    def finish(self, fault, upload, parts, body):
        if fault == "finish-error":
            return self.answer(200, b"<Error><Code>InternalError</Code></Error>")
        listed = re.findall(r"<PartNumber>(\d+)</PartNumber><ETag>(.*?)</ETag>", body.decode())
        with LOCK:
            if self.headers.get("If-None-Match") == "*" and self.name() in FILES:
                return self.answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
            if [(int(n), t) for n, t in listed] != [
                    (n, f"&quot;{self.tag(b)}&quot;") for n, b in sorted(parts.items())]:
                return self.answer(400, b"<Error><Code>InvalidPart</Code></Error>")
            whole = b"".join(b for _, b in sorted(parts.items()))
            FILES[self.name()] = whole[:len(whole) // 2] if fault == "half" else whole
            del UPLOADS[upload]
        if fault == "lost-post":
            return self.cut()
        self.answer(200, b"<CompleteMultipartUploadResult/>")

    # Nextcloud's: a folder takes the pieces, and moving its ".file" puts them together.
    def serve_chunks(self, fault):
        body = self.body() if self.command == "PUT" else b""
        folder, _, file = self.path.partition("/uploads/reel/")[2].partition("/")
        key = (self.path.split("/")[1], folder)
        with LOCK:
            if self.command == "MKCOL":
                if "Destination" not in self.headers:
                    return self.answer(400)
                known = key in UPLOADS
                UPLOADS.setdefault(key, (None, {}))
                return self.answer(405 if known else 201)
            if key not in UPLOADS:
                return self.answer(404)
            parts = UPLOADS[key][1]
            if self.command == "DELETE":
                del UPLOADS[key]
                return self.answer(204)
            if self.command == "PROPFIND":
                own = f"<d:response><d:href>{self.path}</d:href></d:response>"
                found = [f"<d:response><d:href>{self.path}{n:05}</d:href><d:propstat><d:prop>"
                         f"<d:getcontentlength>{len(b)}</d:getcontentlength></d:prop></d:propstat>"
                         "</d:response>" for n, b in sorted(parts.items())]
                return self.answer(207, (own + "".join(found)).encode())
            if self.command == "PUT":
                return self.keep_piece(fault, parts, int(file), body)
            place = urllib.parse.unquote(urllib.parse.urlparse(self.headers["Destination"]).path)
            whole = b"".join(b for _, b in sorted(parts.items()))
            if int(self.headers.get("OC-Total-Length", "-1")) != len(whole):
                return self.answer(400)
            FILES[place] = whole
            del UPLOADS[key]
        self.answer(201)

    do_GET = do_HEAD = do_PUT = do_DELETE = do_MOVE = do_MKCOL = do_COPY = handle_any
    do_PROPFIND = do_POST = handle_any

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

    def leave(self):
        """Ends the connection behind the answer. A client on a busy machine may send its body all
        the same: unread, it would reset the connection, and take the answer along."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_WR)
        try:
            while self.connection.recv(1 << 16):
                pass
        except OSError:
            pass

    def cut(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def reset(self):
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())

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
        if not self.is_s3:
            return False
        text = self.headers.get("Authorization", "")
        if not text.startswith("AWS4-HMAC-SHA256 "):
            return True
        parts = dict(p.strip().split("=", 1) for p in text[17:].split(","))
        access, day, region, service, _ = parts["Credential"].split("/")
        names = parts["SignedHeaders"].split(";")
        canonical = "\n".join([
            self.command, self.path, self.signed_query,
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
            root = "/" + self.path.split("/")[1]
            found = FILES.get(root + urllib.parse.unquote(source))
            if found is None:
                return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            FILES[self.name()] = found
            return self.answer(200, b"<CopyObjectResult/>")
        if self.is_s3:
            wanted = self.headers.get("x-amz-content-sha256")
            if wanted not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
                return self.answer(400, b"<Error><Code>BadDigest</Code></Error>")
            if self.path.split("/")[2] != "bucket":
                return self.answer(404, b"<Error><Code>NoSuchBucket</Code></Error>")
        with LOCK:
            if self.is_s3 and fault == "always-taken":
                return self.answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
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
            length = len(body) + (random.randint(1, 99) if fault == "other-length" else 0)
            self.send_header("Content-Length", str(length))
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
        if not body:
            return self.answer(200)
        if fault == "wrong":
            body = body[:-1] + bytes([body[-1] ^ 1])
        if fault == "flip":
            place = random.randrange(len(body))
            body = body[:place] + bytes([body[place] ^ random.randint(1, 255)]) + body[place + 1:]
        if fault == "hashes":
            extra = self.hashes(body)
            return self.answer(200, body[:-1] + bytes([body[-1] ^ 1]), extra)
        if fault == "wrong-hashes":
            return self.answer(200, body, self.hashes(body + b"!"))
        if fault == "gzip":
            return self.answer(200, gzip.compress(body), {"Content-Encoding": "gzip"})
        if fault == "reset":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body))
            self.wfile.write(body[:len(body) // 2])
            return self.reset()
        if fault in ("bad-chunk", "cut-chunk"):
            size = b"%x" % len(body) if fault == "cut-chunk" else b"zz-1"
            self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            self.wfile.write(size + b"\r\n" + body[:len(body) // 2])
            return self.cut()
        if fault in ("vast", "negative"):
            length = b"999999999999999999" if fault == "vast" else b"-5"
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: " + length + b"\r\n\r\n" + body)
            return self.cut()
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

    # What a server says of the bytes is no proof of them.
    def hashes(self, body):
        sum256 = base64.b64encode(hashlib.sha256(body).digest()).decode()
        md5 = hashlib.md5(body)
        return {
            "ETag": '"' + md5.hexdigest() + '"', "OC-Checksum": "MD5:" + md5.hexdigest(),
            "Content-MD5": base64.b64encode(md5.digest()).decode(),
            "Digest": "sha-256=" + sum256, "x-amz-checksum-sha256": sum256}

    def serve_PROPFIND(self, fault):
        self.answer(404)

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

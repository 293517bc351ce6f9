# The page for browsers as a service, reached by the network: fifty that listen and some that
# download beside a take, and HTTPS with a certificate that systemd passes.

import json
import tempfile
import time

from kit import stage
from kit.browsers import Crowd, Page
from kit.reel import RECORDINGS
from kit.remote import certificate

ABOUT = "the page: fifty browsers listen and eight download beside a take; HTTPS as a service"
COUNT = (30, 15, "seconds of take")
LISTENERS, DOWNLOADS, SESSIONS = 50, 8, 13
CREDENTIALS = "/etc/ssl/private/recorder"
FULL_RATE = 96_000  # bytes a second of one listener


def run(lab):
    stage.armed(lab, has_card=True)
    lab.network.attach()
    lab.reel.install_beside("reel-web")
    port = lab.network.forward(8080)
    page = Page(port)
    refused(lab, page)
    crowd(lab, page)
    with tempfile.TemporaryDirectory() as folder:
        secure(lab, port, folder)


def code(lab, role="control"):
    return json.loads(lab.board.run(f"reelctl web pair --role {role} --json"))["code"]


def refused(lab, page):
    """As it is installed: off, and contained."""
    seen, board = lab.seen, lab.board
    status, _, body = page.ask("/")
    seen.need(status == 403 and b"reelctl web on" in body,
              "as installed the page is off, and says how to turn it on", f"{status} {body}")
    board.run("reelctl web on")
    status, _, body = page.ask("/")
    seen.need(status == 200 and b"<!DOCTYPE html>" in body, "turned on, it is served by the network",
              f"{status} {body[:200]}")
    seen.check(page.ask("/api/events")[0] == 401, "unpaired, a browser learns nothing of the recorder")
    score = board.run("systemd-analyze security --no-pager reel-web | tail -n 1").split(": ")[-1]
    seen.check(float(score.split()[0]) <= 1.5, f"systemd-analyze security: {score}")
    seen.figure("systemd-analyze security", score.split()[0])


def crowd(lab, page):
    """A take begun and ended by its button, while all connections of one address are busy."""
    seen, board = lab.seen, lab.board
    stage.begin_take(lab)
    board.run("sleep 15")
    stage.end_take(lab)
    lab.reel.wait_closed()
    first = lab.reel.wait_takes(1)[0]
    session, _ = page.pair(code(lab))
    sessions = [session] + [page.pair(code(lab, "listen"))[0] for _ in range(SESSIONS - 1)]
    item = json.loads(board.run("reelctl info 1 --json"))
    alone = processor_seconds(lab)
    browsers = Crowd(page, sessions, LISTENERS, DOWNLOADS, f"/api/sound/{item['id']}?save=1")
    began = time.monotonic()
    try:
        board.run("sleep 5")
        pressed = stage.begin_take(lab)
        board.run(f"sleep {lab.count}", lab.count + 60)
        memory = memory_of(lab)
        stopped = stage.end_take(lab)
    finally:
        browsers.end()
    seconds = time.monotonic() - began
    busy = processor_seconds(lab) - alone
    heard = [count / FULL_RATE / seconds for count in browsers.heard]
    seen.check(min(heard) > 0, f"{LISTENERS} browsers listened, and each heard"
               f" {min(heard):.0%} to {max(heard):.0%} of the sound", browsers.troubles)
    # Listeners take turns on a processor that emulates another: what they get is no promise.
    seen.note(f"reel-web took {busy:.1f} s of processor time in {seconds:.0f} s")
    digest = board.run(f"sha256sum '{RECORDINGS}/{first}'").split()[0]
    seen.check(browsers.pieces == {digest} and browsers.downloads > 0,
               f"{browsers.downloads} downloads beside it, each is the file on the card",
               f"{browsers.pieces} {digest} {browsers.troubles}")
    seen.check(not browsers.troubles, "none of them was broken off", browsers.troubles)
    seen.figure("memory of reel-web with 50 listeners, in MB",
                f"{memory['Pss']:.1f} with shared pages divided, {memory['Anonymous']:.1f} its own")
    lab.reel.wait_closed()
    judge(lab, stopped - pressed + stage.PREROLL)


def judge(lab, expected):
    """Every frame of the take beside the crowd is there, and it is the tone."""
    seen = lab.seen
    names = lab.reel.wait_takes(2)
    seen.need(len(names) == 2, f"two takes: {names}")
    item = json.loads(lab.board.run("reelctl info 2 --json"))
    gaps = item.get("integrity", {}).get("gaps", [])
    seen.check(not gaps, "the take beside them has no gap", f"{gaps}\n{lab.reel.words()[-2000:]}")
    judged = stage.judge(lab, names[-1])
    seen.check(abs(judged.seconds - expected) < 0.3,
               f"it has {judged.seconds:.2f} s of the {expected:.2f} s from press to press", judged)
    verified = lab.board.run("reelctl verify /")
    seen.check("as it should be" in verified, f"verify: {verified.strip()}")


def secure(lab, port, folder):
    """HTTPS as docs/web.md says it."""
    seen, board = lab.seen, lab.board
    own, other = (certificate(folder, name, "127.0.0.1") for name in ("own", "other"))
    install(lab, own)
    page = Page(port, own[0])
    status, headers, _ = page.ask("/")
    seen.need(status == 200, "with a certificate from systemd the page is served by HTTPS", headers)
    session, cookie = page.pair(code(lab))
    seen.check("; Secure" in cookie, "its cookie is for HTTPS only", cookie)
    crowd = Crowd(page, [session], 2, 1, "/page/style.css")
    board.run("sleep 8")
    crowd.end()
    seen.check(min(crowd.heard) > 0 and crowd.downloads > 0 and not crowd.troubles,
               f"by HTTPS two browsers hear {crowd.heard} bytes in 8 s", crowd.troubles)
    try:
        plain = Page(port).ask("/")[0]
    except OSError:
        plain = 0
    seen.check(plain == 0, "plain HTTP gets no answer", plain)
    told = checked(lab)
    seen.check(told["verdict"] == "well" and "HTTPS" in told["sentence"],
               f"doctor: {told['sentence']}", told)
    # Of one that lasts a day, what is left after twenty hours is told.
    install(lab, certificate(folder, "short", "127.0.0.1", days=1))
    board.push_file(lab.tools.made("clock"), "/usr/local/bin/lab-clock", "755")
    board.run(f"lab-clock {int(time.time()) + 20 * 3600}")
    told = checked(lab)
    board.run(f"lab-clock {int(time.time())}")
    seen.check(told["verdict"] == "wrong" and "valid" in told["sentence"],
               f"doctor of a certificate that ends: {told['sentence']} {told.get('advice', '')}",
               told)
    install(lab, (own[0], other[1]), starts=False)
    try:
        status = Page(port).ask("/")[0]
    except OSError:
        status = 0
    said = board.run("journalctl -b -u reel-web -o cat --no-pager")
    result = board.run("systemctl show -P ExecMainStatus reel-web")
    seen.check(status == 0 and result == "78" and "the key has to be that of the certificate" in said,
               "with the key of another it does not start, says why, and is not served by HTTP",
               f"{status} {result} {said[-500:]}")
    install(lab, own)
    seen.check(page.ask("/api/me", session)[0] == 200,
               "with the right key again it runs, and knows its browsers")


def install(lab, files, starts=True):
    """Hands both files to the service, and starts it with them."""
    for file, name in zip(files, ("certificate.pem", "key.pem")):
        lab.board.push_file(file, f"{CREDENTIALS}/{name}", "600")
    lab.board.push(
        ("[Service]\n" + "".join(f"LoadCredential={name}:{CREDENTIALS}/{name}\n"
                                 for name in ("certificate.pem", "key.pem"))).encode(),
        "/etc/systemd/system/reel-web.service.d/https.conf")
    did = lab.board.succeeds("systemctl daemon-reload && systemctl reset-failed reel-web;"
                             " systemctl restart reel-web")
    if starts:
        lab.seen.need(did, "the service starts with them",
                      lambda: lab.board.run("journalctl -b -u reel-web -o cat --no-pager"))


def checked(lab):
    """Returns what `reelctl doctor` says of the page."""
    said = lab.board.run("reelctl doctor --json; true", 180)
    return next(check for check in json.loads(said)["checks"] if check["name"] == "page")


def processes(lab):
    return lab.board.run("systemctl show -P MainPID reel-web")


def processor_seconds(lab):
    fields = lab.board.run(f"cat /proc/{processes(lab)}/stat").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory_of(lab):
    """Returns the lines of the kernel's summary, in MB."""
    lines = lab.board.run(f"cat /proc/{processes(lab)}/smaps_rollup").splitlines()[1:]
    return {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}

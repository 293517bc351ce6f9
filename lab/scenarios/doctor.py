# What `reelctl doctor` reports on a healthy board, and on one with faults: its exit status, its
# JSON, and that each fault is reported with what to do.

import json
import time

from kit import stage
from kit.panel import plan

ABOUT = "`reelctl doctor`: a board that is well; a wrong pin, no sound card, a mistake, no reeld"
CARD = "/sys/bus/platform/drivers/snd_aloop"
CHECKS = {"service", "configuration", "card", "space", "speed", "realtime", "microphone",
          "speaker", "pins", "clock", "power"}


def run(lab):
    board, reel = lab.board, lab.reel
    stage.armed(lab)
    board.push_file(lab.tools.made("clock"), "/usr/local/bin/lab-clock", "755")
    well(lab)
    wrong_pin(lab)
    no_sound_card(lab)
    mistake(lab)
    reel.stop()
    view = told(lab, "reeld is stopped", "service", "stopped")
    others = {check["name"] for check in view["checks"]} & {"card", "pins", "microphone"}
    lab.seen.check(len(others) == 3, "and the rest is looked at without it", view)


def asked(lab):
    """Returns its exit status and report. The speed of an emulated card is meaningless."""
    text = lab.board.run("reelctl doctor --json 2>/tmp/doctor; s=$?; echo; echo $s", 180)
    said, _, status = text.rpartition("\n")
    view = json.loads(said)
    wrong = {check["name"] for check in view["checks"] if check["verdict"] == "wrong"}
    lab.seen.check(int(status) == (1 if wrong else 0) and view["isWell"] == (not wrong),
                   f"exit status {status}, isWell {view['isWell']}: wrong is {wrong or 'nothing'}",
                   text)
    return view, wrong


def well(lab):
    seen, board = lab.seen, lab.board
    board.run("mkdir -p /run/systemd/timesync && touch /run/systemd/timesync/synchronized; "
              f"lab-clock {int(time.time())}")
    board.run("sleep 12")
    view, wrong = asked(lab)
    for check in view["checks"]:
        seen.note(f"{check['name']}, {check['verdict']}: {check['sentence']}")
    seen.check(wrong <= {"speed"}, "nothing is wrong with this board", wrong)
    missing = CHECKS - {check["name"] for check in view["checks"]}
    seen.check(not missing, f"it looked at {len(view['checks'])} things", missing)
    unsure = {check["name"] for check in view["checks"] if check["verdict"] == "unknown"}
    seen.check(unsure <= {"power"}, f"it does not know of {unsure}: an emulator has no supply")
    lines = board.run("reelctl doctor 2>/dev/null; true", 180).splitlines()
    seen.check(len(lines) >= len(view["checks"]) and any("microphone" in line for line in lines),
               f"for a person, the same in {len(lines)} lines", "\n".join(lines))
    status = board.run("reelctl doctor >/dev/null 2>&1; echo $?", 180)
    seen.check(status in ("0", "1" if "speed" in wrong else "0"),
               f"and the exit status is {status}")
    seen.figure("things looked at", len(view["checks"]))


def told(lab, what, name, word):
    view, wrong = asked(lab)
    found = [check for check in view["checks"]
             if check["verdict"] == "wrong" and word in check["sentence"]]
    lab.seen.check(name in wrong and bool(found), f"{what}: that is told", view)
    for check in found[:2]:
        lab.seen.note(f"{check['name']}: {check['sentence']} {check.get('advice', '')}")
    return view


def wrong_pin(lab):
    wiring = plan()
    wiring["panel"]["buttons"][0] = {"control": "record", "line": "GPIO99"}
    lab.reel.configure(wiring)
    lab.board.run("systemctl restart reeld")
    lab.reel.wait_armed(whole=False)
    told(lab, "a pin that is not there", "panel", "GPIO99")
    lab.reel.configure(plan())
    lab.board.run("systemctl restart reeld")
    lab.reel.wait_armed()


def no_sound_card(lab):
    lab.sound.silence()
    lab.board.run(f"echo snd_aloop.0 > {CARD}/unbind; udevadm settle", 60)
    lab.board.run("sleep 5")
    view = told(lab, "no sound card", "microphone", "Loopback")
    lab.seen.check(all(check["verdict"] != "wrong" for check in view["checks"]
                       if check["name"] in ("pins", "card")), "and the rest is well", view)
    lab.board.run(f"echo snd_aloop.0 > {CARD}/bind; udevadm settle", 60)
    lab.sound.feed(440)
    lab.reel.wait_armed()


def mistake(lab):
    """A mistake in the file, while the recorder runs on with the configuration read before."""
    lab.reel.configure(plan(), {"prerol": "2 s"})
    told(lab, "a mistake in the configuration", "configuration", "prerol")
    lab.reel.configure(plan())

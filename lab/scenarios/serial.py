# The serial console on a USB gadget: no cable at the start, unplugged in the middle of a command,
# and a laptop that opens the port and never reads.

from kit import stage

ABOUT = "the serial console: plugged in late, pulled in mid-command, never read"


def run(lab):
    seen, board, panel, reel, gadget = lab.seen, lab.board, lab.panel, lab.reel, lab.gadget
    stage.armed(lab)
    seen.check(True, "without the port reeld starts and is armed")
    gadget.plug_in()
    board.wait("fuser -s /dev/ttyGS0 || ls -l /proc/$(pidof reeld)/fd | grep -q ttyGS0", 20,
               "reeld to open the port")
    seen.check(True, "plugged in, reeld opens /dev/ttyGS0")
    answers(lab, "plugged in")
    panel.press("record")
    seen.need(panel.wait_lit("record", True), "a recording begins")
    gadget.say("stat")
    gadget.pull()
    seen.check(panel.lit("record"), "pulled in mid-command: the recording goes on")
    gadget.return_it()
    answers(lab, "plugged in again")
    never_read(lab)
    took = reel.stop()
    seen.check(took < 5, f"with a laptop that never reads, systemctl stop takes {took:.2f} s")
    seen.check(len(reel.takes()) == 1, f"the recording is there: {reel.takes()}")


def answers(lab, when):
    gadget = lab.gadget
    gadget.listen()
    gadget.say("\rstatus\r")
    heard = gadget.wait_heard("GB free")
    lab.seen.check("free" in heard, f"{when}, the laptop asks for the status and is told", heard)
    lab.seen.note("the last words: " + repr(heard[-160:]))
    lab.board.run("systemctl stop laptop")


def never_read(lab):
    """The port is open, the laptop does not read, and there is much output."""
    lab.board.run("systemd-run --quiet --collect --unit=deaf"
                  " sh -c 'exec 3<>/dev/ttyACM0; while :; do echo status >&3; sleep 0.05; done'")
    lab.board.run("sleep 10")
    lab.seen.check(lab.panel.lit("record"), "a laptop that floods and never reads: still recording")
    usage = lab.board.run("ps -o pcpu= -p $(pidof reeld); ps -o rss= -p $(pidof reeld)").split()
    lab.seen.note(f"reeld: {usage[0]} % of a processor since its start, {usage[1]} KiB")

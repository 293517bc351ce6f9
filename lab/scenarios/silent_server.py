# A sound server is stopped for good in mid-take, with its socket open: no error is reported, and
# reading, opening or closing its device hangs. The light shows it, a stop is answered, and when the
# server goes on so does the recorder.

from kit import stage
from kit.panel import plan

ABOUT = "a sound server is stopped for good in mid-take: the light says so, stop is answered"
FOLDER = "/run/lab-server"
# The server closes it to others.
OWN = "/run/lab-server-own"
SERVER = f"""\
load-module module-native-protocol-unix auth-anonymous=1 socket={FOLDER}/native
load-module module-null-sink sink_name=vmic rate=48000 channels=1 format=s16le norewinds=1
"""
NAMES = f"""\
pcm.vmic {{ type pulse server "unix:{FOLDER}/native" device "vmic.monitor" }}
pcm.vmic_in {{ type pulse server "unix:{FOLDER}/native" device "vmic" }}
"""
ANSWERED_S = 1.0
TOLD_S = 2.0


def run(lab):
    seen, board, panel, reel = lab.seen, lab.board, lab.panel, lab.reel
    stage.ready(lab)
    serve(lab)
    reel.configure(plan(), {"device": "vmic"})
    reel.start()
    reel.wait_armed()
    hidden = board.run("find /var/lib/reel -name '.config*'; true")
    seen.check(not hidden, "what the server's library keeps is not on the recordings' card", hidden)
    stage.begin_take(lab)
    board.run("sleep 5; systemctl kill --signal=STOP lab-server")
    told = stage.elapsed(lab, waits('"isSilent": *true'))
    seen.check(told < TOLD_S + 0.5, f"told after {told:.1f} s, with the time of a command")
    winks = panel.winks("record", 6000)
    seen.check(3 <= winks <= 7, f"the record light blinks slowly: {winks} times in 6 s")
    panel.press("stop")
    answered = stage.elapsed(lab, waits('"state": *"recording"|"state": *"waiting"', "!"))
    seen.check(answered < ANSWERED_S + 0.5, f"stop answered after {answered:.1f} s, likewise")
    takes = reel.wait_takes(1)
    seen.check(len(takes) == 1, f"one take: {takes}")
    judged = stage.judge(lab, takes[0], hertz=None)
    seen.check(judged.seconds > stage.PREROLL + 4, f"it is {judged.seconds:.2f} s long")
    board.run("sleep 20; systemctl kill --signal=CONT lab-server")
    reel.wait_armed()
    seen.check(reel.is_running(), "the server goes on: it is armed again, and was not restarted")
    board.run("systemctl kill --signal=STOP lab-server; sleep 5")
    seconds = reel.stop()
    seen.check(seconds < 10, f"it ends with the server stopped, in {seconds:.1f} s")
    board.run("systemctl kill --signal=KILL lab-server")


def serve(lab):
    """Starts a private server that keeps real time, and plays a tone in it."""
    board = lab.board
    board.run(f"mkdir -p {FOLDER} {OWN} && chmod 755 {FOLDER}")
    board.push(SERVER.encode(), f"{FOLDER}/daemon.pa")
    board.push(NAMES.encode(), "/etc/asound.conf")
    board.run(
        f"systemd-run --quiet --collect --unit=lab-server --setenv=HOME={OWN}"
        f" --setenv=PULSE_RUNTIME_PATH={OWN} --setenv=PULSE_STATE_PATH={OWN}"
        " pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no"
        f" -F {FOLDER}/daemon.pa")
    board.wait(f"test -S {FOLDER}/native", 60, "the sound server")
    board.run(
        "systemd-run --quiet --collect --unit=lab-feeder sh -c '"
        "while :; do tail -c +45 /tmp/feed.wav; done |"
        " aplay -q -t raw -f S16_LE -r 48000 -c 2 -D plug:vmic_in'")


def waits(pattern, no=""):
    """Returns a command that waits until the status matches, or does not match, the pattern."""
    return (f"for i in $(seq 300); do {no} reelctl status --json | grep -qE '{pattern}' && break;"
            " sleep 0.1; done")

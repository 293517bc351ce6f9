# The board comes up, reeld runs with the loopback card as its microphone, and waits armed.

from kit.reel import RECORDINGS

ABOUT = "the board comes up and the recorder waits, armed, on the loopback card"


def run(lab):
    seen, board = lab.seen, lab.board
    seen.note(f"the board took {board.boot():.0f} s to start")
    lab.sound.attach()
    lab.sound.feed(440)
    lab.panel.attach()
    seen.check("panel" in board.run("gpiodetect"), "gpiodetect sees the panel's chip")
    heard = board.run(
        "arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -d 2 /tmp/heard.wav && "
        "stat -c %s /tmp/heard.wav")
    seen.check(int(heard) == 2 * 192000 + 44, f"arecord hears the card: {heard} bytes in 2 s")
    lab.reel.install()
    lab.reel.start()
    board.wait(f"test -e {RECORDINGS}", 30, "the recordings' folder")
    board.wait("journalctl -b -u reeld | grep -q microphone:", 60, "a word of the microphone")
    board.run("sleep 3")
    seen.need(lab.reel.is_running(), "reeld runs", lab.reel.words())
    for line in lab.reel.words().splitlines():
        seen.note("it says: " + line)
    used = board.run("cat /proc/asound/Loopback/pcm1c/sub0/status")
    seen.check("RUNNING" in used, "the card is being read", used)
    state = lab.reel.state()
    seen.check("running" in state["device"]["capture"], "it is armed",
               state["device"]["capture"])
    began = board.run("date +%s.%N; systemctl stop reeld; date +%s.%N").split()
    seen.check(not lab.reel.is_running(),
               f"systemctl stop ends it in {float(began[1]) - float(began[0]):.2f} s")
    seen.note(f"the board took {board.power_off():.1f} s to switch itself off")

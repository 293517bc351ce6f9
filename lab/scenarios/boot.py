# The board comes up, reeld runs with the loopback card as its microphone, and waits armed.

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
    lab.reel.wait_armed()
    seen.note("reelctl: " + lab.reel.status()["sentence"])
    for line in lab.reel.words().splitlines():
        seen.note("it says: " + line)
    used = board.run("cat /proc/asound/Loopback/pcm1c/sub0/status")
    seen.check("RUNNING" in used, "the card is being read, so it is armed", used)
    who = board.run("ps -o user= -p $(pidof reeld)")
    seen.check(who == "reel", f"it runs as the user {who}")
    took = lab.reel.stop()
    seen.check(not lab.reel.is_running() and took < 10, f"systemctl stop ends it in {took:.2f} s")
    seen.note(f"the board took {board.power_off():.1f} s to switch itself off")

# The figures for Prometheus, as node exporter's textfile collector serves them: another program,
# under another user, that parses them strictly.

from kit import stage
from kit.panel import plan

ABOUT = "node exporter reads the figures: a take is counted, a crash is counted as recovered"
COLLECTOR = "/var/lib/prometheus/node-exporter"


def run(lab):
    seen, board = lab.seen, lab.board
    stage.armed(lab, plan(), {"metrics": {"file": "/run/reel/reel.prom", "every": "1 s"}})
    board.run(f"mkdir -p {COLLECTOR} && ln -sf /run/reel/reel.prom {COLLECTOR}/reel.prom && "
              "systemctl start prometheus-node-exporter")
    board.wait("bash -c '</dev/tcp/127.0.0.1/9100'", 60, "node exporter")
    mode = board.run("stat -c '%a %U' /run/reel/reel.prom")
    seen.check(mode == "644 reel", f"any user may read the file: {mode}")
    first = figures(lab)
    seen.check(first.get("reel_takes_total") == 0, "before any take its counter is 0", first)
    seen.check("reel_last_take_timestamp_seconds" not in first, "and there is no last one", first)
    began = float(board.run("date +%s"))
    stage.begin_take(lab)
    board.wait("grep -q '^reel_recording 1' /run/reel/reel.prom", 30, "the take in the figures")
    stage.end_take(lab)
    lab.reel.wait_takes(1)
    board.wait("grep -q '^reel_takes_total 1' /run/reel/reel.prom", 30, "the take to be counted")
    after = figures(lab)
    seconds = after.get("reel_recorded_seconds_total", 0)
    seen.check(after.get("reel_takes_total") == 1 and seconds > 2,
               f"the take is counted: {seconds} s", after)
    last = after.get("reel_last_take_timestamp_seconds", 0)
    seen.check(abs(last - began) < 60, f"the time of the last take is {last - began:+.0f} s from"
               " that of the press", after)
    stage.begin_take(lab)
    process = board.run("systemctl show -P MainPID reeld")
    board.run(f"kill -9 {process}")
    board.wait("grep -q '^reel_recovered_total 1' /run/reel/reel.prom", 60, "the recovery")
    seen.check(figures(lab).get("reel_recovered_total") == 1, "a crash in a take: 1 recovered")
    stage.end_take(lab)


def figures(lab):
    """Returns the exporter's figures of Reel; it reports whether it could read the file."""
    text = lab.board.run("bash -c 'exec 3<>/dev/tcp/127.0.0.1/9100; "
                         "printf \"GET /metrics HTTP/1.0\\r\\n\\r\\n\" >&3; cat <&3' | "
                         "grep -E '^(reel_|node_textfile)'")
    found = {}
    for line in text.splitlines():
        name, value = line.rsplit(" ", 1)
        found[name] = float(value)
    lab.seen.check(found.get("node_textfile_scrape_error") == 0 and len(found) > 30,
                   f"node exporter has read {len(found)} figures, without an error", text)
    return found

# A FAT card with a name whose clusters are missing, as a power cut leaves it: reading that file
# fails, and Linux makes the card read-only. The next start of reeld repairs it.

from kit import stage
from kit.reel import RECORDINGS, ROOT

ABOUT = "a FAT card that a cut has damaged and Linux made read-only: repaired at a start, it records"


def run(lab):
    seen, board, reel = lab.seen, lab.board, lab.reel
    stage.armed(lab, has_card=True, kind="vfat")
    stage.begin_take(lab)
    board.run("sleep 2")
    stage.end_take(lab)
    reel.wait_closed()
    takes = reel.takes()
    before = board.run(f"cd {RECORDINGS} && sha256sum *.opus")
    reel.stop()
    damage(lab, f"{RECORDINGS}/{takes[0]}", f"{RECORDINGS}/0099 Broken.opus")
    seen.need(not board.succeeds(f"cat '{RECORDINGS}/0099 Broken.opus' >/dev/null"),
              "a file whose clusters are not there cannot be read")
    seen.need(is_read_only(board), "Linux makes the card read-only for that")
    reel.start()
    reel.wait_armed()
    seen.check(not is_read_only(board), "after a start of reeld the card can be written",
               board.run("journalctl -b -u reel-card -o cat --no-pager"))
    after = board.run(f"cd {RECORDINGS} && sha256sum *.opus")
    seen.check(before in after, "the finished recording is unchanged", f"{before}\n{after}")
    left = board.run(f"ls {ROOT}/FSCK*; true")
    seen.check(".REC" not in left, "no file of lost clusters is left", left)
    stage.begin_take(lab)
    board.run("sleep 2")
    stage.end_take(lab)
    reel.wait_closed()
    new = [name for name in reel.takes() if name not in takes and "Broken" not in name]
    seen.need(len(new) == 1, f"a press records: {new}", reel.words())
    stage.judge(lab, new[0])


def damage(lab, source, target):
    """Copies a file, and takes the copy's clusters away."""
    lab.board.run(f"umount {ROOT} && blockdev --flushbufs /dev/vdb")
    table = lab.card.table()
    lab.board.run(f"mount {ROOT} && cp '{source}' '{target}' && umount {ROOT} &&"
                  " blockdev --flushbufs /dev/vdb")
    lab.card.put_table(table)
    lab.board.run(f"mount {ROOT}")


def is_read_only(board):
    return board.succeeds(f"findmnt --noheadings --output FS-OPTIONS {ROOT} | grep -q '^ro,'")

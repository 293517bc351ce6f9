# The cost of a change for the card: bytes written and flushes, counted at the card's server, with
# all that the file system adds. `card-bytes` and `card-bytes-vfat` run this.

from kit import stage

COUNT = (100, 20, "changes of each kind")
ABOUT = "bytes and flushes at the card for each change: order, title, folder"
# The most bytes for a change of the index alone, on the file system that Reel is made for.
PROMISE = 8192


def run_on(lab, kind):
    stage.armed(lab, has_card=True, kind=kind)
    stage.begin_take(lab)
    lab.board.run("sleep 2")
    stage.end_take(lab)
    lab.reel.wait_closed()
    # The first change makes the journal.
    change(lab, "sort length")
    index = counted(lab, "an order", lambda n: "sort " + ("name", "length")[n % 2])
    counted(lab, "a title", lambda n: f"rename 1 'Title {n}'")
    counted(lab, "a folder", lambda n: f"mkdir 'Folder {n}'")
    if kind == "ext4":
        lab.seen.check(index <= PROMISE, f"a change of the index writes {index:.0f} bytes to the"
                       f" card; promised are {PROMISE} at most")


def counted(lab, what, words):
    """Returns the bytes that reached the card for each change, on average."""
    card = lab.card
    lab.board.run("sync; sleep 6; sync")
    bytes_before, flushes_before = card.written_bytes, card.flushes
    for number in range(lab.count):
        change(lab, words(number))
    lab.board.run("sync")
    written = (card.written_bytes - bytes_before) / lab.count
    flushes = (card.flushes - flushes_before) / lab.count
    lab.seen.figure(f"{lab.card.kind}: bytes and flushes for {what}",
                    f"{written:.0f} and {flushes:.1f}")
    return written


def change(lab, words):
    lab.board.run(f"reelctl {words} </dev/null")

# Looks into the image of an exFAT card for what no program shows: whether a file has a chain of
# clusters. One without lies in one piece, and a power cut may lose what is behind its first cluster
# once it no longer does.

import struct

SECTOR = 512
ENTRY = 32
FILE, STREAM, NAME = 0x85, 0xC0, 0xC1
NO_CHAIN = 2


def in_one_piece(path):
    """Returns the names of the files of an image that have clusters and no chain."""
    with open(path, "rb") as file:
        image = file.read()
    heap = struct.unpack_from("<I", image, 88)[0] * SECTOR
    found = set()
    place = heap
    # Directories lie anywhere; three entries in a row of these kinds are a file's.
    while (place := image.find(bytes([FILE]), place)) >= 0:
        kinds = image[place + ENTRY:place + 2 * ENTRY + 1:ENTRY]
        if place % ENTRY == 0 and kinds == bytes([STREAM, NAME]):
            flags, length = image[place + ENTRY + 1], image[place + ENTRY + 3]
            names = range(place + 2 * ENTRY, place + (1 + image[place + 1]) * ENTRY, ENTRY)
            text = b"".join(image[at + 2:at + ENTRY] for at in names)[:2 * length]
            size = struct.unpack_from("<Q", image, place + ENTRY + 24)[0]
            if size and flags & NO_CHAIN:
                found.add(text.decode("utf-16-le", "replace"))
        place += 1
    return found

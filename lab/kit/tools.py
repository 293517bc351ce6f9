# The lab's own small programs for the board, in C: built here, statically linked. Kept beside the
# boards, under a checksum of their source.

import os
import subprocess
import zlib

from kit import places


class Tools:
    def __init__(self, compiler):
        self._compiler = compiler

    def made(self, name):
        """Returns the program built from tools/NAME.c."""
        source = os.path.join(places.LAB, "tools", name + ".c")
        with open(source, "rb") as text:
            sum_of_it = zlib.crc32(self._compiler.encode() + text.read())
        program = os.path.join(places.cache(), "tools", f"{name}-{sum_of_it}")
        if not os.path.exists(program):
            os.makedirs(os.path.dirname(program), exist_ok=True)
            new = f"{program}.{os.getpid()}"
            subprocess.run(
                [self._compiler, "-static", "-O2", "-Wall", "-Wextra", "-o", new, source],
                check=True)
            os.rename(new, program)
        return program

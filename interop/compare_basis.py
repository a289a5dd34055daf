#!/usr/bin/env python3
"""Compare a pack of KTX2 files in Basis Universal with reference pixels: compare_basis.py PACK DIR EXPECTED.

EXPECTED has a NAME_RGBA32.dds with the levels of each NAME.ktx2 in DIR. Also counts the modes of the blocks of UASTC
files that are not compressed. Exit codes: 0 if no file differs, 1 otherwise, 2 if the command line is wrong.
"""

import collections
import pathlib
import struct
import sys

from read_rres import read

# The bits that a block begins with, the lowest one last, for each mode.
CODES = (
    "0001 110101 11101 00011 10011 01011 11011 00111 10111 01111 010 00 110 11111 01101 0000101 010101 100101 1001"
).split()

# Headers of a DDS with a format of Direct3D 10.
DDS_HEAD = 148

UASTC = 166


def color_model(ktx):
    """Returns the colour model of the first descriptor."""
    return ktx[struct.unpack_from("<I", ktx, 48)[0] + 12]


def modes(ktx):
    """Yields the mode of each block in a KTX2 of UASTC without compression."""
    if color_model(ktx) != UASTC or struct.unpack_from("<I", ktx, 44)[0]:
        return
    for level in range(struct.unpack_from("<I", ktx, 40)[0]):
        start, size = struct.unpack_from("<QQ", ktx, 80 + 24 * level)
        for at in range(start, start + size, 16):
            bits = f"{ktx[at]:08b}"
            yield next(mode for mode, code in enumerate(CODES) if bits.endswith(code))


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    opened = read(sys.argv[1], None)
    stored = opened.by_name()
    counts, equal, failed = collections.Counter(), 0, 0
    for path in sorted(pathlib.Path(sys.argv[2]).glob("*.ktx2")):
        counts.update(modes(path.read_bytes()))
        expected = (pathlib.Path(sys.argv[3]) / f"{path.stem}_RGBA32.dds").read_bytes()[DDS_HEAD:]
        found = stored[path.name][0].payload.data if path.name in stored else b""
        if found == expected:
            equal += 1
            continue
        failed += 1
        first = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
        print(f"failed: {path.name}: {len(found)} of {len(expected)} bytes, differs from byte {first}")
    for mode in range(len(CODES)):
        print(f"mode {mode}: {counts[mode]} blocks")
    print(f"{equal} files equal, {failed} failed")
    return 1 if opened.errors or failed else 0


if __name__ == "__main__":
    sys.exit(main())

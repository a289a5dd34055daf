#!/usr/bin/env python3
"""Compare what the C library reads from a pack, or wrote into it, with the independent reader: compare.py PACK DIR [PASSWORD].

DIR is what `driver` wrote. Prints the number of equal chunks by kind. Exit codes: 0 if all are equal, 1 if not.
"""

import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from container import KINDS  # noqa: E402
from read_rres import read  # noqa: E402


def expected(opened):
    """Returns the chunks of each name, without those that rres.h does not name: no C program asks for them."""
    found = {}
    for resource in opened.container.resources:
        decoded = opened.decoded[resource.id]
        chunks = [chunk for chunk in decoded if chunk.chunk.kind in KINDS]
        for name in (resource.name, *resource.also):
            found.setdefault(name, []).extend(chunks)
    return found


def main():
    pack, folder, password = sys.argv[1], pathlib.Path(sys.argv[2]), (sys.argv[3:] or [None])[0]
    opened = read(pack, password)
    faults = list(opened.errors)
    wanted = expected(opened)
    seen = collections.Counter()
    equal = collections.Counter()
    for number, line in enumerate((folder / "rows.tsv").read_text().splitlines()):
        name, chunk, kind, status, _numbers = line.split("\t")
        got = (folder / f"{number}.bin").read_bytes()
        seen[name] += 1
        chunks = wanted.get(name, [])
        if int(chunk) >= len(chunks) or status not in ("ok", "tail"):
            faults.append(f"{name} #{chunk}: {kind} {status}")
            continue
        payload = chunks[int(chunk)].payload
        data = payload.data
        if kind == "LINK":
            data = data.rstrip(b"\0")
        if status == "tail":
            # rrespacker's QOI images lack their last 20 bytes.
            got = got[:-20]
            data = data[: len(got)]
        if chunks[int(chunk)].chunk.kind != kind or data != got:
            faults.append(f"{name} #{chunk}: {kind} of {len(got)} bytes differs from {len(data)} bytes")
        else:
            equal[kind] += 1
    for name, chunks in ((name, chunks) for name, chunks in wanted.items() if chunks):
        if seen[name] != len(chunks):
            faults.append(f"{name}: {seen[name]} of {len(chunks)} chunks")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(equal.items())), *faults, sep="\n  ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

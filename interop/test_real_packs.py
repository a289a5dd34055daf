#!/usr/bin/env python3
"""Compare this reader with packs the C library wrote: test_real_packs.py FOLDER.

FOLDER holds `expected.tsv` (one row per chunk: sizes, properties, hashes of the unpacked data) and `quirk/` (awkward
and malformed packs, which must read to a value or a clear error, never an exception of another kind).
"""

import csv
import hashlib
import pathlib
import sys
import zlib

from container import RresError
from read_rres import read

# What each quirk file must come to: None = reads without an error, else a part of the message.
QUIRKS = {
    "badcrc": "crc32 of the stored bytes", "base_less_than_packed_plain": None, "cd_absolute": None,
    "cipher_xor": "cipher 1 (xor)", "count_plus1": None, "deflate_zlibwrapped": "raw deflate", "empty_nocdir": None,
    "id_zero": None, "img_mips2_l0": "in 2 levels says", "link_no_nul": None, "linked_self": "closes a cycle",
    "lz4_frame": "lz4 block", "mesh_ok": None, "name_no_nul": None, "prefix_bad_order": None, "props_8": None,
    "text_size_too_big": "size property says 100", "unknown_fourcc": None,
    "zero_packed": "cannot hold a property count",
}  # fmt: skip


def compare(row, found):
    """What differs between one line of expected.tsv and what was read."""
    kind, payload = found
    wrong = []
    if kind != row["type"]:
        wrong.append(f"kind {kind}")
    if ",".join(map(str, payload.properties)) != row["props"] or len(payload.properties) != int(row["propCount"]):
        wrong.append(f"properties {payload.properties}")
    data = payload.data
    if len(data) != int(row["rawSize"]):
        wrong.append(f"size {len(data)}")
    if f"{zlib.crc32(data):08x}" != row["rawCrc32"] or hashlib.sha256(data).hexdigest() != row["rawSha256"]:
        wrong.append("hash")
    if ("last20undefined" in (row["note"] or "")) != (payload.missing_tail == 20):
        wrong.append(f"missing tail {payload.missing_tail}")
    return wrong


def check_expected(folder):
    rows = list(csv.DictReader((folder / "expected.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE))
    failed, sealed = 0, 0
    for name in sorted({row["file"] for row in rows}):
        mine = [row for row in rows if row["file"] == name]
        if mine[0]["password"]:
            locked = read(folder / name)
            states = {row["status"] for row in locked.rows}
            if locked.errors or not all(s.startswith("sealed (") for s in states):
                print(f"FAIL {name}: without its password it should only be sealed, found {states}")
                failed += 1
            sealed += len(locked.rows)
        opened = read(folder / name, mine[0]["password"] or None)
        for text in opened.errors:
            print(f"FAIL {name}: {text}")
            failed += 1
        if len(mine) != len(opened.rows):
            print(f"FAIL {name}: {len(opened.rows)} chunks, expected {len(mine)}")
            failed += 1
        names = {r.id: r.name for r in opened.container.resources}
        for row in mine:
            chunks = opened.parts.get(int(row["id"], 16), [])
            if int(row["chunk"]) >= len(chunks):
                print(f"FAIL {name} {row['name']} #{row['chunk']}: not read")
                failed += 1
                continue
            chunk, payload, _ = chunks[int(row["chunk"])]
            wrong = compare(row, (chunk.kind, payload))
            for field, value in (("packedSize", chunk.packed_size), ("baseSize", chunk.base_size)):
                if int(row[field]) != value:
                    wrong.append(f"{field} {value}")
            if opened.container.directory is not None and names[chunk.id] != row["name"]:
                wrong.append(f"name {names[chunk.id]!r}")
            if wrong:
                print(f"FAIL {name} {row['name']} #{row['chunk']}: {', '.join(wrong)}")
                failed += 1
        print(
            f"ok   {name}: {len(mine)} chunks" + (" (sealed, opened with its password)" if mine[0]["password"] else "")
        )
    print(f"expected.tsv: {len(rows)} rows, {sealed} chunks seen sealed first, {failed} failures")
    return failed


def check_quirks(folder):
    failed = 0
    files = sorted((folder / "quirk").glob("*.rres"))
    for path in files:
        try:
            opened = read(path)
            errors, notes = opened.errors, opened.notes
        except RresError as fault:
            errors, notes = [str(fault)], []
        wanted = QUIRKS.get(path.stem, "no expectation is written down for this file")
        good = not errors if wanted is None else any(wanted in e for e in errors)
        failed += not good
        print(f"{'ok  ' if good else 'FAIL'} quirk/{path.stem}: {'; '.join(errors or notes) or 'reads'}")
    missing = set(QUIRKS) - {p.stem for p in files}
    for name in sorted(missing):
        print(f"FAIL quirk/{name}: file is missing")
    return failed + len(missing)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    if not folder.is_dir():
        print(f"skipped: {folder} is absent")
        return 0
    failed = check_expected(folder) + check_quirks(folder)
    print("all equal" if not failed else f"{failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

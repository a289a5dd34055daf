#!/usr/bin/env python3
"""Compare this reader with packs that the C library wrote: test_c_packs.py [FOLDER].

FOLDER, by default rres-format/tests/c-packs, contains `expected.tsv` (a row for each chunk: sizes, properties, hashes of the decoded data) and `quirk/`
(unusual and malformed packs; reading one must succeed or fail with an `RresError`).
"""

import csv
import hashlib
import pathlib
import sys
import zlib

from container import RresError
from read_rres import read

C_PACKS = pathlib.Path(__file__).parent.parent / "rres-format/tests/c-packs"

# The expected result of each quirk file: None if it is read without an error, else a substring of the error.
QUIRKS = {
    "badcrc": "crc32 of the stored bytes", "base_less_than_packed_plain": None, "cd_absolute": None,
    "cipher_xor": "cipher 1 (xor)", "count_plus1": None, "deflate_zlibwrapped": "raw deflate", "empty_nocdir": None,
    "id_zero": None, "img_mips2_l0": "in 2 levels: expected", "link_no_nul": None, "linked_self": "closes a cycle",
    "lz4_frame": "lz4 block", "mesh_ok": None, "name_no_nul": None, "prefix_bad_order": None, "props_8": None,
    "text_size_too_big": "size property: expected 100", "unknown_fourcc": None,
    "zero_packed": "too few for a property count",
}  # fmt: skip


def compare(row, found):
    """Returns what differs between a row of expected.tsv and a `Decoded` chunk."""
    chunk, payload = found.chunk, found.payload
    wrong = []
    if chunk.kind != row["type"]:
        wrong.append(f"kind {chunk.kind}")
    for field, value in (("packedSize", chunk.packed_size), ("baseSize", chunk.base_size)):
        if int(row[field]) != value:
            wrong.append(f"{field} {value}")
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
    failed, encrypted = 0, 0
    for name in sorted({row["file"] for row in rows}):
        expected = [row for row in rows if row["file"] == name]
        if expected[0]["password"]:
            without_password = read(folder / name)
            states = {row["status"] for row in without_password.rows}
            if without_password.errors or not all(s.startswith("encrypted (") for s in states):
                print(f"FAIL {name}: expected only encrypted chunks without the password, found {states}")
                failed += 1
            encrypted += len(without_password.rows)
        password = expected[0]["password"] or None
        opened = read(folder / name, password)
        for text in opened.errors:
            print(f"FAIL {name}: {text}")
            failed += 1
        if len(expected) != len(opened.rows):
            print(f"FAIL {name}: {len(opened.rows)} chunks, expected {len(expected)}")
            failed += 1
        names = {r.id: r.name for r in opened.container.resources}
        for row in expected:
            chunks = opened.decoded.get(int(row["id"], 16), [])
            if int(row["chunk"]) >= len(chunks):
                print(f"FAIL {name} {row['name']} #{row['chunk']}: not read")
                failed += 1
                continue
            found = chunks[int(row["chunk"])]
            wrong = compare(row, found)
            if opened.container.directory is not None and names[found.chunk.id] != row["name"]:
                wrong.append(f"name {names[found.chunk.id]!r}")
            if wrong:
                print(f"FAIL {name} {row['name']} #{row['chunk']}: {', '.join(wrong)}")
                failed += 1
        print(f"ok   {name}: {len(expected)} chunks" + (" (decrypted with its password)" if password else ""))
    print(f"expected.tsv: {len(rows)} rows, {encrypted} chunks decrypted, {failed} failures")
    return failed


def check_quirks(folder):
    failed = 0
    files = sorted((folder / "quirk").glob("*.rres"))
    for path in files:
        try:
            opened = read(path)
            errors, notes = opened.errors, opened.notes
        except RresError as error:
            errors, notes = [str(error)], []
        expected = QUIRKS.get(path.stem, "QUIRKS has no entry for this file")
        passed = not errors if expected is None else any(expected in e for e in errors)
        failed += not passed
        print(f"{'ok  ' if passed else 'FAIL'} quirk/{path.stem}: {'; '.join(errors or notes) or 'no errors'}")
    missing = set(QUIRKS) - {p.stem for p in files}
    for name in sorted(missing):
        print(f"FAIL quirk/{name}: the file is missing")
    return failed + len(missing)


def main():
    if len(sys.argv) > 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else C_PACKS
    failed = check_expected(folder) + check_quirks(folder)
    print("all equal" if not failed else f"{failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

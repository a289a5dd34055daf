#!/usr/bin/env python3
"""Read a `.rres` pack and say what is in it, or what is wrong with it.

Usage: read_rres.py PACK [--json] [--password TEXT] [--extract DIR] [--c-safe]. Exit 0: everything reads;
1: something does not. A second opinion on packs: it shares no code and no author's assumptions with the Rust crates.
"""

import argparse
import hashlib
import json
import pathlib
import sys
import zlib

import typed
import unpack
from container import CIPHER, COMPRESSION, Container, RresError


class Opened:
    """A container with every payload unpacked; `rows` is one dict per chunk in resource order."""

    def __init__(self, data, password=None):
        self.container = Container(data)
        self.rows = []
        self.parts = {}
        self.errors = [text for level, text in self.container.findings if level == "error"]
        self.notes = [text for level, text in self.container.findings if level == "note"]
        for resource in self.container.resources:
            self._open(resource, password)

    def _open(self, resource, password):
        parts = []
        for index, chunk in enumerate(resource.chunks):
            row = {
                "name": resource.name,
                "id": f"{chunk.id:08x}",
                "chunk": index,
                "kind": chunk.kind,
                "offset": chunk.offset,
                "compression": COMPRESSION.get(chunk.compression, str(chunk.compression)),
                "cipher": CIPHER.get(chunk.cipher, str(chunk.cipher)),
                "packed": chunk.packed_size,
                "base": chunk.base_size,
                "status": "ok",
            }
            self.rows.append(row)
            try:
                payload = unpack.unpack(chunk, self.container.stored(chunk), password)
                row["properties"] = payload.properties
                row["size"] = len(payload.data)
                row["crc32"] = f"{zlib.crc32(payload.data):08x}"
                row["sha256"] = hashlib.sha256(payload.data).hexdigest()
                meaning = typed.describe(chunk, payload)
                row["meaning"] = {k: v for k, v in meaning.items() if k not in ("glyphs", "kind")}
                parts.append((chunk, payload, meaning))
            except unpack.Sealed as seal:
                row["status"] = f"sealed ({seal})"
            except RresError as fault:
                row["status"] = str(fault)
                self.errors.append(str(fault))
        if len(parts) == len(resource.chunks):
            try:
                typed.check_resource([meaning for _, _, meaning in parts])
            except RresError as fault:
                self.errors.append(f"resource {resource.id:08x}: {fault}")
        self.parts[resource.id] = parts

    def by_name(self):
        return {r.name: self.parts[r.id] for r in self.container.resources if r.name is not None}


def read(path, password=None):
    return Opened(pathlib.Path(path).read_bytes(), password)


def extract(opened, folder):
    """One file per chunk: the name, `.N` for linked ones, `.props.json` beside it."""
    root = pathlib.Path(folder).resolve()
    for resource in opened.container.resources:
        name = resource.name or f"{resource.id:08x}"
        for index, (_chunk, payload, meaning) in enumerate(opened.parts[resource.id]):
            suffix = f".{index}.{meaning['kind'].strip().lower()}" if len(resource.chunks) > 1 else ""
            target = (root / (name + suffix)).resolve()
            if root not in target.parents:
                raise RresError(f"name {name!r} leads outside of {folder}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(payload.data)
            facts = {"properties": payload.properties, **meaning}
            pathlib.Path(f"{target}.props.json").write_text(json.dumps(facts, indent=1))


def summary(row):
    facts = row.get("meaning", {})
    text = " ".join(f"{k}={v}" for k, v in facts.items())
    name = row["name"] or row["id"]
    head = f"{row['kind']} {row['id']} {row['compression']:>7} {row['packed']:>9} {row['base']:>9}"
    return f"{head}  {name}  {text or row['status']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--password")
    parser.add_argument("--extract", metavar="DIR")
    parser.add_argument("--c-safe", action="store_true", help="also list what the C readers would not read as meant")
    options = parser.parse_args()
    try:
        opened = read(options.pack, options.password)
        if options.extract:
            extract(opened, options.extract)
    except (RresError, OSError) as fault:
        print(f"{options.pack}: {fault}", file=sys.stderr)
        return 1
    if options.c_safe:
        import c_safety

        opened.errors += c_safety.hazards(opened)
    if options.json:
        print(json.dumps({"chunks": opened.rows, "notes": opened.notes, "errors": opened.errors}, indent=1))
    else:
        for row in opened.rows:
            print(summary(row))
        for level, texts in (("note", opened.notes), ("error", opened.errors)):
            for text in texts:
                print(f"{level}: {text}")
        print(f"{len(opened.rows)} chunks, {len(opened.container.resources)} resources, {len(opened.errors)} errors")
    return 1 if opened.errors else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""List the contents of a `.rres` pack and what is wrong with it.

Usage: read_rres.py PACK [--json] [--password TEXT] [--extract DIR] [--c-safe]. Exit codes: 0 if everything can be
read, 1 if something cannot. It verifies packs independently: it shares no code and no assumptions with the Rust crates.
"""

import argparse
import hashlib
import json
import pathlib
import sys
import zlib
from dataclasses import dataclass

import meshlets
import typed
import unpack
from container import CIPHER, COMPRESSION, Chunk, Container, RresError


@dataclass
class Decoded:
    """A chunk, its payload, and the values that `typed.describe` found in the payload."""

    chunk: Chunk
    payload: unpack.Payload
    fields: dict


class Opened:
    """A container with every payload decoded.

    `decoded` maps a resource id to the `Decoded` chunks of the resource, without those that failed. `rows` has a dict
    for each chunk, in the order of the resources.
    """

    def __init__(self, data, password=None):
        self.container = Container(data)
        self.rows = []
        self.decoded = {}
        self.errors = [text for level, text in self.container.findings if level == "error"]
        self.notes = [text for level, text in self.container.findings if level == "note"]
        for resource in self.container.resources:
            self._open(resource, password)

    def _open(self, resource, password):
        decoded = []
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
                payload = unpack.unpack(chunk, self.container.stored(chunk), password, self.container)
                row["properties"] = payload.properties
                row["size"] = len(payload.data)
                row["crc32"] = f"{zlib.crc32(payload.data):08x}"
                row["sha256"] = hashlib.sha256(payload.data).hexdigest()
                fields = typed.describe(chunk, payload)
                row["fields"] = {k: v for k, v in fields.items() if k not in ("glyphs", "kind")}
                decoded.append(Decoded(chunk, payload, fields))
            except unpack.Encrypted as cipher:
                row["status"] = f"encrypted ({cipher})"
            except RresError as error:
                row["status"] = str(error)
                self.errors.append(str(error))
        if len(decoded) == len(resource.chunks):
            try:
                typed.check_resource([chunk.fields for chunk in decoded])
                meshlets.check(decoded)
            except RresError as error:
                self.errors.append(f"resource {resource.id:08x}: {error}")
        self.decoded[resource.id] = decoded

    def by_name(self):
        named = [(n, r.id) for r in self.container.resources for n in (r.name, *r.also) if n is not None]
        return {name: self.decoded[id_] for name, id_ in named}


def read(path, password=None):
    return Opened(pathlib.Path(path).read_bytes(), password)


def extract(opened, folder):
    """Writes one file per chunk, and its properties to `FILE.props.json`.

    The file has the name of the resource. If the resource has several chunks, `.N.kind` is appended.
    """
    root = pathlib.Path(folder).resolve()
    for resource in opened.container.resources:
        name = resource.name or f"{resource.id:08x}"
        for index, decoded in enumerate(opened.decoded[resource.id]):
            suffix = f".{index}.{decoded.chunk.kind.strip().lower()}" if len(resource.chunks) > 1 else ""
            target = (root / (name + suffix)).resolve()
            if root not in target.parents:
                raise RresError(f"name {name!r} leads outside {folder}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(decoded.payload.data)
            properties = {"properties": decoded.payload.properties, **decoded.fields}
            pathlib.Path(f"{target}.props.json").write_text(json.dumps(properties, indent=1))


def summary(row):
    text = " ".join(f"{k}={v}" for k, v in row.get("fields", {}).items())
    name = row["name"] or row["id"]
    columns = f"{row['kind']} {row['id']} {row['compression']:>7} {row['packed']:>9} {row['base']:>9}"
    return f"{columns}  {name}  {text or row['status']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--password")
    parser.add_argument("--extract", metavar="DIR")
    parser.add_argument("--c-safe", action="store_true", help="also list what the C readers would misread")
    options = parser.parse_args()
    try:
        opened = read(options.pack, options.password)
        if options.extract:
            extract(opened, options.extract)
    except (RresError, OSError) as error:
        print(f"{options.pack}: {error}", file=sys.stderr)
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

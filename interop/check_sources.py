#!/usr/bin/env python3
"""Compare a pack with the files it was made from: check_sources.py PACK ASSETS_DIR [--skip GLOB]... [--verbose].

Every file under ASSETS_DIR is looked up by its path in the pack's directory and decoded by somebody else's decoder.
Prints one table row per kind and every difference. Exit 0: all equal or within the stated tolerance; 1: a difference;
2: bad call.
"""

import argparse
import collections
import fnmatch
import os
import pathlib
import sys
import unicodedata
import zlib

import source_font
import source_image
import source_model
import source_sound
from container import RresError
from read_rres import read

SETTINGS = ("assets.toml", "assets.lock")


def sources(root, skip):
    """(path in the pack, file), sorted; settings and hidden files are no assets."""
    found = []
    for folder, folders, files in os.walk(root, followlinks=True):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in files:
            path = pathlib.Path(folder, name)
            relative = path.relative_to(root).as_posix()
            hidden = name.startswith(".") or relative in SETTINGS
            if not hidden and path.is_file() and not any(fnmatch.fnmatch(relative, g) for g in skip):
                found.append((unicodedata.normalize("NFC", relative), path))
    return sorted(found)


def compare(name, path, parts, opened):
    """(kind, outcome, words) for one source file and the chunks it became."""
    kinds = [meaning["kind"] for _, _, meaning in parts]
    data = path.read_bytes()
    extension = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    first, payload = parts[0][2], parts[0][1]
    if kinds[0] in ("RAWD", "TEXT"):
        kind = {"TEXT": "text", "RAWD": "raw"}[kinds[0]]
        if kinds[0] == "RAWD" and extension in source_sound.EXTENSIONS:
            kind = "sound kept"
        same = payload.data == data
        return kind, "equal" if same else "failed", "" if same else f"{len(payload.data)} bytes, the file {len(data)}"
    if kinds[0] == "LINK":
        same = first["path"].endswith(name)
        return "link", "equal" if same else "failed", first["path"]
    if kinds == ["IMGE"]:
        return "image", *source_image.compare(data, name, first, payload)
    if kinds == ["WAVE"]:
        return "sound", *source_sound.compare(data, first, payload)
    if kinds[0] == "FNTG":
        return "font", *source_font.compare(data, parts)
    if "VRTX" in kinds:
        outcome, words = source_model.compare(path, parts)
        if outcome != "failed":
            worse = _embedded(name, path, opened)
            if worse:
                return "model", "failed", worse
        return "model", outcome, words
    return " ".join(kinds), "failed", "no independent decoder for this"


def _embedded(name, path, opened):
    """Images inside a model, which are resources of their own: `model.glb#image/0`."""
    by_id = {r.id: r for r in opened.container.resources}
    for number, data in source_model.Document(path).embedded_images():
        inner = f"{name}#image/{number}"
        resource = by_id.get(zlib.crc32(inner.encode()))
        if resource is None:
            return f"{inner} is not in the pack"
        _, payload, meaning = opened.parts[resource.id][0]
        outcome, words = source_image.compare(data, "", meaning, payload)
        if outcome == "failed":
            return f"{inner}: {words}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack", nargs="+", help="one pack, or all of a set")
    parser.add_argument("assets")
    parser.add_argument("--password")
    parser.add_argument("--skip", action="append", default=[], metavar="GLOB", help="source files the pack leaves out")
    parser.add_argument("--verbose", action="store_true", help="also print what was within a tolerance")
    options = parser.parse_args()
    if not os.path.isdir(options.assets):
        print(f"{options.assets} is no folder", file=sys.stderr)
        return 2
    try:
        packs = [read(path, options.password) for path in options.pack]
    except (RresError, OSError) as fault:
        print(f"{options.pack}: {fault}", file=sys.stderr)
        return 1
    errors = [text for opened in packs for text in opened.errors]
    for text in errors:
        print(f"error: {text}")
    named = {name: (parts, opened) for opened in packs for name, parts in opened.by_name().items()}
    table = collections.defaultdict(collections.Counter)
    claimed = set()
    for name, path in sources(options.assets, options.skip):
        if name not in named or not named[name][0]:
            kind, outcome, words = "missing", "failed", "not in the pack, or not readable"
        else:
            claimed.add(name)
            try:
                kind, outcome, words = compare(name, path, *named[name])
            except Exception as fault:  # a decoder of somebody else's refused the file: that is a difference, too
                kind, outcome, words = "unread", "failed", f"{type(fault).__name__}: {fault}"
        table[kind][outcome] += 1
        if outcome == "failed" or (options.verbose and outcome == "tolerance"):
            print(f"{outcome}: {name}: {kind}: {words}")
    extra = [n for n in named if n not in claimed and n.split("#", 1)[0] not in claimed]
    for name in extra:
        print(f"failed: {name}: in the pack, without a source file")
    print(f"{'kind':<12}{'files':>8}{'equal':>8}{'tolerance':>11}{'failed':>8}")
    for kind, row in sorted(table.items()) + [("total", sum(table.values(), collections.Counter()))]:
        print(f"{kind:<12}{sum(row.values()):>8}{row['equal']:>8}{row['tolerance']:>11}{row['failed']:>8}")
    return 1 if errors or extra or any(row["failed"] for row in table.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

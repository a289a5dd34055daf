#!/usr/bin/env python3
"""Compare a pack with the files it was made from: check_sources.py PACK ASSETS_DIR [--skip GLOB]... [--verbose].

Looks up every file under ASSETS_DIR by its path in the pack's directory, decodes it with a third-party decoder and
compares the result. Prints every difference, then a table with a row for each kind. Exit codes: 0 if everything is
equal or within the stated tolerance, 1 if something differs, 2 if the command line is wrong.
"""

import argparse
import collections
import fnmatch
import os
import pathlib
import sys
import unicodedata

import source_font
import source_image
import source_document
import source_model
import source_sound
from container import RresError
from read_rres import read

SETTINGS = ("assets.toml", "assets.lock")


def sources(root, skip):
    """Returns the sorted (path in the pack, file) of all assets. Settings and hidden files are not assets."""
    found = []
    for folder, folders, files in os.walk(root, followlinks=True):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in files:
            path = pathlib.Path(folder, name)
            relative = path.relative_to(root).as_posix()
            ignored = name.startswith(".") or relative in SETTINGS
            if not ignored and path.is_file() and not any(fnmatch.fnmatch(relative, g) for g in skip):
                found.append((unicodedata.normalize("NFC", relative), path))
    return sorted(found)


def compare(name, path, decoded, opened):
    """Compares a source file with its decoded chunks. Returns (kind, outcome, detail)."""
    kinds = [chunk.chunk.kind for chunk in decoded]
    data = path.read_bytes()
    extension = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    fields, payload = decoded[0].fields, decoded[0].payload
    if kinds[0] in ("RAWD", "TEXT"):
        kind = {"TEXT": "text", "RAWD": "raw"}[kinds[0]]
        if kinds[0] == "RAWD" and extension in source_sound.EXTENSIONS:
            kind = "sound source"
        if payload.data == data:
            return kind, "equal", ""
        if kind == "sound source" and payload.data[:4] == b"qoaf":
            return kind, *source_sound.compare_qoa(data, payload.data)
        return kind, "failed", f"{len(payload.data)} bytes, the source file has {len(data)}"
    if kinds[0] == "LINK":
        return "link", "equal" if fields["path"].endswith(name) else "failed", fields["path"]
    if kinds == ["IMGE"]:
        return "image", *source_image.compare(data, name, fields, payload)
    if kinds[0] == "WAVE":
        return "sound", *source_sound.compare(data, fields, payload)
    if kinds[0] == "FNTG":
        return "font", *source_font.compare(data, decoded)
    if "VRTX" in kinds:
        outcome, detail = source_model.compare(path, decoded)
        if outcome != "failed":
            difference = _compare_embedded_images(name, path, opened)
            if difference:
                return "model", "failed", difference
        return "model", outcome, detail
    return " ".join(kinds), "failed", "no independent decoder for this"


def _compare_embedded_images(name, path, opened):
    """Compares the images inside a model, which are sub-assets: `model.glb#image/0`. Returns the first difference."""
    by_name = opened.by_name()
    for number, data in source_document.Document(path).embedded_images():
        image_name = f"{name}#image/{number}"
        if image_name not in by_name:
            return f"{image_name} is not in the pack"
        image = by_name[image_name][0]
        if image.chunk.kind == "RAWD":
            # The pack keeps the file.
            if image.payload.data != data:
                return f"{image_name}: other bytes than in the model"
            continue
        outcome, detail = source_image.compare(data, "", image.fields, image.payload)
        if outcome == "failed":
            return f"{image_name}: {detail}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack", nargs="+", help="a pack, or all packs of a set")
    parser.add_argument("assets")
    parser.add_argument("--password")
    parser.add_argument("--skip", action="append", default=[], metavar="GLOB", help="source files that the pack omits")
    parser.add_argument("--verbose", action="store_true", help="also print what is within a tolerance")
    options = parser.parse_args()
    if not os.path.isdir(options.assets):
        print(f"{options.assets} is not a directory", file=sys.stderr)
        return 2
    try:
        packs = [read(path, options.password) for path in options.pack]
    except (RresError, OSError) as error:
        print(f"{options.pack}: {error}", file=sys.stderr)
        return 1
    errors = [text for opened in packs for text in opened.errors]
    for text in errors:
        print(f"error: {text}")
    resources = {name: (decoded, opened) for opened in packs for name, decoded in opened.by_name().items()}
    table = collections.defaultdict(collections.Counter)
    found = set()
    for name, path in sources(options.assets, options.skip):
        if name not in resources or not resources[name][0]:
            kind, outcome, detail = "missing", "failed", "not in the pack, or not readable"
        else:
            found.add(name)
            try:
                kind, outcome, detail = compare(name, path, *resources[name])
            except Exception as error:  # a third-party decoder rejected the file, which counts as a difference
                kind, outcome, detail = "unreadable", "failed", f"{type(error).__name__}: {error}"
        table[kind][outcome] += 1
        if outcome == "failed" or (options.verbose and outcome == "tolerance"):
            print(f"{outcome}: {name}: {kind}: {detail}")
    extra = [n for n in resources if n not in found and n.split("#", 1)[0] not in found]
    for name in extra:
        print(f"failed: {name}: in the pack, but without a source file")
    print(f"{'kind':<12}{'files':>8}{'equal':>8}{'tolerance':>11}{'failed':>8}")
    for kind, row in sorted(table.items()) + [("total", sum(table.values(), collections.Counter()))]:
        print(f"{kind:<12}{sum(row.values()):>8}{row['equal']:>8}{row['tolerance']:>11}{row['failed']:>8}")
    return 1 if errors or extra or any(row["failed"] for row in table.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

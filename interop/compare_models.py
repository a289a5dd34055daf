#!/usr/bin/env python3
"""Compare a pack of models with the files it was made from: compare_models.py PACK DIR BUILD_JSON.

BUILD_JSON is the output of `cargo rres build --keep-going --json`, which has the reason why a file is refused, and the notes that name what
is left out. Everything that a file has must be in the pack or in the note about the file. Exit codes: 0 if no model differs, 1
otherwise, 2 if the command line is wrong.
"""

import collections
import json
import pathlib
import sys

import source_document
import source_features
import source_model
import source_obj
from comparison import relative
from read_rres import read

TOPIC = "parts of models that have no place in a pack are left out"


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[2])
    opened = read(sys.argv[1], None)
    stored = opened.by_name()
    build = json.loads(pathlib.Path(sys.argv[3]).read_text())
    refusals = {item["place"]: item["message"] for item in build["diagnostics"]}
    refused = {name: why for place, why in refusals.items() for name in [relative(place, root)] if name}
    notes = [note for group in build["notes"] if group["topic"] == TOPIC for note in group["assets"]]
    left_out = {note["path"]: note["detail"] for note in notes}
    row = collections.Counter()
    for path in sorted(p for p in root.rglob("*") if p.suffix.lower() in (".gltf", ".glb", ".obj")):
        name = path.relative_to(root).as_posix()
        row["files"] += 1
        if name not in stored:
            outcome, detail = "refused", refused.get(name, "no reason given")
        else:
            try:
                if path.suffix.lower() == ".obj":
                    outcome, detail = source_obj.compare(path, stored[name])
                    phrases = source_features.of_obj(path)
                else:
                    outcome, detail = source_model.compare(path, stored[name])
                    phrases = source_features.of_gltf(source_document.Document(path))
                silent = source_features.missing(phrases, left_out.get(name, ""))
                if outcome != "failed" and silent:
                    outcome, detail = "failed", f"left out without a word: {', '.join(silent)}"
            except Exception as error:
                outcome, detail = "unread", f"{type(error).__name__}: {error}"
        print(f"{outcome}: {name}: {detail}")
        row[outcome] += 1
    print(", ".join(f"{count} {what}" for what, count in row.items()))
    return 1 if opened.errors or row["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

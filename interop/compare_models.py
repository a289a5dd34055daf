#!/usr/bin/env python3
"""Compare a pack of models with the files it was made from: compare_models.py PACK DIR BUILD_JSON NOTES.

BUILD_JSON is the output of `cargo rres build --keep-going --json`, which has the reason why a file is refused, and
NOTES is its standard error, which names what is left out. Every extension that a file uses must be supported or named. Exit codes: 0 if no model differs, 1 otherwise,
2 if the command line is wrong.
"""

import collections
import json
import pathlib
import sys

import source_model
import source_obj
from comparison import relative
from read_rres import read

# The extensions that docs/models.md calls supported.
SUPPORTED = {
    "KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual", "KHR_texture_basisu", "MSFT_texture_dds",
    "EXT_texture_webp", "EXT_meshopt_compression", "KHR_meshopt_compression",
    *(f"KHR_materials_{name}" for name in (
        "specular", "clearcoat", "sheen", "transmission", "volume", "iridescence", "anisotropy", "diffuse_transmission",
        "pbrSpecularGlossiness", "unlit", "emissive_strength", "ior", "dispersion",
    )),
}  # fmt: skip


def main():
    if len(sys.argv) != 5:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[2])
    opened = read(sys.argv[1], None)
    stored = opened.by_name()
    build = json.loads(pathlib.Path(sys.argv[3]).read_text())
    refusals = {item["place"]: item["message"] for item in build["diagnostics"]}
    refused = {name: why for place, why in refusals.items() for name in [relative(place, root)] if name}
    notes = pathlib.Path(sys.argv[4]).read_text()
    row = collections.Counter()
    for path in sorted(p for p in root.rglob("*") if p.suffix.lower() in (".gltf", ".glb", ".obj")):
        name = path.relative_to(root).as_posix()
        row["files"] += 1
        if name not in stored:
            outcome, detail = "refused", refused.get(name, "no reason given")
        else:
            try:
                is_obj = path.suffix.lower() == ".obj"
                outcome, detail = (source_obj if is_obj else source_model).compare(path, stored[name])
                used = set() if is_obj else set(source_model.Document(path).json.get("extensionsUsed", []))
                silent = [extension for extension in used - SUPPORTED if extension not in notes]
                if silent:
                    outcome, detail = "failed", f"left out without a word: {', '.join(sorted(silent))}"
            except Exception as error:
                outcome, detail = "unread", f"{type(error).__name__}: {error}"
        print(f"{outcome}: {name}: {detail}")
        row[outcome] += 1
    print(", ".join(f"{count} {what}" for what, count in row.items()))
    return 1 if opened.errors or row["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compare a pack of pictures with the files it was made from: compare_pictures.py PACK DIR BUILD_JSON.

BUILD_JSON is the output of `cargo rres build --keep-going --json`, which has the reason why a file is refused. Each file that is
in the pack is decoded with Pillow or a decoder of our own (source_image.py), and if that differs or fails with
ffmpeg. A file that is refused is decoded as well, because
one that other programs read should not be. Exit codes: 0 if no picture differs, 1 otherwise, 2 if the command line is wrong.
"""

import collections
import json
import pathlib
import shutil
import subprocess
import sys
import warnings

import numpy as np
import source_image
from comparison import print_table, relative
from read_rres import read


# Hostile files claim sizes that no machine has memory for; Pillow raises an error at twice this number.
source_image.Image.MAX_IMAGE_PIXELS = 1 << 26


def reads(data, name):
    """Returns whether the independent decoder reads a file."""
    try:
        source_image.source_pixels(data, name)
        return True
    except Exception:
        return False


def second_opinion(path, image):
    """Compares with ffmpeg, which reads files that Pillow does not, or reads otherwise. Returns an outcome or None."""
    number = source_image.FORMAT_NUMBER[image.fields["format"]]
    width, height = image.fields["width"], image.fields["height"]
    if not shutil.which("ffmpeg") or number > 7:
        return None
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-frames:v", "1", "-pix_fmt", "rgba", "-f", "rawvideo", "-"]
    found = subprocess.run(command, capture_output=True, timeout=60, check=False).stdout
    if len(found) != width * height * 4:
        return None
    rgba = np.frombuffer(found, np.uint8).reshape(height, width, 4)
    expected = source_image.expected_samples(rgba, number)
    stored = source_image.stored_samples(image.payload.data, width, height, number)
    if number in (1, 3, 4) and (rgba[:, :, 3] != 255).any():
        return None
    difference = np.abs(stored.astype(int) - expected.astype(int))
    # Channels of 5 or 6 bits: v * 255 / 31 is rounded, or the high bits are repeated.
    return "equal" if not difference.any() else "tolerance" if difference.max() <= 1 else None


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
    table = collections.defaultdict(collections.Counter)
    warnings.simplefilter("ignore")
    for path in sorted(p for p in root.rglob("*") if p.is_file() and p.name != "assets.toml"):
        name = path.relative_to(root).as_posix()
        row = table[path.suffix.lower().lstrip(".").replace("jpeg", "jpg")]
        data = path.read_bytes()
        row["files"] += 1
        if name not in stored:
            outcome = "refused, too" if not reads(data, name) else "refused"
            print(f"{outcome}: {name}: {refused.get(name, 'no reason given')}")
        else:
            image = stored[name][0]
            try:
                outcome, detail = source_image.compare(data, name, image.fields, image.payload)
            except Exception as error:
                outcome, detail = "unread", f"{type(error).__name__}: {error}"
            if outcome in ("failed", "unread"):
                outcome = second_opinion(path, image) or outcome
            if outcome in ("failed", "unread"):
                print(f"{outcome}: {name}: {detail}")
        row[outcome] += 1
    columns = ["files", "equal", "tolerance", "refused, too", "refused", "unread", "failed"]
    print_table(table, columns)
    return 1 if opened.errors or any(row["failed"] for row in table.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

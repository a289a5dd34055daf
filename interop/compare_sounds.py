#!/usr/bin/env python3
"""Compare a pack of sounds with the files it was made from: compare_sounds.py PACK DIR BUILD_JSON.

BUILD_JSON is the output of `cargo rres build --keep-going --json`, which has the reason why a file is refused. Each file that is
in the pack is decoded with ffmpeg, and if that differs with the decoder of the format's authors: libsndfile (WAV, AIFF, CAF),
flac, oggdec, opusdec, mpg123 by libsndfile. A file that is refused is decoded as well, because one that other programs read should
not be. Exit codes: 0 if no sound differs, 1 otherwise, 2 if the command line is wrong.
"""

import collections
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import soundfile
import source_sound
from comparison import print_table, relative
from read_rres import read

# In steps of 16 bits. The decoder of Opus here computes with integers, the others with floats.
STEPS = {"opus": 24}
LOSSY_STEPS = 2
LOSSLESS = ("pcm_", "flac", "alac")


def probe(path):
    """Returns the codec, the rate and the number of channels of the first sound; None if ffmpeg finds none."""
    fields = "stream=codec_name,sample_rate,channels"
    command = ["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", fields, "-of", "json", path]
    found = subprocess.run(command, capture_output=True, timeout=120, check=False).stdout
    try:
        streams = json.loads(found or "{}").get("streams") or [{}]
    except json.JSONDecodeError:  # it gives up in the middle of what it prints
        return None
    stream = streams[0]
    if "codec_name" not in stream or not int(stream.get("sample_rate", 0)):
        return None
    return stream["codec_name"], int(stream["sample_rate"]), stream["channels"]


def of_ffmpeg(path, codec, channels):
    """Returns the frames as floats, and whether ffmpeg finds the file damaged."""
    # Its own decoder of Opus leaves other frames out at the end.
    decoder = ["-c:a", "libopus"] if codec == "opus" else []
    command = ["ffmpeg", "-v", "error", *decoder, "-i", path, "-map", "a:0", "-f", "f32le", "-c:a", "pcm_f32le", "-"]
    found = subprocess.run(command, capture_output=True, timeout=300, check=False)
    data = found.stdout[: len(found.stdout) // (4 * channels) * 4 * channels]
    is_damaged = found.returncode != 0 or bool(re.search(rb"nvalid|error|corrupt|rror while|EOF", found.stderr))
    return np.frombuffer(data, "<f4").reshape(-1, channels), is_damaged


def of_author(path, codec):
    """Returns the frames as floats by the decoder of the format's authors, or None."""
    programs = {"opus": ["opusdec", "--quiet", "--no-dither", "--rate", "48000"], "vorbis": ["oggdec", "-Q"]}
    with tempfile.TemporaryDirectory() as directory:
        wav = str(pathlib.Path(directory) / "a.wav")
        if codec == "flac":
            command = ["flac", "-s", "-d", "-f", "--force-wave64-format", "-o", wav, path]
        elif codec in programs:
            ends = ["-o", wav, path] if codec == "vorbis" else [path, wav]
            command = programs[codec] + ends
        else:
            command = None
        try:
            if command:
                subprocess.run(command, capture_output=True, timeout=300, check=True)
                path = wav
            data = pathlib.Path(path).read_bytes()
            return soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)[0]
        except (subprocess.SubprocessError, soundfile.SoundFileError, OSError):
            return None


def stored(chunk):
    """Returns the stored samples as floats of full scale 1."""
    bits, channels = chunk.fields["bits"], chunk.fields["channels"]
    data = chunk.payload.data
    if bits == 8:
        samples = (np.frombuffer(data, np.uint8).astype(np.float32) - 128) / 128
    elif bits == 16:
        samples = np.frombuffer(data, "<i2").astype(np.float32) / 32768
    else:
        samples = np.frombuffer(data, "<f4")
    return samples.reshape(-1, channels)


def difference(found, expected, bits, codec):
    """Returns an outcome and a detail."""
    if found.shape != expected.shape:
        detail = f"{codec}: {found.shape[0]} frames of {found.shape[1]} channels, expected {expected.shape}"
        is_part = found.shape[1] == expected.shape[1] and _is_part(found, expected, bits, codec)
        return ("other ends" if is_part else "failed"), detail
    if codec.startswith(LOSSLESS):
        # NaN and infinity are samples, too.
        if np.array_equal(found, expected, equal_nan=True):
            return "equal", ""
        steps = np.nanmax(np.abs(found.astype(float) - expected)) * 2 ** (bits - 1)
        return "failed", f"{codec}: largest difference {steps:.3g} of {bits} bits"
    expected = np.clip(np.rint(expected * 32768.0), -32768, 32767)
    steps = np.abs(np.rint(found * 32768.0) - expected).max(initial=0)
    if steps == 0:
        return "equal", ""
    limit = STEPS.get(codec, LOSSY_STEPS)
    return ("tolerance" if steps <= limit else "failed"), f"{codec}: largest difference {steps:.0f} steps of 16 bits"


def _is_part(found, expected, bits, codec):
    """Returns whether one sound is a part of the other, within the tolerance."""
    short, long = sorted((found, expected), key=len)
    if len(short) == 0 or len(long) - len(short) > 20_000:
        return False
    middle = len(short) // 2
    probe_frames = short[middle : middle + 64]
    for start in range(len(long) - len(short) + 1):
        near = np.abs(long[start + middle : start + middle + len(probe_frames)] - probe_frames).max(initial=0)
        if near < 0.002 and difference(short, long[start : start + len(short)], bits, codec)[0] != "failed":
            return True
    return False


def compare(path, chunk):
    """Compares a stored sound with its file. Returns an outcome and a detail."""
    probed = probe(path)
    found = stored(chunk)
    codec = probed[0] if probed else path.suffix.lstrip(".")
    outcome, detail = "unread", "no other decoder here reads it"
    if probed:
        _, rate, channels = probed
        outcome, detail = difference(found, of_ffmpeg(path, codec, channels)[0], chunk.fields["bits"], codec)
        if rate != chunk.fields["rate"]:
            outcome, detail = "failed", f"{codec}: {chunk.fields['rate']} Hz, ffmpeg finds {rate} Hz"
    if outcome not in ("equal", "tolerance"):
        second = of_author(path, codec)
        if second is not None:
            second, other = difference(found, second, chunk.fields["bits"], codec)
            if second in ("equal", "tolerance"):
                return second, other
            detail += f"; the second decoder: {other}"
    return outcome, detail


def is_readable(path):
    """Returns whether another decoder reads a file without an error."""
    probed = probe(path)
    if probed is None:
        return False
    samples, is_damaged = of_ffmpeg(path, probed[0], probed[2])
    return not is_damaged and len(samples) > 0


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[2])
    opened = read(sys.argv[1], None)
    resources = opened.by_name()
    build = json.loads(pathlib.Path(sys.argv[3]).read_text())
    refused = {relative(item["place"], root): item["message"] for item in build["diagnostics"]}
    table = collections.defaultdict(collections.Counter)
    for path in sorted(p for p in root.rglob("*") if p.is_file() and p.suffix[1:].lower() in source_sound.EXTENSIONS):
        name = path.relative_to(root).as_posix()
        row = table[path.suffix.lower().lstrip(".")]
        row["files"] += 1
        if name not in resources:
            outcome, detail = "refused" if is_readable(path) else "refused, too", refused.get(name, "no reason given")
        else:
            outcome, detail = compare(path, resources[name][0])
        if outcome not in ("equal", "tolerance"):
            print(f"{outcome}: {name}: {detail}")
        row[outcome] += 1
    columns = ["files", "equal", "tolerance", "other ends", "refused, too", "refused", "unread", "failed"]
    print_table(table, columns)
    return 1 if opened.errors or any(row["failed"] for row in table.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares the samples that `cargo rres extract` wrote of Opus files with the samples of opusdec, which is libopus.

    python3 interop/opus.py DIRECTORY EXTRACTED

Each file must have the same number of frames and channels. The samples of up to two channels may differ by a few steps: opusdec
computes with floats, the decoder here with integers, as the specification allows. opusdec writes more channels in the order
of a WAV, too.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import soundfile

# In steps of 16 bits.
STEPS = 24


def compare(source, extracted):
    """Returns an error, or the largest difference in steps."""
    with tempfile.TemporaryDirectory() as directory:
        wav = pathlib.Path(directory) / "a.wav"
        command = ["opusdec", "--quiet", "--no-dither", "--rate", "48000", source, wav]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        expected, rate = soundfile.read(wav, dtype="int16", always_2d=True)
    found, found_rate = soundfile.read(extracted, dtype="int16", always_2d=True)
    if (found.shape, found_rate) != (expected.shape, rate):
        return f"{found.shape} at {found_rate} Hz, opusdec finds {expected.shape} at {rate} Hz"
    return int(np.abs(found.astype(int) - expected).max(initial=0))


def main(sources, extracted):
    failed, largest, count = 0, 0, 0
    for source in sorted(pathlib.Path(sources).rglob("*.opus")):
        result = compare(source, pathlib.Path(extracted) / f"{source.relative_to(sources)}.wav")
        count += 1
        if isinstance(result, str) or result > STEPS:
            failed += 1
            print(f"{source}: {result}")
        else:
            largest = max(largest, result)
    print(f"{count} files, {failed} differ; largest difference {largest} steps")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

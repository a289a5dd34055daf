"""Sound file -> samples through libsndfile, compared with a WAVE chunk.

Exact for PCM, FLAC and float sources; Vorbis and MP3 within the stated steps of 16 bits, with as many frames.
"""

import io

import numpy as np
import soundfile

EXTENSIONS = {"wav", "ogg", "oga", "flac", "mp3"}
# decoders of lossy formats differ in the order of float operations, then in rounding to 16 bits.
LOSSY_STEPS = 2


def compare(data, meaning, payload):
    """('equal' | 'tolerance' | 'failed', words)."""
    with soundfile.SoundFile(io.BytesIO(data)) as sound:
        subtype, rate, channels = sound.subtype, sound.samplerate, sound.channels
        floating = subtype in ("FLOAT", "DOUBLE", "VORBIS") or subtype.startswith("MPEG")
        samples = sound.read(dtype="float64" if floating else "int32", always_2d=True)
    if (meaning["rate"], meaning["channels"]) != (rate, channels):
        return "failed", f"is {meaning['channels']} x {meaning['rate']} Hz, the source {channels} x {rate} Hz"
    if meaning["frames"] != len(samples):
        return "failed", f"{meaning['frames']} frames, libsndfile finds {len(samples)}"
    lossy = subtype == "VORBIS" or subtype.startswith("MPEG") or "ADPCM" in subtype
    bits = meaning["bits"]
    found = _stored(payload.data, bits).reshape(-1, channels)
    if bits == 32:
        wanted = samples.astype(np.float32) if floating else (samples / 2.0**31).astype(np.float32)
        gap = np.abs(found.astype(float) - wanted).max(initial=0)
        steps = gap * 32768
    else:
        scaled = samples * 2.0 ** (bits - 1) if floating else samples / 2.0 ** (32 - bits)
        wanted = np.clip(np.rint(scaled), -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        gap = np.abs(found - wanted).max(initial=0)
        steps = gap
    if gap == 0:
        return "equal", subtype
    words = f"{subtype}: largest difference {steps:.3g} steps"
    narrowed = not lossy and bits < _source_bits(subtype)
    if steps <= (LOSSY_STEPS if lossy else 1 if narrowed else 0):
        return "tolerance", words
    return "failed", words


def _source_bits(subtype):
    return {"PCM_U8": 8, "PCM_S8": 8, "PCM_16": 16, "PCM_24": 24}.get(subtype, 32)


def _stored(data, bits):
    if bits == 8:
        return np.frombuffer(data, np.uint8).astype(np.int32) - 128
    if bits == 16:
        return np.frombuffer(data, "<i2").astype(np.int32)
    if bits == 32:
        return np.frombuffer(data, "<f4")
    raw = np.frombuffer(data, np.uint8).reshape(-1, 3).astype(np.int32)
    return (raw[:, 0] | raw[:, 1] << 8 | raw[:, 2] << 16) << 8 >> 8

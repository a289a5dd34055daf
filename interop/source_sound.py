"""Compares a WAVE chunk with the samples that libsndfile decodes from the sound file.

PCM, FLAC and float sources must be equal. Vorbis and MP3 must have the same number of frames, and samples within the
tolerance below.
"""

import io

import numpy as np
import qoa_sound
import soundfile

EXTENSIONS = {"wav", "wave", "aiff", "aif", "aifc", "caf", "ogg", "oga", "opus", "flac", "mp3", "m4a", "aac"}
# In steps of 16 bits: decoders of lossy formats order their float operations differently, then round to 16 bits.
LOSSY_STEPS = 2
# QOA has about 3.2 bits a sample.
QOA_DECIBELS = 20


def compare(data, fields, payload):
    """Returns ('equal', 'tolerance' or 'failed', detail)."""
    with soundfile.SoundFile(io.BytesIO(data)) as sound:
        subtype, rate, channels = sound.subtype, sound.samplerate, sound.channels
        floating = subtype in ("FLOAT", "DOUBLE", "VORBIS") or subtype.startswith("MPEG")
        samples = sound.read(dtype="float64" if floating else "int32", always_2d=True)
    if (fields["rate"], fields["channels"]) != (rate, channels):
        return "failed", f"is {fields['channels']} x {fields['rate']} Hz, the source is {channels} x {rate} Hz"
    if fields["frames"] != len(samples):
        return "failed", f"{fields['frames']} frames, libsndfile finds {len(samples)}"
    lossy = subtype == "VORBIS" or subtype.startswith("MPEG") or "ADPCM" in subtype
    bits = fields["bits"]
    found = _stored_samples(payload.data, bits).reshape(-1, channels)
    if bits == 32:
        expected = samples.astype(np.float32) if floating else (samples / 2.0**31).astype(np.float32)
        difference = np.abs(found.astype(float) - expected).max(initial=0)
        steps = difference * 32768
    else:
        scaled = samples * 2.0 ** (bits - 1) if floating else samples / 2.0 ** (32 - bits)
        expected = np.clip(np.rint(scaled), -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        difference = np.abs(found - expected).max(initial=0)
        steps = difference
    if difference == 0:
        return "equal", subtype
    detail = f"{subtype}: largest difference {steps:.3g} steps"
    narrowed = not lossy and bits < _source_bits(subtype)
    if steps <= (LOSSY_STEPS if lossy else 1 if narrowed else 0):
        return "tolerance", detail
    return "failed", detail


def compare_qoa(data, stored):
    """Compares a QOA file with the sound file that it was encoded from. Returns ('tolerance' or 'failed', detail)."""
    expected, rate = soundfile.read(io.BytesIO(data), dtype="int16", always_2d=True)
    found, found_rate = qoa_sound.decode(stored)
    if (found.shape, found_rate) != (expected.shape, rate):
        return "failed", f"QOA of {found.shape} at {found_rate} Hz, the source has {expected.shape} at {rate} Hz"
    noise = np.square(found - expected.astype(float)).mean() or 1e-9
    decibels = 10 * np.log10(np.square(expected.astype(float)).mean() / noise)
    return "tolerance" if decibels >= QOA_DECIBELS else "failed", f"QOA: {decibels:.0f} dB above its noise"


def _source_bits(subtype):
    return {"PCM_U8": 8, "PCM_S8": 8, "PCM_16": 16, "PCM_24": 24}.get(subtype, 32)


def _stored_samples(data, bits):
    if bits == 8:
        return np.frombuffer(data, np.uint8).astype(np.int32) - 128
    if bits == 16:
        return np.frombuffer(data, "<i2").astype(np.int32)
    if bits == 32:
        return np.frombuffer(data, "<f4")
    raw = np.frombuffer(data, np.uint8).reshape(-1, 3).astype(np.int32)
    return (raw[:, 0] | raw[:, 1] << 8 | raw[:, 2] << 16) << 8 >> 8

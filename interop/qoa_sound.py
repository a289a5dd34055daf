"""Decodes QOA files, from the text of the specification (qoaformat.org)."""

import struct

import numpy as np

SLICE = 20
SCALES = [round((s + 1) ** 2.75) for s in range(16)]
STEPS = [0.75, -0.75, 2.5, -2.5, 4.5, -4.5, 7, -7]


def _rounded(number):
    """Rounds to the nearest integer, halves away from zero."""
    return int(number + 0.5) if number >= 0 else -int(-number + 0.5)


RESIDUALS = [[_rounded(scale * step) for step in STEPS] for scale in SCALES]


def decode(data):
    """Returns (samples of 16 bits by frame and channel, rate)."""
    if data[:4] != b"qoaf":
        raise ValueError("is no QOA file")
    (total,) = struct.unpack(">I", data[4:8])
    at, parts, rate = 8, [], 0
    while at < len(data):
        (head,) = struct.unpack(">Q", data[at : at + 8])
        channels, rate, count, size = head >> 56, head >> 32 & 0xFFFFFF, head >> 16 & 0xFFFF, head & 0xFFFF
        state = np.array(struct.unpack(f">{8 * channels}h", data[at + 8 : at + 8 + 16 * channels])).reshape(channels, 2, 4)
        history, weights = state[:, 0].tolist(), state[:, 1].tolist()
        samples = np.zeros((count, channels), np.int32)
        slices = struct.iter_unpack(">Q", data[at + 8 + 16 * channels : at + size])
        for start in range(0, count, SLICE):
            for channel in range(channels):
                (bits,) = next(slices)
                residuals, past, weight = RESIDUALS[bits >> 60], history[channel], weights[channel]
                for i in range(min(SLICE, count - start)):
                    residual = residuals[bits >> 57 - 3 * i & 7]
                    predicted = sum(w * h for w, h in zip(weight, past)) >> 13
                    sample = max(-32768, min(32767, predicted + residual))
                    samples[start + i, channel] = sample
                    delta = residual >> 4
                    weight[:] = [w - delta if h < 0 else w + delta for w, h in zip(weight, past)]
                    past[:] = past[1:] + [sample]
        parts.append(samples)
        at += size
    whole = np.concatenate(parts)
    if len(whole) != total:
        raise ValueError(f"has {len(whole)} samples, and says {total}")
    return whole, rate

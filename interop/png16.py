"""Decodes PNG files with 16 bits per sample into numpy arrays (height, width, channels) of uint16.

Pillow reduces 16-bit colour to 8 bits. This module supports the four 16-bit colour types, both interlace modes and
tRNS.
"""

import struct
import zlib

import numpy as np

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def is_16_bit(data):
    return data[:8] == b"\x89PNG\r\n\x1a\n" and data[24:25] == b"\x10"


def decode(data):
    width, height, _depth, color, _c, _f, interlace = struct.unpack_from(">IIBBBBB", data, 16)
    channels = CHANNELS[color]
    packed, key, at = b"", None, 8
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IDAT":
            packed += body
        elif kind == b"tRNS":
            key = struct.unpack(f">{channels}H", body)
        at += 12 + length
    raw = zlib.decompress(packed)
    image = np.zeros((height, width, channels), np.uint16)
    passes = ADAM7 if interlace else ((0, 0, 1, 1),)
    at = 0
    for x, y, step_x, step_y in passes:
        columns, rows = -(-(width - x) // step_x), -(-(height - y) // step_y)
        if columns > 0 and rows > 0:
            samples, at = _unfilter(raw, at, columns, rows, channels)
            image[y::step_y, x::step_x] = samples
    if key is not None:
        alpha = np.where((image == key).all(axis=2), 0, 65535).astype(np.uint16)
        image = np.dstack([image, alpha])
    return image


def _unfilter(raw, at, columns, rows, channels):
    bytes_per_pixel, stride = channels * 2, columns * channels * 2
    above = bytearray(stride)
    lines = []
    for _ in range(rows):
        kind, line = raw[at], bytearray(raw[at + 1 : at + 1 + stride])
        at += 1 + stride
        for n in range(stride):
            left = line[n - bytes_per_pixel] if n >= bytes_per_pixel else 0
            corner = above[n - bytes_per_pixel] if n >= bytes_per_pixel else 0
            if kind == 1:
                line[n] = line[n] + left & 255
            elif kind == 2:
                line[n] = line[n] + above[n] & 255
            elif kind == 3:
                line[n] = line[n] + (left + above[n]) // 2 & 255
            elif kind == 4:
                guess = left + above[n] - corner
                nearest = min((left, above[n], corner), key=lambda v: abs(guess - v))
                line[n] = line[n] + nearest & 255
        lines.append(bytes(line))
        above = line
    values = np.frombuffer(b"".join(lines), ">u2").reshape(rows, columns, channels)
    return values.astype(np.uint16), at

"""Decodes QOI images, as the one-page QOI specification defines them."""

import struct

from container import RresError


def decode(data, limit):
    """Returns (width, height, channels, pixel bytes); rejects an image of more than `limit` bytes of pixels."""
    if len(data) < 14 or data[:4] != b"qoif":
        raise RresError(f"qoi: signature is {data[:4]!r}, expected b'qoif'")
    width, height, channels, _space = struct.unpack_from(">IIBB", data, 4)
    if channels not in (3, 4) or width == 0 or height == 0:
        raise RresError(f"qoi: image of {width}x{height} with {channels} channels")
    size = width * height * channels
    if size > limit:
        raise RresError(f"qoi: decodes to {size} bytes, expected at most {limit}")
    out = bytearray()
    index = [(0, 0, 0, 0)] * 64
    pixel = (0, 0, 0, 255)
    at = 14
    try:
        while len(out) < size:
            tag = data[at]
            at += 1
            run = 1
            if tag == 0xFE:
                pixel = (data[at], data[at + 1], data[at + 2], pixel[3])
                at += 3
            elif tag == 0xFF:
                pixel = (data[at], data[at + 1], data[at + 2], data[at + 3])
                at += 4
            elif tag >> 6 == 0:
                pixel = index[tag]
            elif tag >> 6 == 1:
                red, green, blue, alpha = pixel
                pixel = (
                    red + (tag >> 4 & 3) - 2 & 255,
                    green + (tag >> 2 & 3) - 2 & 255,
                    blue + (tag & 3) - 2 & 255,
                    alpha,
                )
            elif tag >> 6 == 2:
                shift = (tag & 63) - 32
                second = data[at]
                at += 1
                red, green, blue, alpha = pixel
                pixel = (
                    red + shift + (second >> 4) - 8 & 255,
                    green + shift & 255,
                    blue + shift + (second & 15) - 8 & 255,
                    alpha,
                )
            else:
                run = (tag & 63) + 1
            index[(pixel[0] * 3 + pixel[1] * 5 + pixel[2] * 7 + pixel[3] * 11) % 64] = pixel
            out += bytes(pixel[:channels]) * run
    except IndexError:
        raise RresError(f"qoi: stream ends after {len(out)} of {size} bytes") from None
    return width, height, channels, bytes(out[:size])

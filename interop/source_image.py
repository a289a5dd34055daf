"""Compares the first mip level of an IMGE chunk with the pixels that independent decoders find in the image file.

Pillow decodes most formats; QOI, Radiance HDR and 16-bit PNG have short decoders of our own. DDS blocks must be those
of the file. The expected samples are computed in the chunk's pixel format. Lossy sources (JPEG, lossy WebP) have a
stated tolerance.
"""

import io
import struct

import numpy as np
from PIL import Image, ImageOps

import png16
import qoi
import typed

Image.MAX_IMAGE_PIXELS = None
# JPEG decoders may round the inverse DCT, the upsampling of chroma and the colour transform differently.
LOSSY_MAX, LOSSY_MEAN = 8, 0.6
FORMAT_NUMBER = {name: number for number, (name, _) in typed.PIXEL_FORMATS.items()}


def source_pixels(data, name):
    """Returns (array, whether the format is lossy). The array is RGBA, (height, width, 4), uint8, uint16 or float32."""
    if png16.is_16_bit(data):
        return _rgba(png16.decode(data)), False
    if data[:4] == b"qoif":
        width, height, channels, out = qoi.decode(data, 1 << 30)
        return _rgba(np.frombuffer(out, np.uint8).reshape(height, width, channels)), False
    if data[:2] == b"#?":
        return _rgba(_radiance(data)), False
    image = Image.open(io.BytesIO(data), formats=["TGA"] if name.lower().endswith(".tga") else None)
    lossy = image.format == "JPEG" or (image.format == "WEBP" and b"VP8L" not in data[:64])
    if image.mode in ("I;16", "I;16B", "I"):
        return _rgba(np.asarray(image).astype(np.uint16)[:, :, None]), lossy
    # An importer turns pictures upright.
    rgba = np.array(ImageOps.exif_transpose(image.convert("RGBA") if image.format == "GIF" else image).convert("RGBA"))
    if image.format == "TGA" and data[16] in (15, 16) and data[2] & 7 == 2:
        # Decoders disagree on what the attribute bit means: transparent (Pillow, if it is 1), opaque, or nothing.
        rgba[:, :, 3] = 255
    return rgba, lossy


def _rgba(array):
    """Expands gray, gray with alpha, or RGB to RGBA."""
    full = {np.dtype(np.uint8): 255, np.dtype(np.uint16): 65535, np.dtype(np.float32): 1.0}[array.dtype]
    opaque = np.full(array.shape[:2] + (1,), full, array.dtype)
    gray = array[:, :, :1]
    channels = {
        1: (gray, gray, gray, opaque),
        2: (gray, gray, gray, array[:, :, 1:]),
        3: (array, opaque),
        4: (array,),
    }[array.shape[2]]
    return np.dstack(channels)


def _radiance(data):
    """Decodes RGBE scan lines, flat or run-length encoded, to linear float32."""
    header, body = data.split(b"\n\n", 1)
    size, body = body.split(b"\n", 1)
    assert b"32-bit_rle_rgbe" in header, "only RGBE is supported"
    sign_y, height, sign_x, width = size.split()
    assert (sign_y, sign_x) == (b"-Y", b"+X"), "only rows from top to bottom are supported"
    height, width = int(height), int(width)
    rows = np.zeros((height, width, 4), np.uint8)
    at = 0
    for y in range(height):
        if not (8 <= width < 32768 and body[at : at + 2] == b"\2\2"):
            rows[y] = np.frombuffer(body, np.uint8, 4 * width, at).reshape(width, 4)
            at += 4 * width
            continue
        at += 4
        for channel in range(4):
            x = 0
            while x < width:
                count = body[at]
                if count > 128:
                    rows[y, x : x + count - 128, channel] = body[at + 1]
                    x, at = x + count - 128, at + 2
                else:
                    rows[y, x : x + count, channel] = np.frombuffer(body, np.uint8, count, at + 1)
                    x, at = x + count, at + 1 + count
    scale = np.ldexp(1.0, rows[:, :, 3].astype(int) - 136)
    scale[rows[:, :, 3] == 0] = 0
    return (rows[:, :, :3] * scale[:, :, None]).astype(np.float32)


def _to_depth(rgba, maximum):
    """Scales samples to 0..maximum and rounds them."""
    if rgba.dtype == np.float32:
        return np.rint(np.clip(rgba, 0, 1) * maximum).astype(np.uint16)
    full = 255 if rgba.dtype == np.uint8 else 65535
    wide = rgba.astype(np.uint32)
    return ((wide * maximum * 2 + full) // (full * 2)).astype(np.uint16)


def expected_samples(rgba, number):
    """Returns the samples that a chunk of this pixel format has for these pixels: (height, width, channels)."""
    if number >= 8:
        if rgba.dtype == np.float32:
            floats = rgba
        else:
            full = np.float32(255 if rgba.dtype == np.uint8 else 65535)
            floats = rgba.astype(np.float32) / full
        return floats[:, :, : {8: 1, 9: 3, 10: 4}[number]]
    limits = {3: (31, 63, 31), 5: (31, 31, 31, 1), 6: (15, 15, 15, 15)}.get(number, (255,) * 4)
    samples = [_to_depth(rgba[:, :, c], limits[c]) for c in range(len(limits))]
    order = {1: (0,), 2: (0, 3), 3: (0, 1, 2), 4: (0, 1, 2), 5: (0, 1, 2, 3), 6: (0, 1, 2, 3), 7: (0, 1, 2, 3)}[number]
    return np.dstack([samples[c] for c in order])


def stored_samples(data, width, height, number):
    """Returns the samples of the first level of a chunk, in the same shape as `expected_samples`."""
    size = typed.level_size(width, height, number)
    data = data[:size]
    if number >= 8:
        return np.frombuffer(data, "<f4").reshape(height, width, -1)
    if number in (1, 2, 4, 7):
        return np.frombuffer(data, np.uint8).astype(np.uint16).reshape(height, width, -1)
    word = np.frombuffer(data, "<u2").reshape(height, width)
    shifts = {
        3: ((11, 31), (5, 63), (0, 31)),
        5: ((11, 31), (6, 31), (1, 31), (0, 1)),
        6: ((12, 15), (8, 15), (4, 15), (0, 15)),
    }[number]
    return np.dstack([word >> shift & mask for shift, mask in shifts])


def compare(data, name, fields, payload):
    """Returns ('equal', 'tolerance' or 'failed', detail)."""
    number = FORMAT_NUMBER[fields["format"]]
    if data[:4] == b"DDS ":
        return compare_dds(data, payload, number)
    if number >= 11:
        return "failed", f"{fields['format']} blocks, but the source file has none: not compared"
    rgba, lossy = source_pixels(data, name)
    height, width = rgba.shape[:2]
    if (fields["width"], fields["height"]) != (width, height):
        return "failed", f"is {fields['width']}x{fields['height']}, the source is {width}x{height}"
    found = stored_samples(payload.data + bytes(payload.missing_tail), width, height, number)
    expected = expected_samples(rgba, number)
    if number in (1, 2, 8) and not ((rgba[:, :, 0] == rgba[:, :, 1]) & (rgba[:, :, 1] == rgba[:, :, 2])).all():
        return "failed", f"{fields['format']} of a coloured image: not compared"
    if number in (1, 3, 4, 8, 9) and (rgba[:, :, 3] != _opaque(rgba)).any():
        return "failed", f"{fields['format']} has no alpha, but the source has"
    if payload.missing_tail:
        found, expected = (a.reshape(-1)[: -payload.missing_tail] for a in (found, expected))
    if found.dtype == np.float32:
        if np.array_equal(found.view(np.uint32), np.ascontiguousarray(expected).view(np.uint32)):
            return "equal", ""
        difference = float(np.abs(found - expected).max())
        return ("tolerance" if difference <= 6e-8 else "failed"), f"largest difference {difference:g}"
    difference = np.abs(found.astype(int) - expected.astype(int))
    if not difference.any():
        return "equal", ""
    detail = f"largest difference {difference.max()}, mean {difference.mean():.3f}"
    if lossy and difference.max() <= LOSSY_MAX and difference.mean() <= LOSSY_MEAN:
        return "tolerance", detail
    if number == 7 and _premultiplied(rgba, found):
        return "tolerance", "premultiplied by alpha, each within 1"
    return "failed", detail


def _opaque(rgba):
    """Returns the largest sample, which means opaque in the alpha channel."""
    return {"uint8": 255, "uint16": 65535, "float32": 1.0}[str(rgba.dtype)]


def _premultiplied(rgba, found):
    alpha = rgba[:, :, 3:].astype(float) / _opaque(rgba)
    product = rgba[:, :, :3] / _opaque(rgba) * alpha * 255
    return np.abs(found[:, :, :3] - product).max() <= 1 and (found[:, :, 3] == _to_depth(rgba[:, :, 3], 255)).all()


def compare_dds(data, payload, number):
    height, width, _pitch, _depth, _mips = struct.unpack_from("<5I", data, 12)
    start = 148 if data[84:88] == b"DX10" else 128
    if payload.properties[:2] != [width, height]:
        return "failed", f"is {payload.properties[:2]}, the source is {[width, height]}"
    if number >= 11:
        same = data[start : start + len(payload.data)] == payload.data
        return ("equal", "blocks") if same else ("failed", "blocks differ from the source's")
    rgba = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))
    found = stored_samples(payload.data, width, height, number)
    same = np.array_equal(found, expected_samples(rgba, number))
    return ("equal", "") if same else ("failed", "pixels differ")

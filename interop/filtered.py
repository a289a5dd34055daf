"""Compression 52: sections of predicted pixels, samples and vertices, decoded as docs/format.md describes them.

The predictors run number by number, or row by row with numpy: slow, but nothing like the vector code of the crates.
"""

import numpy as np

from container import RresError

BLOCK = 4096
HISTORY = 4
NUMBERS = {1: np.uint8, 2: np.uint16, 4: np.uint32}


def decode(stored, size, zstd_frames, lz4_block):
    """Decodes all sections; `zstd_frames(bytes, limit)` decompresses a frame, `lz4_block(bytes, limit)` a block."""
    reader = _Reader(stored)
    out = bytearray()
    while not reader.at_end():
        form = reader.byte()
        if form == 0:
            break
        if form == 1:
            out += reader.take(reader.number())
        elif form == 2:
            out += _samples(reader, size - len(out), zstd_frames)
        elif form & 0x80:
            out += _filtered(form, reader, size - len(out), lz4_block if form & 0x40 else zstd_frames)
        else:
            raise RresError(f"filtered: the unknown section form {form}")
        if len(out) > size:
            raise RresError(f"filtered: the sections have more than the base size of {size} bytes")
    return bytes(out)


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def at_end(self):
        return self.at >= len(self.data)

    def take(self, size):
        if size > len(self.data) - self.at:
            raise RresError(f"filtered: {size} bytes where {len(self.data) - self.at} are left")
        self.at += size
        return self.data[self.at - size : self.at]

    def byte(self):
        return self.take(1)[0]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if value >= 1 << 32:
                raise RresError("filtered: a size of more than 32 bits")
            if byte < 0x80:
                return value


def _decompressed(data, size, decompress):
    out = decompress(data, size)
    if len(out) != size:
        raise RresError(f"filtered: a section decompresses to {len(out)} bytes, expected {size}")
    return np.frombuffer(out, np.uint8)


def _filtered(form, reader, left, decompress):
    predictor, element, planes = form & 7, 1 << (form >> 3 & 3), bool(form & 32)
    kind, parameter = reader.byte(), reader.byte()
    colors = reader.byte() + 1 if kind == 2 else 0
    width, rows = reader.number(), reader.number()
    pixel, coded = {
        0: (parameter, parameter),
        1: (parameter, parameter),
        2: (parameter, 1),
        3: (4 * parameter, 2 * parameter),
        4: (12, 4),
    }.get(kind, (0, 0))
    if not pixel or width * rows * pixel > left:
        raise RresError(f"filtered: map {kind} of {width} x {rows} pixels of {pixel} bytes where {left} are left")
    frame = reader.take(reader.number())
    if kind == 2:
        bits = next(bits for bits in (1, 2, 4, 8) if colors <= 1 << bits)
        row = -(-width * bits // 8)
        data = _decompressed(frame, colors * pixel + row * rows, decompress)
        palette = np.zeros((256, pixel), np.uint8)
        palette[:colors] = data[: colors * pixel].reshape(colors, pixel)
        each = np.unpackbits(data[colors * pixel :].reshape(rows, row), axis=1, bitorder="little")
        indices = np.packbits(each.reshape(rows, -1, bits), axis=2, bitorder="little")[:, :width, 0]
        return palette[indices].tobytes()
    data = _decompressed(frame, width * rows * coded, decompress)
    if planes:
        data = data.reshape(coded, width * rows).T
    numbers = np.ascontiguousarray(data).reshape(-1).view(NUMBERS[element]).reshape(rows, width, coded // element)
    numbers = _predicted(predictor, numbers)
    if kind == 1:
        numbers[:, :, 0] += numbers[:, :, 1]
        numbers[:, :, 2] += numbers[:, :, 1]
    if kind == 3:
        return (numbers.reshape(-1).view(np.uint16).astype(np.float32) / np.float32(65535)).tobytes()
    if kind == 4:
        pixels = numbers.reshape(-1).view(np.uint8).reshape(-1, 4)
        scale = np.where(pixels[:, 3:] == 0, 0.0, np.exp2(pixels[:, 3:].astype(np.float64) - 136))
        return (pixels[:, :3] * scale).astype(np.float32).tobytes()
    return numbers.tobytes()


def _predicted(predictor, residuals):
    if predictor in (0, 1, 2, 5):
        for axis in {0: (), 1: (1,), 2: (0,), 5: (1, 1)}[predictor]:
            residuals = np.cumsum(residuals, axis=axis, dtype=residuals.dtype)
        return residuals.copy()
    if predictor not in (3, 4):
        raise RresError(f"filtered: the unknown predictor {predictor}")
    mask = (1 << 8 * residuals.itemsize) - 1
    rows, width, channels = residuals.shape
    out = np.zeros((rows + 1, width + 1, channels), np.int64)
    for y in range(1, rows + 1):
        above, row = out[y - 1].tolist(), [[0] * channels]
        for x, residual in enumerate(residuals[y - 1].tolist(), 1):
            pixel = []
            for n, value in enumerate(residual):
                left, up, corner = row[x - 1][n], above[x][n], above[x - 1][n]
                if predictor == 3:
                    guess = (left + up) // 2
                else:
                    guess = sorted((left, up, left + up - corner))[1]
                pixel.append((value + guess) & mask)
            row.append(pixel)
        out[y] = row
    return out[1:, 1:].astype(residuals.dtype)


def _samples(reader, left, zstd_frames):
    channels, frames = reader.byte(), reader.number()
    if not 1 <= channels <= 8 or frames * channels * 2 > left:
        raise RresError(f"filtered: {frames} frames of {channels} channels where {left} bytes are left")
    content = _Reader(reader.take(reader.number()))
    history = np.frombuffer(content.take(HISTORY * channels * 2), "<i2").reshape(HISTORY, channels).astype(np.int64)
    starts = range(0, frames, BLOCK)
    forms = [[content.take(2) for _ in range(channels)] for _ in starts]
    counts = [min(BLOCK, frames - start) for start in starts]
    lows = [[_low(content, count, form[1]) for form in block] for count, block in zip(counts, forms)]
    highs = _decompressed(content.data[content.at :], frames * channels, zstd_frames).astype(np.int64)
    out, at = [], 0
    for count, block, low in zip(counts, forms, lows):
        stereo = block[0][0] >> 4
        before, decoded = _split(stereo, history), []
        for channel in range(channels):
            folded = (highs[at : at + count] << block[channel][1]) + low[channel]
            at += count
            values = (folded >> 1) ^ -(folded & 1)
            order = block[channel][0] & 15
            # The last of each order of differences of the history is where its sum goes on.
            for depth in range(order - 1, -1, -1):
                values = np.cumsum(values) + np.diff(before[:, channel], depth)[-1]
            decoded.append(values)
        out.append(_join(stereo, _wrapped(np.stack(decoded, axis=1))))
        history = np.concatenate([history, out[-1]])[-HISTORY:]
    return np.concatenate(out).astype("<i2").tobytes()


def _low(content, count, bits):
    lanes = -(-count // 16)
    words = np.frombuffer(content.take(lanes * bits * 2), "<u2").reshape(bits, lanes)
    each = np.unpackbits(words.T.copy().view(np.uint8), axis=1, bitorder="little").reshape(lanes, 16, bits)
    return (each @ (1 << np.arange(bits))).T.reshape(-1)[:count]


def _wrapped(values):
    return (values + 0x8000 & 0xFFFF) - 0x8000


def _split(stereo, frames):
    if stereo == 0:
        return frames
    left, right = frames[:, 0], frames[:, 1]
    side = _wrapped(left - right)
    return np.stack([left if stereo == 1 else _wrapped(right + (side >> 1)), side], axis=1)


def _join(stereo, frames):
    if stereo == 0:
        return frames
    first, side = frames[:, 0], frames[:, 1]
    right = first - side if stereo == 1 else first - (side >> 1)
    return _wrapped(np.stack([first if stereo == 1 else right + side, right], axis=1))

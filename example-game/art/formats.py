"""Writers for formats the imaging library lacks: 16-bit RGB PNG, QOI, Radiance HDR, and DDS with DXT1 or DXT5."""

import struct
import zlib

import numpy as np


def png16(path, values):
    """RGB floats 0..1 as a PNG with 16 bits per channel."""
    height, width, _ = values.shape
    samples = np.clip(np.round(values * 65535), 0, 65535).astype('>u2')
    # The Sub filter: slow gradients turn into runs of small differences.
    left = np.concatenate([np.zeros((height, 6), np.uint8), samples.view(np.uint8).reshape(height, -1)[:, :-6]], axis=1)
    rows = samples.view(np.uint8).reshape(height, -1) - left
    raw = b''.join(b'\x01' + row.tobytes() for row in rows)

    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    header = struct.pack('>IIBBBBB', width, height, 16, 2, 0, 0, 0)
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(raw, 9)) + chunk(b'IEND', b''))


def qoi(path, pixels):
    """8-bit RGBA as QOI."""
    height, width, _ = pixels.shape
    out = bytearray(b'qoif' + struct.pack('>IIBB', width, height, 4, 0))
    seen, last, run = [(0, 0, 0, 0)] * 64, (0, 0, 0, 255), 0
    for pixel in map(tuple, pixels.reshape(-1, 4).tolist()):
        if pixel == last:
            run += 1
            if run == 62:
                out.append(0xC0 | run - 1)
                run = 0
            continue
        if run:
            out.append(0xC0 | run - 1)
            run = 0
        r, g, b, a = pixel
        slot = (r * 3 + g * 5 + b * 7 + a * 11) % 64
        if seen[slot] == pixel:
            out.append(slot)
        else:
            seen[slot] = pixel
            dr, dg, db = ((pixel[i] - last[i] + 128) % 256 - 128 for i in range(3))
            if a != last[3]:
                out += bytes((0xFF, r, g, b, a))
            elif all(-2 <= d <= 1 for d in (dr, dg, db)):
                out.append(0x40 | dr + 2 << 4 | dg + 2 << 2 | db + 2)
            elif -32 <= dg <= 31 and -8 <= dr - dg <= 7 and -8 <= db - dg <= 7:
                out += bytes((0x80 | dg + 32, dr - dg + 8 << 4 | db - dg + 8))
            else:
                out += bytes((0xFE, r, g, b))
        last = pixel
    if run:
        out.append(0xC0 | run - 1)
    path.write_bytes(bytes(out + b'\0' * 7 + b'\1'))


def hdr(path, light):
    """Linear RGB floats as Radiance RGBE, uncompressed scan lines."""
    height, width, _ = light.shape
    top = light.max(axis=-1)
    mantissa, exponent = np.frexp(np.maximum(top, 1e-32))
    scale = np.where(top > 1e-32, mantissa * 256 / np.maximum(top, 1e-32), 0)
    rgbe = np.concatenate([light * scale[..., None], np.where(top > 1e-32, exponent + 128, 0)[..., None]], axis=-1)
    head = f'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n'.encode()
    path.write_bytes(head + np.clip(rgbe, 0, 255).astype(np.uint8).tobytes())


def dds(path, pixels, alpha):
    """8-bit RGBA as DXT5 (`alpha`) or DXT1, with every mip level down to four pixels."""
    height, width, _ = pixels.shape
    levels, level = [], pixels.astype(float)
    while True:
        levels.append(b''.join(_block(b, alpha) for b in _blocks(level)))
        if min(level.shape[:2]) <= 4:
            break
        level = (level[::2, ::2] + level[1::2, ::2] + level[::2, 1::2] + level[1::2, 1::2]) / 4
    code = b'DXT5' if alpha else b'DXT1'
    header = struct.pack('<7I44x', 124, 0xA1007, height, width, len(levels[0]), 0, len(levels))
    header += struct.pack('<2I4s5I', 32, 4, code, 0, 0, 0, 0, 0) + struct.pack('<5I', 0x401008, 0, 0, 0, 0)
    path.write_bytes(b'DDS ' + header + b''.join(levels))


def _blocks(pixels):
    for y in range(0, pixels.shape[0], 4):
        for x in range(0, pixels.shape[1], 4):
            yield pixels[y:y + 4, x:x + 4].reshape(16, 4)


def _block(pixels, alpha):
    return (_alpha_block(pixels[:, 3]) if alpha else b'') + _colour_block(pixels[:, :3])


def _colour_block(colours):
    # End points: the extremes along the direction in which the block's colours differ most.
    middle = colours.mean(axis=0)
    axis = np.linalg.svd(colours - middle, full_matrices=False)[2][0]
    along = (colours - middle) @ axis
    ends = [_to565(np.clip(middle + axis * t, 0, 255)) for t in (along.max(), along.min())]
    first, second = max(ends), min(ends)
    if first == second:
        return struct.pack('<HHI', first, second, 0)
    a, b = _from565(first), _from565(second)
    palette = np.array([a, b, (2 * a + b) / 3, (a + 2 * b) / 3])
    nearest = ((colours[:, None] - palette) ** 2).sum(axis=-1).argmin(axis=1)
    return struct.pack('<HHI', first, second, sum(int(n) << 2 * i for i, n in enumerate(nearest)))


def _alpha_block(alphas):
    top, bottom = int(round(alphas.max())), int(round(alphas.min()))
    if top == bottom:
        return struct.pack('<BB', top, bottom) + b'\0' * 6
    palette = np.array([top, bottom] + [((7 - i) * top + i * bottom) / 7 for i in range(1, 7)])
    nearest = abs(alphas[:, None] - palette).argmin(axis=1)
    return struct.pack('<BB', top, bottom) + sum(int(n) << 3 * i for i, n in enumerate(nearest)).to_bytes(6, 'little')


def _to565(colour):
    r, g, b = colour
    return int(round(r / 255 * 31)) << 11 | int(round(g / 255 * 63)) << 5 | int(round(b / 255 * 31))


def _from565(code):
    return np.array([(code >> 11) / 31, (code >> 5 & 63) / 63, (code & 31) / 31]) * 255

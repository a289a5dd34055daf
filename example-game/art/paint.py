"""Brushes shared by the picture scripts: noise, gradients, signed shapes, soft light, and saving.

A canvas is a float array (height, width, 4) with premultiplied colour in 0..1. Everything is seeded, so the same
script gives the same bytes.
"""

import numpy as np
from PIL import Image, ImageDraw
from scipy.ndimage import gaussian_filter


def rgb(code):
    """'#aabbcc' to an array of three floats."""
    return np.array([int(code[i:i + 2], 16) for i in (1, 3, 5)]) / 255.0


def canvas(width, height):
    return np.zeros((height, width, 4))


def grid(width, height):
    """Pixel centres as x and y arrays."""
    return np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)


def smooth(low, high, value):
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def noise(width, height, cells, seed, octaves=5):
    """Cloudy value noise in 0..1 that repeats at the right and lower edges. `cells` is (x, y) of the first octave."""
    rng = np.random.default_rng(seed)
    total, weight, sum_weight = np.zeros((height, width)), 1.0, 0.0
    for octave in range(octaves):
        nx, ny = cells[0] << octave, cells[1] << octave
        lattice = rng.random((ny, nx))
        x, y = np.arange(width) * nx / width, np.arange(height) * ny / height
        x0, y0 = x.astype(int), y.astype(int)
        fx, fy = x - x0, y - y0
        fx, fy = fx * fx * (3 - 2 * fx), (fy * fy * (3 - 2 * fy))[:, None]
        pick = lambda dy, dx: lattice[np.ix_((y0 + dy) % ny, (x0 + dx) % nx)]
        total += weight * ((pick(0, 0) * (1 - fx) + pick(0, 1) * fx) * (1 - fy)
                           + (pick(1, 0) * (1 - fx) + pick(1, 1) * fx) * fy)
        sum_weight, weight = sum_weight + weight, weight * 0.5
    return total / sum_weight


def ramp(values, stops):
    """Maps 0..1 to colour through [(position, '#rrggbb'), …]."""
    at = [s[0] for s in stops]
    colours = np.array([rgb(s[1]) for s in stops])
    return np.stack([np.interp(values, at, colours[:, c]) for c in range(3)], axis=-1)


def over(below, colour, alpha):
    """Lays `colour` (three floats or a field of them) over the canvas where `alpha` says."""
    alpha = np.clip(alpha, 0, 1)[..., None]
    below[..., :3] = below[..., :3] * (1 - alpha) + np.asarray(colour) * alpha
    below[..., 3:] = below[..., 3:] * (1 - alpha) + alpha
    return below


def add(below, colour, strength):
    """Adds light; alpha grows with it so that the glow also shows over nothing."""
    light = np.asarray(colour) * np.clip(strength, 0, None)[..., None]
    below[..., :3] = np.clip(below[..., :3] + light, 0, 1)
    below[..., 3] = np.maximum(below[..., 3], light.max(axis=-1).clip(0, 1))
    return below


def polygon(width, height, points, scale=4):
    """Coverage of a polygon, anti-aliased by drawing it larger. Several polygons: a list of lists of points."""
    shapes = points if isinstance(points[0][0], (list, tuple)) else [points]
    big = Image.new('L', (width * scale, height * scale))
    pen = ImageDraw.Draw(big)
    for shape in shapes:
        pen.polygon([(x * scale, y * scale) for x, y in shape], fill=255)
    return np.asarray(big.resize((width, height), Image.BOX)) / 255.0


def disc(x, y, cx, cy, rx, ry=None, edge=1.0):
    """Coverage of an ellipse; `edge` is the width of its soft border in pixels."""
    ry = ry or rx
    d = (np.hypot((x - cx) / rx, (y - cy) / ry) - 1) * min(rx, ry)
    return 1 - smooth(-edge, edge, d)


def blur(field, sigma, wrap=False):
    mode = ['nearest', 'wrap'] if wrap else 'constant'
    if field.ndim == 3:
        return np.stack([gaussian_filter(field[..., c], sigma, mode=mode) for c in range(field.shape[2])], axis=-1)
    return gaussian_filter(field, sigma, mode=mode)


def straight(image):
    """Premultiplied canvas to 8-bit straight RGBA."""
    alpha = image[..., 3:]
    colour = np.where(alpha > 1e-4, image[..., :3] / np.maximum(alpha, 1e-4), image[..., :3])
    return to8(np.concatenate([colour, alpha], axis=-1))


def to8(values, seed=None):
    """Floats to bytes; with a seed, half a step of noise hides the bands of slow gradients."""
    steps = values * 255
    if seed is not None:
        steps = steps + np.random.default_rng(seed).uniform(-0.5, 0.5, values.shape[:2] + (1,) * (values.ndim - 2))
    return np.clip(np.round(steps), 0, 255).astype(np.uint8)


def save_rgba(image, path):
    Image.fromarray(straight(image), 'RGBA').save(path, optimize=True) if str(path).endswith('.png') else \
        Image.fromarray(straight(image), 'RGBA').save(path)


def save_palette(image, path, colours=64):
    """An indexed PNG that keeps its transparency."""
    Image.fromarray(straight(image), 'RGBA').quantize(colours, method=Image.Quantize.FASTOCTREE).save(path, optimize=True)


def save_gray(values, path):
    Image.fromarray(to8(values), 'L').save(path, optimize=True)


def save_gray_alpha(gray, alpha, path):
    Image.merge('LA', [Image.fromarray(to8(np.clip(v, 0, 1)), 'L') for v in (gray, alpha)]).save(path, optimize=True)

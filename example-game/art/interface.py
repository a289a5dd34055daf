"""Paints the interface: panel, buttons, hearts, crystal sign, flags, pointer, vignette. Mostly indexed PNGs."""

import numpy as np
from PIL import Image

from paint import blur, canvas, disc, grid, noise, over, polygon, ramp, rgb, save_gray, save_palette, save_rgba, smooth, to8


def rounded(x, y, width, height, inset, radius):
    """Coverage of a rounded rectangle."""
    dx = abs(x - width / 2) - (width / 2 - inset - radius)
    dy = abs(y - height / 2) - (height / 2 - inset - radius)
    d = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - radius
    return 1 - smooth(-0.8, 0.8, d)


def panels(out):
    size = 96
    x, y = grid(size, size)
    image = over(canvas(size, size), rgb('#0c0a24'), rounded(x, y, size, size, 3, 26) * 0.78)
    border = rounded(x, y, size, size, 3, 26) - rounded(x, y, size, size, 5, 24)
    over(image, ramp(y / size, [(0, '#ffd9a0'), (1, '#8a5a8c')]), border * 0.8)
    save_rgba(image, out / 'panel.png')
    for name, top, bottom in (('button', '#ffc36a', '#e2683f'), ('button-pressed', '#c98a44', '#a8462f')):
        width, height = 192, 64
        x, y = grid(width, height)
        shape = rounded(x, y, width, height, 3, 28)
        image = over(canvas(width, height), ramp(y / height, [(0, top), (1, bottom)]), shape)
        shine = rounded(x, y, width, height, 6, 25) * smooth(height * 0.5, height * 0.1, y)
        over(image, [1, 1, 1], shine * 0.22)
        save_palette(image, out / f'{name}.png', 256)


def heart_shape(x, y, cx, cy, size):
    px, py = (x - cx) / size, (cy - y) / size + 0.12
    field = (px ** 2 + py ** 2 - 0.42) ** 3 - px ** 2 * py ** 3 * 0.9
    return smooth(0.006, -0.006, field)


def hearts(out):
    size = 56
    x, y = grid(size, size)
    full = heart_shape(x, y, 28, 28, 29)
    image = canvas(size, size)
    over(image, ramp(y / size, [(0.15, '#ff9c7a'), (0.9, '#d8334f')]), full)
    over(image, [1, 1, 1], disc(x, y, 19, 20, 4.6, 3.4, 1.5) * 0.65)
    save_palette(image, out / 'heart.png', 256)
    image = over(canvas(size, size), rgb('#2a2048'), full * 0.85)
    over(image, rgb('#7a6494'), (full - heart_shape(x, y, 28, 28, 25)).clip(0, 1))
    save_palette(image, out / 'heart-empty.png', 32)


def crystal_sign(out):
    size = 56
    image = canvas(size, size)
    for points, tone in (([(28, 5), (13, 21), (22, 21)], '#d8fbff'), ([(28, 5), (22, 21), (34, 21)], '#9df2ff'),
                         ([(28, 5), (34, 21), (43, 21)], '#5ccfee'), ([(13, 21), (22, 21), (28, 52)], '#7fe4f8'),
                         ([(22, 21), (34, 21), (28, 52)], '#48b8e6'), ([(34, 21), (43, 21), (28, 52)], '#2f7fc4')):
        over(image, rgb(tone), polygon(size, size, points))
    save_palette(image, out / 'crystal.png', 256)


def flags(out):
    width, height = 48, 32
    bands = {
        'de': [('h', ['#1c1c1c', '#d8232a', '#ffce3a'], [1, 1, 1])],
        'fr': [('v', ['#2a4a9c', '#f4f4f4', '#e03a3e'], [1, 1, 1])],
        'es': [('h', ['#c8302c', '#ffc83a', '#c8302c'], [1, 2, 1])],
    }
    x, y = grid(width, height)
    shape = rounded(x, y, width, height, 1, 6)
    for name, layers in bands.items():
        image = canvas(width, height)
        for axis, colours, shares in layers:
            edges = np.cumsum([0] + shares) / sum(shares)
            place = y / height if axis == 'h' else x / width
            for colour, low, high in zip(colours, edges, edges[1:]):
                over(image, rgb(colour), ((place >= low) & (place < high)) * shape)
        save_palette(image, out / f'flag_{name}.png', 32)
    image = over(canvas(width, height), rgb('#27408b'), shape)
    for half, colour in ((5.2, '#f4f4f4'), (2.2, '#d02f3c')):
        for sign in (1, -1):
            d = abs((y - 16) - sign * (x - 24) * 2 / 3) * 0.83
            over(image, rgb(colour), smooth(half * 0.62 + 0.5, half * 0.62 - 0.5, d) * shape)
    for half, colour in ((5.4, '#f4f4f4'), (3.2, '#d02f3c')):
        over(image, rgb(colour), np.maximum(abs(x - 24) < half, abs(y - 16) < half) * shape)
    save_palette(image, out / 'flag_en.png', 32)


def pointer(out):
    image = canvas(32, 32)
    shape = polygon(32, 32, [(3, 2), (3, 25), (9, 19), (13, 28), (18, 26), (14, 17), (22, 17)])
    over(image, rgb('#1a1030'), np.clip(blur(shape, 1.2) * 2, 0, 1) * 0.9)
    over(image, rgb('#ffe6b4'), shape)
    save_rgba(image, out / 'pointer.tga')


def vignette(out):
    x, y = grid(320, 180)
    d = np.hypot((x - 160) / 190, (y - 90) / 118)
    save_gray(smooth(0.55, 1.25, d), out / 'vignette.png')


def scroll(out):
    # Opaque and small: the parchment behind the story of a level.
    width, height = 160, 100
    x, y = grid(width, height)
    tone = 0.7 + (noise(width, height, (8, 5), 201) - 0.5) * 0.35 - 0.35 * (np.hypot((x - 80) / 100, (y - 50) / 66) ** 3)
    Image.fromarray(to8(ramp(np.clip(tone, 0, 1), [(0, '#241838'), (0.6, '#3d2a58'), (1, '#5a4278')]), 9)).save(out / 'scroll.bmp')


def make(out):
    for step in (panels, hearts, crystal_sign, flags, pointer, vignette, scroll):
        step(out)

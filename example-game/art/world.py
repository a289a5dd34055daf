"""Paints what one sees outside: skies, mountains, clouds, floating islands, the lantern and what endangers it."""

import numpy as np
from PIL import Image

import formats
from paint import (add, blur, canvas, disc, grid, noise, over, polygon, ramp, rgb, save_gray, save_gray_alpha,
                   save_rgba, smooth, straight, to8)

DUSK = [(0, '#12133c'), (0.3, '#2b2463'), (0.52, '#64397f'), (0.7, '#b4577f'), (0.84, '#ee9279'), (1, '#ffcf92')]
MIDNIGHT = [(0, '#050a22'), (0.35, '#0c1a45'), (0.62, '#16386a'), (0.82, '#28668a'), (1, '#62a6a8')]
DAWN = [(0, '#2a2c68'), (0.3, '#5a4b92'), (0.55, '#b0719f'), (0.75, '#f0a08c'), (0.9, '#ffcb96'), (1, '#fff0c4')]


def sky(width, height, stops, sun, seed):
    """A vertical gradient bent by slow noise, with a light under the horizon."""
    x, y = grid(width, height)
    t = y / height + (noise(width, height, (3, 2), seed, 4) - 0.5) * 0.10
    image = ramp(np.clip(t, 0, 1), stops)
    glow = np.exp(-(((x / width - sun[0]) / 0.34) ** 2 + ((y / height - sun[1]) / 0.24) ** 2))
    image += glow[..., None] * rgb(sun[2]) * sun[3]
    streaks = noise(width, height, (2, 18), seed + 1, 5)
    band = smooth(0.54, 0.74, streaks) * smooth(0.35, 0.75, y / height) * 0.16
    return np.clip(image + band[..., None] * rgb(sun[2]), 0, 1)


def skies(out):
    Image.fromarray(to8(sky(1280, 720, DUSK, (0.72, 0.98, '#ffb27a', 0.45), 11), 1)).save(out / 'sky_dusk.jpg', quality=93)
    formats.png16(out / 'sky_midnight.png', sky(640, 360, MIDNIGHT, (0.3, 1.0, '#6fe0c8', 0.18), 21))
    Image.fromarray(to8(sky(800, 450, DAWN, (0.6, 0.95, '#ffe0a0', 0.4), 31), 3)).save(out / 'sky_dawn.bmp')


def stars(out):
    width, height = 1024, 512
    rng = np.random.default_rng(5)
    light = np.zeros((height, width, 3))
    tints = [rgb(c) for c in ('#ffffff', '#cfe0ff', '#ffe6c8', '#e8d0ff')]
    for size, count in ((0.55, 420), (0.9, 110), (1.5, 26)):
        layer = np.zeros((height, width, 3))
        for _ in range(count):
            px, py = rng.integers(width), rng.integers(height)
            layer[py, px] += tints[rng.integers(4)] * rng.uniform(0.35, 1.0)
        layer = np.stack([blur(layer[..., c], size, wrap=True) for c in range(3)], axis=-1)
        light += layer * (2 * np.pi * size * size)
    image = canvas(width, height)
    add(image, [1, 1, 1], np.zeros((height, width)))
    image[..., :3] = np.clip(light, 0, 1)
    image[..., 3] = image[..., :3].max(axis=-1)
    pixels = straight(image)
    pixels[pixels[..., 3] < 6] = 0
    formats.qoi(out / 'stars.qoi', pixels)


def ridge(width, seed, cells, sharp):
    """A tileable skyline in 0..1."""
    line = noise(width, 8, (cells, 1), seed, 6)[3]
    folds = 1 - abs(noise(width, 8, (cells * 2, 1), seed + 50, 6)[3] * 2 - 1)
    line = line * (1 - sharp) + folds * sharp
    return (line - line.min()) / (line.max() - line.min())


def mountains(out):
    # Gray and alpha: the game tints them with the level's colours.
    for name, seed, cells, sharp, low, high in (('mountains_far', 3, 4, 0.55, 300, 60), ('mountains_near', 8, 6, 0.45, 330, 160)):
        width, height = 2048, 400
        x, y = grid(width, height)
        top = low + (high - low) * ridge(width, seed, cells, sharp)
        depth = np.clip(y - top, 0, None)
        body = smooth(-0.8, 0.8, y - top)
        # The slope of a coarser skyline decides which flank is lit; bending it by noise keeps the flanks from being stripes.
        slope = np.gradient(blur(top[None, :], [0, 16], wrap=True)[0])
        bend = ((noise(width, height, (10, 5), seed + 9, 4) - 0.5) * 150 + depth * 0.35).astype(int)
        facing = np.clip(0.5 - slope * 0.8, 0, 1)[(x.astype(int) + bend) % width]
        gray = 0.46 + 0.34 * facing * np.exp(-depth / 120) + 0.20 * np.exp(-(depth / 5) ** 2) * facing + 0.25 * smooth(60, 300, depth)
        fade = 1 - smooth(height * 0.55, height * 0.97, y)
        save_gray_alpha(gray, body * fade, out / f'{name}.png')


def heap(width, height, seed, puffs, wrap, ragged=20):
    """Lays soft balls of cloud over each other, higher ones first. Returns tone and coverage."""
    x, y = grid(width, height)
    rough_x = (noise(width, height, (max(3, width // 90), max(3, height // 60)), seed, 4) - 0.5) * ragged * 2
    rough_y = (noise(width, height, (max(3, width // 90), max(3, height // 60)), seed + 1, 4) - 0.5) * ragged * 2
    tone, cover = np.zeros((height, width)), np.zeros((height, width))
    for cx, cy, r in sorted(puffs, key=lambda p: p[1] - p[2] * 0.3):
        for shift in ((-width, 0, width) if wrap else (0,)):
            dx, dy = (x + rough_x - cx - shift) / r, (y + rough_y - cy) / (r * 0.92)
            d = np.hypot(dx, dy)
            alpha = smooth(1.0, 0.86, d) * smooth(1.35, -0.25, dy)
            shade = np.clip(0.66 - 0.40 * dy - 0.16 * dx, 0, 1) + 0.16 * smooth(0.5, 0.98, d) * smooth(0.1, -0.8, dy)
            tone = tone * (1 - alpha) + shade * alpha
            cover = cover * (1 - alpha) + alpha
    return tone / np.maximum(cover, 1e-3), cover


def cloud_sea(out):
    # Two tileable banks of cloud for the lower edge of the picture.
    for name, seed, count, base in (('cloud_sea_far', 41, 90, 120), ('cloud_sea_near', 47, 70, 130)):
        width, height = 1536, 300
        rng = np.random.default_rng(seed)
        puffs = []
        for _ in range(count):
            cx = rng.uniform(0, width)
            swell = 42 * np.sin(cx / width * 2 * np.pi * 3 + seed) + 20 * np.sin(cx / width * 2 * np.pi * 7)
            puffs.append((cx, base + swell * 0.7 + rng.uniform(0, 120), rng.uniform(26, 74)))
        tone, cover = heap(width, height, seed, puffs, True, 14)
        x, y = grid(width, height)
        floor = smooth(base + 70, base + 130, y)
        alpha = np.maximum(cover, floor)
        gray = (tone * cover + 0.5 * floor * (1 - cover)) / np.maximum(alpha, 1e-3) * (1 - 0.30 * smooth(base, height, y)) + 0.06
        save_gray_alpha(gray, alpha, out / f'{name}.png')


def wisps(out):
    width, height = 1024, 256
    streaks = noise(width, height, (4, 10), 61, 6)
    x, y = grid(width, height)
    alpha = smooth(0.5, 0.85, streaks) * np.sin(np.pi * y / height) ** 1.5
    save_gray_alpha(0.85 + 0.15 * streaks, alpha * 0.8, out / 'wisps.png')


def storms(out):
    shapes = {'storm_1': (75, 23, 1.0), 'storm_2': (77, 19, 0.9)}
    for index, (name, (seed, count, spread)) in enumerate(shapes.items()):
        width, height = 304, 200
        rng = np.random.default_rng(seed)
        puffs = []
        for i in range(count):
            t = (i + 0.5) / count
            reach = np.sin(np.pi * t)
            puffs.append((152 + (t - 0.5) * 206 * spread, 104 - rng.uniform(0, 46) * reach, rng.uniform(22, 32) + 20 * reach))
        tone, cover = heap(width, height, seed, puffs, False, 11)
        x, y = grid(width, height)
        alpha = cover * smooth(158, 128, y + (noise(width, height, (9, 3), seed + 4) - 0.5) * 44)
        tone = np.clip(tone * (0.80 - 0.50 * smooth(44, 140, y)), 0, 1)
        colour = ramp(tone, [(0, '#14122e'), (0.3, '#2a2452'), (0.55, '#4a3f7a'), (0.8, '#8676b4'), (1, '#d8c4ea')])
        image = over(canvas(width, height), colour, alpha)
        # Light that sits inside, as if about to strike.
        inner = np.exp(-(((x - 150) / 66) ** 2 + ((y - 122) / 22) ** 2)) * alpha
        add(image, rgb('#8f7bff'), inner * 0.42)
        rain = noise(width, height, (70, 2), 80 + index, 3)
        fall = smooth(0.5, 0.8, rain) * smooth(122, 150, y) * (1 - smooth(146, 198, y)) * np.exp(-((x - 150) / 70) ** 4)
        over(image, rgb('#7d76b8'), fall * 0.42 * (1 - alpha))
        save_rgba(image, out / f'{name}.png')


def rocks(out):
    for index, (name, width, height) in enumerate((('rock_1', 150, 170), ('rock_2', 190, 150))):
        rng = np.random.default_rng(90 + index)
        cx, cy = width / 2, height * 0.46
        count = 15
        outline = []
        for i in range(count):
            a = 2 * np.pi * i / count
            r = rng.uniform(0.8, 1.0)
            # Narrow at the foot: it hangs in the air like a drop.
            narrow = 1 - 0.38 * max(0, np.sin(a))
            outline.append((cx + np.cos(a) * width * 0.42 * r * narrow, cy + np.sin(a) * height * (0.34 if np.sin(a) < 0 else 0.48) * r))
        body = polygon(width, height, outline)
        seeds = np.array([(rng.uniform(0, width), rng.uniform(0, height)) for _ in range(26)])
        x, y = grid(width, height)
        distance = np.hypot(x[..., None] - seeds[:, 0], y[..., None] - seeds[:, 1])
        facet = distance.argmin(axis=-1)
        tones = rng.uniform(-0.13, 0.13, len(seeds))
        tone = 0.46 + tones[facet] - 0.36 * smooth(cy - height * 0.3, height * 0.95, y) - 0.12 * (x - cx) / width
        colour = ramp(np.clip(tone + (noise(width, height, (12, 12), 93) - 0.5) * 0.12, 0, 1),
                      [(0, '#0f0d24'), (0.3, '#262047'), (0.55, '#4a3c6c'), (0.8, '#8a6a8c'), (1, '#d8a2a0')])
        image = over(canvas(width, height), colour, body)
        moss = smooth(cy - height * 0.12, cy - height * 0.26, y + (noise(width, height, (14, 4), 95 + index) - 0.5) * 40)
        over(image, ramp(np.clip(1 - (y - 10) / (height * 0.4), 0, 1), [(0, '#20405a'), (1, '#58a394')]), moss * body)
        rim = np.clip(body - np.roll(body, (3, 2), (0, 1)), 0, 1) * body
        add(image, rgb('#ffc9a0'), blur(rim, 0.8) * 0.9 * body)
        save_rgba(image, out / f'{name}.png')


def island(out):
    """Floating islands with firs and a hut: scenery of the middle distance."""
    for index, (name, width, height) in enumerate((('island_1', 360, 300), ('island_2', 300, 260))):
        rng = np.random.default_rng(110 + index)
        x, y = grid(width, height)
        ground = height * 0.46
        under = [(18, ground)]
        steps = 16
        for i in range(1, steps):
            t = i / steps
            depth = np.sin(np.pi * t) ** 0.8 * height * 0.46 * rng.uniform(0.72, 1.05)
            under.append((18 + t * (width - 36), ground + depth))
        under.append((width - 18, ground))
        top = [(width - 18 - i * (width - 36) / 20, ground - 9 * np.sin(np.pi * i / 20) - rng.uniform(0, 4)) for i in range(21)]
        body = polygon(width, height, under + top)
        tone = np.clip(0.62 - 0.62 * (y - ground) / (height * 0.5) + (noise(width, height, (9, 3), 111 + index) - 0.5) * 0.5, 0, 1)
        image = canvas(width, height)
        trees = []
        for _ in range(15 if index == 0 else 10):
            tx, size = rng.uniform(width * 0.14, width * 0.86), rng.uniform(26, 62)
            if abs(tx - width * 0.56) < 34:
                size *= 0.5
            for tier in range(4):
                w, base = size * (0.30 - tier * 0.055), ground - 6 - size * tier * 0.22
                trees.append([(tx - w, base), (tx + w, base), (tx, base - size * 0.42)])
        firs = polygon(width, height, trees)
        over(image, ramp(np.clip((ground - y) / 70, 0, 1), [(0, '#1b1c40'), (1, '#3b4a78')]), firs)
        hx = width * 0.56
        hut = polygon(width, height, [(hx - 20, ground), (hx + 20, ground), (hx + 20, ground - 28), (hx - 20, ground - 28)])
        roof = polygon(width, height, [(hx - 28, ground - 26), (hx + 28, ground - 26), (hx, ground - 52)])
        over(image, rgb('#3a2c55'), hut)
        over(image, rgb('#6c4668'), roof)
        over(image, ramp(tone, [(0, '#131230'), (0.45, '#2c2752'), (0.8, '#5b4676'), (1, '#8c6a8c')]), body)
        grass = body * smooth(ground + 9, ground + 2, y + (noise(width, height, (40, 4), 115) - 0.5) * 14)
        over(image, rgb('#4a8288'), grass)
        window = polygon(width, height, [(hx - 6, ground - 8), (hx + 6, ground - 8), (hx + 6, ground - 21), (hx - 6, ground - 21)])
        over(image, rgb('#ffe2a0'), window)
        add(image, rgb('#ffb060'), np.exp(-((x - hx) ** 2 + (y - ground + 15) ** 2) / 420) * 0.7)
        save_rgba(image, out / f'{name}.png')


def lantern(out):
    """The player: a paper lantern with a small basket, lit from within."""
    width, height = 192, 288
    x, y = grid(width, height)
    image = canvas(width, height)
    cx, cy = width / 2, 104
    t = np.clip((y - 14) / 178, 0, 1)
    half = 78 * np.sin(np.pi * np.clip(t, 0, 1) ** 0.80) ** 0.62 * (1 - 0.20 * t) + 10 * (t > 0) * (t < 1)
    paper = smooth(1.2, -1.2, abs(x - cx) - half) * smooth(13, 15, y) * smooth(193, 191, y)
    around = np.clip((x - cx) / np.maximum(half, 1), -1, 1)
    ribs = abs(np.sin(np.arcsin(np.clip(around, -0.999, 0.999)) * 4))
    heart = np.exp(-(((x - cx) / 62) ** 2 + ((y - 150) / 66) ** 2))
    tone = 0.30 + 0.72 * heart - 0.22 * around ** 4 - 0.10 * smooth(0.25, 0.0, ribs) - 0.16 * (1 - t) + (noise(width, height, (8, 8), 130) - 0.5) * 0.08
    colour = ramp(np.clip(tone, 0, 1), [(0, '#6e1f3d'), (0.25, '#c2403f'), (0.5, '#f28a3c'), (0.75, '#ffc765'), (1, '#fff6d0')])
    over(image, colour, paper)
    for ring in (0.26, 0.5, 0.74):
        line = np.exp(-((y - (14 + 178 * ring) - 9 * (1 - around ** 2)) / 1.3) ** 2) * paper
        over(image, rgb('#a8423a'), line * 0.55)
    collar = polygon(width, height, [(cx - 25, 188), (cx + 25, 188), (cx + 20, 200), (cx - 20, 200)])
    over(image, ramp(np.clip(1 - abs(x - cx) / 30, 0, 1), [(0, '#5a2a3a'), (1, '#c8854a')]), collar)
    crown = polygon(width, height, [(cx - 13, 8), (cx + 13, 8), (cx + 20, 18), (cx - 20, 18)])
    over(image, rgb('#7a3040'), crown)
    for side in (-1, 1):
        rope = polygon(width, height, [(cx + side * 17, 198), (cx + side * 18.6, 198), (cx + side * 22.6, 238), (cx + side * 21, 238)])
        over(image, rgb('#d8a26a'), rope)
    flame = np.exp(-(((x - cx) / 7) ** 2 + ((y - 206) / 11) ** 2))
    basket = polygon(width, height, [(cx - 27, 236), (cx + 27, 236), (cx + 20, 272), (cx - 20, 272)])
    weave = 0.5 + 0.5 * np.sin(x * 0.9) * np.sin(y * 0.9)
    over(image, ramp(np.clip(0.55 + 0.3 * weave - 0.5 * (y - 236) / 36, 0, 1), [(0, '#2c1730'), (0.5, '#7a4438'), (1, '#d08a50')]), basket)
    over(image, rgb('#f0b070'), polygon(width, height, [(cx - 29, 233), (cx + 29, 233), (cx + 28, 239), (cx - 28, 239)]))
    add(image, rgb('#ffd080'), flame * 1.1)
    over(image, rgb('#fff4c8'), disc(x, y, cx, 207, 4.2, 7.5))
    save_rgba(image, out / 'lantern.png')
    small = Image.fromarray(straight(image), 'RGBA').resize((48, 72), Image.LANCZOS)
    small.save(out / 'lantern_far.png', optimize=True)


def lights(out):
    x, y = grid(256, 256)
    d = np.hypot(x - 128, y - 128) / 128
    glow = np.clip(1 - d, 0, 1) ** 2.4
    Image.fromarray(np.dstack([np.full((256, 256, 3), 255, np.uint8), to8(glow)]), 'RGBA').save(out / 'glow.tga', compression='tga_rle')
    x, y = grid(64, 64)
    d = np.hypot(x - 32, y - 32) / 32
    cross = np.exp(-abs(x - 32) * 0.45) * np.exp(-(abs(y - 32) / 12) ** 1.2) + np.exp(-abs(y - 32) * 0.45) * np.exp(-(abs(x - 32) / 12) ** 1.2)
    save_gray(np.clip((np.exp(-(d * 4.2) ** 2) + 0.6 * cross) * smooth(1, 0.6, d), 0, 1), out / 'spark.png')
    grain = np.random.default_rng(140).normal(0.5, 0.16, (256, 256))
    save_gray(np.clip(grain, 0, 1), out / 'noise.png')


def moon(out):
    size = 256
    x, y = grid(size, size)
    image = canvas(size, size)
    body = disc(x, y, 128, 128, 84, edge=1.5)
    craters = noise(size, size, (7, 7), 151, 5)
    shade = np.clip(0.82 + 0.30 * (craters - 0.5) * 1.6 - 0.18 * ((x - 100) ** 2 + (y - 100) ** 2) / 9000, 0, 1)
    d = np.hypot(x - 128, y - 128)
    add(image, rgb('#ffe6c0'), np.exp(-np.clip(d - 70, 0, None) / 17) * 0.5 * smooth(128, 96, d))
    over(image, ramp(shade, [(0, '#b08a98'), (0.5, '#f2d4b8'), (1, '#fff8e4')]), body)
    formats.dds(out / 'moon.dds', straight(image), True)
    # The curtain the northern lights are cut from: no alpha, so DXT1.
    curtain = noise(256, 128, (8, 2), 155, 6)
    green = ramp(curtain, [(0, '#02110f'), (0.45, '#0f5a58'), (0.7, '#3fd6a8'), (1, '#d8fff0')])
    formats.dds(out / 'aurora.dds', np.dstack([to8(green), np.full((128, 256), 255, np.uint8)]), False)


def lightning(out):
    frames = []
    for seed in range(4):
        rng = np.random.default_rng(160 + seed)
        path, px = [], 48.0
        for step in range(13):
            path.append((px, step * 16))
            px = np.clip(px + rng.uniform(-17, 17), 18, 78)
        shape = polygon(96, 192, [(a - 1.8 + 0.1 * i, b) for i, (a, b) in enumerate(path)] + [(a + 1.8 - 0.1 * i, b) for i, (a, b) in reversed(list(enumerate(path)))])
        image = ramp(np.clip(shape + blur(shape, 3) * 0.9, 0, 1), [(0, '#000000'), (0.4, '#5a48d8'), (0.8, '#c8c0ff'), (1, '#ffffff')])
        frames.append(Image.fromarray(to8(image)).quantize(32))
    frames[0].save(out / 'lightning.gif', save_all=True, append_images=frames[1:], duration=60, loop=0)


def sky_light(out):
    """What the crystals reflect: a night sky with two bright spots, brighter than one."""
    x, y = grid(128, 64)
    light = ramp(y / 64, [(0, '#10183f'), (0.45, '#7a4a90'), (0.55, '#ff9a70'), (0.7, '#3a2a5c'), (1, '#0c0c20')]) ** 2.2
    light += np.exp(-(((x - 38) / 5) ** 2 + ((y - 18) / 4) ** 2))[..., None] * np.array([6.0, 5.2, 4.0])
    light += np.exp(-(((x - 92) / 9) ** 2 + ((y - 26) / 3) ** 2))[..., None] * np.array([0.8, 3.2, 2.9])
    formats.hdr(out / 'sky_light.hdr', light)


def make(out):
    for step in (skies, stars, mountains, cloud_sea, wisps, storms, rocks, island, lantern, lights, moon, lightning, sky_light):
        step(out)

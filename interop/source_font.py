"""Font file -> glyph shapes through FreeType (in Pillow), compared with each FNTG + IMGE pair.

Rectangles must not overlap and must hold all ink of the atlas; advances must be FreeType's at one common scale;
each glyph must look like FreeType's much larger drawing, averaged down.
Curves are flattened differently, hence a tolerance.
"""

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont

UNITS = 2048


def fineness(scale):
    """Sub-pixels per pixel: FreeType fits glyphs to its own grid, so small sizes need a finer one."""
    return 32 if scale < 16 else 16 if scale < 64 else 8


def shape_tolerance(scale):
    """Mean difference of coverage over a glyph's rectangle, of 255: stb_truetype draws small circles with few sides."""
    return 30 if scale < 16 else 12


def compare(data, parts):
    """('tolerance' | 'failed', words); `parts` are (chunk, payload, meaning)."""
    words = []
    for (_, _, glyphs), (_, atlas, image) in zip(parts[0::2], parts[1::2]):
        try:
            words.append(_strike(data, glyphs, image, atlas))
        except AssertionError as fault:
            return "failed", f"{glyphs['base_size']} px: {fault}"
    return "tolerance", "; ".join(words)


def _coverage(image, atlas):
    channels = {"GRAY": 1, "GRAY_ALPHA": 2, "R8G8B8A8": 4}.get(image["format"])
    assert channels, f"atlas is {image['format']}"
    size = image["width"] * image["height"] * channels
    return np.frombuffer(atlas.data[:size], np.uint8).reshape(image["height"], image["width"], channels)[:, :, -1]


def _strike(data, glyphs, image, atlas):
    coverage = _coverage(image, atlas)
    owner = np.zeros(coverage.shape, bool)
    seen = set()
    for glyph in glyphs["glyphs"]:
        rectangle = (glyph["x"], glyph["y"], glyph["w"], glyph["h"])
        if rectangle in seen:
            continue  # characters that share a glyph of the font share its place
        seen.add(rectangle)
        place = np.s_[glyph["y"] : glyph["y"] + glyph["h"], glyph["x"] : glyph["x"] + glyph["w"]]
        assert not owner[place].any(), f"glyph {glyph['codepoint']:#x} overlaps another"
        owner[place] = True
    owner[-3:, -3:] = True  # raylib keeps a white square there, to draw shapes with the font's texture
    assert not coverage[~owner].any(), "ink outside of all rectangles"
    metrics = ImageFont.truetype(io.BytesIO(data), UNITS, layout_engine=ImageFont.Layout.BASIC)
    ideal = {g["codepoint"]: metrics.getlength(chr(g["codepoint"])) / UNITS for g in glyphs["glyphs"]}
    scale = _scale(metrics, glyphs, ideal)
    off = max(abs(g["advance"] - scale * ideal[g["codepoint"]]) for g in glyphs["glyphs"])
    worst_glyph = max(glyphs["glyphs"], key=lambda g: abs(g["advance"] - scale * ideal[g["codepoint"]]))
    assert off <= 1.01, f"the advance of {worst_glyph['codepoint']:#x}, {worst_glyph['advance']}, is {off:.2f} px off at {scale:.2f} px per em"
    worst = _shapes(data, glyphs["glyphs"], coverage, scale)
    ascent = {g["offset_y"] for g in glyphs["glyphs"] if g["h"]}
    assert max(ascent) - min(ascent) <= 2 * glyphs["base_size"], "glyph tops are scattered"
    return (
        f"{len(glyphs['glyphs'])} glyphs at {scale:.1f} px/em, advances within {off:.2f}, shapes within {worst:.1f}/255"
    )


def _scale(metrics, glyphs, ideal):
    """Pixels per em: the em itself, or the line of ascent and descent (stb_truetype), whichever fits the advances."""
    ascent, descent = metrics.getmetrics()
    candidates = (glyphs["base_size"], glyphs["base_size"] * UNITS / (ascent + descent))
    return min(candidates, key=lambda s: sum(abs(g["advance"] - s * ideal[g["codepoint"]]) for g in glyphs["glyphs"]))


def _shapes(data, glyphs, coverage, scale):
    grain, limit = fineness(scale), shape_tolerance(scale)
    fine = ImageFont.truetype(io.BytesIO(data), scale * grain, layout_engine=ImageFont.Layout.BASIC)
    worst = 0.0
    shifts = []
    for glyph in glyphs:
        found = coverage[glyph["y"] : glyph["y"] + glyph["h"], glyph["x"] : glyph["x"] + glyph["w"]].astype(float)
        text = chr(glyph["codepoint"])
        left, top, right, bottom = fine.getbbox(text, anchor="ls")
        if found.size == 0:
            assert right == left or bottom == top, f"glyph {glyph['codepoint']:#x} has no picture, FreeType draws one"
            continue
        if not found.any():
            blank = Image.new("L", (right - left + 8, bottom - top + 8))
            ImageDraw.Draw(blank).text((4 - left, 4 - top), text, fill=255, font=fine, anchor="ls")
            assert not blank.getbbox(), f"glyph {glyph['codepoint']:#x} is blank, FreeType draws one"
            continue
        # a canvas around the base line, its origin on a whole pixel, with room on every side
        pad = 4 + int(scale)
        cells = (glyph["h"] + 2 * pad) * 2, glyph["w"] + 2 * pad
        canvas = Image.new("L", (cells[1] * grain, cells[0] * grain))
        origin = pad - glyph["offset_x"], cells[0] // 2
        ImageDraw.Draw(canvas).text((origin[0] * grain, origin[1] * grain), text, fill=255, font=fine, anchor="ls")
        small = np.asarray(canvas, float).reshape(cells[0], grain, cells[1], grain).mean(axis=(1, 3))
        column = small[:, pad : pad + glyph["w"]]
        near = range(max(0, origin[1] + top // grain - 3), min(cells[0] - glyph["h"], origin[1] + top // grain + 3) + 1)
        gaps = {y: np.abs(column[y : y + glyph["h"]] - found).mean() for y in near}
        y = min(gaps, key=gaps.get)
        # distance of the line's top above the base line, the same for every glyph of a strike
        shifts.append(origin[1] - y + glyph["offset_y"])
        assert gaps[y] <= limit, f"glyph {glyph['codepoint']:#x} differs by {gaps[y]:.1f} of 255 on average"
        worst = max(worst, gaps[y])
    spread = max(shifts, default=0) - min(shifts, default=0)
    assert spread <= 1, f"base lines of the glyphs differ by {spread} px"
    return worst

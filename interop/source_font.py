"""Compares each FNTG and IMGE pair with the glyphs that FreeType (in Pillow) draws from the font file.

Rectangles must not overlap and must contain all ink of the atlas. Advances must equal FreeType's at one common scale.
Each glyph must look like a much larger drawing of FreeType, averaged down; a tolerance is needed because curves are
flattened differently.
"""

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont

UNITS = 2048


def oversampling(scale):
    """Returns the sub-pixels per pixel. FreeType fits glyphs to its grid, so small sizes need a finer one."""
    return 32 if scale < 16 else 16 if scale < 64 else 8


def shape_tolerance(scale):
    """Returns the allowed mean difference of coverage (0 to 255) in a glyph's rectangle.

    Small sizes need a larger one, because stb_truetype draws small circles with few sides.
    """
    return 30 if scale < 16 else 12


def compare(data, decoded):
    """Returns ('tolerance' or 'failed', detail); `decoded` are the chunks of the font."""
    details = []
    for glyphs, atlas in zip(decoded[0::2], decoded[1::2]):
        try:
            details.append(_strike(data, glyphs.fields, atlas.fields, atlas.payload))
        except AssertionError as error:
            return "failed", f"{glyphs.fields['base_size']} px: {error}"
    return "tolerance", "; ".join(details)


def _coverage(image, atlas):
    channels = {"GRAY": 1, "GRAY_ALPHA": 2, "R8G8B8A8": 4}.get(image["format"])
    assert channels, f"atlas is {image['format']}"
    size = image["width"] * image["height"] * channels
    return np.frombuffer(atlas.data[:size], np.uint8).reshape(image["height"], image["width"], channels)[:, :, -1]


def _strike(data, glyphs, image, atlas):
    coverage = _coverage(image, atlas)
    covered = np.zeros(coverage.shape, bool)
    seen = set()
    for glyph in glyphs["glyphs"]:
        rectangle = (glyph["x"], glyph["y"], glyph["w"], glyph["h"])
        if rectangle in seen:
            continue  # characters with the same glyph in the font share a rectangle
        seen.add(rectangle)
        area = np.s_[glyph["y"] : glyph["y"] + glyph["h"], glyph["x"] : glyph["x"] + glyph["w"]]
        assert not covered[area].any(), f"glyph {glyph['codepoint']:#x} overlaps another"
        covered[area] = True
    covered[-3:, -3:] = True  # raylib has a white square there, to draw shapes with the font's texture
    assert not coverage[~covered].any(), "ink outside all rectangles"
    metrics = ImageFont.truetype(io.BytesIO(data), UNITS, layout_engine=ImageFont.Layout.BASIC)
    ideal = {g["codepoint"]: metrics.getlength(chr(g["codepoint"])) / UNITS for g in glyphs["glyphs"]}
    scale = _scale(metrics, glyphs, ideal)

    def advance_error(glyph):
        return abs(glyph["advance"] - scale * ideal[glyph["codepoint"]])

    worst = max(glyphs["glyphs"], key=advance_error)
    largest_error = advance_error(worst)
    assert largest_error <= 1.01, (
        f"advance of {worst['codepoint']:#x} is {worst['advance']}, {largest_error:.2f} px off at {scale:.2f} px per em"
    )
    difference = _shapes(data, glyphs["glyphs"], coverage, scale)
    tops = {g["offset_y"] for g in glyphs["glyphs"] if g["h"]}
    assert max(tops) - min(tops) <= 2 * glyphs["base_size"], "the tops of the glyphs are too far apart"
    return (
        f"{len(glyphs['glyphs'])} glyphs at {scale:.1f} px/em, advances within {largest_error:.2f}, "
        f"shapes within {difference:.1f}/255"
    )


def _scale(metrics, glyphs, ideal):
    """Returns the pixels per em. The base size measures the em, or ascent + descent: whichever fits the advances."""
    ascent, descent = metrics.getmetrics()
    candidates = (glyphs["base_size"], glyphs["base_size"] * UNITS / (ascent + descent))
    return min(candidates, key=lambda s: sum(abs(g["advance"] - s * ideal[g["codepoint"]]) for g in glyphs["glyphs"]))


def _shapes(data, glyphs, coverage, scale):
    """Compares the shapes of the glyphs. Returns the largest mean difference of coverage, of 255."""
    factor, limit = oversampling(scale), shape_tolerance(scale)
    fine = ImageFont.truetype(io.BytesIO(data), scale * factor, layout_engine=ImageFont.Layout.BASIC)
    worst = 0.0
    shifts = []
    for glyph in glyphs:
        found = coverage[glyph["y"] : glyph["y"] + glyph["h"], glyph["x"] : glyph["x"] + glyph["w"]].astype(float)
        text = chr(glyph["codepoint"])
        left, top, right, bottom = fine.getbbox(text, anchor="ls")
        if found.size == 0:
            assert right == left or bottom == top, f"glyph {glyph['codepoint']:#x} is empty, FreeType draws one"
            continue
        if not found.any():
            blank = Image.new("L", (right - left + 8, bottom - top + 8))
            ImageDraw.Draw(blank).text((4 - left, 4 - top), text, fill=255, font=fine, anchor="ls")
            assert not blank.getbbox(), f"glyph {glyph['codepoint']:#x} is blank, FreeType draws one"
            continue
        # A canvas around the baseline, with the origin at a whole pixel and room on every side.
        pad = 4 + int(scale)
        cells = (glyph["h"] + 2 * pad) * 2, glyph["w"] + 2 * pad
        canvas = Image.new("L", (cells[1] * factor, cells[0] * factor))
        origin = pad - glyph["offset_x"], cells[0] // 2
        ImageDraw.Draw(canvas).text((origin[0] * factor, origin[1] * factor), text, fill=255, font=fine, anchor="ls")
        small = np.asarray(canvas, float).reshape(cells[0], factor, cells[1], factor).mean(axis=(1, 3))
        column = small[:, pad : pad + glyph["w"]]
        # The box that Pillow returns begins at the baseline if all ink is below it.
        ink = canvas.getbbox()
        assert ink, f"glyph {glyph['codepoint']:#x} has ink, FreeType draws none"
        guess = ink[1] // factor
        near = range(max(0, guess - 3), min(cells[0] - glyph["h"], guess + 3) + 1)
        gaps = {y: np.abs(column[y : y + glyph["h"]] - found).mean() for y in near}
        y = min(gaps, key=gaps.get)
        # Distance from the top of the line to the baseline: the same for every glyph of a strike.
        shifts.append(origin[1] - y + glyph["offset_y"])
        assert gaps[y] <= limit, f"glyph {glyph['codepoint']:#x} differs by {gaps[y]:.1f} of 255 on average"
        worst = max(worst, gaps[y])
    spread = max(shifts, default=0) - min(shifts, default=0)
    assert spread <= 1, f"the baselines of the glyphs differ by {spread} px"
    return worst

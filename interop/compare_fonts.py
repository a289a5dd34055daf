#!/usr/bin/env python3
"""Compare fonts in packs with FreeType and HarfBuzz: compare_fonts.py COMMAND FONT_OR_DIR... [--size N] [--glyphs N] [--verbose].

COMMAND is the built `cargo-rres`. Each font is built into a pack of its own, with up to N of its characters, evenly chosen, with ASCII
and U+4E2D if it has those. Then, of each character:

- coverage: FreeType draws the glyph without hinting, eight times as large and averaged; differences are in 255ths, over the union of both rectangles;
- advance: from the chunk KERN, and FreeType's unhinted one, in pixels;
- pictures of coloured glyphs: FreeType's pixels with alpha, scaled by Pillow if the sizes differ. At the size of the strike they must be equal
  (of invisible pixels the alpha), scaled ones nearly so. --color-size N sets the size of fonts that become pictures;
- kerning: from KERN, and what HarfBuzz adds with the feature kern alone, in units, for the pairs of KERN and as many others.

Prints a row for each font that differs, and the totals. Exit codes: 0 if everything is within the tolerances, 1 if not.
Needs `pip install freetype-py uharfbuzz fonttools numpy Pillow`, and the reader in this directory. The FreeType in the wheel of freetype-py reads no
PNG, so for emoji take the system's: remove `libfreetype.so` from the package. RRES_CACHE_DIR keeps the builds out of your cache.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import freetype
import numpy as np
import uharfbuzz
from fontTools.ttLib import TTFont
from PIL import Image

from read_rres import read

# FreeType divides curves into few lines, so it draws outlines this many times as large, and the pixels are averaged.
FINER = 8
# Thin marks have little but edges. Layers are compared without averaging.
MOST_MEAN = 6.0
MOST_ADVANCE = 0.05
# Of pictures: filters differ, and where the edges of scaled pictures are rounded to.
MOST_SCALED = 8.0
FONTS = (".ttf", ".otf", ".ttc")
# Scripts that need shaping, for which HarfBuzz takes the kerning of another script system than the nominal glyphs have.
SHAPED = """Bali Batk Beng Bhks Brah Bugi Buhd Cakm Cham Deva Dogr Gong Gonm Gran Gujr Guru Hano Java Khar Khmr Khoj Knda Kthi Lana Lepc
Limb Mahj Maka Mand Marc Mlym Modi Mtei Mymr Nand Newa Orya Phag Rjng Saur Shrd Sidd Sind Sinh Soyo Sund Sylo Tagb Takr Taml Telu Tglg
Tibt Tirh Zanb""".split()


def fonts(paths):
    """Returns the font files at and below the paths, sorted."""
    found = []
    for path in map(pathlib.Path, paths):
        found += [path] if path.is_file() else [f for f in path.rglob("*") if f.suffix.lower() in FONTS]
    return sorted(found)


def chosen(face, count):
    """Returns characters of the font: evenly chosen, without controls, and ASCII."""
    every = [c for c, _ in face.get_chars() if c >= 32 and not 0x7F <= c < 0xA0 and not 0xD800 <= c < 0xE000]
    some = every[:: max(1, len(every) // count)][:count]
    known = set(every)
    return sorted({*some, *(c for c in (0x4E2D, *range(32, 127)) if c in known)})


def built(command, file, characters, size):
    """Returns the chunks of the font, or the message with which the build refused it."""
    with tempfile.TemporaryDirectory() as folder:
        assets = pathlib.Path(folder, "assets")
        assets.mkdir()
        (assets / f"font{file.suffix.lower()}").symlink_to(file.resolve())
        (assets / "list.txt").write_text("".join(map(chr, characters)), encoding="utf-8")
        (assets / "assets.toml").write_text(
            f'["font.*"]\nfont = {{ size = {size}, chars = {{ file = "list.txt" }} }}\n["list.txt"]\nignore = true\n'
        )
        pack = pathlib.Path(folder, "out.rres")
        run = [command, "rres", "build", str(assets), "-o", str(pack)]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "font." in line]
            return (lines or done.stderr.splitlines() or ["no message"])[0].split(": ", 1)[-1]
        opened = read(str(pack), None)
        assert not opened.errors, opened.errors
        return next(decoded for name, decoded in opened.by_name().items() if name.startswith("font."))


def compare(file, decoded, size, outcome):
    """Adds up the differences of a font. Returns the worst of each sort."""
    face = freetype.Face(str(file))
    # FreeType states these of fonts with outlines only.
    tables = None if face.is_scalable else TTFont(file)
    ascender, descender = (tables["hhea"].ascender, tables["hhea"].descender) if tables else (face.ascender, face.descender)
    units = ascender - descender
    em = size * (tables["head"].unitsPerEm if tables else face.units_per_EM) / units
    if not tables:
        plain = freetype.Face(str(file))
        plain.set_char_size(0, round(em * 64), 72, 72)
        face.set_char_size(0, round(em * 64 * FINER), 72, 72)
    baseline = round(ascender * size / units)
    kerning = next(chunk.fields for chunk in decoded if chunk.chunk.kind == "KERN")
    per_unit = size / kerning["units"]
    worst = {"mean": 0.0, "advance": 0.0, "where": None, "codepoints": set()}
    pages = [chunk for chunk in decoded if chunk.chunk.kind in ("FNTG", "IMGE")]
    for table, atlas in zip(pages[0::2], pages[1::2]):
        width, height = atlas.fields["width"], atlas.fields["height"]
        if len(atlas.payload.data) >= width * height * 4:
            pixels = np.frombuffer(atlas.payload.data[: width * height * 4], np.uint8).reshape(height, width, 4)
            compare_pictures(face, tables, table, pixels, (em, baseline, kerning, per_unit), worst, outcome)
            continue
        alpha = np.frombuffer(atlas.payload.data[: width * height * 2], np.uint8).reshape(height, width, 2)[:, :, 1]
        for glyph in table.fields["glyphs"]:
            codepoint = glyph["codepoint"]
            worst["codepoints"].add(codepoint)
            face.load_char(chr(codepoint), freetype.FT_LOAD_NO_HINTING | freetype.FT_LOAD_NO_BITMAP)
            slot = face.glyph
            advance = abs(kerning["advances"][codepoint] * per_unit - slot.linearHoriAdvance / 65536 / FINER)
            slot.render(freetype.FT_RENDER_MODE_NORMAL)
            theirs, left, their_top = averaged(slot)
            ours = alpha[glyph["y"] : glyph["y"] + glyph["h"], glyph["x"] : glyph["x"] + glyph["w"]]
            top = baseline - glyph["offset_y"] if glyph["h"] else 0
            mean = difference(ours, glyph["offset_x"], top, theirs, left, their_top)
            if mean > MOST_MEAN:
                # Edges that contours share count twice at this size, in FreeType as well.
                plain.load_char(chr(codepoint), freetype.FT_LOAD_NO_HINTING | freetype.FT_LOAD_NO_BITMAP | freetype.FT_LOAD_RENDER)
                bitmap = plain.glyph.bitmap
                theirs = np.array(bitmap.buffer, np.uint8).reshape(bitmap.rows, bitmap.pitch or 1)[:, : bitmap.width]
                mean = difference(ours, glyph["offset_x"], top, theirs, plain.glyph.bitmap_left, plain.glyph.bitmap_top)
            outcome["glyphs"] += 1
            outcome["blank"] += int(not ours.any() and theirs.any())
            outcome["means"].append(mean)
            outcome["advances"].append(advance)
            if mean > worst["mean"]:
                worst.update(mean=mean, where=codepoint)
            worst["advance"] = max(worst["advance"], advance)
    return worst, kerning


def averaged(slot):
    """Returns the pixels of a glyph that is drawn FINER times as large, averaged, and their left and upper edge."""
    bitmap = slot.bitmap
    pixels = np.array(bitmap.buffer, np.uint8).reshape(bitmap.rows, bitmap.pitch or 1)[:, : bitmap.width]
    left, top = slot.bitmap_left // FINER, -(-slot.bitmap_top // FINER)
    if not pixels.size:
        return np.zeros((0, 0)), left, top
    x, y = slot.bitmap_left - left * FINER, top * FINER - slot.bitmap_top
    width, height = -(-(x + bitmap.width) // FINER), -(-(y + bitmap.rows) // FINER)
    canvas = np.zeros((height * FINER, width * FINER))
    canvas[y : y + bitmap.rows, x : x + bitmap.width] = pixels
    return canvas.reshape(height, FINER, width, FINER).mean(axis=(1, 3)), left, top


def compare_pictures(face, tables, table, pixels, line, worst, outcome):
    """Adds up the differences of coloured glyphs. Those without colours are compared by their alpha."""
    ppem, baseline, kerning, per_unit = line
    for glyph in table.fields["glyphs"]:
        codepoint = glyph["codepoint"]
        worst["codepoints"].add(codepoint)
        ours = pixels[glyph["y"] : glyph["y"] + glyph["h"], glyph["x"] : glyph["x"] + glyph["w"]]
        strikes = range(len(face.available_sizes))
        # The smallest strike that is as large, or else the largest.
        sizes = [face.available_sizes[i].y_ppem / 64 for i in strikes]
        best = min(strikes, key=lambda i: (sizes[i] < round(ppem), abs(sizes[i] - round(ppem))), default=None)
        if best is None:
            face.set_char_size(0, round(ppem * 64), 72, 72)
            face.load_char(chr(codepoint), freetype.FT_LOAD_COLOR | freetype.FT_LOAD_NO_HINTING)
            scale = 1.0
        else:
            freetype.FT_Select_Size(face._FT_Face, best)
            face.load_char(chr(codepoint), freetype.FT_LOAD_COLOR)
            scale = ppem / sizes[best]
        slot = face.glyph
        index = face.get_char_index(codepoint)
        if tables:
            linear = tables["hmtx"].metrics[tables.getGlyphName(index)][0]
        else:
            linear = face.get_advance(index, freetype.FT_LOAD_NO_SCALE)
        advance = abs(kerning["advances"][codepoint] - linear) * per_unit
        if slot.format == freetype.FT_GLYPH_FORMAT_OUTLINE:
            slot.render(freetype.FT_RENDER_MODE_NORMAL)
        bitmap = slot.bitmap
        is_picture = bitmap.pixel_mode == freetype.FT_PIXEL_MODE_BGRA
        if best is not None and not is_picture:
            continue  # FreeType draws outlines at the sizes of strikes only, then
        channels = 4 if is_picture else 1
        rows = np.array(bitmap.buffer, np.uint8).reshape(bitmap.rows, bitmap.pitch or 1)[:, : bitmap.width * channels]
        if is_picture:
            theirs = rows.reshape(bitmap.rows, bitmap.width, 4)[:, :, [2, 1, 0, 3]]
        else:
            theirs = np.repeat(rows[:, :, None], 4, axis=2)
        # FreeType multiplies colours by alpha.
        alpha = ours[:, :, 3:4].astype(np.uint32)
        multiplied = np.concatenate([(ours[:, :, :3] * alpha + 127) // 255, alpha], axis=2).astype(np.uint8)
        left, top = slot.bitmap_left * scale, slot.bitmap_top * scale
        is_scaled = theirs.size > 0 and (ours.shape[1], ours.shape[0]) != (bitmap.width, bitmap.rows) and is_picture and best is not None
        if is_scaled:
            theirs = np.array(Image.fromarray(theirs, "RGBa").resize((ours.shape[1], ours.shape[0]), Image.BICUBIC))
        our_top = baseline - glyph["offset_y"] if glyph["h"] else 0
        outcome["glyphs"] += 1
        outcome["blank"] += int(not ours[:, :, 3].any() and theirs.any())
        outcome["advances"].append(advance)
        worst["advance"] = max(worst["advance"], advance)
        place = max(abs(glyph["offset_x"] - left), abs(our_top - top)) if ours.size else 0.0
        if is_picture and best is None:
            # Layers: outlines, which are drawn like other outlines.
            places = (glyph["offset_x"], our_top, slot.bitmap_left, slot.bitmap_top)
            channels = [(multiplied[:, :, i], theirs[:, :, i]) for i in range(4)]
            mean = max(difference(a, *places[:2], b, *places[2:]) for a, b in channels)
            outcome["means"].append(mean)
        elif is_picture:
            off = np.abs(multiplied.astype(int) - theirs.astype(int)) if multiplied.shape == theirs.shape else np.array([255])
            outcome["scaled" if is_scaled else "exact"].append((float(off.mean()), int(off.max(initial=0)), float(place)))
            # One, as products are rounded in another way.
            is_wrong = off.mean() > MOST_SCALED if is_scaled else off.max(initial=0) > 1
            # The lower edge, the height and the baseline are rounded.
            mean = 255.0 if is_wrong or place > 1.1 else 0.0
        else:
            mean = difference(ours[:, :, 3], glyph["offset_x"], our_top, theirs[:, :, 3], slot.bitmap_left, slot.bitmap_top)
            outcome["means"].append(mean)
        if mean > worst["mean"]:
            worst.update(mean=mean, where=codepoint)


def difference(ours, left, top, theirs, their_left, their_top):
    """Returns the mean difference of two pictures, whose corners are relative to the pen on the baseline."""
    if not ours.size and not theirs.size:
        return 0.0
    x0, y0 = min(left, their_left), max(top, their_top)
    x1 = max(left + ours.shape[1], their_left + theirs.shape[1])
    y1 = min(top - ours.shape[0], their_top - theirs.shape[0])
    canvas = np.zeros((2, y0 - y1, x1 - x0))
    canvas[0, y0 - top : y0 - top + ours.shape[0], left - x0 : left - x0 + ours.shape[1]] = ours
    canvas[1, y0 - their_top : y0 - their_top + theirs.shape[0], their_left - x0 : their_left - x0 + theirs.shape[1]] = theirs
    return float(np.abs(canvas[0] - canvas[1]).mean())


def compare_kerning(file, kerning, codepoints, outcome):
    """Compares pairs with HarfBuzz. Returns the pairs that differ."""
    font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(file)), 0))
    ours = kerning["pairs"]
    choice = random.Random(1)
    known = sorted(ours)
    pairs = choice.sample(known, min(300, len(known)))
    some = sorted(codepoints)
    pairs += [(choice.choice(some), choice.choice(some)) for _ in range(len(pairs) or 20)]
    off = {tag: False for tag in ("liga", "clig", "calt", "ccmp", "locl", "rlig", "mark", "mkmk", "dist", "abvm", "blwm")}
    wrong = []

    def shape(text, kern):
        buffer = uharfbuzz.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        uharfbuzz.shape(font, buffer, {**off, "kern": kern}, ["ot"])
        glyphs = [info.codepoint for info in buffer.glyph_infos]
        # Of scripts from right to left the glyphs are reversed.
        rightward = buffer.direction == "ltr"
        if buffer.script in SHAPED:
            glyphs = []
        return glyphs if rightward else glyphs[::-1], sum(p.x_advance for p in buffer.glyph_positions)

    for left, right in pairs:
        text = chr(left) + chr(right)
        (glyphs, kerned), (plain_glyphs, plain) = shape(text, True), shape(text, False)
        nominal = [font.get_nominal_glyph(c) for c in (left, right)]
        if glyphs != nominal or plain_glyphs != nominal:
            outcome["shaped"] += 1  # not a pair of nominal glyphs
            continue
        outcome["pairs"] += 1
        if kerned - plain != ours.get((left, right), 0):
            wrong.append((text, kerned - plain, ours.get((left, right), 0)))
    outcome["wrong_pairs"] += len(wrong)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("fonts", nargs="+")
    parser.add_argument("--size", type=int, default=48)
    parser.add_argument("--color-size", type=int, help="of fonts with pictures; as --size if it is not given")
    parser.add_argument("--glyphs", type=int, default=200)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    outcome = {"glyphs": 0, "blank": 0, "pairs": 0, "wrong_pairs": 0, "shaped": 0, "means": [], "advances": []}
    outcome.update(exact=[], scaled=[])
    counts = {"fonts": 0, "refused": 0, "failed": 0, "U+4E2D": 0}
    for file in fonts(options.fonts):
        face = freetype.Face(str(file))
        characters = chosen(face, options.glyphs)
        size = options.color_size if options.color_size and face.has_fixed_sizes else options.size
        decoded = built(options.command, file, characters, size)
        if isinstance(decoded, str):
            counts["refused"] += 1
            print(f"refused: {file.name}: {decoded}")
            continue
        counts["fonts"] += 1
        worst, kerning = compare(file, decoded, size, outcome)
        wrong = compare_kerning(file, kerning, worst["codepoints"], outcome)
        counts["U+4E2D"] += 0x4E2D in worst["codepoints"]
        lost = set(characters) - worst["codepoints"]
        failed = worst["mean"] > MOST_MEAN or worst["advance"] > MOST_ADVANCE or wrong or lost
        counts["failed"] += bool(failed)
        if failed or options.verbose:
            where = f"U+{worst['where']:04X}" if worst["where"] else "none"
            print(
                f"{'differs' if failed else 'equal'}: {file.name}: mean {worst['mean']:.2f} at {where}, "
                f"advance {worst['advance']:.3f}, kerning {wrong[:4]}, not in the pack {len(lost)}"
            )
    means, advances = np.array(outcome["means"] or [0]), np.array(outcome["advances"] or [0])
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    print(
        f"{outcome['glyphs']} glyphs, {outcome['blank']} blank that FreeType draws; mean difference of coverage {means.mean():.3f}/255, "
        f"99 of 100 below {np.percentile(means, 99):.3f}, largest {means.max():.2f}; advances within {advances.max():.4f} px"
    )
    for name in ("exact", "scaled"):
        if outcome[name]:
            off = np.array(outcome[name])
            print(
                f"{len(off)} pictures {name}: mean difference {off[:, 0].mean():.3f}/255, largest mean {off[:, 0].max():.2f}, "
                f"largest of a pixel {off[:, 1].max():.0f}, places within {off[:, 2].max():.2f} px"
            )
    print(f"{outcome['pairs']} pairs, {outcome['wrong_pairs']} differ from HarfBuzz, {outcome['shaped']} left out because it shapes them")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

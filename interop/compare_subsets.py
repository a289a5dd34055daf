#!/usr/bin/env python3
"""Compare fonts cut by `font.store = "subset"` with the whole ones: compare_subsets.py COMMAND [FONT ...] [--seed N] [--verbose].

COMMAND is the built `cargo-rres`. Without a font, those of Debian's fonts-noto-cjk and fonts-noto-core that the texts below are for. Each font is built
into a pack with the characters of a text. Then:

- shaping: HarfBuzz makes the same glyphs at the same places of the text, its words, parts of them and mixtures of its characters, as they are and with
  every feature of the font turned on by itself, from left to right, right to left and top to bottom, and at other places of a variable font;
- outlines: HarfBuzz draws each of these glyphs as the same lines and curves;
- tables: those that shape text, and the names with the licence, are the same bytes. fontTools reads every table, and OTS accepts the file.

Prints a row for each font, and exits with 1 if something differs. Needs `pip install uharfbuzz fonttools opentype-sanitizer`, and the reader in this
directory. RRES_CACHE_DIR keeps the builds out of your cache.
"""

import argparse
import io
import pathlib
import random
import subprocess
import sys
import tempfile

import ots
import uharfbuzz
from fontTools.ttLib import TTFont

from read_rres import read

NOTO = pathlib.Path("/usr/share/fonts")
LATIN = "The office fluffed five affine trolls, AVATAR To. 1/2 Ünïcödé é ñ e\u0301 — “quotes” (ﬁ) ơ ậ a\u0323\u0302 0123"
ARABIC = "السلام عليكم ورحمة الله وبركاته لا إله إلا الله (مرحبا) ١٢٣ محمّد لأنّ"
DEVANAGARI = "नमस्ते दुनिया। क्षत्रिय ज्ञान श्री र्क हिन्दी कार्य त्र ट्ट द्ध शक्ति"
JAPANESE = "ランタンをともせ。最高得点「夜の空を飛んで星を集めよう！」ー…（音量）設定 Level 0123456789 学国語漢字仮名交じり文の例です、ばパは\u3099"
CHINESE = "汉字简体中文游戏设置，音量：继续退出关卡得分。《标题》 Level 0123456789"
THAI = "สวัสดีน้ำทั้งที่กี่ป่า"
HEBREW = "שָׁלוֹם עולם (אבג)"
KHMER = "សួស្តីកើតក្រុម"
TEXTS = [
    ("NotoSansCJK-Regular.ttc", JAPANESE),
    ("NotoSansCJK-Regular.ttc", JAPANESE + CHINESE),
    ("NotoSans-Regular.ttf", LATIN),
    ("NotoSerif-Italic.ttf", LATIN),
    ("NotoSansArabic-Regular.ttf", ARABIC),
    ("NotoNaskhArabic-Regular.ttf", ARABIC),
    ("NotoSansDevanagari-Regular.ttf", DEVANAGARI),
    ("NotoSerifDevanagari-Regular.ttf", DEVANAGARI),
    ("NotoSansThai-Regular.ttf", THAI),
    ("NotoSansHebrew-Regular.ttf", HEBREW),
    ("NotoSansKhmer-Regular.ttf", KHMER),
]
SAME = ("GSUB", "GPOS", "GDEF", "BASE", "kern", "name", "OS/2", "fvar", "avar", "STAT", "HVAR", "MVAR", "fpgm", "prep", "cvt ", "VORG")
# Random mixtures of characters for each font.
MIXTURES = 300


def built(command, file, text):
    """Returns the cut font and its size in the pack, or the message with which the build refused it."""
    with tempfile.TemporaryDirectory() as folder:
        assets = pathlib.Path(folder, "assets")
        assets.mkdir()
        (assets / f"font{file.suffix.lower()}").symlink_to(file.resolve())
        (assets / "list.txt").write_text(text, encoding="utf-8")
        (assets / "assets.toml").write_text(
            '["font.*"]\nfont = { store = "subset", chars = { file = "list.txt" } }\n["list.txt"]\nignore = true\n'
        )
        pack = pathlib.Path(folder, "out.rres")
        run = [command, "rres", "build", str(assets), "-o", str(pack)]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr.strip() or "no message"
        opened = read(str(pack), None)
        assert not opened.errors, opened.errors
        [chunk] = next(decoded for name, decoded in opened.by_name().items() if name.startswith("font."))
        return chunk.payload.data[: chunk.fields["bytes"]], pack.stat().st_size


def samples(text, choice):
    """Returns the text, its words, their beginnings and ends, and mixtures of its characters."""
    words = text.split()
    parts = [w[:n] for w in words for n in range(1, len(w))] + [w[n:] for w in words for n in range(1, len(w))]
    every = sorted(set(text))
    mixed = ["".join(choice.choice(every) for _ in range(choice.randrange(2, 7))) for _ in range(MIXTURES)]
    return [text, *words, *parts, *mixed]


def shaped(font, text, direction, features):
    """Returns the glyphs of a text with their places, and the direction."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    if direction:
        buffer.direction = direction
    uharfbuzz.shape(font, buffer, features)
    places = [tuple(place.position) for place in buffer.glyph_positions]
    return [(info.codepoint, info.cluster, *place) for info, place in zip(buffer.glyph_infos, places)]


def opened(data):
    return uharfbuzz.Font(uharfbuzz.Face(data, 0))


def compare(file, data, text, choice):
    """Returns what differs, and how many shapings and glyphs were compared."""
    whole, cut = opened(file.read_bytes()), opened(data)
    tables, own = TTFont(file, fontNumber=0), TTFont(io.BytesIO(data))
    wrong = [f"table {tag}" for tag in SAME if tag in tables and own.getTableData(tag) != tables.getTableData(tag)]
    for tag in own.keys():
        if tag != "GlyphOrder":
            own[tag]  # parses it
    with tempfile.NamedTemporaryFile(suffix=".otf") as written:
        written.write(data)
        written.flush()
        checked = ots.sanitize(written.name, capture_output=True)
        if checked.returncode:
            wrong.append(f"OTS: {checked.stderr.decode(errors='replace').strip()}")
    tags = set()
    for tag in ("GSUB", "GPOS"):
        if tag in tables and tables[tag].table.FeatureList:
            tags |= {record.FeatureTag for record in tables[tag].table.FeatureList.FeatureRecord}
    axes = [(axis.axisTag, axis.minValue, axis.maxValue) for axis in tables["fvar"].axes] if "fvar" in tables else []
    places = [{}, {tag: low for tag, low, _ in axes}, {tag: high for tag, _, high in axes}] if axes else [{}]
    seen, count = set(), 0
    for place in places:
        for font in (whole, cut):
            font.set_variations(place)
        drawn = set()
        for number, sample in enumerate(samples(text, choice)):
            # Each feature with some of the samples, in turn.
            some = sorted(tags) if number < 4 else sorted(tags)[number % 7 :: 7]
            runs = [(None, {}), ("ttb", {}), ("rtl", {})] + [(None, {tag: True}) for tag in some]
            for direction, features in runs:
                expected = shaped(whole, sample, direction, features)
                count += 1
                drawn |= {glyph[0] for glyph in expected}
                if shaped(cut, sample, direction, features) != expected:
                    wrong.append(f"{sample!r} {direction or ''} {features or ''} {place or ''}")
        for glyph in drawn:
            outlines = []
            for font in (whole, cut):
                pen = []
                functions = uharfbuzz.DrawFuncs()
                for name in ("move_to", "line_to", "quadratic_to", "cubic_to", "close_path"):
                    note = lambda *values, name=name: pen.append((name, *(v for v in values if not isinstance(v, list))))
                    getattr(functions, f"set_{name}_func")(note)
                font.draw_glyph(glyph, functions, [])
                outlines.append((pen, font.get_glyph_extents(glyph)))
            if outlines[0] != outlines[1]:
                wrong.append(f"outline of glyph {glyph} {place or ''}")
        seen |= drawn
    return wrong, count, len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("fonts", nargs="*", help="compared with the texts of every script above")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    jobs = [(pathlib.Path(font), " ".join({text for _, text in TEXTS})) for font in options.fonts]
    if not jobs:
        for name, text in TEXTS:
            found = sorted(NOTO.rglob(name))
            if not found:
                sys.exit(f"{name} is not installed: apt-get install fonts-noto-cjk fonts-noto-core")
            jobs.append((found[0], text))
    failed = 0
    for file, text in jobs:
        cut = built(options.command, file, text)
        if isinstance(cut, str):
            print(f"refused: {file.name}: {cut}")
            failed += 1
            continue
        data, stored = cut
        wrong, count, glyphs = compare(file, data, text, random.Random(options.seed))
        whole = file.stat().st_size
        print(
            f"{file.name}: {whole} bytes, cut {len(data)} ({len(data) / whole:.1%}), pack {stored} ({stored / whole:.1%}); "
            f"{count} shapings, {glyphs} outlines, {len(wrong)} differ"
        )
        for line in wrong[: None if options.verbose else 5]:
            print(f"  {line}")
        failed += bool(wrong)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

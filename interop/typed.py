"""Interprets the properties and data of a chunk by its kind, and checks every size relation that the format defines.

`describe` returns a dict of plain values, also for unknown kinds. An `RresError` names a relation that does not hold.
"""

import struct

from container import KINDS, RresError

# rres pixel formats: name and bits per pixel. Compressed ones (11 to 21) have blocks of 4x4 pixels, ASTC 8x8 of 8x8.
# Ours follow below.
PIXEL_FORMATS = {
    1: ("GRAY", 8), 2: ("GRAY_ALPHA", 16), 3: ("R5G6B5", 16), 4: ("R8G8B8", 24), 5: ("R5G5B5A1", 16),
    6: ("R4G4B4A4", 16), 7: ("R8G8B8A8", 32), 8: ("R32", 32), 9: ("R32G32B32", 96), 10: ("R32G32B32A32", 128),
    11: ("DXT1_RGB", 4), 12: ("DXT1_RGBA", 4), 13: ("DXT3_RGBA", 8), 14: ("DXT5_RGBA", 8), 15: ("ETC1_RGB", 4),
    16: ("ETC2_RGB", 4), 17: ("ETC2_EAC_RGBA", 8), 18: ("PVRT_RGB", 4), 19: ("PVRT_RGBA", 4), 20: ("ASTC_4x4", 8),
    21: ("ASTC_8x8", 2),
}  # fmt: skip
# Formats that rres has no number for, 1000 + their number in Vulkan: name, bytes of a block, and its edges.
BLOCK_FORMATS = {
    1139: ("BC4", 8, 4, 4), 1140: ("BC4_SIGNED", 8, 4, 4), 1141: ("BC5", 16, 4, 4), 1142: ("BC5_SIGNED", 16, 4, 4),
    1143: ("BC6H", 16, 4, 4), 1144: ("BC6H_SIGNED", 16, 4, 4), 1145: ("BC7", 16, 4, 4), 1149: ("ETC2_RGBA1", 8, 4, 4),
    1153: ("EAC_R11", 8, 4, 4), 1154: ("EAC_R11_SIGNED", 8, 4, 4), 1155: ("EAC_RG11", 16, 4, 4),
    1156: ("EAC_RG11_SIGNED", 16, 4, 4), 1159: ("ASTC_5x4", 16, 5, 4), 1161: ("ASTC_5x5", 16, 5, 5),
    1163: ("ASTC_6x5", 16, 6, 5), 1165: ("ASTC_6x6", 16, 6, 6), 1167: ("ASTC_8x5", 16, 8, 5),
    1169: ("ASTC_8x6", 16, 8, 6), 1173: ("ASTC_10x5", 16, 10, 5), 1175: ("ASTC_10x6", 16, 10, 6),
    1177: ("ASTC_10x8", 16, 10, 8), 1179: ("ASTC_10x10", 16, 10, 10), 1181: ("ASTC_12x10", 16, 12, 10),
    1183: ("ASTC_12x12", 16, 12, 12),
}  # fmt: skip
ATTRIBUTES = {
    0: "position", 10: "texcoord1", 11: "texcoord2", 12: "texcoord3", 13: "texcoord4", 20: "normal", 30: "tangent",
    40: "color", 100: "index",
    # Ours.
    **{1010 + n: f"texcoord{n + 1}" for n in range(4, 8)}, **{1040 + n: f"color{n + 1}" for n in range(1, 4)},
    **{1050 + n: f"joints{n + 1}" for n in range(10)}, **{1060 + n: f"weights{n + 1}" for n in range(10)},
    **{1100 + n: f"lod{n + 1}" for n in range(16)},
}  # fmt: skip
VERTEX_FORMATS = {
    0: ("u8", 1),
    1: ("i8", 1),
    2: ("u16", 2),
    3: ("i16", 2),
    4: ("u32", 4),
    5: ("i32", 4),
    6: ("f16", 2),
    7: ("f32", 4),
}
ENCODINGS = {0: "undefined", 1: "utf-8", 2: "utf-8-bom", 10: "utf-16-le", 11: "utf-16-be"}


def describe(chunk, payload):
    reader = _READERS.get(chunk.kind)
    if reader is None:
        return {"kind": chunk.kind, "unknown": chunk.kind not in KINDS, "bytes": len(payload.data)}
    if payload.missing_tail and chunk.kind != "IMGE":
        raise RresError(
            f"{chunk.label()}: qoi lacks the last {payload.missing_tail} bytes, and the chunk is not an image"
        )
    try:
        return {"kind": chunk.kind, **reader(payload)}
    except RresError as error:
        raise RresError(f"{chunk.label()}: {error}") from None


def _properties(payload, count):
    if len(payload.properties) < count:
        raise RresError(f"{len(payload.properties)} properties, expected {count}")
    return payload.properties[:count]


def _size_is(payload, expected, what):
    found = len(payload.data) + payload.missing_tail
    if found != expected:
        raise RresError(f"{what}: expected {expected} bytes, found {found}")


def extension(ext01, ext02):
    """Returns the extension in two properties: left-aligned big-endian text."""
    raw = struct.pack(">II", ext01, ext02)
    text = raw.rstrip(b"\0")
    if b"\0" in text:
        raise RresError(f"extension {raw!r} contains a NUL before its end")
    if text and not text.startswith(b"."):
        raise RresError(f"extension {text!r} has no dot")
    return text.decode("utf-8", "backslashreplace")


def _raw(payload):
    size, ext01, ext02, _ = _properties(payload, 4)
    _size_is(payload, size, "size property")
    return {"extension": extension(ext01, ext02), "bytes": size}


def _text(payload):
    size, encoding, language, culture = _properties(payload, 4)
    _size_is(payload, size, "size property")
    if encoding not in ENCODINGS:
        raise RresError(f"text encoding is {encoding}, expected one of {sorted(ENCODINGS)}")
    if language > 12:
        raise RresError(f"code language is {language}, expected at most 12")
    if ENCODINGS[encoding].startswith("utf-8"):
        try:
            payload.data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RresError(f"invalid utf-8: {error}") from None
    return {"encoding": ENCODINGS[encoding], "language": language, "culture": culture, "bytes": size}


def level_size(width, height, pixel_format):
    if pixel_format in BLOCK_FORMATS:
        _name, size, across, down = BLOCK_FORMATS[pixel_format]
        return -(-width // across) * -(-height // down) * size
    _name, bits = PIXEL_FORMATS[pixel_format]
    if pixel_format < 11:
        return width * height * bits // 8
    # The C loader computes width * height * bits / 8, which is the same if both edges are multiples of the block's.
    edge = 8 if pixel_format == 21 else 4
    block = 8 if bits == 4 else 16
    return -(-width // edge) * -(-height // edge) * block


def _image(payload):
    width, height, pixel_format, mipmaps = _properties(payload, 4)
    name = (PIXEL_FORMATS.get(pixel_format) or BLOCK_FORMATS.get(pixel_format) or [None])[0]
    if name is None:
        raise RresError(f"pixel format is {pixel_format}, expected 1 to 21 or one of ours from 1139 on")
    if width == 0 or height == 0:
        raise RresError(f"image of {width}x{height} pixels")
    levels = max(width, height).bit_length()
    if not 1 <= mipmaps <= levels:
        raise RresError(f"{mipmaps} mip levels for {width}x{height} pixels, expected 1 to {levels}")
    total = sum(level_size(max(1, width >> n), max(1, height >> n), pixel_format) for n in range(mipmaps))
    _size_is(payload, total, f"{width}x{height} {name} in {mipmaps} levels")
    found = {"width": width, "height": height, "format": name, "mipmaps": mipmaps}
    if payload.missing_tail:
        found["missing_tail"] = payload.missing_tail
    return found


def _wave(payload):
    frames, rate, bits, channels = _properties(payload, 4)
    if bits not in (8, 16, 24, 32) or not 1 <= channels <= 32 or rate == 0:
        raise RresError(f"sound with {channels} channels of {bits} bits at {rate} Hz")
    _size_is(payload, frames * bits * channels // 8, f"{frames} frames x {channels} channels x {bits} bits")
    return {"frames": frames, "rate": rate, "bits": bits, "channels": channels}


def _vertices(payload):
    count, attribute, components, number = _properties(payload, 4)
    if attribute not in ATTRIBUTES or number not in VERTEX_FORMATS or not 1 <= components <= 4:
        raise RresError(f"attribute {attribute} with {components} components of format {number}")
    _size_is(payload, count * components * VERTEX_FORMATS[number][1], f"{count} vertices")
    return {
        "count": count,
        "attribute": ATTRIBUTES[attribute],
        "components": components,
        "format": VERTEX_FORMATS[number][0],
    }


def _glyphs(payload):
    size, count, padding, style = _properties(payload, 4)
    _size_is(payload, 32 * count, f"{count} glyphs")
    if style > 3:
        raise RresError(f"font style is {style}, expected at most 3")
    names = ("x", "y", "w", "h", "codepoint", "offset_x", "offset_y", "advance")
    glyphs = [dict(zip(names, struct.unpack_from("<8i", payload.data, 32 * n))) for n in range(count)]
    seen = set()
    for glyph in glyphs:
        if not 0 <= glyph["codepoint"] <= 0x10FFFF or glyph["codepoint"] in seen:
            raise RresError(f"codepoint {glyph['codepoint']:#x} is invalid or occurs twice")
        seen.add(glyph["codepoint"])
        if min(glyph["x"], glyph["y"], glyph["w"], glyph["h"]) < 0:
            raise RresError(f"glyph {glyph['codepoint']:#x}: its rectangle has a negative coordinate or size")
    return {"base_size": size, "glyph_count": count, "padding": padding, "style": style, "glyphs": glyphs}


def _kerning(payload):
    version, count, rows, pairs, units = _properties(payload, 5)
    if version != 1:
        raise RresError(f"kerning has layout version {version}, expected 1")
    _size_is(payload, 12 * count + 4 * rows + 4 * pairs, "kerning")
    glyphs = [struct.unpack_from("<IfHH", payload.data, 12 * n) for n in range(count)]
    ends = [0, *struct.unpack_from(f"<{rows}I", payload.data, 12 * count)]
    at = 12 * count + 4 * rows
    values = [struct.unpack_from("<Hh", payload.data, at + 4 * n) for n in range(pairs)]
    if [g[0] for g in glyphs] != sorted({g[0] for g in glyphs}) or ends != sorted(ends) or ends[-1] != pairs:
        raise RresError("kerning is not in order")
    columns = {}
    for codepoint, _, row, column in glyphs:
        if row > rows:
            raise RresError(f"U+{codepoint:04X} has row {row} of {rows}")
        columns.setdefault(column, []).append(codepoint)
    found = {}
    for left, _, row, _ in glyphs:
        for column, value in values[ends[row - 1] : ends[row]] if row else []:
            found.update({(left, right): value for right in columns.get(column, []) if column})
    return {
        "units": struct.unpack("<f", struct.pack("<I", units))[0],
        "advances": {g[0]: g[1] for g in glyphs},
        "pairs": found,
    }


def _link(payload):
    (size,) = _properties(payload, 1)
    _size_is(payload, size, "size property")
    return {
        "path": payload.data.split(b"\0", 1)[0].decode("utf-8", "backslashreplace"),
        "nul": payload.data[-1:] == b"\0",
    }


_READERS = {
    "RAWD": _raw, "TEXT": _text, "IMGE": _image, "WAVE": _wave, "VRTX": _vertices, "FNTG": _glyphs, "KERN": _kerning, "LINK": _link,
}  # fmt: skip


def check_resource(chunks):
    """Checks the chunks of one resource against one another; `chunks` are results of `describe`, in order."""
    for index, chunk in enumerate(chunks):
        if chunk["kind"] != "FNTG":
            continue
        atlas = chunks[index + 1] if index + 1 < len(chunks) else {"kind": "nothing"}
        if atlas["kind"] != "IMGE":
            raise RresError(f"expected IMGE after FNTG, found {atlas['kind']}")
        for glyph in chunk["glyphs"]:
            if glyph["x"] + glyph["w"] > atlas["width"] or glyph["y"] + glyph["h"] > atlas["height"]:
                raise RresError(
                    f"glyph {glyph['codepoint']:#x} is outside its {atlas['width']}x{atlas['height']} atlas"
                )
    # Each position attribute starts another primitive.
    count = None
    for chunk in (c for c in chunks if c["kind"] == "VRTX"):
        if chunk["attribute"] == "position" or count is None:
            count = chunk["count"]
        elif chunk["attribute"] != "index" and not chunk["attribute"].startswith("lod") and chunk["count"] != count:
            raise RresError(f"{chunk['attribute']} has {chunk['count']} vertices, the primitive has {count}")

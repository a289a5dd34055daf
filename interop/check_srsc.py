#!/usr/bin/env python3
"""Compare a pack with the database it was imported from: check_srsc.py PACK DATABASE.db.

The pack is one that `cargo rres pack` made of the directory of the database. Reads textures, sounds and texts
of the database with a reader of its own, which was written from a description of the format and shares no code with the crates. Compares
pixels, samples and texts, and the ids with those that the rules of rres give the paths, and that a C program finds. Exit codes: 0 if
everything is equal, 1 if something differs.
"""

import pathlib
import struct
import sys
import zlib

from c_reader import CFile
from read_rres import read


def records(path):
    """Returns the records of an archive: (type, id, group) and the body."""
    data = path.read_bytes()
    magic, version, directory, count = struct.unpack_from("<4sHIH", data)
    assert magic == b"SRSC" and version == 0x100 and directory + 14 * count == len(data), path
    found = {}
    for number in range(count):
        kind, id_, group, offset, size = struct.unpack_from("<HHHII", data, directory + 14 * number)
        found[kind, id_] = group, data[offset : offset + size]
    return found


def text(body, at=0):
    size = struct.unpack_from("<H", body, at)[0]
    return body[at + 2 : at + 2 + size].removesuffix(b"\0").decode("cp1252"), at + 2 + size


def spread(value, bits):
    return value * 255 // ((1 << bits) - 1)


def pixel(raw, bits, alpha_bits, flags, key, palette):
    """Returns red, green, blue and alpha of a pixel."""
    if bits in (8, 24):
        rgb = tuple(palette[4 * raw[0] : 4 * raw[0] + 3]) if bits == 8 else tuple(raw)
        return (*rgb, 0 if int.from_bytes(bytes(rgb), "big") == key else 255)
    if bits == 32:
        return (raw[2], raw[1], raw[0], raw[3]) if alpha_bits == 8 else (*raw[:3], 255)
    value = int.from_bytes(raw, "little")
    shapes = {0: (0, 5, 6, 5), 1: (1, 5, 5, 5), 4: (4, 4, 4, 4), 8: (8, 3, 3, 2)}
    a, r, g, b = shapes[alpha_bits if flags & 2 else 0]
    parts = [spread(value >> shift & (1 << n) - 1, n) for shift, n in ((g + b, r), (b, g), (0, b))]
    return (*parts, spread(value >> (r + g + b), a) if a else 255)


def texture(body, palette):
    """Returns width, height, flags and the pixels as RGBA from the top to the bottom."""
    width, height, pitch, bits, alpha_bits, key = struct.unpack_from("<IIIHII", body)
    flags, level, size = body[35], *struct.unpack_from("<II", body, 46)
    data = body[54 : 54 + size]
    data = zlib.decompress(data) if level else data
    rows = [data[pitch * row : pitch * row + width * bits // 8] for row in range(height)]
    step = bits // 8
    pixels = [pixel(row[i : i + step], bits, alpha_bits, flags, key, palette) for row in rows[::-1] for i in range(0, len(row), step)]
    return width, height, flags, bytes(value for rgba in pixels for value in rgba)


def sound(body):
    """Returns the name, rate, channels and the samples as signed numbers of 16 bits."""
    name, at = text(body)
    _, channels, bits, rate, _, _, _, size, level = struct.unpack_from("<IHHIifIII", body, at)
    at += 32
    data = zlib.decompress(body[at + 4 :]) if level else body[at : at + size]
    if bits == 8:
        data = b"".join(struct.pack("<h", (sample - 128) * 256) for sample in data)
    return name, rate, channels, data


def groups(found, group):
    """Returns the names of the groups of a sound, from the outermost on."""
    names = []
    while group:
        group, body = found[0x301, group]
        names.insert(0, text(body)[0])
    return names


def rgba(fields, data):
    """Returns the first level of a stored image as RGBA."""
    count = fields["width"] * fields["height"]
    channels = {"GRAYSCALE": 1, "GRAY_ALPHA": 2, "R8G8B8": 3, "R8G8B8A8": 4}[fields["format"]]
    one = [data[i : i + channels] for i in range(0, count * channels, channels)]
    if channels < 3:
        one = [bytes([value[0]] * 3) + value[1:] for value in one]
    return b"".join(value if len(value) == 4 else value + b"\xff" for value in one)


def expected(database):
    """Returns what the assets of textures and sounds contain, by path."""
    found = {}
    textures = records(database.with_suffix(".txd"))
    palette = textures[0x30, 0][1][2:]
    decoded = {id_: texture(body, palette) for (kind, id_), (_, body) in textures.items() if kind == 0x40}
    for id_, (width, height, flags, pixels) in decoded.items():
        if not flags & 8:
            found[f"{database.stem}.txd#{id_}"] = "image", (width, height), pixels
    sounds = records(database.with_suffix(".sdb"))
    for (kind, _), (group, body) in sounds.items():
        if kind == 0x302:
            name, rate, channels, data = sound(body)
            name = "/".join([*groups(sounds, group), name])
            found[f"{database.stem}.sdb#{name}"] = "sound", (rate, channels, 16), data
    return found


def main():
    pack, database = map(pathlib.Path, sys.argv[1:])
    opened = read(pack)
    faults = list(opened.errors)
    names = opened.by_name()
    for path, (kind, shape, data) in expected(database).items():
        if path not in names:
            faults.append(f"{path} is not in the pack")
            continue
        decoded = names[path][0]
        fields, stored = decoded.fields, decoded.payload.data
        if kind == "image":
            same = (fields["width"], fields["height"]) == shape and rgba(fields, stored) == data
        else:
            same = (fields["rate"], fields["channels"], fields["bits"]) == shape and stored == data
        if not same:
            faults.append(f"{path}: {fields} is not {shape}, or its bytes differ")
    listed = {resource.id: resource.name for resource in opened.container.resources if resource.name is not None}
    faults += [f"{name} has the id {id_:08x}" for id_, name in listed.items() if zlib.crc32(name.encode()) != id_]
    # A C program reads the directory, and finds each resource by its id.
    c_file = CFile(pack.read_bytes())
    of_c = dict(c_file.directory())
    faults += [f"{id_:08x} is not listed by both readers" for id_ in of_c.keys() ^ listed.keys()]
    for id_ in of_c:
        c_file.multi(id_)
    for fault in faults:
        print(fault)
    print(f"{len(expected(database))} textures and sounds compared, {len(listed)} ids listed: {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

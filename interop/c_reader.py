#!/usr/bin/env python3
"""Load a pack by the rules of rres.h and rres-raylib.h, limits included: c_reader.py PACK [PASSWORD].

Follows the C code step by step: the directory, the search by a prefix of the name, the walk over the chunks, `int` arithmetic, the
20 bytes that it skips in unpacked blocks, and what each `Load…FromResource` accepts. Compares the result with `read_rres.py`. Where the C code
would read out of bounds or never return, that is an error. Exit codes: 0 if a C program loads everything, 1 if not.
"""

import collections
import struct
import sys
import zlib

import deflate_blocks
import qoi
import unpack
from container import CHUNK_HEADER, HEADER, KINDS, RresError
from read_rres import read

INT_MAX = (1 << 31) - 1
INFLATED = 64 << 20
# rresPixelFormat to bits of a pixel, as GetPixelDataSize has them.
BITS = {1: 8, 2: 16, 3: 16, 4: 24, 5: 16, 6: 16, 7: 32, 8: 32, 9: 96, 10: 128} | dict.fromkeys((11, 12, 15, 16, 18, 19), 4)
BITS |= dict.fromkeys((13, 14, 17, 20), 8) | {21: 2}
ATTRIBUTES = {0: (3, 7), 10: (2, 7), 11: (2, 7), 20: (3, 7), 30: (4, 7), 40: (4, 0), 100: (1, 2)}

Info = collections.namedtuple("Info", "kind id compression cipher flags packed base next reserved crc offset")


class CFault(Exception):
    """Something that the C code cannot load."""


class CFile:
    """The file as `fread` and `fseek` see it."""

    def __init__(self, data):
        if len(data) > INT_MAX:
            raise CFault(f"the file has {len(data)} bytes, and a long has 32 bits on Windows")
        self.data = data
        signature, version, self.count, self.directory_offset, _ = HEADER.unpack_from(data)
        if signature != b"rres" or version != 100:
            raise CFault("not an rres file of version 100")

    def info(self, offset):
        if offset + CHUNK_HEADER.size > len(self.data):
            raise CFault(f"a chunk header at {offset} is beyond the end of the file")
        return Info(*CHUNK_HEADER.unpack_from(self.data, offset), offset)

    def stored(self, info):
        start = info.offset + CHUNK_HEADER.size
        if info.packed > INT_MAX or info.base > INT_MAX:
            raise CFault(f"a chunk of {max(info.packed, info.base)} bytes, which is not an int")
        if info.packed == 0 or start + info.packed > len(self.data):
            raise CFault(f"a chunk of {info.packed} bytes is read out of bounds")
        return self.data[start : start + info.packed]

    def directory(self):
        """rresLoadCentralDirectory: a list of (id, name field)."""
        if self.directory_offset == 0:
            raise CFault("no directory")
        info = self.info(HEADER.size + self.directory_offset)
        if info.kind != b"CDIR":
            raise CFault("the offset of the directory leads to no directory")
        properties, raw = plain(info, self.stored(info))
        entries, at = [], 0
        for _ in range(properties[0]):
            id_, _offset, _reserved, size = struct.unpack_from("<4I", raw, at)
            if size > 1024:
                raise CFault(f"a name field of {size} bytes overflows its buffer")
            entries.append((id_, raw[at + 16 : at + 16 + size].split(b"\0")[0]))
            at += 16 + size
        return entries

    def multi(self, id_):
        """rresLoadResourceMulti: the first chunk with this id, and those that are linked to it."""
        offset = HEADER.size
        for _ in range(self.count):
            info = self.info(offset)
            if info.id == id_:
                chain = [info]
                while chain[-1].next:
                    if chain[-1].next in [seen.offset for seen in chain]:
                        raise CFault("a chain that never ends")
                    chain.append(self.info(chain[-1].next))
                return chain
            offset += CHUNK_HEADER.size + info.packed
        raise CFault(f"no chunk has the id {id_:08x}")


def plain(info, stored):
    """rresLoadResourceChunkData for a chunk that is neither compressed nor encrypted."""
    if zlib.crc32(stored) != info.crc:
        raise CFault("the CRC differs")
    count = struct.unpack_from("<I", stored)[0]
    start = 4 + 4 * count
    if start > info.base or info.base > info.packed:
        raise CFault("sizes that lead out of bounds")
    return list(struct.unpack_from(f"<{count}I", stored, 4)), stored[start : info.base]


def unpacked(info, stored, password):
    """UnpackResourceChunk: properties and data."""
    if info.kind.decode("latin1") not in KINDS or info.kind == b"NULL":
        raise CFault(f"the kind {info.kind} is unknown")
    if info.compression == 0 and info.cipher == 0:
        return plain(info, stored)
    if zlib.crc32(stored) != info.crc:
        raise CFault("the CRC differs")
    if info.cipher not in (0, 30, 73):
        raise CFault(f"error 1: cipher {info.cipher}")
    if info.cipher:
        # The whole password, and not 16 bytes of it: what the newest code hashes.
        stored = unpack.decrypt(info.cipher, stored, password)
    if info.compression == 0:
        block = stored
    elif info.compression == 10:
        if info.base > INFLATED:
            raise CFault("more than 64 MiB of inflated data overflow a buffer")
        for hazard in deflate_blocks.sinfl_hazards(stored):
            raise CFault(hazard)
        block = unpack.inflate(stored, info.base)
    elif info.compression == 20:
        block = unpack.lz4_block(stored, info.base)
    elif info.compression == 40:
        block = qoi.decode(stored, 400_000_000)[3]
    else:
        raise CFault(f"error 3: compression {info.compression}")
    if len(block) < info.base:
        raise CFault(f"{info.base - len(block)} bytes are copied from beyond the end of the unpacked data")
    count = struct.unpack_from("<I", block)[0]
    # The data is copied from byte 20 on, whatever the number of properties.
    if count != 4:
        raise CFault(f"{count} properties in a packed chunk, and data is taken from behind 4")
    return list(struct.unpack_from("<4I", block, 4)), bytes(block[20 : info.base])


def image(info, properties, raw):
    width, height, pixel, levels = properties
    size = BITS.get(pixel, 0) * width * height // 8
    if width < 4 and height < 4 and pixel in (11, 12):
        size = 8
    elif width < 4 and height < 4 and 13 <= pixel <= 20:
        size = 16
    if size != info.base - 20 or size == 0 or size > INT_MAX:
        raise CFault(f"an image of {info.base - 20} bytes, where raylib computes {size}: no pixels")
    if levels != 1:
        raise CFault(f"{levels} mip levels")
    return raw


def text(info, properties, raw):
    string = raw[: properties[0]].split(b"\0")[0]
    if len(string) != properties[0]:
        raise CFault("a text with a zero byte")
    return string


def wave(info, properties, raw):
    frames, _rate, bits, channels = properties
    size = (frames * bits * channels & 0xFFFFFFFF) // 8
    if bits not in (8, 16, 32) or size != len(raw):
        raise CFault(f"{size} bytes of samples of {bits} bits, stored are {len(raw)}")
    return raw


def link(info, properties, raw):
    path = raw[: properties[0]]
    if b"\0" not in path or len(path) > 1024:
        raise CFault("a path without an end, or one that is too long")
    return path


LOADERS = {b"IMGE": image, b"TEXT": text, b"WAVE": wave, b"LINK": link, b"RAWD": lambda i, p, raw: raw[: p[0]]}


def load(chain, chunks):
    """The bytes that a program gets of each chunk."""
    first = chain[0].kind
    if first == b"FNTG" and (len(chain) < 2 or chain[1].kind != b"IMGE"):
        raise CFault("a glyph table without an image")
    if first == b"VRTX":
        count = chunks[0][0][0]
        for properties, _ in chunks:
            if ATTRIBUTES.get(properties[1]) != (properties[2], properties[3]):
                raise CFault(f"vertex attribute {properties[1]} of {properties[2]} numbers of format {properties[3]} is left out")
            if properties[1] != 100 and properties[0] != count:
                raise CFault(f"vertex attribute {properties[1]} has {properties[0]} vertices, expected {count}")
        if chunks[0][0][1] == 100:
            raise CFault("the first chunk has the indices")
    loaded = []
    for info, (properties, raw) in zip(chain, chunks):
        loader = LOADERS.get(info.kind)
        loaded.append(loader(info, properties, raw) if loader else raw)
    return loaded


def faults(path, password=None):
    """Returns the number of chunks that a C program loads, and what it cannot load."""
    opened = read(path, password)
    file = CFile(opened.container.data)
    loaded, found = 0, []
    entries = file.directory()
    for id_, name in entries:
        try:
            # strncmp with the length of the name that is asked for.
            got = next(other for other, longer in entries if longer.startswith(name))
            if got != id_:
                raise CFault("rresGetResourceId returns another id")
            chain = file.multi(id_)
            chunks = [unpacked(info, file.stored(info), password) for info in chain]
            got = load(chain, chunks)
            wanted = opened.decoded[id_]
            # Chunks that a C program cannot see follow those that it loads.
            others = [chunk.chunk.kind for chunk in wanted[len(got) :] if chunk.chunk.kind in KINDS]
            if others:
                raise CFault(f"{len(others)} chunks are not linked to the first: {', '.join(others)}")
            if got != [chunk.payload.data for chunk in wanted[: len(got)]]:
                raise CFault("the bytes differ")
            loaded += len(got)
        except (CFault, RresError) as fault:
            found.append(f"{name.decode('utf-8', 'backslashreplace')}: {fault}")
    return loaded, found


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        loaded, found = faults(*sys.argv[1:])
    except (CFault, RresError, OSError) as fault:
        loaded, found = 0, [str(fault)]
    for fault in found:
        print(f"error: {fault}")
    print(f"{loaded} chunks load in C, {len(found)} errors")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

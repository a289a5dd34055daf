"""Writes packs for tests, with the layout of rrespacker's."""

import struct
import zlib


class Resource:
    """A named resource of linked chunks, each a tuple (kind, properties, data, compression)."""

    def __init__(self, name, *chunks):
        self.name, self.chunks = name, chunks


def chunk(kind, properties, data, compression="none"):
    return kind, properties, data, compression


def packed(block, compression):
    """Returns (stored bytes, number of the compression)."""
    if compression == "deflate":
        worker = zlib.compressobj(9, zlib.DEFLATED, -15)
        return worker.compress(block) + worker.flush(), 10
    if compression == "lz4":
        import lz4.block

        return lz4.block.compress(block, store_size=False), 20
    if compression == "zstd":
        import zstandard

        # Two frames and a skippable one, as the format allows.
        frames = [zstandard.compress(block[: len(block) // 2]), zstandard.compress(block[len(block) // 2 :])]
        return b"".join(frames) + struct.pack("<II", 0x184D2A5E, 3) + b"pad", 50
    if isinstance(compression, tuple):
        # The name and the block of the sibling, and the depth.
        import zstandard

        name, sibling, depth = compression
        prefix = zstandard.ZstdCompressionDict(sibling, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        frame = zstandard.ZstdCompressor(dict_data=prefix).compress(block)
        header = struct.pack("<IHBBII", zlib.crc32(name.encode()), 0, depth, 0, zlib.crc32(block), len(frame))
        return header + frame + bytes(5), 53
    return block, 0


def write(resources):
    """Returns the bytes of a pack."""
    body, entries = bytearray(), []
    for resource in resources:
        name = resource.name.encode()
        entries.append((name, 16 + len(body)))
        for number, (kind, properties, data, compression) in enumerate(resource.chunks):
            block = struct.pack(f"<{len(properties) + 1}I", len(properties), *properties) + data
            stored, method = packed(block, compression)
            end = 16 + len(body) + 32 + len(stored)
            following = end if number + 1 < len(resource.chunks) else 0
            body += _chunk(kind, zlib.crc32(name), method, len(stored), len(block), following, stored)
    count = sum(len(r.chunks) for r in resources)
    directory = struct.pack("<II", 1, len(entries))
    for name, offset in sorted(entries):
        stride = len(name) + 1 + (4 - (len(name) + 1) % 4)
        directory += struct.pack("<IIII", zlib.crc32(name), offset, 0, stride) + name.ljust(stride, b"\0")
    header = struct.pack("<4sHHII", b"rres", 100, count, len(body), 0)
    return header + bytes(body) + _chunk("CDIR", 0, 0, len(directory), len(directory), 0, directory)


def _chunk(kind, id_, method, size, base, following, stored):
    fields = (kind.encode(), id_, method, 0, 0, size, base, following, 0, zlib.crc32(stored))
    return struct.pack("<4sIBBHIIIII", *fields) + stored

"""Opened pack -> what raysan5's C readers (rres.h, rres-raylib.h, raylib's inflate) would not read as meant.

Each line names one known trap of the reference implementation. A pack made for compatibility has no such line.
Kinds they do not know (an index, a scene) and later chains of one id are invisible to them, which is harmless.
"""

import deflate_blocks
from container import HEADER, KINDS, MAX_NAME, RresError

INFLATE_LIMIT = 64 << 20
C_COMPRESSION, C_CIPHERS = (0, 10, 20, 40), (0, 30, 73)
C_ATTRIBUTES = {
    "position": (3, "f32"), "texcoord1": (2, "f32"), "texcoord2": (2, "f32"), "normal": (3, "f32"),
    "tangent": (4, "f32"), "color": (4, "u8"), "index": (1, "u16"),
}  # fmt: skip


def hazards(opened):
    pack = opened.container
    found = list(_directory(pack))
    if len(pack.data) >= 1 << 31:
        found.append("file is 2 GiB or larger: fseek(long) fails on Windows")
    if any(c.kind == "CDIR" for c in pack.chunks):
        found.append("the directory is counted in chunkCount, unlike rrespacker's files")
    for resource in pack.resources:
        name = resource.name or f"{resource.id:08x}"
        if resource.id == 0 and resource.chunks[0].kind in KINDS:
            found.append(f"{name}: id 0 means 'not found'")
        parts = opened.parts[resource.id]
        for chunk in resource.chunks:
            found += [f"{name}: {words}" for words in _chunk(chunk, pack)]
        for before, after in zip(resource.chunks, resource.chunks[1:]):
            if before.next_offset == after.offset and after.offset != before.end:
                found.append(f"{name}: linked chunks at {before.offset} and {after.offset} are not adjacent")
        for chunk, payload, meaning in parts:
            found += [f"{name}: {words}" for words in _payload(chunk, payload, meaning)]
        if parts and parts[0][2].get("attribute") == "index":
            found.append(f"{name}: the first mesh chunk is the index one")
    return [f"C readers: {text}" for text in found]


def _directory(pack):
    if pack.directory is None:
        return
    if pack.directory_chunk.offset != pack.cd_offset + HEADER.size:
        yield "cdOffset is not relative to the end of the header"
    if pack.directory_chunk.end != len(pack.data):
        yield "the directory is not last"
    names = [e.name for e in pack.directory]
    for name in names:
        if len(name) > MAX_NAME - 2:
            yield f"a name of {len(name)} bytes: over {MAX_NAME - 2} overflows their buffer"
        if not name:
            yield "an empty name"
    # they compare as many bytes as the query has: an extension listed first hides the shorter name
    if names != sorted(names):
        longer = sorted((n, i) for i, n in enumerate(names))
        for (name, place), (other, at) in zip(longer, longer[1:]):
            if other.startswith(name) and at < place:
                yield f"{other!r} is listed before its prefix {name!r} and hides it"


def _chunk(chunk, pack):
    if chunk.packed_size == 0 and chunk.kind != "NULL":
        yield "a chunk with packedSize 0 is read out of bounds"
    if chunk.compression not in C_COMPRESSION:
        yield f"{chunk.kind}: compression {chunk.compression} is unknown to them"
    if chunk.cipher not in C_CIPHERS:
        yield f"{chunk.kind}: cipher {chunk.cipher} is unknown to them"
    if chunk.compression == 10 and chunk.base_size > INFLATE_LIMIT:
        yield f"{chunk.kind}: deflate over 64 MiB overflows their buffer"
    if chunk.compression == 10 and chunk.cipher == 0:
        try:
            stored = pack.data[chunk.data_offset : chunk.end]
            yield from (f"{chunk.kind}: {words}" for words in deflate_blocks.sinfl_faults(stored))
        except RresError as fault:
            yield f"{chunk.kind}: {fault}"


def _payload(chunk, payload, meaning):
    count = len(payload.properties)
    if (chunk.compression or chunk.cipher) and count != 4:
        yield f"{chunk.kind}: {count} properties in a packed chunk, they skip 4"
    if payload.missing_tail:
        yield f"{chunk.kind}: qoi without the last {payload.missing_tail} bytes"
    if meaning["kind"] == "LINK" and not meaning["nul"]:
        yield "LINK: the path has no NUL"
    if meaning["kind"] == "RAWD" and len(meaning["extension"]) > 7:
        yield f"RAWD: extension {meaning['extension']!r} is over 7 bytes"
    if meaning["kind"] == "IMGE":
        if meaning["mipmaps"] != 1:
            yield f"IMGE: {meaning['mipmaps']} mip levels, they take 1"
        if payload.properties[2] >= 11 and (meaning["width"] % 4 or meaning["height"] % 4):
            yield f"IMGE: {meaning['format']} of {meaning['width']}x{meaning['height']}, not multiples of 4"
    if meaning["kind"] == "VRTX" and C_ATTRIBUTES.get(meaning["attribute"]) != (
        meaning["components"],
        meaning["format"],
    ):
        yield f"VRTX: {meaning['attribute']} of {meaning['components']} x {meaning['format']} is skipped"

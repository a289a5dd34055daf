"""Lists what raysan5's C readers (rres.h, rres-raylib.h, raylib's inflate) would misread in a pack.

Each message names one known trap of the reference implementation; a pack made for compatibility has none of them.
Kinds that these readers do not know (an index, a scene) and later chains of the same id are invisible to them, which is
harmless.
"""

import deflate_blocks
from container import HEADER, KINDS, MAX_NAME, RresError

INFLATE_LIMIT = 64 << 20
C_COMPRESSIONS, C_CIPHERS = (0, 10, 20, 40), (0, 30, 73)
# attribute -> the only component count and format that LoadMeshFromResource accepts
C_ATTRIBUTES = {
    "position": (3, "f32"), "texcoord1": (2, "f32"), "texcoord2": (2, "f32"), "normal": (3, "f32"),
    "tangent": (4, "f32"), "color": (4, "u8"), "index": (1, "u16"),
}  # fmt: skip


def hazards(opened):
    """Returns one message per hazard in an `Opened` pack."""
    pack = opened.container
    found = list(_directory(pack))
    if len(pack.data) >= 1 << 31:
        found.append("the file has 2 GiB or more: fseek(long) fails on Windows")
    if any(c.kind == "CDIR" for c in pack.chunks):
        found.append("chunkCount includes the directory, unlike in rrespacker's files")
    for resource in pack.resources:
        name = resource.name or f"{resource.id:08x}"
        if resource.id == 0 and resource.chunks[0].kind in KINDS:
            found.append(f"{name}: id 0 means 'not found'")
        for chunk in resource.chunks:
            found += [f"{name}: {hazard}" for hazard in _chunk(chunk, pack)]
        for before, after in zip(resource.chunks, resource.chunks[1:]):
            if before.next_offset == after.offset and after.offset != before.end:
                found.append(f"{name}: linked chunks at {before.offset} and {after.offset} are not adjacent")
        decoded = opened.decoded[resource.id]
        for chunk in decoded:
            found += [f"{name}: {hazard}" for hazard in _payload(chunk)]
        if decoded and decoded[0].fields.get("attribute") == "index":
            found.append(f"{name}: the first mesh chunk contains the indices")
    return [f"C readers: {text}" for text in found]


def _directory(pack):
    if pack.directory is None:
        return
    if pack.directory_chunk.offset != pack.cd_offset + HEADER.size:
        yield "cdOffset does not count from the end of the header"
    if pack.directory_chunk.end != len(pack.data):
        yield "the directory is not the last chunk"
    names = [e.name for e in pack.directory]
    for name in names:
        if len(name) > MAX_NAME - 2:
            yield f"a name has {len(name)} bytes: more than {MAX_NAME - 2} overflow their buffer"
        if not name:
            yield "a name is empty"
    # C readers compare only as many bytes as the requested name has, so they find a longer name that precedes it.
    if names != sorted(names):
        by_name = sorted((name, position) for position, name in enumerate(names))
        for (name, position), (longer, longer_position) in zip(by_name, by_name[1:]):
            if longer.startswith(name) and longer_position < position:
                yield f"{longer!r} precedes its prefix {name!r} and hides it"


def _chunk(chunk, pack):
    if chunk.packed_size == 0 and chunk.kind != "NULL":
        yield "a chunk with packedSize 0 is read out of bounds"
    if chunk.compression not in C_COMPRESSIONS:
        yield f"{chunk.kind}: compression {chunk.compression} is not supported"
    if chunk.cipher not in C_CIPHERS:
        yield f"{chunk.kind}: cipher {chunk.cipher} is not supported"
    if chunk.compression == 10 and chunk.base_size > INFLATE_LIMIT:
        yield f"{chunk.kind}: deflate output of more than 64 MiB overflows their buffer"
    if chunk.compression == 10 and chunk.cipher == 0:
        try:
            stored = pack.data[chunk.data_offset : chunk.end]
            yield from (f"{chunk.kind}: {hazard}" for hazard in deflate_blocks.sinfl_hazards(stored))
        except RresError as error:
            yield f"{chunk.kind}: {error}"


def _payload(decoded):
    chunk, payload, fields = decoded.chunk, decoded.payload, decoded.fields
    count = len(payload.properties)
    if (chunk.compression or chunk.cipher) and count != 4:
        yield f"{chunk.kind}: {count} properties in a compressed or encrypted chunk, expected 4"
    if payload.missing_tail:
        yield f"{chunk.kind}: qoi without the last {payload.missing_tail} bytes"
    if chunk.kind == "LINK" and not fields["nul"]:
        yield "LINK: the path has no NUL"
    if chunk.kind == "RAWD" and len(fields["extension"]) > 7:
        yield f"RAWD: extension {fields['extension']!r} has more than 7 bytes"
    if chunk.kind == "IMGE":
        if fields["mipmaps"] != 1:
            yield f"IMGE: {fields['mipmaps']} mip levels, expected 1"
        if payload.properties[2] >= 11 and (fields["width"] % 4 or fields["height"] % 4):
            yield f"IMGE: {fields['format']} of {fields['width']}x{fields['height']}, expected multiples of 4"
    if chunk.kind == "VRTX" and C_ATTRIBUTES.get(fields["attribute"]) != (fields["components"], fields["format"]):
        yield f"VRTX: {fields['attribute']} of {fields['components']} x {fields['format']} is skipped"

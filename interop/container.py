"""Reads the structure of a `.rres` file: header, chunks, directory and resources. Decodes no payloads.

It was written only from notes on the C reference implementation, so that it cannot repeat a mistake of the Rust reader
or writer. A finding is an `error` (something cannot be read as intended) or a `note` (unusual, but unambiguous).
"""

import struct
import zlib
from dataclasses import dataclass, field

HEADER = struct.Struct("<4sHHII")
CHUNK_HEADER = struct.Struct("<4sIBBHIIIII")
CDIR_ENTRY = struct.Struct("<IIII")
MAX_NAME = 1024
KINDS = ("NULL", "RAWD", "TEXT", "IMGE", "WAVE", "VRTX", "FNTG", "LINK", "CDIR")

COMPRESSION = {0: "none", 1: "rle", 10: "deflate", 20: "lz4", 30: "lzma2", 40: "qoi", 50: "zstd", 51: "delta", 52: "filtered", 53: "sibling"}
CIPHER = {
    0: "none", 1: "xor", 10: "des", 11: "tdes", 20: "idea", 30: "aes", 31: "aes-gcm", 40: "xtea", 50: "blowfish",
    60: "rsa", 70: "salsa20", 71: "chacha20", 72: "xchacha20", 73: "xchacha20-poly1305",
}  # fmt: skip


class RresError(Exception):
    """Describes what is wrong with the bytes."""


@dataclass
class Chunk:
    offset: int
    kind: str
    id: int
    compression: int
    cipher: int
    flags: int
    packed_size: int
    base_size: int
    next_offset: int
    reserved: int
    crc32: int

    @property
    def data_offset(self):
        return self.offset + CHUNK_HEADER.size

    @property
    def end(self):
        return self.data_offset + self.packed_size

    def label(self):
        return f"{self.kind} chunk {self.id:08x} at offset {self.offset}"


@dataclass
class Entry:
    id: int
    offset: int
    name: bytes
    stride: int

    def text(self):
        return self.name.decode("utf-8", "backslashreplace")


@dataclass
class Resource:
    id: int
    name: str | None
    chunks: list = field(default_factory=list)
    broken: str | None = None
    chains: int = 1
    # Further names in the directory: of resources with equal contents, which share the chunks.
    also: list = field(default_factory=list)


class Container:
    """The structure of one pack. `findings` contains (level, text) tuples in file order."""

    def __init__(self, data):
        self.data = data
        self.findings = []
        self.chunks = []
        self.directory = None
        self.directory_chunk = None
        self._read_header()
        self._walk()
        self._find_directory()
        self.resources = self._group()

    def note(self, text):
        self.findings.append(("note", text))

    def error(self, text):
        self.findings.append(("error", text))

    def stored(self, chunk):
        """Returns the stored bytes of a chunk after checking their CRC."""
        raw = self.data[chunk.data_offset : chunk.end]
        found = zlib.crc32(raw)
        if found != chunk.crc32:
            raise RresError(
                f"{chunk.label()}: crc32 of the stored bytes is {found:08x}, expected {chunk.crc32:08x}"
            )
        return raw

    def chunk_of(self, id_, number):
        """Returns the chunk with this number of a resource."""
        for resource in self.resources:
            if resource.id == id_ and number < len(resource.chunks):
                return resource.chunks[number]
        raise RresError(f"chunk {number} of {id_:08x} is not in the pack")

    def _read_header(self):
        if len(self.data) < HEADER.size:
            raise RresError(f"the file has {len(self.data)} bytes, expected at least {HEADER.size}")
        magic, self.version, self.chunk_count, self.cd_offset, self.reserved = HEADER.unpack_from(self.data)
        if magic != b"rres":
            raise RresError(f"signature is {magic!r}, expected b'rres'")
        if self.version != 100:
            raise RresError(f"version is {self.version}, expected 100")
        if self.reserved != 0:
            self.note(f"the reserved field of the header is {self.reserved}, usually 0")

    def _chunk_at(self, offset):
        if offset + CHUNK_HEADER.size > len(self.data):
            raise RresError(f"chunk header at offset {offset} exceeds the file of {len(self.data)} bytes")
        kind, *rest = CHUNK_HEADER.unpack_from(self.data, offset)
        chunk = Chunk(offset, kind.decode("latin-1"), *rest)
        if chunk.end > len(self.data):
            raise RresError(
                f"{chunk.label()} has {chunk.packed_size} stored bytes, but {len(self.data) - chunk.data_offset} remain"
            )
        return chunk

    def _walk(self):
        # Walks by packedSize, never by nextOffset, so that a gap in the links does not hide chunks.
        offset = HEADER.size
        for _ in range(self.chunk_count):
            if offset == len(self.data):
                self.note(f"chunkCount is {self.chunk_count}, but the file ends after {len(self.chunks)} chunks")
                break
            try:
                chunk = self._chunk_at(offset)
            except RresError as error:
                self.error(str(error))
                break
            self.chunks.append(chunk)
            offset = chunk.end
        self.walk_end = offset

    def _find_directory(self):
        for offset, is_absolute in ((self.cd_offset + HEADER.size, False), (self.cd_offset, True)):
            if self.cd_offset == 0 or offset < HEADER.size:
                continue
            if self.data[offset : offset + 4] != b"CDIR":
                continue
            if is_absolute:
                self.note("cdOffset is absolute, as in the specification; C readers find no directory")
            try:
                self.directory_chunk = self._chunk_at(offset)
                self.directory = self._read_directory(self.directory_chunk)
            except RresError as error:
                self.error(str(error))
            break
        else:
            if self.cd_offset != 0:
                self.error(f"no CDIR chunk at cdOffset {self.cd_offset}, neither relative nor absolute")
        counted = [c for c in self.chunks if c.kind == "CDIR"]
        if counted:
            self.note("chunkCount includes the directory")
            if self.directory_chunk is None and self.cd_offset == 0:
                self.note("the file has a CDIR chunk, but cdOffset is 0")
        end = max(self.walk_end, self.directory_chunk.end if self.directory_chunk else 0)
        if end < len(self.data):
            self.note(f"{len(self.data) - end} bytes follow the last chunk")
        if self.directory_chunk and not counted and self.directory_chunk.offset != self.walk_end:
            self.error(f"the directory starts at {self.directory_chunk.offset}, but the chunks end at {self.walk_end}")

    def _read_directory(self, chunk):
        if chunk.compression or chunk.cipher:
            raise RresError(f"{chunk.label()} is compressed or encrypted, expected a plain directory")
        raw = self.stored(chunk)
        if len(raw) < 8:
            raise RresError(f"{chunk.label()} has {len(raw)} bytes, expected at least 8")
        prop_count, count = struct.unpack_from("<II", raw)
        if prop_count != 1:
            self.note(f"the directory has {prop_count} properties, usually 1")
        at = 4 + 4 * prop_count
        if at > len(raw):
            raise RresError(f"{chunk.label()}: {prop_count} properties do not fit {len(raw)} bytes")
        entries = []
        for index in range(count):
            if at + CDIR_ENTRY.size > len(raw):
                raise RresError(f"directory entry {index} of {count} at byte {at} exceeds the chunk's {len(raw)} bytes")
            id_, offset, reserved, stride = CDIR_ENTRY.unpack_from(raw, at)
            at += CDIR_ENTRY.size
            if at + stride > len(raw):
                raise RresError(f"directory entry {index}: its name field of {stride} bytes exceeds the chunk")
            name = raw[at : at + stride].split(b"\0", 1)[0]
            at += stride
            if b"\0" not in raw[at - stride : at]:
                self.note(f"directory entry {index}: the name has no NUL")
            if reserved:
                self.note(f"directory entry {index}: reserved is {reserved}")
            entries.append(Entry(id_, offset, name, stride))
        return entries

    def _group(self):
        """Makes a resource of the chunks with the same id: a chain, or adjacent chains (C readers load the first)."""
        names, also, offsets = {}, {}, {}
        for entry in self.directory or []:
            if entry.id in names:
                if entry.offset != offsets[entry.id]:
                    self.error(f"directory lists id {entry.id:08x} twice: {names[entry.id]!r} and {entry.text()!r}")
                also[entry.id].append(entry.text())
                continue
            names[entry.id], also[entry.id], offsets[entry.id] = entry.text(), [], entry.offset
        resources = {}
        for chain in self._chains():
            first = chain.chunks[0]
            known = resources.get(first.id)
            if known is None:
                resources[first.id] = Resource(first.id, names.get(first.id), chain.chunks, chain.broken, 1, also.get(first.id, []))
                if first.id == 0 and first.kind in KINDS:
                    self.note("a resource has id 0, which means 'not found' to C readers")
            else:
                if known.chunks[-1].end != first.offset and not self._only_null_between(known.chunks[-1], first):
                    self.error(
                        f"id {first.id:08x} belongs to two resources, at {known.chunks[0].offset} and {first.offset}"
                    )
                known.chunks += chain.chunks
                known.chains += 1
        self._check_entries(resources)
        return list(resources.values())

    def _only_null_between(self, before, after):
        return all(c.kind == "NULL" for c in self.chunks if before.offset < c.offset < after.offset)

    def _chains(self):
        by_offset = {c.offset: c for c in self.chunks}
        targets = {c.next_offset for c in self.chunks if c.next_offset and c.next_offset != c.offset}
        chains, reached = [], set()
        # A cycle has no first chunk, so a second pass starts at the chunks that no chain has reached.
        for chunk in [c for c in self.chunks if c.offset not in targets] + self.chunks:
            if chunk.offset in reached or chunk.kind in ("CDIR", "NULL"):
                continue
            chain = Resource(chunk.id, None)
            chains.append(chain)
            link = chunk
            while True:
                chain.chunks.append(link)
                reached.add(link.offset)
                if link.next_offset == 0:
                    break
                following = by_offset.get(link.next_offset)
                if following is None:
                    chain.broken = f"{link.label()}: no chunk starts at nextOffset {link.next_offset}"
                elif following in chain.chunks:
                    chain.broken = f"{link.label()}: nextOffset {link.next_offset} closes a cycle"
                elif following.offset in reached:
                    chain.broken = f"{link.label()}: nextOffset {link.next_offset} belongs to another chain"
                if chain.broken:
                    self.error(chain.broken)
                    break
                link = following
        return sorted(chains, key=lambda chain: chain.chunks[0].offset)

    def _check_entries(self, by_id):
        for entry in self.directory or []:
            resource = by_id.get(entry.id)
            if resource is None:
                self.error(f"directory: no chunk has the id {entry.id:08x} of {entry.text()!r}")
            elif entry.offset != resource.chunks[0].offset:
                actual = resource.chunks[0].offset
                self.note(f"{entry.text()!r}: its offset in the directory is {entry.offset}, its chunk is at {actual}")
            if entry.id != zlib.crc32(entry.name):
                self.note(f"{entry.text()!r}: id {entry.id:08x} is not the crc32 of the name")

"""Bytes of a `.rres` file -> header, chunks, directory, resources.

Turns a file image into plain Python values and a list of findings; decodes no payload. Written from the notes on the C
reference implementation alone, so that a mistake in the Rust reader or writer cannot be repeated here.
A finding is an `error` (something cannot be read as meant) or a `note` (odd, but its meaning is clear).
"""

import struct
import zlib
from dataclasses import dataclass, field

HEADER = struct.Struct("<4sHHII")
CHUNK_HEADER = struct.Struct("<4sIBBHIIIII")
CDIR_ENTRY = struct.Struct("<IIII")
MAX_NAME = 1024
KINDS = ("NULL", "RAWD", "TEXT", "IMGE", "WAVE", "VRTX", "FNTG", "LINK", "CDIR")

COMPRESSION = {0: "none", 1: "rle", 10: "deflate", 20: "lz4", 30: "lzma2", 40: "qoi", 50: "zstd"}
CIPHER = {
    0: "none", 1: "xor", 10: "des", 11: "tdes", 20: "idea", 30: "aes", 31: "aes-gcm", 40: "xtea", 50: "blowfish",
    60: "rsa", 70: "salsa20", 71: "chacha20", 72: "xchacha20", 73: "xchacha20-poly1305",
}  # fmt: skip


class RresError(Exception):
    """What is wrong with the bytes, in words for a person."""


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


class Container:
    """The outer structure of one pack. `findings` holds (level, text) in file order."""

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
        """The stored bytes of a chunk, after its CRC has been checked."""
        raw = self.data[chunk.data_offset : chunk.end]
        found = zlib.crc32(raw)
        if found != chunk.crc32:
            raise RresError(
                f"{chunk.label()}: crc32 of the stored bytes is {found:08x}, its header says {chunk.crc32:08x}"
            )
        return raw

    def _read_header(self):
        if len(self.data) < HEADER.size:
            raise RresError(f"file holds {len(self.data)} bytes, a header needs {HEADER.size}")
        magic, self.version, self.chunk_count, self.cd_offset, self.reserved = HEADER.unpack_from(self.data)
        if magic != b"rres":
            raise RresError(f"signature is {magic!r}, expected b'rres'")
        if self.version != 100:
            raise RresError(f"version is {self.version}, this reader knows 100")
        if self.reserved != 0:
            self.note(f"header reserved field is {self.reserved}, usually 0")

    def _chunk_at(self, offset):
        if offset + CHUNK_HEADER.size > len(self.data):
            raise RresError(f"chunk header at offset {offset} passes the end of the file ({len(self.data)} bytes)")
        kind, *rest = CHUNK_HEADER.unpack_from(self.data, offset)
        chunk = Chunk(offset, kind.decode("latin-1"), *rest)
        if chunk.end > len(self.data):
            raise RresError(
                f"{chunk.label()} stores {chunk.packed_size} bytes, only {len(self.data) - chunk.data_offset} remain"
            )
        return chunk

    def _walk(self):
        # headers are skipped over by packedSize, never by nextOffset: a gap in the links must not hide chunks.
        offset = HEADER.size
        for _ in range(self.chunk_count):
            if offset == len(self.data):
                self.note(f"header counts {self.chunk_count} chunks, the file ends after {len(self.chunks)}")
                break
            try:
                chunk = self._chunk_at(offset)
            except RresError as fault:
                self.error(str(fault))
                break
            self.chunks.append(chunk)
            offset = chunk.end
        self.walk_end = offset

    def _find_directory(self):
        for place, meaning in ((self.cd_offset + HEADER.size, "relative"), (self.cd_offset, "absolute")):
            if self.cd_offset == 0 or place < HEADER.size:
                continue
            if self.data[place : place + 4] != b"CDIR":
                continue
            if meaning == "absolute":
                self.note("cdOffset is absolute (as the specification says); C readers find no directory")
            try:
                self.directory_chunk = self._chunk_at(place)
                self.directory = self._read_directory(self.directory_chunk)
            except RresError as fault:
                self.error(str(fault))
            break
        else:
            if self.cd_offset != 0:
                self.error(f"cdOffset {self.cd_offset} points at no CDIR chunk, neither relative nor absolute")
        counted = [c for c in self.chunks if c.kind == "CDIR"]
        if counted:
            self.note("the directory is counted in chunkCount")
            if self.directory_chunk is None and self.cd_offset == 0:
                self.note("a CDIR chunk exists, but cdOffset is 0")
        end = max(self.walk_end, self.directory_chunk.end if self.directory_chunk else 0)
        if end < len(self.data):
            self.note(f"{len(self.data) - end} bytes after the last chunk belong to none")
        if self.directory_chunk and not counted and self.directory_chunk.offset != self.walk_end:
            self.error(f"chunks end at {self.walk_end}, the directory starts at {self.directory_chunk.offset}")

    def _read_directory(self, chunk):
        if chunk.compression or chunk.cipher:
            raise RresError(f"{chunk.label()} is compressed or sealed; a directory never is")
        raw = self.stored(chunk)
        if len(raw) < 8:
            raise RresError(f"{chunk.label()} holds {len(raw)} bytes, at least 8 are needed")
        prop_count, count = struct.unpack_from("<II", raw)
        if prop_count != 1:
            self.note(f"the directory has {prop_count} properties, usually 1")
        at = 4 + 4 * prop_count
        if at > len(raw):
            raise RresError(f"{chunk.label()}: {prop_count} properties do not fit {len(raw)} bytes")
        entries = []
        for index in range(count):
            if at + CDIR_ENTRY.size > len(raw):
                raise RresError(f"directory entry {index} of {count} starts at {at}, the chunk holds {len(raw)} bytes")
            id_, offset, reserved, stride = CDIR_ENTRY.unpack_from(raw, at)
            at += CDIR_ENTRY.size
            if at + stride > len(raw):
                raise RresError(f"directory entry {index}: a name of {stride} bytes passes the end of the chunk")
            name = raw[at : at + stride].split(b"\0", 1)[0]
            at += stride
            if b"\0" not in raw[at - stride : at]:
                self.note(f"directory entry {index}: the name has no NUL")
            if reserved:
                self.note(f"directory entry {index}: reserved is {reserved}")
            entries.append(Entry(id_, offset, name, stride))
        return entries

    def _group(self):
        """Chunks of one id make one resource: a chain, or several chains in a row (C readers load the first)."""
        names = {}
        for entry in self.directory or []:
            if entry.id in names:
                self.error(f"directory lists id {entry.id:08x} twice: {names[entry.id]!r} and {entry.text()!r}")
            names.setdefault(entry.id, entry.text())
        resources = {}
        for chain in self._chains():
            first = chain.chunks[0]
            known = resources.get(first.id)
            if known is None:
                resources[first.id] = Resource(first.id, names.get(first.id), chain.chunks, chain.broken, 1)
                if first.id == 0 and first.kind in KINDS:
                    self.note("a resource has id 0, which C readers call 'not found'")
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
        at = {c.offset: c for c in self.chunks}
        followers = {c.next_offset for c in self.chunks if c.next_offset and c.next_offset != c.offset}
        chains, reached = [], set()
        # a cycle has no first chunk, so whatever no chain reached is taken up in a second pass.
        for chunk in [c for c in self.chunks if c.offset not in followers] + self.chunks:
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
                following = at.get(link.next_offset)
                if following is None:
                    chain.broken = f"{link.label()}: nextOffset {link.next_offset} is no chunk"
                elif following in chain.chunks:
                    chain.broken = f"{link.label()}: nextOffset {link.next_offset} closes a cycle"
                elif following.offset in reached:
                    chain.broken = f"{link.label()}: nextOffset {link.next_offset} is part of another chain"
                if chain.broken:
                    self.error(chain.broken)
                    break
                link = following
        return sorted(chains, key=lambda chain: chain.chunks[0].offset)

    def _check_entries(self, by_id):
        for entry in self.directory or []:
            resource = by_id.get(entry.id)
            if resource is None:
                self.error(f"directory names {entry.text()!r} ({entry.id:08x}), which no chunk has")
            elif entry.offset != resource.chunks[0].offset:
                self.note(f"{entry.text()!r}: directory offset {entry.offset}, chunk at {resource.chunks[0].offset}")
            if entry.id != zlib.crc32(entry.name):
                self.note(f"{entry.text()!r}: id {entry.id:08x} is not the crc32 of the name")

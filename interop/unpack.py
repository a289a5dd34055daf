"""Turns the stored bytes of a chunk into properties and data: decrypts first, then decompresses, as rres requires.

Each decoder is a third-party C library (zlib, lz4, zstd, OpenSSL, the Argon2 reference) or a short implementation of
our own (QOI, HChaCha20). The base size in the chunk header limits the output.
"""

import hashlib
import struct
import zlib
from dataclasses import dataclass

import filtered
import qoi
from container import CIPHER, COMPRESSION, RresError

MAX_BASE_SIZE = 1 << 31


@dataclass
class Payload:
    properties: list
    data: bytes
    # number of bytes missing at the end (QOI as rrespacker writes it)
    missing_tail: int = 0


class Encrypted(Exception):
    """The chunk is encrypted and no password was given."""


def inflate(packed, size):
    worker = zlib.decompressobj(-15)
    try:
        out = worker.decompress(packed, size + 1)
    except zlib.error as error:
        raise RresError(f"raw deflate: {error}") from None
    if not worker.eof and len(out) <= size:
        raise RresError(f"raw deflate: the stream does not end after {len(out)} of {size} bytes")
    return out


def lz4_block(packed, size):
    import lz4.block

    if size > 255 * len(packed) + 64:
        raise RresError(f"lz4 block: {len(packed)} bytes cannot decompress to {size}")
    try:
        return lz4.block.decompress(packed, uncompressed_size=size)
    except lz4.block.LZ4BlockError as error:
        raise RresError(f"lz4 block: {error}") from None


def zstd_frames(packed, size, prefix=b""):
    """Decompresses one or more frames, which skippable frames may follow; no byte may remain. They may refer to `prefix`."""
    import zstandard

    dictionary = zstandard.ZstdCompressionDict(prefix, dict_type=zstandard.DICT_TYPE_RAWCONTENT) if prefix else None
    out = bytearray()
    rest = packed
    while rest:
        magic = struct.unpack_from("<I", rest)[0] if len(rest) >= 4 else 0
        if magic & 0xFFFFFFF0 == 0x184D2A50:
            if len(rest) < 8:
                raise RresError("zstd: a skippable frame has no size")
            length = 8 + struct.unpack_from("<I", rest, 4)[0]
            if length > len(rest):
                raise RresError(f"zstd: a skippable frame of {length} bytes exceeds the remaining {len(rest)}")
            rest = rest[length:]
            continue
        if magic != 0xFD2FB528:
            raise RresError(f"zstd: no frame starts at byte {len(packed) - len(rest)} of the stored bytes")
        # A frame must not declare more content than the base size leaves: rejected before allocation.
        try:
            declared = zstandard.frame_content_size(rest)
            if declared > size - len(out):
                raise RresError(f"zstd: a frame declares {declared} bytes, expected at most {size - len(out)}")
            worker = zstandard.ZstdDecompressor(dict_data=dictionary, max_window_size=1 << 27).decompressobj()
            for start in range(0, len(rest), 4096):
                out += worker.decompress(rest[start : start + 4096])
                if len(out) > size:
                    raise RresError(f"zstd: decompresses to more than the base size of {size} bytes")
                if worker.eof:
                    break
        except zstandard.ZstdError as error:
            raise RresError(f"zstd: {error}") from None
        if not worker.eof:
            raise RresError("zstd: the last frame is truncated")
        rest = worker.unused_data + rest[start + 4096 :]
    return bytes(out)


def qoi_block(packed, base_size):
    """Decodes both layouts: padded to whole rows (complete), and rrespacker's (without the last 20 bytes)."""
    _w, _h, _channels, out = qoi.decode(packed, 2 * base_size + 1024)
    missing = max(0, base_size - len(out))
    if missing > 20:
        raise RresError(f"qoi: decodes to {len(out)} of {base_size} bytes; only the last 20 may be missing")
    return out[:base_size], missing


SIBLING_HEADER = struct.Struct("<IHBBII")


def sibling_block(chunk, stored, pack, most):
    """Decodes a block that is stored as what distinguishes it from another one of the pack, at most `most` deep."""
    if pack is None:
        raise RresError("its sibling is in a pack that is not known")
    if len(stored) < SIBLING_HEADER.size:
        raise RresError(f"{len(stored)} stored bytes are too few for the header of a sibling")
    id_, number, depth, zero, crc, size = SIBLING_HEADER.unpack_from(stored)
    if not 1 <= depth <= most or zero:
        raise RresError(f"its sibling has the depth {depth}, expected 1 to {most}")
    frame, padding = stored[SIBLING_HEADER.size :][:size], stored[SIBLING_HEADER.size + size :]
    if len(frame) < size or any(padding):
        raise RresError(f"a frame of {size} bytes is not followed by zeros alone")
    other = pack.chunk_of(id_, number)
    if other.cipher or chunk.cipher:
        raise RresError("a sibling is encrypted")
    block, _ = _decompress(other, pack.stored(other), pack, depth - 1)
    block = zstd_frames(frame, chunk.base_size, bytes(block))
    if zlib.crc32(block) != crc:
        raise RresError(f"crc32 of the block is {zlib.crc32(block):08x}, expected {crc:08x}")
    return block


def unpack(chunk, stored, password=None, pack=None):
    """Returns the `Payload` of one chunk of a `Container`, or raises `RresError` or `Encrypted`."""
    if chunk.base_size > MAX_BASE_SIZE:
        raise RresError(f"{chunk.label()}: base size is {chunk.base_size}, expected at most {MAX_BASE_SIZE}")
    try:
        if chunk.cipher:
            stored = decrypt(chunk.cipher, stored, password)
        block, missing = _decompress(chunk, stored, pack)
    except RresError as error:
        raise RresError(f"{chunk.label()}: {error}") from None
    if len(block) + missing != chunk.base_size:
        raise RresError(f"{chunk.label()}: the block has {len(block)} bytes, its header promises {chunk.base_size}")
    if len(block) < 4:
        raise RresError(f"{chunk.label()}: {len(block)} bytes are too few for a property count")
    count = struct.unpack_from("<I", block)[0]
    if 4 + 4 * count > len(block):
        raise RresError(f"{chunk.label()}: {count} properties do not fit a block of {len(block)} bytes")
    properties = list(struct.unpack_from(f"<{count}I", block, 4))
    return Payload(properties, bytes(block[4 + 4 * count :]), missing)


def _decompress(chunk, stored, pack, most=3):
    size = chunk.base_size
    if chunk.compression == 0:
        if len(stored) < size:
            raise RresError(f"base size is {size}, but the chunk has {len(stored)} stored bytes")
        # Further stored bytes are padding, or belong to an application.
        return stored[:size], 0
    if chunk.compression == 10:
        return inflate(stored, size), 0
    if chunk.compression == 20:
        return lz4_block(stored, size), 0
    if chunk.compression == 40:
        return qoi_block(stored, size)
    if chunk.compression == 50:
        return zstd_frames(stored, size), 0
    if chunk.compression == 52:
        return filtered.decode(stored, size, zstd_frames, lz4_block), 0
    if chunk.compression == 53:
        return sibling_block(chunk, stored, pack, most), 0
    name = COMPRESSION.get(chunk.compression, "unknown")
    raise RresError(f"compression {chunk.compression} ({name}) is not supported")


def decrypt(cipher, stored, password):
    """Tries two keys: the newest C code hashes the whole password, the releases hash exactly 16 bytes of it."""
    if cipher not in (30, 73):
        raise RresError(f"cipher {cipher} ({CIPHER.get(cipher, 'unknown')}) is not supported")
    trailer = 32 if cipher == 30 else 56
    if len(stored) < trailer:
        raise RresError(f"{len(stored)} stored bytes are too few for the {trailer}-byte trailer of {CIPHER[cipher]}")
    if password is None:
        raise Encrypted(CIPHER[cipher])
    secret = password.encode()
    for key_bytes in (secret, secret[:16].ljust(16, b"\0")):
        salt = stored[-trailer : len(stored) - trailer + 16]
        key = _derive(key_bytes, salt)
        plain = _aes_ctr(key, stored) if cipher == 30 else _xchacha(key, stored)
        if plain is not None:
            return plain
    raise RresError(f"{CIPHER[cipher]}: the password is wrong or the stored bytes are damaged")


_KEYS = {}


def _derive(secret, salt):
    import argon2.low_level as low

    if (secret, salt) not in _KEYS:
        _KEYS[secret, salt] = low.hash_secret_raw(
            secret, salt, time_cost=3, memory_cost=16384, parallelism=1, hash_len=32, type=low.Type.I, version=0x13
        )
    return _KEYS[secret, salt]


def _aes_ctr(key, stored):
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    plain = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).decryptor().update(stored[:-32])
    return plain if hashlib.md5(plain).digest() == stored[-16:] else None


def _xchacha(key, stored):
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    nonce, tag = stored[-40:-16], stored[-16:]
    try:
        return ChaCha20Poly1305(_hchacha20(key, nonce[:16])).decrypt(bytes(4) + nonce[16:], stored[:-56] + tag, None)
    except InvalidTag:
        return None


def _hchacha20(key, nonce):
    """Derives the subkey of draft-irtf-cfrg-xchacha, section 2.2, which OpenSSL does not provide."""
    state = list(struct.unpack("<16I", b"expand 32-byte k" + key + nonce))

    def quarter(a, b, c, d):
        for first, second, third, rotation in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[first] = (state[first] + state[second]) & 0xFFFFFFFF
            mixed = state[third] ^ state[first]
            state[third] = (mixed << rotation | mixed >> (32 - rotation)) & 0xFFFFFFFF

    for _ in range(10):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        for column in range(4):
            quarter(column, (column + 1) % 4 + 4, (column + 2) % 4 + 8, (column + 3) % 4 + 12)
    return struct.pack("<8I", *state[:4], *state[12:])

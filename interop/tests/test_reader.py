"""Tests of the reader: it returns what the tests wrote, and reports damage instead of failing."""

import pathlib
import struct
import sys
import unittest
import zlib

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[1])]

import c_safety
import deflate_blocks

import filtered
import unpack
from container import KINDS, RresError
from pack_writer import Resource, chunk, write
from read_rres import Opened

BLOB = bytes(range(256)) * 40


def raw(name, data, compression="none"):
    return Resource(name, chunk("RAWD", [len(data), 0x2E62696E, 0, 0], data, compression))


class Reading(unittest.TestCase):
    def test_every_compression_returns_the_data(self):
        methods = ("none", "deflate", "lz4", "zstd")
        opened = Opened(write([raw(f"{m}.bin", BLOB, m) for m in methods]))
        self.assertEqual(opened.errors, [])
        self.assertEqual([row["compression"] for row in opened.rows], list(methods))
        for decoded in opened.by_name().values():
            self.assertEqual(decoded[0].payload.data, BLOB)
            self.assertEqual(decoded[0].fields["extension"], ".bin")

    def test_siblings_are_decoded_from_each_other_and_not_in_a_circle(self):
        def block(data):
            return struct.pack("<5I", 4, len(data), 0x2E62696E, 0, 0) + data

        one, two, three = BLOB, BLOB[1:] + b"2", b"3" + BLOB[2:] + b"3"
        resources = [
            raw("1.bin", one, "lz4"),
            raw("2.bin", two, ("1.bin", block(one), 1)),
            raw("3.bin", three, ("2.bin", block(two), 2)),
        ]
        opened = Opened(write(resources))
        self.assertEqual(opened.errors, [])
        self.assertEqual([opened.by_name()[f"{n}.bin"][0].payload.data for n in "123"], [one, two, three])
        self.assertLess(opened.rows[2]["packed"], len(BLOB) // 10)
        resources[1] = raw("2.bin", two, ("3.bin", block(three), 1))
        errors = Opened(write(resources)).errors
        self.assertIn("its sibling has the depth 2, expected 1 to 0", errors[0])

    def test_filtered_sections_are_decoded_as_the_crates_do(self):
        vectors = pathlib.Path(__file__).parents[2] / "rres-format" / "tests" / "filtered.tsv"
        cases = [line.split("\t") for line in vectors.read_text().splitlines() if not line.startswith("#")]
        for name, stored, block in cases:
            stored, block = bytes.fromhex(stored), bytes.fromhex(block)
            with self.subTest(name):
                self.assertEqual(filtered.decode(stored, len(block), unpack.zstd_frames, unpack.lz4_block), block)
                for cut in range(1, len(stored)):
                    with self.assertRaises(RresError):
                        filtered.decode(stored[:cut], len(block), unpack.zstd_frames, unpack.lz4_block)
        self.assertEqual(len(cases), 7)

    def test_every_flipped_bit_is_reported(self):
        pack = write([raw("a.bin", b"some bytes"), raw("b.bin", b"more", "deflate")])
        clean = Opened(pack)
        self.assertEqual(clean.errors + clean.notes, [])
        silent = []
        for at in range(len(pack)):
            for bit in (1, 128):
                damaged = bytearray(pack)
                damaged[at] ^= bit
                try:
                    opened = Opened(bytes(damaged))
                    named = {row["kind"] for row in opened.rows} <= set(KINDS)
                    if named and not opened.errors and not opened.notes:
                        silent.append(at)
                except RresError:
                    pass
        last = clean.container.directory_chunk.offset
        # Bytes that no reader checks: flags, reserved, and the id, cipher, base size and next offset of the directory.
        headers = [c.offset for c in clean.container.chunks] + [last]
        ignored = {h + f for h in headers for f in (10, 11, 24, 25, 26, 27)}
        ignored |= {last + f for f in (*range(4, 8), 9, *range(16, 24))}
        self.assertEqual(sorted(set(silent) - ignored), [])

    def test_every_truncation_is_an_error(self):
        pack = write([raw("a.bin", BLOB[:50]), raw("b.bin", BLOB[:50], "zstd")])
        for length in range(len(pack)):
            try:
                self.assertTrue(Opened(pack[:length]).errors, length)
            except RresError:
                pass

    def test_a_decompression_bomb_is_rejected_before_it_is_decoded(self):
        for method in ("deflate", "zstd", "lz4"):
            pack = bytearray(write([raw("a", bytes(1 << 20), method)]))
            struct.pack_into("<I", pack, 16 + 16, 100)  # base size
            self.assertIn("a", Opened(bytes(pack)).by_name())
            self.assertTrue(Opened(bytes(pack)).errors, method)

    def test_hchacha20_derives_the_subkey_of_the_draft(self):
        # draft-irtf-cfrg-xchacha-03, 2.2.1
        key = bytes(range(32))
        nonce = bytes.fromhex("000000090000004a0000000031415927")
        subkey = "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"
        self.assertEqual(unpack._hchacha20(key, nonce).hex(), subkey)

    def test_ids_are_those_of_rrespacker(self):
        self.assertEqual(zlib.crc32(b"resources/audio/coin.wav"), 0xC1FE82D8)


class CReaders(unittest.TestCase):
    def test_an_ordinary_pack_has_no_hazards(self):
        self.assertEqual(c_safety.hazards(Opened(write([raw("ab", BLOB, "deflate"), raw("abc", BLOB, "lz4")]))), [])

    def test_hazards_are_reported(self):
        pixels = bytes(4 * 4 * 4 + 2 * 2 * 4 + 4)
        resources = [
            raw("z.bin", BLOB, "zstd"),
            Resource("mips.png", chunk("IMGE", [4, 4, 7, 3], pixels)),
            Resource("link", chunk("LINK", [4], b"path")),
            Resource("index", chunk("VRTX", [3, 100, 1, 4], bytes(12))),
            Resource("long", chunk("RAWD", [0, 0x2E616161, 0x61616161, 0], b"")),
        ]
        found = " | ".join(c_safety.hazards(Opened(write(resources))))
        for hazard in (
            "compression 50",
            "3 mip levels",
            "no NUL",
            "is skipped",
            "the first mesh chunk",
            "more than 7 bytes",
        ):
            self.assertIn(hazard, found)

    def test_a_single_distance_code_is_found(self):
        # A hand-made dynamic block: 'a', the end of the block, one length, and distance symbol 1 as the only one.
        bits = []

        def put(value, count):
            bits.extend(value >> n & 1 for n in range(count))

        def code(value, count):
            bits.extend(value >> n & 1 for n in reversed(range(count)))

        put(1, 1), put(2, 2), put(1, 5), put(1, 5), put(14, 4)  # 258 literal codes, 2 distance codes, 18 lengths
        code_lengths = {18: 1, 1: 2, 2: 3, 0: 3}
        for symbol in deflate_blocks.CODE_ORDER[:18]:
            put(code_lengths.get(symbol, 0), 3)
        # Codes: 18 = 0, 1 = 10, 0 = 110, 2 = 111. Lengths: 97 zeros, a = 1, 158 zeros, 256 = 2, 257 = 2, then 0 and 1.
        code(0, 1), put(97 - 11, 7), code(2, 2), code(0, 1), put(138 - 11, 7), code(0, 1), put(20 - 11, 7)
        code(7, 3), code(7, 3), code(6, 3), code(2, 2)
        code(0, 1), code(0, 1), code(3, 2), code(0, 1), code(2, 2)  # a, a, copy 3 bytes from 2 bytes back, end
        data = bytes(sum(b << n for n, b in enumerate(bits[i : i + 8])) for i in range(0, len(bits), 8))
        self.assertEqual(zlib.decompress(data, -15), b"aaaaa")
        self.assertEqual(
            list(deflate_blocks.sinfl_hazards(data)), ["deflate block 1 has a single distance code, symbol 1"]
        )
        worker = zlib.compressobj(9, zlib.DEFLATED, -15)
        flushed = worker.compress(BLOB) + worker.flush(zlib.Z_SYNC_FLUSH) + worker.compress(BLOB) + worker.flush()
        self.assertEqual(len(list(deflate_blocks.sinfl_hazards(flushed))), 1)


if __name__ == "__main__":
    unittest.main()

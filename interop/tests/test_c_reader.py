"""Tests of the rules of the C code: what it loads is equal, and each of its limits is an error."""

import pathlib
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[1])]

import c_reader
from pack_writer import Resource, chunk, write

C_PACKS = pathlib.Path(__file__).parents[2] / "rres-format/tests/c-packs"


def faults(*chunks):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "game.rres"
        path.write_bytes(write([Resource("a", *chunks)]))
        return " ".join(c_reader.faults(path)[1])


class Rules(unittest.TestCase):
    def test_what_the_c_library_wrote_loads(self):
        for name, password in (("01_plain_all_types_cdir", None), ("03_deflate_cdir", None), ("07_aes", "password12345")):
            loaded, found = c_reader.faults(C_PACKS / f"{name}.rres", password)
            self.assertEqual(found, [], name)
            self.assertGreater(loaded, 10)

    def test_each_limit_is_an_error(self):
        pixels = bytes(48)
        for message, made in (
            ("no pixels", chunk("IMGE", [6, 6, 11, 1], bytes(32))),
            ("no pixels", chunk("IMGE", [4, 4, 1145, 1], bytes(16))),
            ("compression 50", chunk("IMGE", [4, 4, 4, 1], pixels, "zstd")),
            ("zero byte", chunk("TEXT", [3, 1, 0, 0], b"a\0b")),
            ("samples of 24 bits", chunk("WAVE", [2, 8000, 24, 1], bytes(6))),
            ("left out", chunk("VRTX", [3, 100, 1, 4], bytes(12))),
            ("path without an end", chunk("LINK", [1], b"x")),
            ("glyph table without an image", chunk("FNTG", [8, 0, 0, 0], b"")),
        ):
            self.assertIn(message, faults(made))
        self.assertEqual(faults(chunk("IMGE", [4, 4, 4, 1], pixels)), "")

    def test_rrespackers_images_and_absolute_offsets_do_not_load(self):
        _, found = c_reader.faults(C_PACKS / "05_qoi_rrespacker_layout.rres")
        self.assertTrue(found and all("20 bytes are copied from beyond" in fault for fault in found), found)
        with self.assertRaises(c_reader.CFault):
            c_reader.faults(C_PACKS / "quirk/cd_absolute.rres")


if __name__ == "__main__":
    unittest.main()

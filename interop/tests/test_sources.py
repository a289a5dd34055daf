"""Tests of the comparison with source files: correct packs pass, and each kind of incorrect pack fails.

Pillow, libsndfile or the tests themselves write the source files; the tests write the chunks.
"""

import contextlib
import io
import json
import pathlib
import struct
import sys
import tempfile
import unittest
import zlib

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[1])]

import check_sources
import numpy as np
import png16
import soundfile
from pack_writer import Resource, chunk, write
from PIL import Image

RANDOM = np.random.default_rng(7)
RGBA = RANDOM.integers(0, 256, (9, 13, 4), np.uint8)


def image_chunk(number, width, height, data):
    return chunk("IMGE", [width, height, number, 1], data)


def run(folder, resources, *arguments):
    """Runs check_sources on a pack of these resources. Returns its exit code and what it printed."""
    pack = pathlib.Path(folder).parent / "test.rres"
    pack.write_bytes(write(resources))
    printed, arguments_before = io.StringIO(), sys.argv
    sys.argv = ["check_sources.py", str(pack), str(folder), *arguments]
    try:
        with contextlib.redirect_stdout(printed):
            code = check_sources.main()
    finally:
        sys.argv = arguments_before
    return code, printed.getvalue()


class Sources(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.assets = pathlib.Path(self.folder.name, "assets")
        self.assets.mkdir()
        self.addCleanup(self.folder.cleanup)

    def save(self, name, data):
        path = self.assets / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return data

    def passes(self, *resources):
        code, text = run(self.assets, resources, "--verbose")
        self.assertEqual(code, 0, text)
        return text

    def fails(self, message, *resources):
        code, text = run(self.assets, resources)
        self.assertEqual(code, 1, text)
        self.assertIn(message, text)

    def test_bytes_and_missing_files(self):
        self.save("a/text.txt", b"hello\r\n")
        self.save("raw", b"")
        self.save("assets.toml", b"")
        self.save(".hidden", b"x")
        text = Resource("a/text.txt", chunk("TEXT", [7, 1, 0, 0], b"hello\r\n"))
        empty = Resource("raw", chunk("RAWD", [0, 0, 0, 0], b""))
        self.assertIn("total", self.passes(text, empty))
        self.fails("raw: missing", text)
        self.fails("without a source file", text, empty, Resource("more", chunk("RAWD", [0, 0, 0, 0], b"")))
        self.fails("text", Resource("a/text.txt", chunk("TEXT", [6, 1, 0, 0], b"hello\n")), empty)

    def test_images_of_every_mode(self):
        palette = Image.fromarray(RGBA[:, :, :3]).quantize(5)
        cases = {
            "rgba.png": (Image.fromarray(RGBA), 7, RGBA),
            "rgb.bmp": (Image.fromarray(RGBA[:, :, :3]), 4, RGBA[:, :, :3]),
            "gray.png": (Image.fromarray(RGBA[:, :, 0]), 1, RGBA[:, :, 0]),
            "ga.tga": (Image.fromarray(RGBA[:, :, :2], "LA"), 2, RGBA[:, :, :2]),
            "palette.gif": (palette, 4, np.asarray(palette.convert("RGB"))),
            "one bit.png": (Image.fromarray(RGBA[:, :, 0] > 99), 1, (RGBA[:, :, 0] > 99).astype(np.uint8) * 255),
        }
        good = []
        for name, (image, number, pixels) in cases.items():
            image.save(self.assets / name)
            good.append(Resource(name, image_chunk(number, 13, 9, pixels.tobytes())))
        self.assertNotIn("tolerance:", self.passes(*good))
        for at, (name, (_, number, pixels)) in enumerate(cases.items()):
            bad = bytearray(pixels.tobytes())
            bad[len(bad) // 2] ^= 1
            wrong = [*good[:at], Resource(name, image_chunk(number, 13, 9, bytes(bad))), *good[at + 1 :]]
            self.fails(f"failed: {name}", *wrong)

    def test_16_bit_formats_round_to_the_nearest(self):
        Image.fromarray(RGBA).save(self.assets / "a.png")
        red, green, blue, alpha = (RGBA[:, :, n].astype(float) / 255 for n in range(4))

        def word(*channels):
            total = sum(np.floor(v * top + 0.5).astype(np.uint16) << shift for v, top, shift in channels)
            return total.astype("<u2").tobytes()

        packed = {
            5: word((red, 31, 11), (green, 31, 6), (blue, 31, 1), (alpha, 1, 0)),
            6: word((red, 15, 12), (green, 15, 8), (blue, 15, 4), (alpha, 15, 0)),
        }
        for number, data in packed.items():
            self.passes(Resource("a.png", image_chunk(number, 13, 9, data)))
        opaque = word((red, 31, 11), (green, 63, 5), (blue, 31, 0))
        self.fails("has no alpha", Resource("a.png", image_chunk(3, 13, 9, opaque)))
        Image.fromarray(RGBA[:, :, :3]).save(self.assets / "a.png")
        self.passes(Resource("a.png", image_chunk(3, 13, 9, opaque)))

    def test_sixteen_bit_png_and_radiance(self):
        wide = RANDOM.integers(0, 65536, (5, 7, 3), np.uint16)
        rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in wide)

        def png_chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        header = struct.pack(">IIBBBBB", 7, 5, 16, 2, 0, 0, 0)
        png = b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)
        png += png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b"")
        self.save("wide.png", png)
        np.testing.assert_array_equal(png16.decode(png), wide)
        rgbe = np.array([[[128, 64, 32, 129], [0, 0, 0, 0]]], np.uint8)
        self.save("sky.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n" + rgbe.tobytes())
        sky = Resource("sky.hdr", image_chunk(9, 2, 1, struct.pack("<6f", 1, 0.5, 0.25, 0, 0, 0)))
        floats = wide.astype(np.float32) / np.float32(65535)
        self.passes(Resource("wide.png", image_chunk(9, 7, 5, floats.tobytes())), sky)
        floats[2, 3, 1] += np.float32(1 / 65535)
        self.fails("failed: wide.png", Resource("wide.png", image_chunk(9, 7, 5, floats.tobytes())), sky)

    def test_sixteen_bit_filters_agree_with_pillow(self):
        smooth = np.add.outer(np.arange(40) * 700, np.arange(50) * 501).astype(np.uint16)
        data = io.BytesIO()
        Image.fromarray(smooth).save(data, "PNG")
        np.testing.assert_array_equal(png16.decode(data.getvalue())[:, :, 0], smooth)

    def test_jpeg_passes_only_within_its_tolerance(self):
        smooth = np.dstack([np.add.outer(np.arange(32), np.arange(32)) * n for n in (2, 3, 4)]).astype(np.uint8)
        Image.fromarray(smooth).save(self.assets / "a.jpg", quality=90)
        decoded = np.asarray(Image.open(self.assets / "a.jpg").convert("RGB"))
        near = np.clip(decoded.astype(int) + (RANDOM.integers(0, 8, decoded.shape) == 0), 0, 255).astype(np.uint8)
        self.assertIn("tolerance", self.passes(Resource("a.jpg", image_chunk(4, 32, 32, near.tobytes()))))
        self.fails("a.jpg", Resource("a.jpg", image_chunk(4, 32, 32, np.roll(decoded, 1, axis=1).tobytes())))

    def test_dds_blocks_are_those_of_the_file(self):
        blocks = RANDOM.integers(0, 256, 32, np.uint8).tobytes()
        header = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, 8, 8, 32, 0, 1)
        header += struct.pack("<2I4s20x", 32, 4, b"DXT1") + struct.pack("<5I", 0x1000, 0, 0, 0, 0)
        self.assertEqual(len(header), 128)
        self.save("b.dds", header + blocks)
        self.passes(Resource("b.dds", image_chunk(11, 8, 8, blocks)))
        self.fails("blocks differ", Resource("b.dds", image_chunk(11, 8, 8, blocks[::-1])))

    def test_sounds(self):
        tone = (np.sin(np.arange(2000) / 9)[:, None] * [20000, -9000]).astype(np.int16)
        wave = {}
        kinds = {"a.wav": "PCM_16", "b.flac": "PCM_16", "c.wav": "PCM_24", "d.wav": "FLOAT", "e.wav": "PCM_U8"}
        for name, subtype in kinds.items():
            soundfile.write(self.assets / name, tone / 32768, 22050, subtype)
        wave["a.wav"] = wave["b.flac"] = (16, tone.tobytes())
        wave["c.wav"] = wave["d.wav"] = (32, (tone / 32768).astype("<f4").tobytes())
        # The samples of an 8-bit file start at byte 44; the chunk stores the same bytes.
        wave["e.wav"] = (8, (self.assets / "e.wav").read_bytes()[44:4044])
        soundfile.write(self.assets / "f.ogg", tone, 22050)
        lossy = np.rint(soundfile.read(self.assets / "f.ogg")[0] * 32767).astype("<i2")
        wave["f.ogg"] = (16, lossy.tobytes())

        def resources(changed=None, data=None):
            for name, (bits, samples) in wave.items():
                yield Resource(name, chunk("WAVE", [2000, 22050, bits, 2], data if name == changed else samples))

        self.passes(*resources())
        for name, (_, samples) in wave.items():
            bad = bytearray(samples)
            bad[1002] ^= 64
            bad[1003] ^= 8
            self.fails(f"failed: {name}", *resources(name, bytes(bad)))
        with_source = [r for r in resources() if r.name != "f.ogg"]
        source = (self.assets / "f.ogg").read_bytes()
        with_source.append(Resource("f.ogg", chunk("RAWD", [len(source), 0x2E6F6767, 0, 0], source)))
        self.assertIn("sound source", self.passes(*with_source))

    def test_models(self):
        positions = RANDOM.random((4, 3), np.float32)
        normals = np.tile(np.float32([0, 0, 1]), (4, 1))
        colors = RANDOM.integers(0, 256, (4, 4), np.uint8)
        indices = np.array([0, 1, 2, 2, 1, 3], np.uint8)
        interleaved = b"".join(p.tobytes() + n.tobytes() for p, n in zip(positions, normals))
        binary = interleaved + colors.tobytes() + indices.tobytes() + b"\0\0"
        pixel = io.BytesIO()
        Image.fromarray(RGBA).save(pixel, "PNG")
        views = [(0, 96, 24), (96, 16, None), (112, 6, None), (len(binary), len(pixel.getvalue()), None)]
        binary += pixel.getvalue()
        accessors = [
            (0, 0, 5126, 4, "VEC3"),
            (0, 12, 5126, 4, "VEC3"),
            (1, 0, 5121, 4, "VEC4"),
            (2, 0, 5121, 6, "SCALAR"),
        ]
        document = {
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": len(binary)}],
            "bufferViews": [
                {"buffer": 0, "byteOffset": at, "byteLength": n, **({"byteStride": s} if s else {})}
                for at, n, s in views
            ],
            "accessors": [
                {"bufferView": v, "byteOffset": at, "componentType": kind, "count": n, "type": shape}
                for v, at, kind, n, shape in accessors
            ],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "COLOR_0": 2}, "indices": 3}]}],
            "images": [{"bufferView": 3, "mimeType": "image/png"}],
        }
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        binary += bytes(-len(binary) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
        self.save("m.glb", struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)

        def model(moved=0, topology=4):
            none = 0xFFFFFFFF
            bounds = [*(positions + np.float32(moved)).min(axis=0), *(positions + np.float32(moved)).max(axis=0)]
            return Resource(
                "m.glb",
                chunk("VRTX", [4, 0, 3, 7], (positions + np.float32(moved)).tobytes()),
                chunk("VRTX", [4, 20, 3, 7], normals.tobytes()),
                chunk("VRTX", [4, 40, 4, 0], colors.tobytes()),
                chunk("VRTX", [6, 100, 1, 2], indices.astype("<u2").tobytes()),
                chunk("MODL", [1, 0, 1, 0], struct.pack("<4I6f", 0, none, topology, 4, *bounds)),
            )

        image = Resource("m.glb#image/0", image_chunk(7, 13, 9, RGBA.tobytes()))
        self.passes(model(), image)
        self.fails("position differs", model(0.001), image)
        self.fails("topology", model(topology=5), image)
        self.fails("is not in the pack", model())
        self.fails("m.glb#image/0", model(), Resource("m.glb#image/0", image_chunk(7, 13, 9, RGBA[::-1].tobytes())))

    def test_links_contain_the_path(self):
        self.save("far.bin", b"anything")
        self.passes(Resource("far.bin", chunk("LINK", [8], b"far.bin\0")))
        self.fails("link", Resource("far.bin", chunk("LINK", [8], b"near.bi\0")))

    def test_premultiplied_images_are_recognised(self):
        Image.fromarray(RGBA).save(self.assets / "p.png")
        product = RGBA.astype(float)
        product[:, :, :3] *= RGBA[:, :, 3:] / 255
        text = self.passes(Resource("p.png", image_chunk(7, 13, 9, np.rint(product).astype(np.uint8).tobytes())))
        self.assertIn("premultiplied", text)


if __name__ == "__main__":
    unittest.main()

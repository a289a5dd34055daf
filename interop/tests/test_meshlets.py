"""Tests of the check of meshlets: right ones pass, and each sort of wrong ones does not."""

import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent))

from pack_writer import Resource, chunk, write
from read_rres import Opened

# A square of two triangles that face along z, seen from behind below z = -1.
POSITIONS = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]
INDICES = [0, 1, 2, 0, 2, 3]


def model(vertices=(0, 1, 2, 3), triangles=(0, 1, 2, 0, 2, 3), radius=0.8, apex=-1.0, axis=1.0, cutoff=0.1):
    """Returns the errors of a pack with a model of one meshlet."""
    positions = chunk("VRTX", [4, 0, 3, 7], struct.pack("<12f", *POSITIONS))
    indices = chunk("VRTX", [6, 100, 1, 2], struct.pack("<6H", *INDICES))
    none = 0xFFFFFFFF
    structure = chunk("MODL", [1, 0, 1, 0], struct.pack("<4I6f", 0, none, 4, 2, 0, 0, 0, 1, 1, 0))
    mesh = struct.pack("<6I", 0, 0, 0, 0, 0, 0)
    meshlet_list = struct.pack("<6I", 0, 0, 1, len(vertices), len(triangles) // 3, 0)
    meshlet = struct.pack("<4f4f3f", 0.5, 0.5, 0, radius, 0.5, 0.5, apex, cutoff, 0, 0, axis)
    meshlet += struct.pack("<5I", 0, 0, len(vertices), 0, len(triangles) // 3)
    counts = [0, 0, 1, *[0] * 13, 1, 1, len(vertices), len(triangles) // 3]
    data = mesh + meshlet_list + meshlet + struct.pack(f"<{len(vertices)}I", *vertices) + bytes(triangles)
    scene = chunk("SCNE", [3, none, 0, 1, 0, *counts], data)
    return Opened(write([Resource("a.glb", positions, indices, structure, scene)])).errors


class Meshlets(unittest.TestCase):
    def test_right_ones_pass(self):
        self.assertEqual(model(), [])
        self.assertEqual(model(vertices=(3, 2, 1, 0), triangles=(3, 1, 0, 3, 2, 1)), [])

    def test_wrong_ones_do_not(self):
        for change, message in [
            ({"triangles": (0, 1, 2)}, "without 1 triangles, and with 0"),
            ({"triangles": (0, 1, 2, 0, 3, 2), "cutoff": 1.0}, "without 1 triangles, and with 1"),
            ({"vertices": (0, 1, 3, 2), "cutoff": 1.0}, "without 2 triangles, and with 2"),
            ({"radius": 0.7}, "a vertex is outside of its sphere"),
            ({"apex": 0.5}, "the apex of a cone is in front of a triangle"),
            ({"axis": -1.0}, "a triangle faces a direction outside of its cone"),
        ]:
            errors = model(**change)
            self.assertEqual(len(errors), 1, change)
            self.assertIn(message, errors[0])


if __name__ == "__main__":
    unittest.main()

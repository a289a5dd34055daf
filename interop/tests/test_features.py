"""Tests of the list of what a model file has and a pack has no place for."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parents[1])]

import source_features
from source_document import Document

POSITIONS = {"accessors": [{"componentType": 5126, "count": 3, "type": "VEC3"}]}


class Features(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def gltf(self, **members):
        path = self.folder / "a.gltf"
        path.write_text(json.dumps({"asset": {"version": "2.0"}, **members}))
        return source_features.of_gltf(Document(path))

    def obj(self, text, **libraries):
        for name, library in libraries.items():
            (self.folder / f"{name}.mtl").write_text(library)
        path = self.folder / "a.obj"
        path.write_text(text)
        return source_features.of_obj(path)

    def test_what_a_pack_has_a_place_for_is_not_listed(self):
        primitive = {"attributes": {"POSITION": 0, "COLOR_3": 0, "WEIGHTS_9": 0}, "targets": [{"COLOR_0": 0}]}
        found = self.gltf(
            **POSITIONS,
            meshes=[{"primitives": [primitive]}],
            animations=[{"channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}], "samplers": []}],
            images=[{"uri": "a.png"}],
            textures=[{"extensions": {"EXT_texture_webp": {"source": 0}}}],
            extensionsUsed=["EXT_texture_webp"],
            extras={"extensions": {"ACME": 1}},
        )
        self.assertEqual(found, set())

    def test_every_other_part_of_a_gltf_is_listed(self):
        primitive = {"attributes": {"POSITION": 0, "_HEAT": 0}, "targets": [{"COLOR_1": 0}], "layer": 1}
        found = self.gltf(
            **POSITIONS,
            meshes=[{"primitives": [primitive, {"attributes": {}}]}],
            animations=[{"channels": [{"target": {"path": "pointer"}}, {"target": {"path": "scale"}}], "samplers": []}],
            images=[{"uri": "a.png"}],
            nodes=[{"extensions": {"ACME_a": {"extensions": {"ACME_b": {}}}}}],
            extensionsUsed=["ACME_c"],
            programs={},
        )
        self.assertEqual(
            found,
            {
                "ACME_a", "ACME_b", "ACME_c", "`programs`", "`meshes.primitives.layer`", "attribute _HEAT",
                "attribute COLOR_1 of morph targets", "1 primitive without vertices", "1 image without texture",
                "2 channels of animations without a node",
            },
        )  # fmt: skip

    def test_statements_of_obj_and_its_libraries_are_listed(self):
        text = "v 0 0 0 1\nv 0 0 0 2\nvt 0 0 0.5\n#x\ncurv 1 \\\ny 2\nmtllib a.mtl\nf 1 1 1\n"
        found = self.obj(text, a="newmtl a\n  Kd 1 1 1\nrefl b.png\n")
        counted = {"1 weight of a position", "1 third texture coordinate", "1 material without faces"}
        self.assertEqual(found, {"curv", "refl"} | counted)

    def test_a_phrase_counts_only_as_a_whole(self):
        self.assertEqual(source_features.missing({"ACME_a"}, "without ACME_ab, NOT_ACME_a"), ["ACME_a"])
        self.assertEqual(source_features.missing({"ACME_a", "`nodes.x`"}, "without ACME_a, `nodes.x`"), [])


if __name__ == "__main__":
    unittest.main()

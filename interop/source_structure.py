"""Compares the MODL chunk of a model with what a reader of our own finds in a glTF 2.0 or GLB file: the nodes of the default scene,
primitives and base colours. docs/format.md has the layout.
"""

import struct

import source_document
from source_scene import NONE, close, compare_node, has_image, node_order, same

NODE, PRIMITIVE, MATERIAL = "<4I16f", "<4I6f", "<2I4f2I"


def compare(document, payload):
    """Raises a Difference."""
    source = document.json
    version, *counts = payload.properties[:4]
    same("layout version", version, 1)
    sections, at = [], 0
    for form, count in zip((NODE, PRIMITIVE, MATERIAL), counts, strict=True):
        end = at + struct.calcsize(form) * count
        sections.append(list(struct.iter_unpack(form, payload.data[at:end])))
        at = end
    name = lambda offset, size: payload.data[at + offset : at + offset + size].decode()
    nodes, primitives, materials = sections
    order, in_scene, parents = node_order(source)
    same("nodes", len(nodes), in_scene)
    for index, row in zip(order, nodes):
        compare_node(source["nodes"][index], parents[index], row, name)
    expected = list(drawn(source))
    same("primitives", len(primitives), len(expected))
    for (mesh, primitive), row in zip(expected, primitives):
        same("mesh, material, topology", row[:3], (mesh, primitive.get("material", NONE), primitive.get("mode", 4)))
        positions, normalized = document.accessor(primitive["attributes"]["POSITION"])
        positions = source_document.as_floats(positions, normalized)
        close("smallest position", row[4:7], positions.min(axis=0))
        close("largest position", row[7:10], positions.max(axis=0))
    same("materials", len(materials), len(source.get("materials", [])))
    for material, row in zip(source.get("materials", []), materials):
        same("name of a material", name(*row[:2]), material.get("name", ""))
        color = material.get("pbrMetallicRoughness", {})
        close("base colour", row[2:6], color.get("baseColorFactor", [1, 1, 1, 1]))
        same("has a base colour image", row[6] != NONE, has_image(source, color.get("baseColorTexture")))


def drawn(source):
    """The primitives with vertices, with the numbers of their meshes."""
    for number, mesh in enumerate(source.get("meshes", [])):
        for primitive in mesh["primitives"]:
            if source_document.has_vertices(source, primitive):
                yield number, primitive

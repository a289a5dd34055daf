#!/usr/bin/env python3
"""Compare a pack of glTF models with what public readers make of the files: compare_public.py PACK DIR.

Vertices, triangles and the places of instances are compared with trimesh, animations with what pygltflib reads. Both must be installed
besides requirements.txt: `pip install trimesh pygltflib`. Models with points or lines, or without scenes, are not compared, nor are files that a reader refuses. Vertices must be equal,
places within 1e-4 of the size of the model, times and values of animations within 1e-6. Exit codes: 0 if no model differs, 1 otherwise, 2 if the command line is wrong.
"""

import collections
import pathlib
import struct
import sys

import numpy as np
import pygltflib
import source_document
import trimesh
from read_rres import read
from source_document import COMPONENT, WIDTH, as_floats
from source_scene import PATHS, Scenes
from source_structure import NODE, PRIMITIVE

TRIANGLES, NONE = 4, 0xFFFFFFFF


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    root, stored = pathlib.Path(sys.argv[2]), read(sys.argv[1], None).by_name()
    row = collections.Counter()
    for path in sorted(p for p in root.rglob("*") if p.suffix.lower() in (".gltf", ".glb")):
        name = path.relative_to(root).as_posix()
        if name not in stored:
            continue
        for what, compare in (("shapes", compare_shapes), ("animations", compare_animations)):
            try:
                outcome = compare(path, stored[name])
            except Exception as error:
                outcome = f"unread: {type(error).__name__}: {error}"
            sort = outcome.split(":")[0]
            row[f"{what} {sort}"] += 1
            if sort in ("unread", "different"):
                print(f"{name}: {what} {outcome}")
    print(", ".join(f"{count} {what}" for what, count in sorted(row.items())))
    return 1 if any("different" in what for what in row) else 0


def chunks_of(decoded):
    """The primitives of a model as dicts of arrays, and its MODL chunk."""
    primitives = []
    for chunk in decoded:
        if chunk.chunk.kind == "VRTX":
            name = chunk.fields["attribute"]
            if name == "position":
                primitives.append({})
            form = {"f32": "<f4", "u16": "<u2", "u32": "<u4"}.get(chunk.fields["format"])
            if name in ("position", "index") and form:
                primitives[-1][name] = np.frombuffer(chunk.payload.data, form).reshape(-1, 3 if name == "position" else 1)
    return primitives, next(chunk.payload for chunk in decoded if chunk.chunk.kind == "MODL")


def compare_shapes(path, decoded):
    primitives, structure = chunks_of(decoded)
    node_count, primitive_count = structure.properties[1:3]
    nodes = [struct.unpack_from(NODE, structure.data, 80 * i) for i in range(node_count)]
    records = [struct.unpack_from(PRIMITIVE, structure.data, 80 * node_count + 40 * i) for i in range(primitive_count)]
    triangles = [i for i, record in enumerate(records) if record[2] == TRIANGLES]
    # trimesh shows nothing of a file without scenes.
    if not triangles or len(triangles) != len(records) or not source_document.Document(path).json.get("scenes"):
        return "not compared"
    scene = trimesh.load_scene(path, process=False, merge_primitives=False, skip_materials=True)
    world = []
    for parent, _, _, _, *matrix in nodes:
        own = np.array(matrix, float).reshape(4, 4).T
        world.append(own if parent == NONE else world[parent] @ own)
    # The corners of the triangles of each instance, in the world. trimesh may order meshes and instances in another way.
    ours = []
    for node, matrix in zip(nodes, world):
        for number in triangles:
            if records[number][0] == node[1]:
                primitive = primitives[number]
                points = primitive["position"].astype(float)
                order = primitive["index"].ravel() if "index" in primitive else np.arange(len(points))
                ours.append(points[order[: len(order) // 3 * 3]] @ matrix[:3, :3].T + matrix[:3, 3])
    theirs = []
    for name in scene.graph.nodes_geometry:
        matrix, geometry = scene.graph[name]
        mesh = scene.geometry[geometry]
        corners = np.asarray(mesh.vertices)[np.asarray(mesh.faces).ravel()]
        theirs.append(corners @ matrix[:3, :3].T + matrix[:3, 3])
    if len(ours) != len(theirs):
        return f"different: {len(ours)} instances, trimesh has {len(theirs)}"
    size = max((np.abs(points).max(initial=0) for points in theirs), default=0) or 1
    key = lambda points: (len(points), *np.round(points.mean(axis=0) / size, 3)) if len(points) else (0,)
    for found, expected in zip(sorted(ours, key=key), sorted(theirs, key=key)):
        if found.shape != expected.shape:
            return f"different: {len(found) // 3} triangles, trimesh has {len(expected) // 3}"
        # Equal keys may be in any order, and trimesh turns triangles of mirrored instances.
        if not np.allclose(np.sort(found, axis=0), np.sort(expected, axis=0), atol=1e-4 * size, rtol=0):
            return "different: positions"
    return "equal"


def compare_animations(path, decoded):
    document = pygltflib.GLTF2().load(path)
    if not document.animations:
        return "none"
    scenes = Scenes(next(chunk.payload for chunk in decoded if chunk.chunk.kind == "SCNE"))
    if len(scenes.animations) != len(document.animations):
        return f"different: {len(scenes.animations)} animations, pygltflib has {len(document.animations)}"
    for animation, row in zip(document.animations, scenes.animations):
        if scenes.name(*row[:2]) != (animation.name or ""):
            return "different: name"
        channels = [c for c in animation.channels if c.target.node is not None and c.target.path in PATHS]
        if len(channels) != row[3]:
            return f"different: {row[3]} channels, pygltflib has {len(channels)}"
        for channel, found in zip(channels, scenes.channels[row[2] : row[2] + row[3]]):
            sampler = animation.samplers[channel.sampler]
            for what, accessor, at in (("times", sampler.input, 4), ("values", sampler.output, 6)):
                expected = accessor_of(document, path, accessor).ravel()
                numbers = scenes.numbers[found[at] : found[at] + found[at + 1]]
                if found[1] != PATHS[channel.target.path] or numbers.shape != expected.shape:
                    return f"different: {what} of a channel"
                if not np.allclose(numbers, expected, atol=1e-6, rtol=1e-6):
                    return f"different: {what}"
    return "equal"


def accessor_of(document, path, index):
    accessor = document.accessors[index]
    if accessor.sparse is not None:
        raise ValueError("sparse accessor of an animation")
    view = document.bufferViews[accessor.bufferView]
    uri = document.buffers[view.buffer].uri
    if uri is None:
        data = document.binary_blob()
    elif uri.startswith("data:"):
        data = document.get_data_from_buffer_uri(uri)
    else:
        data = (path.parent / uri).read_bytes()
    kind, width = np.dtype(COMPONENT[accessor.componentType]), WIDTH[accessor.type]
    start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
    strides = (view.byteStride or kind.itemsize * width, kind.itemsize)
    return as_floats(np.ndarray((accessor.count, width), kind, data, start, strides), accessor.normalized)


if __name__ == "__main__":
    sys.exit(main())

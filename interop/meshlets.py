"""Checks the meshlets of a model: they have every triangle of their primitive or level once and in the same order of corners, and their
spheres and cones hold for its positions. docs/format.md has the layout.
"""

import collections

import numpy as np
from container import RresError
from scenes import Scenes

NUMBERS = {"u8": "<u1", "i8": "<i1", "u16": "<u2", "i16": "<i2", "u32": "<u4", "i32": "<i4", "f16": "<f2", "f32": "<f4"}
TRIANGLES = 4


def array(chunk):
    fields = chunk.fields
    return np.frombuffer(chunk.payload.data, NUMBERS[fields["format"]]).reshape(-1, fields["components"])


def primitives(decoded):
    """Yields the topology, the attributes by name, and the box of the mesh of each primitive."""
    structure = next(chunk for chunk in decoded if chunk.chunk.kind == "MODL").payload
    nodes, count, _materials = structure.properties[1:4]
    records = np.frombuffer(structure.data, np.dtype([("head", "<u4", 4), ("box", "<f4", 6)]), count, nodes * 80)
    boxes = {}
    for record in records:
        low, high = boxes.setdefault(record["head"][0], (record["box"][:3].copy(), record["box"][3:].copy()))
        np.minimum(low, record["box"][:3], out=low)
        np.maximum(high, record["box"][3:], out=high)
    vertices = iter([chunk for chunk in decoded if chunk.chunk.kind == "VRTX"])
    for record in records:
        mesh, _material, topology, attributes = record["head"]
        own = [next(vertices) for _ in range(attributes)]
        yield topology, {chunk.fields["attribute"]: chunk for chunk in own}, boxes[mesh]


def positions(chunk, box):
    """Returns the positions as 64-bit floats."""
    stored = array(chunk)[:, :3].astype(float)
    if chunk.fields["format"] == "u16":
        low, high = (corner.astype(float) for corner in box)
        return low + (high - low) * (stored / 65535)
    return stored


def check(decoded):
    """Returns how many meshlets the model has; raises an RresError if one is wrong. `decoded` are the chunks of the model."""
    scene = next((chunk for chunk in decoded if chunk.chunk.kind == "SCNE"), None)
    scenes = Scenes(scene.payload) if scene else None
    if scenes is None or not scenes.meshlet_lists:
        return 0
    models = list(primitives(decoded))
    meshlets, vertices, triangles = iter(scenes.meshlets), scenes.meshlet_vertices, scenes.meshlet_triangles
    at = [0, 0]
    for primitive, level, count, own_vertices, own_triangles, _ in scenes.meshlet_lists:
        what = f"meshlets of primitive {primitive} at level {level}"
        topology, attributes, box = models[primitive]
        indices = array(attributes[f"lod{level}" if level else "index"]).ravel().astype(int)
        points = positions(attributes["position"], box)
        if topology != TRIANGLES:
            raise RresError(f"{what}: the topology is {topology}")
        list_vertices = np.array(vertices[at[0] : at[0] + own_vertices], int).ravel()
        list_triangles = np.array(triangles[at[1] : at[1] + own_triangles], int).reshape(-1, 3)
        at = [at[0] + own_vertices, at[1] + own_triangles]
        found = collections.Counter()
        end = (0, 0)
        for _ in range(count):
            numbers = next(meshlets)
            first_vertex, vertex_count, first_triangle, triangle_count = numbers[12:]
            if (first_vertex, first_triangle) != end:
                raise RresError(f"{what}: one begins at {first_vertex}, {first_triangle}, expected {end}")
            end = first_vertex + vertex_count, first_triangle + triangle_count
            corners = list_vertices[first_vertex : end[0]][list_triangles[first_triangle : end[1]]]
            found.update(map(tuple, corners.tolist()))
            own = points[list_vertices[first_vertex : end[0]]]
            bounds(what, np.array(numbers[:11]), own, points[corners])
        if end != (own_vertices, own_triangles):
            raise RresError(f"{what}: they end at {end}, expected {own_vertices}, {own_triangles}")
        expected = collections.Counter(map(tuple, indices[: len(indices) // 3 * 3].reshape(-1, 3).tolist()))
        if found != expected:
            missing, extra = expected - found, found - expected
            raise RresError(f"{what}: without {len(missing)} triangles, and with {len(extra)} that are not there")
    return len(scenes.meshlets)


def bounds(what, numbers, own, corners):
    """Compares the sphere and the cone with vertices and with the corners of triangles."""
    center, radius, apex, cutoff, axis = numbers[:3], numbers[3], numbers[4:7], numbers[7], numbers[8:11]
    if np.linalg.norm(own - center, axis=1).max() > radius:
        raise RresError(f"{what}: a vertex is outside of its sphere")
    if cutoff >= 1:
        return  # It has no cone.
    edges = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(*edges)
    lengths = np.linalg.norm(normals, axis=1)
    normals = normals[lengths > 0] / lengths[lengths > 0, None]
    # From the apex all backs are seen, and the cosine to the axis is large enough for the directions that are left.
    if (np.einsum("ij,ij->i", apex - corners[lengths > 0, 0], normals) > 0).any():
        raise RresError(f"{what}: the apex of a cone is in front of a triangle")
    if (normals @ axis).min() / np.linalg.norm(axis) < np.sqrt(max(0.0, 1 - cutoff**2)):
        raise RresError(f"{what}: a triangle faces a direction outside of its cone")

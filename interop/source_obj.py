"""Compares VRTX chunks with the triangles that a reader of our own finds in a Wavefront OBJ file.

The order of vertices and primitives is free: what is compared are all triangles with the positions, texture coordinates and
normals of their corners, to the bit. Normals of a file that lacks some, and lines and points are not compared. Faces are cut into fans; if a file has faces that are not convex, the triangles differ,
and the corners and the sum of the areas are compared instead.
"""

import collections
import pathlib
import struct

import numpy as np

TRIANGLES = 4


def read(path):
    """Returns the triangles of a file: a Counter of three corners, each a tuple of floats."""
    lists = {"v": [], "vt": [], "vn": []}
    faces = []
    text = pathlib.Path(path).read_bytes().decode("utf-8", "replace").replace("\\\n", " ").replace("\\\r\n", " ")
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] in lists:
            lists[words[0]].append([np.float32(word) for word in words[1:]])
        elif words[0] == "f":
            faces.append([corner(word, lists) for word in words[1:]])
    triangles = collections.Counter()
    for face in faces:
        for i in range(1, len(face) - 1):
            triangles[canonical((face[0], face[i], face[i + 1]))] += 1
    return triangles


def corner(word, lists):
    parts = (word.split("/") + ["", ""])[:3]
    found = []
    for part, name in zip(parts, ("v", "vt", "vn")):
        if part:
            index = int(part)
            values = lists[name][index - 1 if index > 0 else index]
            if name == "vt":
                # OBJ counts from the bottom of the image.
                values = [values[0], np.float32(1) - (values[1] if len(values) > 1 else np.float32(0))]
            found.append(tuple(float(value) for value in values[: 2 if name == "vt" else 3]))
        else:
            found.append(())
    return tuple(found)


def canonical(triangle):
    """The same triangle with its smallest corner first."""
    first = min(range(3), key=lambda i: triangle[i])
    return triangle[first:] + triangle[:first]


def stored(decoded, with_normals):
    """Returns the triangles of the chunks of a model, in the same form."""
    triangles = collections.Counter()
    primitives = []
    for chunk in decoded:
        if chunk.chunk.kind == "VRTX":
            if chunk.fields["attribute"] == "position":
                primitives.append({})
            primitives[-1][chunk.fields["attribute"]] = chunk
    structure = next(chunk.payload for chunk in decoded if chunk.chunk.kind == "MODL")
    nodes, count = structure.properties[1:3]
    records = [struct.unpack_from("<3I", structure.data, nodes * 80 + i * 40) for i in range(count)]
    for primitive, (_, _, topology) in zip(primitives, records):
        if topology != TRIANGLES:
            continue
        columns = []
        for name, width in (("position", 3), ("texcoord1", 2), ("normal", 3)):
            if name in primitive and (with_normals or name != "normal"):
                values = np.frombuffer(primitive[name].payload.data, "<f4").reshape(-1, width)
                columns.append([tuple(float(value) for value in row) for row in values])
            else:
                columns.append([()] * primitive["position"].fields["count"])
        corners = list(zip(*columns))
        kind = "<u2" if primitive["index"].fields["format"] == "u16" else "<u4"
        indices = np.frombuffer(primitive["index"].payload.data, kind)
        for a, b, c in indices.reshape(-1, 3):
            triangles[canonical((corners[a], corners[b], corners[c]))] += 1
    return triangles


def without_normals(triangles):
    plain = collections.Counter()
    for triangle, count in triangles.items():
        plain[canonical(tuple((*corner[:2], ()) for corner in triangle))] += count
    return plain


def area(triangles):
    total = np.zeros(3)
    for triangle, count in triangles.items():
        a, b, c = (np.array(corner[0]) for corner in triangle)
        total += np.cross(b - a, c - a) * count
    return total


def compare(path, decoded):
    """Returns ('equal', 'tolerance' or 'failed', detail)."""
    expected = read(path)
    with_normals = all(corner[2] for triangle in expected for corner in triangle)
    found = stored(decoded, with_normals)
    if not with_normals:
        expected = without_normals(expected)
    count = sum(expected.values())
    if expected == found:
        return "equal", f"{count} triangles"
    if count != sum(found.values()):
        return "failed", f"{sum(found.values())} triangles, the source has {count}"
    corners = lambda triangles: {corner for triangle in triangles for corner in triangle}
    if corners(expected) != corners(found) or not np.allclose(area(expected), area(found), rtol=1e-4, atol=1e-6):
        return "failed", "other triangles than the source"
    return "tolerance", f"{count} triangles, faces cut in another way"

"""Compares VRTX chunks, in order, with the vertex arrays that a reader of our own finds in a glTF 2.0 or GLB file.

Each primitive of each mesh becomes a sequence of attributes, positions first and indices last. The bytes of f32
accessors must be equal; normalised integers may differ in the last bit of the division.
"""

import base64
import json
import pathlib
import struct
import urllib.parse

import numpy as np
import source_scene

COMPONENT = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
FULL = {"i1": 127, "u1": 255, "i2": 32767, "u2": 65535}
SEMANTICS = {
    "POSITION": "position", "TEXCOORD_0": "texcoord1", "TEXCOORD_1": "texcoord2", "TEXCOORD_2": "texcoord3",
    "TEXCOORD_3": "texcoord4", "NORMAL": "normal", "TANGENT": "tangent", "COLOR_0": "color",
    **{f"TEXCOORD_{n}": f"texcoord{n + 1}" for n in range(4, 8)}, **{f"COLOR_{n}": f"color{n + 1}" for n in range(1, 4)},
    **{f"JOINTS_{n}": f"joints{n + 1}" for n in range(10)}, **{f"WEIGHTS_{n}": f"weights{n + 1}" for n in range(10)},
}  # fmt: skip


class Document:
    def __init__(self, path):
        self.folder = pathlib.Path(path).parent
        data = pathlib.Path(path).read_bytes()
        self.blob = None
        if data[:4] == b"glTF":
            at = 12
            while at < len(data):
                length, kind = struct.unpack_from("<I4s", data, at)
                body = data[at + 8 : at + 8 + length]
                if kind == b"JSON":
                    json_chunk = body
                elif kind == b"BIN\0" and self.blob is None:
                    self.blob = body
                at += 8 + length
            data = json_chunk
        self.json = json.loads(data)
        self.buffers = [self._uri(b["uri"]) if "uri" in b else self.blob for b in self.json.get("buffers", [])]

    def _uri(self, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return (self.folder / urllib.parse.unquote(uri)).read_bytes()

    def view(self, index):
        """Returns (bytes, stride or None) of a buffer view."""
        view = self.json["bufferViews"][index]
        start = view.get("byteOffset", 0)
        return self.buffers[view["buffer"]][start : start + view["byteLength"]], view.get("byteStride")

    def accessor(self, index):
        """Returns (array of count x width in the stored component type, whether its integers are normalised)."""
        accessor = self.json["accessors"][index]
        kind, width, count = np.dtype(COMPONENT[accessor["componentType"]]), WIDTH[accessor["type"]], accessor["count"]
        values = np.zeros((count, width), kind)
        if "bufferView" in accessor:
            data, stride = self.view(accessor["bufferView"])
            start = accessor.get("byteOffset", 0)
            strides = (stride or kind.itemsize * width, kind.itemsize)
            values[:] = np.ndarray((count, width), kind, data, start, strides)
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            indices, replacements = sparse["indices"], sparse["values"]
            replaced = np.frombuffer(
                self.view(indices["bufferView"])[0],
                COMPONENT[indices["componentType"]],
                sparse["count"],
                indices.get("byteOffset", 0),
            )
            new_values = np.frombuffer(
                self.view(replacements["bufferView"])[0],
                kind,
                sparse["count"] * width,
                replacements.get("byteOffset", 0),
            )
            values[replaced] = new_values.reshape(-1, width)
        return values, accessor.get("normalized", False)

    def primitives(self):
        """Yields a dict for each primitive: attribute name -> (rres format name, array)."""
        for mesh in self.json.get("meshes", []):
            for primitive in mesh["primitives"]:
                found = {}
                for semantic, index in primitive["attributes"].items():
                    if semantic in SEMANTICS:
                        found[SEMANTICS[semantic]] = self._attribute(SEMANTICS[semantic], *self.accessor(index))
                if "indices" in primitive:
                    values = self.accessor(primitive["indices"])[0]
                    fits = values.max(initial=0) < 65536
                    found["index"] = ("u16", values.astype("<u2")) if fits else ("u32", values.astype("<u4"))
                for name in [name for name in found if name.startswith("joints")]:
                    # A joint without weight becomes 0.
                    form, joints = found[name]
                    found[name] = form, np.where(found[name.replace("joints", "weights")][1] == 0, 0, joints).astype("<u2")
                yield found

    def _attribute(self, name, values, normalized):
        kind = values.dtype.str[1:]
        if name.startswith("joints"):
            return "u16", values.astype("<u2")
        if name.startswith("color"):
            if kind == "f4":
                values = np.rint(np.clip(values, 0, 1).astype(float) * 255).astype(np.uint8)
            elif kind == "u2":
                values = ((values.astype(np.uint32) * 510 + 65535) // 131070).astype(np.uint8)
            if values.shape[1] == 3:
                values = np.hstack([values, np.full((len(values), 1), 255, np.uint8)])
            return "u8", values
        if kind == "f4":
            return "f32", values
        if normalized:
            return "f32", np.maximum(values.astype("<f4") / np.float32(FULL[kind]), np.float32(-1))
        return "f32", values.astype("<f4")

    def embedded_images(self):
        """Yields (number, bytes) of each image that is stored in the document."""
        for number, image in enumerate(self.json.get("images", [])):
            if "bufferView" in image:
                yield number, self.view(image["bufferView"])[0]
            elif image.get("uri", "").startswith("data:"):
                yield number, self._uri(image["uri"])


def compare(path, decoded):
    """Returns ('equal', 'tolerance' or 'failed', detail); `decoded` are the chunks of the model."""
    document = Document(path)
    expected = [p for p in document.primitives() if "position" in p]
    found = []
    for chunk in decoded:
        if chunk.chunk.kind != "VRTX":
            continue
        if chunk.fields["attribute"] == "position":
            found.append([])
        if not found:
            return "failed", f"vertex data starts with {chunk.fields['attribute']}, expected position"
        found[-1].append(chunk)
    if len(found) != len(expected):
        return "failed", f"{len(found)} primitives, the source has {len(expected)}"
    rounded = 0
    for number, (attributes, primitive) in enumerate(zip(found, expected)):
        names = [chunk.fields["attribute"] for chunk in attributes]
        if sorted(names) != sorted(primitive):
            return "failed", f"primitive {number} has {names}, the source has {sorted(primitive)}"
        of_c = [chunk.fields["attribute"] for chunk in attributes if chunk.payload.properties[1] < 1000]
        if names[: len(of_c)] != of_c or ("index" in names and of_c[-1] != "index"):
            return "failed", f"primitive {number}: the index chunk is not the last that C readers know"
        for chunk in attributes:
            fields, name = chunk.fields, chunk.fields["attribute"]
            form, array = primitive[name]
            if (fields["format"], fields["count"], fields["components"]) != (form, len(array), array.shape[1]):
                return (
                    "failed",
                    f"primitive {number} {name}: {fields}, expected {len(array)} x {array.shape[1]} {form}",
                )
            if chunk.payload.data != array.tobytes():
                stored = np.frombuffer(chunk.payload.data, array.dtype).reshape(array.shape)
                if form != "f32" or np.abs(stored.astype(float) - array).max() > 6e-8 * max(1, np.abs(array).max()):
                    return "failed", f"primitive {number} {name} differs"
                rounded += 1
    scenes = [chunk for chunk in decoded if chunk.chunk.kind == "SCNE"]
    try:
        more = source_scene.compare(document, scenes[0].payload) if scenes else ""
    except source_scene.Difference as difference:
        return "failed", str(difference)
    detail = f"{more}, " if more else ""
    detail += f"{len(found)} primitives, {sum(len(attributes) for attributes in found)} attributes"
    return ("tolerance", f"{detail}, {rounded} within the last bit") if rounded else ("equal", detail)

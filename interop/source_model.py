"""glTF 2.0 / GLB -> vertex arrays by our own reading of the specification, compared with VRTX chunks in order.

Each primitive of each mesh gives a run of attributes, position first, indices last. f32 accessors must be the same
bytes; normalised integers may differ by the last bit of the division.
"""

import base64
import json
import pathlib
import struct
import urllib.parse

import numpy as np

COMPONENT = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
FULL = {"i1": 127, "u1": 255, "i2": 32767, "u2": 65535}
SEMANTICS = {
    "POSITION": "position", "TEXCOORD_0": "texcoord1", "TEXCOORD_1": "texcoord2", "TEXCOORD_2": "texcoord3",
    "TEXCOORD_3": "texcoord4", "NORMAL": "normal", "TANGENT": "tangent", "COLOR_0": "color",
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
                    data_json = body
                elif kind == b"BIN\0" and self.blob is None:
                    self.blob = body
                at += 8 + length
            data = data_json
        self.json = json.loads(data)
        self.buffers = [self._uri(b["uri"]) if "uri" in b else self.blob for b in self.json.get("buffers", [])]

    def _uri(self, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return (self.folder / urllib.parse.unquote(uri)).read_bytes()

    def view(self, index):
        view = self.json["bufferViews"][index]
        start = view.get("byteOffset", 0)
        return self.buffers[view["buffer"]][start : start + view["byteLength"]], view.get("byteStride")

    def accessor(self, index):
        """(count, width) array in the stored component type, and whether integers stand for 0..1."""
        facts = self.json["accessors"][index]
        kind, width, count = np.dtype(COMPONENT[facts["componentType"]]), WIDTH[facts["type"]], facts["count"]
        values = np.zeros((count, width), kind)
        if "bufferView" in facts:
            data, stride = self.view(facts["bufferView"])
            start = facts.get("byteOffset", 0)
            strides = (stride or kind.itemsize * width, kind.itemsize)
            values[:] = np.ndarray((count, width), kind, data, start, strides)
        if "sparse" in facts:
            sparse = facts["sparse"]
            where, what = sparse["indices"], sparse["values"]
            places = np.frombuffer(
                self.view(where["bufferView"])[0],
                COMPONENT[where["componentType"]],
                sparse["count"],
                where.get("byteOffset", 0),
            )
            fresh = np.frombuffer(
                self.view(what["bufferView"])[0], kind, sparse["count"] * width, what.get("byteOffset", 0)
            )
            values[places] = fresh.reshape(-1, width)
        return values, facts.get("normalized", False)

    def primitives(self):
        """Per primitive: list of (attribute name, rres format name, array)."""
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
                yield found

    def _attribute(self, name, values, normalized):
        kind = values.dtype.str[1:]
        if name == "color":
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
        """(number, bytes) of the images that lie inside the document."""
        for number, image in enumerate(self.json.get("images", [])):
            if "bufferView" in image:
                yield number, self.view(image["bufferView"])[0]
            elif image.get("uri", "").startswith("data:"):
                yield number, self._uri(image["uri"])


def compare(path, parts):
    """('equal' | 'tolerance' | 'failed', words); `parts` are the (chunk, payload, meaning) of the model's resource."""
    document = Document(path)
    wanted = [p for p in document.primitives() if "position" in p]
    runs = []
    for _, payload, meaning in parts:
        if meaning["kind"] != "VRTX":
            continue
        if meaning["attribute"] == "position":
            runs.append([])
        if not runs:
            return "failed", f"vertex data starts with {meaning['attribute']}"
        runs[-1].append((meaning, payload))
    if len(runs) != len(wanted):
        return "failed", f"{len(runs)} primitives, the source has {len(wanted)}"
    loose = 0
    for number, (run, primitive) in enumerate(zip(runs, wanted)):
        names = [meaning["attribute"] for meaning, _ in run]
        if sorted(names) != sorted(primitive):
            return "failed", f"primitive {number} holds {names}, the source {sorted(primitive)}"
        if "index" in names and names[-1] != "index":
            return "failed", f"primitive {number}: the index chunk is not last"
        for meaning, payload in run:
            name = meaning["attribute"]
            form, array = primitive[name]
            if (meaning["format"], meaning["count"], meaning["components"]) != (form, len(array), array.shape[1]):
                return (
                    "failed",
                    f"primitive {number} {name}: {meaning}, expected {len(array)} x {array.shape[1]} {form}",
                )
            if payload.data != array.tobytes():
                found = np.frombuffer(payload.data, array.dtype).reshape(array.shape)
                if form != "f32" or np.abs(found.astype(float) - array).max() > 6e-8 * max(1, np.abs(array).max()):
                    return "failed", f"primitive {number} {name} differs"
                loose += 1
    words = f"{len(runs)} primitives, {sum(len(r) for r in runs)} attributes"
    return ("tolerance", f"{words}, {loose} within the last bit") if loose else ("equal", words)

"""A reader of our own for glTF 2.0 and GLB files: the document, its buffers and its accessors."""

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
    **{f"TEXCOORD_{n}": f"texcoord{n + 1}" for n in range(4, 8)}, **{f"COLOR_{n}": f"color{n + 1}" for n in range(1, 4)},
    **{f"JOINTS_{n}": f"joints{n + 1}" for n in range(10)}, **{f"WEIGHTS_{n}": f"weights{n + 1}" for n in range(10)},
}  # fmt: skip


def has_vertices(document, primitive):
    """Whether a primitive has positions, and any vertex."""
    return "POSITION" in primitive["attributes"] and document["accessors"][primitive["attributes"]["POSITION"]]["count"] > 0


def as_floats(values, normalized):
    """The numbers that the stored values of an accessor represent."""
    kind = values.dtype.str[1:]
    if not normalized or kind not in FULL:
        return values.astype("<f4")
    return np.maximum(values.astype("<f4") / np.float32(FULL[kind]), np.float32(-1))


def number(text):
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


class Document:
    def __init__(self, path):
        self.folder = pathlib.Path(path).parent
        data = pathlib.Path(path).read_bytes()
        self.blob = None
        if data[:4] == b"glTF":
            at, size = 12, struct.unpack_from("<I", data, 8)[0]
            while at < size:
                length, kind = struct.unpack_from("<I4s", data, at)
                body = data[at + 8 : at + 8 + length]
                if kind == b"JSON":
                    json_chunk = body
                elif kind == b"BIN\0" and self.blob is None:
                    self.blob = body
                at += 8 + length
            data = json_chunk
        # Some exporters write whole numbers with a decimal point.
        self.json = json.loads(data.decode("utf-8-sig"), parse_float=number)
        self.buffers = {}

    def _uri(self, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return (self.folder / urllib.parse.unquote(uri)).read_bytes()

    def buffer(self, index):
        if index not in self.buffers:
            buffer = self.json["buffers"][index]
            self.buffers[index] = self._uri(buffer["uri"]) if "uri" in buffer else self.blob
        return self.buffers[index]

    def view(self, index):
        """Returns (bytes, stride or None) of a buffer view."""
        view = self.json["bufferViews"][index]
        packed = view.get("extensions", {}).get("EXT_meshopt_compression")
        if packed:
            return self.unpacked(packed), packed["byteStride"]
        start = view.get("byteOffset", 0)
        return self.buffer(view["buffer"])[start : start + view["byteLength"]], view.get("byteStride")

    def has_octahedral_filter(self):
        packed = (view.get("extensions", {}).get("EXT_meshopt_compression", {}) for view in self.json["bufferViews"])
        return any(view.get("filter") == "OCTAHEDRAL" for view in packed)

    def unpacked(self, packed):
        """The bytes of a compressed view, as the reference decoder makes them. Without its module the file is not compared."""
        import meshoptimizer

        start, count, stride = packed.get("byteOffset", 0), packed["count"], packed["byteStride"]
        data = bytes(self.buffer(packed["buffer"])[start : start + packed["byteLength"]])
        if packed["mode"] == "ATTRIBUTES":
            values = meshoptimizer.decode_vertex_buffer(count, stride, data)
            kind = {"OCTAHEDRAL": "oct", "QUATERNION": "quat", "EXPONENTIAL": "exp"}.get(packed.get("filter"))
            if kind:
                values = getattr(meshoptimizer, f"decode_filter_{kind}")(np.ascontiguousarray(values), count, stride)
        else:
            decode = {"TRIANGLES": "decode_index_buffer", "INDICES": "decode_index_sequence"}[packed["mode"]]
            values = getattr(meshoptimizer, decode)(count, stride, data)
        # The module returns 32 bits for each index; the first ones are filled.
        return np.ascontiguousarray(values).tobytes()[: count * stride]

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
                if not has_vertices(self.json, primitive):
                    continue
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
        return "f32", as_floats(values, normalized)

    def embedded_images(self):
        """Yields (number, bytes) of each image that is stored in the document."""
        for number, image in enumerate(self.json.get("images", [])):
            if "bufferView" in image:
                yield number, self.view(image["bufferView"])[0]
            elif image.get("uri", "").startswith("data:"):
                yield number, self._uri(image["uri"])

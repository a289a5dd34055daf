#!/usr/bin/env python3
"""Write one asset of every kind: assets.py DIR."""

import json
import pathlib
import struct
import sys

FONT = pathlib.Path(__file__).parent.parent.parent / "assets/fonts"


def noise(count):
    return bytes((i * i >> 7 ^ i // 300) & 255 for i in range(count))


def tga(width, height, channels):
    header = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, width, height, channels * 8, 8 if channels == 4 else 0)
    return header + noise(width * height * channels)


def wav(frames):
    data = noise(frames * 4)
    return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 2, 8000, 32000, 4, 16, b"data", len(data)) + data


def glb():
    """A quad with normals, texture coordinates, colours and indices."""
    parts = [struct.pack("<12f", *range(12)), struct.pack("<12f", *[0, 0, 1] * 4), struct.pack("<8f", *range(8)), noise(16), struct.pack("<6H", 0, 1, 2, 2, 1, 3)]
    kinds = [("VEC3", 5126, 4), ("VEC3", 5126, 4), ("VEC2", 5126, 4), ("VEC4", 5121, 4), ("SCALAR", 5123, 6)]
    views, accessors, at = [], [], 0
    for number, (part, (kind, component, count)) in enumerate(zip(parts, kinds)):
        views.append({"buffer": 0, "byteOffset": at, "byteLength": len(part)})
        accessors.append({"bufferView": number, "componentType": component, "count": count, "type": kind, **({"normalized": True} if component == 5121 else {})})
        at += len(part)
    accessors[0] |= {"min": [0, 1, 2], "max": [9, 10, 11]}
    attributes = {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "COLOR_0": 3}
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 4}]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": at}],
    }  # fmt: skip
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary = b"".join(parts)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def main():
    folder = pathlib.Path(sys.argv[1])
    font = next(file for file in sorted(FONT.rglob("*")) if file.suffix in (".ttf", ".otf"))
    files = {
        "blob.bin": noise(5000), "empty.bin": b"", "movie.bin": b"x", "quad.glb": glb(), "rgb.tga": tga(50, 40, 3), "rgba.tga": tga(40, 33, 4),
        "small.tga": tga(1, 1, 3), "story.txt": "Größe und Maß.\n".encode() * 50, "shader.fs": b"void main() {}\n" * 9, "tone.wav": wav(4000),
        "utf16.txt": "\ufeffgrößer".encode("utf-16-le"), font.name: font.read_bytes(),
    }  # fmt: skip
    for name, data in files.items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()

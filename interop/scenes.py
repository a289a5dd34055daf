"""The sections of a SCNE chunk, in the layout of docs/format.md."""

import struct

import numpy as np
from container import RresError

# The name and layout of each record.
SECTIONS = [
    ("nodes", "<6I10f"), ("further", "<4I16f"), ("meshes", "<6I"), ("targets", "<2I"), ("morphs", "<6I"), ("skins", "<7I"),
    ("animations", "<4I"), ("channels", "<8I"), ("factors", "<2I4f"), ("textures", "<4I4B6fI"), ("cameras", "<3I4f"),
    ("lights", "<3I7f"), ("scenes", "<4I"), ("indices", "<I"), ("numbers", "<f"),
    # From layout version 2 on.
    ("lods", "<2IfI"),
    # From layout version 3 on.
    ("meshlet_lists", "<6I"), ("meshlets", "<4f4f3f5I"), ("meshlet_vertices", "<I"), ("meshlet_triangles", "<3B"),
    # From layout version 5 on; 4 is not in use.
    ("tracks", "<4I5f12B"), ("track_times", "<f"), ("track_bytes", "<B"),
]  # fmt: skip
# The sections that each layout version has.
COUNTS = {1: 15, 2: 16, 3: 20, 5: 23}


class Scenes:
    """The sections of a SCNE chunk as lists of tuples."""

    def __init__(self, payload):
        self.version = payload.properties[0]
        if self.version not in COUNTS:
            raise RresError(f"scenes have layout version {self.version}, expected 1, 2, 3 or 5")
        _, self.default, *rest = payload.properties[: 5 + COUNTS[self.version]]
        self.model, counts = rest[:3], rest[3:]
        at = 0
        for number, (name, form) in enumerate(SECTIONS):
            size = struct.calcsize(form) * (counts[number] if number < len(counts) else 0)
            if at + size > len(payload.data):
                raise RresError(f"section {name} ends at {at + size}, and there are {len(payload.data)} bytes")
            setattr(self, name, list(struct.iter_unpack(form, payload.data[at : at + size])))
            at += size
        self.numbers = np.array([n for (n,) in self.numbers], "<f4")
        self.indices = [i for (i,) in self.indices]
        self.names = payload.data[at:]

    def name(self, first, count):
        return self.names[first : first + count].decode()

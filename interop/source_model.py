"""Compares VRTX chunks, in order, with the vertex arrays that a reader of our own finds in a glTF 2.0 or GLB file.

Each primitive of each mesh becomes a sequence of attributes, positions first and indices last. The bytes of f32
accessors must be equal; normalised integers may differ in the last bit of the division.
"""

import numpy as np
import source_scene
import source_structure
from source_document import Document


def compare(path, decoded):
    """Returns ('equal', 'tolerance' or 'failed', detail); `decoded` are the chunks of the model."""
    document = Document(path)
    expected = list(document.primitives())
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
                limit = 6e-8 * max(1, np.abs(array).max())
                if name in ("normal", "tangent") and document.has_octahedral_filter():
                    # The reference decoder differs in the last of seven bits, rarely.
                    limit = 1.01 / 127
                if form != "f32" or np.abs(stored.astype(float) - array).max() > limit:
                    return "failed", f"primitive {number} {name} differs"
                rounded += 1
    structures = [chunk for chunk in decoded if chunk.chunk.kind == "MODL"]
    scenes = [chunk for chunk in decoded if chunk.chunk.kind == "SCNE"]
    try:
        more = source_scene.compare(document, scenes[0].payload) if scenes else ""
        if structures:
            source_structure.compare(document, structures[0].payload)
    except source_scene.Difference as difference:
        return "failed", str(difference)
    detail = f"{more}, " if more else ""
    detail += f"{len(found)} primitives, {sum(len(attributes) for attributes in found)} attributes"
    return ("tolerance", f"{detail}, {rounded} within the last bit") if rounded else ("equal", detail)

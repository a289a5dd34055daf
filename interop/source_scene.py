"""Compares the SCNE chunk of a model with what a reader of our own finds in a glTF 2.0 or GLB file: nodes, skins, animations,
morph targets, materials, cameras, lights and scenes. docs/format.md has the layout.
"""

import numpy as np
import source_document
from scenes import Scenes

NONE = 0xFFFFFFFF
ATTRIBUTES = {"POSITION": 0, "TEXCOORD_0": 10, "TEXCOORD_1": 11, "TEXCOORD_2": 12, "TEXCOORD_3": 13, "NORMAL": 20,
              "TANGENT": 30, "COLOR_0": 40}  # fmt: skip
PATHS = {"translation": 0, "rotation": 1, "scale": 2, "weights": 3}
INTERPOLATIONS = {"STEP": 0, "LINEAR": 1, "CUBICSPLINE": 2}
# Object, key, number of the factor, default.
FACTORS = [
    ("", "alphaCutoff", 1, 0.5), ("pbrMetallicRoughness", "metallicFactor", 4, 1),
    ("pbrMetallicRoughness", "roughnessFactor", 5, 1), ("", "emissiveFactor", 6, [0, 0, 0]),
    ("KHR_materials_emissive_strength", "emissiveStrength", 7, 1), ("KHR_materials_ior", "ior", 8, 1.5),
    ("KHR_materials_specular", "specularFactor", 9, 1), ("KHR_materials_specular", "specularColorFactor", 10, [1, 1, 1]),
    ("KHR_materials_clearcoat", "clearcoatFactor", 11, 0), ("KHR_materials_clearcoat", "clearcoatRoughnessFactor", 12, 0),
    ("KHR_materials_sheen", "sheenColorFactor", 13, [0, 0, 0]), ("KHR_materials_sheen", "sheenRoughnessFactor", 14, 0),
    ("KHR_materials_transmission", "transmissionFactor", 15, 0), ("KHR_materials_volume", "thicknessFactor", 16, 0),
    ("KHR_materials_volume", "attenuationDistance", 17, 0), ("KHR_materials_volume", "attenuationColor", 18, [1, 1, 1]),
    ("KHR_materials_iridescence", "iridescenceFactor", 19, 0), ("KHR_materials_iridescence", "iridescenceIor", 20, 1.3),
    ("KHR_materials_iridescence", "iridescenceThicknessMinimum", 21, 100),
    ("KHR_materials_iridescence", "iridescenceThicknessMaximum", 22, 400),
    ("KHR_materials_diffuse_transmission", "diffuseTransmissionFactor", 26, 0),
    ("KHR_materials_diffuse_transmission", "diffuseTransmissionColorFactor", 27, [1, 1, 1]),
    ("KHR_materials_pbrSpecularGlossiness", "diffuseFactor", 28, [1, 1, 1, 1]),
    ("KHR_materials_anisotropy", "anisotropyStrength", 23, 0), ("KHR_materials_anisotropy", "anisotropyRotation", 24, 0),
    ("KHR_materials_dispersion", "dispersion", 25, 0),
    ("KHR_materials_pbrSpecularGlossiness", "specularFactor", 29, [1, 1, 1]),
    ("KHR_materials_pbrSpecularGlossiness", "glossinessFactor", 30, 1),
]  # fmt: skip
TEXTURES = [
    ("pbrMetallicRoughness", "baseColorTexture"), ("pbrMetallicRoughness", "metallicRoughnessTexture"), ("", "normalTexture"),
    ("", "occlusionTexture"), ("", "emissiveTexture"), ("KHR_materials_specular", "specularTexture"),
    ("KHR_materials_specular", "specularColorTexture"), ("KHR_materials_clearcoat", "clearcoatTexture"),
    ("KHR_materials_clearcoat", "clearcoatRoughnessTexture"), ("KHR_materials_clearcoat", "clearcoatNormalTexture"),
    ("KHR_materials_sheen", "sheenColorTexture"), ("KHR_materials_sheen", "sheenRoughnessTexture"),
    ("KHR_materials_transmission", "transmissionTexture"), ("KHR_materials_volume", "thicknessTexture"),
    ("KHR_materials_iridescence", "iridescenceTexture"), ("KHR_materials_iridescence", "iridescenceThicknessTexture"),
    ("KHR_materials_anisotropy", "anisotropyTexture"),
    ("KHR_materials_diffuse_transmission", "diffuseTransmissionTexture"),
    ("KHR_materials_diffuse_transmission", "diffuseTransmissionColorTexture"),
    ("KHR_materials_pbrSpecularGlossiness", "diffuseTexture"),
    ("KHR_materials_pbrSpecularGlossiness", "specularGlossinessTexture"),
]  # fmt: skip
MINIFY = {9728: 1, 9729: 2, 9984: 3, 9985: 4, 9986: 5, 9987: 6}
WRAP = {33071: 0, 10497: 1, 33648: 2}


class Difference(Exception):
    """What differs, with both values."""


def same(what, found, expected):
    if found != expected:
        raise Difference(f"{what}: {found}, the source has {expected}")


def close(what, found, expected, rtol=1e-6, atol=1e-7):
    found, expected = np.asarray(found, "<f4"), np.asarray(expected, "<f4").reshape(np.shape(found))
    if found.shape != expected.shape or not np.allclose(found, expected, rtol=rtol, atol=atol):
        raise Difference(f"{what}: {found}, the source has {expected}")


def node_order(document):
    """Returns the document's indices of nodes in stored order, how many are in the default scene, and the numbers of parents."""
    nodes, scenes = document.get("nodes", []), document.get("scenes", [])
    children = {child for node in nodes for child in node.get("children", [])}
    parentless = [i for i in range(len(nodes)) if i not in children]
    default = document.get("scene", 0 if scenes else None)
    order, parents = [], {}

    def place(roots):
        stack = [(root, None) for root in reversed(roots) if root not in parents]
        while stack:
            node, parent = stack.pop()
            if node in parents:
                continue
            parents[node] = parent
            stack.extend((child, len(order)) for child in reversed(nodes[node].get("children", [])))
            order.append(node)

    place(parentless if default is None else scenes[default].get("nodes", []))
    count = len(order)
    for i, scene in enumerate(scenes):
        if i != default:
            for root in scene.get("nodes", []):
                place([root])
    place(parentless)
    return order, count, parents


def floats(document, index):
    return source_document.as_floats(*document.accessor(index))


def of(material, name):
    if not name:
        return material
    return material.get(name, {}) if name.startswith("pbr") else material.get("extensions", {}).get(name, {})


def compare(document, payload):
    """Returns what was compared in a few words; raises a Difference."""
    source, stored = document.json, Scenes(payload)
    order, in_scene, parents = node_order(source)
    number = {node: i for i, node in enumerate(order)}
    materials = source.get("materials", [])
    meshes = source.get("meshes", [])
    same("nodes", len(stored.nodes), len(order))
    same("nodes in the default scene, materials", [stored.model[0], stored.model[2]], [in_scene, len(materials)])
    lights = source.get("extensions", {}).get("KHR_lights_punctual", {}).get("lights", [])
    for node, row in zip((source["nodes"][i] for i in order), stored.nodes):
        light = node.get("extensions", {}).get("KHR_lights_punctual", {}).get("light", NONE)
        expected = ["matrix" not in node, node.get("skin", NONE), node.get("camera", NONE), light]
        same("node", list(row[:4]), expected)
        parts = node.get("translation", [0] * 3) + node.get("rotation", [0, 0, 0, 1]) + node.get("scale", [1] * 3)
        close("parts of a node", row[6:], parts)
        targets = len(meshes[node["mesh"]]["primitives"][0].get("targets", [])) if "mesh" in node else 0
        weights = node.get("weights", []) if targets else []
        close("weights of a node", stored.numbers[row[4] : row[4] + row[5]], weights)
    for index, row in zip(order[in_scene:], stored.further, strict=True):
        compare_node(source["nodes"][index], parents[index], row, stored.name)
    compare_meshes(document, stored, meshes)
    skins = source.get("skins", [])
    same("skins", len(stored.skins), len(skins))
    for skin, row in zip(skins, stored.skins):
        same("name of a skin", stored.name(*row[:2]), skin.get("name", ""))
        same("joints", stored.indices[row[2] : row[2] + row[3]], [number[joint] for joint in skin["joints"]])
        if "inverseBindMatrices" in skin:
            matrices = floats(document, skin["inverseBindMatrices"])[: len(skin["joints"])]
            close("inverse bind matrices", stored.numbers[row[4] : row[4] + row[5]], matrices.ravel())
        else:
            same("inverse bind matrices", row[5], 0)
        same("skeleton", row[6], number[skin["skeleton"]] if "skeleton" in skin else NONE)
    channels = compare_animations(document, stored, number)
    for i, material in enumerate(materials):
        compare_material(source, stored, i, material)
    same("lights", len(stored.lights), len(lights))
    for light, row in zip(lights, stored.lights):
        same("name of a light", stored.name(*row[:2]), light.get("name", ""))
        same("light", row[2], ["directional", "point", "spot"].index(light["type"]))
        values = [*light.get("color", [1] * 3), light.get("intensity", 1), light.get("range", 0)]
        close("light", row[3:8], values)
        spot = light.get("spot", {}) if light["type"] == "spot" else None
        angles = [0, 0] if spot is None else [spot.get("innerConeAngle", 0), spot.get("outerConeAngle", np.pi / 4)]
        close("angles of a light", row[8:10], angles)
    cameras = source.get("cameras", [])
    same("cameras", len(stored.cameras), len(cameras))
    for camera, row in zip(cameras, stored.cameras):
        kind = ["perspective", "orthographic"].index(camera["type"])
        own = camera[camera["type"]]
        keys = [("aspectRatio", "yfov"), ("xmag", "ymag")][kind]
        same("camera", (stored.name(*row[:2]), row[2]), (camera.get("name", ""), kind))
        close("camera", row[3:], [own.get(key, 0) for key in (*keys, "znear", "zfar")])
    scenes = source.get("scenes", [])
    same("scenes", len(stored.scenes), len(scenes))
    for scene, row in zip(scenes, stored.scenes):
        same("scene", stored.name(*row[:2]), scene.get("name", ""))
        same("roots", stored.indices[row[2] : row[2] + row[3]], [number[node] for node in scene.get("nodes", [])])
    counts = {"skins": len(skins), "channels": channels, "morphs": len(stored.morphs), "textures": len(stored.textures)}
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


def compare_node(node, parent, row, name):
    same("parent, mesh", row[:2], (NONE if parent is None else parent, node.get("mesh", NONE)))
    same("name of a node", name(*row[2:4]), node.get("name", ""))
    close("matrix of a node", row[4:], matrix(node), rtol=1e-5, atol=1e-5)


def matrix(node):
    """The local matrix, column by column."""
    if "matrix" in node:
        return node["matrix"]
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    turn = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    whole = np.eye(4)
    whole[:3, :3] = turn * node.get("scale", [1, 1, 1])
    whole[:3, 3] = node.get("translation", [0, 0, 0])
    return whole.T.ravel()


def compare_meshes(document, stored, meshes):
    same("meshes", len(stored.meshes), len(meshes))
    primitive, morphs = 0, iter(stored.morphs)
    for mesh, row in zip(meshes, stored.meshes):
        same("name of a mesh", stored.name(*row[:2]), mesh.get("name", ""))
        count = max((len(p.get("targets", [])) for p in mesh["primitives"]), default=0)
        same("morph targets of a mesh", row[5], count)
        close("weights of a mesh", stored.numbers[row[2] : row[2] + row[3]], mesh.get("weights", []) if count else [])
        names = mesh.get("extras", {}).get("targetNames", []) if isinstance(mesh.get("extras"), dict) else []
        if count and names:
            found = [stored.name(*stored.targets[row[4] + i]) for i in range(count)]
            same("names of morph targets", found, names)
        for source in mesh["primitives"]:
            if not source_document.has_vertices(document.json, source):
                continue
            for number, target in enumerate(source.get("targets", [])):
                for name in sorted((n for n in target if n in ATTRIBUTES), key=ATTRIBUTES.get):
                    found = next(morphs)
                    deltas = floats(document, target[name])
                    expected = (primitive, number, ATTRIBUTES[name], deltas.shape[1])
                    same("morph target", found[:4], expected)
                    close("differences", stored.numbers[found[4] : found[4] + found[5]], deltas.ravel())
            primitive += 1
    same("primitives", stored.model[1], primitive)
    same("morph targets left", list(morphs), [])


def compare_animations(document, stored, number):
    animations = document.json.get("animations", [])
    same("animations", len(stored.animations), len(animations))
    count = 0
    for animation, row in zip(animations, stored.animations):
        same("name of an animation", stored.name(*row[:2]), animation.get("name", ""))
        kept = [c for c in animation["channels"] if "node" in c["target"] and c["target"]["path"] in PATHS]
        same("channels", row[3], len(kept))
        for channel, found in zip(kept, stored.channels[row[2] : row[2] + row[3]]):
            sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
            kind = INTERPOLATIONS[sampler.get("interpolation", "LINEAR")]
            same("channel", found[:3], (number[target["node"]], PATHS[target["path"]], kind))
            close("times", stored.numbers[found[4] : found[4] + found[5]], floats(document, sampler["input"]).ravel())
            values = floats(document, sampler["output"]).ravel()
            close("values", stored.numbers[found[6] : found[6] + found[7]], values)
            count += 1
    return count


def has_image(source, info):
    """Whether a use of a texture leads to an image."""
    texture = source["textures"][info["index"]] if info else {}
    return "source" in texture or bool(texture.get("extensions"))


def compare_material(source, stored, index, material):
    factors = {row[1]: row[2:] for row in stored.factors if row[0] == index}
    mode = ["OPAQUE", "MASK", "BLEND"].index(material.get("alphaMode", "OPAQUE"))
    same("alpha mode", factors.get(0, (0,))[0], mode)
    same("double sided", bool(factors.get(2, (0,))[0]), material.get("doubleSided", False))
    same("unlit", 3 in factors, "KHR_materials_unlit" in material.get("extensions", {}))
    for name, key, factor, default in FACTORS:
        expected = of(material, name).get(key, default)
        width = len(default) if isinstance(default, list) else 1
        found = factors[factor][:width] if factor in factors else default
        close(f"{name} {key}", np.ravel(found), np.ravel(expected))
    found = {row[1]: row for row in stored.textures if row[0] == index}
    used = [has_image(source, of(material, name).get(key)) for name, key in TEXTURES]
    same("slots", sorted(found), [i for i, is_used in enumerate(used) if is_used])
    for slot, row in found.items():
        info = of(material, TEXTURES[slot][0])[TEXTURES[slot][1]]
        transform = info.get("extensions", {}).get("KHR_texture_transform", {})
        same("texture coordinates", row[3], transform.get("texCoord", info.get("texCoord", 0)))
        texture = source["textures"][info["index"]]
        sampler = source["samplers"][texture["sampler"]] if "sampler" in texture else {}
        wraps = [WRAP[sampler.get(key, 10497)] for key in ("wrapS", "wrapT")]
        filters = [MINIFY.get(sampler.get(key), 0) for key in ("magFilter", "minFilter")]
        same("sampler", list(row[4:8]), filters + wraps)
        own = info.get("scale", info.get("strength", 1))
        close("strength", row[8:9], [own])
        values = [*transform.get("offset", [0, 0]), *transform.get("scale", [1, 1]), transform.get("rotation", 0)]
        close("transform", row[9:14], values)

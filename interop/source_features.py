"""Lists what a model file has that a pack has no place for. A build must name each of these in its note about the file.

What a pack has a place for is compared by source_model.py, source_scene.py and source_obj.py. So each part of a file is either in the pack
or named. Names of objects that a game does not see and data of other programs (`extras`) count as neither.
"""

import re

import source_document
import source_scene

# The extensions that docs/models.md calls supported.
SUPPORTED = {
    "KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual", "KHR_texture_basisu", "MSFT_texture_dds",
    "EXT_texture_webp", "EXT_meshopt_compression",
    *(f"KHR_materials_{name}" for name in (
        "specular", "clearcoat", "sheen", "transmission", "volume", "iridescence", "anisotropy", "diffuse_transmission",
        "pbrSpecularGlossiness", "unlit", "emissive_strength", "ior", "dispersion",
    )),
}  # fmt: skip
ANYWHERE = {"extensions", "extras"}
# The members of each object of glTF 2.0, by the place of the object: numbers of lists are left out.
MEMBERS = {
    (): "accessors animations asset bufferViews buffers cameras extensionsRequired extensionsUsed images materials meshes "
        "nodes samplers scene scenes skins textures",
    ("asset",): "version minVersion generator copyright",
    ("accessors",): "bufferView byteOffset componentType count type max min sparse normalized name",
    ("accessors", "sparse"): "count indices values",
    ("accessors", "sparse", "indices"): "bufferView byteOffset componentType",
    ("accessors", "sparse", "values"): "bufferView byteOffset",
    ("animations",): "channels samplers name",
    ("animations", "channels"): "sampler target",
    ("animations", "channels", "target"): "node path",
    ("animations", "samplers"): "input output interpolation",
    ("bufferViews",): "buffer byteOffset byteLength byteStride target name",
    ("buffers",): "uri byteLength name",
    ("cameras",): "orthographic perspective type name",
    ("cameras", "orthographic"): "xmag ymag zfar znear",
    ("cameras", "perspective"): "aspectRatio yfov zfar znear",
    ("images",): "uri mimeType bufferView name",
    ("materials",): "pbrMetallicRoughness normalTexture occlusionTexture emissiveTexture emissiveFactor alphaMode alphaCutoff "
        "doubleSided name",
    ("materials", "pbrMetallicRoughness"): "baseColorFactor baseColorTexture metallicFactor roughnessFactor "
        "metallicRoughnessTexture",
    ("materials", "pbrMetallicRoughness", "baseColorTexture"): "index texCoord",
    ("materials", "pbrMetallicRoughness", "metallicRoughnessTexture"): "index texCoord",
    ("materials", "normalTexture"): "index texCoord scale",
    ("materials", "occlusionTexture"): "index texCoord strength",
    ("materials", "emissiveTexture"): "index texCoord",
    ("meshes",): "primitives weights name",
    ("meshes", "primitives"): "attributes indices material mode targets",
    ("nodes",): "camera children skin matrix mesh rotation scale translation weights name",
    ("samplers",): "magFilter minFilter wrapS wrapT name",
    ("scenes",): "nodes name",
    ("skins",): "inverseBindMatrices skeleton joints name",
    ("textures",): "sampler source name",
}  # fmt: skip
OBJ_WORDS = {"v", "vt", "vn", "f", "fo", "l", "p", "o", "g", "s", "usemtl", "mtllib"}
MTL_NUMBERS = {"Ka", "Kd", "Ks", "Ke", "Ns", "Ni", "d", "Tr", "Pr", "Pm", "Ps", "Pc", "Pcr", "aniso", "anisor", "illum"}
MTL_MAPS = {"map_kd", "map_ks", "map_ke", "map_d", "map_bump", "bump", "norm", "map_kn", "map_pr", "map_pm"}

# Options of textures that are not read.
MTL_OPTIONS = {"-mm", "-boost", "-texres", "-blendu", "-blendv", "-cc", "-colorspace", "-imfchan", "-type", "-t"}


def of_gltf(document):
    """The phrases that the note about a glTF must contain."""
    source, phrases = document.json, set()
    phrases |= (extensions(source) | set(source.get("extensionsUsed", []))) - SUPPORTED
    phrases |= {f"`{name}`" for name in unknown_members(source, ())}
    shapeless = 0
    for mesh in source.get("meshes", []):
        for primitive in mesh["primitives"]:
            if not source_document.has_vertices(source, primitive):
                shapeless += 1
                continue
            further = set(primitive["attributes"]) - set(source_document.SEMANTICS)
            phrases |= {f"attribute {name[:60]}" for name in further}
            morphed = {name for target in primitive.get("targets", []) for name in target}
            phrases |= {f"attribute {name[:60]} of morph targets" for name in morphed - set(source_scene.ATTRIBUTES)}
    channels = [channel["target"] for animation in source.get("animations", []) for channel in animation["channels"]]
    floating = sum("node" not in target or target["path"] not in source_scene.PATHS for target in channels)
    blank = sum("source" not in texture and not texture.get("extensions") for texture in source.get("textures", []))
    images = set(range(len(source.get("images", [])))) - used_images(source)
    return phrases | counted(
        (shapeless, "primitive without vertices", "primitives without vertices"),
        (floating, "channel of an animation without a node", "channels of animations without a node"),
        (len(images), "image without texture", "images without texture"),
        (blank, "texture without image", "textures without image"),
    )


def extensions(value):
    """The names of all extensions of all objects."""
    if isinstance(value, list):
        return set().union(*map(extensions, value))
    if not isinstance(value, dict):
        return set()
    own = value.get("extensions", {})
    below = set().union(*(extensions(member) for key, member in value.items() if key != "extras"))
    return below | set(own if isinstance(own, dict) else [])


def unknown_members(value, place):
    """The members that glTF 2.0 does not have in an object at a place, and in the objects in it."""
    if isinstance(value, list):
        return set().union(*(unknown_members(item, place) for item in value))
    if not isinstance(value, dict) or place not in MEMBERS:
        return set()
    known = set(MEMBERS[place].split()) | ANYWHERE
    below = (unknown_members(member, (*place, key)) for key, member in value.items() if key in known - ANYWHERE)
    return {".".join((*place, key[:60])) for key in set(value) - known}.union(*below)


def used_images(source):
    """The images that a texture refers to, by itself or by an extension."""
    used = set()
    for texture in source.get("textures", []):
        for holder in (texture, *texture.get("extensions", {}).values()):
            if isinstance(holder, dict) and isinstance(holder.get("source"), int):
                used.add(holder["source"])
    return used


def of_obj(path):
    """The phrases that the note about an OBJ must contain: its statements that are not read, and its libraries'."""
    phrases, libraries, used, weights, depths = set(), [], set(), 0, 0
    for words in lines(path):
        if words[0] not in OBJ_WORDS:
            phrases.add(words[0])
        elif words[0] == "mtllib":
            libraries += library_paths(path, " ".join(words[1:]).replace("\\ ", " ").replace("\\", "/"))
        elif words[0] == "usemtl":
            used.add(" ".join(words[1:]))
        elif words[0] == "v" and len(words) in (5, 8):
            weights += float(words[4]) != 1
        elif words[0] == "vt" and len(words) == 4:
            depths += float(words[3]) != 0
    known = set()
    for library in libraries:
        materials = {}
        for words in lines(library):
            if words[0] == "newmtl":
                current = materials.setdefault(" ".join(words[1:]), {})
            elif words[0] in MTL_NUMBERS or words[0].lower() in MTL_MAPS:
                current[words[0]] = words[1:]
                if words[0] not in MTL_NUMBERS:
                    phrases |= {f"{words[0]} {word}" for word in words[1:] if word in MTL_OPTIONS}
            else:
                phrases.add(words[0])
        known |= set(materials)
        for material in materials.values():
            phrases |= of_material(material)
    return phrases | counted(
        (weights, "weight of a position", "weights of positions"),
        (depths, "third texture coordinate", "third texture coordinates"),
        (len(known - used), "material without faces", "materials without faces"),
    )


def library_paths(path, names):
    """The libraries of a statement: one whose name may have spaces, or several."""
    if (path.parent / names).exists():
        return [path.parent / names]
    return [path.parent / name for name in re.findall(r"\S.*?\.mtl(?=\s|$)|\S+", names, re.IGNORECASE)]


def of_material(material):
    """The statements of a material that say something that a model has no place for."""
    plain = {word: values for word, values in material.items() if word in MTL_NUMBERS and is_plain(values)}
    numbers = {word: [float(value) for value in values] for word, values in plain.items()}
    maps = {word.lower() for word in material if word not in MTL_NUMBERS}
    found = {word for word in ("Ps", "aniso", "anisor") if numbers.get(word, [0]) != [0]}
    ambient = numbers.get("Ka", [0])
    if len(ambient) == 1:
        ambient *= 3
    if ambient not in ([0] * 3, [1] * 3, numbers.get("Kd")):
        found.add("Ka")
    if numbers.get("illum", [0])[0] > 2:
        found.add("illum")
    if maps & {"norm", "map_kn"} and maps & {"bump", "map_bump"}:
        found.add("map_Bump")
    return found


def is_plain(values):
    """Whether numbers are not of another space or of a halo."""
    return all(re.fullmatch(r"[-+0-9.eE]+", value) for value in values)


def counted(*sorts):
    """A phrase for each sort that exists: (number, name of one, name of many)."""
    return {f"{number:,} {one if number == 1 else many}" for number, one, many in sorts if number}


def lines(path):
    """The words of each line up to a comment."""
    text = path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    for line in re.sub(r"\\(\r\n|\n|\r)", " ", text).splitlines():
        if words := re.split(r"(?:^|\s)#", line)[0].split():
            yield words


def missing(phrases, detail):
    """The phrases that the note about a file does not have, sorted."""
    return sorted(phrase for phrase in phrases if not re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", detail))

"""Builds two models: a crystal as glTF with separate .bin and picture, and a lighthouse as GLB with both inside."""

import io
import json
import struct

import numpy as np
from PIL import Image

from paint import grid, noise, ramp, smooth, to8


class Mesh:
    """Triangles with flat or given normals; vertices are not shared, so that facets stay sharp."""

    def __init__(self):
        self.positions, self.normals, self.uvs, self.indices = [], [], [], []

    def face(self, corners, uvs, normals=None):
        """A convex polygon, counter-clockwise from outside."""
        first = len(self.positions)
        corners = [np.array(c, float) for c in corners]
        flat = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        flat = flat / max(np.linalg.norm(flat), 1e-9)
        self.positions += corners
        self.normals += normals or [flat] * len(corners)
        self.uvs += uvs
        for i in range(1, len(corners) - 1):
            self.indices += [first, first + i, first + i + 1]

    def shard(self, centre, tilt, radius, up, down, sides=6, turn=0.0):
        """A crystal: a prism of `sides` with a long point at each end."""
        centre, axis = np.array(centre, float), np.array(tilt, float)
        axis /= np.linalg.norm(axis)
        side = np.cross(axis, [0, 0, 1.0]) if abs(axis[2]) < 0.9 else np.cross(axis, [1.0, 0, 0])
        side /= np.linalg.norm(side)
        other = np.cross(side, axis)

        def ring(height, r, i):
            a = 2 * np.pi * i / sides + turn
            return centre + axis * height + (side * np.cos(a) + other * np.sin(a)) * r

        for i in range(sides):
            u, v = i / sides, (i + 1) / sides
            low0, low1 = ring(-down * 0.45, radius * 0.82, i), ring(-down * 0.45, radius * 0.82, i + 1)
            top0, top1 = ring(up * 0.42, radius, i), ring(up * 0.42, radius, i + 1)
            head, foot = centre + axis * up, centre - axis * down
            for corners, uvs in (([low0, top0, top1, low1], [(u, 0.7), (u, 0.35), (v, 0.35), (v, 0.7)]),
                                 ([top0, head, top1], [(u, 0.35), ((u + v) / 2, 0), (v, 0.35)]),
                                 ([low1, foot, low0], [(v, 0.7), ((u + v) / 2, 1), (u, 0.7)])):
                middle = np.mean(corners, axis=0) - centre
                outward = np.dot(np.cross(corners[1] - corners[0], corners[2] - corners[0]), middle - axis * np.dot(middle, axis)) > 0
                self.face(corners if outward else corners[::-1], uvs if outward else uvs[::-1])

    def lathe(self, profile, uv, sides=20, wobble=0.0, seed=0):
        """Turns (radius, height) points around the y axis; `uv` is (u0, v0, u1, v1) of the picture."""
        rng = np.random.default_rng(seed)
        jitter = 1 + rng.uniform(-wobble, wobble, (len(profile), sides))
        for row, ((r0, y0), (r1, y1)) in enumerate(zip(profile, profile[1:])):
            for i in range(sides):
                corners, uvs = [], []
                for r, y, line, k in ((r0, y0, row, i), (r1, y1, row + 1, i), (r1, y1, row + 1, i + 1), (r0, y0, row, i + 1)):
                    a = 2 * np.pi * k / sides
                    corners.append(np.array([r * np.cos(a), y, r * np.sin(a)]) * [jitter[line, k % sides], 1, jitter[line, k % sides]])
                    uvs.append((uv[0] + (uv[2] - uv[0]) * k / sides, uv[1] + (uv[3] - uv[1]) * (y - profile[0][1]) / ((profile[-1][1] - profile[0][1]) or 1)))
                tilt = np.array([y1 - y0, r0 - r1]) / max(np.hypot(y1 - y0, r0 - r1), 1e-9)
                round_ = [np.array([tilt[0] * np.cos(2 * np.pi * k / sides), tilt[1], tilt[0] * np.sin(2 * np.pi * k / sides)]) for k in (i, i, i + 1, i + 1)]
                keep = [0, 1, 2, 3] if r0 > 1e-6 and r1 > 1e-6 else ([0, 1, 3] if r1 <= 1e-6 else [0, 1, 2])
                self.face([corners[k] for k in keep], [uvs[k] for k in keep], None if wobble else [round_[k] for k in keep])


def document(meshes, nodes, materials, images, buffer_uri):
    """A glTF document and its buffer. `meshes`: [(name, Mesh, material)]."""
    blob, views, accessors, out_meshes = bytearray(), [], [], []

    def put(array, kind, component, target, extent=False):
        while len(blob) % 4:
            blob.append(0)
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': array.nbytes, 'target': target})
        blob.extend(array.tobytes())
        accessor = {'bufferView': len(views) - 1, 'componentType': component, 'count': len(array), 'type': kind}
        if extent:
            accessor |= {'min': array.min(axis=0).tolist(), 'max': array.max(axis=0).tolist()}
        accessors.append(accessor)
        return len(accessors) - 1

    for name, mesh, material in meshes:
        attributes = {'POSITION': put(np.array(mesh.positions, '<f4'), 'VEC3', 5126, 34962, True),
                      'NORMAL': put(np.array(mesh.normals, '<f4'), 'VEC3', 5126, 34962),
                      'TEXCOORD_0': put(np.array(mesh.uvs, '<f4'), 'VEC2', 5126, 34962)}
        indices = put(np.array(mesh.indices, '<u2'), 'SCALAR', 5123, 34963)
        out_meshes.append({'name': name, 'primitives': [{'attributes': attributes, 'indices': indices, 'material': material}]})
    gltf_images = []
    for image in images:
        if isinstance(image, str):
            gltf_images.append({'uri': image})
            continue
        while len(blob) % 4:
            blob.append(0)
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(image)})
        blob.extend(image)
        gltf_images.append({'bufferView': len(views) - 1, 'mimeType': 'image/png'})
    buffer = {'byteLength': len(blob)} | ({'uri': buffer_uri} if buffer_uri else {})
    return {
        'asset': {'version': '2.0', 'generator': 'example-game/art'}, 'scene': 0,
        'scenes': [{'nodes': [i for i in range(len(nodes)) if not any(i in n.get('children', []) for n in nodes)]}],
        'nodes': nodes, 'meshes': out_meshes, 'materials': materials, 'images': gltf_images,
        'samplers': [{'magFilter': 9729, 'minFilter': 9987, 'wrapS': 10497, 'wrapT': 33071}],
        'textures': [{'source': i, 'sampler': 0} for i in range(len(images))],
        'accessors': accessors, 'bufferViews': views, 'buffers': [buffer],
    }, bytes(blob)


def crystal(out):
    mesh = Mesh()
    mesh.shard((0, 0, 0), (0, 1, 0), 0.42, 1.0, 0.9)
    mesh.shard((0.30, -0.38, 0.16), (0.55, 1, 0.25), 0.20, 0.52, 0.34, turn=0.4)
    mesh.shard((-0.30, -0.42, -0.10), (-0.6, 1, -0.2), 0.17, 0.44, 0.30, turn=0.9)
    mesh.shard((0.02, -0.46, -0.32), (0.1, 1, -0.7), 0.15, 0.40, 0.26, turn=0.2)
    x, y = grid(128, 128)
    tone = np.clip(0.85 - 0.75 * y / 128 + (noise(128, 128, (6, 4), 300) - 0.5) * 0.5, 0, 1)
    Image.fromarray(to8(ramp(tone, [(0, '#2a58c8'), (0.4, '#3fb4f0'), (0.75, '#9cf4ff'), (1, '#ffffff')]))).save(out / 'crystal.png', optimize=True)
    material = {'name': 'ice light', 'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}, 'metallicFactor': 0.1, 'roughnessFactor': 0.15}}
    gltf, blob = document([('crystal', mesh, 0)], [{'name': 'crystal', 'mesh': 0}], [material], ['crystal.png'], 'crystal.bin')
    (out / 'crystal.gltf').write_text(json.dumps(gltf, indent=1) + '\n')
    (out / 'crystal.bin').write_bytes(blob)


def lighthouse(out):
    # One picture for all parts: four bands, stone below, then tower, iron, lamp.
    x, y = grid(256, 256)
    picture = np.zeros((256, 256, 3))
    grain = noise(256, 256, (12, 12), 310, 5)[..., None] - 0.5
    stripes = (np.floor(y / 64 * 6 + x / 256 * 2) % 2)[..., None]
    picture[:] = np.where(y[..., None] < 64, ramp(stripes[..., 0], [(0, '#c8454a'), (1, '#fff0dc')]), picture)
    picture[:] = np.where((y[..., None] >= 64) & (y[..., None] < 128), ramp(np.clip(0.5 + grain[..., 0], 0, 1), [(0, '#2b2450'), (1, '#7d6390')]), picture)
    picture[:] = np.where((y[..., None] >= 128) & (y[..., None] < 192), ramp(np.clip(0.5 + grain[..., 0] * 0.5, 0, 1), [(0, '#2a2238'), (1, '#54405c')]), picture)
    picture[:] = np.where(y[..., None] >= 192, ramp(smooth(192, 256, y), [(0, '#fffbe0'), (1, '#ffc860')]), picture)
    picture = np.clip(picture + grain * 0.08, 0, 1)
    for wy in (14, 40):
        for wx in (40, 168):
            picture[wy:wy + 9, wx:wx + 10] = (1.0, 0.85, 0.5)
    inside = io.BytesIO()
    Image.fromarray(to8(picture)).save(inside, 'PNG', optimize=True)
    # The band's v range is kept a little away from its neighbours.
    band = lambda i: (0, (i * 64 + 60) / 256, 1, (i * 64 + 4) / 256)
    tower, gallery, lamp, roof, ground = Mesh(), Mesh(), Mesh(), Mesh(), Mesh()
    tower.lathe([(0.46, 0.0), (0.42, 0.25), (0.36, 0.9), (0.30, 1.7), (0.29, 1.9)], band(0), 24)
    gallery.lathe([(0.29, 1.88), (0.42, 1.94), (0.42, 2.02), (0.24, 2.04)], band(2), 24)
    lamp.lathe([(0.20, 2.04), (0.21, 2.10), (0.21, 2.36), (0.20, 2.42)], band(3), 16)
    roof.lathe([(0.30, 2.40), (0.26, 2.48), (0.12, 2.66), (0.035, 2.74), (0.03, 2.86), (0.0, 2.9)], band(2), 24)
    ground.lathe([(0.0, -1.5), (0.28, -1.15), (0.62, -0.7), (0.95, -0.26), (1.06, -0.06), (0.98, 0.03), (0.0, 0.08)], band(1), 13, 0.12, 320)
    material = {'name': 'lighthouse', 'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}, 'metallicFactor': 0.0, 'roughnessFactor': 0.9}}
    shine = {'name': 'lamp', 'emissiveFactor': [1.0, 0.8, 0.4], 'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}, 'metallicFactor': 0.0}}
    nodes = [{'name': 'lighthouse', 'children': [1, 2, 3, 4, 5]}, {'name': 'ground', 'mesh': 0}, {'name': 'tower', 'mesh': 1},
             {'name': 'gallery', 'mesh': 2}, {'name': 'lamp', 'mesh': 3}, {'name': 'roof', 'mesh': 4}]
    meshes = [('ground', ground, 0), ('tower', tower, 0), ('gallery', gallery, 0), ('lamp', lamp, 1), ('roof', roof, 0)]
    gltf, blob = document(meshes, nodes, [material, shine], [inside.getvalue()], None)
    head = json.dumps(gltf, separators=(',', ':')).encode()
    head += b' ' * (-len(head) % 4)
    blob += b'\0' * (-len(blob) % 4)
    chunks = struct.pack('<I4s', len(head), b'JSON') + head + struct.pack('<I4s', len(blob), b'BIN\0') + blob
    (out / 'lighthouse.glb').write_bytes(struct.pack('<4sII', b'glTF', 2, 12 + len(chunks)) + chunks)


def make(out):
    crystal(out)
    lighthouse(out)

//! The files of the tests.

use rres_test_data::model::glb;

/// A whale of the example game: nine nodes, a skin of eight joints, an animation, a texture.
pub const WHALE: &[u8] = include_bytes!("../../../../../assets/models/whale.glb");
/// A lighthouse of the example game: five meshes below a node, two materials.
pub const LIGHTHOUSE: &[u8] = include_bytes!("../../../../../assets/models/lighthouse.glb");
/// A crystal of the example game, whose texture is a file of its own.
pub const CRYSTAL: [(&str, &[u8]); 3] = [
    ("crystal.gltf", include_bytes!("../../../../../assets/models/crystal.gltf")),
    ("crystal.bin", include_bytes!("../../../../../assets/models/crystal.bin")),
    ("crystal.png", include_bytes!("../../../../../assets/models/crystal.png")),
];

/// A buffer, and the views and accessors of it.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl Buffer {
    /// Adds numbers, and returns the number of their accessor.
    fn add(&mut self, sort: &str, width: usize, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, self.bytes.len(), bytes.len()));
        self.bytes.extend(bytes);
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            let axis = |i| numbers.chunks_exact(width).map(|element| element[i]).reduce(pick).unwrap();
            (0..width).map(axis).collect()
        };
        let (low, high, count) = (bound(f32::min), bound(f32::max), numbers.len() / width);
        let view = self.views.len() - 1;
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":5126,"type":"{sort}","count":{count},"min":{low:?},"max":{high:?}}}"#
        ));
        self.accessors.len() - 1
    }

    fn glb(self, rest: &str) -> Vec<u8> {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}}}],"bufferViews":[{}],"accessors":[{}],{rest}}}"#,
            self.bytes.len(),
            self.views.join(","),
            self.accessors.join(",")
        );
        glb(json, &self.bytes)
    }
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const UP: [f32; 9] = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0];

/// A face with two morph targets, which an animation of one second moves from one to the other, along a spline for its place.
pub fn face() -> Vec<u8> {
    let mut buffer = Buffer::default();
    let positions = buffer.add("VEC3", 3, &TRIANGLE);
    let normals = buffer.add("VEC3", 3, &UP);
    let smile = buffer.add("VEC3", 3, &[0.0, 0.5, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0]);
    let frown = buffer.add("VEC3", 3, &[0.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.125]);
    let times = buffer.add("SCALAR", 1, &[0.0, 1.0]);
    let weights = buffer.add("SCALAR", 1, &[1.0, 0.0, 0.0, 1.0]);
    let none = [0.0; 3];
    let place = [none, [0.0; 3], none, none, [4.0, 0.0, 0.0], none].concat();
    let place = buffer.add("VEC3", 3, &place);
    buffer.glb(&format!(
        r#""scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"name":"head","mesh":0}}],
        "meshes":[{{"name":"face","weights":[0.25,0.5],"extras":{{"targetNames":["smile","frown"]}},"primitives":[{{
          "attributes":{{"POSITION":{positions},"NORMAL":{normals}}},
          "targets":[{{"POSITION":{smile}}},{{"POSITION":{frown},"NORMAL":{smile}}}]}}]}}],
        "animations":[{{"name":"mood","samplers":[{{"input":{times},"output":{weights}}},
          {{"input":{times},"output":{place},"interpolation":"CUBICSPLINE"}}],
          "channels":[{{"sampler":0,"target":{{"node":0,"path":"weights"}}}},
          {{"sampler":1,"target":{{"node":0,"path":"translation"}}}}]}}]"#
    ))
}

/// What is rare: a node that mirrors, a material of every sort of alpha, a fan, a closed line, no normals, siblings with one name, a
/// camera, lights, two scenes.
pub fn oddities() -> Vec<u8> {
    let mut buffer = Buffer::default();
    let square = buffer.add("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    let times = buffer.add("SCALAR", 1, &[0.0, 1.0]);
    let left = buffer.add("VEC3", 3, &[0.0, 0.0, 0.0, -1.0, 0.0, 0.0]);
    buffer.glb(&format!(
        r#""extensionsUsed":["KHR_lights_punctual","KHR_materials_unlit","KHR_materials_emissive_strength"],
        "extensions":{{"KHR_lights_punctual":{{"lights":[
          {{"name":"sun","type":"directional","intensity":1000,"color":[1,0.5,0.25]}},
          {{"type":"spot","intensity":10,"spot":{{"innerConeAngle":0.25,"outerConeAngle":0.5}}}}]}}}},
        "cameras":[{{"name":"above","type":"perspective","perspective":{{"yfov":0.5,"znear":0.25,"zfar":100}}}},
          {{"type":"orthographic","orthographic":{{"xmag":4,"ymag":2,"znear":0.5,"zfar":10}}}}],
        "scene":1,"scenes":[{{"name":"first","nodes":[0]}},{{"nodes":[3]}}],
        "nodes":[{{"name":"tree","children":[1,2]}},{{"name":"leaf","mesh":0}},{{"name":"leaf","scale":[-1,1,1],"mesh":0}},
          {{"name":"room","children":[4,5,6,7]}},{{"camera":0,"translation":[0,3,0]}},{{"camera":1}},
          {{"extensions":{{"KHR_lights_punctual":{{"light":0}}}}}},{{"extensions":{{"KHR_lights_punctual":{{"light":1}}}}}}],
        "materials":[{{"name":"cut","alphaMode":"MASK","alphaCutoff":0.75,"doubleSided":true,
            "pbrMetallicRoughness":{{"baseColorFactor":[0.25,0.5,0.75,0.5],"metallicFactor":0.125,"roughnessFactor":0.625}},
            "emissiveFactor":[0.5,0.25,0],"extensions":{{"KHR_materials_emissive_strength":{{"emissiveStrength":4}}}}}},
          {{"name":"glass","alphaMode":"BLEND","extensions":{{"KHR_materials_unlit":{{}}}}}}],
        "meshes":[{{"name":"shape","primitives":[{{"attributes":{{"POSITION":{square}}},"mode":6,"material":0}},
          {{"attributes":{{"POSITION":{square}}},"mode":2,"material":1}},{{"attributes":{{"POSITION":{square}}},"mode":0}}]}}],
        "animations":[{{"name":"sway","samplers":[{{"input":{times},"output":{left}}}],
          "channels":[{{"sampler":0,"target":{{"node":1,"path":"translation"}}}}]}}]"#
    ))
}

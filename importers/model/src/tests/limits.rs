//! What other formats limit and packs do not: lengths of names, numbers of keys and of textures.

use rres_format::chunk::scene::{Factor, TextureSlot};
use rres_import::Dependency;

use super::*;

#[test]
fn names_are_longer_than_255_bytes() {
    let name = |what: &str| format!("{what} {}", "ü".repeat(200));
    let [node, skin, animation, joint] = ["node", "skin", "animation", "joint"].map(name);
    let mut builder = triangle();
    let times = builder.data("SCALAR", F32, 1, &floats(&[0.0]));
    let moves = builder.data("VEC3", F32, 1, &floats(&[1.0, 2.0, 3.0]));
    let json = builder.json("").replace(
        r#""nodes":[{"mesh":0}]"#,
        &format!(
            r#""nodes":[{{"mesh":0,"name":"{node}","skin":0,"children":[1]}},{{"name":"{joint}"}}],"skins":[{{"name":"{skin}","joints":[1]}}],
            "animations":[{{"name":"{animation}","samplers":[{{"input":{times},"output":{moves}}}],
            "channels":[{{"sampler":0,"target":{{"node":1,"path":"translation"}}}}]}}]"#
        ),
    );
    let parts = import(&glb(json.as_bytes(), &builder.binary)).unwrap();
    let names: Vec<_> = structure(&parts[0]).nodes().map(|node| (node.name, node.parent)).collect();
    assert_eq!(names, [(&*node, None), (&*joint, Some(0))]);
    let view = scene(&parts[0]);
    assert_eq!(view.name(view.skins().next().unwrap().name), skin);
    assert_eq!(view.name(view.animations().next().unwrap().name), animation);
}

#[test]
fn tracks_have_more_than_65_535_keys() {
    let count = 70_000;
    let mut builder = triangle();
    let times: Vec<f32> = (0..count).map(|key| key as f32 / 30.0).collect();
    let values: Vec<f32> = (0..count * 3).map(|number| number as f32 * 0.5).collect();
    let (input, output) =
        (builder.data("SCALAR", F32, count, &floats(&times)), builder.data("VEC3", F32, count, &floats(&values)));
    let animation = format!(
        r#","animations":[{{"samplers":[{{"input":{input},"output":{output}}}],"channels":[{{"sampler":0,"target":{{"node":0,"path":"scale"}}}}]}}]"#
    );
    let parts = import(&builder.rest(&animation).glb()).unwrap();
    let view = scene(&parts[0]);
    let channel = view.channels().next().unwrap();
    assert!(view.numbers_of(channel.times).eq(times));
    assert!(view.numbers_of(channel.values).eq(values));
}

#[test]
fn materials_have_more_than_127_textures_and_none() {
    let list = |item: &dyn Fn(usize) -> String| (0..300).map(item).collect::<Vec<_>>().join(",");
    let images = list(&|number| format!(r#"{{"uri":"{number}.png"}}"#));
    let textures = list(&|number| format!(r#"{{"source":{number}}}"#));
    // Five textures for each of 60 materials, and one material without any.
    let materials: Vec<String> = (0..60)
        .map(|material| {
            let map = |slot: usize| format!(r#"{{"index":{}}}"#, material * 5 + slot);
            let factor = material as f32 / 64.0;
            format!(
                r#"{{"pbrMetallicRoughness":{{"baseColorFactor":[{factor},0.5,0.25,1],"metallicFactor":{factor},"roughnessFactor":0.75,
                "baseColorTexture":{},"metallicRoughnessTexture":{}}},"normalTexture":{},"occlusionTexture":{},"emissiveTexture":{},
                "emissiveFactor":[{factor},1,0]}}"#,
                map(0),
                map(1),
                map(2),
                map(3),
                map(4)
            )
        })
        .collect();
    let rest = format!(r#","images":[{images}],"textures":[{textures}],"materials":[{},{{}}]"#, materials.join(","));
    let parts = import(&triangle().rest(&rest).glb()).unwrap();
    // Of each material the maps 1 to 3 hold roughness, normals and occlusion.
    let dependencies = (0..300).map(|number| match number % 5 {
        1..4 => Dependency::Quantities(format!("{number}.png")),
        _ => Dependency::Asset(format!("{number}.png")),
    });
    assert_eq!(parts[0].dependencies, dependencies.collect::<Vec<_>>());
    let view = scene(&parts[0]);
    use TextureSlot as T;
    let slots = [T::BASE_COLOR, T::METALLIC_ROUGHNESS, T::NORMAL, T::OCCLUSION, T::EMISSIVE];
    let expected =
        (0..60).flat_map(|material| (0..).zip(slots).map(move |(map, slot)| (material, slot, material * 5 + map)));
    assert!(view.textures().map(|texture| (texture.material, texture.slot, texture.image)).eq(expected));
    let materials: Vec<_> = structure(&parts[0]).materials().collect();
    assert_eq!(materials[59].base_color, [59.0 / 64.0, 0.5, 0.25, 1.0]);
    assert_eq!((materials[59].base_color_image, materials[60].base_color_image), (Some(295), None));
    let factors: Vec<_> = view.factors().filter(|factor| factor.material >= 59).collect();
    let found: Vec<_> = factors.iter().map(|factor| (factor.material, factor.factor, factor.value)).collect();
    assert_eq!(
        found,
        [
            (59, Factor::METALLIC, [59.0 / 64.0, 0.0, 0.0, 0.0]),
            (59, Factor::ROUGHNESS, [0.75, 0.0, 0.0, 0.0]),
            (59, Factor::EMISSIVE, [59.0 / 64.0, 1.0, 0.0, 0.0])
        ]
    );
}

//! Any value: written, read, and equal.

use proptest::collection::vec;
use proptest::prelude::*;
use rres_import_nbr::{
    Animation, Audio, Cubemap, FLOATS_PER_VERTEX, Font, Glyph, Joint, Key, Material, Mesh, Model, Pixels, Resource,
    Samples, Shader, Skeleton, Texture, Track, read,
};

use crate::sample;

fn float() -> impl Strategy<Value = f32> {
    // Every value that is equal to itself.
    any::<f32>().prop_filter("NaN is not equal to itself", |value| !value.is_nan())
}

fn floats<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    vec(float(), N).prop_map(|values| values.try_into().unwrap())
}

fn pixels(count: usize, is_float: bool) -> BoxedStrategy<Pixels<'static>> {
    match is_float {
        true => vec(float(), count * 4).prop_map(Pixels::Rgba32F).boxed(),
        false => vec(any::<u8>(), count * 4).prop_map(|bytes| Pixels::Rgba8(bytes.into())).boxed(),
    }
}

fn texture() -> impl Strategy<Value = Texture<'static>> {
    (1..6u32, 1..6u32, any::<bool>()).prop_flat_map(|(width, height, is_float)| {
        pixels((width * height) as usize, is_float).prop_map(move |pixels| Texture { width, height, pixels })
    })
}

fn cubemap() -> impl Strategy<Value = Cubemap<'static>> {
    (1..4u32, 1..4u32, any::<bool>()).prop_flat_map(|(width, height, is_float)| {
        vec(pixels((width * height) as usize, is_float), 6).prop_map(move |faces| Cubemap {
            width,
            height,
            faces: faces.try_into().unwrap(),
        })
    })
}

fn shader() -> impl Strategy<Value = Shader<'static>> {
    let graphics = (vec(any::<u8>(), 0..40), vec(any::<u8>(), 0..40))
        .prop_map(|(vertex, pixel)| Shader::Graphics { vertex: vertex.into(), pixel: pixel.into() });
    prop_oneof![graphics, vec(any::<u8>(), 1..40).prop_map(|source| Shader::Compute(source.into()))]
}

fn mesh(materials: u8) -> impl Strategy<Value = Mesh> {
    let material = if materials == 0 { Just(None).boxed() } else { (0..materials).prop_map(Some).boxed() };
    (1..4usize, any::<bool>(), material).prop_flat_map(|(count, has_joints, material)| {
        (vec(float(), count * FLOATS_PER_VERTEX), vec(0..count as u32, 0..9))
            .prop_map(move |(vertices, indices)| Mesh { has_joints, vertices, indices, material })
    })
}

fn material(textures: usize) -> impl Strategy<Value = Material> {
    let texture = move || proptest::option::of(0..textures.max(1) as u8).prop_map(move |n| n.filter(|_| textures > 0));
    let textures = (texture(), texture(), texture(), texture(), texture());
    (floats::<3>(), floats::<3>(), textures).prop_map(|(color, [metallic, roughness, emissive], textures)| Material {
        color,
        metallic,
        roughness,
        emissive,
        albedo_texture: textures.0,
        metallic_texture: textures.1,
        roughness_texture: textures.2,
        normal_texture: textures.3,
        emissive_texture: textures.4,
    })
}

fn model() -> impl Strategy<Value = Model<'static>> {
    (0..3u8, vec(texture(), 0..3)).prop_flat_map(|(count, textures)| {
        (vec(mesh(count), 0..3), vec(material(textures.len()), usize::from(count)))
            .prop_map(move |(meshes, materials)| Model { meshes, materials, textures: textures.clone() })
    })
}

fn skeleton() -> impl Strategy<Value = Skeleton> {
    let joint = (".{0,12}", floats::<3>(), floats::<4>(), floats::<3>(), floats::<12>());
    // Each joint but the first is a child of one before it.
    vec((joint, any::<prop::sample::Index>()), 1..8).prop_map(|all| {
        let mut joints: Vec<Joint> = Vec::new();
        for (number, ((name, position, rotation, scale, inverse_bind), parent)) in all.into_iter().enumerate() {
            if number > 0 {
                joints[parent.index(number)].children.push(number as u16);
            }
            joints.push(Joint { name, children: Vec::new(), position, rotation, scale, inverse_bind });
        }
        Skeleton { joints, root: 0 }
    })
}

fn keys<const N: usize>() -> impl Strategy<Value = Vec<Key<N>>> {
    vec((float(), floats::<N>()).prop_map(|(time, value)| Key { time, value }), 1..5)
}

fn animation() -> impl Strategy<Value = Animation> {
    let track = (keys::<3>(), keys::<4>(), keys::<3>()).prop_map(|(positions, rotations, scales)| Track {
        positions,
        rotations,
        scales,
    });
    (".{0,20}", vec(track, 0..4), float()).prop_map(|(name, tracks, duration)| Animation { name, tracks, duration })
}

fn glyph() -> impl Strategy<Value = Glyph<'static>> {
    (0..128u32, 0..5u32, 0..5u32, floats::<8>()).prop_flat_map(|(codepoint, width, height, metrics)| {
        vec(any::<u8>(), (width * height) as usize).prop_map(move |pixels| Glyph {
            codepoint,
            width,
            height,
            left: metrics[0],
            right: metrics[1],
            top: metrics[2],
            bottom: metrics[3],
            offset_x: metrics[4],
            offset_y: metrics[5],
            advance_x: metrics[6],
            left_bearing: metrics[7],
            pixels: pixels.into(),
        })
    })
}

fn font() -> impl Strategy<Value = Font<'static>> {
    (vec(glyph(), 0..5), floats::<3>()).prop_map(|(glyphs, [ascent, descent, line_gap])| Font {
        glyphs,
        ascent,
        descent,
        line_gap,
    })
}

fn audio() -> impl Strategy<Value = Audio<'static>> {
    (1..=u32::MAX, 1..4u8, 0..6usize).prop_flat_map(|(sample_rate, channels, frames)| {
        let count = frames * usize::from(channels);
        let samples = prop_oneof![
            vec(any::<u8>(), count).prop_map(|samples| Samples::U8(samples.into())),
            vec(any::<i16>(), count).prop_map(Samples::I16),
            vec(float(), count).prop_map(Samples::F32),
        ];
        samples.prop_map(move |samples| Audio { sample_rate, channels, samples })
    })
}

fn resource() -> impl Strategy<Value = Resource<'static>> {
    prop_oneof![
        texture().prop_map(Resource::Texture),
        cubemap().prop_map(Resource::Cubemap),
        shader().prop_map(Resource::Shader),
        model().prop_map(Resource::Model),
        skeleton().prop_map(Resource::Skeleton),
        animation().prop_map(Resource::Animation),
        font().prop_map(Resource::Font),
        audio().prop_map(Resource::Audio),
    ]
}

proptest! {
    #![proptest_config(rres_test_support::cases(256))]

    #[test]
    fn what_is_written_is_read(resource in resource()) {
        let bytes = sample::bytes(&resource);
        let file = read(&bytes).unwrap();
        prop_assert_eq!(&file.resource, &resource);
        prop_assert!(file.resource.heap_size() <= 4 * bytes.len());
    }

    #[test]
    fn no_bytes_make_the_reader_panic(mut bytes in vec(any::<u8>(), 0..200), of in 0..8usize) {
        let header = [107, 0, 0, 8, 0, rres_import_nbr::ResourceType::ALL[of].number() as u8, 0];
        bytes.splice(0..0, header);
        if let Ok(file) = read(&bytes) {
            prop_assert!(file.resource.heap_size() <= 4 * bytes.len());
        }
    }
}

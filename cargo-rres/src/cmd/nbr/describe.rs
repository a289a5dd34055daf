//! What is in a resource: one line for lists, and facts for `info` and `--json`.

use rres_import_nbr::{Mesh, Model, Pixels, Resource, Samples};
use serde_json::{Value, json};

use crate::output::count;

fn format_of(pixels: &Pixels<'_>) -> &'static str {
    match pixels {
        Pixels::Rgba8(_) => "RGBA8",
        Pixels::Rgba32F(_) => "RGBA32F",
    }
}

fn sample_of(samples: &Samples<'_>) -> &'static str {
    match samples {
        Samples::U8(_) => "U8",
        Samples::I16(_) => "I16",
        Samples::F32(_) => "F32",
    }
}

/// Returns a resource in a few words.
pub(super) fn summary(resource: &Resource<'_>) -> String {
    match resource {
        Resource::Texture(texture) => {
            format!("{} × {} {}", texture.width, texture.height, format_of(&texture.pixels))
        }
        Resource::Cubemap(cubemap) => {
            format!("6 faces of {} × {} {}", cubemap.width, cubemap.height, format_of(&cubemap.faces[0]))
        }
        Resource::Shader(shader) => {
            let stage = |(stage, source): (&str, &[u8])| format!("{stage} {} B", source.len());
            shader.stages().into_iter().map(stage).collect::<Vec<_>>().join(", ")
        }
        Resource::Model(model) => [
            joined(model.meshes.len(), "mesh", "meshes"),
            count(triangles(model), "triangle"),
            count(model.materials.len(), "material"),
            count(model.textures.len(), "texture"),
        ]
        .join(", "),
        Resource::Skeleton(skeleton) => count(skeleton.joints.len(), "joint"),
        Resource::Animation(animation) => {
            format!("{}, {} s", count(animation.tracks.len(), "track"), animation.duration)
        }
        Resource::Font(font) => count(font.glyphs.len(), "glyph"),
        Resource::Audio(audio) => {
            let seconds = audio.frames() as f64 / f64::from(audio.sample_rate);
            let channels = count(audio.channels.into(), "channel");
            format!("{seconds:.2} s, {channels}, {} Hz, {}", audio.sample_rate, sample_of(&audio.samples))
        }
    }
}

fn joined(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn triangles(model: &Model<'_>) -> usize {
    model.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum()
}

/// Returns the facts about a resource: numbers, names, lists of parts. Pixels, vertices, keys and samples are only counted.
pub(super) fn facts(resource: &Resource<'_>) -> Value {
    match resource {
        Resource::Texture(texture) => {
            json!({ "width": texture.width, "height": texture.height, "format": format_of(&texture.pixels) })
        }
        Resource::Cubemap(cubemap) => json!({
            "width": cubemap.width,
            "height": cubemap.height,
            "format": format_of(&cubemap.faces[0]),
            "faces": rres_import_nbr::CUBEMAP_FACES,
        }),
        Resource::Shader(shader) => {
            let stage = |(stage, source): (&str, &[u8])| json!({ "stage": stage, "size": source.len() });
            json!({ "stages": shader.stages().into_iter().map(stage).collect::<Vec<_>>() })
        }
        Resource::Model(model) => model_facts(model),
        Resource::Skeleton(skeleton) => {
            let parents = skeleton.parents();
            let joints = skeleton.joints.iter().zip(parents);
            let joint = |(joint, parent): (&rres_import_nbr::Joint, Option<u16>)| json!({ "name": joint.name, "parent": parent });
            json!({ "root": skeleton.root, "joints": joints.map(joint).collect::<Vec<_>>() })
        }
        Resource::Animation(animation) => {
            let track = |track: &rres_import_nbr::Track| json!({ "positions": track.positions.len(), "rotations": track.rotations.len(), "scales": track.scales.len() });
            json!({
                "name": animation.name,
                "duration": animation.duration,
                "tracks": animation.tracks.iter().map(track).collect::<Vec<_>>(),
            })
        }
        Resource::Font(font) => {
            let mut characters: Vec<u32> = font.glyphs.iter().map(|glyph| glyph.codepoint).collect();
            characters.sort_unstable();
            json!({
                "ascent": font.ascent,
                "descent": font.descent,
                "line_gap": font.line_gap,
                "codepoints": characters,
            })
        }
        Resource::Audio(audio) => json!({
            "sample_rate": audio.sample_rate,
            "channels": audio.channels,
            "frames": audio.frames(),
            "format": sample_of(&audio.samples),
        }),
    }
}

fn model_facts(model: &Model<'_>) -> Value {
    let mesh = |mesh: &Mesh| {
        json!({
            "vertices": mesh.vertex_count(),
            "triangles": mesh.indices.len() / 3,
            "joints": mesh.has_joints,
            "material": mesh.material,
        })
    };
    let material = |material: &rres_import_nbr::Material| {
        json!({
            "color": material.color,
            "metallic": material.metallic,
            "roughness": material.roughness,
            "emissive": material.emissive,
            "albedo_texture": material.albedo_texture,
            "metallic_texture": material.metallic_texture,
            "roughness_texture": material.roughness_texture,
            "normal_texture": material.normal_texture,
            "emissive_texture": material.emissive_texture,
        })
    };
    let texture = |texture: &rres_import_nbr::Texture<'_>| json!({ "width": texture.width, "height": texture.height, "format": format_of(&texture.pixels) });
    json!({
        "meshes": model.meshes.iter().map(mesh).collect::<Vec<_>>(),
        "materials": model.materials.iter().map(material).collect::<Vec<_>>(),
        "textures": model.textures.iter().map(texture).collect::<Vec<_>>(),
    })
}

//! NBR files, the resources of the Nikola engine → images, sounds and texts.
//!
//! A cubemap is the image of its first face, with the others as sub-assets; a shader of two stages the text of the vertex shader, with the
//! pixel shader as a sub-asset. Models, skeletons, animations and fonts are refused: `cargo rres nbr extract` makes files of
//! common formats of them.

use std::borrow::Cow;

use rres_format::AssetKind;
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::text::{CodeLanguage, TextProps};
use rres_import_nbr::{Audio, CUBEMAP_FACES, Pixels, Resource, Samples, Shader, Texture, read};

use super::{Asset, Block, ImportError, Importer, Source};
use crate::settings::AssetType;

pub(super) struct NbrImporter;

impl Importer for NbrImporter {
    fn name(&self) -> &str {
        "nbr"
    }

    fn types(&self) -> Vec<AssetType> {
        vec![AssetKind::Image.into(), AssetKind::Sound.into(), AssetKind::Text.into()]
    }

    fn version(&self) -> u32 {
        1
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        // Values, and the copies of pixels that images are edited in. Samples become floats.
        source.bytes.len() as u64 * 12
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let file = read(source.bytes)
            .map_err(|error| ImportError::damaged(format!("is not an NBR file that can be read: {error}")))?;
        let mut assets = match &file.resource {
            Resource::Texture(texture) => vec![image(source, texture)?],
            Resource::Cubemap(cubemap) => {
                let mut faces = Vec::with_capacity(CUBEMAP_FACES.len());
                for (number, name) in CUBEMAP_FACES.iter().enumerate() {
                    let Some(texture) = cubemap.face(number) else { continue };
                    let face = image(source, &texture)?;
                    faces.push(if number == 0 { face } else { face.named(*name) });
                }
                faces
            }
            Resource::Shader(shader) => stages(shader)?,
            Resource::Audio(audio) => vec![sound(source, audio)?],
            Resource::Model(_) | Resource::Skeleton(_) | Resource::Animation(_) | Resource::Font(_) => {
                let of = file.header.resource_type;
                let help = format!(
                    "make other files of it with `cargo rres nbr extract {} -o DIR`, or store its bytes with kind = \"raw\"",
                    source.path
                );
                return Err(ImportError::new(format!("is a {of} of Nikola, which is not imported")).with_help(help));
            }
        };
        let warnings: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
        if let (Some(first), false) = (assets.first_mut(), warnings.is_empty()) {
            let note =
                crate::note::Note::new("what contradicts itself in NBR files is read by the rules of docs/nbr.md");
            first.notes.push(note.with_detail(warnings.join("; ")));
        }
        Ok(assets)
    }
}

fn image(source: &Source<'_>, texture: &Texture<'_>) -> Result<Asset, ImportError> {
    let (format, pixels): (PixelFormat, Cow<'_, [u8]>) = match &texture.pixels {
        Pixels::Rgba8(bytes) => (PixelFormat::RGBA8, Cow::Borrowed(bytes)),
        Pixels::Rgba32F(floats) => {
            (PixelFormat::RGBA32F, floats.iter().flat_map(|value| value.to_le_bytes()).collect())
        }
    };
    source.image(texture.width, texture.height, format, pixels)
}

fn sound(source: &Source<'_>, audio: &Audio<'_>) -> Result<Asset, ImportError> {
    let (rate, channels) = (audio.sample_rate, audio.channels.into());
    match &audio.samples {
        Samples::U8(samples) => {
            let samples: Vec<i16> = samples.iter().map(|sample| (i16::from(*sample) - 128) * 256).collect();
            super::sound::of_i16(rate, channels, &samples, source.path, source.settings)
        }
        Samples::I16(samples) => super::sound::of_i16(rate, channels, samples, source.path, source.settings),
        Samples::F32(samples) => source.sound(rate, channels, samples),
    }
}

/// Returns a text for each stage.
fn stages(shader: &Shader<'_>) -> Result<Vec<Asset>, ImportError> {
    let mut texts = Vec::new();
    for (number, (stage, bytes)) in shader.stages().into_iter().enumerate() {
        let not_text = |_| ImportError::new(format!("has a source of the stage {stage} that is not UTF-8"));
        let text = std::str::from_utf8(bytes).map_err(not_text)?;
        let props = TextProps { language: CodeLanguage::GLSL, ..TextProps::utf8(text.len() as u32) };
        let lines = text.lines().count();
        let summary = format!("{lines} {} GLSL, stage {stage}", if lines == 1 { "line" } else { "lines" });
        let block = Block::new(rres_format::FourCc::TEXT, props.block(bytes));
        let asset = Asset::new(AssetKind::Text, vec![block], summary);
        texts.push(if number == 0 { asset } else { asset.named(stage) });
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use rres_format::chunk::PayloadView;
    use rres_format::chunk::image::ImageView;
    use rres_format::chunk::text::TextView;
    use rres_import_nbr::{Cubemap, Font, write};

    use super::*;
    use crate::import::testing;
    use crate::settings::Settings;

    fn import(resource: &Resource<'_>) -> Result<Vec<Asset>, String> {
        let bytes = write::to_vec(resource).unwrap();
        testing::import(&NbrImporter, "a/b.nbr", &bytes, &Settings::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn textures_and_faces_are_images() {
        let face = |number: u8| Pixels::Rgba8(vec![number, 0, 0, 255].into());
        let cubemap = Cubemap { width: 1, height: 1, faces: [1, 2, 3, 4, 5, 6].map(face) };
        let images = import(&Resource::Cubemap(cubemap)).unwrap();
        let names: Vec<&str> = images.iter().map(|image| image.name.as_str()).collect();
        assert_eq!(names, ["", "nx", "py", "ny", "pz", "nz"]);
        for (image, red) in images.iter().zip(1..) {
            let payload = PayloadView::parse(&image.blocks[0].bytes).unwrap();
            assert_eq!(ImageView::parse(payload).unwrap().data()[..4], [red, 0, 0, 255]);
        }
        let texture = Texture { width: 1, height: 1, pixels: Pixels::Rgba32F(vec![2.0, 0.5, 0.25, 1.0]) };
        let images = import(&Resource::Texture(texture)).unwrap();
        assert_eq!((images[0].kind, images[0].notes.len()), (AssetKind::Image, 1));
    }

    #[test]
    fn stages_are_texts() {
        let shader = Shader::Graphics { vertex: b"#v\n"[..].into(), pixel: b"#p"[..].into() };
        let texts = import(&Resource::Shader(shader)).unwrap();
        for (text, (name, expected)) in texts.iter().zip([("", "#v\n"), ("frag", "#p")]) {
            let view = TextView::parse(PayloadView::parse(&text.blocks[0].bytes).unwrap()).unwrap();
            assert_eq!((text.name.as_str(), view.bytes()), (name, expected.as_bytes()));
        }
        let shader = Shader::Compute(b"\xff"[..].into());
        assert!(import(&Resource::Shader(shader)).unwrap_err().contains("stage comp that is not UTF-8"));
    }

    #[test]
    fn sounds_are_sounds() {
        let audio = Audio { sample_rate: 8000, channels: 2, samples: Samples::I16(vec![0, 16_384, -32_768, 1]) };
        let sounds = import(&Resource::Audio(audio)).unwrap();
        assert_eq!(sounds[0].kind, AssetKind::Sound);
        assert!(sounds[0].summary.contains("8"), "{}", sounds[0].summary);
    }

    #[test]
    fn what_is_not_imported_is_said() {
        let font = Font { glyphs: Vec::new(), ascent: 1.0, descent: 0.0, line_gap: 0.0 };
        assert_eq!(import(&Resource::Font(font)).unwrap_err(), "is a font of Nikola, which is not imported");
    }
}

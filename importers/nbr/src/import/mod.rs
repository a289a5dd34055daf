//! NBR files, the resources of the Nikola engine → images, sounds, texts, models and fonts.
//!
//! A cubemap is the image of its first face, with the others as sub-assets; a shader of two stages the text of the vertex shader, with the
//! pixel shader as a sub-asset. Skeletons and animations are models by themselves, and part of the model of their name (see [`creature`]).

mod checks;
mod creature;
mod fonts;
mod materials;
mod meshes;
mod scenes;
#[cfg(test)]
mod tests;

use rres_format::AssetKind;
use rres_format::chunk::text::{CodeLanguage, TextProps};
use rres_import::{Asset, Block, ImportError, Importer, Note, Source};
use rres_settings::Description;

use self::scenes::{NbrScene, convert};
use crate::{Audio, CUBEMAP_FACES, Resource, Samples, Shader, Texture, read};

/// The importer of NBR files.
#[derive(Clone, Copy, Debug)]
pub struct NbrImporter;

impl Importer for NbrImporter {
    fn describe(&self) -> Description {
        rres_settings::asset_kinds::describe("nbr", 6)
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        // Values, and the copies of pixels that images are edited in. Samples become floats.
        source.bytes.len() as u64 * 12
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let file = read(source.bytes)
            .map_err(|error| ImportError::damaged(format!("is not an NBR file that can be read: {error}")))?;
        let mut assets = assets(source, &file.resource)?;
        source.encoders.apply_model_settings(&mut assets, &source.settings.model)?;
        let warnings: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
        if let (Some(first), false) = (assets.first_mut(), warnings.is_empty()) {
            let note = Note::new("what contradicts itself in NBR files is read by the rules of docs/nbr.md");
            first.notes.push(note.with_detail(warnings.join("; ")));
        }
        Ok(assets)
    }
}

/// Returns the assets of a resource.
fn assets(source: &mut Source<'_>, resource: &Resource<'_>) -> Result<Vec<Asset>, ImportError> {
    Ok(match resource {
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
        Resource::Model(model) => creature::import(source, model)?,
        Resource::Skeleton(skeleton) => scene(source, &NbrScene { skeleton: Some(skeleton), ..NbrScene::default() })?,
        Resource::Animation(animation) => {
            scene(source, &NbrScene { animations: vec![animation], ..NbrScene::default() })?
        }
        Resource::Font(font) => vec![fonts::import(font)?],
    })
}

fn image(source: &Source<'_>, texture: &Texture<'_>) -> Result<Asset, ImportError> {
    let (format, pixels) = materials::bytes(&texture.pixels);
    source.image(texture.width, texture.height, format, pixels)
}

fn scene(source: &Source<'_>, scene: &NbrScene<'_>) -> Result<Vec<Asset>, ImportError> {
    let mut converted = convert(scene, source)?;
    if let (Some(model), false) = (converted.assets.first_mut(), converted.left_out.is_empty()) {
        let note = Note::new("parts of models that have no place in a pack are left out");
        model.notes.push(note.with_detail(converted.left_out.join(", ")));
    }
    Ok(converted.assets)
}

fn sound(source: &Source<'_>, audio: &Audio<'_>) -> Result<Asset, ImportError> {
    let (rate, channels) = (audio.sample_rate, audio.channels.into());
    match &audio.samples {
        Samples::U8(samples) => {
            let samples: Vec<i16> = samples.iter().map(|sample| (i16::from(*sample) - 128) * 256).collect();
            source.sound(rate, channels, &samples)
        }
        Samples::I16(samples) => source.sound(rate, channels, samples),
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

//! The bytes of the files that a resource becomes.

use rres_export::{Contents, ExportError, ImageForm, ModelExport, Texture, TextureSource};
use rres_format::chunk::scene::{SceneBlock, SceneView};
use rres_format::chunk::wave::WaveView;
use rres_format::{Decompressor, FourCc};
use rres_runtime::{Font, Image, Model, Pack};

use super::images::ImageFiles;
use super::models::{PlannedSource, PlannedTexture};
use super::plan::{Extraction, Form};
use crate::opened_pack::OpenedPack;
use crate::resource_list::Resource;

/// Returns the contents of the files for a resource, in the order of their names; empty if the file is copied. Adds to
/// `faults` which parts of it are damaged and left out.
pub(super) fn contents<'a>(
    extraction: &'a Extraction<'_>,
    decode_blocks: bool,
    faults: &mut Vec<String>,
) -> Result<Vec<Contents<'a>>, ExportError> {
    let Extraction { pack, resource, form, files, .. } = extraction;
    match form {
        Form::Source => {
            let missing = || ExportError::Damaged("the chunk with the source file is missing".to_owned());
            Ok(vec![Contents { bytes: resource.source_bytes()?.ok_or_else(missing)?, conversion: None }])
        }
        Form::Image(files) => image(&loaded(pack)?.load(resource.id)?, files),
        Form::Sprite => Ok(vec![rres_export::sprite(loaded(pack)?, resource.id)?]),
        Form::Wav => Ok(vec![wav(pack, resource)?]),
        Form::Font => font(&loaded(pack)?.load(resource.id)?, files),
        Form::Model { container, textures } => {
            let model: Model = loaded(pack)?.load(resource.id)?;
            let textures = textures.iter().filter_map(|planned| texture(planned, resource, faults)).collect();
            let is_bare_mesh = !resource.chunks.iter().any(|chunk| chunk.info.kind == FourCc::MODL);
            let scene = scene(resource)?;
            let export = ModelExport { model: &model, scene, is_bare_mesh, decode_blocks, textures };
            Ok(vec![rres_export::model(&export, *container)?])
        }
        Form::LinkTarget(_) => Ok(Vec::new()),
    }
}

fn loaded(pack: &OpenedPack) -> Result<&Pack, ExportError> {
    pack.runtime_pack().ok_or_else(|| ExportError::Damaged("the pack is damaged".to_owned()))
}

fn image(image: &Image, files: &ImageFiles) -> Result<Vec<Contents<'static>>, ExportError> {
    match files.form {
        ImageForm::Png if files.smaller_levels > 0 => {
            let level = |number| -> Result<Contents<'static>, ExportError> {
                let contents = rres_export::png_of_level(image, number)?;
                let of_level = if number == 0 { String::new() } else { format!(", mip level {number}") };
                Ok(Contents { conversion: contents.conversion.map(|conversion| conversion + &of_level), ..contents })
            };
            (0..=files.smaller_levels).map(level).collect()
        }
        form => Ok(vec![form.encode(image)?]),
    }
}

fn wav(pack: &OpenedPack, resource: &Resource<'_>) -> Result<Contents<'static>, ExportError> {
    let chunk = resource.chunks.iter().find(|chunk| chunk.info.kind == FourCc::WAVE);
    let chunk = chunk.ok_or_else(|| ExportError::Damaged("it has no samples".to_owned()))?;
    let block = resource.keyring.decode(chunk, &mut Decompressor::default())?;
    let view = WaveView::parse(block.view()?)?;
    // Packs of other programs have samples that the runtime does not load.
    if !matches!(view.props().sample_size, 8 | 16 | 32) {
        chunk.verify()?;
        return rres_export::wav_of_samples(view.props(), view.samples());
    }
    rres_export::wav(&loaded(pack)?.load(resource.id)?)
}

fn font(font: &Font, files: &[String]) -> Result<Vec<Contents<'static>>, ExportError> {
    let mut contents = Vec::new();
    let mut files = files;
    for strike in font.strikes() {
        // A picture, its description, and the pictures of other pages.
        let Some((names, rest)) = files.split_at_checked(strike.pages().len() + 1) else { break };
        files = rest;
        let pictures = names.iter().enumerate().filter(|(number, _)| *number != 1);
        let pages: Vec<&str> = pictures.map(|(_, name)| name.rsplit('/').next().unwrap_or_default()).collect();
        // `sans.ttf.24.png` is a picture of `sans`.
        let face = pages[0].split('.').next().unwrap_or_default();
        let (mut pictures, description) = rres_export::font(strike, face, &pages)?;
        pictures.insert(1, description);
        contents.append(&mut pictures);
    }
    Ok(contents)
}

/// Returns what the SCNE chunk of a model has.
fn scene(model: &Resource<'_>) -> Result<Option<SceneBlock>, ExportError> {
    let Some(chunk) = model.chunks.iter().find(|chunk| chunk.info.kind == FourCc::SCNE) else { return Ok(None) };
    let block = model.keyring.decode(chunk, &mut Decompressor::default())?;
    let mut scene = SceneView::parse(block.view()?)?.to_block();
    // Other programs read keys.
    scene.unpack_tracks()?;
    Ok(Some(scene))
}

/// Returns an image of a model, or reports that it is damaged: the model is of use without it.
fn texture(planned: &PlannedTexture<'_>, model: &Resource<'_>, faults: &mut Vec<String>) -> Option<Texture> {
    let source = match &planned.source {
        PlannedSource::File(uri) => TextureSource::File(uri.clone()),
        PlannedSource::Pack(pack) => match pack.runtime_pack()?.load(planned.id) {
            Ok(image) => TextureSource::Embedded(image),
            Err(error) => {
                faults.push(format!("{} is written without one of its images: {error}", model.name()));
                return None;
            }
        },
    };
    Some(Texture { id: planned.id, number: planned.number, source })
}

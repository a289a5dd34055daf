//! The resources of the Nikola engine, as they are in `.nbr` files, as files of common formats.
//!
//! | type | files |
//! |---|---|
//! | texture | `.png`; `.hdr` for floats, or `.dds` if that would round them |
//! | cubemap | a folder with such a file for each face: `px`, `nx`, `py`, `ny`, `pz`, `nz` |
//! | shader | `.vert` and `.frag`, or `.comp` |
//! | model, skeleton, animation | `.glb` |
//! | font | a `.png` with the glyphs, and a `.json` that says where they are |
//! | audio | `.wav` |

mod font;
mod texture;

use rres_build::{NbrScene, nbr_scene};
use rres_format::chunk::wave::WaveProps;
use rres_import_nbr::{Animation, Audio, CUBEMAP_FACES, Model, Resource, Skeleton};

use super::{Contents, ExportError, TextureSource, packed_model, refused, wav_of_samples};

/// A file that a resource becomes.
pub(crate) struct NbrFile {
    /// What follows the name of the resource: `.png`, `/px.png`.
    pub(crate) suffix: String,
    pub(crate) contents: Contents<'static>,
}

/// The ends of the names of the files that a resource becomes. [`nbr`] returns the files in the same order.
pub(crate) fn suffixes(resource: &Resource<'_>) -> Vec<String> {
    let one = |suffix: &str| vec![suffix.to_owned()];
    match resource {
        Resource::Texture(texture) => one(texture::extension(texture)),
        Resource::Cubemap(cubemap) => {
            let faces =
                CUBEMAP_FACES.iter().enumerate().filter_map(|(number, face)| Some((face, cubemap.face(number)?)));
            faces.map(|(face, texture)| format!("/{face}{}", texture::extension(&texture))).collect()
        }
        Resource::Shader(shader) => shader.stages().into_iter().map(|(stage, _)| format!(".{stage}")).collect(),
        Resource::Model(_) | Resource::Skeleton(_) | Resource::Animation(_) => one(".glb"),
        Resource::Font(_) => vec![".png".to_owned(), ".json".to_owned()],
        Resource::Audio(_) => one(".wav"),
    }
}

/// Encodes a resource. `name` is what descriptions call it.
pub(crate) fn nbr(resource: &Resource<'_>, name: &str) -> Result<Vec<NbrFile>, ExportError> {
    let contents = match resource {
        Resource::Texture(texture) => vec![texture::texture(texture)?],
        Resource::Cubemap(cubemap) => {
            let faces = (0..CUBEMAP_FACES.len()).filter_map(|number| cubemap.face(number));
            faces.map(|face| texture::texture(&face)).collect::<Result<_, _>>()?
        }
        Resource::Shader(shader) => {
            let sources = shader.stages().into_iter().map(|(_, source)| source.to_vec());
            sources.map(|source| Contents::converted(source, "GLSL")).collect()
        }
        Resource::Model(model) => vec![scene(&NbrScene { model: Some(model), ..NbrScene::default() })?],
        Resource::Skeleton(skeleton) => vec![scene(&NbrScene { skeleton: Some(skeleton), ..NbrScene::default() })?],
        Resource::Animation(animation) => {
            vec![scene(&NbrScene { animations: vec![animation], ..NbrScene::default() })?]
        }
        Resource::Font(font) => {
            let (picture, description) = font::font(font, name)?;
            vec![picture, description]
        }
        Resource::Audio(audio) => vec![sound(audio)?],
    };
    let files = suffixes(resource).into_iter().zip(contents);
    Ok(files.map(|(suffix, contents)| NbrFile { suffix, contents }).collect())
}

/// Encodes a model with the joints that move it.
pub(crate) fn moving_model(
    model: &Model<'_>,
    skeleton: &Skeleton,
    animations: &[Animation],
) -> Result<NbrFile, ExportError> {
    let scene = NbrScene { model: Some(model), skeleton: Some(skeleton), animations: animations.iter().collect() };
    Ok(NbrFile { suffix: ".glb".to_owned(), contents: self::scene(&scene)? })
}

/// Encodes what a build would import, as `.glb`.
fn scene(scene: &NbrScene<'_>) -> Result<Contents<'static>, ExportError> {
    let mut asset = nbr_scene(scene).map_err(refused)?;
    let left_out = std::mem::take(&mut asset.left_out);
    let contents = packed_model(asset, |pack, id, _| Ok(TextureSource::Embedded(pack.load(id)?)))?;
    let parts = [
        (scene.model.is_some(), "vertices and materials"),
        (scene.skeleton.is_some(), "joints"),
        (!scene.animations.is_empty(), "keys"),
    ];
    let parts: Vec<&str> = parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, part)| part).collect();
    let left_out: String = left_out.iter().map(|what| format!(", {what}")).collect();
    let conversion = format!("{} as .glb{left_out}", parts.join(", "));
    Ok(Contents { conversion: Some(conversion), ..contents })
}

fn sound(audio: &Audio<'_>) -> Result<Contents<'static>, ExportError> {
    let props = WaveProps {
        frames: u32::try_from(audio.frames()).unwrap_or(u32::MAX),
        sample_rate: audio.sample_rate,
        sample_size: audio.samples.bits(),
        channels: audio.channels.into(),
    };
    wav_of_samples(props, &audio.samples.to_bytes())
}

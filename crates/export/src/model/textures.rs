//! The images of a model, and a texture for each way to sample an image.

use std::collections::{BTreeMap, HashMap};

use rres_format::ResourceId;
use rres_format::chunk::scene::{TextureRecord, TextureSlot};
use rres_runtime::Image;
use rres_runtime::asset::{Filter, PixelFormat, Wrap};
use serde_json::{Value, json};

use super::buffer::base64;
use super::{Texture, TextureSource, Writer};
use crate::image::ImageForm;
use crate::{ExportError, dds, image};

/// The extension for `.dds` files.
pub(super) const DDS_EXTENSION: &str = "MSFT_texture_dds";

const PNG: &str = "image/png";
const DDS: &str = "image/vnd-ms.dds";

/// The sampler of the chunk that glTF takes if a texture has none.
const DEFAULT_SAMPLER: [u8; 4] = [0, 0, 1, 1];

/// The lists of a document that describe textures.
#[derive(Default)]
pub(super) struct Textures {
    pub(super) textures: Vec<Value>,
    pub(super) samplers: Vec<Value>,
    pub(super) images: Vec<Value>,
    /// The texture of an image with a sampler.
    numbers: HashMap<(ResourceId, [u8; 4]), usize>,
}

impl Textures {
    pub(super) fn write(writer: &mut Writer<'_>) -> Result<Self, ExportError> {
        let mut written = Self::default();
        let export = writer.export;
        let count = export.textures.iter().map(|texture| texture.number + 1).max().unwrap_or(0);
        written.images = vec![Value::Null; count];
        let mut samplers: BTreeMap<ResourceId, Vec<[u8; 4]>> = BTreeMap::new();
        for record in &writer.scene.textures {
            let Some(id) = image_of(writer, record) else { continue };
            let known = samplers.entry(id).or_default();
            if !known.contains(&record.sampler) {
                known.push(record.sampler);
            }
        }
        for texture in &export.textures {
            let is_dds = written.image(texture, writer)?;
            let mut own = samplers.remove(&texture.id).unwrap_or_default();
            if let TextureSource::Embedded(image) = &texture.source {
                // The settings of an image come from the first of its textures.
                match own.iter().position(|sampler| is_of(*sampler, image)) {
                    Some(first) => own[..=first].rotate_right(1),
                    None => own.insert(0, sampler_of(image)),
                }
            }
            for sampler in own {
                written.texture(texture, sampler, is_dds);
            }
            if is_dds {
                writer.extensions.insert(DDS_EXTENSION);
            }
        }
        // Images that no texture uses keep the others at their numbers.
        for image in written.images.iter_mut().filter(|image| image.is_null()) {
            *image = placeholder()?;
        }
        Ok(written)
    }

    /// Returns the number of the texture of a material; `None` if its image cannot be read.
    pub(super) fn number(&self, writer: &mut Writer<'_>, record: &TextureRecord) -> Option<usize> {
        let id = image_of(writer, record);
        let number = id.and_then(|id| self.numbers.get(&(id, record.sampler)));
        if number.is_none() {
            let shown = id.map_or_else(|| "of a texture".to_owned(), |id| id.to_string());
            writer.losses.push(format!("without the image {shown}, which cannot be read"));
        }
        number.copied()
    }

    /// Adds the image of a texture, and returns whether it is a `.dds` file.
    fn image(&mut self, texture: &Texture, writer: &mut Writer<'_>) -> Result<bool, ExportError> {
        let (image, is_dds) = match &texture.source {
            TextureSource::File(uri) => (json!({ "uri": uri }), uri.to_ascii_lowercase().ends_with(".dds")),
            TextureSource::Embedded(image) => {
                let (bytes, kind, loss) = encoded(image, writer.export.decode_blocks)?;
                writer.losses.extend(loss);
                (json!({ "bufferView": writer.buffer.view(&bytes, None), "mimeType": kind }), kind == DDS)
            }
        };
        self.images[texture.number] = image;
        Ok(is_dds)
    }

    /// Adds a texture.
    fn texture(&mut self, texture: &Texture, sampler: [u8; 4], is_dds: bool) {
        let mut value = json!({});
        if is_dds {
            value["extensions"] = json!({ DDS_EXTENSION: { "source": texture.number } });
        } else {
            value["source"] = json!(texture.number);
        }
        if sampler != DEFAULT_SAMPLER {
            value["sampler"] = json!(self.sampler(sampler));
        }
        self.numbers.insert((texture.id, sampler), self.textures.len());
        self.textures.push(value);
    }

    /// Returns the number of a sampler.
    fn sampler(&mut self, [magnify, minify, horizontal, vertical]: [u8; 4]) -> usize {
        let filter = |number: u8| match number {
            1 => Some(9728),
            2 => Some(9729),
            // Nearest and linear in a level, then both again between levels.
            3..=6 => Some(9984 + u32::from(number) - 3),
            _ => None,
        };
        let wrap = |number: u8| match number {
            0 => Some(33071),
            2 => Some(33648),
            _ => None,
        };
        let mut sampler = json!({});
        for (key, value) in [
            ("magFilter", filter(magnify)),
            ("minFilter", filter(minify)),
            ("wrapS", wrap(horizontal)),
            ("wrapT", wrap(vertical)),
        ] {
            if let Some(value) = value {
                sampler[key] = json!(value);
            }
        }
        self.samplers.iter().position(|known| *known == sampler).unwrap_or_else(|| {
            self.samplers.push(sampler);
            self.samplers.len() - 1
        })
    }
}

/// The image of a texture of a material.
fn image_of(writer: &Writer<'_>, record: &TextureRecord) -> Option<ResourceId> {
    let material = writer.export.model.materials().get(record.material as usize)?;
    let of_slot = material.texture(record.slot).map(|texture| texture.image);
    let image = of_slot.or(material.base_color_image.filter(|_| record.slot == TextureSlot::BASE_COLOR));
    image.map(|image| image.resource())
}

/// Whether an image that is inside of a file would get the settings of `image` from the sampler.
fn is_of([magnify, _, horizontal, _]: [u8; 4], image: &Image) -> bool {
    let filter = if magnify == 1 { Filter::Nearest } else { Filter::Linear };
    (filter, wrap_number(image.wrap())) == (image.filter(), horizontal)
}

/// The sampler with the settings of an image.
fn sampler_of(image: &Image) -> [u8; 4] {
    let wrap = wrap_number(image.wrap());
    [if image.filter() == Filter::Nearest { 1 } else { 2 }, 0, wrap, wrap]
}

fn wrap_number(wrap: Wrap) -> u8 {
    match wrap {
        Wrap::Clamp => 0,
        Wrap::Repeat => 1,
        Wrap::Mirror => 2,
    }
}

/// Returns an image as a file that glTF can contain, the type of the file, and what is lost.
fn encoded(image: &Image, decode_blocks: bool) -> Result<(Vec<u8>, &'static str, Option<String>), ExportError> {
    let is_packed = matches!(image.format(), PixelFormat::RGB565 | PixelFormat::RGBA5551 | PixelFormat::RGBA4444);
    let is_decoded = decode_blocks && image.format().pixel_block().is_some();
    if !is_decoded && (is_packed || ImageForm::lossless(image, "") == ImageForm::Dds) {
        return Ok((dds(image)?.bytes.into_owned(), DDS, None));
    }
    let png = image::png(image)?;
    let levels = image.mipmaps() > 1;
    Ok((png.bytes.into_owned(), PNG, levels.then(|| "without the smaller mip levels of its images".to_owned())))
}

/// Returns an image of one white pixel.
fn placeholder() -> Result<Value, ExportError> {
    let white = Image::from_rgba8(1, 1, [255; 4])?;
    let uri = format!("data:{PNG};base64,{}", base64(&image::png(&white)?.bytes));
    Ok(json!({ "name": "unused", "uri": uri }))
}

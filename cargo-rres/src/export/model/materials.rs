//! The materials of a model: base colours, their images, and the images whose use the pack does not say.

use std::collections::HashMap;

use rres_format::ResourceId;
use rres_runtime::Image;
use rres_runtime::asset::{ColorSpace, Filter, PixelFormat, Wrap};
use serde_json::{Value, json};

use super::super::image::ImageForm;
use super::super::{ExportError, dds, float, image};
use super::buffer::{Buffer, base64};
use super::{ModelExport, Texture, TextureSource};

/// The lists of a document that describe materials.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) materials: Vec<Value>,
    pub(super) textures: Vec<Value>,
    pub(super) samplers: Vec<Value>,
    pub(super) images: Vec<Value>,
    /// Whether a texture needs the extension for `.dds` files.
    pub(super) has_dds: bool,
}

/// The textures of a material that have no effect if their strength is zero.
const SLOTS: [(&str, &str); 2] = [("occlusionTexture", "strength"), ("normalTexture", "scale")];

impl Materials {
    pub(super) fn write(
        export: &ModelExport<'_>,
        buffer: &mut Buffer,
        losses: &mut Vec<String>,
    ) -> Result<Self, ExportError> {
        let mut written = Self::default();
        let count = export.textures.iter().map(|texture| texture.number + 1).max().unwrap_or(0);
        written.images = vec![Value::Null; count];
        let mut numbers: HashMap<ResourceId, usize> = HashMap::new();
        for texture in &export.textures {
            numbers.insert(texture.id, written.textures.len());
            written.texture(texture, export.decode_blocks, buffer, losses)?;
        }
        // Images that no texture uses keep the others at their numbers.
        for image in written.images.iter_mut().filter(|image| image.is_null()) {
            *image = placeholder()?;
        }
        let mut is_base_color = vec![false; written.textures.len()];
        for material in export.model.materials() {
            let [r, g, b, a] = material.base_color;
            if material.base_color.iter().any(|value| !value.is_finite()) {
                return Err(ExportError::Damaged(format!("the material \"{}\" has no finite colour", material.name)));
            }
            // Metallic without reflections is black, and the pack does not say what is metallic.
            let mut surface = json!({ "metallicFactor": 0 });
            if material.base_color != [1.0; 4] {
                surface["baseColorFactor"] = json!([float(r), float(g), float(b), float(a)]);
            }
            match material.base_color_image.map(|id| (id.resource(), numbers.get(&id.resource()))) {
                Some((_, Some(texture))) => {
                    is_base_color[*texture] = true;
                    surface["baseColorTexture"] = json!({ "index": texture });
                }
                Some((id, None)) => losses.push(format!("without the image {id}, which cannot be read")),
                None => {}
            }
            let mut value = json!({ "pbrMetallicRoughness": surface });
            if !material.name.is_empty() {
                value["name"] = json!(material.name);
            }
            if export.double_sided.contains(&written.materials.len()) {
                value["doubleSided"] = json!(true);
            }
            written.materials.push(value);
        }
        let is_linear = |texture: &Texture| matches!(&texture.source, TextureSource::Embedded(image) if image.color_space() == ColorSpace::Linear);
        let data = export.textures.iter().enumerate().filter(|(i, texture)| is_linear(texture) && !is_base_color[*i]);
        let slots = SLOTS.iter().flat_map(|slot| (0..written.materials.len()).map(move |material| (material, slot)));
        for ((number, _), (material, (slot, strength))) in data.zip(slots.collect::<Vec<_>>()) {
            written.materials[material][*slot] = json!({ "index": number, *strength: 0 });
        }
        Ok(written)
    }

    /// Adds a texture and its image.
    fn texture(
        &mut self,
        texture: &Texture,
        decode_blocks: bool,
        buffer: &mut Buffer,
        losses: &mut Vec<String>,
    ) -> Result<(), ExportError> {
        let (image, is_dds) = match &texture.source {
            TextureSource::File(uri) => (json!({ "uri": uri }), uri.to_ascii_lowercase().ends_with(".dds")),
            TextureSource::Embedded(image) => {
                let (bytes, kind, loss) = encoded(image, decode_blocks)?;
                losses.extend(loss);
                (json!({ "bufferView": buffer.view(&bytes, None), "mimeType": kind }), kind == DDS)
            }
        };
        self.images[texture.number] = image;
        let mut value = json!({});
        if is_dds {
            self.has_dds = true;
            value["extensions"] = json!({ "MSFT_texture_dds": { "source": texture.number } });
        } else {
            value["source"] = json!(texture.number);
        }
        if let TextureSource::Embedded(image) = &texture.source {
            value["sampler"] = json!(self.sampler(image));
        }
        self.textures.push(value);
        Ok(())
    }

    /// Returns the number of the sampler with the settings of an image.
    fn sampler(&mut self, image: &Image) -> usize {
        let wrap = match image.wrap() {
            Wrap::Clamp => 33071,
            Wrap::Repeat => 10497,
            Wrap::Mirror => 33648,
        };
        let filter = match image.filter() {
            Filter::Linear => 9729,
            Filter::Nearest => 9728,
        };
        let sampler = json!({ "magFilter": filter, "wrapS": wrap, "wrapT": wrap });
        self.samplers.iter().position(|known| *known == sampler).unwrap_or_else(|| {
            self.samplers.push(sampler);
            self.samplers.len() - 1
        })
    }
}

const PNG: &str = "image/png";
const DDS: &str = "image/vnd-ms.dds";

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

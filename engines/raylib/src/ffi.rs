//! The calls of raylib that its crate for Rust has no safe function for: textures, fonts and models from memory, and texts in the log. What C
//! relies on is checked here.

#![allow(unsafe_code)]

use std::ffi::CString;

use raylib::RaylibThread;
use raylib::consts::{MaterialMapIndex, PixelFormat, TraceLogLevel};
use raylib::core::AsRawMut;
use raylib::databuf::DataBuf;
use raylib::error::AllocationError;
use raylib::ffi;
use raylib::models::{Mesh, Model};
use raylib::text::Font;
use raylib::texture::Texture2D;

use crate::model::TexturedModel;

/// The pixels of a texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels<'a> {
    pub(crate) format: PixelFormat,
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) count: i32,
    /// The levels from the largest to the smallest, tightly packed.
    pub(crate) data: &'a [u8],
}

/// A glyph, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glyph {
    pub(crate) codepoint: i32,
    /// Its place in the texture, without padding.
    pub(crate) place: ffi::Rectangle,
    pub(crate) offset: (i32, i32),
    pub(crate) advance: i32,
}

/// What the primitives of a model look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    /// The texture stays with the caller, who keeps it for as long as the model.
    pub(crate) texture: Option<ffi::Texture2D>,
    pub(crate) color: ffi::Color,
}

/// Whether raylib has a window, and so a graphics card to load something into.
pub(crate) fn has_window() -> bool {
    // SAFETY: it reads a flag that is there without a window, too.
    unsafe { ffi::IsWindowReady() }
}

/// The bytes that raylib reads of one level, which is `rlGetPixelDataSize` of `rlgl.h`. `None` if that is not a size in `i32`.
pub(crate) fn level_size(format: PixelFormat, width: i32, height: i32) -> Option<usize> {
    use PixelFormat::{
        PIXELFORMAT_COMPRESSED_ASTC_8x8_RGBA as ASTC_8X8, PIXELFORMAT_COMPRESSED_DXT1_RGB as DXT1_RGB,
        PIXELFORMAT_COMPRESSED_DXT1_RGBA as DXT1_RGBA, PIXELFORMAT_COMPRESSED_ETC1_RGB as ETC1,
        PIXELFORMAT_COMPRESSED_ETC2_RGB as ETC2, PIXELFORMAT_COMPRESSED_PVRT_RGB as PVRT_RGB,
        PIXELFORMAT_COMPRESSED_PVRT_RGBA as PVRT_RGBA, PIXELFORMAT_UNCOMPRESSED_GRAY_ALPHA as GRAY_ALPHA,
        PIXELFORMAT_UNCOMPRESSED_GRAYSCALE as GRAY, PIXELFORMAT_UNCOMPRESSED_R4G4B4A4 as RGBA4444,
        PIXELFORMAT_UNCOMPRESSED_R5G5B5A1 as RGBA5551, PIXELFORMAT_UNCOMPRESSED_R5G6B5 as RGB565,
        PIXELFORMAT_UNCOMPRESSED_R8G8B8 as RGB8, PIXELFORMAT_UNCOMPRESSED_R8G8B8A8 as RGBA8,
        PIXELFORMAT_UNCOMPRESSED_R16 as R16, PIXELFORMAT_UNCOMPRESSED_R16G16B16 as RGB16,
        PIXELFORMAT_UNCOMPRESSED_R16G16B16A16 as RGBA16, PIXELFORMAT_UNCOMPRESSED_R32 as R32,
        PIXELFORMAT_UNCOMPRESSED_R32G32B32 as RGB32, PIXELFORMAT_UNCOMPRESSED_R32G32B32A32 as RGBA32,
    };
    let (width, height) = (u64::try_from(width).ok()?, u64::try_from(height).ok()?);
    let (pixels, blocks) = (width * height, width.div_ceil(4) * height.div_ceil(4));
    let size = match format {
        GRAY => pixels,
        GRAY_ALPHA | RGB565 | RGBA5551 | RGBA4444 | R16 => pixels.checked_mul(2)?,
        RGB8 => pixels.checked_mul(3)?,
        RGBA8 | R32 => pixels.checked_mul(4)?,
        RGB16 => pixels.checked_mul(6)?,
        RGBA16 => pixels.checked_mul(8)?,
        RGB32 => pixels.checked_mul(12)?,
        RGBA32 => pixels.checked_mul(16)?,
        DXT1_RGB | DXT1_RGBA | ETC1 | ETC2 | PVRT_RGB | PVRT_RGBA => blocks.checked_mul(8)?,
        ASTC_8X8 => blocks.checked_mul(4)?,
        _ => blocks.checked_mul(16)?,
    };
    i32::try_from(size).ok().map(i32::cast_unsigned).map(|size| size as usize)
}

impl Levels<'_> {
    /// The bytes that raylib reads. `None` if it cannot count them.
    fn size(&self) -> Option<usize> {
        let level = |number: i32| {
            let edge = |edge: i32| edge.checked_shr(number.cast_unsigned()).unwrap_or(0).max(1);
            level_size(self.format, edge(self.width), edge(self.height))
        };
        (0..self.count).try_fold(0usize, |sum, number| sum.checked_add(level(number)?))
    }
}

/// Loads a texture into the graphics card. `None` if that does not have the format, and raylib has then logged it.
///
/// # Panics
/// If there is no window, or `data` has not exactly the bytes of these levels.
pub(crate) fn upload(_: &RaylibThread, levels: Levels<'_>) -> Option<Texture2D> {
    assert!(has_window());
    assert!(levels.width > 0 && levels.height > 0 && levels.count > 0);
    assert_eq!(levels.size(), Some(levels.data.len()));
    let (mut internal, mut format, mut kind) = (0, 0, 0);
    let image = ffi::Image {
        data: levels.data.as_ptr().cast_mut().cast(),
        width: levels.width,
        height: levels.height,
        mipmaps: levels.count,
        format: levels.format as i32,
    };
    // SAFETY: this is the thread of the window, which is open. `rlGetGlTextureFormats` writes three numbers. `LoadTextureFromImage` reads the
    // levels, whose sizes were compared with those that it computes, writes nothing, and keeps no pointer. What was drawn with the texture
    // that this one replaces is drawn first, because the queue of raylib has its name only. The texture is new, so it has one owner.
    unsafe {
        ffi::rlGetGlTextureFormats(levels.format as i32, &raw mut internal, &raw mut format, &raw mut kind);
        if internal == 0 {
            return None;
        }
        ffi::rlDrawRenderBatchActive();
        let texture = ffi::LoadTextureFromImage(image);
        (texture.id != 0).then(|| Texture2D::from_raw(texture))
    }
}

/// Makes a font, which owns its texture.
///
/// # Errors
/// If there is no memory for it, or there are no glyphs.
pub(crate) fn font(size: i32, padding: i32, texture: Texture2D, glyphs: &[Glyph]) -> Result<Font, AllocationError> {
    let info = |glyph: &Glyph| ffi::GlyphInfo {
        value: glyph.codepoint,
        offsetX: glyph.offset.0,
        offsetY: glyph.offset.1,
        advanceX: glyph.advance,
        // The pixels are in the texture only.
        image: ffi::Image::default(),
    };
    let infos: Vec<ffi::GlyphInfo> = glyphs.iter().map(info).collect();
    let places: Vec<ffi::Rectangle> = glyphs.iter().map(|glyph| glyph.place).collect();
    let (infos, places) = (DataBuf::<[_]>::alloc_from_copy(&infos)?, DataBuf::<[_]>::alloc_from_copy(&places)?);
    let font = ffi::Font {
        baseSize: size,
        glyphCount: i32::try_from(glyphs.len()).expect("there are fewer characters"),
        glyphPadding: padding,
        texture: texture.to_raw(),
        recs: places.into_inner().into_inner().as_ptr().cast(),
        glyphs: infos.into_inner().into_inner().as_ptr().cast(),
    };
    // SAFETY: both arrays have `glyphCount` elements and come from raylib's allocator, as `UnloadFont` expects. Nobody else has them or the
    // texture. The images of glyphs are null, which `UnloadImage` takes.
    Ok(unsafe { Font::from_raw(font) })
}

/// Makes a model of meshes, each with the number of its material.
///
/// # Errors
/// If there is no memory for it, or there are no meshes.
///
/// # Panics
/// If there is no window, or no material with such a number.
pub(crate) fn model(
    _: &RaylibThread,
    meshes: Vec<(Mesh, usize)>,
    materials: &[Material],
) -> Result<Model, AllocationError> {
    assert!(has_window());
    assert!(meshes.iter().all(|(_, material)| *material < materials.len()));
    let count = |len: usize| i32::try_from(len).expect("a pack has fewer");
    let of_mesh: Vec<i32> = meshes.iter().map(|(_, material)| count(*material)).collect();
    let of_mesh = DataBuf::<[_]>::alloc_from_copy(&of_mesh)?;
    let made: Vec<ffi::Material> = materials.iter().map(material).collect();
    let materials = DataBuf::<[_]>::alloc_from_copy(&made)?;
    let (mesh_count, material_count) = (count(meshes.len()), count(made.len()));
    let meshes: Vec<ffi::Mesh> = meshes.into_iter().map(|(mesh, _)| mesh.to_raw()).collect();
    let meshes = DataBuf::<[_]>::alloc_from_copy(&meshes)?;
    let model = ffi::Model {
        transform: raylib::math::Matrix::identity(),
        meshCount: mesh_count,
        materialCount: material_count,
        meshes: meshes.into_inner().into_inner().as_ptr().cast(),
        materials: materials.into_inner().into_inner().as_ptr().cast(),
        meshMaterial: of_mesh.into_inner().into_inner().as_ptr().cast(),
        ..ffi::Model::default()
    };
    // SAFETY: the arrays have the counted elements and come from raylib's allocator, as `UnloadModel` expects. Nobody else has them or the
    // meshes. Each number of a material was compared with their count. There is no skeleton, as in `LoadModelFromMesh`.
    Ok(unsafe { Model::from_raw(model) })
}

/// For `RaylibModel`, the trait of raylib with what can be done with a model.
impl AsRawMut<ffi::Model> for TexturedModel {
    unsafe fn as_raw_mut(&mut self) -> &mut ffi::Model {
        // SAFETY: the caller promises what the method of the model asks for.
        unsafe { self.model_mut().as_raw_mut() }
    }
}

/// A material for raylib's own shader.
fn material(material: &Material) -> ffi::Material {
    // SAFETY: there is a window, as `model` has checked, so the default shader and texture exist.
    let made = unsafe { ffi::LoadMaterialDefault() };
    let index = MaterialMapIndex::MATERIAL_MAP_ALBEDO as usize;
    assert!(!made.maps.is_null(), "no memory for a material");
    // SAFETY: `maps` has `MAX_MATERIAL_MAPS` elements, more than `index`, and nobody else has it.
    let map = unsafe { &mut *made.maps.add(index) };
    map.color = material.color;
    if let Some(texture) = material.texture {
        map.texture = texture;
    }
    made
}

/// Logs an error as raylib does.
pub(crate) fn log_error(text: &str) {
    let text = CString::new(text.replace('\0', " ")).expect("no zero is left");
    // Not `trace_log` of the crate, which takes the text as the format: a path may have a `%`.
    // SAFETY: `%s` takes one text that ends with a zero.
    unsafe { ffi::TraceLog(TraceLogLevel::LOG_ERROR as i32, c"%s".as_ptr(), text.as_ptr()) };
}

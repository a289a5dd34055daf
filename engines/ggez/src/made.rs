//! Assets → what ggez draws and plays: images of RGBA with 8 bits and without mip levels, and sounds that are files.

use std::fmt::Display;

use ggez::context::Has;
use ggez::graphics::{ClampMode, FilterMode, GraphicsContext, Image, ImageFormat, Sampler};
use ggez::{GameError, GameResult};
use rres_runtime::asset::{ColorSpace, Filter, Wrap};

use crate::followed::Made;

/// Makes an image of the first level of an asset, in sRGB or, for linear quantities such as masks, as the numbers are.
///
/// Colours that are multiplied by alpha stay so: draw them with `BlendMode::PREMULTIPLIED`.
///
/// # Errors
/// If the image has blocks for GPUs, or is larger than the device takes.
pub fn image(gfx: &impl Has<GraphicsContext>, asset: &rres_runtime::Image) -> GameResult<Image> {
    let gfx = gfx.retrieve();
    let (width, height) = (asset.width(), asset.height());
    let limit = gfx.wgpu().device.limits().max_texture_dimension_2d;
    if width.max(height) > limit {
        return Err(error(format_args!("{width} × {height} pixels are more than this device takes, {limit} a side")));
    }
    let Some(pixels) = asset.to_rgba8() else {
        let format = asset.format();
        return Err(error(format_args!(
            "ggez draws RGBA of 8 bits, and {format:?} cannot be turned into that; set `format = \"rgba8\"` in its rule"
        )));
    };
    let format = match asset.color_space() {
        ColorSpace::Srgb => ImageFormat::Rgba8UnormSrgb,
        ColorSpace::Linear => ImageFormat::Rgba8Unorm,
    };
    Ok(Image::from_pixels(gfx, &pixels, format, width, height))
}

/// Returns how an asset is sampled, for `Canvas::set_sampler`, which holds for all that is drawn after it.
pub fn sampler(asset: &rres_runtime::Image) -> Sampler {
    let filter = match asset.filter() {
        Filter::Nearest => FilterMode::Nearest,
        Filter::Linear => FilterMode::Linear,
    };
    let clamp = match asset.wrap() {
        Wrap::Clamp => ClampMode::Clamp,
        Wrap::Repeat => ClampMode::Repeat,
        Wrap::Mirror => ClampMode::MirrorRepeat,
    };
    Sampler { clamp_u: clamp, clamp_v: clamp, clamp_w: clamp, mag: filter, min: filter }
}

impl Made for Image {
    type Asset = rres_runtime::Image;
    type Context = GraphicsContext;

    fn make(context: &GraphicsContext, asset: &rres_runtime::Image) -> GameResult<Self> {
        image(context, asset)
    }
}

/// Makes a sound that ggez plays. Files of OGG Vorbis, FLAC, MP3 and WAV are passed on, and ggez decodes them each time they are played.
/// Samples become a WAV file in memory.
///
/// # Errors
/// If the asset is a file that neither ggez nor the program can decode (features of `rres-runtime`), or its samples take 4 GiB, which no
/// WAV file can hold.
#[cfg(feature = "audio")]
pub fn sound_data(sound: &rres_runtime::Sound) -> GameResult<ggez::audio::SoundData> {
    use ggez::audio::SoundData;

    let too_long = || error("its samples take 4 GiB or more, and ggez takes WAV files, which are smaller");
    if let rres_runtime::asset::Samples::Encoded { bytes, .. } = sound.samples() {
        // Whether ggez can decode a file depends on what is in it, and not only on its extension.
        return SoundData::from_bytes(bytes)
            .or_else(|_| SoundData::from_bytes(&sound.decoded().map_err(error)?.to_wav().ok_or_else(too_long)?));
    }
    SoundData::from_bytes(&sound.to_wav().ok_or_else(too_long)?)
}

/// With the gain of the asset as its volume. A looped sound repeats as a whole: ggez knows no loop points.
#[cfg(feature = "audio")]
impl Made for ggez::audio::Source {
    type Asset = rres_runtime::Sound;
    type Context = ggez::audio::AudioContext;

    fn make(context: &ggez::audio::AudioContext, sound: &rres_runtime::Sound) -> GameResult<Self> {
        use ggez::audio::SoundSource as _;

        let mut source = Self::from_data(context, sound_data(sound)?)?;
        source.set_volume(sound.linear_gain());
        source.set_repeat(sound.is_looped());
        Ok(source)
    }
}

/// Makes ggez's error of another one: `assets::open().map_err(rres_ggez::error)?`.
pub fn error(error: impl Display) -> GameError {
    GameError::ResourceLoadError(error.to_string())
}

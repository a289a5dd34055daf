//! Files → blocks, with everything that the settings and the file say.

use rres_settings::ImageFormat;

use super::textures::dxt1_with_levels;
use super::*;

fn settings(format: impl Into<ImageFormat>) -> ImageSettings {
    ImageSettings { format: format.into(), ..ImageSettings::default() }
}

/// A PNG with a smooth gradient in each channel.
fn gradient(color: Ext) -> Vec<u8> {
    let channels = u32::from(color.channel_count());
    let pixels: Vec<u8> =
        (0..128 * 128).flat_map(|i| (0..channels).map(move |c| (i % 128 + i / 128 * c / 2) as u8)).collect();
    encode_png(&pixels, 128, 128, color)
}

#[test]
fn masks_with_all_levels_become_bc4() {
    let linear = ImageSettings { color_space: Some(ColorSpace::Linear), mipmaps: true, ..settings(ImageFormat::Block) };
    let part = import(&gradient(Ext::L8), "png", &linear).unwrap();
    assert!(part.summary.starts_with("128×128 BC4 8 mips ") && part.summary.ends_with(" linear"), "{}", part.summary);
    // What the summary shows is in the metadata, since the pixels are not in the pack.
    let [psnr, ssim] = [MetaKey::PSNR, MetaKey::SSIM].map(|key| f32::from_bits(part.meta.get(key).unwrap()));
    assert!(part.summary.contains(&format!(" {psnr:.1} dB SSIM {ssim:.3}")), "{} {psnr} {ssim}", part.summary);
    let (props, blocks) = props_and_pixels(&part);
    // 32² + 16² + 8² + 4² + 2² + three times one block of 8 bytes.
    assert_eq!((props.mipmaps, blocks.len()), (8, (1024 + 256 + 64 + 16 + 4 + 3) * 8));
    assert_eq!(part.meta.get(MetaKey::COLOR_SPACE), Some(ColorSpace::Linear as u32));
}

#[test]
fn formats_without_srgb_make_an_image_linear() {
    for (format, linear) in [(PixelFormat::BC4, Some(1)), (PixelFormat::BC5, Some(1)), (PixelFormat::BC7, None)] {
        let part = import(&gradient(Ext::Rgb8), "png", &settings(format)).unwrap();
        assert_eq!((props_and_pixels(&part).0.format, part.meta.get(MetaKey::COLOR_SPACE)), (format, linear));
    }
}

#[test]
fn blocks_of_a_file_stay_as_they_are_or_are_refused() {
    let file = dxt1_with_levels();
    let plain = pixels_of(&file, "dds", &ImageSettings::default());
    for format in [ImageFormat::Block, PixelFormat::DXT1_RGB.into()] {
        assert_eq!(pixels_of(&file, "dds", &settings(format)), plain);
    }
    let error = import(&file, "dds", &settings(PixelFormat::BC7)).unwrap_err().to_string();
    assert!(error.ends_with("cannot be stored with format = \"bc7\""), "{error}");
}

#[test]
fn sixteen_bits_keep_their_depth_unless_a_format_is_named() {
    let wide: Vec<u8> = noise(8 * 128 * 128);
    let file = encode_png(&wide, 128, 128, Ext::Rgba16);
    assert_eq!(pixels_of(&file, "png", &settings(ImageFormat::Block)).0, PixelFormat::RGBA32F);
    assert_eq!(pixels_of(&file, "png", &settings(PixelFormat::BC7)).0, PixelFormat::BC7);
}

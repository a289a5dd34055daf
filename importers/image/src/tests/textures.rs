//! DDS: blocks are kept, channels are read by their masks, other shapes are refused.

use ddsfile::{AlphaMode, Caps2, D3D10ResourceDimension, D3DFormat, Dds, DxgiFormat, NewD3dParams, NewDxgiParams};

use super::*;

/// A DDS written by hand: pixels of `bits` bits with masks for red, green, blue, alpha.
pub(super) fn masked(width: u32, height: u32, bits: u32, masks: [u32; 4], data: &[u8]) -> Vec<u8> {
    let kind = if masks[1] == 0 && masks[0] != 0 { 0x2_0000 } else { 0x40 } | u32::from(masks[3] != 0);
    let kind = if masks[0] == 0 { 2 } else { kind };
    let mut words = vec![0x2053_4444, 124, 0x1007, height, width, 0, 0, 0];
    words.extend([0; 11]);
    words.extend([32, kind, 0, bits]);
    words.extend(masks);
    words.extend([0x1000, 0, 0, 0, 0]);
    let mut out: Vec<u8> = words.iter().flat_map(|v: &u32| v.to_le_bytes()).collect();
    out.extend(data);
    out
}

fn d3d(format: D3DFormat, width: u32, height: u32, levels: u32) -> Dds {
    let mut dds =
        Dds::new_d3d(NewD3dParams { width, height, depth: None, format, mipmap_levels: Some(levels), caps2: None })
            .unwrap();
    dds.data = noise(dds.data.len());
    if matches!(format, D3DFormat::DXT1) {
        // The first colour above the second one: no pixel is transparent.
        dds.data.chunks_exact_mut(8).for_each(|block| (block[1], block[3]) = (0xff, 0));
    }
    dds
}

fn dxgi(format: DxgiFormat, alpha_mode: AlphaMode) -> Dds {
    let mut dds = Dds::new_dxgi(NewDxgiParams {
        width: 8,
        height: 4,
        depth: None,
        format,
        mipmap_levels: Some(1),
        array_layers: None,
        caps2: None,
        is_cubemap: false,
        resource_dimension: D3D10ResourceDimension::Texture2D,
        alpha_mode,
    })
    .unwrap();
    dds.data = noise(dds.data.len());
    dds
}

fn file(dds: &Dds) -> Vec<u8> {
    let mut out = Vec::new();
    dds.write(&mut out).unwrap();
    out
}

/// 16×8 pixels in DXT1 with all levels.
pub(super) fn dxt1_with_levels() -> Vec<u8> {
    file(&d3d(D3DFormat::DXT1, 16, 8, 5))
}

fn error_of(dds: &Dds, settings: &ImageSettings) -> String {
    let error = import(&file(dds), "dds", settings).unwrap_err();
    assert!(error.help().is_some());
    error.to_string()
}

#[test]
fn blocks_and_their_levels_are_kept() {
    for (format, expected, block) in [
        (D3DFormat::DXT1, PixelFormat::DXT1_RGB, 8),
        (D3DFormat::DXT3, PixelFormat::DXT3_RGBA, 16),
        (D3DFormat::DXT5, PixelFormat::DXT5_RGBA, 16),
    ] {
        let dds = d3d(format, 16, 8, 5);
        // Levels of 16×8, 8×4, 4×2, 2×1 and 1×1 pixels are 8 + 2 + 1 + 1 + 1 blocks.
        assert_eq!(dds.data.len(), 13 * block);
        let part = import(&file(&dds), "dds", &ImageSettings { mipmaps: true, ..Default::default() }).unwrap();
        let (props, data) = props_and_pixels(&part);
        assert_eq!((props.format, props.mipmaps, props.width, props.height), (expected, 5, 16, 8));
        assert_eq!(data, dds.data);
        assert_eq!(part.summary, format!("16×8 {expected} 5 mips"));
    }
    // Many programs do not set the flag of alpha for blocks.
    let mut holes = d3d(D3DFormat::DXT1, 8, 8, 1);
    holes.data[..8].copy_from_slice(&[0, 0, 1, 0, 0, 0, 0, 0b1100]);
    assert_eq!(pixels_of(&file(&holes), "dds", &ImageSettings::default()).0, PixelFormat::DXT1_RGBA);
    holes.data[7] = 0b0100;
    assert_eq!(pixels_of(&file(&holes), "dds", &ImageSettings::default()).0, PixelFormat::DXT1_RGB);
    let mut dds = d3d(D3DFormat::DXT1, 8, 8, 1);
    dds.header.spf.flags |= ddsfile::PixelFormatFlags::ALPHA_PIXELS;
    assert_eq!(pixels_of(&file(&dds), "dds", &ImageSettings::default()).0, PixelFormat::DXT1_RGBA);
    let part = import(&file(&d3d(D3DFormat::DXT2, 4, 4, 1)), "dds", &ImageSettings::default()).unwrap();
    assert_eq!(part.meta.get(MetaKey::PREMULTIPLIED), Some(1));
    assert_eq!(part.summary, "4×4 DXT3_RGBA premultiplied");
}

#[test]
fn new_headers_are_read_too() {
    for (format, alpha, expected) in [
        (DxgiFormat::BC1_UNorm, AlphaMode::Unknown, PixelFormat::DXT1_RGBA),
        (DxgiFormat::BC1_UNorm_sRGB, AlphaMode::Opaque, PixelFormat::DXT1_RGB),
        (DxgiFormat::BC2_UNorm, AlphaMode::Straight, PixelFormat::DXT3_RGBA),
        (DxgiFormat::BC3_UNorm_sRGB, AlphaMode::Straight, PixelFormat::DXT5_RGBA),
        (DxgiFormat::BC4_UNorm, AlphaMode::Unknown, PixelFormat::BC4),
        (DxgiFormat::BC4_SNorm, AlphaMode::Unknown, PixelFormat::BC4_SIGNED),
        (DxgiFormat::BC5_UNorm, AlphaMode::Unknown, PixelFormat::BC5),
        (DxgiFormat::BC5_SNorm, AlphaMode::Unknown, PixelFormat::BC5_SIGNED),
        (DxgiFormat::BC6H_UF16, AlphaMode::Unknown, PixelFormat::BC6H),
        (DxgiFormat::BC6H_SF16, AlphaMode::Unknown, PixelFormat::BC6H_SIGNED),
        (DxgiFormat::BC7_UNorm, AlphaMode::Straight, PixelFormat::BC7),
        (DxgiFormat::BC7_UNorm_sRGB, AlphaMode::Straight, PixelFormat::BC7),
        (DxgiFormat::R8G8B8A8_UNorm_sRGB, AlphaMode::Straight, PixelFormat::RGBA8),
        (DxgiFormat::R8_UNorm, AlphaMode::Unknown, PixelFormat::GRAY8),
        (DxgiFormat::R32G32B32A32_Float, AlphaMode::Unknown, PixelFormat::RGBA32F),
        (DxgiFormat::R32_Float, AlphaMode::Unknown, PixelFormat::R32F),
    ] {
        let dds = dxgi(format, alpha);
        assert_eq!(pixels_of(&file(&dds), "dds", &ImageSettings::default()), (expected, dds.data), "{format:?}");
    }
    let linear = |format| {
        let part = import(&file(&dxgi(format, AlphaMode::Unknown)), "dds", &ImageSettings::default()).unwrap();
        part.meta.get(MetaKey::COLOR_SPACE) == Some(1)
    };
    assert!(linear(DxgiFormat::BC5_UNorm) && linear(DxgiFormat::BC6H_UF16) && !linear(DxgiFormat::BC7_UNorm_sRGB));
    let dds = dxgi(DxgiFormat::B8G8R8A8_UNorm, AlphaMode::PreMultiplied);
    let swapped: Vec<u8> = dds.data.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], p[3]]).collect();
    let part = import(&file(&dds), "dds", &ImageSettings { premultiply: true, ..Default::default() }).unwrap();
    assert_eq!(props_and_pixels(&part).1, swapped, "multiplied already");
    assert_eq!(part.meta.get(MetaKey::PREMULTIPLIED), Some(1));
}

#[test]
fn channels_are_read_by_their_masks() {
    let le = |words: &[u16]| words.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    for (bits, masks, data, format, pixels) in [
        (24, [0xff_0000, 0xff00, 0xff, 0], vec![3, 2, 1, 6, 5, 4], PixelFormat::RGB8, vec![1, 2, 3, 4, 5, 6]),
        (32, [0xff_0000, 0xff00, 0xff, 0], vec![3, 2, 1, 9, 6, 5, 4, 9], PixelFormat::RGB8, vec![1, 2, 3, 4, 5, 6]),
        (16, [0xf800, 0x7e0, 0x1f, 0], le(&[0x1234, 0xfedc]), PixelFormat::RGB565, le(&[0x1234, 0xfedc])),
        // ARGB 1555 to RGBA 5551, and ARGB 4444 to RGBA 4444.
        (16, [0x7c00, 0x3e0, 0x1f, 0x8000], le(&[0x8001, 0x7c00]), PixelFormat::RGBA5551, le(&[0x0003, 0xf800])),
        (16, [0xf00, 0xf0, 0xf, 0xf000], le(&[0x1234, 0xfedc]), PixelFormat::RGBA4444, le(&[0x2341, 0xedcf])),
        (8, [0xff, 0, 0, 0], vec![7, 200], PixelFormat::GRAY8, vec![7, 200]),
        (16, [0xff, 0, 0, 0xff00], vec![7, 200, 1, 2], PixelFormat::GRAY_ALPHA8, vec![7, 200, 1, 2]),
        (8, [0, 0, 0, 0xff], vec![7, 200], PixelFormat::GRAY_ALPHA8, vec![255, 7, 255, 200]),
        (8, [0xe0, 0x1c, 0x03, 0], vec![0xff, 0x25], PixelFormat::RGB8, vec![255, 255, 255, 36, 36, 85]),
    ] {
        let found = pixels_of(&masked(2, 1, bits, masks, &data), "dds", &ImageSettings::default());
        assert_eq!(found, (format, pixels), "{bits} bits {masks:x?}");
    }
    let wide = 1023u32 | 512 << 10 | 1 << 30;
    let (format, pixels) = pixels_of(
        &masked(1, 1, 32, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000], &wide.to_le_bytes()),
        "dds",
        &ImageSettings::default(),
    );
    assert_eq!((format, floats(&pixels)), (PixelFormat::RGBA32F, vec![1.0, 512.0 / 1023.0, 0.0, 1.0 / 3.0]));
    // Masks that overlap, have holes or do not fit.
    for (bits, masks) in [(16, [0xff, 0x1ff, 0x8000, 0]), (16, [0x5, 0xf0, 0xf00, 0]), (8, [0xff00, 0xff, 0xf0000, 0])]
    {
        let error = import(&masked(1, 1, bits, masks, &[0; 8]), "dds", &ImageSettings::default()).unwrap_err();
        assert!(error.to_string().contains("invalid channel masks"), "{error}");
    }
}

#[test]
fn half_floats_become_floats() {
    let mut dds = dxgi(DxgiFormat::R16G16B16A16_Float, AlphaMode::Unknown);
    let halves = [0x3c00u16, 0xc000, 0x0001, 0x7bff, 0x0000, 0x3555, 0x7c00, 0x0400];
    dds.data = halves.iter().cycle().take(128).flat_map(|v| v.to_le_bytes()).collect();
    let part = import(&file(&dds), "dds", &ImageSettings::default()).unwrap();
    let found = floats(&props_and_pixels(&part).1);
    let expected = [1.0, -2.0, 2.0f32.powi(-24), 65504.0, 0.0, 1365.0 / 4096.0, f32::INFINITY, 2.0f32.powi(-14)];
    assert_eq!(found[..8], expected);
    assert_eq!(part.summary, "8×4 RGBA32F linear");
}

#[test]
fn levels_of_uncompressed_images_are_kept_or_generated() {
    let dds = d3d(D3DFormat::A8B8G8R8, 4, 4, 2);
    let part = import(&file(&dds), "dds", &ImageSettings::default()).unwrap();
    assert_eq!((props_and_pixels(&part).0.mipmaps, props_and_pixels(&part).1), (2, dds.data.clone()));
    let part = import(&file(&dds), "dds", &ImageSettings { mipmaps: true, ..Default::default() }).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.mipmaps, &pixels[..64]), (3, &dds.data[..64]));
}

#[test]
fn settings_that_change_blocks_are_refused() {
    let dds = d3d(D3DFormat::DXT5, 8, 8, 2);
    let cases = [
        (ImageSettings { format: PixelFormat::RGBA8.into(), ..Default::default() }, "format = \"rgba8\""),
        (ImageSettings { mipmaps: true, ..Default::default() }, "mipmaps = true"),
        (ImageSettings { premultiply: true, ..Default::default() }, "premultiply = true"),
    ];
    for (settings, asked) in cases {
        let error = error_of(&dds, &settings);
        assert_eq!(error, format!("is block-compressed (DXT5_RGBA, mip levels: 2) and cannot be stored with {asked}"));
    }
}

#[test]
fn faces_of_a_cube_have_their_levels_together() {
    let mut cube = d3d(D3DFormat::A8R8G8B8, 2, 2, 2);
    cube.header.caps2 = Caps2::CUBEMAP | Caps2::CUBEMAP_ALLFACES;
    // Each face has a level of four pixels and one of one.
    cube.data = (0..6).flat_map(|face| (0..5).flat_map(move |pixel| [face, pixel, 0, 255])).collect();
    let part = import(&file(&cube), "dds", &ImageSettings::default()).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.width, props.height, props.mipmaps), (2, 12, 2));
    let of = |face: u8, pixels: std::ops::Range<u8>| pixels.flat_map(move |pixel| [0, pixel, face, 255]);
    let expected = (0..6).flat_map(|face| of(face, 0..4)).chain((0..6).flat_map(|face| of(face, 4..5)));
    assert_eq!(pixels, expected.collect::<Vec<u8>>());
    assert_eq!(part.meta.get(MetaKey::CUBEMAP), Some(1));
}

#[test]
fn other_shapes_and_formats_are_refused() {
    let mut cube = d3d(D3DFormat::DXT1, 8, 8, 1);
    cube.header.caps2 = Caps2::CUBEMAP | Caps2::CUBEMAP_POSITIVEX;
    let error = error_of(&cube, &ImageSettings::default());
    assert!(error.starts_with("is a DDS with only some of the six faces of a cubemap"), "{error}");
    cube.header.caps2 = Caps2::CUBEMAP | Caps2::CUBEMAP_ALLFACES;
    let error = error_of(&cube, &ImageSettings::default());
    assert!(error.contains("six faces of 8×8 DXT1_RGB with mip levels: 1 needs 192 bytes, found 32"), "{error}");
    let mut volume = d3d(D3DFormat::A8R8G8B8, 8, 8, 1);
    volume.header.caps2 = Caps2::VOLUME;
    volume.header.depth = Some(4);
    // The flag that enables the depth is private to ddsfile, so it is set by hand.
    let mut bytes = file(&volume);
    bytes[10] |= 0x80;
    let error = import(&bytes, "dds", &ImageSettings::default()).unwrap_err().to_string();
    assert!(error.starts_with("is a DDS that ends early: 4 slices of 8×8 RGBA8"), "{error}");
    let mut array = dxgi(DxgiFormat::BC1_UNorm, AlphaMode::Unknown);
    array.header10.as_mut().unwrap().array_size = 2;
    let error = error_of(&array, &ImageSettings::default());
    assert!(error.starts_with("is a DDS that ends early: 2 layers of 8×4"), "{error}");
    array.header10.as_mut().unwrap().misc_flag = ddsfile::MiscFlag::TEXTURECUBE;
    assert!(error_of(&array, &ImageSettings::default()).starts_with("is a DDS with several cubemaps"));
    for format in [DxgiFormat::R8G8_UNorm, DxgiFormat::R11G11B10_Float] {
        let error = error_of(&dxgi(format, AlphaMode::Unknown), &ImageSettings::default());
        assert_eq!(error, format!("is a DDS with {format:?}, which rres has no pixel format for"));
    }
    for (code, expected) in
        [(b"ATI1", PixelFormat::BC4), (b"BC4S", PixelFormat::BC4_SIGNED), (b"BC5U", PixelFormat::BC5)]
    {
        let mut old = d3d(if code[2] == b'5' { D3DFormat::DXT5 } else { D3DFormat::DXT1 }, 8, 8, 1);
        old.header.spf.fourcc = Some(ddsfile::FourCC(u32::from_le_bytes(*code)));
        assert_eq!(pixels_of(&file(&old), "dds", &ImageSettings::default()), (expected, old.data));
    }
    let mut letters = d3d(D3DFormat::DXT1, 8, 8, 1);
    letters.header.spf.fourcc = Some(ddsfile::FourCC(u32::from_le_bytes(*b"ATI2")));
    assert!(error_of(&letters, &ImageSettings::default()).starts_with("is a DDS with ATI2,"));
}

#[test]
fn levels_and_sizes_must_agree() {
    let mut dds = d3d(D3DFormat::DXT1, 8, 8, 4);
    dds.data.truncate(40);
    assert_eq!(
        error_of(&dds, &ImageSettings::default()),
        "is a DDS that ends early: 8×8 DXT1_RGB with mip levels: 4 needs 56 bytes, found 40"
    );
    let mut dds = d3d(D3DFormat::DXT1, 8, 8, 4);
    dds.header.mip_map_count = Some(9);
    assert!(error_of(&dds, &ImageSettings::default()).contains("9 mip levels, expected 1 to 4"));
}

//! Pixels of every format, and fonts: which files they become, and that these hold all that the pack has.

use png::{BitDepth, ColorType};
use rres_format::chunk::glyphs::{FontStyle, Glyph, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::sprite::SpriteProps;
use rres_format::index::{ColorSpace, ImageShape, Meta, MetaKey};
use rres_format::{Compression, FourCc, PackBuilder, Resource};
use rres_runtime::{Image, Pack};
use rres_test_data::bytes::floats;
use serde_json::Value;

use super::{decoded, with_pack};
use crate::local;
use crate::packs::{chunk, image, pixels};

fn picture(path: &str, props: ImageProps, pixels: &[u8]) -> Resource<'static> {
    Resource::new(path, vec![chunk(FourCc::IMGE, &props.block(pixels), Compression::NONE)])
}

fn props(width: u32, height: u32, format: PixelFormat, mipmaps: u32) -> ImageProps {
    ImageProps { width, height, format, mipmaps }
}

#[test]
fn images_of_8_bits_and_fewer_become_png_files() {
    let mut pack = PackBuilder::new();
    pack.push(image("gray.tga", PixelFormat::GRAY8, &pixels(16, 8, 1), Compression::NONE));
    pack.push(image("packed.png", PixelFormat::RGB565, &[0xff; 16 * 8 * 2], Compression::NONE));
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree"]).success().out;
    assert!(out.contains("gray.tga.png  (pixels as .png)\n"), "{out}");
    assert!(out.contains("packed.png  (pixels as .png, from RGB565)\n"), "{out}");
    assert_eq!(decoded(&sandbox.read("tree/gray.tga.png")), (16, 8, ColorType::Grayscale, pixels(16, 8, 1)));
    assert_eq!(decoded(&sandbox.read("tree/packed.png")), (16, 8, ColorType::Rgba, vec![255; 16 * 8 * 4]));
}

#[test]
fn floats_become_the_smallest_format_that_holds_them() {
    let unit: Vec<f32> = [0u16, 1, 32_768, 65_535].into_iter().map(|level| f32::from(level) / 65_535.0).collect();
    let shared = [1.5f32, 3.0, 0.0, 3.0, 5.0, 200.0];
    let any = [1.0f32 / 3.0, -2.5, 1e9, f32::INFINITY];
    let mut pack = PackBuilder::new();
    pack.push(picture("height.png", props(4, 1, PixelFormat::R32F, 1), &floats(&unit)));
    pack.push(picture("sky.hdr", props(2, 1, PixelFormat::RGB32F, 1), &floats(&shared)));
    pack.push(picture("light.exr", props(2, 1, PixelFormat::RGB32F, 1), &floats(&shared)));
    pack.push(picture("any.hdr", props(4, 1, PixelFormat::R32F, 1), &floats(&any)));
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree"]).success().out;
    for line in [
        "height.png  (pixels as .png of 16 bits)",
        "sky.hdr  (pixels as .hdr)",
        "light.exr.dds  (pixels as .dds, RGB32F)",
        "any.hdr.dds  (pixels as .dds, R32F)",
    ] {
        assert!(out.contains(&local(&format!("tree/{line}\n"))), "{line}: {out}");
    }
    let png = png::Decoder::new(std::io::Cursor::new(sandbox.read("tree/height.png"))).read_info().unwrap();
    assert_eq!(png.output_color_type(), (ColorType::Grayscale, BitDepth::Sixteen));
    let hdr = sandbox.read("tree/sky.hdr");
    // 1.5 = 192 × 2^-7, 200 = 200 × 2^0; the exponents are stored with 136 added.
    assert!(hdr.ends_with(&[96, 192, 0, 130, 3, 5, 200, 136]), "{hdr:?}");
    assert!(sandbox.read("tree/light.exr.dds").ends_with(&floats(&shared)));
    assert!(sandbox.read("tree/any.hdr.dds").ends_with(&floats(&any)));
}

#[test]
fn blocks_keep_their_levels_and_are_decoded_if_asked() {
    // A block of pure red: two equal colours in RGB565, and indices 0.
    let red = [0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0];
    let blocks = |count: usize| red.repeat(count);
    let mut pack = PackBuilder::new();
    pack.push(picture("wall.dds", props(8, 8, PixelFormat::DXT1_RGB, 4), &blocks(4 + 1 + 1 + 1)));
    pack.push(picture("odd.dds", props(5, 3, PixelFormat::DXT1_RGBA, 1), &blocks(2)));
    pack.push(picture("phone.ktx", props(8, 8, PixelFormat::PVRT_RGB, 2), &blocks(5)));
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree"]).success().out;
    assert!(out.contains("wall.dds  (blocks as .dds, DXT1_RGB, 4 mip levels)\n"), "{out}");
    let dds = sandbox.read("tree/wall.dds");
    assert_eq!((&dds[..4], &dds[84..88], dds.len()), (&b"DDS "[..], &b"DXT1"[..], 128 + 7 * 8));
    assert!(out.contains("phone.ktx  (blocks as .ktx, PVRT_RGB, 2 mip levels)\n"), "{out}");
    let ktx = sandbox.read("tree/phone.ktx");
    let word = |at: usize| u32::from_le_bytes(ktx[at..at + 4].try_into().unwrap());
    // The format of OpenGL in sRGB, the size, the levels; then the levels with their sizes.
    assert_eq!([28, 36, 40, 56].map(word), [0x8a55, 8, 8, 2]);
    let first = 64 + word(60) as usize;
    assert_eq!((word(first), word(first + 4 + 32), ktx.len()), (32, 8, first + 4 + 32 + 4 + 8));

    let run = sandbox.run(["extract", "game.rres", "-o", "flat", "--decode-blocks"]).success();
    assert!(
        run.out.contains("wall.dds.png  (pixels as .png, from DXT1_RGB, without the smaller mip levels)\n"),
        "{run:?}"
    );
    assert_eq!(decoded(&sandbox.read("flat/odd.dds.png")), (5, 3, ColorType::Rgba, [255, 0, 0, 255].repeat(15)));
}

/// Cubemaps, texture arrays and 3D textures become files that have these, and a build makes of them the same pixels with the same shape.
#[test]
fn layers_survive_a_build_of_what_was_extracted() {
    let cases = [
        ("cube.dds", ImageShape::Cube, props(8, 48, PixelFormat::BC7, 2)),
        ("array.dds", ImageShape::Array(3), props(8, 24, PixelFormat::DXT1_RGB, 2)),
        ("volume.dds", ImageShape::Volume(4), props(4, 16, PixelFormat::DXT5_RGBA, 1)),
        ("colors.dds", ImageShape::Array(2), props(4, 4, PixelFormat::RGBA8, 2)),
        ("light.dds", ImageShape::Volume(2), props(2, 4, PixelFormat::RGB32F, 1)),
        ("sky.ktx2", ImageShape::Cube, props(4, 24, PixelFormat::ASTC_4X4_RGBA, 1)),
        ("tiles.ktx2", ImageShape::Array(5), props(8, 40, PixelFormat::ETC2_RGB, 2)),
        ("cloud.ktx2", ImageShape::Volume(3), props(4, 12, PixelFormat::EAC_R11, 1)),
    ];
    let mut pack = PackBuilder::new();
    for (path, shape, props) in cases {
        let mut meta = Meta::default();
        shape.set(&mut meta);
        let is_linear = matches!(props.format, PixelFormat::RGB32F | PixelFormat::EAC_R11);
        if is_linear {
            meta.set(MetaKey::COLOR_SPACE, ColorSpace::Linear as u32);
        }
        let pixels: Vec<u8> = (0..props.data_size().unwrap()).map(|at| (at * 7 % 120) as u8).collect();
        pack.push(picture(path, props, &pixels).with_meta(meta));
    }
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree"]).success().out;
    for line in [
        "cube.dds  (blocks as .dds, BC7, 2 mip levels, six faces)",
        "tiles.ktx2  (blocks as .ktx2, ETC2_RGB, 2 mip levels, 5 layers)",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    sandbox.run(["pack", "tree", "-o", "again.rres"]).success();
    let packs = ["game.rres", "again.rres"].map(|name| Pack::open(sandbox.path(name)).unwrap());
    for (path, shape, props) in cases {
        let [image, again] = packs.each_ref().map(|pack| pack.load::<Image>(pack.find(path).unwrap()).unwrap());
        assert_eq!((again.shape(), again.format(), again.mipmaps()), (shape, props.format, props.mipmaps), "{path}");
        assert_eq!((again.width(), again.height()), (props.width, props.height), "{path}");
        assert_eq!(again.data()[..], image.data()[..], "{path}");
    }
}

/// ETC1 and PVRTC become KTX files of version 1, of which a build makes the same pixels.
#[test]
fn blocks_of_old_phones_survive_a_build_of_what_was_extracted() {
    let formats = [PixelFormat::ETC1_RGB, PixelFormat::PVRT_RGB, PixelFormat::PVRT_RGBA];
    let mut pack = PackBuilder::new();
    for format in formats {
        let blocks: Vec<u8> = (0..(16 + 4 + 1) * 8).map(|number| number as u8).collect();
        pack.push(picture(&format!("{format}.ktx"), props(16, 16, format, 3), &blocks));
    }
    let sandbox = with_pack(&pack);
    sandbox.run(["extract", "game.rres", "-o", "tree"]).success();
    sandbox.run(["pack", "tree", "-o", "again.rres"]).success();
    sandbox.run(["extract", "again.rres", "-o", "twice"]).success();
    for format in formats {
        let name = format!("{format}.ktx");
        let out = sandbox.run(["info", "again.rres", &name]).success().out;
        assert!(out.contains(&format.to_string()) && out.contains("mipmaps      3"), "{out}");
        assert_eq!(sandbox.read(&format!("tree/{name}")), sandbox.read(&format!("twice/{name}")), "{name}");
    }
}

/// BC4 to BC7 become DDS files with the header of Direct3D 10, and pictures as `bcdec_rs` decodes them.
#[test]
fn bc4_to_bc7_are_dds_files_or_pictures() {
    let gray = [200, 100, 0, 0, 0, 0, 0, 0];
    let minus_one = [0x81, 0x81, 0, 0, 0, 0, 0, 0];
    // All ones of mode 6: white.
    let white = [0x40 | 0x80, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255];
    let cases = [
        ("gray", PixelFormat::BC4, gray.to_vec(), 80, [200, 200, 200, 255]),
        ("low", PixelFormat::BC4_SIGNED, minus_one.to_vec(), 81, [1, 1, 1, 255]),
        ("pair", PixelFormat::BC5, [gray, [7, 0, 0, 0, 0, 0, 0, 0]].concat(), 83, [200, 7, 0, 255]),
        ("low2", PixelFormat::BC5_SIGNED, [minus_one, [0; 8]].concat(), 84, [1, 128, 0, 255]),
        ("white", PixelFormat::BC7, white.to_vec(), 99, [255; 4]),
    ];
    let mut pack = PackBuilder::new();
    for (name, format, block, ..) in &cases {
        pack.push(picture(&format!("{name}.dds"), props(4, 4, *format, 1), block));
    }
    let sandbox = with_pack(&pack);
    sandbox.run(["extract", "game.rres", "-o", "tree"]).success();
    sandbox.run(["extract", "game.rres", "-o", "flat", "--decode-blocks"]).success();
    for (name, format, block, dxgi, pixel) in cases {
        let dds = sandbox.read(&format!("tree/{name}.dds"));
        assert_eq!((&dds[84..88], dds[128], &dds[148..]), (&b"DX10"[..], dxgi, &block[..]), "{format}");
        let pixels = decoded(&sandbox.read(&format!("flat/{name}.dds.png")));
        assert_eq!(pixels, (4, 4, ColorType::Rgba, pixel.repeat(16)), "{format}");
    }
}

/// What a build reads from the `.ktx2` file is what was in the pack.
#[test]
fn blocks_of_etc_and_astc_become_ktx2_and_come_back() {
    let formats = PixelFormat::NAMED.iter().copied().filter(|format| {
        let name = format.name().unwrap();
        ["ETC2", "EAC", "ASTC"].iter().any(|start| name.starts_with(start))
    });
    let mut pack = PackBuilder::new();
    let mut linear = Meta::default();
    linear.set(MetaKey::COLOR_SPACE, ColorSpace::Linear as u32);
    let mut expected = Vec::new();
    for (number, format) in formats.enumerate() {
        let props = props(24, 13, format, 3);
        let blocks: Vec<u8> = (0..props.data_size().unwrap()).map(|i| (i * 7 + number as u64) as u8).collect();
        let image = picture(&format!("{format}.ktx2"), props, &blocks);
        let is_one_channel = format.name().unwrap().starts_with("EAC");
        // Formats without a variant in sRGB come back as linear.
        pack.push(if is_one_channel { image.with_meta(linear.clone()) } else { image });
        expected.push((format!("{format}.ktx2"), blocks));
    }
    assert_eq!(expected.len(), 3 + 4 + 14);
    let sandbox = with_pack(&pack);
    sandbox.run(["extract", "game.rres", "-o", "tree"]).success();
    sandbox.run(["build", "tree", "-o", "again", "--name", "game"]).success();
    let [before, after] = ["game.rres", "again/game.rres"].map(|path| Pack::open(sandbox.path(path)).unwrap());
    for (path, blocks) in expected {
        let [before, after] = [&before, &after].map(|pack| pack.load::<Image>(pack.find(&path).unwrap()).unwrap());
        let facts = |image: &Image| (image.format(), image.color_space(), image.mipmaps());
        assert_eq!((facts(&after), &after.data()[..]), (facts(&before), &blocks[..]), "{path}");
    }
}

#[test]
fn smaller_levels_are_files_if_asked() {
    let mut pack = PackBuilder::new();
    let levels = [vec![1; 8], vec![2; 2], vec![3; 1]].concat();
    pack.push(picture("a.png", props(4, 2, PixelFormat::GRAY8, 3), &levels));
    pack.push(picture("b.dds", props(4, 2, PixelFormat::GRAY8, 3), &levels));
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree", "--mips"]).success().out;
    assert_eq!(decoded(&sandbox.read("tree/a.png")).3, [1; 8]);
    assert_eq!(decoded(&sandbox.read("tree/a.mip1.png")), (2, 1, ColorType::Grayscale, vec![2; 2]));
    assert_eq!(decoded(&sandbox.read("tree/a.mip2.png")), (1, 1, ColorType::Grayscale, vec![3]));
    assert!(out.contains("a.mip2.png  (pixels as .png, mip level 2)\n"), "{out}");
    assert!(sandbox.read("tree/b.dds").ends_with(&levels));
    assert!(!sandbox.path("tree/b.mip1.png").exists());
    let out = sandbox.run(["extract", "game.rres", "-o", "one"]).success().out;
    assert!(out.contains("a.png  (pixels as .png, without the smaller mip levels)\n"), "{out}");
}

#[test]
fn fonts_become_a_picture_and_its_metrics_for_each_size() {
    let strike = |size: u32| {
        let glyph =
            |codepoint, x| Glyph { x, width: 7, height: 8, codepoint, offset_y: 2, advance_x: 8, ..Glyph::default() };
        let glyphs = glyphs_block(size, 1, FontStyle::BOLD, &[glyph(0x41, 0), glyph(0x1f600, 8)]);
        let atlas = props(16, 8, PixelFormat::GRAY_ALPHA8, 1).block(&pixels(16, 8, 2));
        [chunk(FourCc::FNTG, &glyphs, Compression::NONE), chunk(FourCc::IMGE, &atlas, Compression::NONE)]
    };
    let mut meta = Meta::default();
    meta.set_f32(MetaKey::ASCENT, 6.5);
    meta.set_f32(MetaKey::LINE_HEIGHT, 10.1);
    let chunks = [8, 16, 8].into_iter().flat_map(strike).collect();
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("fonts/sans.ttf", chunks).with_meta(meta));
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree"]).success().out;
    assert!(out.contains(&local("fonts/sans.ttf.8.png  (glyphs of 8 pixels as .png)\n")), "{out}");
    assert!(out.ends_with("6 files written, 0 resources skipped\n"), "{out}");
    assert!(sandbox.path("tree/fonts/sans.ttf.8-3.json").is_file(), "a size can occur twice: {out}");
    assert_eq!(decoded(&sandbox.read("tree/fonts/sans.ttf.16.png")).3, pixels(16, 8, 2));
    let json: Value = serde_json::from_slice(&sandbox.read("tree/fonts/sans.ttf.8.json")).unwrap();
    assert_eq!(json["pages"], serde_json::json!(["sans.ttf.8.png"]));
    assert_eq!((&json["info"]["size"], &json["info"]["bold"]), (&8.into(), &1.into()));
    assert_eq!((&json["common"]["lineHeight"], &json["common"]["base"]), (&10.1.into(), &6.5.into()));
    let chars = json["chars"].as_array().unwrap();
    assert_eq!((&chars[1]["char"], &chars[1]["id"], &chars[1]["x"]), (&"😀".into(), &0x1f600.into(), &8.into()));
    assert_eq!((&chars[0]["yoffset"], &chars[0]["xadvance"]), (&2.into(), &8.into()));
}

#[test]
fn what_files_cannot_hold_becomes_settings_if_asked() {
    let mut meta = Meta::default();
    meta.set(MetaKey::FILTER, 1);
    meta.set(MetaKey::COLOR_SPACE, ColorSpace::Linear as u32);
    let mut pack = PackBuilder::new();
    let resource = image("a[1].jpg", PixelFormat::RGB565, &[0; 256], Compression::NONE);
    pack.push(resource.with_meta(meta));
    // Its id does not follow from its path.
    pack.push(image("b.bmp", PixelFormat::RGB565, &[0; 256], Compression::NONE).with_id(rres_format::ResourceId(7)));
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree", "--metadata"]).success().out;
    assert!(out.contains("assets.toml  (settings that the files cannot hold)\n"), "{out}");
    let settings = String::from_utf8(sandbox.read("tree/assets.toml")).unwrap();
    let rule = "[\"a[[]1[]].jpg.png\"]\npath = \"a[1].jpg\"\nimage = { format = \"rgb565\", filter = \"nearest\", color_space = \"linear\" }\n";
    assert!(settings.contains(rule), "{settings}");
    assert!(settings.contains("[\"b.bmp.png\"]\nid = 0x00000007\n"), "{settings}");
    sandbox.run(["extract", "game.rres", "-o", "tree", "--metadata"]).failed(2, &["would be replaced"]);
}

#[test]
fn sprites_become_the_pictures_that_were_put_into_the_atlas() {
    let numbers = pixels(8, 4, 4);
    let atlas = image_of(8, 4, &numbers);
    let sprite = |path: &str, x: u32| {
        let props = SpriteProps { x, y: 1, width: 3, height: 2, left: 1, top: 0, full_width: 5, full_height: 3 };
        let mut sprite = Resource::new(path, vec![chunk(FourCc::SPRT, &props.block(), Compression::NONE)]);
        sprite.dependencies = vec![atlas.id];
        sprite
    };
    let (inside, outside) = (sprite("ui/heart.bmp", 4), sprite("ui/star.png", 6));
    let mut pack = PackBuilder::new();
    for resource in [atlas, inside, outside] {
        pack.push(resource);
    }
    let sandbox = with_pack(&pack);
    let run = sandbox.run(["extract", "game.rres", "-o", "tree", "--metadata"]);
    assert!(run.out.contains(&local("tree/ui/heart.bmp.png  (cut out of its atlas, as .png)\n")), "{}", run.out);
    let all = format!("{}{}", run.out, run.err);
    assert!(all.contains("its 3×2 pixels at 6,1 are not inside its atlas of 8×4"), "{all}");
    let (width, height, color, found) = decoded(&sandbox.read("tree/ui/heart.bmp.png"));
    assert_eq!((width, height, color), (5, 3, ColorType::Rgba));
    let row = |y: usize| [&[0; 4][..], &numbers[(y * 8 + 4) * 4..][..12], &[0; 4]].concat();
    assert_eq!(found, [row(1), row(2), vec![0; 20]].concat());
    let settings = String::from_utf8(sandbox.read("tree/assets.toml")).unwrap();
    assert!(settings.contains("# It was in an atlas") && !settings.contains("kind ="), "{settings}");
}

fn image_of(width: u32, height: u32, pixels: &[u8]) -> Resource<'static> {
    picture("ui.atlas", props(width, height, PixelFormat::RGBA8, 1), pixels)
}

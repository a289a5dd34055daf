//! Every kind of asset, value by value.

use std::time::Duration;

use rres_format::chunk::frames::{AnimationProps, Direction, FrameProps, frames_block};
use rres_format::chunk::glyphs::{Glyph, glyphs_block};
use rres_format::chunk::image::ImageProps;
use rres_format::chunk::kerning::Kerning;
use rres_format::chunk::link::link_block;
use rres_format::chunk::markers::{MarkerView, markers_block};
use rres_format::chunk::model::{self, model_block};
use rres_format::chunk::shader::{PipelineConstant, ShaderInterface, ShaderScalar};
use rres_format::chunk::sprite::SpriteProps;
use rres_format::chunk::text::TextProps;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{GlyphForm, Meta, MetaKey};
use rres_format::{FourCc, Resource};
use rres_runtime::asset::model::{Indices, Topology};
use rres_runtime::asset::{
    CodeLanguage, ColorSpace, CubeFace, Filter, FontStyle, PixelFormat, Playback, Samples, TextEncoding, Wrap,
};
use rres_runtime::{AssetKind, Font, Image, Link, Model, Pack, PackOptions, Raw, ResourceId, Sound, Sprite, Text};

use super::assets::{SAMPLES, image, pack, pixels, plain, raw, sound, text};
use super::{id, store};

/// A pack in memory that holds one resource.
fn one(resource: Resource<'static>) -> (Pack, ResourceId) {
    let id = resource.id;
    (PackOptions::default().from_bytes(pack([resource]).to_vec().unwrap()).unwrap(), id)
}

#[test]
fn raw_files() {
    let (pack, id) = one(raw("data/table.json", b"{ }"));
    let raw: Raw = pack.load(id).unwrap();
    assert_eq!((raw.bytes(), raw.extension()), (&b"{ }"[..], ".json"));
    let (pack, id) = one(raw_empty());
    assert_eq!(pack.load::<Raw>(id).unwrap().bytes(), b"");
}

fn raw_empty() -> Resource<'static> {
    raw("empty", b"")
}

#[test]
fn texts_of_every_encoding() {
    let written = "Grüße, 世界\n";
    let utf16: Vec<u8> = written.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bom = [b"\xef\xbb\xbf", written.as_bytes()].concat();
    for (encoding, bytes) in [
        (TextEncoding::UTF8, written.as_bytes()),
        (TextEncoding::UTF8_BOM, &bom),
        (TextEncoding::UTF16_LE, &utf16),
        (TextEncoding::UNDEFINED, written.as_bytes()),
    ] {
        let props = TextProps { size: bytes.len() as u32, encoding, language: CodeLanguage::LUA, culture: 0x409 };
        let (pack, id) = one(Resource::new("a.lua", vec![plain(FourCc::TEXT, &props.block(bytes))]));
        let text: Text = pack.load(id).unwrap();
        assert_eq!((text.as_str(), text.encoding()), (written, encoding));
        assert_eq!((text.language(), text.culture()), (CodeLanguage::LUA, Some(0x409)));
    }
    let (pack, id) = one(text("b.txt", ""));
    let text: Text = pack.load(id).unwrap();
    assert_eq!((text.as_str(), text.culture()), ("", None));
}

#[test]
fn sprites_and_their_atlas() {
    let props = ImageProps { width: 8, height: 4, format: PixelFormat::GRAY8, mipmaps: 1 };
    let atlas = Resource::new("ui.atlas", vec![plain(FourCc::IMGE, &props.block(&[7; 32]))]);
    let rectangle = SpriteProps { x: 2, y: 1, width: 4, height: 2, left: 1, top: 0, full_width: 6, full_height: 2 };
    let chunk = plain(FourCc::SPRT, &rectangle.block());
    let mut sprite = Resource::new("ui/a.png", vec![chunk.clone()]);
    sprite.dependencies = vec![atlas.id];
    let (id, atlas_id) = (sprite.id, atlas.id);
    let pack = PackOptions::default().from_bytes(pack([atlas, sprite]).to_vec().unwrap()).unwrap();
    let sprite: Sprite = pack.load(id).unwrap();
    assert_eq!((sprite.x(), sprite.y(), sprite.width(), sprite.height()), (2, 1, 4, 2));
    assert_eq!((sprite.offset(), sprite.full_size()), ((1, 0), (6, 2)));
    assert_eq!(sprite.atlas().resource(), atlas_id);
    let image: Image = pack.load(sprite.atlas().resource()).unwrap();
    assert_eq!(sprite.tex_coords(&image), [0.25, 0.25, 0.75, 0.75]);

    // A sprite without an atlas is damaged.
    let (pack, id) = one(Resource::new("ui/a.png", vec![chunk]));
    assert!(pack.load::<Sprite>(id).unwrap_err().to_string().contains("expected the id of an atlas"));
}

#[test]
fn images_with_links() {
    let props = ImageProps { width: 2, height: 1, format: PixelFormat::GRAY8, mipmaps: 1 };
    let image = |path: &'static str| Resource::new(path, vec![plain(FourCc::IMGE, &props.block(&[7; 2]))]);
    let others = ["wall_n.png", "wall_old.png", "wall_2.png", "wall_3.png"].map(image);
    let ids = others.each_ref().map(|other| other.id);
    let keys = [
        (MetaKey::BUMP, 0),
        (MetaKey::ALTERNATE, 1),
        (MetaKey::SEQUENCE, 2),
        (MetaKey::SEQUENCE_LENGTH, 3),
        (MetaKey::FRAME_TIME, 80),
        (MetaKey::PLAYBACK, 1),
    ];
    let wall = |changed: (MetaKey, u32)| {
        let mut wall = image("wall_1.png");
        wall.dependencies = ids.to_vec();
        keys.iter().chain([&changed]).for_each(|(key, value)| wall.meta.set(*key, *value));
        let id = wall.id;
        let loaded =
            PackOptions::default().from_bytes(pack(others.iter().cloned().chain([wall])).to_vec().unwrap()).unwrap();
        (loaded.load::<Image>(id), id)
    };
    let (wall_1, id) = wall((MetaKey::BUMP, 0));
    let wall_1 = wall_1.unwrap();
    let linked = [wall_1.bump(), wall_1.alternate()].map(|id| id.unwrap().resource());
    assert_eq!(linked, [ids[0], ids[1]]);
    let sequence = wall_1.sequence().unwrap();
    assert_eq!(sequence.images().iter().map(|id| id.resource()).collect::<Vec<_>>(), [id, ids[2], ids[3]]);
    assert_eq!((sequence.frame_time(), sequence.playback()), (Duration::from_millis(80), Playback::Once));
    assert_eq!(sequence.at(Duration::from_millis(100)).resource(), ids[2]);
    for damage in
        [(MetaKey::BUMP, 4), (MetaKey::SEQUENCE, 3), (MetaKey::SEQUENCE_LENGTH, 1), (MetaKey::SEQUENCE_LENGTH, 0)]
    {
        let error = wall(damage).0.unwrap_err().to_string();
        assert!(error.contains("expected one of 4 dependencies"), "{damage:?}: {error}");
    }
    let (pack, id) = one(image("a.png"));
    let image: Image = pack.load(id).unwrap();
    assert!(image.bump().is_none() && image.alternate().is_none() && image.sequence().is_none());
}

#[test]
fn images_with_frames() {
    let props = ImageProps { width: 6, height: 2, format: PixelFormat::GRAY8, mipmaps: 1 };
    let frame = |i: u32, milliseconds| FrameProps { x: 2 * i, width: 2, height: 2, milliseconds, ..Default::default() };
    let frames = [frame(0, 100), frame(1, 50), frame(2, 200)];
    let animation = |name, first, count, direction| AnimationProps { name, first, count, direction };
    let animations = [
        animation("walk", 0, 3, Direction::PingPong),
        animation("back", 0, 2, Direction::Reverse),
        animation("stand", 2, 1, Direction::PingPong),
    ];
    let block = frames_block((2, 2), &frames, &animations);
    let chunks = |frames: &[u8]| vec![plain(FourCc::IMGE, &props.block(&[7; 12])), plain(FourCc::FRMS, frames)];
    let (sheet, id) = one(Resource::new("a.gif", chunks(&block)));
    let image: Image = sheet.load(id).unwrap();
    let found = image.frames().unwrap();
    assert_eq!((found.size(), found.all().len(), found.animations().len()), ((2, 2), 3, 3));
    let shown =
        |name: &str, at: u64| found.at(found.animation(name).unwrap(), Duration::from_millis(at)).unwrap().x / 2;
    let walk: Vec<u32> = [0, 99, 100, 149, 150, 349, 350, 399, 400, 499, 500].map(|at| shown("walk", at)).to_vec();
    assert_eq!(walk, [0, 0, 1, 1, 2, 2, 1, 1, 0, 0, 1]);
    assert_eq!([0, 49, 50, 149, 150].map(|at| shown("back", at)), [1, 1, 0, 0, 1]);
    assert_eq!(shown("stand", 12_345), 2);
    assert_eq!(found.at_of_all(Duration::from_millis(360)).unwrap().x, 0);
    assert!(found.animation("run").is_none());

    // Frames that are not inside the image are damage.
    let (sheet, id) = one(Resource::new("a.gif", chunks(&frames_block((2, 2), &[frame(3, 1)], &[]))));
    assert!(sheet.load::<Image>(id).is_err());
}

#[test]
fn texts_with_the_interface_of_a_shader() {
    let interface = ShaderInterface {
        constants: vec![PipelineConstant {
            name: "gain".to_owned(),
            id: None,
            scalar: ShaderScalar::F32,
            has_default: true,
        }],
        ..ShaderInterface::default()
    };
    let block = interface.block();
    let text = plain(FourCc::TEXT, &TextProps::utf8(2).block(b"ok"));
    let load = |chunks| {
        let (pack, id) = one(Resource::new("a.wgsl", chunks));
        pack.load::<Text>(id)
    };
    let loaded = load(vec![text.clone(), plain(FourCc::SHDR, &block)]).unwrap();
    assert_eq!((loaded.as_str(), loaded.shader()), ("ok", Some(&interface)));
    assert_eq!(load(vec![text.clone()]).unwrap().shader(), None);
    // An interface that is cut off is damage.
    assert!(load(vec![text, plain(FourCc::SHDR, &block[..block.len() - 1])]).is_err());
}

#[test]
fn images_with_padding() {
    let props = ImageProps { width: 4, height: 4, format: PixelFormat::GRAY8, mipmaps: 1 };
    // The last size is not possible, and metadata comes from a file, too.
    for (stored, size) in [((3, 2), (3, 2)), ((4, 4), (4, 4)), ((0, 9), (1, 4))] {
        let mut meta = Meta::default();
        meta.set(MetaKey::CONTENT_WIDTH, stored.0);
        meta.set(MetaKey::CONTENT_HEIGHT, stored.1);
        let chunk = plain(FourCc::IMGE, &props.block(&[7; 16]));
        let (pack, id) = one(Resource::new("a.png", vec![chunk]).with_meta(meta));
        assert_eq!(pack.load::<Image>(id).unwrap().content_size(), size);
    }
}

#[test]
fn images_with_levels_and_sampling() {
    let props = ImageProps { width: 4, height: 2, format: PixelFormat::GRAY8, mipmaps: 3 };
    let mut meta = Meta::default();
    for (key, value) in
        [(MetaKey::FILTER, 1), (MetaKey::WRAP, 2), (MetaKey::COLOR_SPACE, 1), (MetaKey::PREMULTIPLIED, 1)]
    {
        meta.set(key, value);
    }
    let chunk = plain(FourCc::IMGE, &props.block(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
    let (pack, id) = one(Resource::new("a.png", vec![chunk]).with_meta(meta));
    let image: Image = pack.load(id).unwrap();
    assert_eq!((image.width(), image.height(), image.format(), image.mipmaps()), (4, 2, PixelFormat::GRAY8, 3));
    assert_eq!((image.filter(), image.wrap()), (Filter::Nearest, Wrap::Mirror));
    assert_eq!((image.color_space(), image.is_premultiplied()), (ColorSpace::Linear, true));
    assert_eq!(*image.data(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    let level = |number| image.level(number).map(|level| (level.width, level.height, level.pixels));
    assert_eq!(level(0), Some((4, 2, &[1, 2, 3, 4, 5, 6, 7, 8][..])));
    assert_eq!(level(1), Some((2, 1, &[9, 10][..])));
    assert_eq!(level(2), Some((1, 1, &[11][..])));
    assert_eq!(image.content_size(), (4, 2));
    assert_eq!((level(3), level(u32::MAX)), (None, None));
    assert_eq!(image.to_rgba8().unwrap()[..8], [1, 1, 1, 255, 2, 2, 2, 255]);
}

#[test]
fn cubemaps_have_six_faces_in_each_level() {
    let cube = |height: u32| {
        let props = ImageProps { width: 2, height, format: PixelFormat::GRAY8, mipmaps: 2 };
        let mut meta = Meta::default();
        meta.set(MetaKey::CUBEMAP, 1);
        let size = props.data_size().unwrap() as u8;
        let chunk = plain(FourCc::IMGE, &props.block(&(0..size).collect::<Vec<u8>>()));
        let (pack, id) = one(Resource::new("a.cubemap", vec![chunk]).with_meta(meta));
        pack.load::<Image>(id)
    };
    let sky = cube(12).unwrap();
    assert!(sky.is_cubemap());
    for (number, face) in (0u8..).zip(CubeFace::ALL) {
        let large = sky.cube_face(face, 0).unwrap();
        assert_eq!((large.width, large.height, large.bytes_per_row, large.rows), (2, 2, 2, 2));
        assert_eq!(large.pixels, [0, 1, 2, 3].map(|pixel| number * 4 + pixel));
        let small = sky.cube_face(face, 1).unwrap();
        assert_eq!((small.width, small.height, small.pixels), (1, 1, &[24 + number][..]));
        assert_eq!(sky.cube_face(face, 2), None);
    }
    let error = cube(10).unwrap_err().to_string();
    assert!(error.contains("a cubemap of 2×10 pixels, expected six squares in a column"), "{error}");
    let (pack, id) = one(image("a.png", Default::default()));
    let flat: Image = pack.load(id).unwrap();
    assert!(!flat.is_cubemap() && flat.cube_face(CubeFace::PositiveX, 0).is_none());
}

#[test]
fn images_without_metadata_are_linear_clamped_srgb() {
    let (pack, id) = one(image("a.png", Default::default()));
    let image: Image = pack.load(id).unwrap();
    assert_eq!((image.filter(), image.wrap()), (Filter::Linear, Wrap::Clamp));
    assert_eq!((image.color_space(), image.is_premultiplied()), (ColorSpace::Srgb, false));
    assert_eq!(*image.data(), pixels());
}

#[test]
fn every_uncompressed_format_becomes_rgba8() {
    let floats = |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
    let word = |value: u16| value.to_le_bytes().to_vec();
    for (format, pixel, rgba) in [
        (PixelFormat::GRAY_ALPHA8, vec![9, 8], [9, 9, 9, 8]),
        (PixelFormat::RGB8, vec![1, 2, 3], [1, 2, 3, 255]),
        (PixelFormat::RGBA8, vec![1, 2, 3, 4], [1, 2, 3, 4]),
        (PixelFormat::RGB565, word(31 << 11), [255, 0, 0, 255]),
        (PixelFormat::RGB565, word(63 << 5 | 16), [0, 255, 132, 255]),
        (PixelFormat::RGBA5551, word(31 << 6 | 1), [0, 255, 0, 255]),
        (PixelFormat::RGBA5551, word(31 << 1), [0, 0, 255, 0]),
        (PixelFormat::RGBA4444, word(0x1_2_3_f), [17, 34, 51, 255]),
        (PixelFormat::R32F, floats(&[0.5]), [128, 128, 128, 255]),
        (PixelFormat::RGB32F, floats(&[-1.0, 2.0, 1.0]), [0, 255, 255, 255]),
        (PixelFormat::RGBA32F, floats(&[0.0, 1.0, f32::NAN, 0.5]), [0, 255, 0, 128]),
    ] {
        let props = ImageProps { width: 1, height: 1, format, mipmaps: 1 };
        let (pack, id) = one(Resource::new("a.png", vec![plain(FourCc::IMGE, &props.block(&pixel))]));
        assert_eq!(pack.load::<Image>(id).unwrap().to_rgba8().unwrap()[..], rgba, "{format}");
    }
    let props = ImageProps { width: 4, height: 4, format: PixelFormat::DXT1_RGB, mipmaps: 1 };
    let (pack, id) = one(Resource::new("a.dds", vec![plain(FourCc::IMGE, &props.block(&[1; 8]))]));
    let image: Image = pack.load(id).unwrap();
    assert_eq!((image.to_rgba8(), &**image.data()), (None, &[1; 8][..]));
}

#[test]
fn sounds_of_every_sample_form() {
    let mut meta = Meta::default();
    meta.set_f32(MetaKey::GAIN, -6.0);
    meta.set(MetaKey::LOOP, 1);
    let (pack, id) = one(sound("a.wav").with_meta(meta));
    let sound: Sound = pack.load(id).unwrap();
    assert_eq!(sound.samples(), Samples::I16(&SAMPLES));
    assert_eq!((sound.frames(), sound.sample_rate(), sound.channels()), (4, 8000, 2));
    assert_eq!(sound.duration(), std::time::Duration::from_micros(500));
    assert_eq!((sound.gain(), sound.is_looped()), (-6.0, true));

    let wave = |sample_size, bytes: &[u8]| {
        let props = WaveProps { frames: 2, sample_rate: 44100, sample_size, channels: 1 };
        let (pack, id) = one(Resource::new("a.wav", vec![plain(FourCc::WAVE, &props.block(bytes))]));
        pack.load::<Sound>(id)
    };
    let sound = wave(8, &[128, 255]).unwrap();
    assert_eq!((sound.samples(), sound.gain(), sound.is_looped()), (Samples::U8(&[128, 255]), 0.0, false));
    let bytes: Vec<u8> = [-1.0f32, 0.25].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(wave(32, &bytes).unwrap().samples(), Samples::F32(&[-1.0, 0.25]));
    super::assert_message(wave(24, &[0; 6]), &["\"a.wav\"", "24 bits per sample, expected 8, 16 or 32"]);
}

#[test]
fn places_in_sounds() {
    let playback = |points: Option<(u32, u32)>, markers: Option<Vec<u8>>| {
        let mut meta = Meta::default();
        points.into_iter().for_each(|(start, end)| {
            meta.set(MetaKey::LOOP_START, start);
            meta.set(MetaKey::LOOP_END, end);
        });
        meta.set(MetaKey::PRIORITY, 10);
        meta.set_f32(MetaKey::FALLOFF, 15.5);
        let mut resource = sound("a.wav").with_meta(meta);
        resource.chunks.extend(markers.map(|block| plain(FourCc::MARK, &block)));
        let (pack, id) = one(resource);
        pack.load::<Sound>(id)
    };
    let block = markers_block(&[MarkerView { frame: 1, name: "step" }, MarkerView { frame: 4, name: "" }]).unwrap();
    let found = playback(Some((1, 4)), Some(block.clone())).unwrap();
    assert_eq!((found.loop_points(), found.priority(), found.falloff()), (Some(1..4), 10, 15.5));
    let markers: Vec<(u64, &str)> = found.markers().iter().map(|marker| (marker.frame, &*marker.name)).collect();
    assert_eq!(markers, [(1, "step"), (4, "")]);
    assert_eq!((found.marker("step").map(|marker| marker.frame), found.marker("stop")), (Some(1), None));
    assert_eq!(found.samples(), Samples::I16(&SAMPLES));
    // A player must not be led out of the four frames.
    for points in [None, Some((1, 5)), Some((3, 3)), Some((4, 2))] {
        assert_eq!(playback(points, None).unwrap().loop_points(), None, "{points:?}");
    }
    let (pack, id) = one(sound("a.wav"));
    let bare: Sound = pack.load(id).unwrap();
    assert_eq!((bare.priority(), bare.falloff(), bare.markers().len()), (0, 1.0, 0));
    super::assert_message(playback(None, Some(block[..54].to_vec())), &["\"a.wav\"", "the name of a marker"]);
}

#[test]
fn encoded_sounds() {
    let mut meta = Meta::default();
    for (key, value) in
        [(MetaKey::SAMPLE_RATE, 48000), (MetaKey::CHANNELS, 2), (MetaKey::FRAMES_LOW, 5), (MetaKey::FRAMES_HIGH, 1)]
    {
        meta.set(key, value);
    }
    // Large enough for so many frames.
    let bytes = [&b"OggS"[..], &[0; 600_000]].concat();
    let (pack, id) = one(raw("music.ogg", &bytes).with_kind(AssetKind::Sound).with_meta(meta));
    let sound: Sound = pack.load(id).unwrap();
    assert_eq!(sound.samples(), Samples::Encoded { extension: ".ogg", bytes: &bytes });
    assert_eq!((sound.frames(), sound.sample_rate(), sound.channels()), ((1 << 32) + 5, 48000, 2));
}

#[test]
fn fonts_of_two_sizes() {
    let glyph =
        |codepoint, x| Glyph { codepoint, x, y: 1, width: 2, height: 3, offset_x: -1, offset_y: 4, advance_x: 5 };
    let atlas = |edge: u32, value| {
        let props = ImageProps { width: edge, height: edge, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
        plain(FourCc::IMGE, &props.block(&vec![value; (edge * edge * 2) as usize]))
    };
    let chunks = vec![
        plain(FourCc::FNTG, &glyphs_block(16, 1, FontStyle::BOLD, &[glyph(66, 2), glyph(65, 0)])),
        atlas(4, 1).unlinked(),
        plain(FourCc::FNTG, &glyphs_block(32, 2, FontStyle::BOLD, &[glyph(0x1f600, 5)])),
        atlas(8, 2),
    ];
    let mut meta = Meta::default();
    meta.set_f32(MetaKey::ASCENT, 12.0);
    meta.set_f32(MetaKey::LINE_HEIGHT, 20.0);
    let (pack, id) = one(Resource::new("a.ttf", chunks).with_meta(meta));
    let font: Font = pack.load(id).unwrap();
    let [small, large] = font.strikes() else { panic!("{font:?}") };
    assert_eq!((small.size(), small.padding(), small.style()), (16, 1, FontStyle::BOLD));
    assert_eq!((small.ascent(), small.line_height()), (12.0, 20.0));
    assert_eq!((large.ascent(), large.line_height()), (24.0, 40.0), "metrics scale with the size");
    assert_eq!(small.glyphs(), [glyph(65, 0), glyph(66, 2)], "by codepoint");
    assert_eq!(small.glyph('B'), Some(&glyph(66, 2)));
    assert_eq!((small.glyph('C'), large.glyph('😀')), (None, Some(&glyph(0x1f600, 5))));
    assert_eq!((&**small.atlas().data(), large.atlas().width()), (&[1; 32][..], 8));
    let nearest = |pixels| font.strike(pixels).size();
    assert_eq!((nearest(0), nearest(17), nearest(24), nearest(900)), (16, 16, 32, 32));
}

#[test]
fn fonts_of_several_pages_with_kerning_and_metrics() {
    let glyph =
        |codepoint, x| Glyph { codepoint, x, y: 0, width: 2, height: 3, offset_x: 0, offset_y: 4, advance_x: 5 };
    let atlas = |value| {
        let props = ImageProps { width: 8, height: 4, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
        plain(FourCc::IMGE, &props.block(&[value; 64]))
    };
    let table = |glyphs: &[Glyph]| plain(FourCc::FNTG, &glyphs_block(16, 1, FontStyle::REGULAR, glyphs));
    let kerning = Kerning::new(2000.0, [(65, 1, 1093.75), (66, 2, 900.0), (67, 3, 800.0)], [(1, 2, -250), (3, 1, 125)]);
    let chunks = vec![
        table(&[glyph(65, 0), glyph(67, 2)]),
        atlas(1).unlinked(),
        table(&[glyph(66, 4)]),
        atlas(2).unlinked(),
        plain(FourCc::KERN, &kerning.block()),
    ];
    let mut meta = Meta::default();
    for (key, value) in [
        (MetaKey::ASCENT, 12.0),
        (MetaKey::LINE_HEIGHT, 20.0),
        (MetaKey::DESCENT, 4.0),
        (MetaKey::CAP_HEIGHT, 9.0),
        (MetaKey::X_HEIGHT, 7.0),
        (MetaKey::UNDERLINE, 1.5),
        (MetaKey::UNDERLINE_THICKNESS, 1.0),
        (MetaKey::DISTANCE_RANGE, 6.0),
    ] {
        meta.set_f32(key, value);
    }
    meta.set(MetaKey::GLYPH_FORM, GlyphForm::Sdf as u32);
    let (pack, id) = one(Resource::new("a.ttf", chunks).with_meta(meta));
    let font: Font = pack.load(id).unwrap();
    let [strike] = font.strikes() else { panic!("{font:?}") };
    assert_eq!((strike.pages().len(), strike.atlas().data()[0], strike.pages()[1].data()[0]), (2, 1, 2));
    assert_eq!(strike.glyphs(), [glyph(65, 0), glyph(66, 4), glyph(67, 2)]);
    assert_eq!(['A', 'B', 'C', 'D'].map(|c| strike.page(c)), [Some(0), Some(1), Some(0), None]);
    // 16 pixels are 2000 units.
    assert_eq!((strike.kerning('A', 'B'), strike.kerning('C', 'A'), strike.kerning('B', 'A')), (-2.0, 1.0, 0.0));
    assert_eq!(font.kerning('A', 'B') * 32.0, -4.0, "at twice the size");
    assert_eq!((strike.advance('A'), strike.advance('D')), (Some(8.75), None));
    assert_eq!(strike.kerned_pairs().collect::<Vec<_>>(), [('A', 'B', -2.0), ('C', 'A', 1.0)]);
    let line = strike.line_metrics();
    assert_eq!((line.ascent, line.descent, line.line_height, line.line_gap()), (12.0, 4.0, 20.0, 4.0));
    assert_eq!((line.cap_height, line.x_height, line.underline, line.underline_thickness), (9.0, 7.0, 1.5, 1.0));
    assert_eq!((strike.form(), strike.distance_range()), (GlyphForm::Sdf, Some(6.0)));
}

#[test]
fn a_font_without_kerning_has_whole_advances_and_measured_heights() {
    let glyph = |codepoint: char, offset_y| Glyph {
        codepoint: codepoint as i32,
        width: 1,
        height: 1,
        offset_y,
        advance_x: 5,
        ..Glyph::default()
    };
    let props = ImageProps { width: 1, height: 1, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
    let glyphs = glyphs_block(10, 0, FontStyle::REGULAR, &[glyph('H', 1), glyph('x', 4)]);
    let chunks = vec![plain(FourCc::FNTG, &glyphs), plain(FourCc::IMGE, &props.block(&[0; 2]))];
    let (pack, id) = one(Resource::new("a.ttf", chunks));
    let font: Font = pack.load(id).unwrap();
    let strike = font.strike(10);
    assert_eq!((strike.advance('H'), strike.kerning('H', 'x'), font.kerning('H', 'x')), (Some(5.0), 0.0, 0.0));
    let line = strike.line_metrics();
    assert_eq!((line.ascent, line.descent, line.cap_height, line.x_height), (8.0, 2.0, 7.0, 4.0));
    assert_eq!((strike.form(), strike.distance_range()), (GlyphForm::Coverage, None));
}

#[test]
fn damaged_kerning_is_refused() {
    let props = ImageProps { width: 1, height: 1, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
    let mut kerning = Kerning::new(10.0, [(65, 1, 5.0)], []).block();
    kerning.pop();
    let glyphs = glyphs_block(10, 0, FontStyle::REGULAR, &[]);
    let image = plain(FourCc::IMGE, &props.block(&[0; 2])).unlinked();
    let chunks = vec![plain(FourCc::FNTG, &glyphs), image, plain(FourCc::KERN, &kerning)];
    let (pack, id) = one(Resource::new("a.ttf", chunks));
    super::assert_message(pack.load::<Font>(id), &["\"a.ttf\"", "glyphs"]);
}

#[test]
fn a_glyph_outside_its_atlas_is_refused() {
    let glyph = |x, y| Glyph { codepoint: 65, x, y, width: 2, height: 3, offset_x: 0, offset_y: 0, advance_x: 5 };
    for (x, y) in [(3, 0), (0, 2), (-1, 0), (i32::MAX, 0)] {
        let props = ImageProps { width: 4, height: 4, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
        let glyphs = glyphs_block(16, 0, FontStyle::REGULAR, &[glyph(0, 0), glyph(x, y)]);
        let chunks = vec![plain(FourCc::FNTG, &glyphs), plain(FourCc::IMGE, &props.block(&[0; 32]))];
        let (pack, id) = one(Resource::new("a.ttf", chunks));
        let expected = format!("the glyph of 0x41 is 2 × 3 pixels at {x}, {y}, outside its atlas of 4 × 4");
        super::assert_message(pack.load::<Font>(id), &["\"a.ttf\"", &expected]);
    }
}

#[test]
fn a_font_without_its_atlas_is_refused_with_the_missing_chunk() {
    let glyphs = glyphs_block(16, 0, FontStyle::REGULAR, &[]);
    let (pack, id) = one(Resource::new("a.ttf", vec![plain(FourCc::FNTG, &glyphs)]));
    super::assert_message(pack.load::<Font>(id), &["\"a.ttf\"", "has no chunk of kind IMGE"]);
}

#[test]
fn models_with_nodes_materials_and_images() {
    let image = image("skin.png", Default::default());
    let vertices = |attribute, count, components, format, data: &[u8]| {
        plain(FourCc::VRTX, &VertexProps { count, attribute, components, format }.block(data))
    };
    let floats = |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, -3.0]];
    let transform = std::array::from_fn(|i| i as f32);
    let nodes = [
        model::Node { name: "root", parent: None, mesh: None, transform },
        model::Node { name: "leaf", parent: Some(0), mesh: Some(0), transform },
    ];
    let primitive = |material, attributes| model::Primitive {
        mesh: 0,
        material,
        topology: Topology::TRIANGLES,
        attributes,
        minimum: [0.0, 0.0, -3.0],
        maximum: [1.0, 2.0, 0.0],
    };
    let material = model::Material { name: "fur", base_color: [1.0, 0.5, 0.25, 1.0], base_color_image: Some(0) };
    let structure = model_block(&nodes, &[primitive(Some(0), 4), primitive(None, 2)], &[material]).unwrap();
    let chunks = vec![
        vertices(VertexAttribute::POSITION, 3, 3, VertexFormat::FLOAT, &floats(positions.as_flattened())),
        vertices(VertexAttribute::TEXCOORD1, 3, 2, VertexFormat::FLOAT, &floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0])),
        vertices(VertexAttribute::COLOR, 3, 4, VertexFormat::UBYTE, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        vertices(VertexAttribute::INDEX, 3, 1, VertexFormat::USHORT, &[0, 0, 1, 0, 2, 0]).unlinked(),
        vertices(VertexAttribute::POSITION, 1, 3, VertexFormat::FLOAT, &floats(&[5.0, 6.0, 7.0])),
        vertices(VertexAttribute::INDEX, 1, 1, VertexFormat::UINT, &[0; 4]),
        plain(FourCc::MODL, &structure),
    ];
    let mut resource = Resource::new("fox.glb", chunks);
    resource.dependencies.push(image.id);
    let store = store(&pack([resource, image]));
    let fox = store.load(id::<Model>("fox.glb")).unwrap().get();

    let [first, second] = fox.primitives() else { panic!("{fox:?}") };
    assert_eq!((first.positions(), second.positions()), (&positions[..], &[[5.0, 6.0, 7.0]][..]));
    assert_eq!(first.tex_coords(), Some(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]][..]));
    assert_eq!(first.colors(), Some(&[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]][..]));
    assert_eq!(first.indices(), Some(Indices::U16(&[0, 1, 2])));
    assert_eq!(second.indices(), Some(Indices::U32(&[0])));
    assert_eq!((first.normals(), first.tangents(), first.tex_coords2()), (None, None, None));
    assert_eq!((first.mesh(), first.material(), second.material()), (0, Some(0), None));
    assert_eq!((first.topology(), first.bounds()), (Topology::TRIANGLES, ([0.0, 0.0, -3.0], [1.0, 2.0, 0.0])));
    assert_eq!(first.attributes().count(), 4);

    let [root, leaf] = fox.nodes() else { panic!("{fox:?}") };
    assert_eq!((&*root.name, root.parent, root.mesh), ("root", None, None));
    assert_eq!((&*leaf.name, leaf.parent, leaf.mesh, leaf.transform), ("leaf", Some(0), Some(0), transform));
    let [material] = fox.materials() else { panic!("{fox:?}") };
    assert_eq!((&*material.name, material.base_color), ("fur", [1.0, 0.5, 0.25, 1.0]));
    let skin = store.load(material.base_color_image.unwrap()).unwrap();
    assert_eq!((skin.path(), &**skin.get().data()), ("skin.png", &pixels()[..]));
}

#[test]
fn a_model_with_too_few_attribute_chunks_is_refused() {
    let primitive = model::Primitive {
        mesh: 0,
        material: None,
        topology: Topology::TRIANGLES,
        attributes: u32::MAX,
        minimum: [0.0; 3],
        maximum: [0.0; 3],
    };
    let structure = model_block(&[], &[primitive], &[]).unwrap();
    let (pack, id) = one(Resource::new("a.glb", vec![plain(FourCc::MODL, &structure)]));
    super::assert_message(
        pack.load::<Model>(id),
        &["\"a.glb\"", "a primitive has 4294967295 attributes, 0 chunks are left"],
    );
}

#[test]
fn links() {
    let (pack, id) = one(Resource::new("movie", vec![plain(FourCc::LINK, &link_block("data/movie.mp4"))]));
    assert_eq!(pack.load::<Link>(id).unwrap().path(), "data/movie.mp4");
}

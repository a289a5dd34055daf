//! Aseprite files, which are made here byte by byte.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use rres_format::chunk::frames::{Direction, FramesView};
use rres_settings::ImageFrames;
use rres_test_data::bytes::shorts;

use super::*;

const ALL: fn() -> ImageSettings = || ImageSettings { frames: ImageFrames::All, ..Default::default() };

const RED: [u8; 4] = [200, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 100, 255];

/// Flags of a layer.
const HIDDEN: u16 = 0;
const VISIBLE: u16 = 1;
const BACKGROUND: u16 = 9;
const REFERENCE: u16 = 65;

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn chunk(kind: u16, data: &[u8]) -> Vec<u8> {
    [&(data.len() as u32 + 6).to_le_bytes()[..], &kind.to_le_bytes(), data].concat()
}

/// A layer with flags, kind, level, blend mode and opacity.
fn layer(flags: u16, [kind, level, mode]: [u16; 3], opacity: u8) -> Vec<u8> {
    let mut data = shorts(&[flags, kind, level, 0, 0, mode]);
    data.extend([opacity, 0, 0, 0]);
    data.extend(shorts(&[1, u16::from(b'x')])[..3].iter());
    if kind == 2 {
        data.extend(7u32.to_le_bytes());
    }
    chunk(0x2004, &data)
}

/// A plain layer.
fn plain() -> Vec<u8> {
    layer(VISIBLE, [0, 0, 0], 255)
}

/// A cel: layer, position, opacity, kind, z, and what belongs to the kind.
fn cel(layer: u16, (x, y): (i16, i16), opacity: u8, (kind, z): (u16, i16), rest: &[u8]) -> Vec<u8> {
    let mut data = shorts(&[layer, x as u16, y as u16]);
    data.push(opacity);
    data.extend(shorts(&[kind, z as u16]));
    data.extend([0; 5]);
    data.extend(rest);
    chunk(0x2005, &data)
}

/// A compressed cel of pixels.
fn picture(layer: u16, at: (i16, i16), size: [u16; 2], pixels: &[u8]) -> Vec<u8> {
    cel(layer, at, 255, (2, 0), &[shorts(&size), zlib(pixels)].concat())
}

/// A file of 4×2 pixels with these bits per pixel. Each frame has a time and chunks.
fn file(depth: u16, flags: u32, frames: &[(u16, Vec<u8>)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (time, chunks) in frames {
        let (mut count, mut at) = (0, 0);
        while at < chunks.len() {
            at += u32::from_le_bytes(chunks[at..at + 4].try_into().unwrap()) as usize;
            count += 1u32;
        }
        body.extend((chunks.len() as u32 + 16).to_le_bytes());
        body.extend(shorts(&[0xf1fa, count as u16, *time, 0]));
        body.extend(count.to_le_bytes());
        body.extend(chunks);
    }
    let mut out = (body.len() as u32 + 128).to_le_bytes().to_vec();
    out.extend(shorts(&[0xa5e0, frames.len() as u16, 4, 2, depth]));
    out.extend(flags.to_le_bytes());
    out.resize(128, 0);
    [out, body].concat()
}

fn pixels(file: &[u8]) -> Vec<[u8; 4]> {
    let (format, pixels) = pixels_of(file, "aseprite", &ImageSettings::default());
    assert_eq!(format, PixelFormat::RGBA8);
    pixels.as_chunks().0.to_vec()
}

#[test]
fn frames_have_their_times_and_tags_are_animations() {
    let tags = [
        &shorts(&[2, 0, 0, 0, 0])[..],
        &[&shorts(&[0, 1])[..], &[2], &[0; 12], &shorts(&[4]), b"walk"].concat(),
        &[&shorts(&[1, 2])[..], &[1], &[0; 12], &shorts(&[2]), b"hi"].concat(),
    ];
    let first = [plain(), chunk(0x2018, &tags.concat()), picture(0, (0, 0), [4, 2], &RED.repeat(8))].concat();
    let linked = cel(0, (1, 0), 255, (1, 0), &shorts(&[0]));
    let file = file(32, 1, &[(80, first), (0, Vec::new()), (120, linked)]);
    let part = import(&file, "aseprite", &ALL()).unwrap();
    assert_eq!(part.summary, "8×4 RGBA8, 3 frames of 4×2: walk, hi");
    let view = FramesView::parse(PayloadView::parse(&part.blocks[1].bytes).unwrap(), (8, 4)).unwrap();
    let frames: Vec<_> = view.frames().map(|frame| (frame.x, frame.y, frame.milliseconds)).collect();
    assert_eq!(frames, [(0, 0, 80), (4, 0, 100), (0, 2, 120)]);
    let tags: Vec<_> = view.animations().map(|a| (a.name, a.first, a.count, a.direction)).collect();
    assert_eq!(tags, [("walk", 0, 2, Direction::PingPong), ("hi", 1, 2, Direction::Reverse)]);
    let (_, sheet) = props_and_pixels(&part);
    let row = |y: usize| sheet[y * 32..][..32].as_chunks::<4>().0.to_vec();
    let (none, red) = ([0; 4], RED);
    assert_eq!(row(0), [red, red, red, red, none, none, none, none]);
    assert_eq!(row(2), [none, red, red, red, none, none, none, none]);
    // By default it is a picture.
    let part = import(&file, "ase", &ImageSettings::default()).unwrap();
    assert_eq!((part.summary.as_str(), part.notes.len()), ("4×2 RGBA8", 1));
    assert_eq!(part.notes[0].detail, "3 frames");
}

#[test]
fn hidden_layers_and_what_is_outside_are_left_out() {
    let layers = [
        plain(),
        layer(HIDDEN, [1, 0, 0], 255),
        layer(VISIBLE, [0, 1, 0], 255),
        layer(REFERENCE, [0, 0, 0], 255),
        plain(),
    ];
    let whole = |layer| picture(layer, (0, 0), [4, 2], &BLUE.repeat(8));
    let cels = [
        picture(0, (-1, 1), [3, 5], &RED.repeat(15)),
        whole(2),
        whole(3),
        picture(4, (3, -1), [9, 2], &BLUE.repeat(18)),
    ];
    let found = pixels(&file(32, 1, &[(1, [layers.concat(), cels.concat()].concat())]));
    let none = [0; 4];
    assert_eq!(found, [none, none, none, BLUE, RED, RED, none, none]);
}

#[test]
fn layers_are_blended_with_their_mode_and_opacity() {
    let draw = |flags, mode, opacity, front: [u8; 4]| {
        let chunks = [
            plain(),
            layer(VISIBLE, [0, 0, mode], opacity),
            picture(0, (0, 0), [1, 1], &[100, 150, 200, 255]),
            picture(1, (0, 0), [1, 1], &front),
        ];
        pixels(&file(32, flags, &[(1, chunks.concat())]))[0]
    };
    assert_eq!(draw(1, 0, 128, [200, 50, 0, 255]), [150, 100, 100, 255]);
    // Files of old versions have no opacity of layers.
    assert_eq!(draw(0, 0, 128, [200, 50, 0, 255]), [200, 50, 0, 255]);
    for (mode, expected) in [
        (1, [78, 29, 0]),
        (2, [222, 171, 200]),
        (3, [157, 86, 145]),
        (4, [100, 50, 0]),
        (5, [200, 150, 200]),
        (6, [255, 187, 200]),
        (7, [57, 0, 0]),
        (8, [189, 59, 0]),
        (9, [134, 112, 157]),
        (10, [100, 100, 200]),
        (11, [144, 141, 200]),
        (16, [255, 200, 200]),
        (17, [0, 100, 200]),
        (18, [128, 255, 255]),
    ] {
        let [r, g, b, a] = draw(1, mode, 255, [200, 50, 0, 255]);
        let off = [r, g, b].iter().zip(expected).map(|(found, expected): (&u8, u8)| found.abs_diff(expected)).max();
        assert!(a == 255 && off <= Some(1), "mode {mode}: {:?}, expected {expected:?}", [r, g, b]);
    }
    // Hue, saturation, colour and luminosity keep the light of one of the two.
    let light = |[r, g, b, _]: [u8; 4]| (30 * u32::from(r) + 59 * u32::from(g) + 11 * u32::from(b)) / 100;
    for (mode, of) in
        [(12, [100, 150, 200, 255]), (13, [100, 150, 200, 255]), (14, [100, 150, 200, 255]), (15, [200, 50, 0, 255])]
    {
        let found = draw(1, mode, 255, [200, 50, 0, 255]);
        assert!(light(found).abs_diff(light(of)) <= 1, "mode {mode}: {found:?}");
        assert!(found != draw(1, 0, 255, [200, 50, 0, 255]), "mode {mode}");
    }
    let bytes = [plain(), layer(VISIBLE, [0, 0, 19], 255)].concat();
    let error = import(&file(32, 1, &[(1, bytes)]), "aseprite", &ALL()).unwrap_err();
    assert_eq!(error.to_string(), "is an Aseprite file with blend mode 19, which is not supported");
}

#[test]
fn groups_are_blended_as_a_whole_if_the_file_says_so() {
    let draw = |flags| {
        let chunks = [
            layer(VISIBLE, [1, 0, 0], 128),
            layer(VISIBLE, [0, 1, 0], 255),
            layer(VISIBLE, [0, 1, 0], 255),
            picture(1, (0, 0), [1, 1], &RED),
            picture(2, (0, 0), [1, 1], &BLUE),
        ];
        pixels(&file(32, flags, &[(1, chunks.concat())]))[0]
    };
    assert_eq!((draw(1), draw(3)), (BLUE, [0, 0, 100, 128]));
}

#[test]
fn the_order_of_cels_moves_with_their_z() {
    let raw = |layer, z, color: [u8; 4]| cel(layer, (0, 0), 255, (0, z), &[shorts(&[1, 1]), color.to_vec()].concat());
    let draw = |z| pixels(&file(32, 1, &[(1, [plain(), plain(), raw(0, z, RED), raw(1, 0, BLUE)].concat())]))[0];
    // With equal places the one with the higher z is in front.
    assert_eq!((draw(0), draw(1), draw(2)), (BLUE, RED, RED));
}

#[test]
fn indices_are_the_colours_of_the_palette_and_greys_are_colours() {
    let entry = |color: [u8; 4]| [&[0, 0][..], &color].concat();
    let range = |first: u32, last: u32| [3, first, last].map(u32::to_le_bytes).concat();
    let palette = [range(0, 2), vec![0; 8], entry([9, 9, 9, 255]), entry(RED), entry(BLUE)].concat();
    let later = [range(1, 1), vec![0; 8], entry([1, 2, 3, 255])].concat();
    let old = [&shorts(&[1])[..], &[1, 1], &[63, 0, 32]].concat();
    let indices = picture(0, (0, 0), [3, 1], &[0, 1, 2]);
    // The old palette is for old programs.
    let first = [chunk(0x2019, &palette), chunk(4, &old), plain(), indices.clone()].concat();
    let found = pixels(&file(8, 1, &[(1, first.clone())]));
    assert_eq!(found[..4], [[0; 4], RED, BLUE, [0; 4]]);
    let second = [chunk(0x2019, &later), indices.clone()].concat();
    let part = import(&file(8, 1, &[(1, first), (1, second)]), "aseprite", &ALL()).unwrap();
    assert_eq!(props_and_pixels(&part).1.as_chunks::<4>().0[8..][..3], [[0; 4], [1, 2, 3, 255], BLUE]);
    // Six bits, and a background, which shows the transparent index.
    let background = layer(BACKGROUND, [0, 0, 0], 255);
    let found = pixels(&file(8, 1, &[(1, [chunk(0x11, &old), background, indices].concat())]));
    assert_eq!(found[1], [255, 0, 130, 255]);
    let grey = picture(0, (0, 0), [2, 1], &[77, 255, 5, 128]);
    assert_eq!(pixels(&file(16, 1, &[(1, [plain(), grey].concat())]))[..2], [[77, 77, 77, 255], [5, 5, 5, 128]]);
}

#[test]
fn tilemaps_are_drawn_with_their_flips() {
    // Tile 1 is red, blue / transparent, grey.
    let grey = [7, 7, 7, 255];
    let tiles = zlib(&[[0; 16].to_vec(), [RED, BLUE, [0; 4], grey].concat()].concat());
    let head = [7u32, 2 | 4, 2].map(u32::to_le_bytes).concat();
    let tileset =
        [head, shorts(&[2, 2, 1]), vec![0; 14], shorts(&[0]), (tiles.len() as u32).to_le_bytes().to_vec(), tiles];
    let map = |bits: u16, tiles: [u32; 2]| {
        let masks = [0x1fff_ffff, 0x8000_0000, 0x4000_0000, 0x2000_0000u32].map(u32::to_le_bytes).concat();
        let tiles = zlib(&tiles.map(u32::to_le_bytes).concat());
        let rest = [shorts(&[2, 1, bits]), masks, vec![0; 10], tiles].concat();
        let chunks =
            [chunk(0x2023, &tileset.concat()), layer(VISIBLE, [2, 0, 0], 255), cel(0, (0, 0), 255, (3, 0), &rest)];
        file(32, 1, &[(1, chunks.concat())])
    };
    let none = [0; 4];
    assert_eq!(pixels(&map(32, [1, 0x8000_0001])), [RED, BLUE, BLUE, RED, none, grey, grey, none]);
    assert_eq!(pixels(&map(32, [0x4000_0001, 0x2000_0001])), [none, grey, RED, none, RED, BLUE, BLUE, grey]);
    assert_eq!(pixels(&map(32, [0, 2])), [none; 8]);
    let error = import(&map(8, [0, 0]), "aseprite", &ALL()).unwrap_err();
    assert_eq!(error.to_string(), "is an Aseprite file with tiles of 8 bits, which is not supported");
}

#[test]
fn a_damaged_file_is_an_error_that_says_where() {
    let fails =
        |chunks: &[Vec<u8>]| import(&file(32, 1, &[(1, chunks.concat())]), "aseprite", &ALL()).unwrap_err().to_string();
    for (chunks, message) in [
        (vec![picture(0, (0, 0), [1, 1], &RED)], "a cel is in layer 0 of 0"),
        (vec![plain(), picture(0, (0, 0), [2, 2], &RED)], "the pixels of a cel cannot be unpacked"),
        (
            vec![chunk(0x2018, &[&shorts(&[1, 0, 0, 0, 0, 0, 1])[..], &[0; 20]].concat())],
            "tag \"\" is from frame 0 to 1 of 1",
        ),
        (
            vec![
                layer(VISIBLE, [2, 0, 0], 255),
                cel(0, (0, 0), 255, (3, 0), &[shorts(&[1, 1, 32]), vec![0; 26]].concat()),
            ],
            "no tileset",
        ),
    ] {
        assert!(fails(&chunks).contains(message), "{}, expected {message}", fails(&chunks));
    }
    let mut short = file(32, 1, &[(1, plain())]);
    short[144..148].copy_from_slice(&5u32.to_le_bytes());
    let error = import(&short, "aseprite", &ALL()).unwrap_err().to_string();
    assert_eq!(error, "is a damaged Aseprite file: a chunk is shorter than its head");
    // Other programs call other files `.ase`.
    let error = import(b"*3DSMAX_ASCIIEXPORT\t200\n", "ase", &ALL()).unwrap_err();
    assert_eq!(error.to_string(), "is a scene of 3ds Max (ASCII), not an Aseprite file");
    assert!(error.help().unwrap().starts_with("convert it to glTF, or store it as raw bytes"));
}

/// A file with every sort of chunk, cut and damaged everywhere.
#[test]
fn cut_and_damaged_files_never_panic() {
    let tiles = zlib(&[0; 32]);
    let head = [7u32, 6, 2].map(u32::to_le_bytes).concat();
    let tileset =
        [head, shorts(&[2, 2, 1]), vec![0; 14], shorts(&[0]), (tiles.len() as u32).to_le_bytes().to_vec(), tiles]
            .concat();
    let masks = [0x1fff_ffff, 0x8000_0000, 0x4000_0000, 0x2000_0000u32].map(u32::to_le_bytes).concat();
    let map = [shorts(&[2, 1, 32]), masks, vec![0; 10], zlib(&[1, 0, 0, 0, 1, 0, 0, 0x80])].concat();
    let first = [
        chunk(0x2023, &tileset),
        layer(VISIBLE, [1, 0, 3], 200),
        layer(VISIBLE, [0, 1, 12], 255),
        layer(VISIBLE, [2, 0, 0], 255),
        chunk(0x2018, &[&shorts(&[1, 0, 0, 0, 0, 0, 1])[..], &[0; 13], &shorts(&[1]), b"x"].concat()),
        picture(1, (0, 0), [4, 2], &noise(32)),
        cel(2, (0, 0), 255, (3, 0), &map),
    ];
    let second = [
        cel(1, (1, 0), 90, (1, 1), &shorts(&[0])),
        cel(2, (0, 0), 255, (0, -1), &[shorts(&[1, 1]), RED.to_vec()].concat()),
    ];
    let file = file(32, 3, &[(10, first.concat()), (20, second.concat())]);
    import(&file, "aseprite", &ALL()).unwrap();
    for at in 0..file.len() {
        assert!(at < 4 || import(&file[..at], "aseprite", &ALL()).is_err(), "{at}");
        for damaged in replaced(&file, [at], &[0, 1, 0x7f, 0xff]) {
            let _ = import(&damaged, "aseprite", &ALL());
        }
    }
}

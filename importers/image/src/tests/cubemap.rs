//! Cubemaps: descriptions, and the pictures that their faces are made of.

use rres_import::MemoryFiles as Files;
use rres_settings::Settings;

use super::*;

/// Imports a description beside these files.
fn import(description: &str, files: &[(&str, Vec<u8>)], settings: &ImageSettings) -> Result<Asset, String> {
    let mut files = Files::new(files.iter().map(|(name, bytes)| (format!("sky/{name}"), bytes.clone())));
    let settings = Settings { image: settings.clone(), ..Settings::default() };
    let mut source = Source::new("sky/day.cubemap", description.as_bytes(), &settings, &mut files);
    ImageImporter.import(&mut source).map(|mut images| images.remove(0)).map_err(|error| error.to_string())
}

/// Shape and pixels of a cubemap.
fn pixels(image: &Asset) -> (ImageProps, Vec<u8>) {
    assert_eq!(image.meta.get(MetaKey::CUBEMAP), Some(1));
    let view = ImageView::parse(PayloadView::parse(&image.blocks[0].bytes).unwrap()).unwrap();
    (view.props(), view.data().to_vec())
}

/// A face of 2×2 pixels, which all differ from the pixels of other faces.
fn face(number: u8) -> Vec<u8> {
    (0..4).flat_map(|pixel| [number * 40, pixel * 60, 255 - number]).collect()
}

/// A picture of `columns`×`rows` faces of 2×2 pixels with the faces at these places, the rest black.
fn sheet(columns: usize, rows: usize, places: [(usize, usize); 6], faces: [Vec<u8>; 6]) -> Vec<u8> {
    let mut picture = vec![0; columns * rows * 4 * 3];
    for ((column, row), face) in places.into_iter().zip(faces) {
        for (y, line) in face.chunks_exact(6).enumerate() {
            picture[((row * 2 + y) * columns + column) * 6..][..6].copy_from_slice(line);
        }
    }
    encode_png(&picture, columns as u32 * 2, rows as u32 * 2, Ext::Rgb8)
}

const SIX: &str = "px = 'px.png'\nnx = 'nx.png'\npy = 'py.png'\nny = 'ny.png'\npz = 'pz.png'\nnz = 'nz.png'\n";

fn six(make: impl Fn(u8) -> Vec<u8>) -> Vec<(&'static str, Vec<u8>)> {
    ["px.png", "nx.png", "py.png", "ny.png", "pz.png", "nz.png"].into_iter().zip((0..).map(make)).collect()
}

#[test]
fn faces_are_one_above_the_other() {
    let files = six(|number| encode_png(&face(number), 2, 2, Ext::Rgb8));
    let image = import(SIX, &files, &ImageSettings::default()).unwrap();
    let (props, data) = pixels(&image);
    assert_eq!(props, ImageProps { width: 2, height: 12, format: PixelFormat::RGB8, mipmaps: 1 });
    assert_eq!(data, (0..6).flat_map(face).collect::<Vec<u8>>());
    assert_eq!(image.summary, "cubemap 2×2 RGB8");
}

#[test]
fn a_missing_face_is_an_error() {
    let files = six(|number| encode_png(&face(number), 2, 2, Ext::Rgb8));
    let without = |face: &str| {
        let lines = SIX.lines().filter(|line| !line.starts_with(face));
        import(&lines.collect::<Vec<_>>().join("\n"), &files, &ImageSettings::default()).unwrap_err()
    };
    assert_eq!(without("ny"), "has no face ny");
    assert_eq!(without("n"), "has no faces nx, ny, nz");
    assert_eq!(import("", &files, &ImageSettings::default()).unwrap_err(), "has no faces");
    let no_file = import(SIX, &files[1..], &ImageSettings::default()).unwrap_err();
    assert_eq!(no_file, "sky/px.png does not exist");
}

#[test]
fn crosses_and_strips_are_cut() {
    let expected: Vec<u8> = (0..6).flat_map(face).collect();
    let faces: [Vec<u8>; 6] = std::array::from_fn(|number| face(number as u8));
    let wide = sheet(4, 3, [(2, 1), (0, 1), (1, 0), (1, 2), (1, 1), (3, 1)], faces.clone());
    let mut on_head = faces.clone();
    on_head[5] = face(5).chunks_exact(3).rev().flatten().copied().collect();
    let high = sheet(3, 4, [(2, 1), (0, 1), (1, 0), (1, 2), (1, 1), (1, 3)], on_head);
    let row = sheet(6, 1, std::array::from_fn(|i| (i, 0)), faces.clone());
    let column = sheet(1, 6, std::array::from_fn(|i| (0, i)), faces);
    for (key, picture) in [("cross", wide), ("cross", high), ("strip", row), ("strip", column)] {
        let files = [("all.png", picture)];
        let image = import(&format!("{key} = 'all.png'"), &files, &ImageSettings::default()).unwrap();
        assert!(pixels(&image).1 == expected, "{key}");
    }
    let files = [("all.png", encode_png(&face(0), 2, 2, Ext::Rgb8))];
    for (key, message) in [
        ("cross", "all.png: has 2×2 pixels, expected a cross of 4×3 or 3×4 square faces"),
        ("strip", "all.png: has 2×2 pixels, expected a strip of 6×1 or 1×6 square faces"),
    ] {
        let error = import(&format!("{key} = 'all.png'"), &files, &ImageSettings::default()).unwrap_err();
        assert_eq!(error, message);
    }
}

#[test]
fn levels_have_all_faces_together() {
    let flat = |number: u8| encode_png(&[number * 40; 64 * 3], 8, 8, Ext::Rgb8);
    let settings = ImageSettings { mipmaps: true, ..Default::default() };
    let image = import(SIX, &six(flat), &settings).unwrap();
    let (props, data) = pixels(&image);
    assert_eq!((props.width, props.height, props.mipmaps), (8, 48, 4));
    let mut rest = &data[..];
    for edge in [8, 4, 2, 1] {
        for number in 0..6 {
            let (face, tail) = rest.split_at(edge * edge * 3);
            assert!(face.iter().all(|value| *value == number * 40), "face {number} of {edge}");
            rest = tail;
        }
    }
    assert!(rest.is_empty());
    let odd = six(|_| encode_png(&[9; 27], 3, 3, Ext::Rgb8));
    let error = import(SIX, &odd, &settings).unwrap_err();
    assert_eq!(error, "has faces of 3×3 pixels, and mip levels of a cubemap need a power of two such as 4");
}

#[test]
#[cfg(feature = "gpu")]
fn blocks_stay_within_a_face() {
    let noisy = |number: u8| {
        let pixels: Vec<u8> = noise(16 * 16 * 3).into_iter().map(|value| value / 8 + number * 40).collect();
        encode_png(&pixels, 16, 16, Ext::Rgb8)
    };
    let format = rres_settings::ImageFormat::Exact(PixelFormat::DXT1_RGB);
    let settings = ImageSettings { mipmaps: true, format, ..Default::default() };
    let image = import(SIX, &six(noisy), &settings).unwrap();
    let (props, data) = pixels(&image);
    // Levels of 16, 8 and 4 pixels have whole blocks.
    assert_eq!((props.mipmaps, data.len()), (3, 6 * (128 + 32 + 8)));
}

#[test]
#[cfg(feature = "gpu")]
fn faces_of_parts_of_blocks_are_errors() {
    let files = six(|number| encode_png(&[number * 40; 300], 10, 10, Ext::Rgb8));
    let format = rres_settings::ImageFormat::Exact(PixelFormat::BC7);
    let error = import(SIX, &files, &ImageSettings { format, ..Default::default() }).unwrap_err();
    assert_eq!(error, "has faces of 10×10 pixels, and BC7 has blocks of 4×4");
}

#[test]
fn settings_change_each_face() {
    let files = six(|number| encode_png(&[number * 40; 64 * 3], 8, 8, Ext::Rgb8));
    let settings = ImageSettings { scale: 0.5, ..Default::default() };
    let (props, data) = pixels(&import(SIX, &files, &settings).unwrap());
    assert_eq!((props.width, props.height), (4, 24));
    assert!((0..6).zip(data.chunks_exact(48)).all(|(number, face)| face.iter().all(|value| *value == number * 40)));
    let settings = ImageSettings { pad: ImagePadding::PowerOfTwo, ..Default::default() };
    let error = import(SIX, &files, &settings).unwrap_err();
    assert_eq!(error, "is a cubemap, which cannot be stored with `image.pad`");
}

#[test]
fn faces_of_several_formats_get_one_that_has_all() {
    let mut files = six(|number| encode_png(&[number * 40; 4], 2, 2, Ext::L8));
    files[2].1 = encode_png(&[1, 2, 3, 128].repeat(4), 2, 2, Ext::Rgba8);
    let (props, data) = pixels(&import(SIX, &files, &ImageSettings::default()).unwrap());
    assert_eq!(props.format, PixelFormat::RGBA8);
    assert_eq!((&data[16..20], &data[32..36]), (&[40, 40, 40, 255][..], &[1, 2, 3, 128][..]));
    files[4].1 = encode_png(&[0; 9], 3, 1, Ext::Rgb8);
    let error = import(SIX, &files, &ImageSettings::default()).unwrap_err();
    assert_eq!(error, "has a face pz of 3×1 pixels, expected 2×2 as of the face px");
    let mut light = Vec::new();
    hdr::HdrEncoder::new(&mut light).encode(&[::image::Rgb([1.0; 3]); 4], 2, 2).unwrap();
    let description = SIX.replace("nz.png", "nz.hdr");
    files[4].1 = encode_png(&[0; 12], 2, 2, Ext::Rgb8);
    files.push(("nz.hdr", light));
    let error = import(&description, &files, &ImageSettings::default()).unwrap_err();
    assert!(error.starts_with("has a face nz in RGB32F and a face px in GRAY8"), "{error}");
}

#[test]
fn panoramas_show_the_same_in_each_direction() {
    // The colour of a direction is the direction.
    let (width, height) = (256, 128);
    let mut light = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let (sin, cos) = rres_import::exact_math::sin_cos((f64::from(x) + 0.5) / f64::from(width) - 0.5);
            let (up, out) = rres_import::exact_math::sin_cos(0.25 - (f64::from(y) + 0.5) / f64::from(height) / 2.0);
            light.push(::image::Rgb([cos * out, up, sin * out].map(|v| (v as f32 + 1.0) / 2.0)));
        }
    }
    let mut file = Vec::new();
    hdr::HdrEncoder::new(&mut file).encode(&light, width as usize, height as usize).unwrap();
    let description = "equirectangular = 'sky.hdr'\nsize = 16";
    let image = import(description, &[("sky.hdr", file.clone())], &ImageSettings::default()).unwrap();
    let (props, data) = pixels(&image);
    assert_eq!((props.width, props.height, props.format), (16, 96, PixelFormat::RGB32F));
    let value = |at: usize| f32::from_le_bytes(*data[at * 4..].first_chunk().unwrap());
    let color = |face: usize, x: usize, y: usize| -> [f32; 3] {
        std::array::from_fn(|channel| value(((face * 16 + y) * 16 + x) * 3 + channel))
    };
    // The specification of OpenGL says which direction a point of a face is in.
    let directions: [fn(f32, f32) -> [f32; 3]; 6] = [
        |u, v| [1.0, -v, -u],
        |u, v| [-1.0, -v, u],
        |u, v| [u, 1.0, v],
        |u, v| [u, -1.0, -v],
        |u, v| [u, -v, 1.0],
        |u, v| [-u, -v, -1.0],
    ];
    for (face, direction) in directions.iter().enumerate() {
        for (x, y) in [(0, 0), (15, 0), (0, 15), (15, 15), (7, 7), (3, 12)] {
            let at = |pixel: usize| (pixel as f32 + 0.5) / 8.0 - 1.0;
            let expected = direction(at(x), at(y));
            let length = expected.iter().map(|v| v * v).sum::<f32>().sqrt();
            for (found, expected) in color(face, x, y).into_iter().zip(expected) {
                let expected = (expected / length + 1.0) / 2.0;
                // Radiance files have 8 bits for each channel.
                assert!((found - expected).abs() < 0.01, "face {face} at {x}, {y}: {found}, expected {expected}");
            }
        }
    }
    let image = import("equirectangular = 'sky.hdr'", &[("sky.hdr", file)], &ImageSettings::default()).unwrap();
    assert_eq!(pixels(&image).0.width, 64);
    let files = [("sky.png", encode_png(&face(0), 2, 2, Ext::Rgb8))];
    let error = import("equirectangular = 'sky.png'", &files, &ImageSettings::default()).unwrap_err();
    assert!(error.starts_with("sky.png: has 2×2 pixels, expected an equirectangular picture"), "{error}");
}

#[test]
fn descriptions_are_checked() {
    for (description, message) in [
        ("px = 1", "wrong type for `px`: found an integer, expected a string (and 1 more error)"),
        ("cross = 'a.png'\nstrip = 'b.png'", "`strip` is a second picture of all faces"),
        ("cross = 'a.png'\npx = 'b.png'", "`cross` has all faces, and other keys have faces, too"),
        (
            "size = 4\ncross = 'a.png'",
            "`size` is for `equirectangular` only: other faces have the size of their pictures",
        ),
        ("size = 0\nequirectangular = 'a.png'", "out of range: 0 for `size`, expected 1 to 8192"),
        ("px = 'a.png'\npx = 'b.png'", "duplicate key `px`"),
        ("cross = '../../a.png'", "refers to \"../../a.png\", which is not inside the assets directory"),
    ] {
        let found = import(description, &[], &ImageSettings::default()).unwrap_err();
        assert_eq!(
            found.replace(" (and 1 more error)", ""),
            message.replace(" (and 1 more error)", ""),
            "{description}"
        );
    }
    let unknown = import("right = 'a.png'", &[], &ImageSettings::default()).unwrap_err();
    assert!(unknown.starts_with("unknown key `right` in a .cubemap file, expected one of px, nx,"), "{unknown}");
}

//! Images with several pictures: animated files, grids, and sheets that a JSON file describes.

use ::image::{Delay, Frame, RgbaImage};
use rres_format::AssetKind;
use rres_format::chunk::frames::{FrameProps, FramesView};
use rres_import::MemoryFiles as Files;
use rres_settings::{ImageFrames, Settings};

use super::*;

const ALL: fn() -> ImageSettings = || ImageSettings { frames: ImageFrames::All, ..Default::default() };

/// The frames of an image, and the pixels of each.
fn frames(part: &Asset) -> (Vec<FrameProps>, Vec<Vec<u8>>) {
    let [image, frames] = &part.blocks[..] else { panic!("{} blocks", part.blocks.len()) };
    assert!(frames.kind == FourCc::FRMS && !image.linked);
    let view = ImageView::parse(PayloadView::parse(&image.bytes).unwrap()).unwrap();
    let ImageProps { width, height, format, .. } = view.props();
    let size = format.bytes_per_pixel().unwrap() as usize;
    let frames = FramesView::parse(PayloadView::parse(&frames.bytes).unwrap(), (width, height)).unwrap();
    let pixels = frames.frames().map(|frame| {
        let rows = view.data().chunks_exact(width as usize * size).skip(frame.y as usize).take(frame.height as usize);
        rows.flat_map(|row| row[frame.x as usize * size..][..frame.width as usize * size].to_vec()).collect()
    });
    (frames.frames().collect(), pixels.collect())
}

/// A GIF of pictures of one colour, with these times in milliseconds.
fn gif(pictures: &[([u8; 4], u32)]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = gif::GifEncoder::new(&mut out);
    let frame = |(color, time): &([u8; 4], u32)| {
        let picture = RgbaImage::from_pixel(5, 3, ::image::Rgba(*color));
        Frame::from_parts(picture, 0, 0, Delay::from_numer_denom_ms(*time, 1))
    };
    encoder.encode_frames(pictures.iter().map(frame)).unwrap();
    drop(encoder);
    out
}

#[test]
fn the_pictures_of_a_gif_are_stored_side_by_side_with_their_times() {
    let pictures = [([255, 0, 0, 255], 100), ([0, 255, 0, 255], 40), ([0, 0, 255, 255], 0), ([9, 9, 9, 255], 10)];
    let part = import(&gif(&pictures), "gif", &ALL()).unwrap();
    assert_eq!(part.summary, "10×6 RGBA8, 4 frames of 5×3");
    let (found, pixels) = frames(&part);
    // Times below 20 ms are shown for 100, as by browsers.
    assert_eq!(found.iter().map(|frame| frame.milliseconds).collect::<Vec<_>>(), [100, 40, 100, 100]);
    let expected: Vec<_> = pictures.iter().map(|(color, _)| color.repeat(15)).collect();
    assert_eq!(pixels, expected);
    assert_eq!(part.notes, []);
    // By default it is a picture.
    let part = import(&gif(&pictures), "gif", &ImageSettings::default()).unwrap();
    assert_eq!((part.blocks.len(), part.notes.len()), (1, 1));
    // A GIF with one picture has no frames.
    assert_eq!(import(&gif(&pictures[..1]), "gif", &ALL()).unwrap().blocks.len(), 1);
}

/// `anim.rgba` has the pictures that ffmpeg decodes of `anim.png`.
#[test]
fn the_pictures_of_an_apng_are_what_another_decoder_makes_of_them() {
    let file = include_bytes!("../../../../crates/test-data/fixtures/image/anim.png");
    let expected = include_bytes!("../../../../crates/test-data/fixtures/image/anim.rgba");
    let (found, pixels) = frames(&import(file, "png", &ALL()).unwrap());
    assert_eq!(found.iter().map(|frame| frame.milliseconds).collect::<Vec<_>>(), [200; 3]);
    assert_eq!(pixels.concat(), expected);
}

#[test]
fn the_pictures_of_an_animated_webp_are_stored_with_their_times() {
    let file = include_bytes!("../../../../crates/test-data/fixtures/image/anim.webp");
    let (found, pixels) = frames(&import(file, "webp", &ALL()).unwrap());
    assert_eq!(found.iter().map(|frame| frame.milliseconds).collect::<Vec<_>>(), [200; 3]);
    // The red of the left half is 0, 100, 200.
    let reds: Vec<u8> = pixels.iter().map(|pixels| pixels[0]).collect();
    assert!(reds[0] < 20 && reds[1].abs_diff(100) < 20 && reds[2].abs_diff(200) < 20, "{reds:?}");
}

#[test]
fn a_cut_or_damaged_animation_is_an_error_and_never_a_panic() {
    let gif = gif(&[([255, 0, 0, 255], 100), ([0, 255, 0, 255], 40)]);
    let png = include_bytes!("../../../../crates/test-data/fixtures/image/anim.png");
    let webp = include_bytes!("../../../../crates/test-data/fixtures/image/anim.webp");
    for (file, extension) in [(&gif[..], "gif"), (png, "png"), (webp, "webp")] {
        for len in 8..file.len() {
            let _ = import(&file[..len], extension, &ALL());
            let mut damaged = file.to_vec();
            damaged[len] ^= 0xff;
            let _ = import(&damaged, extension, &ALL());
        }
        import(&file[..file.len() * 3 / 4], extension, &ALL()).unwrap_err();
    }
}

#[test]
fn frames_of_a_rate_do_not_drift() {
    let settings = ImageSettings { grid: Some((1, 1)), frame_rate: Some(12), ..Default::default() };
    let part = import(&encode_png(&noise(12), 12, 1, Ext::L8), "png", &settings).unwrap();
    let times: Vec<u32> = frames(&part).0.iter().map(|frame| frame.milliseconds).collect();
    assert_eq!(times[..4], [83, 84, 83, 83]);
    assert_eq!(times.iter().sum::<u32>(), 1000);
}

#[test]
fn a_grid_has_a_frame_for_each_cell() {
    let pixels = noise(10 * 7);
    let file = encode_png(&pixels, 10, 7, Ext::L8);
    let settings = ImageSettings { grid: Some((4, 3)), frame_time: 40, ..Default::default() };
    let part = import(&file, "png", &settings).unwrap();
    assert_eq!(part.summary, "10×7 GRAY8, 4 frames of 4×3");
    let (found, cells) = frames(&part);
    let places: Vec<_> = found.iter().map(|frame| (frame.x, frame.y, frame.milliseconds)).collect();
    assert_eq!(places, [(0, 0, 40), (4, 0, 40), (0, 3, 40), (4, 3, 40)]);
    assert_eq!(cells[3][..4], pixels[3 * 10 + 4..][..4]);
    // Padding belongs to no cell.
    let padded = ImageSettings { pad: rres_settings::ImagePadding::PowerOfTwo, ..settings.clone() };
    assert_eq!(frames(&import(&file, "png", &padded).unwrap()).0.len(), 4);
    let error = import(&encode_png(&noise(6), 3, 2, Ext::L8), "png", &settings).unwrap_err();
    assert_eq!(error.to_string(), "has 3×2 pixels, which is less than a cell of `image.grid` = [4, 3]");
}

/// Their names say another order.
#[test]
fn tags_count_the_frames_of_an_object_in_the_order_of_the_file() {
    let file = encode_png(&noise(8 * 4), 8, 4, Ext::L8);
    let mut settings = Settings::default();
    settings.image.sheet = true;
    let frames_of = |meta: &str| {
        let json = r#"{ "frames": { "walk_0": { "frame": { "x": 0, "y": 0, "w": 4, "h": 4 }, "duration": 70 },
            "attack_0": { "frame": { "x": 4, "y": 0, "w": 4, "h": 4 }, "duration": 80 } }, "meta": META }"#;
        let json = json.replace("META", meta);
        let mut files = Files::new([("hero.json".to_owned(), json.into_bytes())]);
        let mut context = Source::new("hero.png", &file, &settings, &mut files);
        let part = ImageImporter.import(&mut context).unwrap().remove(0);
        frames(&part).0.iter().map(|frame| frame.milliseconds).collect::<Vec<_>>()
    };
    assert_eq!(
        frames_of(r#"{ "frameTags": [{ "name": "walk", "from": 0, "to": 0, "direction": "forward" }] }"#),
        [70, 80]
    );
    assert_eq!(frames_of("{}"), [80, 70]);
}

#[test]
fn a_sheet_has_the_frames_of_the_json_file_beside_it() {
    let file = encode_png(&noise(8 * 4), 8, 4, Ext::L8);
    let mut settings = Settings::default();
    settings.image.sheet = true;
    let json = r#"{ "frames": [{ "frame": { "x": 0, "y": 0, "w": 4, "h": 4 }, "duration": 70 },
        { "frame": { "x": 4, "y": 0, "w": 4, "h": 4 }, "duration": 80 }],
        "meta": { "frameTags": [{ "name": "blink", "from": 0, "to": 1, "direction": "forward" }] } }"#;
    let mut files = Files::new([("art/hero.json".to_owned(), json.as_bytes().to_vec())]);
    let mut context = Source::new("art/hero.png", &file, &settings, &mut files);
    let part = ImageImporter.import(&mut context).unwrap().remove(0);
    assert_eq!((part.kind, part.summary.as_str()), (AssetKind::Image, "8×4 GRAY8, 2 frames of 4×4: blink"));
    assert_eq!(frames(&part).0.iter().map(|frame| frame.milliseconds).collect::<Vec<_>>(), [70, 80]);
    let mut context = Source::new("art/other.png", &file, &settings, &mut files);
    assert!(ImageImporter.import(&mut context).unwrap_err().to_string().contains("art/other.json"));
}

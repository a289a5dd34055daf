//! OpenEXR files.

#[cfg(not(feature = "exr"))]
#[test]
fn exr_needs_a_feature() {
    use super::{ImageSettings, import};

    let error = import(b"\x76\x2f\x31\x01\x02\0\0\0", "exr", &ImageSettings::default()).unwrap_err();
    assert_eq!(error.to_string(), "is an OpenEXR file, and the feature `exr` of rres-build is disabled");
    assert!(error.help().unwrap().contains("cargo add --build rres-build --features exr"));
}

#[cfg(feature = "exr")]
mod enabled {
    use std::io::Cursor;

    use ::exr::prelude::*;
    use rres_test_data::damage::replaced;

    use super::super::{ImageSettings, MetaKey, PixelFormat, floats, import, props_and_pixels};

    /// A channel. `value` gives the value for the number of a pixel.
    fn channel(name: &str, count: usize, value: impl Fn(usize) -> f32) -> AnyChannel<FlatSamples> {
        AnyChannel::new(name, FlatSamples::F32((0..count).map(value).collect()))
    }

    fn layer(name: &str, (width, height): (usize, usize), channels: &[&str]) -> Layer<AnyChannels<FlatSamples>> {
        let list = channels
            .iter()
            .zip(1..)
            .map(|(name, i)| channel(name, width * height, move |at| at as f32 + i as f32 / 8.0));
        let attributes = LayerAttributes::named(name);
        let encoding = Encoding { compression: Compression::PIZ, ..Encoding::FAST_LOSSLESS };
        Layer::new((width, height), attributes, encoding, AnyChannels::sort(list.collect()))
    }

    fn file(window: (usize, usize), layers: Vec<Layer<AnyChannels<FlatSamples>>>) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        let attributes = ImageAttributes::new(IntegerBounds::from_dimensions(window));
        Image::from_layers(attributes, layers).write().non_parallel().to_buffered(&mut out).unwrap();
        out.into_inner()
    }

    fn pixels(file: &[u8]) -> (PixelFormat, Vec<f32>) {
        let (props, pixels) = props_and_pixels(&import(file, "exr", &ImageSettings::default()).unwrap());
        (props.format, floats(&pixels))
    }

    #[test]
    fn floats_are_stored_exactly_as_linear_and_premultiplied() {
        let bytes = file((2, 1), vec![layer("a", (2, 1), &["R", "G", "B", "A"])]);
        let part = import(&bytes, "exr", &ImageSettings::default()).unwrap();
        assert_eq!(part.summary, "2×1 RGBA32F linear premultiplied");
        assert_eq!(part.meta.get(MetaKey::PREMULTIPLIED), Some(1));
        assert_eq!(pixels(&bytes).1, [0.125, 0.25, 0.375, 0.5, 1.125, 1.25, 1.375, 1.5]);
        let bytes = file((2, 1), vec![layer("a", (2, 1), &["B", "G", "R"])]);
        assert_eq!(pixels(&bytes), (PixelFormat::RGB32F, vec![0.375, 0.25, 0.125, 1.375, 1.25, 1.125]));
    }

    #[test]
    fn halves_and_whole_numbers_become_floats() {
        let half = FlatSamples::F16([0.5, -2.0].map(f16::from_f32).to_vec());
        let number = FlatSamples::U32(vec![3, 70_000]);
        for (samples, expected) in [(half, [0.5, -2.0]), (number, [3.0, 70_000.0])] {
            let channels = AnyChannels::sort([AnyChannel::new("Z", samples)].into_iter().collect());
            let layer = Layer::new((2, 1), LayerAttributes::named("a"), Encoding::UNCOMPRESSED, channels);
            assert_eq!(pixels(&file((2, 1), vec![layer])), (PixelFormat::R32F, expected.to_vec()));
        }
    }

    #[test]
    fn the_largest_part_with_colours_is_stored() {
        let small = || layer("small", (1, 1), &["R", "G", "B"]);
        let large = || layer("large", (2, 2), &["B", "G", "R"]);
        let gray = || layer("depth", (3, 3), &["Z"]);
        let (format, found) = pixels(&file((3, 3), vec![gray(), small(), large()]));
        // What the part does not cover is zero.
        let row = |at: f32| [at + 0.375, at + 0.25, at + 0.125, at + 1.375, at + 1.25, at + 1.125, 0.0, 0.0, 0.0];
        assert_eq!((format, found), (PixelFormat::RGB32F, [row(0.0), row(2.0), [0.0; 9]].concat()));
        assert_eq!(pixels(&file((1, 1), vec![gray()])).0, PixelFormat::R32F);
    }

    #[test]
    fn channels_without_a_layer_come_before_those_of_a_layer() {
        let names = ["View.Depth.Z", "View.Noise.R", "View.Noise.G", "View.Noise.B"];
        let (format, found) = pixels(&file((1, 1), vec![layer("a", (1, 1), &names)]));
        assert_eq!((format, found), (PixelFormat::RGB32F, vec![0.25, 0.375, 0.5]));
        let names = ["Y", "A", "View.R"];
        let (format, found) = pixels(&file((1, 1), vec![layer("a", (1, 1), &names)]));
        assert_eq!((format, found), (PixelFormat::RGBA32F, vec![0.125, 0.125, 0.125, 0.25]));
        let error = import(&file((1, 1), vec![layer("a", (1, 1), &["U", "V"])]), "exr", &ImageSettings::default());
        let message = "is an OpenEXR file without colours: its channels are U, V";
        assert_eq!(error.unwrap_err().to_string(), message);
    }

    #[test]
    fn cut_and_damaged_files_are_errors_and_never_panic() {
        let file = file((4, 3), vec![layer("a", (4, 3), &["R", "G", "B", "A"])]);
        for at in 4..file.len() {
            import(&file[..at], "exr", &ImageSettings::default()).unwrap_err();
        }
        for damaged in replaced(&file, 4..file.len(), &[0, 0x7f, 0xff]) {
            let _ = import(&damaged, "exr", &ImageSettings::default());
        }
    }
}

//! Images whose heads claim more than they have, and images that unfold.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use rres_test_data::bytes::words;
use rres_test_data::picture::png_of_chunks;

use super::bombs::{Bomb, defuse};

/// Zeros, deflated.
pub(super) fn zeros(len: u64) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
    let block = vec![0; 1 << 16];
    for at in (0..len).step_by(block.len()) {
        out.write_all(&block[..block.len().min((len - at) as usize)]).unwrap();
    }
    out.finish().unwrap()
}

#[test]
fn png_files() {
    let unfolding = zeros(1 << 28);
    let line = zeros(5);
    let text = [b"a\0\0", unfolding.as_slice()].concat();
    let itxt = [b"a\0\x01\0\0\0", unfolding.as_slice()].concat();
    // 1 × 1 pixels in RGBA.
    let small = |chunk: (&'static [u8; 4], &[u8])| png_of_chunks([1, 1], [8, 6, 0], &[chunk, (b"IDAT", &line)]);
    let control = |number: u32| {
        [&number.to_be_bytes()[..], &1u32.to_be_bytes(), &1u32.to_be_bytes(), &[0; 8], &[0, 1, 0, 1, 0, 0]].concat()
    };
    let frames = [&u32::MAX.to_be_bytes()[..], &[0; 4]].concat();
    let animated = png_of_chunks([1, 1], [8, 6, 0], &[(b"acTL", &frames), (b"fcTL", &control(0)), (b"IDAT", &line)]);
    defuse(
        "",
        vec![
            Bomb::refused(
                "square.png",
                png_of_chunks([65535, 65535], [8, 6, 0], &[(b"IDAT", &line)]),
                "is too large: 65535×65535",
            ),
            Bomb::refused(
                "widest.png",
                png_of_chunks([i32::MAX as u32, i32::MAX as u32], [16, 6, 1], &[(b"IDAT", &line)]),
                "",
            ),
            Bomb::refused("largest.png", png_of_chunks([u32::MAX, u32::MAX], [8, 6, 0], &[(b"IDAT", &line)]), ""),
            Bomb::refused("none.png", png_of_chunks([0, 1], [8, 6, 0], &[(b"IDAT", &line)]), ""),
            Bomb::refused(
                "short.png",
                png_of_chunks([16384, 16384], [8, 0, 0], &[(b"IDAT", &line)]),
                "not have enough data",
            ),
            Bomb::refused(
                "laced.png",
                png_of_chunks([16384, 16384], [1, 0, 1], &[(b"IDAT", &line)]),
                "not have enough data",
            ),
            Bomb::harmless("pixels.png", png_of_chunks([1, 1], [8, 6, 0], &[(b"IDAT", &unfolding)])),
            Bomb::harmless("profile.png", small((b"iCCP", &text))),
            Bomb::harmless("text.png", small((b"zTXt", &text))),
            Bomb::harmless("international.png", small((b"iTXt", &itxt))),
            Bomb::harmless("exif.png", small((b"eXIf", &[0xff; 60_000]))),
            Bomb::harmless("animated.png", animated.clone()),
        ],
    );
    defuse(
        "[\"*.png\"]\nimage.frames = \"all\"\n",
        vec![Bomb::refused("animated.png", animated, "has 4294967295 frames")],
    );
}

#[test]
fn images_of_other_formats() {
    let gif = |width: u16, height: u16, frames: usize| {
        let mut out =
            [&b"GIF89a"[..], &width.to_le_bytes(), &height.to_le_bytes(), &[0x80, 0, 0, 0, 0, 0, 9, 9, 9]].concat();
        for _ in 0..frames {
            out.extend([&b","[..], &[0; 4], &width.to_le_bytes(), &height.to_le_bytes(), &[0, 2, 1, 0x44, 0]].concat());
        }
        out.push(b';');
        out
    };
    let tga = |kind: u8, width: u16, height: u16, bits: u8| {
        [
            &[0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
            &width.to_le_bytes(),
            &height.to_le_bytes(),
            &[bits, if bits == 32 { 8 } else { u8::from(bits == 16) }],
        ]
        .concat()
    };
    let bmp = |width: i32, height: i32, bits: u16, compression: u32, colors: u32| {
        let head = [
            &words(&[40, width as u32, height as u32])[..],
            &[1, 0],
            &bits.to_le_bytes(),
            &words(&[compression, 0, 0, 0, colors, 0]),
        ];
        [&b"BM"[..], &words(&[0, 0, 54]), &head.concat(), &[0; 64]].concat()
    };
    let qoi = |edge: u32| [&b"qoif"[..], &edge.to_be_bytes(), &edge.to_be_bytes(), &[4, 0]].concat();
    let dds = |edge: u32, levels: u32| {
        let mut head = words(&[124, 0x2_1007, edge, edge, 0, 0, levels]);
        head.extend([0; 44]);
        head.extend(words(&[32, 4, u32::from_le_bytes(*b"DXT5"), 0, 0, 0, 0, 0, 0x40_1008, 0, 0, 0, 0]));
        [&b"DDS "[..], &head].concat()
    };
    let ktx = |edge: u32, levels: u32, layers: u32| {
        [&b"\xabKTX 20\xbb\r\n\x1a\n"[..], &words(&[37, 1, edge, edge, 0, layers, 1, levels, 0]), &[0; 64]].concat()
    };
    let webp = |chunks: &[u8]| [&b"RIFF"[..], &(chunks.len() as u32 + 4).to_le_bytes(), b"WEBP", chunks].concat();
    // 16384 × 16384, lossless.
    let lossless = webp(&[&b"VP8L"[..], &words(&[10]), &[0x2f, 0x7f, 0xfe, 0x9f, 0x0f, 0, 0, 0, 0, 0]].concat());
    let canvas = webp(&[&b"VP8X"[..], &words(&[10]), &[2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]].concat());
    let jpeg = |edge: [u8; 2]| {
        let frame = [&[0xff, 0xc0, 0, 17, 8][..], &edge, &edge, &[3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]].concat();
        let table = [&[0xff, 0xdb, 0, 67, 0][..], &[1; 64]].concat();
        let scan = [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0];
        [&[0xff, 0xd8][..], &table, &frame, &scan, &[0xff, 0xd9]].concat()
    };
    let hdr = |edge: u32| format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {edge} +X {edge}\n");
    let claims = |path, bytes: Vec<u8>| Bomb { memory: 320, ..Bomb::refused(path, bytes, "") };
    let bombs = vec![
        Bomb::refused("large.gif", gif(65535, 65535, 1), "is too large"),
        Bomb { memory: 1100, ..Bomb::refused("short.gif", gif(16000, 16000, 1), "image truncated") },
        Bomb::harmless("many.gif", gif(1, 1, 60_000)),
        Bomb::refused("square.tga", tga(2, 65535, 65535, 32), "is too large: 65535×65535"),
        Bomb::refused("packed.tga", tga(10, 65535, 65535, 24), "is too large: 65535×65535"),
        Bomb { memory: 1400, ..claims("short.tga", tga(10, 16000, 16000, 32)) },
        Bomb { memory: 1400, ..claims("bit.tga", [tga(2, 16000, 16000, 16), vec![0; 64]].concat()) },
        Bomb::refused("large.bmp", bmp(i32::MAX, i32::MAX, 32, 0, 0), ""),
        Bomb::refused("lowest.bmp", bmp(i32::MAX, i32::MIN, 24, 0, 0), ""),
        Bomb::refused("colors.bmp", bmp(8, 8, 8, 0, u32::MAX), ""),
        Bomb { memory: 900, ..Bomb::harmless("runs.bmp", bmp(16000, 16000, 8, 1, 0)) },
        Bomb::refused("largest.qoi", qoi(u32::MAX), ""),
        Bomb::refused("square.qoi", qoi(65535), "invalid image dimensions"),
        Bomb { memory: 1100, ..claims("short.qoi", qoi(16000)) },
        Bomb::refused("large.hdr", hdr(65535), "is too large: 65535×65535"),
        Bomb::refused("largest.hdr", hdr(u32::MAX), ""),
        Bomb::refused("square.dds", dds(65536, 17), "is too large"),
        Bomb::refused("short.dds", dds(16384, 15), "ends early"),
        Bomb::refused("levels.dds", dds(4, u32::MAX), ""),
        Bomb::refused("square.ktx2", ktx(65536, 1, 0), ""),
        Bomb::refused("levels.ktx2", ktx(4, u32::MAX, 0), ""),
        Bomb::refused("layers.ktx2", ktx(4, 1, u32::MAX), ""),
        Bomb { memory: 1100, ..claims("lossless.webp", lossless) },
        Bomb::refused("canvas.webp", canvas.clone(), ""),
        Bomb::refused("square.jpg", jpeg([0xff, 0xff]), "is too large"),
        Bomb { memory: 900, ..claims("short.jpg", jpeg([0x3e, 0x80])) },
    ];
    defuse("", bombs);
    defuse(
        "[\"*\"]\nimage.frames = \"all\"\n",
        vec![
            Bomb::refused("large.gif", gif(65535, 65535, 2), ""),
            Bomb::refused("many.gif", gif(1000, 1000, 60_000), "is too large"),
            Bomb::refused("canvas.webp", canvas, ""),
        ],
    );
}

#[test]
fn sheets() {
    let picture = png_of_chunks([1, 1], [8, 6, 0], &[(b"IDAT", &zeros(5))]);
    let settings = "[\"*.png\"]\nimage.sheet = true\n[\"*.json\"]\nignore = true\n";
    for (json, refusal) in [
        ("[".repeat(100_000), "a.json"),
        (format!("{{\"frames\":{}", "{\"a\":".repeat(100_000)), "a.json"),
        ("{\"frames\":[{\"frame\":{\"x\":1e300,\"y\":-1,\"w\":4294967295,\"h\":4294967295}}]}".to_owned(), "a.json"),
    ] {
        let project = super::super::Project::new(&[
            ("a.png", &picture),
            ("a.json", json.as_bytes()),
            ("assets.toml", settings.as_bytes()),
        ]);
        let error = project.fail().to_string();
        assert!(error.contains("a.png: ") && error.contains(refusal), "{error}");
    }
}

#[cfg(feature = "exr")]
#[test]
fn exr_files() {
    let attribute = |name: &str, kind: &str, value: &[u8]| {
        [name.as_bytes(), b"\0", kind.as_bytes(), b"\0", &words(&[value.len() as u32]), value].concat()
    };
    let file = |edge: i32, channels: usize| {
        let window = [0, 0, edge, edge].map(i32::to_le_bytes).concat();
        let mut list: Vec<u8> = (0..channels)
            .flat_map(|i| [format!("c{i:05}").as_bytes(), b"\0", &words(&[2, 0, 1, 1])].concat())
            .collect();
        list.push(0);
        [
            &b"\x76\x2f\x31\x01\x02\0\0\0"[..],
            &attribute("channels", "chlist", &list),
            &attribute("compression", "compression", &[0]),
            &attribute("dataWindow", "box2i", &window),
            &attribute("displayWindow", "box2i", &window),
            &attribute("lineOrder", "lineOrder", &[0]),
            &attribute("pixelAspectRatio", "float", &1f32.to_le_bytes()),
            &attribute("screenWindowCenter", "v2f", &[0; 8]),
            &attribute("screenWindowWidth", "float", &1f32.to_le_bytes()),
            &[0],
        ]
        .concat()
    };
    defuse(
        "",
        vec![
            Bomb::refused("large.exr", file(65534, 1), ""),
            Bomb::refused("largest.exr", file(i32::MAX - 1, 4), ""),
            Bomb::refused("short.exr", file(15999, 1), ""),
            Bomb::refused("channels.exr", file(99, 60_000), ""),
        ],
    );
}

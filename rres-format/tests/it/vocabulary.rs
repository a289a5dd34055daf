//! Numbers, names and hashes that are part of the format. Changing one of them changes the format.

use rres_format::chunk::{glyphs::FontStyle, image::PixelFormat, text, vertex};
use rres_format::{
    Cipher, Compression, Compressor, Decompressor, Error, FourCc, PathError, ResourceId, StoredChunk, normalize_path,
};

#[test]
fn ids_are_the_crc32_of_zlib() {
    assert_eq!(ResourceId::from_path("123456789"), ResourceId(0xcbf4_3926));
    // From a screenshot of rrespacker.
    for (path, id) in [
        ("resources/audio/coin.wav", 0xc1fe_82d8),
        ("resources/fonts/KAISG.ttf", 0x75ea_916c),
        ("resources/shaders/base.fs", 0xfe35_c476),
    ] {
        assert_eq!(ResourceId::from_path(path), ResourceId(id), "{path}");
    }
    assert_eq!(ResourceId::from_path(""), ResourceId::NONE, "an empty path has the reserved id");
    // Two paths of real games whose ids collide.
    let stamp = "tuxpaint-stamps-default/share/tuxpaint/stamps/medical/mercurythermometer_desc_ca.ogg";
    let saurian = "large/wesnoth/games/wesnoth/1.16/data/core/images/units/saurians/augur/augur-se-run9.png";
    assert_eq!(ResourceId::from_path(stamp), ResourceId::from_path(saurian));
    assert_eq!(ResourceId(0x1234).to_string(), "0x00001234");
}

#[test]
fn paths_are_normalised() {
    for (given, normal) in [
        ("a/b.png", "a/b.png"),
        (r"a\b.png", "a/b.png"),
        ("./a//b.png", "a/b.png"),
        ("a/x/../b.png", "a/b.png"),
        ("世界/Ä b.png", "世界/Ä b.png"),
    ] {
        assert_eq!(normalize_path(given).as_deref(), Ok(normal), "{given}");
    }
    let long = "x".repeat(1023);
    for (given, error) in [
        ("", PathError::Empty),
        ("./", PathError::Empty),
        ("/etc/passwd", PathError::Escapes),
        (r"\\server\share", PathError::Escapes),
        ("C:evil", PathError::Escapes),
        ("./C:evil", PathError::Escapes),
        ("a/../C:/evil", PathError::Escapes),
        ("a/../../b", PathError::Escapes),
        ("a\0b", PathError::Control),
        ("a\nb", PathError::Control),
        (&long, PathError::TooLong),
    ] {
        assert_eq!(normalize_path(given), Err(error), "{given:?}");
    }
}

#[test]
fn enums_have_the_numbers_of_rres_h() {
    let numbers = |named: &[u32]| named.to_vec();
    let compressions: Vec<u32> = Compression::NAMED.iter().map(|v| v.0.into()).collect();
    assert_eq!(compressions, numbers(&[0, 1, 10, 20, 30, 40, 50, 51, 52, 53]));
    let ciphers: Vec<u32> = Cipher::NAMED.iter().map(|v| v.0.into()).collect();
    assert_eq!(ciphers, numbers(&[0, 1, 10, 11, 20, 30, 31, 40, 50, 60, 70, 71, 72, 73]));
    let encodings: Vec<u32> = text::TextEncoding::NAMED.iter().map(|v| v.0).collect();
    assert_eq!(encodings, numbers(&[0, 1, 2, 10, 11]));
    let languages: Vec<u32> = text::CodeLanguage::NAMED.iter().map(|v| v.0).collect();
    assert_eq!(languages, (0..13).collect::<Vec<_>>());
    let formats: Vec<u32> = PixelFormat::NAMED.iter().map(|v| v.0).collect();
    assert_eq!(formats[..22], (0..22).collect::<Vec<_>>());
    // Ours: 1000 + the numbers of the linear formats in vulkan_core.h.
    let vulkan: Vec<u32> = formats[22..].iter().map(|number| number - 1000).collect();
    let bc = [139, 140, 141, 142, 143, 144, 145];
    let etc = [149, 153, 154, 155, 156];
    let astc = [159, 161, 163, 165, 167, 169, 173, 175, 177, 179, 181, 183];
    assert_eq!(vulkan, [&bc[..], &etc, &astc].concat());
    assert!(PixelFormat::NAMED.iter().all(|format| format.is_rres() == (format.0 < 22)));
    let attributes: Vec<u32> = vertex::VertexAttribute::NAMED.iter().map(|v| v.0).collect();
    assert_eq!(attributes[..9], numbers(&[0, 10, 11, 12, 13, 20, 30, 40, 100])[..]);
    assert!(attributes[9..].iter().all(|number| *number > 1000), "ours: {attributes:?}");
    let vertex_formats: Vec<u32> = vertex::VertexFormat::NAMED.iter().map(|v| v.0).collect();
    assert_eq!(vertex_formats, (0..8).collect::<Vec<_>>());
    let sizes: Vec<_> = vertex::VertexFormat::NAMED.iter().map(|v| v.size().unwrap()).collect();
    assert_eq!(sizes, [1, 1, 2, 2, 4, 4, 2, 4]);
    assert_eq!(FontStyle::NAMED.iter().map(|v| v.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

#[test]
fn unknown_values_are_shown_as_numbers() {
    assert_eq!(Compression(123).to_string(), "unknown (123)");
    assert_eq!(Error::UnsupportedCompression(Compression(123)).to_string(), "compression 123 is unknown");
    assert_eq!(Error::UnsupportedCompression(Compression::RLE).to_string(), "compression RLE (1) is not supported");
    assert_eq!(
        Error::UnsupportedCompression(Compression::LZMA2).to_string(),
        "compression LZMA2 (30) is not supported"
    );
    assert_eq!(Error::UnsupportedCipher(Cipher::XOR).to_string(), "cipher XOR (1) is not supported");
    assert_eq!(Error::UnsupportedCipher(Cipher(9)).to_string(), "cipher 9 is unknown");
    assert_eq!(FourCc([b'A', 0, 0xff, b'~']).to_string(), r"A\x00\xff~");
}

#[test]
fn unimplemented_compressions_are_rejected_in_both_directions() {
    for compression in (0..=255).map(Compression).filter(|c| !c.is_implemented()) {
        let refused = Err(Error::UnsupportedCompression(compression));
        assert_eq!(Compressor::default().compress(compression, b"abc").map(|_| ()), refused);
        assert_eq!(Decompressor::default().decompress(compression, b"abc", &mut [0; 3]), refused);
    }
}

#[test]
fn kinds_have_descriptions_and_reserved_kinds_cannot_be_encoded() {
    for (kind, text) in [
        (b"NULL", "padding"),
        (b"RAWD", "raw data"),
        (b"TEXT", "text"),
        (b"IMGE", "image"),
        (b"WAVE", "sound"),
        (b"VRTX", "vertex attribute"),
        (b"FNTG", "font glyphs"),
        (b"KERN", "kerning of a font"),
        (b"LINK", "link"),
        (b"CDIR", "central directory"),
        (b"PFNT", "reserved by rres"),
        (b"PMSH", "reserved by rres"),
        (b"INDX", "front index"),
        (b"MODL", "model structure"),
    ] {
        assert_eq!(FourCc(*kind).description(), Some(text));
    }
    assert_eq!(FourCc(*b"ZZZZ").description(), None);
    let encode = |kind| StoredChunk::encode(kind, &[0; 4], Compression::NONE, &mut Compressor::default());
    for kind in [FourCc::PFNT, FourCc::PMSH] {
        let refused = encode(kind).unwrap_err().to_string();
        assert_eq!(refused, format!("chunk kind: {kind} is reserved by rres and has no layout"));
    }
    for kind in [FourCc::NULL, FourCc::INDX, FourCc::CDIR] {
        let refused = encode(kind).unwrap_err().to_string();
        assert_eq!(refused, format!("chunk kind: {kind} is written by the pack builder only"));
    }
}

#[test]
fn code_languages_follow_file_extensions() {
    use text::CodeLanguage as L;
    for (extension, language) in [
        ("c", L::C),
        ("cpp", L::CPP),
        ("cs", L::CS),
        ("lua", L::LUA),
        ("js", L::JS),
        ("py", L::PYTHON),
        ("rs", L::RUST),
        ("zig", L::ZIG),
        ("odin", L::ODIN),
        ("jai", L::JAI),
        ("gd", L::GDSCRIPT),
        ("glsl", L::GLSL),
        ("vs", L::GLSL),
        ("FS", L::GLSL),
        ("txt", L::UNDEFINED),
    ] {
        assert_eq!(L::from_extension(extension), language, "{extension}");
    }
}

use std::collections::BTreeMap;

use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::glyphs::GlyphsView;
use rres_format::chunk::image::ImageView;
use rres_format::index::MetaKey;
use rres_import::{Block, Importer, MemoryFiles as Files};
use rres_settings::Settings;
use rres_test_data::damage::{cuts, replaced};
use rres_test_data::picture;

use super::super::FontImporter;
use super::*;

const TEXT: &str = r#"info face="My Font" size=-16 bold=1 italic=0 charset="" unicode=1 stretchH=100 smooth=1 aa=1 padding=1,1,1,1 spacing=1,1
common lineHeight=20 base=15 scaleW=8 scaleH=4 pages=2 packed=0 alphaChnl=0 redChnl=4 greenChnl=4 blueChnl=4
page id=0 file="a 0.png"
page id=1 file="a 1.png"
chars count=3
char id=66   x=0 y=0 width=2 height=3 xoffset=-1 yoffset=4 xadvance=7 page=1 chnl=15
char id=65   x=2 y=1 width=3 height=3 xoffset=0 yoffset=5 xadvance=8 page=0 chnl=15
char id=-1   x=0 y=0 width=0 height=0 xoffset=0 yoffset=0 xadvance=8 page=0 chnl=15
char id=20013 x=6 y=0 width=2 height=4 xoffset=0 yoffset=5 xadvance=16 page=0 chnl=15
kernings count=1
kerning first=65 second=66 amount=-2
"#;

/// The same as [`TEXT`] in XML.
fn xml() -> String {
    let mut out = "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<font>\n".to_owned();
    for line in TEXT.lines() {
        let (name, attributes) = line.split_once(' ').unwrap();
        let list: Vec<String> = attributes
            .replace("My Font", "My_Font")
            .replace("a 0", "a_0")
            .replace("a 1", "a_1")
            .split_whitespace()
            .map(|pair| {
                let (key, value) = pair.split_once('=').unwrap();
                let value = value.trim_matches('"').replace("a_", "a&#32;");
                format!("{key}=\"{value}\"")
            })
            .collect();
        let end = if matches!(name, "chars" | "kernings") { ">" } else { "/>" };
        out += &format!("  <{name} {}{end}\n", list.join(" "));
    }
    out + "</chars></font>\n"
}

/// The same in binary form.
fn binary() -> Vec<u8> {
    let words = |numbers: &[i32]| numbers.iter().flat_map(|n| (*n as u16).to_le_bytes()).collect::<Vec<u8>>();
    let char = |id: u32, numbers: [i32; 7], page: u8| [&id.to_le_bytes()[..], &words(&numbers), &[page, 15]].concat();
    let chars = [
        char(66, [0, 0, 2, 3, -1, 4, 7], 1),
        char(65, [2, 1, 3, 3, 0, 5, 8], 0),
        char(u32::MAX, [0, 0, 0, 0, 0, 0, 8], 0),
        char(20_013, [6, 0, 2, 4, 0, 5, 16], 0),
    ];
    let (smooth, unicode, bold) = (1 << 7, 1 << 6, 1 << 4);
    let blocks: [Vec<u8>; 5] = [
        [&words(&[-16])[..], &[smooth | unicode | bold, 0, 100, 0, 1, 1, 1, 1, 1, 1, 1, 0], b"My Font\0"].concat(),
        [&words(&[20, 15, 8, 4, 2])[..], &[0, 0, 4, 4, 4]].concat(),
        b"a 0.png\0a 1.png\0".to_vec(),
        chars.concat(),
        [&65u32.to_le_bytes()[..], &66u32.to_le_bytes(), &words(&[-2])].concat(),
    ];
    let mut out = b"BMF\x03".to_vec();
    for (number, block) in blocks.iter().enumerate() {
        out.push(number as u8 + 1);
        out.extend((block.len() as u32).to_le_bytes());
        out.extend(block);
    }
    out
}

fn png(pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let pixels: Vec<u8> = (0..4).flat_map(|y| (0..8).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
    picture::png(8, 4, &pixels)
}

/// White, with an alpha that tells the place.
fn white() -> Vec<u8> {
    png(|x, y| [255, 255, 255, (x * 10 + y) as u8])
}

fn import_with(description: &[u8], pictures: [Vec<u8>; 2]) -> Result<Asset, ImportError> {
    let [first, second] = pictures;
    let files = BTreeMap::from([("fonts/a 0.png".to_owned(), first), ("fonts/a 1.png".to_owned(), second)]);
    let settings = Settings::default();
    let mut files = Files::from(files);
    let mut source =
        Source::new("fonts/a.fnt", description, &settings, &mut files).with_encoders(crate::tests::ENCODERS);
    FontImporter.import(&mut source).map(|mut parts| parts.remove(0))
}

fn refusal(description: &[u8]) -> String {
    import_with(description, [white(), white()]).map(|part| part.summary).unwrap_err().to_string()
}

fn tables(part: &Asset) -> Vec<Vec<Glyph>> {
    let of_kind = part.blocks.iter().filter(|block| block.kind == FourCc::FNTG);
    of_kind
        .map(|block| GlyphsView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap().glyphs().collect())
        .collect()
}

#[test]
fn text_xml_and_binary_are_the_same_font() {
    let part = import_with(TEXT.as_bytes(), [white(), white()]).unwrap();
    assert_eq!(part.summary, "3 glyphs at 16 px on 2 pages");
    let glyph = |codepoint, x, y, width, height, offset_x, offset_y, advance_x| Glyph {
        codepoint,
        x,
        y,
        width,
        height,
        offset_x,
        offset_y,
        advance_x,
    };
    let first = vec![glyph(65, 2, 1, 3, 3, 0, 5, 8), glyph(0x4e2d, 6, 0, 2, 4, 0, 5, 16)];
    assert_eq!(tables(&part), [first, vec![glyph(66, 0, 0, 2, 3, -1, 4, 7)]]);
    let value = |key| f32::from_bits(part.meta.get(key).unwrap());
    assert_eq!((value(MetaKey::ASCENT), value(MetaKey::LINE_HEIGHT)), (15.0, 20.0));
    let kerning = Kerning::parse(PayloadView::parse(&part.blocks[4].bytes).unwrap()).unwrap();
    assert_eq!((kerning.units(), kerning.between('A', 'B'), kerning.between('B', 'A')), (16.0, -2, 0));
    let image = ImageView::parse(PayloadView::parse(&part.blocks[1].bytes).unwrap()).unwrap();
    assert_eq!((image.props().format, image.data()[2 * (8 + 3) + 1]), (PixelFormat::GRAY_ALPHA8, 31));

    let bytes = |part: Asset| part.blocks.into_iter().map(|block| block.bytes).collect::<Vec<_>>();
    let expected = bytes(part);
    for other in [xml().into_bytes(), binary(), TEXT.replace('\n', "\r\n").into_bytes()] {
        let part = import_with(&other, [white(), white()]).unwrap();
        assert_eq!(bytes(part), expected, "{}", String::from_utf8_lossy(&other[..20]));
    }
}

#[test]
fn a_binary_description_says_whether_it_is_bold_or_italic() {
    // After the signature, the number and the size of the block, and the size of the font.
    let at = 4 + 1 + 4 + 2;
    let style = |flags: u8| {
        let mut file = binary();
        file[at] = flags;
        let read = super::binary::read(&file).unwrap();
        (read.is_bold, read.is_italic)
    };
    assert_eq!(style(0b1100_0000), (false, false), "smooth, Unicode");
    assert_eq!([style(1 << 4), style(1 << 5), style(1 << 3)], [(true, false), (false, true), (false, false)]);
}

#[test]
fn parts_of_pixels_are_kept_or_named() {
    let text = TEXT
        .replace("xadvance=7 ", "xadvance=7.25 ")
        .replace("lineHeight=20 base=15", "lineHeight=20.5 base=15.75")
        .replace("yoffset=4", "yoffset=4.6")
        .replace("amount=-2", "amount=-1.5");
    let part = import_with(text.as_bytes(), [white(), white()]).unwrap();
    let kerning = Kerning::parse(PayloadView::parse(&part.blocks[4].bytes).unwrap()).unwrap();
    assert_eq!((kerning.advance('B'), kerning.advance('A')), (Some(7.25), Some(8.0)));
    let glyph = tables(&part)[1][0];
    assert_eq!((glyph.offset_y, glyph.advance_x), (5, 7));
    let value = |key| f32::from_bits(part.meta.get(key).unwrap());
    assert_eq!((value(MetaKey::ASCENT), value(MetaKey::LINE_HEIGHT)), (15.75, 20.5));
    assert_eq!(part.notes[0].detail, "`amount`, `yoffset`");
    let whole = TEXT.replace("xadvance=7 ", "xadvance=7.0 ").replace("yoffset=4", "yoffset=4.0");
    assert!(import_with(whole.as_bytes(), [white(), white()]).unwrap().notes.is_empty());
    assert!(refusal(TEXT.replace("xadvance=7 ", "xadvance=99999999999 ").as_bytes()).contains("out of range"));
}

#[test]
fn gray_pictures_are_coverage_and_coloured_ones_stay() {
    let gray = png(|x, _| [x as u8 * 9, x as u8 * 9, x as u8 * 9, 255]);
    let part = import_with(TEXT.as_bytes(), [gray.clone(), white()]).unwrap();
    let image = ImageView::parse(PayloadView::parse(&part.blocks[1].bytes).unwrap()).unwrap();
    assert_eq!(image.data()[..6], [255, 0, 255, 9, 255, 18]);
    assert_eq!(part.meta.get(MetaKey::GLYPH_FORM), None);

    let colored = png(|x, y| [x as u8, y as u8, 7, 200]);
    let part = import_with(TEXT.as_bytes(), [colored, gray]).unwrap();
    assert_eq!(part.meta.get(MetaKey::GLYPH_FORM), Some(GlyphForm::Picture as u32));
    let pixels = |block: &Block| {
        let image = ImageView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
        assert_eq!(image.props().format, PixelFormat::RGBA8);
        image.data()[4..8].to_vec()
    };
    assert_eq!(pixels(&part.blocks[1]), [1, 0, 7, 200]);
    assert_eq!(pixels(&part.blocks[3]), [255, 255, 255, 9], "all pages of a font have one format");
}

#[test]
fn glyphs_in_single_channels_are_pages_of_their_own() {
    let packed = TEXT
        .replace("xadvance=8 page=0 chnl=15", "xadvance=8 page=0 chnl=4")
        .replace("xadvance=16 page=0 chnl=15", "xadvance=16 page=0 chnl=1");
    let picture = png(|x, y| [10 + x as u8, 20, 30 + y as u8, 40]);
    let part = import_with(packed.as_bytes(), [picture, white()]).unwrap();
    assert_eq!(part.summary, "3 glyphs at 16 px on 3 pages");
    let first: Vec<i32> = tables(&part).iter().map(|table| table[0].codepoint).collect();
    assert_eq!(first, [65, 66, 0x4e2d]);
    let alpha = |number: usize| {
        let image = ImageView::parse(PayloadView::parse(&part.blocks[number].bytes).unwrap()).unwrap();
        image.data()[2 * 9 + 1]
    };
    assert_eq!((alpha(1), alpha(5)), (11, 31), "red of A, blue of 中");
}

#[test]
fn faults_are_errors_with_their_line() {
    let with = |from: &str, to: &str| TEXT.replacen(from, to, 1);
    for (description, expected) in [
        (with("id=66   x=0", "id=66   x=q"), "has `x` = \"q\" in `char`, expected a number"),
        (with(" xadvance=7", ""), "has `char` without `xadvance`"),
        (with("page=1 chnl", "page=2 chnl"), "places U+0042 on page 2 of 2, counted from 0"),
        (with("x=6 y=0", "x=7 y=0"), "places U+4E2D at 7, 0 with 2×4 pixels, outside a page of 8×4"),
        (with("id=66", "id=65"), "lists U+0041 twice"),
        (with("id=66", "id=55296"), "has a character of the number 55296, which is not one of Unicode"),
        (with("scaleW=8", "scaleW=0"), "is a BMFont description with pages of 0×4 pixels, expected 1 to 16384 each"),
        (with("scaleW=8", "scaleW=16"), "describes pages of 16×4 pixels, and \"a 0.png\" has 8×4"),
        (with("page id=1", "page id=7"), "numbers a page 7, expected 1: pages are counted from 0"),
        (with("a 1.png", "b.png"), "fonts/b.png does not exist"),
        (with("a 1.png", "../../b.png"), "refers to \"../../b.png\", which is not inside the assets directory"),
        (with("\"a 1.png\"", "\"a 1.png"), "has a text without its closing quote"),
    ] {
        assert_eq!(refusal(description.as_bytes()), expected);
    }
    let error = import_with(with("xadvance=7", "xadvance=q").as_bytes(), [white(), white()]).map(|part| part.summary);
    let diagnostic = error.unwrap_err().into_diagnostic(std::path::Path::new("a.fnt"), "a.fnt").to_string();
    assert!(diagnostic.contains("a.fnt:6:1"), "{diagnostic}");
    assert_eq!(refusal(&binary()[..40]), "is a binary BMFont description whose block 2 ends early");
    assert_eq!(refusal(b"BMF\x02"), "is a binary BMFont description of version 2, expected 3");
    assert_eq!(refusal(b"info face=x\n"), "is a BMFont description without pages");
}

#[test]
fn any_damage_is_an_error_or_a_font() {
    let (text, xml, binary) = (TEXT.as_bytes().to_vec(), xml().into_bytes(), binary());
    for description in [&text, &xml, &binary] {
        let damaged = replaced(description, 0..description.len(), &[0, b'9', b'"', 0xff]);
        for bad in damaged.chain(cuts(description).map(<[u8]>::to_vec)) {
            let _ = import_with(&bad, [white(), white()]);
        }
    }
}

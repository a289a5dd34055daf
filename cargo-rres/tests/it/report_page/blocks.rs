//! The blocks of compressed images in the page of `cargo rres report`.

use std::collections::BTreeSet;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::{Compression, FourCc, Resource};
use rres_test_data::random::Random;
use serde_json::json;

use super::{PRESS_BLOCKS, open_asset, page_of_assets};
use crate::Sandbox;
use crate::browser::Browser;
use crate::packs::chunk;
use crate::report::pack_of;

#[test]
#[ignore = "long: clicks in a browser"]
fn images_show_their_levels_and_blocks() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let page = page_of_assets(&sandbox);
    open_asset(&mut browser, &page, "world/moon.dds");
    browser.wait_for("document.querySelector('.preview .note').textContent !== ''");
    assert_eq!(browser.text(".preview .note"), "level 0: 256 × 256, 65.5 kB, 64 × 64 blocks of 16 bytes");
    let middle = "(() => { const c = document.querySelector('.preview canvas'); \
                  return [...c.getContext('2d').getImageData(c.width / 2, c.height / 2, 1, 1).data]; })()";
    let pixel = browser.eval(middle);
    let at = |channel: usize| pixel[channel].as_u64().unwrap();
    assert!(at(0) > 200 && at(2) < at(0) && at(3) == 255, "the moon is a pale yellow: {pixel}");
    browser.click(".tools .levels button:nth-of-type(3)");
    browser.wait_for("document.querySelector('.preview .note').textContent.startsWith('level 2: 64 × 64, 4.0 kB')");
    let plain = browser.eval("document.querySelector('.preview canvas').toDataURL()");
    browser.eval(PRESS_BLOCKS);
    assert_ne!(browser.eval("document.querySelector('.preview canvas').toDataURL()"), plain, "blocks are drawn");
    let width = browser.eval("document.querySelector('.preview canvas').width").as_u64();
    browser.eval("document.querySelector('.stage').focus()");
    browser.press("-");
    assert_eq!(browser.eval("document.querySelector('.preview canvas').width * 2").as_u64(), width);
    assert_eq!(browser.complaints, [""; 0]);
}

/// An image of 18 × 10 pixels in blocks of 4 × 4 pixels, which are any bytes.
fn image_in_blocks(format: PixelFormat) -> (Resource<'static>, Vec<u8>) {
    let size = format.pixel_block().unwrap().size;
    let blocks = Random::new(7).bytes(5 * 3 * size as usize);
    let props = ImageProps { width: 18, height: 10, format, mipmaps: 1 };
    let image = chunk(FourCc::IMGE, &props.block(&blocks), Compression::NONE);
    (Resource::new(format!("{format}.png"), vec![image]), blocks)
}

/// Every block of every decoded format, by keyboard: the shown colours are those that a decoder makes of the block.
#[test]
#[ignore = "long: clicks in a browser"]
fn a_chosen_block_shows_its_colours_and_indices() {
    let Some(mut browser) = Browser::start(1300, 1100) else { return };
    let sandbox = Sandbox::new();
    type Decode = fn(&[u8], &mut [u8], usize);
    let formats: [(PixelFormat, Decode, usize); 4] = [
        (PixelFormat::DXT1_RGB, bcdec_rs::bc1, 0),
        (PixelFormat::DXT1_RGBA, bcdec_rs::bc1, 0),
        (PixelFormat::DXT3_RGBA, bcdec_rs::bc2, 1),
        (PixelFormat::DXT5_RGBA, bcdec_rs::bc3, 1),
    ];
    sandbox.write("blocks.rres", &pack_of(formats.map(|(format, ..)| image_in_blocks(format).0)));
    sandbox.run(["report", "blocks.rres"]).success();
    let mut modes = BTreeSet::new();
    for (format, decode, alpha_parts) in formats {
        open_asset(&mut browser, &sandbox.path("report.html"), &format!("{format}.png"));
        browser.wait_for("document.querySelector('.preview .note').textContent !== ''");
        browser.eval("document.querySelector('.stage').focus()");
        browser.press("ArrowRight");
        assert_eq!(browser.text(".block"), "", "no block is chosen while none is shown");
        browser.eval(PRESS_BLOCKS);
        assert!(browser.text(".block h3").starts_with("Block 2, 1 of 5 × 3: "), "the middle comes first");
        browser.press("ArrowUp");
        let (_, blocks) = image_in_blocks(format);
        for (number, bytes) in blocks.chunks(blocks.len() / 15).enumerate() {
            let (column, row) = (number % 5, number / 5);
            browser.press(if column == 0 { "Home" } else { "ArrowRight" });
            let head = browser.text(".block h3");
            let mode = head.strip_prefix(&format!("Block {column}, {row} of 5 × 3: ")).expect(&head);
            modes.insert(mode.to_owned());
            let shown = browser.eval(
                "[...document.querySelectorAll('.texels')].map((part) => [...part.querySelectorAll('td')].map((td) => td.title))",
            );
            let mut decoded = [0; 64];
            decode(bytes, &mut decoded, 16);
            let colours: Vec<String> = decoded
                .chunks(4)
                .map(|pixel| match pixel[3] {
                    0 if format == PixelFormat::DXT1_RGBA => "none".to_owned(),
                    _ => format!("#{:02x}{:02x}{:02x}", pixel[0], pixel[1], pixel[2]),
                })
                .collect();
            let alphas: Vec<String> = decoded.chunks(4).map(|pixel| pixel[3].to_string()).collect();
            assert_eq!(shown, json!([colours, alphas][..1 + alpha_parts]), "{head}");
            // The indices refer to the palette beside them.
            let mismatched = browser.eval(
                "[...document.querySelectorAll('.part')].flatMap((part) => { \
                 const palette = [...part.querySelectorAll('.palette tr')].map((line) => line.cells[1].textContent); \
                 return palette.length === 0 ? [] : [...part.querySelectorAll('.texels td')] \
                 .filter((td) => palette[Number(td.textContent)] !== td.title); }).length",
            );
            assert_eq!(mismatched, 0, "{head}");
            if column == 4 {
                browser.press("ArrowDown");
            }
        }
        // Of the last block, 2 × 2 pixels are in the image.
        assert!(browser.text(".block .note").starts_with("pixels 16–17, 8–9 · bytes "));
        assert_eq!(browser.eval("document.querySelectorAll('.texels .beyond').length"), 12 * (1 + alpha_parts));
        // A click chooses the block under the pointer: the one in the middle.
        browser.click(".preview canvas");
        assert!(browser.text(".block h3").starts_with("Block 2, 1 of 5 × 3: "), "{}", browser.text(".block h3"));
    }
    let expected = [
        "3 colours and black",
        "3 colours and transparent",
        "4 colours",
        "4 colours, 6 values of alpha, 0 and 255",
        "4 colours, 8 values of alpha",
        "4 colours, alpha of 4 bits",
    ];
    assert_eq!(modes.into_iter().collect::<Vec<_>>(), expected, "every mode has been shown");
    assert_eq!(browser.complaints, [""; 0]);
}

/// The formats that rres has no number for have pictures, and blocks with their channels or their mode.
#[test]
#[ignore = "long: clicks in a browser"]
fn blocks_of_bc4_to_bc7_have_pictures_and_modes() {
    let Some(mut browser) = Browser::start(1300, 1100) else { return };
    let sandbox = Sandbox::new();
    let gray = [200, 100, 0, 0, 0, 0, 0, 0];
    // The mode of BC7 is the number of zeros before the first one.
    let mode6 = [0x40, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let image = |format: PixelFormat, block: &[u8]| {
        let props = ImageProps { width: 4, height: 4, format, mipmaps: 1 };
        Resource::new(format!("{format}.dds"), vec![chunk(FourCc::IMGE, &props.block(block), Compression::NONE)])
    };
    let cases = [
        (PixelFormat::BC4, gray.to_vec(), "8 values of gray"),
        (PixelFormat::BC5, [gray, [1, 2, 0, 0, 0, 0, 0, 0]].concat(), "8 values of red, 6 values of green, 0 and 255"),
        (PixelFormat::BC6H, mode6.to_vec(), "mode 0"),
        (PixelFormat::BC7, mode6.to_vec(), "mode 6"),
    ];
    sandbox.write("blocks.rres", &pack_of(cases.iter().map(|(format, block, _)| image(*format, block))));
    sandbox.run(["report", "blocks.rres"]).success();
    for (format, _, modes) in cases {
        open_asset(&mut browser, &sandbox.path("report.html"), &format!("{format}.dds"));
        browser.wait_for("document.querySelector('.preview .note').textContent !== ''");
        browser.eval(PRESS_BLOCKS);
        assert_eq!(browser.text(".block h3"), format!("Block 0, 0 of 1 × 1: {modes}"));
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
#[ignore = "long: clicks in a browser"]
fn what_cannot_be_shown_of_blocks_is_said() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let (etc, _) = image_in_blocks(PixelFormat::ETC1_RGB);
    // So large that its blocks do not fit, unlike the blocks of its first smaller level.
    let props = ImageProps { width: 1024, height: 512, format: PixelFormat::DXT1_RGB, mipmaps: 2 };
    let large = chunk(FourCc::IMGE, &props.block(&vec![0x5a; props.data_size().unwrap() as usize]), Compression::NONE);
    sandbox.write("blocks.rres", &pack_of([etc, Resource::new("large.png", vec![large])]));
    sandbox.run(["report", "blocks.rres"]).success();
    let page = sandbox.path("report.html");
    open_asset(&mut browser, &page, "ETC1_RGB.png");
    let note = browser.text(".preview .note");
    assert!(note.contains("the blocks of ETC1_RGB are not decoded"), "{note}");
    open_asset(&mut browser, &page, "large.png");
    browser.wait_for("document.querySelector('.preview .note').textContent !== ''");
    browser.eval(PRESS_BLOCKS);
    let note = browser.text(".block");
    assert!(note.starts_with("The 262.1 kB of blocks are not in this page"), "{note}");
    browser.click(".tools .levels button:nth-of-type(2)");
    browser.wait_for("document.querySelector('.block h3')");
    assert_eq!(browser.text(".block h3"), "Block 64, 32 of 128 × 64: 3 colours and black");
    assert_eq!(browser.complaints, [""; 0]);
}

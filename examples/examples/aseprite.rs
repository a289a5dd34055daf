//! Plays an animation of the editor Aseprite, which an importer of the build script reads (`importers/aseprite.rs`).
//!
//! ```sh
//! cargo run -p rres-examples --example aseprite
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::ops::RangeInclusive;

use rres_runtime::{CustomAsset, CustomChunk, FourCc, Id, Image};

rres_runtime::include_assets!(mod aseprite); // `aseprite::COIN_ASEPRITE` is an `Id<crate::Animations>`

/// Frames side by side in a picture, the time of each in milliseconds, and the animations by name.
struct Animations {
    sheet: Id<Image>,
    width: usize,
    times: Vec<u16>,
    tags: Vec<(String, RangeInclusive<usize>)>,
}

impl CustomAsset for Animations {
    const FOURCC: FourCc = FourCc(*b"ANIM");
    type Error = String;

    fn from_chunk(chunk: &CustomChunk<'_>) -> Result<Self, String> {
        let mut data = chunk.data();
        let mut number = || -> Result<u16, String> {
            let (number, rest) = data.split_first_chunk::<2>().ok_or("is cut off")?;
            data = rest;
            Ok(u16::from_le_bytes(*number))
        };
        let [width, _height, frames, tags] = [number()?, number()?, number()?, number()?];
        let times = (0..frames).map(|_| number()).collect::<Result<Vec<u16>, _>>()?;
        let ranges = (0..tags).map(|_| Ok((number()?, number()?, number()?))).collect::<Result<Vec<_>, String>>()?;
        let tag = |(first, last, length): (u16, u16, u16)| {
            let (name, rest) = data.split_at_checked(length.into()).ok_or("lacks a name")?;
            data = rest;
            let in_range = first <= last && usize::from(last) < times.len();
            let range = in_range.then_some(first.into()..=last.into()).ok_or("has a tag without frames")?;
            Ok((String::from_utf8_lossy(name).into_owned(), range))
        };
        let tags = ranges.into_iter().map(tag).collect::<Result<_, String>>()?;
        Ok(Self { sheet: chunk.dependency(0).ok_or("lacks its picture")?, width: width.into(), times, tags })
    }
}

fn main() -> Result<(), rres_runtime::Error> {
    let store = aseprite::open()?;
    let coin = store.load(aseprite::COIN_ASEPRITE)?.get();
    // The sheet is a sub-asset with a constant of its own, too: `aseprite::coin_aseprite::SHEET`.
    let sheet = store.load(coin.sheet)?.get();
    let pixels = sheet.to_rgba8().expect("pixels are not block-compressed");
    for (name, frames) in &coin.tags {
        for frame in frames.clone() {
            println!("{name}, for {} ms:", coin.times[frame]);
            for row in pixels.chunks(sheet.width() as usize * 4) {
                let shown = row.chunks(4).skip(frame * coin.width).take(coin.width);
                println!("{}", shown.map(|pixel| if pixel[3] > 127 { '#' } else { '.' }).collect::<String>());
            }
        }
    }
    Ok(())
}

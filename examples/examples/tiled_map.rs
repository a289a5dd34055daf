//! Loads a map of the editor Tiled, which an importer of the build script reads (`importers/tiled.rs`).
//!
//! ```sh
//! cargo run -p rres-examples --example tiled_map
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

use rres_runtime::{CustomAsset, CustomChunk, FourCc, Id, Image};

rres_runtime::include_assets!(mod tiled); // `tiled::TOWN_TMX` is an `Id<crate::TileMap>`

/// A map: its size, the pictures of its tilesets, and for each layer the tiles, row by row.
struct TileMap {
    width: usize,
    tilesets: Vec<Id<Image>>,
    layers: Vec<Vec<u32>>,
}

impl CustomAsset for TileMap {
    const FOURCC: FourCc = FourCc(*b"TMAP");
    type Error = &'static str;

    fn from_chunk(chunk: &CustomChunk<'_>) -> Result<Self, Self::Error> {
        let (numbers, _) = chunk.data().as_chunks::<4>();
        let numbers: Vec<u32> = numbers.iter().map(|number| u32::from_le_bytes(*number)).collect();
        let [width, height, _, _, tilesets, layers, rest @ ..] = &numbers[..] else { return Err("has no header") };
        let tiles = rest.get(*tilesets as usize..).ok_or("lacks tilesets")?;
        let size = (*width as usize).checked_mul(*height as usize).filter(|size| *size > 0).ok_or("has no size")?;
        if tiles.len() / size != *layers as usize {
            return Err("lacks tiles");
        }
        let tilesets = (0..*tilesets as usize).map(|at| chunk.dependency(at).ok_or("lacks a picture"));
        let layers = tiles.chunks_exact(size).map(<[u32]>::to_vec).collect();
        Ok(Self { width: *width as usize, tilesets: tilesets.collect::<Result<_, _>>()?, layers })
    }
}

fn main() -> Result<(), rres_runtime::Error> {
    let store = tiled::open()?;
    let map = store.load(tiled::TOWN_TMX)?.get();
    for id in &map.tilesets {
        let picture = store.load(*id)?;
        println!("{}: {} × {} pixels", picture.path(), picture.get().width(), picture.get().height());
    }
    for layer in &map.layers {
        for row in layer.chunks(map.width) {
            println!("{}", row.iter().map(|tile| char::from(b".abcdefgh"[*tile as usize % 9])).collect::<String>());
        }
    }
    Ok(())
}

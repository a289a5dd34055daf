//! Aseprite files whose layers, groups, cels or frames are far more work than their bytes.

use rres_test_data::bytes::shorts;

use super::bombs::{Bomb, defuse};
use super::images::zeros;

fn chunk(kind: u16, data: &[u8]) -> Vec<u8> {
    [&(data.len() as u32 + 6).to_le_bytes()[..], &kind.to_le_bytes(), data].concat()
}

/// A visible layer of this kind (1 is a group) at this level.
fn layer(kind: u16, level: u16) -> Vec<u8> {
    chunk(0x2004, &[&shorts(&[1, kind, level, 0, 0, 0])[..], &[255, 0, 0, 0, 0, 0]].concat())
}

fn cel(layer: u16, kind: u16, rest: &[u8]) -> Vec<u8> {
    chunk(0x2005, &[&shorts(&[layer, 0, 0])[..], &[255], &shorts(&[kind, 0]), &[0; 5], rest].concat())
}

/// The pixels of a cel, zeros.
fn pixels(width: u16, height: u16) -> Vec<u8> {
    [shorts(&[width, height]), zeros(u64::from(width) * u64::from(height) * 4)].concat()
}

fn file((width, height): (u16, u16), frames: &[Vec<Vec<u8>>]) -> Vec<u8> {
    let mut out = [&[0; 4][..], &shorts(&[0xa5e0, frames.len() as u16, width, height, 32]), &[3, 0, 0, 0]].concat();
    out.resize(128, 0);
    for chunks in frames {
        let data = chunks.concat();
        out.extend((data.len() as u32 + 16).to_le_bytes());
        out.extend(shorts(&[0xf1fa, 0xffff, 100, 0]));
        out.extend((chunks.len() as u32).to_le_bytes());
        out.extend(data);
    }
    out
}

/// Layers of groups, each within the one before if they are nested.
fn groups(count: usize, nested: bool) -> Vec<Vec<u8>> {
    (0..count).map(|number| layer(1, if nested { number as u16 } else { 0 })).collect()
}

/// Frames that link to a wide cel.
fn linked(count: u16) -> Vec<Vec<Vec<u8>>> {
    let first = vec![layer(0, 0), cel(0, 2, &pixels(65535, 4000))];
    std::iter::once(first).chain((1..count).map(|_| vec![cel(0, 1, &shorts(&[0]))])).collect()
}

#[test]
fn aseprite_files() {
    defuse(
        "[\"*\"]\nimage.frames = \"all\"\n",
        vec![
            Bomb::refused("large.aseprite", file((65535, 65535), &[vec![layer(0, 0)]]), "is too large: 65535×65535"),
            Bomb {
                memory: 64,
                ..Bomb::refused(
                    "layers.aseprite",
                    file((1, 1), &[groups(65_536, false), groups(1, false)]),
                    "more than 65536 layers",
                )
            },
        ],
    );
}

#[test]
#[ignore = "long: unfolds gigabytes"]
fn aseprite_files_that_unfold() {
    // Each layer has a cel that unfolds to 64 MiB.
    let cels = |count: u16| -> Vec<Vec<u8>> {
        let content = pixels(4096, 4096);
        let layers = (0..count).map(|_| layer(0, 0));
        layers.chain((0..count).map(|number| cel(number, 2, &content))).collect()
    };
    let many = "pixels to draw in all layers and frames";
    defuse(
        "",
        vec![
            Bomb {
                memory: 64,
                ..Bomb::refused("siblings.aseprite", file((4096, 4096), &[groups(60_000, false)]), many)
            },
            Bomb { memory: 1400, ..Bomb::refused("nested.aseprite", file((4096, 4096), &[groups(60_000, true)]), "") },
            Bomb { memory: 160, ..Bomb::refused("cels.aseprite", file((4096, 4096), &[cels(150)]), many) },
        ],
    );
    defuse(
        "[\"*\"]\nimage.frames = \"all\"\n",
        vec![
            Bomb { memory: 200, ..Bomb::refused("linked.aseprite", file((1, 4000), &linked(10_000)), many) },
            Bomb {
                memory: 64,
                ..Bomb::refused("frames.aseprite", file((4096, 4096), &linked(60_000)), "is too large")
            },
        ],
    );
}

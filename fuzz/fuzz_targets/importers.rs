//! Imports any bytes as a source of each kind. The first byte chooses the kind, the rest is the file.
#![no_main]

#[path = "../panics.rs"]
mod panics;

use std::panic;

use libfuzzer_sys::fuzz_target;
use rres_engine::fuzz;
use rres_format::AssetKind;

const KINDS: &[(AssetKind, &str)] = &[
    (AssetKind::Image, "png"),
    (AssetKind::Image, "aseprite"),
    (AssetKind::Image, "gif"),
    (AssetKind::Image, "tga"),
    (AssetKind::Image, "webp"),
    (AssetKind::Image, "bmp"),
    (AssetKind::Sound, "wav"),
    (AssetKind::Sound, "ogg"),
    (AssetKind::Sound, "mp3"),
    (AssetKind::Sound, "flac"),
    (AssetKind::Sound, "m4a"),
    (AssetKind::Sound, "aiff"),
    (AssetKind::Font, "ttf"),
    (AssetKind::Font, "fnt"),
    (AssetKind::Model, "glb"),
    (AssetKind::Model, "gltf"),
    (AssetKind::Text, "json"),
    (AssetKind::Text, "wgsl"),
];

fuzz_target!(|bytes: &[u8]| {
    panics::ignore_those_of_others();
    let Some((choice, file)) = bytes.split_first() else { return };
    let (kind, extension) = KINDS[usize::from(*choice) % KINDS.len()];
    let _ = panic::catch_unwind(|| fuzz::import(&rres_build::importers(), kind, extension, file));
});

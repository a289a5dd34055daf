//! Imports any bytes as a source of each kind. The first byte chooses the kind, the rest is the file.
#![no_main]

use std::panic;
use std::sync::Once;

use libfuzzer_sys::fuzz_target;
use rres_build::{AssetKind, fuzz};

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
    (AssetKind::Model, "glb"),
    (AssetKind::Model, "gltf"),
    (AssetKind::Text, "json"),
];

/// Makes panics of this project's code findings, but not those of decoders that it uses: a build catches them, and names the file.
fn ignore_panics_of_others() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let end = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !panic.location().is_some_and(|location| location.file().contains("/registry/src/")) {
                end(panic);
            }
        }));
    });
}

fuzz_target!(|bytes: &[u8]| {
    ignore_panics_of_others();
    let Some((choice, file)) = bytes.split_first() else { return };
    let (kind, extension) = KINDS[usize::from(*choice) % KINDS.len()];
    let _ = panic::catch_unwind(|| fuzz::import(kind, extension, file));
});

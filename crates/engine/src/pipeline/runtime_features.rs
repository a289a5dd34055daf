//! An assets directory → the features of `rres-runtime` that decode what a pack may keep of its files.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::discover::discover;
use crate::model::extension_of;

/// The features of `rres-runtime` with which a game loads the files of an assets directory that a pack may keep as they are, in order. Extensions
/// and first bytes of the files tell; rules can choose other forms. The feature `decoders` is all of them.
pub fn runtime_features(dir: impl AsRef<Path>) -> Vec<&'static str> {
    let sources = discover(dir.as_ref()).sources;
    let mut features: Vec<&'static str> = sources
        .iter()
        .filter_map(|source| match extension_of(&source.path).to_ascii_lowercase().as_str() {
            // The textures in models are images.
            "jpg" | "jpeg" | "glb" | "gltf" => Some("jpeg"),
            "mp3" => Some("mp3"),
            "flac" => Some("flac"),
            "opus" => Some("opus"),
            "qoa" => Some("qoa"),
            "ogg" | "oga" => Some(if is_opus(&source.file) { "opus" } else { "ogg" }),
            _ => None,
        })
        .collect();
    features.sort_unstable();
    features.dedup();
    features
}

/// Whether the first page of an Ogg stream begins one of Opus.
fn is_opus(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(64).read_to_end(&mut start));
    read.is_ok() && start.windows(8).any(|bytes| bytes == b"OpusHead")
}

//! What `cargo rres nbr` writes as files of common formats: the assets of a build, in packs in memory.

use rres_import_nbr::Font;

use super::super::asset_pack::{AssetPack, AssetPackError, pack};
use super::fonts;
use super::scenes::{NbrScene, convert};
use crate::settings::ImageSettings;

/// Converts a model, a skeleton, animations, or all of one creature.
///
/// # Errors
/// If a build would refuse it.
pub fn nbr_scene(scene: &NbrScene<'_>) -> Result<AssetPack, AssetPackError> {
    let converted = convert(scene, &ImageSettings::default())?;
    pack(converted.assets, converted.left_out)
}

/// Converts a font.
///
/// # Errors
/// If a build would refuse it.
pub fn nbr_font(font: &Font<'_>) -> Result<AssetPack, AssetPackError> {
    pack(vec![fonts::import(font)?], Vec::new())
}

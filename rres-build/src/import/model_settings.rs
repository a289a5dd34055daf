//! The settings of models for importers that do not read glTF.

use super::{Asset, ImportError};
use crate::settings::Settings;

/// Applies the settings to every model among `assets`.
#[cfg(feature = "model")]
pub(super) fn apply(assets: &mut [Asset], settings: &Settings) -> Result<(), ImportError> {
    super::model::apply_settings(assets, &settings.model)
}

/// Refuses settings of models, which need the feature.
#[cfg(not(feature = "model"))]
pub(super) fn apply(assets: &mut [Asset], settings: &Settings) -> Result<(), ImportError> {
    let has_models = assets.iter().any(|asset| asset.kind == rres_format::AssetKind::Model);
    if !has_models || settings.model == Default::default() {
        return Ok(());
    }
    let error = ImportError::new("has settings of models, but the feature `model` of rres-build is disabled");
    Err(error.with_help("enable it with `cargo add --build rres-build --features model`, or leave out `model`"))
}

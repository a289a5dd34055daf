//! Imports `assets/` and generates the constants that `include_assets!` includes.

mod level;

use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Source};

fn main() {
    rres_build::import("../assets").importer(LevelImporter).build_or_exit();
}

/// Maps of characters → what `src/level.rs` loads. A mistake in a map is an error of the build.
struct LevelImporter;

impl Importer for LevelImporter {
    fn describe(&self) -> Description {
        Description::new("sky_map", 1).reads(["level"]).makes(AssetType::custom(*b"LEVL", "crate::level::Level"))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let map = level::Map::parse(source.text()?).map_err(|mistake| {
            let error = ImportError::new(mistake.message);
            mistake.line.into_iter().fold(error, |error, line| error.at(line, 1))
        })?;
        let summary =
            format!("{} crystals, {} rocks, {} storms", map.crystals.len(), map.rocks.len(), map.storms.len());
        Ok(vec![Asset::custom(*b"LEVL", map.to_bytes()).with_summary(summary)])
    }
}

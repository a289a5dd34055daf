//! Maps of the editor Tiled (`.tmx`), read by the crate `tiled`. The game's type is `TileMap` of `examples/tiled_map.rs`.
//!
//! The data is of little-endian `u32`: width and height of the map, width and height of a tile, number of tilesets and of layers; for
//! each tileset the number of its columns; for each layer a number for each tile, row by row: 0 for none, otherwise the tileset × 2^16 +
//! the tile in it + 1. The picture of tileset `n` is dependency `n` of the map.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Setting, Source};
use tiled::{Layer, Loader, ResourceReader, TileLayer};

pub(crate) struct TiledImporter;

impl Importer for TiledImporter {
    fn describe(&self) -> Description {
        Description::new("tiled", 1)
            .reads(["tmx"])
            .makes(AssetType::custom(*b"TMAP", "crate::TileMap"))
            .with_setting(Setting::one_of("layers", ["visible", "all"]).with_default("visible"))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let all_layers = source.settings().text("layers") == Some("all");
        let name = source.path().rsplit('/').next().unwrap_or_default();
        let map = Loader::with_reader(Files(source, name)).load_tmx_map(name).map_err(explain)?;
        if map.infinite() {
            return Err(
                ImportError::new("is an infinite map").with_help("clear Map > Map Properties > Infinite in Tiled")
            );
        }
        let (tilesets, size) = (map.tilesets(), u64::from(map.width) * u64::from(map.height));
        if size == 0 || size > 1 << 24 {
            return Err(ImportError::new(format!("has {}×{} tiles, expected 1 to 2^24", map.width, map.height)));
        }
        let is_stored = |layer: &Layer<'_>| layer.visible || all_layers;
        let layers: Vec<TileLayer<'_>> = map.layers().filter(is_stored).filter_map(Layer::as_tile_layer).collect();
        let counts = [tilesets.len() as u32, layers.len() as u32];
        let mut numbers = vec![map.width, map.height, map.tile_width, map.tile_height, counts[0], counts[1]];
        numbers.extend(tilesets.iter().map(|tileset| tileset.columns));
        for layer in &layers {
            for (y, x) in (0..map.height as i32).flat_map(|y| (0..map.width as i32).map(move |x| (y, x))) {
                let number =
                    |tile: tiled::LayerTile<'_>| ((tile.tileset_index() as u32) << 16) + (tile.id() & 0xffff) + 1;
                numbers.push(layer.get_tile(x, y).map_or(0, number));
            }
        }
        let data: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
        let mut asset = Asset::custom(*b"TMAP", data);
        for tileset in tilesets {
            let Some(image) = &tileset.image else {
                let message = format!("uses the tileset \"{}\", which is a collection of images", tileset.name);
                return Err(ImportError::new(message).with_help("make it a tileset of one image in Tiled"));
            };
            asset = asset.with_dependency(image.source.to_string_lossy().replace('\\', "/"));
        }
        if map.layers().any(|layer| layer.as_tile_layer().is_none()) {
            asset = asset.with_note("only layers of tiles are stored", "");
        }
        Ok(vec![asset.with_summary(format!("{}×{} tiles, {} layers", map.width, map.height, layers.len()))])
    }
}

/// The map, which is in memory, and the files that it refers to, relative to it: tilesets and templates.
struct Files<'a, 's>(&'a mut Source<'s>, &'a str);

impl ResourceReader for Files<'_, '_> {
    type Resource = Cursor<Arc<[u8]>>;
    type Error = ImportError;

    fn read_from(&mut self, path: &Path) -> Result<Self::Resource, ImportError> {
        let relative = path.to_string_lossy().replace('\\', "/");
        // Whatever is read here is an input file: when it changes, the map is imported again.
        Ok(Cursor::new(if relative == self.1 { self.0.bytes().into() } else { self.0.read_input(&relative)? }))
    }
}

/// The error of an input file as it is, and of others as the crate describes them.
fn explain(error: tiled::Error) -> ImportError {
    if let tiled::Error::ResourceLoadingError { err, .. } = &error
        && let Some(error) = err.downcast_ref::<ImportError>()
    {
        return error.clone();
    }
    ImportError::new(format!("is not a map that can be read: {error}")).with_help("save it again with Tiled")
}

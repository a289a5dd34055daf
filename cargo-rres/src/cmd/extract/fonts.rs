//! Which files a font becomes: a picture and a description for each size.

use rres_format::chunk::glyphs::GlyphsView;
use rres_format::{Decompressor, FourCc};

use crate::resource_list::Resource;

/// Returns the names of the files, in pairs: `sans.ttf.24.png`, `sans.ttf.24.json`, …
///
/// # Errors
/// The reason why the sizes cannot be read.
pub(super) fn file_names(path: &str, resource: &Resource<'_>) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    let mut decompressor = Decompressor::default();
    for chunk in resource.chunks.iter().filter(|chunk| chunk.info.kind == FourCc::FNTG) {
        let size = || -> rres_format::Result<u32> {
            let block = crate::key::decode(chunk, &mut decompressor)?;
            Ok(GlyphsView::parse(block.view()?)?.props().base_size)
        };
        let mut stem = format!("{path}.{}", { size }().map_err(|error| error.to_string())?);
        let same = |stem: &str| names.iter().any(|name| name.strip_suffix(".png") == Some(stem));
        if same(&stem) {
            stem = format!("{stem}-{}", names.len() / 2 + 1);
        }
        names.extend([format!("{stem}.png"), format!("{stem}.json")]);
    }
    if names.is_empty() { Err("it has no glyphs".to_owned()) } else { Ok(names) }
}

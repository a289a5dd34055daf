//! Which files a font becomes: for each size a description, and a picture for each page.

use rres_format::chunk::glyphs::GlyphsView;
use rres_format::{Decompressor, FourCc};

use crate::resource_list::Resource;

/// Returns the names of the files: `sans.ttf.24.png`, `sans.ttf.24.json`, `sans.ttf.24.page2.png`, …
///
/// # Errors
/// The reason why the sizes cannot be read.
pub(super) fn file_names(path: &str, resource: &Resource<'_>) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    // The size before, its name without extension, and its pages so far.
    let mut last: Option<(u32, String, usize)> = None;
    let mut decompressor = Decompressor::default();
    for chunk in resource.chunks.iter().filter(|chunk| chunk.info.kind == FourCc::FNTG) {
        let size = || -> rres_format::Result<u32> {
            let block = resource.keyring.decode(chunk, &mut decompressor)?;
            Ok(GlyphsView::parse(block.view()?)?.props().base_size)
        };
        let size = { size }().map_err(|error| error.to_string())?;
        // A pair of the same size is the next page.
        if let Some((_, stem, pages)) = last.as_mut().filter(|(before, ..)| *before == size) {
            *pages += 1;
            names.push(format!("{stem}.page{pages}.png"));
            continue;
        }
        let mut stem = format!("{path}.{size}");
        let same = |stem: &str| names.iter().any(|name| name.strip_suffix(".png") == Some(stem));
        if same(&stem) {
            stem = format!("{stem}-{}", names.len() / 2 + 1);
        }
        names.extend([format!("{stem}.png"), format!("{stem}.json")]);
        last = Some((size, stem, 1));
    }
    if names.is_empty() { Err("it has no glyphs".to_owned()) } else { Ok(names) }
}

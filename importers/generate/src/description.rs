//! What a description says: a shape or a pattern.

use rres_import::{ImportError, Source, read_toml};
use rres_settings::Entry;

use super::NAME;
use super::fields::Fields;
use super::patterns::Pattern;
use super::shapes::Shape;

/// What to make.
pub(super) enum Description {
    Shape(Shape),
    Pattern(Pattern),
}

/// Reads a description.
///
/// # Errors
/// [`ImportError`] with line and column.
pub(super) fn read(source: &Source<'_>) -> Result<Description, ImportError> {
    read_toml(source, |reader, entries| {
        let what: Vec<&Entry<'_>> = entries.iter().filter(|entry| ["shape", "image"].contains(&entry.key)).collect();
        match what[..] {
            [entry] if entry.key == "shape" => Shape::read(entry, Fields { reader, entries }).map(Description::Shape),
            [entry] => Pattern::read(entry, Fields { reader, entries }).map(Description::Pattern),
            [] => {
                let help = "set shape = \"sphere\" for a model, or image = \"color\" for an image".to_owned();
                reader.push(
                    &(0..0),
                    format!("a .{NAME} file says what to make with `shape` or `image`, found neither"),
                    Some(help),
                );
                None
            }
            [_, second, ..] => {
                reader.error(&second.at, "one file makes one asset, found `shape` and `image`".to_owned());
                None
            }
        }
    })
}

//! Data: texts that are values of a type of the game → the bytes of the value, which a game loads without a parser.
//!
//! The type is compiled into the build script as well, so serde checks each file. The value is stored in the format of `postcard`,
//! which has no names of fields, so build and game must have the same type; `script_stamp` sees to it that the cache keeps nothing of
//! an older one. What a type cannot be read back from, or is not stored the same each time, is an error of the build.
#![forbid(unsafe_code)]

mod csv;
mod parts;
mod place;
mod reference;
mod store;
#[cfg(test)]
mod tests;
mod text;
mod unknown;

use std::marker::PhantomData;
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use rres_format::{FourCc, ResourceId};
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

pub use reference::{Font, Id, Image, Model, Raw, Sound, Sprite, Text};

use rres_import::{Asset, Dependency, ImportError, Importer, Source, relative_to};
use rres_settings::{AssetType, Description};
use store::{Stored, store};
use text::Format;

/// Raised when values are stored in another way.
const VERSION: u32 = 1;

/// The importer of files that are values of `T`.
#[derive(Debug)]
pub struct DataImporter<T> {
    name: String,
    fourcc: FourCc,
    rust_type: String,
    of: PhantomData<fn() -> T>,
}

impl<T> DataImporter<T> {
    /// The importer for the type that the game calls `rust_type`.
    pub fn new(rust_type: String) -> Self {
        let parts: Vec<String> =
            rust_type.split("::").filter(|part| !part.is_empty()).map(str::to_ascii_lowercase).collect();
        let name = format!("data-{}", parts.join("-"));
        Self { name, fourcc: fourcc_of(&rust_type), rust_type, of: PhantomData }
    }
}

/// The kind of chunk of a type: letters and digits that follow from its path. Kinds of other chunks have capitals.
fn fourcc_of(rust_type: &str) -> FourCc {
    let mut rest = ResourceId::from_path(rust_type).0;
    FourCc([(); 4].map(|()| {
        let digit = (rest % 36) as u8;
        rest /= 36;
        if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }
    }))
}

/// A number that changes when the build script is compiled anew, as it is after a change of a type.
fn script_stamp() -> u32 {
    static STAMP: OnceLock<u32> = OnceLock::new();
    *STAMP.get_or_init(|| {
        let script = std::env::current_exe().and_then(std::fs::metadata).ok();
        let modified = script.as_ref().and_then(|script| script.modified().ok());
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let size = script.map_or(0, |script| script.len());
        ResourceId::from_path(&format!("{VERSION} {size} {}", modified.as_nanos())).0
    })
}

impl<T: Serialize + DeserializeOwned + 'static> Importer for DataImporter<T> {
    fn describe(&self) -> Description {
        Description::new(&self.name, script_stamp()).makes(AssetType::data(self.fourcc, self.rust_type.as_str()))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let extension = source.extension();
        let Some(format) = Format::of_extension(&extension) else {
            let message = format!("is not data: expected the extension csv, json, ron or toml, found \"{extension}\"");
            return Err(ImportError::new(message).with_help("let the pattern of `data` in build.rs match other files"));
        };
        let parsed = format.parse::<T>(source.text()?)?;
        let Stored { bytes, references, fields } = store(&parsed.value)?;
        let type_name = self.rust_type.rsplit("::").next().unwrap_or_default();
        let mut asset = Asset::custom(self.fourcc.0, bytes).with_summary(format!("{type_name} in {}", format.name()));
        let dependency = |(path, kind): (&str, _)| Dependency::Typed(relative_to(source.path(), path), kind);
        asset.notes = unknown::notes(format, &parsed.unknown, &fields);
        asset.dependencies = references.into_iter().map(dependency).collect();
        Ok(vec![asset])
    }
}

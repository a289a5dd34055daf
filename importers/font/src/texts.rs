//! Sets of characters that files contain → the characters themselves.

use std::collections::BTreeSet;

use rres_settings::CharSet;

use super::{ImportError, Source};

/// The configured sets; sets of files and texts become their characters. The files become inputs of the font, so that an edit imports it again.
pub(super) fn resolve(source: &mut Source<'_>) -> Result<Vec<CharSet>, ImportError> {
    let sets = source.settings.font.chars.clone();
    sets.into_iter()
        .map(|set| match set {
            CharSet::File(path) => {
                let bytes = source.read_input(&path)?;
                characters(&bytes, &path).map(CharSet::Text)
            }
            CharSet::Texts(glob) => texts(source, &glob).map(CharSet::Text),
            other => Ok(other),
        })
        .collect()
}

/// The characters of all files that the glob matches.
fn texts(source: &mut Source<'_>, glob: &str) -> Result<String, ImportError> {
    let paths = source.inputs.list(glob)?;
    if paths.is_empty() {
        let error = ImportError::new(format!("takes its characters from \"{glob}\", which no file matches"));
        return Err(
            error.with_help("the glob under font = { chars = { texts = … } } is relative to the assets directory")
        );
    }
    let mut all = BTreeSet::new();
    for path in paths {
        let bytes = source.inputs.read(&path)?;
        all.extend(characters(&bytes, &path)?.chars());
    }
    Ok(all.into_iter().collect())
}

/// Every character of a text, once. UTF-8, or UTF-16 with a byte order mark.
fn characters(bytes: &[u8], path: &str) -> Result<String, ImportError> {
    let fault = || {
        let error = ImportError::new(format!("takes its characters from {path}, which is neither UTF-8 nor UTF-16"));
        error.with_help("save that file as UTF-8, or choose others under font = { chars = … } in assets.toml")
    };
    let utf16 = |bytes: &[u8], number: fn([u8; 2]) -> u16| {
        let numbers: Vec<u16> = bytes.chunks_exact(2).map(|pair| number([pair[0], pair[1]])).collect();
        String::from_utf16(&numbers).map_err(|_| fault())
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        _ => String::from_utf8(bytes.to_vec()).map_err(|_| fault())?,
    };
    let all: BTreeSet<char> = text.chars().filter(|c| !c.is_control() && *c != '\u{feff}').collect();
    Ok(all.into_iter().collect())
}

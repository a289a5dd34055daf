//! What a description file says.

use rres_import::{ImportError, Source, read_toml};
use rres_settings::{Entry, TomlReader};

use super::{EXTENSION, FACES};

/// What the faces are made of: paths relative to the description.
pub(super) enum Description {
    /// A picture for each face.
    Faces([String; 6]),
    /// The unfolded cube in one picture, four faces wide or high.
    Cross(String),
    /// The faces in a row or a column.
    Strip(String),
    /// An equirectangular picture, and the edge of a face in pixels; `None` for a quarter of the width.
    Panorama { path: String, size: Option<u32> },
}

/// The key of a picture that has all faces.
const CROSS: &str = "cross";
const STRIP: &str = "strip";
pub(crate) const PANORAMA: &str = "equirectangular";
const SIZE: &str = "size";

/// Reads a description.
///
/// # Errors
/// [`ImportError`] with line and column.
pub(super) fn read(source: &Source<'_>) -> Result<Description, ImportError> {
    read_toml(source, build)
}

fn build(reader: &mut TomlReader<'_>, entries: &[Entry<'_>]) -> Option<Description> {
    let (mut faces, mut whole, mut size) = ([const { None::<String> }; 6], None, None);
    for entry in entries {
        if entry.key == SIZE {
            size = reader.integer(SIZE, entry.value, 1..=8192).map(|edge| (edge as u32, entry));
            continue;
        }
        let face = FACES.iter().position(|name| *name == entry.key);
        if face.is_none() && ![CROSS, STRIP, PANORAMA].contains(&entry.key) {
            let known: Vec<&str> = FACES.iter().copied().chain([CROSS, STRIP, PANORAMA, SIZE]).collect();
            reader.unknown_key(entry, &format!("a .{EXTENSION} file"), &known);
            continue;
        }
        let Some(path) = reader.string(entry.key, entry.value) else { continue };
        match face {
            Some(face) => faces[face] = Some(path.to_owned()),
            None if whole.is_some() => {
                reader.error(&entry.at, format!("`{}` is a second picture of all faces", entry.key))
            }
            None => whole = Some((entry, path.to_owned())),
        }
    }
    if reader.error_count() > 0 {
        return None;
    }
    if let (Some((_, entry)), true) = (size, whole.as_ref().is_none_or(|(whole, _)| whole.key != PANORAMA)) {
        reader.error(
            &entry.at,
            format!("`{SIZE}` is for `{PANORAMA}` only: other faces have the size of their pictures"),
        );
        return None;
    }
    let missing: Vec<&str> =
        FACES.iter().zip(&faces).filter(|(_, face)| face.is_none()).map(|(name, _)| *name).collect();
    match whole {
        Some((entry, _)) if missing.len() < FACES.len() => {
            reader.error(&entry.at, format!("`{}` has all faces, and other keys have faces, too", entry.key));
            None
        }
        Some((entry, path)) => Some(match entry.key {
            CROSS => Description::Cross(path),
            STRIP => Description::Strip(path),
            _ => Description::Panorama { path, size: size.map(|(edge, _)| edge) },
        }),
        None if missing.is_empty() => Some(Description::Faces(faces.map(Option::unwrap_or_default))),
        None => {
            let all = format!("px, nx, py, ny, pz and nz, or `{CROSS}`, `{STRIP}` or `{PANORAMA}`");
            let message = match missing.len() {
                6 => "has no faces".to_owned(),
                1 => format!("has no face {}", missing[0]),
                _ => format!("has no faces {}", missing.join(", ")),
            };
            reader.push(&(0..0), message, Some(format!("name a picture for each of {all}")));
            None
        }
    }
}

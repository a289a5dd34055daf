//! What a description file says.

use rres_import::{ImportError, Source, read_toml};
use rres_settings::{Entry, TomlReader, Value, entries};

use super::EXTENSION;

/// The letters of channels, in the order of pixels.
const LETTERS: &str = "rgba";

/// Where a channel of the image comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Channel {
    /// A picture, by its position in the list.
    Of { picture: usize, channel: Chosen, is_inverted: bool },
    /// The same number everywhere, from 0 to 1.
    Constant(f32),
}

/// The channel of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// The only one: the picture is grey.
    Gray,
    /// By its position in a pixel.
    At(usize),
}

/// The channels of an image.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Description {
    /// Paths relative to the description, each once.
    pub(super) pictures: Vec<String>,
    pub(super) channels: [Option<Channel>; 4],
}

const FILE: &str = "file";
const FROM: &str = "from";
const INVERT: &str = "invert";

/// Reads a description.
///
/// # Errors
/// [`ImportError`] with line and column.
pub(super) fn read(source: &Source<'_>) -> Result<Description, ImportError> {
    // `stone` of `materials/stone.channels`.
    let name = source.path.rsplit('/').next().unwrap_or(source.path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    read_toml(source, |reader, entries| build(reader, entries, &stem))
}

fn build(reader: &mut TomlReader<'_>, entries: &[Entry<'_>], stem: &str) -> Option<Description> {
    let mut description = Description::default();
    for entry in entries {
        let Some(positions) = positions(entry.key) else {
            let message = format!(
                "unknown key `{}` in a .{EXTENSION} file, expected channels such as r, g, b, a or rgb",
                entry.key
            );
            reader.error(&entry.at, message);
            continue;
        };
        let Some(channels) = channels(reader, entry, positions.len(), stem, &mut description.pictures) else {
            continue;
        };
        for (position, channel) in positions.into_iter().zip(channels) {
            if description.channels[position].replace(channel).is_some() {
                reader.error(&entry.at, format!("the channel {} is set twice", &LETTERS[position..=position]));
            }
        }
    }
    if description.pictures.is_empty() && reader.error_count() == 0 {
        let help = "name a picture for each channel: r = \"*_ao.png\"".to_owned();
        reader.push(&(0..0), "names no picture".to_owned(), Some(help));
    }
    (reader.error_count() == 0).then_some(description)
}

/// The positions of channels that are named by letters, each once: 0 and 3 for `ra`.
fn positions(letters: &str) -> Option<Vec<usize>> {
    let positions: Vec<usize> = letters.chars().map(|letter| LETTERS.find(letter)).collect::<Option<_>>()?;
    let is_new = |at: usize| !positions[..at].contains(&positions[at]);
    (!positions.is_empty() && (0..positions.len()).all(is_new)).then_some(positions)
}

/// Where `count` channels come from.
fn channels(
    reader: &mut TomlReader<'_>,
    entry: &Entry<'_>,
    count: usize,
    stem: &str,
    pictures: &mut Vec<String>,
) -> Option<Vec<Channel>> {
    if !entry.value.get_ref().is_table() && entry.value.get_ref().as_str().is_none() {
        let number = reader.number(entry.key, entry.value, 0.0..=1.0)?;
        return Some(vec![Channel::Constant(number as f32); count]);
    }
    let Given { file, from, is_inverted } = given(reader, entry)?;
    // One name may stand for many.
    let path = file.replace('*', stem);
    let picture = pictures.iter().position(|known| *known == path).unwrap_or_else(|| {
        pictures.push(path);
        pictures.len() - 1
    });
    let chosen = match (from, count) {
        (Some(letters), _) => match positions(&letters) {
            Some(positions) if positions.len() == count => positions.into_iter().map(Chosen::At).collect(),
            _ => {
                let message = format!("`{FROM}` is \"{letters}\", expected {count} of the letters r, g, b and a");
                reader.error(&entry.at, message);
                return None;
            }
        },
        (None, 1) => vec![Chosen::Gray],
        // Several channels of a picture are those of the same names.
        (None, _) => positions(entry.key)?.into_iter().map(Chosen::At).collect::<Vec<_>>(),
    };
    Some(chosen.into_iter().map(|channel| Channel::Of { picture, channel, is_inverted }).collect())
}

/// What is said of a picture.
struct Given {
    file: String,
    from: Option<String>,
    is_inverted: bool,
}

fn given(reader: &mut TomlReader<'_>, Entry { key, value, at }: &Entry<'_>) -> Option<Given> {
    if let Some(file) = value.get_ref().as_str() {
        return Some(Given { file: file.to_owned(), from: None, is_inverted: false });
    }
    let (mut file, mut from, mut is_inverted) = (None, None, false);
    let text = |reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>| reader.string(key, value).map(str::to_owned);
    for inner in entries(reader.table(key, value)?) {
        match inner.key {
            FILE => file = text(reader, FILE, inner.value),
            FROM => from = text(reader, FROM, inner.value),
            INVERT => is_inverted = reader.boolean(INVERT, inner.value)?,
            _ => reader.unknown_key(&inner, &format!("`{key}`"), &[FILE, FROM, INVERT]),
        }
    }
    let Some(file) = file else {
        reader.error(at, format!("`{key}` has no `{FILE}`"));
        return None;
    };
    Some(Given { file, from, is_inverted })
}

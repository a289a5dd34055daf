//! Songs: the piece, the instruments and the volume that belong together → a text for each, which needs the piece and the instruments.

use serde_json::{Value, json};

use super::names::Names;
use super::{Asset, ImportError, pretty};
use crate::{Checks, Databases, Record, RecordView, Song, json as typed};

/// A song, with the names of the sub-assets of its parts.
struct Parts {
    number: u16,
    piece: String,
    instruments: Option<String>,
    volume: Option<i32>,
}

/// The songs of an archive.
pub(super) struct Songs(Vec<Parts>);

impl Songs {
    /// Finds the songs. The names of all records must be there.
    pub(super) fn find(databases: &Databases, names: &Names) -> Self {
        let name = |view: RecordView<'_>| names.get(view.key()).map(str::to_owned);
        let parts = |song: Song<'_>| {
            let volume = song.volume.and_then(|view| match view.parse(&mut Checks::default()) {
                Ok(Record::Volume(volume)) => Some(volume),
                _ => None,
            });
            let instruments = song.instruments.and_then(name);
            Some(Parts { number: song.number, piece: name(song.piece)?, instruments, volume })
        };
        Self(databases.root().songs().filter_map(parts).collect())
    }

    /// Makes the texts. `path` is the path of the archive.
    pub(super) fn import(&self, path: &str, names: &mut Names) -> Result<Vec<Asset>, ImportError> {
        let text = |parts: &Parts| {
            let asset = Asset::text(&pretty(&json(parts, path)))?;
            let needed = std::iter::once(&parts.piece).chain(&parts.instruments);
            let asset = needed.fold(asset, Asset::with_sub_asset);
            let name = names.unique(&format!("song/{}", parts.number));
            Ok(asset.named(name).with_summary(format!("song {}", parts.number)))
        };
        self.0.iter().map(text).collect()
    }
}

/// The song with the paths of its parts.
fn json(parts: &Parts, path: &str) -> Value {
    let Parts { number, piece, instruments, volume } = parts;
    let asset = |name: &String| format!("{path}#{name}");
    json!({
        "number": number,
        "piece": asset(piece),
        "instruments": instruments.as_ref().map(asset),
        "volume": volume,
        "gain": volume.map(typed::gain),
    })
}

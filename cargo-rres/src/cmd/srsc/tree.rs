//! `cargo rres srsc tree`: prints the groups of a database with what is in them, and the songs of music.

use std::collections::{BTreeMap, HashMap};

use rres_import_srsc::json::{entry, id, name};
use rres_import_srsc::{Checks, Location, Record, RecordKey, RecordView, Song};
use serde_json::{Value, json};

use super::opened::{Opened, SourceArgs, type_name};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, escape_terminal};

/// Show the groups of a database, and the assets in them
///
/// Groups are the folders of the editor. Textures have none. A song is shown as a group of its piece, its instruments and its volume. Parts of
/// models and animations are listed with --json only.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc tree Common.db
  cargo rres srsc tree Common.sdb --json")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// A group, or an archive: the groups in it by name, and the assets.
#[derive(Default)]
struct Folder {
    folders: BTreeMap<String, Folder>,
    assets: Vec<Asset>,
}

struct Asset {
    at: Location,
    kind: String,
    name: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut opened = args.source.open()?;
    let Opened { databases, checks } = &mut opened;
    let (mut root, mut errors) = (Folder::default(), Vec::new());
    let songs: HashMap<RecordKey, u16> = databases.root().songs().flat_map(|song| parts(&song)).collect();
    for record in databases.root().records() {
        let at = Location { database: 0, key: record.key() };
        let song = songs.get(&at.key).map(|number| format!("song {number}"));
        let path = match databases.root().group_path(&record, checks) {
            Ok(path) => path.into_iter().chain(song),
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let of_file = root.folders.entry(record.file().to_owned()).or_default();
        let folder = path.fold(of_file, |folder, name| folder.folders.entry(name).or_default());
        if at.key.kind.is_group() {
            // A group without members is shown, too.
            folder.folders.entry(name(&record).unwrap_or_default()).or_default();
        } else if !is_part(at) {
            let (kind, name) = music(&record).unwrap_or_else(|| (type_name(&record), name(&record)));
            folder.assets.push(Asset { at, kind, name });
        }
    }
    if args.json {
        let errors: Vec<Value> = errors.iter().map(Opened::error_json).collect();
        out.json(json!({
            "archives": folders(&root),
            "records": opened.databases.root().records().map(|record| entry(&record)).collect::<Vec<Value>>(),
            "errors": errors,
            "warnings": opened.warnings_json(),
        }))?;
        return Ok(Outcome::of(errors.is_empty()));
    }
    print(&root, 0, out)?;
    opened.report(&errors, out)
}

/// The records of a song, with its number.
fn parts(song: &Song<'_>) -> Vec<(RecordKey, u16)> {
    let parts = [Some(song.piece), song.instruments, song.volume];
    parts.into_iter().flatten().map(|view| (view.key(), song.number)).collect()
}

/// What a record of music is, and its volume; `None` for other records.
fn music(view: &RecordView<'_>) -> Option<(String, Option<String>)> {
    match view.parse(&mut Checks::default()).ok()? {
        Record::Volume(volume) => Some(("volume".to_owned(), Some(format!("{:.2} dB", f64::from(volume) / 100.0)))),
        Record::Riff(bytes) => match bytes.get(8..12)? {
            b"DMSG" => Some(("piece".to_owned(), None)),
            b"DLS " => Some(("instruments".to_owned(), None)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a record is a part of an asset whose first record is listed.
fn is_part(at: Location) -> bool {
    matches!(at.key.kind.0, 0x0203..=0x0209 | 0x0502 | 0x0503)
}

fn folders(folder: &Folder) -> Vec<Value> {
    let assets = |folder: &Folder| -> Vec<Value> {
        let asset = |asset: &Asset| json!({ "kind": asset.kind, "id": id(asset.at.key.id), "name": asset.name });
        folder.assets.iter().map(asset).collect()
    };
    let of = |(name, folder): (&String, &Folder)| json!({ "name": name, "groups": folders(folder), "assets": assets(folder) });
    folder.folders.iter().map(of).collect()
}

fn print(folder: &Folder, depth: usize, out: &mut Output) -> Result<(), Failure> {
    let indent = "  ".repeat(depth);
    for (name, folder) in &folder.folders {
        let name = out.style(Style::Bold, &escape_terminal(name));
        out.line(format!("{indent}{name}"))?;
        print(folder, depth + 1, out)?;
    }
    for Asset { at, kind, name } in &folder.assets {
        let number = if at.key.id == 0 { String::new() } else { format!(" {}", id(at.key.id)) };
        let name = name.as_ref().map_or_else(String::new, |name| format!(" {}", escape_terminal(name)));
        out.line(format!("{indent}{kind}{number}{name}"))?;
    }
    Ok(())
}

//! The stores of the program and its timeline → what the page shows.

use std::collections::HashMap;

use rres_format::ResourceId;
use rres_inspect::{Asker, Asset, Event, Load, LoadKind, State, Store as ShownStore};

use crate::store::{LoadState, Store};
use crate::timeline::{Record, Subject, Timeline, timeline};

/// An asset as one type, in a store.
type Key = (u64, ResourceId, &'static str);

/// Returns the state of these stores: each with its number, its name, and what identifies it in the timeline.
pub(super) fn state(stores: &[(Store, u64, String, usize)]) -> State {
    let timeline = timeline();
    let numbers: HashMap<usize, u64> = stores.iter().map(|(_, number, _, address)| (*address, *number)).collect();
    let mut askers: HashMap<Key, Asker> = HashMap::new();
    for record in &timeline.records {
        if let Subject::Asset { store, id, type_name, is_again: false, .. } = record.subject
            && let Some(number) = numbers.get(&store)
        {
            // The last first load: before it, the asset was freed.
            askers.insert((*number, id, type_name), asker(record));
        }
    }
    let program = std::env::current_exe().ok().and_then(|exe| Some(exe.file_stem()?.to_string_lossy().into_owned()));
    let Timeline { records, records_forgotten, reports, reports_forgotten } = timeline;
    State {
        program: program.unwrap_or_default(),
        process: std::process::id(),
        stores: stores.iter().map(|(store, number, name, _)| shown(store, *number, name)).collect(),
        assets: stores.iter().flat_map(|(store, number, ..)| assets(store, *number, &askers)).collect(),
        loads: records.iter().filter_map(|record| load(record, &numbers)).collect(),
        loads_forgotten: records_forgotten,
        events: reports
            .into_iter()
            .map(|report| Event { at: report.at, text: report.text, is_failure: report.is_failure })
            .collect(),
        events_forgotten: reports_forgotten,
    }
}

fn shown(store: &Store, number: u64, name: &str) -> ShownStore {
    let stats = store.stats();
    ShownStore {
        number,
        name: name.to_owned(),
        mounts: store.mounts().to_string().lines().map(str::to_owned).collect(),
        imports: store.imports(),
        bytes: stats.bytes,
        budget: stats.budget,
        evictions: stats.evictions,
    }
}

fn assets(store: &Store, number: u64, askers: &HashMap<Key, Asker>) -> Vec<Asset> {
    let row = |row: crate::store::DumpRow| Asset {
        store: number,
        id: row.id.0,
        video_bytes: row.video_memory,
        asked_by: askers.get(&(number, row.id, row.type_name)).cloned().unwrap_or_default(),
        path: row.path,
        type_name: row.type_name.to_owned(),
        state: row.state.to_string(),
        error: match &row.state {
            LoadState::Failed(error) => Some(error.to_string()),
            _ => None,
        },
        bytes: row.bytes,
        version: row.version,
        handles: row.handles,
        kept: row.is_kept,
        dependents: row.dependents,
        dependencies: row.dependencies,
        groups: row.groups,
    };
    store.dump().rows.into_iter().map(row).collect()
}

/// What a record shows; `None` for a store that is closed.
fn load(record: &Record, numbers: &HashMap<usize, u64>) -> Option<Load> {
    let times = Load {
        thread: record.thread.to_string(),
        start: record.start,
        read: record.read,
        decode: record.decode,
        took: record.took,
        asked_by: asker(record),
        error: record.error.clone(),
        ..Load::default()
    };
    Some(match &record.subject {
        Subject::Pack(file) => Load { kind: LoadKind::Open, path: file.to_string(), ..times },
        Subject::Asset { store, id, path, type_name, is_again } => Load {
            kind: if *is_again { LoadKind::Reload } else { LoadKind::Load },
            store: Some(*numbers.get(store)?),
            id: id.0,
            path: path.to_string(),
            type_name: (*type_name).to_owned(),
            ..times
        },
    })
}

fn asker(record: &Record) -> Asker {
    Asker {
        code: record.asker.code.map(|code| format!("{}:{}", code.file(), code.line())),
        group: record.asker.group.as_deref().map(str::to_owned),
        asset: record.parent.as_deref().map(str::to_owned),
    }
}

//! What is loaded, for people and for tools.

use std::fmt;
use std::sync::atomic::Ordering;

use super::Store;
use crate::handle::gate::Phase;

/// Sums over the assets of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Assets that are loaded.
    pub assets: usize,
    /// Those of them that nobody holds: pinned ones and what the budget keeps.
    pub kept: usize,
    /// Bytes of all that is loaded, decoded; what is a view of a mapped pack counts as much.
    pub bytes: u64,
    /// The budget for what nobody holds.
    pub budget: u64,
    /// How often an asset was made since the store was opened, without replacements.
    pub loads: u64,
    /// How often an asset was freed to stay within the budget.
    pub evictions: u64,
}

/// One loaded asset.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// Its path.
    pub path: String,
    /// Its type.
    pub type_name: &'static str,
    /// How far it is: `ready`, `loading`, `queued`, `reserved`, `failed`.
    pub state: &'static str,
    /// Groups of the settings that it is in.
    pub groups: Vec<String>,
    /// Bytes that it takes, decoded.
    pub bytes: u64,
    /// Handles and other assets that hold it.
    pub references: usize,
    /// How many values it has had.
    pub version: u32,
    /// Paths of what it needs and keeps.
    pub needs: Vec<String>,
}

/// Everything that is alive in a store, by path. Print it as a table.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The assets, by path, then by type.
    pub rows: Vec<Row>,
}

impl Store {
    /// Sums over what is loaded.
    pub fn stats(&self) -> Stats {
        let residence = &self.shared.residence;
        // Dropped before references are counted.
        let assets = self.shared.table.alive().iter().filter(|cell| cell.version() > 0).count();
        Stats {
            assets,
            kept: residence.kept().len(),
            bytes: residence.bytes.load(Ordering::Relaxed),
            budget: residence.budget(),
            loads: residence.loads.load(Ordering::Relaxed),
            evictions: residence.evictions.load(Ordering::Relaxed),
        }
    }

    /// Lists what is alive: type, groups, bytes, references.
    pub fn dump(&self) -> Dump {
        let mounts = self.mounts();
        let row = |cell: &std::sync::Arc<dyn crate::handle::cell::AnyCell>| {
            let head = cell.head();
            let made = cell.made_of();
            Row {
                path: head.path.to_string(),
                type_name: head.type_name,
                state: match cell.gate().phase() {
                    Phase::Reserved => "reserved",
                    Phase::Queued => "queued",
                    Phase::Loading(_) => "loading",
                    Phase::Ready => "ready",
                    Phase::Failed(_) => "failed",
                },
                groups: mounts.groups_of(head.id),
                bytes: made.as_ref().map_or(0, |made| made.bytes),
                // One is this list's own.
                references: std::sync::Arc::strong_count(cell) - 1,
                version: cell.version(),
                needs: made.iter().flat_map(|made| &made.needs).map(|need| need.path().to_owned()).collect(),
            }
        };
        let mut rows: Vec<Row> = self.shared.table.alive().iter().map(row).collect();
        rows.sort_by(|a, b| (&a.path, a.type_name).cmp(&(&b.path, b.type_name)));
        Dump { rows }
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |of: fn(&Row) -> usize, least| self.rows.iter().map(of).max().unwrap_or(0).max(least);
        let (path, kind) = (width(|row| row.path.chars().count(), 4), width(|row| row.type_name.len(), 4));
        writeln!(
            f,
            "{:path$}  {:kind$}  {:8}  {:>12}  {:>4}  {:>3}  groups",
            "path", "type", "state", "bytes", "refs", "ver"
        )?;
        for row in &self.rows {
            let Row { path: name, type_name, state, bytes, references, version, .. } = row;
            write!(f, "{name:path$}  {type_name:kind$}  {state:8}  {bytes:>12}  {references:>4}  {version:>3}  ")?;
            writeln!(f, "{}", row.groups.join(" "))?;
        }
        let bytes: u64 = self.rows.iter().map(|row| row.bytes).sum();
        writeln!(f, "{} assets, {bytes} bytes", self.rows.len())
    }
}

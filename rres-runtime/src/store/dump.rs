//! What is loaded, for people and for tools.

use std::fmt;

use rres_format::ResourceId;

use super::Store;
use super::pending::LoadState;
use crate::asset::Image;

/// Sums over the assets of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Assets that are loaded.
    pub assets: usize,
    /// Loaded assets that nothing holds: pinned ones, and those that the budget keeps.
    pub kept: usize,
    /// Bytes of everything that is loaded, decoded. A view of a mapped pack counts as much.
    pub bytes: u64,
    /// The budget; see [`Store::set_budget`].
    pub budget: u64,
    /// How often an asset was loaded since the store was opened. Replacements do not count.
    pub loads: u64,
    /// How often an asset was freed to stay within the budget.
    pub evictions: u64,
}

/// One asset that is alive in a store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DumpRow {
    /// Its path; empty if the pack does not record paths.
    pub path: String,
    /// Its id.
    pub id: ResourceId,
    /// The name of its type, without the module.
    pub type_name: &'static str,
    /// The state of its load.
    pub state: LoadState,
    /// The groups of the settings that it is in.
    pub groups: Vec<String>,
    /// The bytes that it takes, decoded.
    pub bytes: u64,
    /// The bytes of [video memory](crate::Image::video_memory) that an image takes with the levels that are loaded; `None` for what is no image.
    pub video_memory: Option<u64>,
    /// How many handles and other assets hold it, and one more if the store does.
    pub references: usize,
    /// How many handles hold it, and [`crate::PendingAsset`]s of it.
    pub handles: usize,
    /// Whether the store holds it: it is pinned, or the budget keeps it.
    pub is_kept: bool,
    /// How many values it has had; 0 if it is not loaded.
    pub version: u32,
    /// The paths of the assets that it depends on and keeps alive.
    pub dependencies: Vec<String>,
    /// The paths of the assets that depend on it and keep it alive.
    pub dependents: Vec<String>,
}

/// Everything that is alive in a store. Print it as a table.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The assets, ordered by path, then by type.
    pub rows: Vec<DumpRow>,
}

impl Store {
    /// Returns sums over the loaded assets.
    pub fn stats(&self) -> Stats {
        // This list holds the assets, too, so it is dropped before owners are counted.
        let assets = self.holders().alive().filter(|entry| entry.version() > 0).count();
        let residency = &self.shared.residency;
        Stats {
            assets,
            kept: residency.kept_alone(),
            bytes: residency.bytes(),
            budget: residency.budget(),
            loads: residency.loads(),
            evictions: residency.evictions(),
        }
    }

    /// Lists the assets that are alive, with their groups, bytes and references.
    pub fn dump(&self) -> Dump {
        let groups = self.mounts().groups();
        let holders = self.holders();
        let row = |entry: &std::sync::Arc<dyn crate::handle::AnyEntry>| {
            let (meta, provenance) = (entry.meta(), entry.provenance());
            let path = |entry: &std::sync::Arc<dyn crate::handle::AnyEntry>| entry.meta().path.to_string();
            DumpRow {
                path: meta.path.to_string(),
                id: meta.id(),
                type_name: meta.type_name,
                state: entry.load_once().phase().into(),
                groups: groups.get(&meta.id()).cloned().unwrap_or_default(),
                bytes: provenance.as_ref().map_or(0, |provenance| provenance.bytes),
                video_memory: entry.downcast_ref::<Image>().and_then(|image| Some(image.value()?.video_memory())),
                // Without the list that is iterated here.
                references: std::sync::Arc::strong_count(entry) - 1,
                handles: holders.handles(entry),
                is_kept: holders.is_kept(meta.key),
                version: entry.version(),
                dependencies: provenance.iter().flat_map(|provenance| &provenance.dependencies).map(path).collect(),
                dependents: holders.dependents(meta.key).map(path).collect(),
            }
        };
        let mut rows: Vec<DumpRow> = holders.alive().map(row).collect();
        rows.sort_by(|a, b| (&a.path, a.type_name).cmp(&(&b.path, b.type_name)));
        Dump { rows }
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |of: fn(&DumpRow) -> usize, least| self.rows.iter().map(of).max().unwrap_or(0).max(least);
        let (path, kind) = (width(|row| row.path.chars().count(), 4), width(|row| row.type_name.len(), 4));
        writeln!(
            f,
            "{:path$}  {:kind$}  {:8}  {:>12}  {:>4}  {:>3}  groups",
            "path", "type", "state", "bytes", "refs", "ver"
        )?;
        for row in &self.rows {
            let DumpRow { path: name, type_name, state, bytes, references, version, .. } = row;
            write!(f, "{name:path$}  {type_name:kind$}  {state:8}  {bytes:>12}  {references:>4}  {version:>3}  ")?;
            writeln!(f, "{}", row.groups.join(" "))?;
        }
        let bytes: u64 = self.rows.iter().map(|row| row.bytes).sum();
        writeln!(f, "{} assets, {bytes} bytes", self.rows.len())
    }
}

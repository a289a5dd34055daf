//! The report of a build: number of assets, times and sizes.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use rres_format::AssetKind;

use crate::cache::RemoteUse;
use crate::diagnostic::{Diagnostic, SUGGESTION, escape_controls};
use crate::farm::FarmUse;
use crate::growth;
use crate::model::ImportedAsset;
use crate::note_group::NoteGroup;
use crate::settings::ByteSize;
use crate::settings::LintFinding;

/// The report of a build.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Every asset, by path.
    pub assets: Vec<AssetReport>,
    /// The packs, in order; empty if the build has only a dev index.
    pub packs: Vec<PathBuf>,
    /// The total size of the packs in bytes.
    pub pack_size: u64,
    /// The generated module.
    pub module: PathBuf,
    /// The C header, if the settings name one.
    pub header: Option<PathBuf>,
    /// The dev index, in debug builds.
    pub dev_index: Option<PathBuf>,
    /// What to know about assets that are not broken, one line for each topic; also about those that were in the cache.
    pub notes: Vec<NoteGroup>,
    /// What is beyond a limit or a budget that only warns, by path; budgets come last. What is beyond one that denies fails the
    /// build.
    pub lints: Vec<LintFinding>,
    /// What is wrong with the files that the build went on without; see [`RefusedFiles`](rres_settings::RefusedFiles).
    pub refused: Vec<Diagnostic>,
    /// Rules that settle it, as [`BuildError::suggested_rules`](rres_settings::diagnostic::BuildError::suggested_rules).
    pub suggested_rules: Option<String>,
    /// The assets that have files for some targets, by path, with the files that this build has left out.
    pub target_files: Vec<TargetFile>,
    /// What the build has had from a remote cache; `None` if it has not needed any.
    pub remote_cache: Option<RemoteUse>,
    /// What machines of a farm have imported; `None` if the build has not needed any.
    pub farm: Option<FarmUse>,
    /// How long each phase took.
    pub phases: Phases,
}

/// An asset that has files for some targets, such as `hud.mobile.png`. Displayed as a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TargetFile {
    /// The path of the asset: `hud.png`.
    pub path: String,
    /// The path of the file that is used for the target.
    pub file: String,
    /// The paths of the other files, which are for other targets.
    pub left_out: Vec<String>,
}

impl fmt::Display for TargetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, file, left_out } = self;
        let [path, file] = [path, file].map(|path| escape_controls(path));
        write!(f, "for this target, {path} is the file {file}")?;
        match &left_out[..] {
            [] => Ok(()),
            names => write!(f, ", and not {}", escape_controls(&names.join(" or "))),
        }
    }
}

/// How many assets with files for some targets a build names.
const MAX_TARGET_FILES: usize = 10;

/// How many refused files a build that goes on names.
const MAX_REFUSALS: usize = 20;

/// How many assets that are larger than their sources a build names.
const MAX_GROWN: usize = 5;

/// How many findings of limits a build prints.
const MAX_LINTS: usize = 20;

/// The result for one source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AssetReport {
    /// Its asset path.
    pub path: String,
    /// The kind of asset that it became.
    pub kind: AssetKind,
    /// Its shape, length or format: `64×64 RGBA8`.
    pub summary: String,
    /// Whether it was in the import cache.
    pub cached: bool,
    /// The assets in it besides itself, such as the images of a model.
    pub part_count: usize,
    /// Bytes of the source.
    pub source_size: u64,
    /// Bytes in the pack, sub-assets included.
    pub stored_size: u64,
    /// Bytes that a graphics card allocates for it, sub-assets included; see [`rres_format::video_memory`].
    pub video_memory: u64,
    /// Why that is more than the source, in words; `None` if it is not, apart from headers, and for sources of several files.
    pub growth: Option<&'static str>,
    /// Time from reading the source to having its imported form.
    pub elapsed: Duration,
}

/// How long each phase of a build took.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Phases {
    /// Finding sources, importing them or looking them up in the cache, and resolving ids and names.
    pub import: Duration,
    /// Writing packs or the dev index.
    pub pack: Duration,
    /// Generating the module.
    pub generate: Duration,
}

impl Report {
    /// The notes as a build prints them: a line for each topic, then how to turn them off. Empty if there are none.
    pub fn note_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.notes.iter().map(ToString::to_string).collect();
        if self.notes.iter().any(|note| !note.assets.is_empty()) {
            lines.push("to accept this for some files, set notes = false in a rule of assets.toml".to_owned());
        }
        lines
    }

    /// Returns what the build prints about limits and budgets that are exceeded: up to twenty lines. Empty if there are none.
    pub fn lint_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.lints.iter().take(MAX_LINTS).map(ToString::to_string).collect();
        if self.lints.len() > MAX_LINTS {
            let count = self.lints.len() - MAX_LINTS;
            lines.push(format!("and {count} more beyond a limit; `cargo rres build --json` lists all"));
        }
        lines
    }

    /// Returns what the build prints about files that it went on without: what is wrong with up to twenty of them, then rules
    /// that settle it. Empty if there are none.
    pub fn refusal_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.refused.iter().take(MAX_REFUSALS).map(ToString::to_string).collect();
        if self.refused.len() > MAX_REFUSALS {
            lines.push(format!("and {} more", self.refused.len() - MAX_REFUSALS));
        }
        match self.refused.len() {
            0 => return lines,
            1 => lines.push("left out 1 file that is refused; it has no constant".to_owned()),
            count => lines.push(format!("left out {count} files that are refused; they have no constants")),
        }
        if let Some(rules) = &self.suggested_rules {
            lines.push(format!("{SUGGESTION}\n\n{rules}"));
        }
        lines
    }

    /// Returns the assets that take more bytes in the pack than their sources; those that grew by most bytes come first.
    pub fn grown(&self) -> Vec<&AssetReport> {
        let mut grown: Vec<_> = self.assets.iter().filter(|asset| asset.growth.is_some()).collect();
        let by = |asset: &AssetReport| asset.stored_size.saturating_sub(asset.source_size);
        grown.sort_by(|a, b| by(b).cmp(&by(a)).then_with(|| a.path.cmp(&b.path)));
        grown
    }

    /// Returns what to print about assets that are larger than their sources: a line for each of the first five, with the reason,
    /// and the number of the others. Empty if there are none.
    pub fn growth_lines(&self) -> Vec<String> {
        let grown = self.grown();
        let line = |asset: &&AssetReport| {
            let AssetReport { path, source_size, stored_size, growth, .. } = asset;
            let [source, stored] = [*source_size, *stored_size].map(ByteSize);
            format!("larger than its source: {path}, {source} → {stored}: {}", growth.unwrap_or_default())
        };
        let mut lines: Vec<String> = grown.iter().take(MAX_GROWN).map(line).collect();
        if let Some(others @ 1..) = grown.len().checked_sub(MAX_GROWN) {
            lines.push(format!("and {others} more are larger than their sources; `cargo rres report` lists all"));
        }
        lines
    }

    /// Returns what to print about assets that have files for some targets: a line for each of the first ten, and the number of the others.
    /// Empty if there are none.
    pub fn target_file_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.target_files.iter().take(MAX_TARGET_FILES).map(ToString::to_string).collect();
        if let Some(others @ 1..) = self.target_files.len().checked_sub(MAX_TARGET_FILES) {
            lines.push(format!("and {others} more with files for some targets; `cargo rres build --json` lists all"));
        }
        lines
    }

    /// Returns the total size of all sources in bytes.
    pub fn source_size(&self) -> u64 {
        self.assets.iter().map(|asset| asset.source_size).sum()
    }

    /// Returns the bytes that a graphics card allocates for all assets together.
    pub fn video_memory(&self) -> u64 {
        self.assets.iter().fold(0, |sum, asset| sum.saturating_add(asset.video_memory))
    }

    /// Returns the number of assets that were in the import cache.
    pub fn cached(&self) -> usize {
        self.assets.iter().filter(|asset| asset.cached).count()
    }

    /// Returns the number of assets that were imported.
    pub fn imported(&self) -> usize {
        self.assets.len() - self.cached()
    }

    /// Returns the `count` assets that took longest, the slowest first.
    pub fn slowest(&self, count: usize) -> Vec<&AssetReport> {
        let mut assets: Vec<_> = self.assets.iter().collect();
        assets.sort_by(|a, b| b.elapsed.cmp(&a.elapsed).then_with(|| a.path.cmp(&b.path)));
        assets.truncate(count);
        assets
    }
}

/// One line: `412 assets: 409 cached, 3 imported, 0.09 s; 19.4 MB of sources, 14.2 MB packed`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Phases { import, pack, generate } = self.phases;
        let sources = self.source_size();
        let (count, cached, imported) = (self.assets.len(), self.cached(), self.imported());
        let seconds = (import + pack + generate).as_secs_f64();
        let assets = if count == 1 { "asset" } else { "assets" };
        write!(f, "{count} {assets}")?;
        match self.assets.iter().map(|asset| asset.part_count).sum() {
            0 => {}
            1 => f.write_str(" and 1 part of them")?,
            parts => write!(f, " and {parts} parts of them")?,
        }
        write!(f, ": {cached} cached, {imported} imported, {seconds:.2} s; ")?;
        write!(f, "{} of sources", ByteSize(sources))?;
        match self.packs.is_empty() {
            true => Ok(()),
            false => write!(f, ", {} packed", ByteSize(self.pack_size)),
        }
    }
}

impl AssetReport {
    pub(crate) fn new(asset: &ImportedAsset) -> Self {
        let first = asset.record.resources.first();
        Self {
            path: asset.path.clone(),
            kind: first.map_or(AssetKind::Raw, |resource| resource.kind),
            summary: first.map(|resource| resource.summary.clone()).unwrap_or_default(),
            cached: asset.is_cached,
            part_count: asset.record.resources.len().saturating_sub(1),
            source_size: asset.source_size,
            stored_size: asset.record.stored_size(),
            video_memory: asset.record.video_memory(),
            growth: growth::reason(asset),
            elapsed: asset.elapsed,
        }
    }
}

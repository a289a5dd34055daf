//! Imports a second time, and compares with what is in the cache.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::mem::take;
use std::path::Path;

use super::{Chosen, Portion, import};
use crate::cache::Cache;
use crate::context::BuildContext;
use crate::diagnostic::{BuildError, Diagnostic};
use crate::key::Key;
use crate::model::{ImportedAsset, find_asset};
use crate::options::Build;
use crate::pipeline::{Plan, PlannedSource};
use crate::settings::Rules;

/// How many bytes of sources are imported before they are compared, so that the second copies do not take the space of all.
const BATCH: u64 = 256 << 20;

/// What [`Build::check_imports`] has found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ImportCheck {
    /// The number of sources that were imported again.
    pub checked: usize,
    /// How many sources there are to choose from.
    pub all: usize,
    /// How many more only the build script can import.
    pub of_script: usize,
    /// The sources whose bytes differ, by path.
    pub differences: Vec<Difference>,
}

/// A source whose import gives other bytes than the cache has. Displayed as a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The asset path of the source.
    pub path: String,
    /// The name of its importer.
    pub importer: String,
    /// Whether two imports on this machine, one after the other, gave the same bytes. If they did not, the importer is not deterministic.
    /// Otherwise another machine, or another version of the program, has made what was in the cache.
    pub is_repeatable: bool,
    /// The number of bytes that the cache had.
    pub cached_size: u64,
    /// The number of bytes that the import gave.
    pub size: u64,
    /// The position of the first byte that differs.
    pub position: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, importer, is_repeatable, cached_size, size, position } = self;
        let sizes = format!("{cached_size} and {size} bytes, which differ from byte {position} on");
        match is_repeatable {
            true => write!(f, "{path}: the {importer} makes other bytes here than the cache had: {sizes}"),
            false => write!(f, "{path}: the {importer} is not deterministic, it made {sizes}"),
        }
    }
}

impl Build {
    /// Imports a portion of the sources again, and compares every byte with what is in the import cache. What the caches lack is imported
    /// twice. `scratch` is an empty directory for the second results, up to a few hundred megabytes.
    ///
    /// What another machine has made, and this one makes differently, is removed from the cache, so that the next build imports it.
    ///
    /// # Errors
    /// Every fault of the settings, and of the sources of the portion; and if `scratch` cannot be written.
    pub fn check_imports(self, portion: &Portion, scratch: &Path) -> Result<ImportCheck, BuildError> {
        let context = BuildContext::new(self)?;
        let Chosen { mut plan, all, of_script, mut diagnostics } = Chosen::new(&context, portion);
        let mut check = ImportCheck { all, of_script, ..ImportCheck::default() };
        let (rules, sources) = (plan.rules.clone(), take(&mut plan.sources));
        diagnostics.extend(plan.diagnostics);
        for batch in batches(sources) {
            let first = import(&context, part(&rules, &batch));
            diagnostics.extend(first.diagnostics);
            let again = Again { context: &context, rules: &rules, scratch };
            check.checked += again.check(&batch, &first.assets, &mut check.differences, &mut diagnostics)?;
        }
        BuildError::check(diagnostics)?;
        check.differences.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(check)
    }
}

/// The sources in parts of about [`BATCH`] bytes.
fn batches(sources: Vec<PlannedSource>) -> Vec<Vec<PlannedSource>> {
    let mut batches: Vec<Vec<PlannedSource>> = Vec::new();
    let mut size = BATCH;
    for source in sources {
        if size >= BATCH {
            batches.push(Vec::new());
            size = 0;
        }
        size = size.saturating_add(source.source.size);
        batches.last_mut().expect("a batch has begun").push(source);
    }
    batches
}

/// A plan of these sources alone.
fn part(rules: &Rules, sources: &[PlannedSource]) -> Plan {
    Plan { rules: rules.clone(), sources: sources.to_vec(), ..Plan::default() }
}

/// The import of a batch into a cache of its own.
struct Again<'a> {
    context: &'a BuildContext,
    rules: &'a Rules,
    scratch: &'a Path,
}

impl Again<'_> {
    /// Compares what a batch gives now with what it gave first. Returns the number of sources that were compared.
    fn check(
        &self,
        batch: &[PlannedSource],
        first: &[ImportedAsset],
        differences: &mut Vec<Difference>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<usize, BuildError> {
        let (second, cache) = self.import("second", batch, diagnostics)?;
        let mut differing = Vec::new();
        for asset in &second {
            let Ok(at) = find_asset(first, &asset.path) else { continue };
            let cached = (&self.context.cache, &first[at].record.blob_key);
            if let Some(difference) = Self::compare(cached, (&cache, &asset.record.blob_key))? {
                differing.push((asset, cached.1, difference));
            }
        }
        if !differing.is_empty() {
            let is_differing = |of: &&PlannedSource| differing.iter().any(|(asset, ..)| asset.path == of.source.path);
            let sources: Vec<PlannedSource> = batch.iter().filter(is_differing).cloned().collect();
            let (third, third_cache) = self.import("third", &sources, diagnostics)?;
            for (asset, cached, (cached_size, size, position)) in differing {
                let Some(source) = sources.iter().find(|of| of.source.path == asset.path) else { continue };
                let is_same = match find_asset(&third, &asset.path) {
                    Err(_) => false,
                    Ok(at) => {
                        let again = (&third_cache, &third[at].record.blob_key);
                        Self::compare((&cache, &asset.record.blob_key), again)?.is_none()
                    }
                };
                if is_same {
                    let shared = &self.context.cache;
                    let discarded = shared.discard(&[*cached]);
                    discarded.map_err(|e| Diagnostic::io("repair the import cache", shared.dir(), &e))?;
                }
                differences.push(Difference {
                    path: asset.path.clone(),
                    importer: source.importer.to_string(),
                    is_repeatable: is_same,
                    cached_size,
                    size,
                    position,
                });
            }
        }
        // What is left is removed with the directory.
        let _ = fs::remove_dir_all(self.scratch);
        Ok(second.len())
    }

    fn import(
        &self,
        name: &str,
        sources: &[PlannedSource],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(Vec<ImportedAsset>, Cache), Diagnostic> {
        let dir = self.scratch.join(name);
        let cache = Cache::open(Some(dir.clone()), &dir).map_err(|e| cannot_write(&dir, &e))?;
        let context = self.context.alone_with(cache.clone());
        let imported = import(&context, part(self.rules, sources));
        diagnostics.extend(imported.diagnostics);
        Ok((imported.assets, cache))
    }

    /// The sizes of two blobs and the position of the first byte that differs; `None` if they are equal.
    fn compare(
        (first_cache, first): (&Cache, &Key),
        (second_cache, second): (&Cache, &Key),
    ) -> Result<Option<(u64, u64, u64)>, Diagnostic> {
        // Other input files make another key, and that in the blob differs, too.
        let files = [first_cache.blob_file(first), second_cache.blob_file(second)];
        first_difference(&files[0], &files[1])
            .map_err(|e| Diagnostic::file(&files[0], format!("cannot be compared with {}: {e}", files[1].display())))
    }
}

fn cannot_write(dir: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::io("write the second imports to", dir, error)
}

fn first_difference(first: &Path, second: &Path) -> io::Result<Option<(u64, u64, u64)>> {
    let open = |path: &Path| {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        io::Result::Ok((BufReader::with_capacity(1 << 16, file), len))
    };
    let ((first, first_len), (second, second_len)) = (open(first)?, open(second)?);
    let mut position = 0;
    for pair in first.bytes().zip(second.bytes()) {
        if pair.0? != pair.1? {
            return Ok(Some((first_len, second_len, position)));
        }
        position += 1;
    }
    Ok((first_len != second_len).then_some((first_len, second_len, position)))
}

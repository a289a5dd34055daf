//! The builds of a package → what is known of all their sources.

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use rres_engine::LicensedSource;
use rres_licenses::{Credit, License, Origin, Terms, credits, within_project};

use rres_settings::diagnostic::Diagnostic;

use crate::asset_builds::AssetBuild;
use crate::exit::Failure;

/// A longer file is not a licence.
const MAX_TEXT: u64 = 1 << 20;

/// The directory of a project with the texts of licences, as REUSE wants it.
const TEXTS: &str = "LICENSES";

/// Sources of one or more directories of assets.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// In the order of the directories, then of their paths.
    pub(crate) sources: Vec<Source>,
    /// What is wrong with files, and with files of REUSE.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The directories of assets.
    dirs: Vec<PathBuf>,
}

/// A source, and the number of its directory.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) licensed: LicensedSource,
}

impl Source {
    /// Where the licence is stated, in words.
    pub(super) fn stated_in(&self) -> Option<String> {
        let shown = |file: &Path| {
            let here = env::current_dir().and_then(dunce::canonicalize).unwrap_or_default();
            file.strip_prefix(&here).unwrap_or(file).display().to_string()
        };
        Some(match self.licensed.origin.as_ref()? {
            Origin::Rule => "rule".to_owned(),
            Origin::Tag => "file".to_owned(),
            Origin::Sidecar(file) | Origin::Reuse(file) => shown(file),
        })
    }
}

impl Ledger {
    /// Asks the builds.
    pub(crate) fn of(builds: Vec<AssetBuild>) -> Result<Self, Failure> {
        let mut ledger = Self::default();
        for AssetBuild { dir, build } in builds {
            let (sources, diagnostics) = build.licenses().map_err(|error| Failure::Fault(error.to_string()))?;
            ledger.diagnostics.extend(diagnostics);
            ledger.sources.extend(sources.into_iter().map(|licensed| Source { licensed }));
            ledger.dirs.push(dir);
        }
        Ok(ledger)
    }

    /// Leaves out sources, by their asset paths.
    pub(crate) fn leave_out(&mut self, paths: &HashSet<String>) {
        self.sources.retain(|source| !paths.contains(&source.licensed.path));
    }

    /// Whether anything is known of any source.
    pub(crate) fn knows_anything(&self) -> bool {
        self.sources.iter().any(|source| source.licensed.terms != Terms::default())
    }

    /// The works, each with its files.
    pub(crate) fn credits(&self) -> Vec<Credit> {
        credits(self.sources.iter().map(|source| (source.licensed.path.clone(), source.licensed.terms.clone())))
    }

    /// The works, each with its files whose paths are in packs: what players get need not tell more.
    pub(crate) fn shipped_credits(&self) -> Vec<Credit> {
        let mut credits = self.credits();
        let unnamed: HashSet<&str> =
            self.sources.iter().map(|of| &of.licensed).filter(|of| !of.is_named).map(|of| of.path.as_str()).collect();
        credits.iter_mut().for_each(|credit| credit.files.retain(|file| !unnamed.contains(file.as_str())));
        credits
    }

    /// The files without a licence.
    pub(crate) fn without_license(&self) -> impl Iterator<Item = &LicensedSource> {
        self.sources.iter().map(|source| &source.licensed).filter(|licensed| licensed.terms.license.is_none())
    }

    /// The files without a licence that no rule accepts as they are.
    pub(crate) fn unlicensed(&self) -> impl Iterator<Item = &LicensedSource> {
        self.without_license().filter(|licensed| !licensed.is_accepted)
    }

    /// The files whose licence is unknown or not allowed: path and why.
    pub(crate) fn faults(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources.iter().filter_map(|source| Some((&*source.licensed.path, source.licensed.fault.as_deref()?)))
    }

    /// The number of files under each licence, the most frequent first.
    pub(super) fn by_license(&self) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for license in self.sources.iter().filter_map(|source| source.licensed.terms.license.as_deref()) {
            *counts.entry(license).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().map(|(license, files)| (license.to_owned(), files)).collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counts
    }

    /// The names of the licences, each with the text of it that the project keeps in `LICENSES`.
    pub(crate) fn texts(&self) -> BTreeMap<String, Option<String>> {
        let expressions = self.sources.iter().filter_map(|source| source.licensed.terms.license.as_deref());
        let mut names: Vec<String> =
            expressions.filter_map(|text| License::parse(text).ok()).flat_map(|of| of.names()).collect();
        names.sort();
        names.dedup();
        names.into_iter().map(|name| (name.clone(), self.text(&name))).collect()
    }

    /// The text of a licence. Projects may have given one name to several texts: each is there then.
    fn text(&self, name: &str) -> Option<String> {
        let mut texts: Vec<String> = self.dirs.iter().filter_map(|dir| text_above(dir, name)).collect();
        let mut seen = HashSet::new();
        texts.retain(|text| seen.insert(text.clone()));
        (!texts.is_empty()).then(|| texts.join("\n"))
    }
}

/// The text of a licence that is kept in or beside an assets directory, or above in its project.
fn text_above(dir: &Path, name: &str) -> Option<String> {
    let mut dirs = within_project(dir);
    // A directory that is a repository of its own is part of a project all the same; without one, it stands alone.
    if let [dir] = &dirs[..]
        && let Some(beside) = dir.parent()
    {
        dirs.extend(within_project(beside));
    }
    let mut files = dirs
        .iter()
        .flat_map(|dir| ["txt", "md", "html"].map(|extension| dir.join(TEXTS).join(format!("{name}.{extension}"))));
    files.find_map(|file| {
        let is_small = fs::metadata(&file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_TEXT);
        is_small.then(|| fs::read(&file).ok().map(|bytes| plain(&String::from_utf8_lossy(&bytes)))).flatten()
    })
}

/// A text without characters that control a terminal.
fn plain(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect()
}

//! What a build did: how many, how long, how big.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use rres_format::AssetKind;

/// What a build did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Every asset, by path.
    pub assets: Vec<AssetReport>,
    /// The packs that stand, the first one first; empty where the build keeps a dev index only.
    pub packs: Vec<PathBuf>,
    /// Bytes of the packs.
    pub pack_size: u64,
    /// The generated module.
    pub module: PathBuf,
    /// The dev index, in debug builds.
    pub dev_index: Option<PathBuf>,
    /// How long each phase took.
    pub phases: Phases,
}

/// What became of one source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AssetReport {
    /// Its asset path.
    pub path: String,
    /// What it became.
    pub kind: AssetKind,
    /// Its shape, length or format: `64×64 RGBA8`.
    pub summary: String,
    /// Whether the import cache had it.
    pub cached: bool,
    /// Bytes of the source.
    pub source_size: u64,
    /// Bytes in the pack, parts included.
    pub stored_size: u64,
    /// Time from reading the source to having its imported form.
    pub took: Duration,
}

/// How long each phase of a build took.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Phases {
    /// Finding, importing and encoding, or finding in the cache.
    pub import: Duration,
    /// Writing packs or the dev index.
    pub pack: Duration,
    /// Generating the module.
    pub generate: Duration,
}

impl Report {
    /// Of a build that did nothing.
    pub(crate) fn empty(module: PathBuf) -> Self {
        Self { assets: Vec::new(), packs: Vec::new(), pack_size: 0, module, dev_index: None, phases: Phases::default() }
    }

    /// How many assets there are.
    pub fn discovered(&self) -> usize {
        self.assets.len()
    }

    /// Bytes of all sources.
    pub fn source_size(&self) -> u64 {
        self.assets.iter().map(|asset| asset.source_size).sum()
    }

    /// How many assets the import cache had.
    pub fn cached(&self) -> usize {
        self.assets.iter().filter(|asset| asset.cached).count()
    }

    /// How many assets were imported.
    pub fn imported(&self) -> usize {
        self.assets.len() - self.cached()
    }

    /// The `count` assets that took longest, the longest first.
    pub fn slowest(&self, count: usize) -> Vec<&AssetReport> {
        let mut assets: Vec<_> = self.assets.iter().collect();
        assets.sort_by(|a, b| b.took.cmp(&a.took).then_with(|| a.path.cmp(&b.path)));
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
        write!(f, "{count} assets: {cached} cached, {imported} imported, {seconds:.2} s; ")?;
        write!(f, "{} of sources", Bytes(sources))?;
        match self.packs.is_empty() {
            true => Ok(()),
            false => write!(f, ", {} packed", Bytes(self.pack_size)),
        }
    }
}

/// A size for people: `812 B`, `1.2 KiB`, `19.4 MiB`.
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bytes) = *self;
        match bytes {
            0..1024 => write!(f, "{bytes} B"),
            1024..1_048_576 => write!(f, "{:.1} KiB", bytes as f64 / 1024.0),
            1_048_576..1_073_741_824 => write!(f, "{:.1} MiB", bytes as f64 / 1_048_576.0),
            _ => write!(f, "{:.2} GiB", bytes as f64 / 1_073_741_824.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        let text = |bytes| Bytes(bytes).to_string();
        assert_eq!((text(812), text(1229)), ("812 B".to_owned(), "1.2 KiB".to_owned()));
        assert_eq!((text(20 << 20), text(3 << 30)), ("20.0 MiB".to_owned(), "3.00 GiB".to_owned()));
    }
}

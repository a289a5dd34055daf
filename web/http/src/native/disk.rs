//! What is kept in a directory: `<pack>/<version>/<first byte>-<byte after the last>`.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::kept::{Keep, KeptRanges, Step, name, range, version};

/// The part of the directory for one pack. What cannot be read or written is as if it were not kept.
#[derive(Debug)]
pub(crate) struct Disk {
    dir: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The directory of the version that the server has; `None` before that is known.
    version: Option<PathBuf>,
    kept: KeptRanges,
}

impl Disk {
    pub(crate) fn new(keep: &Keep, url: &str) -> Self {
        let file = url.rsplit('/').next().unwrap_or_default();
        let file: String = file.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).collect();
        let dir = Path::new(&keep.place).join(format!("{file}-{:016x}", version(url.as_bytes())));
        Self { dir, state: Mutex::new(State { version: None, kept: KeptRanges::new(keep.limit) }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the front of the pack, which says what of the kept ranges is right. Ranges of other versions are deleted.
    pub(crate) fn begin(&self, front: Range<u64>, bytes: &[u8]) {
        let wanted = self.dir.join(format!("{:016x}", version(bytes)));
        {
            let mut state = self.state();
            // A longer front is read if the first one was too short.
            if state.version.is_none() {
                for other in entries(&self.dir).filter(|dir| *dir != wanted) {
                    let _ = fs::remove_dir_all(other);
                }
            }
            let ranges = entries(&wanted).filter_map(|file| range(file.file_name()?.to_str()?));
            ranges.for_each(|range| state.kept.add(range));
            state.version.get_or_insert(wanted);
        }
        self.keep(front.start..front.start + bytes.len() as u64, bytes);
    }

    /// Whether a front may have been kept.
    pub(crate) fn has_front(&self) -> bool {
        entries(&self.dir).next().is_some()
    }

    /// Returns the front that was kept, of whatever version.
    pub(crate) fn kept_front(&self, wanted: &Range<u64>) -> Option<Vec<u8>> {
        let known = self.state().version.clone();
        let versions: Vec<PathBuf> = match known {
            Some(version) => vec![version],
            None => entries(&self.dir).collect(),
        };
        // The pack may end within the range.
        let of_front = |dir: &PathBuf| {
            let fronts = entries(dir).filter_map(|file| Some((range(file.file_name()?.to_str()?)?, file)));
            fronts.filter(|(range, _)| range.start == 0).max_by_key(|(range, _)| range.end.min(wanted.end))
        };
        let (dir, (range, file)) = versions.into_iter().find_map(|dir| of_front(&dir).map(|front| (dir, front)))?;
        let mut bytes = fs::read(file).ok().filter(|bytes| bytes.len() as u64 == range.end)?;
        bytes.truncate(usize::try_from(wanted.end).unwrap_or(usize::MAX));
        let mut state = self.state();
        entries(&dir)
            .filter_map(|file| crate::kept::range(file.file_name()?.to_str()?))
            .for_each(|range| state.kept.add(range));
        state.version.get_or_insert(dir);
        Some(bytes)
    }

    /// Returns what comes next of a range.
    pub(crate) fn next(&self, range: &Range<u64>) -> Step {
        self.state().kept.next(range)
    }

    /// Reads a kept range; `None` if it is not there any more.
    pub(crate) fn read(&self, range: &Range<u64>) -> Option<Vec<u8>> {
        let file = {
            let mut state = self.state();
            state.kept.used(range);
            state.version.as_ref()?.join(name(range))
        };
        fs::read(file).ok().filter(|bytes| bytes.len() as u64 == range.end - range.start)
    }

    /// Keeps a range.
    pub(crate) fn keep(&self, range: Range<u64>, bytes: &[u8]) {
        let Some(dir) = self.state().version.clone().filter(|_| !range.is_empty()) else { return };
        if write(&dir, &name(&range), bytes).is_ok() {
            let mut state = self.state();
            state.kept.add(range);
            for evicted in state.kept.evict() {
                let _ = fs::remove_file(dir.join(name(&evicted)));
            }
        }
    }

    /// Deletes what is kept of a range.
    pub(crate) fn forget(&self, range: &Range<u64>) {
        let mut state = self.state();
        for kept in state.kept.overlapping(range) {
            state.kept.remove(&kept);
            if let Some(dir) = &state.version {
                let _ = fs::remove_file(dir.join(name(&kept)));
            }
        }
    }
}

fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(dir).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

/// Writes a file so that it exists with all of its bytes or not at all.
fn write(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    // Two processes may keep the same range.
    let unfinished = dir.join(format!("{name}.{}.tmp", std::process::id()));
    fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, dir.join(name))).inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
    })
}

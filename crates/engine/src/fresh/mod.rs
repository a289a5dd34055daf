//! Whether a debug build has nothing to do: it finds that out from the times of files alone, without making a plan.
//!
//! After a build that went well, a record in the output directory says what the build depended on, and what it printed: the options and the
//! settings, the program, everything below the directories of assets, and the outputs. If all of that is as it was, the next build prints the
//! same, and ends. Cargo runs a build script for many reasons, most of which change no asset; with 100,000 assets, a plan alone takes seconds.
//!
//! Builds for shipping do not use it: they trust no times. Neither do builds whose caller wants a report, which lists the assets.

mod walk;

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use walk::{Tree, walk};

use crate::cache::{CLOCK_TICK, TOUCH_INTERVAL};
use crate::context::BuildContext;
use crate::licenses;
use crate::model::{FileStamp, nanoseconds};
use crate::pipeline::is_left_out;
use crate::read_file::read_record;
use crate::session::Session;
use crate::temp_file::replace;

/// The first field of a record. It has the version of the format.
const HEADER: &str = "rres fresh build 1";

/// The end of a record that is whole. A warning may have several lines, so a zero byte ends each field.
const END: &str = "\0end";

/// What a build depends on, as it is now.
#[derive(Debug)]
pub(crate) struct Inputs {
    record: PathBuf,
    hash: String,
    /// When a file has changed last, in nanoseconds since 1970.
    changed: u64,
    began: SystemTime,
}

/// What a build that has nothing to do tells Cargo.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fresh {
    /// The file of the cache to watch.
    pub(crate) root: PathBuf,
    /// The warnings of the build that did the work.
    pub(crate) warnings: Vec<String>,
}

impl Inputs {
    /// Looks at everything that a build depends on; `None` if it is a build that times say nothing about.
    pub(crate) fn read(session: &Session<'_>) -> Option<Self> {
        let Session { context, files, rules, diagnostics, texts, elsewhere } = session;
        let trusts = context.options.trust_stamps.unwrap_or(true) && !context.options.always_run;
        let is_plain = context.in_cargo && context.is_debug && !context.writes_packs() && !rules.pack().lock;
        if !trusts || !is_plain || !diagnostics.is_empty() {
            return None;
        }
        let began = SystemTime::now();
        let tree =
            walk(context.dirs().filter(|dir| !is_left_out(dir)).map(|dir| dir.dir.clone()).collect(), context.threads)
                .ok()?;
        let mut hasher = blake3::Hasher::new();
        let mut field = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        field(&program(context)?);
        // All options of the build, and what Cargo says of the target and the package.
        field(&read_record(&files.options()).ok()?);
        for library in &context.libraries {
            field(&read_record(&library.record).ok()?);
        }
        for file in licenses::files_above(context, rules) {
            field(file.as_os_str().as_encoded_bytes());
            field(&read_record(&file).ok()?);
        }
        for text in texts.iter().chain(&elsewhere.texts) {
            field(text.as_deref().unwrap_or_default());
        }
        field(&tree.bytes());
        let Tree { changed, .. } = tree;
        Some(Self { record: files.fresh(), hash: hasher.finalize().to_hex().to_string(), changed, began })
    }

    /// What the last build has told Cargo, if it saw the same, and everything that it left is there.
    pub(crate) fn fresh(&self) -> Option<Fresh> {
        // A build notes in the cache, once a day, what it uses.
        let is_recent = |time: SystemTime| time.elapsed().is_ok_and(|age| age < TOUCH_INTERVAL);
        fs::metadata(&self.record).and_then(|metadata| metadata.modified()).ok().filter(|time| is_recent(*time))?;
        let text = String::from_utf8(read_record(&self.record).ok()?).ok()?;
        let mut lines = text.strip_suffix(END)?.split('\0');
        if lines.next()? != HEADER || lines.next()? != self.hash {
            return None;
        }
        let root = PathBuf::from(lines.next()?);
        let mut fresh = Fresh { root, warnings: Vec::new() };
        for line in lines {
            match line.split_once(' ')? {
                ("warning", text) => fresh.warnings.push(text.to_owned()),
                (stamp, file) if stamp == stamp_of(Path::new(file))? => {}
                _ => return None,
            }
        }
        // The cache removes it before it removes what the build needs.
        fresh.root.exists().then_some(fresh)
    }

    /// Records what the build has left and told Cargo. If the record cannot be written, the next build does the work.
    pub(crate) fn record<'p>(self, outputs: impl Iterator<Item = &'p PathBuf>, Fresh { root, warnings }: &Fresh) {
        // A file that changes twice within a tick of the clock keeps its time.
        if self.changed >= nanoseconds(self.began.checked_sub(CLOCK_TICK).unwrap_or(SystemTime::UNIX_EPOCH)) {
            let _ = fs::remove_file(&self.record);
            return;
        }
        let Some(root) = root.to_str() else { return };
        let mut lines = vec![HEADER.to_owned(), self.hash, root.to_owned()];
        for output in outputs {
            let (Some(stamp), Some(file)) = (stamp_of(output), output.to_str()) else { return };
            lines.push(format!("{stamp} {file}"));
        }
        lines.extend(warnings.iter().map(|text| format!("warning {text}")));
        let _ = replace(&self.record, |out| out.write_all((lines.join("\0") + END).as_bytes()));
    }
}

/// The program that builds: another build script may have other importers.
fn program(context: &BuildContext) -> Option<Vec<u8>> {
    let script = context.options.script.clone();
    let program = stamp_of(&env::current_exe().ok()?)?;
    // With the installed command, the importers of the script are in its options.
    Some(format!("{program} {script:?} {:?}", context.cargo.target).into_bytes())
}

fn stamp_of(file: &Path) -> Option<String> {
    let FileStamp { size, modified, changed, inode } = FileStamp::of(&fs::metadata(file).ok()?);
    Some(format!("{size}-{modified}-{changed}-{inode}"))
}

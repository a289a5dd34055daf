//! Decides for every resource of a pack set which file it becomes, before anything is written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rres_format::chunk::raw::RawView;
use rres_format::{AssetKind, FourCc, normalize_path};

use crate::opened_pack::OpenedPack;
use crate::pack_set::{PackSet, packs};
use crate::resource_list::{Resource, ResourceList};
use crate::selection::Selection;

/// What `extract` will do.
pub(super) struct Plan<'a> {
    pub(super) files: Vec<Extraction<'a>>,
    /// The resources that no file can represent, each with the reason.
    pub(super) skipped: Vec<String>,
    /// What is wrong with the packs.
    pub(super) faults: Vec<String>,
}

/// A resource and the file that it becomes.
pub(super) struct Extraction<'a> {
    pub(super) pack: &'a OpenedPack,
    pub(super) resource: Resource<'a>,
    pub(super) form: Form,
    pub(super) file: PathBuf,
    /// The name in the pack, if no file of every system can have it.
    pub(super) renamed: Option<String>,
}

/// The format of the file that a resource becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The bytes of the source file.
    Source,
    /// Its pixels, as `.png`.
    Png,
    /// Its samples, as `.wav`.
    Wav,
}

impl<'a> Plan<'a> {
    pub(super) fn new(sets: &'a [PackSet], lists: Vec<ResourceList<'a>>, selection: &Selection, dir: &Path) -> Self {
        let faults = sets.iter().filter_map(|set| set.missing.clone()).collect();
        let mut plan = Self { files: Vec::new(), skipped: Vec::new(), faults };
        let mut taken = HashSet::new();
        for (pack, list) in packs(sets).zip(lists) {
            plan.faults.extend(list.findings.iter().map(ToString::to_string));
            for resource in list.resources.into_iter().filter(|resource| selection.contains(resource)) {
                // The finding about the pack counts those that were cut off.
                if list.is_cut_off && resource.chunks.is_empty() {
                    continue;
                }
                plan.add(pack, resource, dir, &mut taken);
            }
        }
        plan
    }

    /// Adds a resource. `taken` contains the lower-case paths of the files so far.
    fn add(&mut self, pack: &'a OpenedPack, resource: Resource<'a>, dir: &Path, taken: &mut HashSet<String>) {
        let name = resource.name();
        let form = match Form::of(pack, &resource) {
            Ok(form) => form,
            Err(why) => return self.skipped.push(format!("{name}: {why}")),
        };
        let path = match relative_path(&resource, form) {
            Ok(path) => path,
            Err(why) => return self.faults.push(format!("{name}: {why}")),
        };
        let file = portable_path(&path);
        // Some systems do not distinguish names that differ only in case.
        if !taken.insert(file.to_lowercase()) {
            return self.faults.push(format!("{name}: another resource is already written to {file}"));
        }
        let renamed = (file != path).then_some(path);
        self.files.push(Extraction { pack, resource, form, file: dir.join(file), renamed });
    }
}

impl Form {
    /// Returns the form of a resource, or the reason why it is skipped.
    fn of(pack: &OpenedPack, resource: &Resource<'_>) -> Result<Self, String> {
        let Some(first) = resource.chunks.first() else {
            let why =
                if pack.is_dev_index() { "the dev index contains no bytes of assets" } else { "it has no chunks" };
            return Err(why.to_owned());
        };
        if let Some(cipher) = resource.ciphers().first() {
            return Err(format!("it is encrypted with {cipher}"));
        }
        let form = match (resource.kind, first.info.kind) {
            (_, FourCc::RAWD | FourCc::TEXT) => return Ok(Self::Source),
            (Some(AssetKind::Image), _) => Self::Png,
            (Some(AssetKind::Sound), _) => Self::Wav,
            (Some(AssetKind::Link), _) => return Err("it is a link to a file outside the pack".to_owned()),
            (Some(AssetKind::Font), _) => {
                return Err("the pack contains rendered glyphs, but not the font file".to_owned());
            }
            (Some(AssetKind::Model), _) => {
                return Err("the pack contains converted vertices, but not the model file".to_owned());
            }
            (_, kind) => return Err(format!("chunks of kind {kind} are unknown")),
        };
        if pack.runtime_pack().is_none() {
            return Err("the pack is damaged, so only files stored byte for byte are recovered".to_owned());
        }
        Ok(form)
    }

    /// Returns the extension that the form adds to the name of the source file.
    fn extension(self) -> &'static str {
        match self {
            Self::Source => "",
            Self::Png => ".png",
            Self::Wav => ".wav",
        }
    }
}

/// Returns the path of the file for a resource, relative to the output directory.
///
/// # Errors
/// The reason why the path is refused: it leads out of the directory, or no file can have it.
fn relative_path(resource: &Resource<'_>, form: Form) -> Result<String, String> {
    let mut file = match &resource.path {
        None => format!("id-{:08x}{}", resource.id.0, source_extension(resource)),
        Some(path) if path.split(['/', '\\']).any(|name| name == "..") => {
            return Err(format!("refused, because the path \"{path}\" leads out of the directory"));
        }
        Some(path) => normalize_path(path).map_err(|e| format!("refused: {e}"))?,
    };
    if !file.to_ascii_lowercase().ends_with(form.extension()) {
        file += form.extension();
    }
    Ok(file)
}

/// Returns a path that every system can have: the same on all of them, so that an extracted tree can be copied from one to
/// another. Windows reserves some characters, the names of devices, and dots and spaces at the end of a name.
fn portable_path(path: &str) -> String {
    let names: Vec<String> = path.split('/').map(portable_name).collect();
    names.join("/")
}

fn portable_name(name: &str) -> String {
    const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];
    let is_reserved = |c: char| matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*') || c.is_control();
    let mut portable = name.replace(is_reserved, "_");
    if portable.ends_with(['.', ' ']) {
        portable.pop();
        portable.push('_');
    }
    // `nul.txt` is the device, too.
    let stem = portable.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let number = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = number.is_some_and(|number| {
        matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
    });
    if is_port || DEVICES.contains(&stem.as_str()) {
        portable.insert(0, '_');
    }
    portable
}

/// Returns the extension of the source file of a resource without a path, or "" if the resource is re-encoded.
fn source_extension(resource: &Resource<'_>) -> String {
    match resource.chunks[0].info.kind {
        FourCc::TEXT => ".txt".to_owned(),
        FourCc::RAWD => stored_extension(resource).unwrap_or_else(|| ".bin".to_owned()),
        _ => String::new(),
    }
}

/// Returns the extension in a RAWD chunk, if it consists of ASCII letters and digits.
fn stored_extension(resource: &Resource<'_>) -> Option<String> {
    let block = resource.chunks[0].decode(&mut Default::default()).ok()?;
    let view = RawView::parse(block.view().ok()?).ok()?;
    let extension = std::str::from_utf8(view.extension()).ok()?;
    let is_plain = extension.strip_prefix('.')?.chars().all(|c| c.is_ascii_alphanumeric());
    is_plain.then(|| extension.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_reserves_are_changed_and_no_others() {
        for (path, expected) in [
            ("ui/q?.txt", "ui/q_.txt"),
            ("a:b/c*", "a_b/c_"),
            ("trail./x ", "trail_/x_"),
            ("CON", "_CON"),
            ("aux.h", "_aux.h"),
            ("dir/nul .tar.gz", "dir/_nul .tar.gz"),
            ("COM7.txt", "_COM7.txt"),
            ("com10", "com10"),
            ("console/a.b.c", "console/a.b.c"),
            ("größe ü.png", "größe ü.png"),
        ] {
            assert_eq!(portable_path(path), expected);
            assert_eq!(portable_path(expected), expected, "twice");
        }
    }
}

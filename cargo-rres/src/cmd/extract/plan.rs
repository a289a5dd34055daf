//! Decides for every resource of a pack set which file it becomes, before anything is written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rres_format::chunk::raw::RawView;
use rres_format::{AssetKind, FourCc, normalize_path};

use crate::opened_pack::OpenedPack;
use crate::pack_set::PackSet;
use crate::resource_list::Resource;

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
}

/// The format of the file that a resource becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The bytes of the source file.
    Source,
    /// Its pixels, as `.qoi`.
    Qoi,
    /// Its samples, as `.wav`.
    Wav,
}

impl<'a> Plan<'a> {
    pub(super) fn new(set: &'a PackSet, dir: &Path) -> Self {
        let faults = set.missing.clone().into_iter().collect();
        let mut plan = Self { files: Vec::new(), skipped: Vec::new(), faults };
        let mut taken = HashSet::new();
        for (pack, list) in set.packs.iter().zip(set.resource_lists()) {
            plan.faults.extend(list.findings.iter().map(ToString::to_string));
            for resource in list.resources {
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
        match relative_path(&resource, form) {
            // Some systems do not distinguish names that differ only in case.
            Ok(file) if !taken.insert(file.to_lowercase()) => {
                self.faults.push(format!("{name}: another resource is already written to {file}"));
            }
            Ok(file) => self.files.push(Extraction { pack, resource, form, file: dir.join(file) }),
            Err(why) => self.faults.push(format!("{name}: {why}")),
        }
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
            (Some(AssetKind::Image), _) => Self::Qoi,
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
            Self::Qoi => ".qoi",
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
    // On Windows, `C:` is a drive and `a:b` a stream of the file `a`.
    if cfg!(windows) && file.contains(':') {
        return Err(format!("refused, because \"{file}\" is not a file name on Windows"));
    }
    if !file.to_ascii_lowercase().ends_with(form.extension()) {
        file += form.extension();
    }
    Ok(file)
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

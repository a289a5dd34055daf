//! A project of rrespacker → the settings that make a build write the same pack.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rres_engine::AssetFile;
use rres_format::AssetKind;
use rres_format::{Cipher, Compression, ResourceId, normalize_path};

use super::draft::{Draft, FileRule};
use super::files::AssetFiles;
use super::locate::Locator;
use super::toml_string::toml_string;
use crate::output::shorten;
use crate::project_file::Remark;
use crate::project_file::rrp::{Project, Record};

/// A record and its file.
pub(super) struct Located<'p> {
    record: &'p Record,
    pub(super) file: PathBuf,
    /// The name in the pack, as written; `None` if the record has none.
    name: Option<&'p str>,
}

/// Finds the file of each record. Missing ones become faults.
pub(super) fn locate<'p>(project: &'p Project, locator: &mut Locator) -> (Vec<Located<'p>>, Vec<Remark>) {
    let (mut located, mut missing) = (Vec::new(), Vec::new());
    for record in &project.records {
        let targets = record.targets();
        let file_of = |locator: &mut Locator, path: &str| locator.find(path).filter(|file| file.is_file());
        match targets.iter().find_map(|(path, name)| Some((file_of(locator, path)?, *name))) {
            Some((file, name)) => located.push(Located { record, file, name }),
            None => {
                let path = targets.first().map_or("", |(path, _)| *path);
                let help = match locator.near(path) {
                    Some(near) => format!("case matters: there is {}", near.display()),
                    None => "put it there, choose another start of relative paths with --root, or leave it out with \
                             --skip-missing"
                        .to_owned(),
                };
                let message = format!("no such file: {}", shorten(path));
                missing.push(Remark::new(record.line, message).with_help(help));
            }
        }
    }
    (located, missing)
}

/// Turns the records into rules for the files of an assets directory.
pub(super) fn draft(located: &[Located<'_>], files: &AssetFiles) -> Draft {
    let mut draft = Draft { is_for_raylib: true, ..Draft::default() };
    let mut seen = Seen::default();
    for Located { record, file, name } in located {
        match files.of(file) {
            Ok(asset) => match rule(record, *name, asset, &mut draft.warnings) {
                Ok((rule, id)) => {
                    if seen.is_new(record, asset, &rule.stored_path, id, &mut draft.faults) {
                        draft.files.insert(asset.path.clone(), rule);
                    }
                }
                Err(message) => draft.faults.push(Remark::new(record.line, message)),
            },
            Err(message) => draft.faults.push(Remark::new(record.line, message)),
        }
    }
    draft
}

/// The rule for one record, and the id that the file gets.
fn rule(
    record: &Record,
    name: Option<&str>,
    asset: &AssetFile,
    warnings: &mut Vec<Remark>,
) -> Result<(FileRule, ResourceId), String> {
    let Record { line, is_link, is_raw, id, compression, cipher, .. } = *record;
    let mut warn = |message: String| warnings.push(Remark::new(line, format!("{}: {message}", asset.path)));
    let name = name.unwrap_or(&asset.path);
    let stored_path =
        normalize_path(name).map_err(|e| format!("\"{}\" cannot be a path in a pack: {e}", shorten(name)))?;
    let mut settings = Vec::new();
    let mut comment = None;
    if stored_path != asset.path {
        settings.push(format!("path = {}", toml_string(&stored_path)));
    }
    // The id follows from the name as it is written, and our packs write names in one way only.
    let of_path = ResourceId::from_path(&stored_path);
    let id = if id == 0 { ResourceId::from_path(name) } else { ResourceId(id) };
    if id == ResourceId::NONE {
        return Err(format!("the CRC-32 of \"{stored_path}\" is 0, which means \"no resource\": give it an id"));
    }
    if id != of_path {
        settings.push(format!("id = {id}"));
    }
    let kind = match (is_link, is_raw, asset.kind) {
        (true, _, _) => AssetKind::Link,
        (_, true, _) => AssetKind::Raw,
        // rrespacker stores models as they are.
        (_, _, AssetKind::Model) => {
            let message =
                "stored as the bytes of the file, as rrespacker does; without `kind = \"raw\"` it becomes a model";
            warn(message.to_owned());
            AssetKind::Raw
        }
        (_, _, kind) => kind,
    };
    if kind != asset.kind || is_raw || is_link {
        settings.push(format!("kind = \"{kind}\""));
    }
    match kind {
        // rrespacker stores samples, however long a sound is, and the letters of ASCII.
        AssetKind::Sound => settings.push("sound.store = \"pcm\"".to_owned()),
        AssetKind::Font => settings.push("font.chars = \"ascii\"".to_owned()),
        _ => {}
    }
    if is_link {
        if stored_path != asset.path {
            warn(format!("the link leads to {}, below the directory of the pack; ship the file there", asset.path));
        }
    } else {
        match compression {
            // The compression of packs for rres-raylib.h.
            Compression::DEFLATE => {}
            Compression::NONE => settings.push("compression = \"none\"".to_owned()),
            Compression::LZ4 => settings.push("compression = \"lz4\"".to_owned()),
            Compression::QOI if kind == AssetKind::Image => settings.push("compression = \"qoi\"".to_owned()),
            Compression::QOI => warn(format!("QOI is for images, and this is {kind}: compressed with DEFLATE")),
            other => warn(format!("no program implements {other}: compressed with DEFLATE")),
        }
    }
    let mut is_encrypted = false;
    match cipher {
        Cipher::NONE => {}
        _ if is_link => warn(format!("a link is not encrypted, and the project asks for {cipher}")),
        Cipher::AES | Cipher::XCHACHA20_POLY1305 => {
            let name = if cipher == Cipher::AES { "aes" } else { "xchacha20-poly1305" };
            settings.push(format!("cipher = \"{name}\""));
            is_encrypted = true;
        }
        other => {
            warn(format!("stored without encryption: no program implements {other}"));
            comment = Some(format!("The project asks for {other}, which no program implements."));
        }
    }
    Ok((FileRule { line, stored_path, settings, is_encrypted, comment }, id))
}

/// What earlier records have taken, with their lines.
#[derive(Default)]
struct Seen {
    files: HashMap<String, u32>,
    paths: HashMap<String, u32>,
    ids: HashMap<ResourceId, u32>,
}

impl Seen {
    /// Whether nothing of a record belongs to another one. Otherwise adds a fault for each thing that does.
    fn is_new(
        &mut self,
        Record { line, .. }: &Record,
        asset: &AssetFile,
        path: &str,
        id: ResourceId,
        faults: &mut Vec<Remark>,
    ) -> bool {
        let mut earlier = |earlier: Option<u32>, what: String, help: &str| {
            let Some(earlier) = earlier else { return false };
            faults.push(Remark::new(*line, format!("{what} in line {earlier}")).with_help(help));
            true
        };
        let file = self.files.insert(asset.path.clone(), *line);
        let is_twice = earlier(
            file,
            format!("the file {} is also", asset.path),
            "a file becomes one asset: keep one of the lines, or copy the file",
        );
        let path_line = self.paths.insert(path.to_owned(), *line);
        let has_path = earlier(path_line, format!("the name \"{path}\" is also"), "give one of them another name");
        // Two files of one name have one id, which need not be said.
        let id_line = self.ids.insert(id, *line).filter(|_| !has_path);
        let has_id = earlier(id_line, format!("the id {id} is also"), "give one of them another id");
        !(is_twice || has_path || has_id)
    }
}

/// Whether a file has the extension of these projects.
pub(super) fn is_project(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("rrp"))
}

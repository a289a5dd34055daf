//! A list of Nikola's `nbr` → settings for the same files: the type of a section is the kind, its output directory a group.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rres_engine::AssetFile;
use rres_format::AssetKind;

use super::cubemaps::{self, Cubemap};
use super::draft::{Draft, FileRule};
use super::files::AssetFiles;
use super::locate::Locator;
use crate::output::shorten;
use crate::project_file::Remark;
use crate::project_file::nbrlist::{List, ListedPath, Section, Type};

/// The bytes of a shader that are searched for the marks of its stages. Builds read no more.
const MAX_SHADER: u64 = 16 << 20;

/// A path of the list and what it leads to.
pub(super) struct Located<'l> {
    section: &'l Section,
    line: u32,
    pub(super) path: PathBuf,
}

/// Finds each file and folder. Missing ones become faults.
pub(super) fn locate<'l>(list: &'l List, locator: &mut Locator) -> (Vec<Located<'l>>, Vec<Remark>) {
    let (mut located, mut missing) = (Vec::new(), Vec::new());
    for section in &list.sections {
        for ListedPath { line, path: written } in &section.paths {
            if let Some(path) = locator.find(written) {
                located.push(Located { section, line: *line, path });
                continue;
            }
            let help = match locator.near(written) {
                Some(near) => format!("case matters: there is {}", near.display()),
                None => "paths start from the directory of the list, or from --root, which `nbr` calls -pd; leave it \
                         out with --skip-missing"
                    .to_owned(),
            };
            let message = format!("no such file or folder: {}", shorten(written));
            missing.push(Remark::new(*line, message).with_help(help));
        }
    }
    (located, missing)
}

/// Turns the list into rules and groups for the files of an assets directory.
pub(super) fn draft(located: &[Located<'_>], files: &AssetFiles) -> Draft {
    let mut drafting = Drafting { draft: Draft::default(), kinds: BTreeMap::new(), groups: BTreeMap::new() };
    for Located { section, line, path } in located {
        if !path.is_dir() {
            match files.of(path) {
                Ok(asset) => drafting.add(asset, section, *line, true),
                Err(message) => drafting.draft.faults.push(Remark::new(*line, message)),
            }
            continue;
        }
        let folder = match files.folder(path) {
            Ok(folder) => folder,
            Err(message) => {
                drafting.draft.faults.push(Remark::new(*line, message));
                continue;
            }
        };
        // `nbr` takes the files of the folder itself; a cubemap is a folder of six images.
        let is_deep = section.of == Type::Cubemap;
        let mut assets: Vec<&AssetFile> = files.in_folder(&folder, is_deep).collect();
        if assets.is_empty() {
            let message = format!("the folder {} contains no files", path.display());
            drafting.draft.faults.push(Remark::new(*line, message));
            continue;
        }
        if is_deep {
            let cubemaps = drafting.cubemaps(&assets, &files.name(), *line);
            assets
                .retain(|asset| !cubemaps.iter().any(|map| map.path == asset.path || map.faces.contains(&asset.path)));
            for cubemap in cubemaps {
                drafting.add_cubemap(cubemap, section, *line);
            }
        }
        assets.iter().for_each(|asset| drafting.add(asset, section, *line, false));
        if assets.is_empty() {
            continue;
        }
        let stars = if is_deep { "**" } else { "*" };
        let glob =
            if folder.is_empty() { stars.to_owned() } else { format!("{}/{stars}", rres_settings::glob_of(&folder)) };
        drafting.group(section, glob);
    }
    drafting.draft
}

/// A draft that grows file by file.
struct Drafting {
    draft: Draft,
    /// The kind of each file, with the type and the line that say so.
    kinds: BTreeMap<String, (AssetKind, Type, u32)>,
    /// The name of the group of each constant, and the output directory that it means.
    groups: BTreeMap<String, (String, String)>,
}

impl Drafting {
    /// Makes the cubemaps of folders of pictures. A folder that makes none becomes a warning.
    fn cubemaps(&mut self, assets: &[&AssetFile], name: &str, line: u32) -> Vec<Cubemap> {
        let is_picture =
            |asset: &&&AssetFile| asset.kind == AssetKind::Image && !asset.path.to_lowercase().ends_with(".cubemap");
        let folders = cubemaps::by_folder(assets.iter().filter(is_picture).map(|asset| asset.path.as_str()));
        let mut found = Vec::new();
        for (folder, pictures) in folders {
            match cubemaps::of_folder(folder, &pictures, name) {
                Ok(cubemap) => found.push(cubemap),
                Err(why) => {
                    let folder = if folder.is_empty() { name } else { folder };
                    let message = format!("{folder}: becomes images and no cubemap: {why}");
                    let help =
                        "write a .cubemap file that names the faces, and ignore the pictures; docs/images.md shows one";
                    self.draft.warnings.push(Remark::new(line, message).with_help(help));
                }
            }
        }
        found
    }

    fn add_cubemap(&mut self, cubemap: Cubemap, section: &Section, line: u32) {
        self.group(section, rres_settings::glob_of(&cubemap.path));
        if self.draft.cubemaps.contains(&cubemap) {
            return;
        }
        let rule = FileRule { line, stored_path: cubemap.path.clone(), ..FileRule::default() };
        self.draft.files.insert(cubemap.path.clone(), rule);
        self.draft.cubemaps.push(cubemap);
    }

    fn add(&mut self, asset: &AssetFile, section: &Section, line: u32, is_named: bool) {
        if is_named {
            self.group(section, rres_settings::glob_of(&asset.path));
        }
        let wanted = kind_of(section.of);
        if let Some((kind, of, earlier)) = self.kinds.get(&asset.path) {
            if *kind != wanted {
                let message = format!(
                    "{} is listed as {}, and in line {earlier} as {}",
                    asset.path,
                    section.of.name(),
                    of.name()
                );
                let help = "a file becomes one asset: keep one of the lines, or copy the file";
                self.draft.faults.push(Remark::new(line, message).with_help(help));
            }
            return;
        }
        self.kinds.insert(asset.path.clone(), (wanted, section.of, line));
        let mut settings = Vec::new();
        match (wanted, asset.kind) {
            (wanted, kind) if wanted == kind => {}
            (AssetKind::Text, AssetKind::Raw) => settings.extend(["kind = \"text\"", "text.lang = \"glsl\""]),
            (_, AssetKind::Raw) => {
                settings.push("kind = \"raw\"");
                let message =
                    format!("{}: stored as it is: files of this sort are not imported as {wanted}", asset.path);
                let help = "save it in a format of the table in the README, such as PNG, glTF or OGG";
                self.draft.warnings.push(Remark::new(line, message).with_help(help));
            }
            (_, kind) => {
                let message = format!("{}: imported as {kind}, not as {wanted}, because of its extension", asset.path);
                self.draft.warnings.push(Remark::new(line, message));
            }
        }
        if section.of == Type::Shader && asset.kind != AssetKind::Image && has_stage_marks(&asset.file) {
            settings.push("text.shader = \"preprocess\"");
        }
        let settings = settings.into_iter().map(str::to_owned).collect();
        let rule = FileRule { line, stored_path: asset.path.clone(), settings, is_encrypted: false, comment: None };
        self.draft.files.insert(asset.path.clone(), rule);
    }

    /// Adds a glob to the group of the output directory of a section.
    fn group(&mut self, section: &Section, glob: String) {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let words: Vec<&str> = section.out.split(|c| !is_plain(c)).filter(|word| !word.is_empty()).collect();
        let name = words.join("_");
        if name.is_empty() {
            return;
        }
        // Groups whose constants are the same are one group.
        let constant = name.replace('-', "_").to_ascii_uppercase();
        let (name, out) = self.groups.entry(constant).or_insert_with(|| (name, section.out.clone()));
        if *out != section.out {
            let message = format!("@{} and @{out} are the group \"{name}\"", section.out);
            let warning = Remark::new(section.line, message);
            if !self.draft.warnings.contains(&warning) {
                self.draft.warnings.push(warning);
            }
        }
        self.draft.groups.entry(name.clone()).or_default().insert(glob);
    }
}

/// Whether a shader has several stages, each after a line that names it, as `nbr` splits it.
fn has_stage_marks(file: &Path) -> bool {
    let Ok(text) = std::fs::File::open(file).and_then(|file| std::io::read_to_string(file.take(MAX_SHADER))) else {
        return false;
    };
    text.lines().any(|line| matches!(line.trim(), "@v" | "@p" | "@c"))
}

fn kind_of(of: Type) -> AssetKind {
    match of {
        Type::Texture | Type::Cubemap => AssetKind::Image,
        Type::Shader => AssetKind::Text,
        Type::Model | Type::Skeleton | Type::Animation => AssetKind::Model,
        Type::Font => AssetKind::Font,
        Type::Audio => AssetKind::Sound,
    }
}

/// Whether a file has the extension of these lists.
pub(super) fn is_list(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("nbrlist"))
}

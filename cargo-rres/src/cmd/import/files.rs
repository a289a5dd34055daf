//! The files of the assets directory that a project is imported into.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rres_engine::AssetFile;

/// The files that can be assets, by their places.
pub(super) struct AssetFiles {
    dir: PathBuf,
    pub(super) all: Vec<AssetFile>,
    by_file: HashMap<PathBuf, usize>,
}

impl AssetFiles {
    /// Lists the files of an assets directory.
    pub(super) fn of_directory(dir: &Path) -> Self {
        let all = rres_engine::asset_files(dir);
        let by_file = all.iter().enumerate().map(|(at, asset)| (asset.file.clone(), at)).collect();
        Self { dir: dir.to_owned(), all, by_file }
    }

    /// Returns the name of the assets directory.
    pub(super) fn name(&self) -> String {
        self.dir.file_name().map_or_else(|| "assets".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// Returns the asset that a file is, or why it is none.
    pub(super) fn of(&self, file: &Path) -> Result<&AssetFile, String> {
        if let Some(at) = self.by_file.get(file) {
            return Ok(&self.all[*at]);
        }
        Err(match file.strip_prefix(&self.dir) {
            Ok(_) => format!(
                "{} can be no asset: hidden files, files that editors leave behind and assets.toml are none, and names must be \
                 UTF-8 without backslashes",
                file.display()
            ),
            Err(_) => format!("{} is not below the assets directory {}", file.display(), self.dir.display()),
        })
    }

    /// Returns the path of a folder in the assets directory; empty for that directory itself.
    pub(super) fn folder(&self, folder: &Path) -> Result<String, String> {
        let relative = folder
            .strip_prefix(&self.dir)
            .map_err(|_| format!("{} is not below the assets directory {}", folder.display(), self.dir.display()))?;
        let names: Vec<_> = relative.iter().map(|name| name.to_string_lossy()).collect();
        Ok(names.join("/"))
    }

    /// Returns the assets in a folder, with or without those in the folders inside it.
    pub(super) fn in_folder(&self, folder: &str, is_deep: bool) -> impl Iterator<Item = &AssetFile> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        self.all
            .iter()
            .filter(move |asset| asset.path.strip_prefix(&prefix).is_some_and(|rest| is_deep || !rest.contains('/')))
    }
}

//! The module of the assets: its name, and the line of the program or library that includes it.

use std::fs;
use std::path::{Path, PathBuf};

use super::program;
use super::{Action, DIRECTORIES, Names, Step};
use crate::cargo::Package;
use crate::exit::Failure;
use crate::rust_sources;

/// Names of the module of the assets, if the game has something with the name of the directory.
const OTHER_NAMES: &[&str] = &[DIRECTORIES[0], "game_assets"];

/// The crate roots of a package.
const PROGRAMS: [&str; 2] = ["src/main.rs", "src/lib.rs"];

/// Directories of a package with programs of their own, which may include assets in another way than the game.
const OF_OTHER_PROGRAMS: &[&str] = &["benches", "examples", "tests"];

/// What a library beside a program means for the assets.
const HAS_LIBRARY: &str =
    "if the code that loads assets is in the library, move the line with `include_assets!` there, with `pub mod`";

/// The name of the module of the assets.
pub(super) struct ModuleName {
    pub(super) name: String,
    /// The file with a module of the game's own that has the name which the build would choose, and that name.
    pub(super) taken: Option<(&'static str, String)>,
    /// The file that includes the assets already, relative to the package.
    included_by: Option<PathBuf>,
}

impl ModuleName {
    /// Chooses the name of the directory, as the build does, or one that the game does not use if the game has something of that name.
    pub(super) fn choose(package: &Package, dir: &Path) -> Self {
        let directory = dir.file_name().unwrap_or_default().to_string_lossy();
        let default = rres_engine::root_module_name(&directory);
        let own = PROGRAMS.iter().filter_map(|&file| Some((file, fs::read_to_string(package.root.join(file)).ok()?)));
        let own: Vec<(&'static str, String)> = own.collect();
        if let Some((file, name)) = including(package) {
            return Self { name: name.unwrap_or(default), taken: None, included_by: Some(file) };
        }
        let user_of = |name: &str| own.iter().find(|(_, text)| program::declares(text, name)).map(|(file, _)| *file);
        let Some(file) = user_of(&default) else { return Self { name: default, taken: None, included_by: None } };
        let others = OTHER_NAMES.iter().map(|&name| name.to_owned());
        let mut others = others.chain((2..).map(|number| format!("{}_{number}", DIRECTORIES[0])));
        let name = others.find(|name| user_of(name).is_none()).unwrap_or_else(|| default.clone());
        Self { name, taken: Some((file, default)), included_by: None }
    }

    /// Tells that the module is not called like the directory, and how its constants are reached.
    pub(super) fn note(&self) -> Option<Step> {
        let (file, taken) = self.taken.as_ref()?;
        let name = &self.name;
        let text = format!(
            "has `{taken}` already, so the module of the assets is `{name}`: other files reach its constants as `crate::{name}::…`"
        );
        Some(Step { file: file.into(), action: Action::Note(text) })
    }

    /// Tells what a library beside the program means, unless one of them includes the assets already.
    pub(super) fn library_note(&self, root: &Path) -> Option<Step> {
        let has_both = PROGRAMS.iter().all(|file| root.join(file).is_file());
        let step = || Step { file: PROGRAMS[1].into(), action: Action::Note(HAS_LIBRARY.to_owned()) };
        (has_both && self.included_by.is_none()).then(step)
    }

    /// The step for the program or library, and the lines that are left to write by hand.
    pub(super) fn program_step(
        &self,
        root: &Path,
        names: &Names,
        is_new: bool,
    ) -> Result<(Step, Vec<String>), Failure> {
        if let Some(file) = &self.included_by {
            let step = Step { file: file.clone(), action: Action::Keep("includes the assets".to_owned()) };
            return Ok((step, Vec::new()));
        }
        let module = &self.name;
        let load = vec![
            format!("let store = {module}::open()?;"),
            format!("let asset = store.load({module}::…)?; // your editor completes the constants"),
        ];
        let Some(file) = PROGRAMS.into_iter().find(|file| root.join(file).is_file()) else {
            let line = program::include_line(&names.runtime, module, false);
            let action = Action::Ask(format!("add to the crate root of the program: {line}"));
            return Ok((Step { file: PROGRAMS[0].into(), action }, load));
        };
        let is_library = file == PROGRAMS[1];
        let line = program::include_line(&names.runtime, module, is_library);
        let text = fs::read_to_string(root.join(file))
            .map_err(|e| Failure::Usage(format!("cannot read {}: {e}", root.join(file).display())))?;
        let (action, left) = match program::with_line(&text, &line) {
            _ if is_new && is_library => (
                Action::Change(
                    program::first_library(&names.runtime, module),
                    vec!["a test that loads the asset".to_owned()],
                ),
                Vec::new(),
            ),
            _ if is_new && program::is_untouched(&text) => (
                Action::Change(
                    program::first_program(&names.runtime, module),
                    vec!["a program that prints the asset".to_owned()],
                ),
                Vec::new(),
            ),
            Some(text) => (Action::Change(text, vec![line]), load),
            None => (Action::Ask(format!("add before the first item: {line}")), load),
        };
        Ok((Step { file: file.into(), action }, left))
    }
}

/// The source file of a package that includes the assets, relative to the package, and the module in it if it can be read from the text. The
/// crate roots come first.
fn including(package: &Package) -> Option<(PathBuf, Option<String>)> {
    let mut found: Vec<(PathBuf, Option<String>)> = Vec::new();
    let members = package.members.iter().filter(|member| **member != package.root && member.starts_with(&package.root));
    let others: Vec<&PathBuf> = members.collect();
    // The compiler reports a source file that cannot be read.
    let _ = rust_sources::visit(std::slice::from_ref(&package.root), &package.build_directories, &mut |file, text| {
        let Ok(relative) = file.strip_prefix(&package.root) else { return };
        let is_other = OF_OTHER_PROGRAMS.iter().any(|dir| relative.starts_with(dir))
            || others.iter().any(|member| file.starts_with(member));
        if !is_other && program::includes(text) {
            found.push((relative.to_owned(), program::included(text)));
        }
    });
    let rank = |file: &Path| PROGRAMS.iter().position(|program| file == Path::new(program)).unwrap_or(PROGRAMS.len());
    // The first of several with one rank: the walk follows the order of names.
    found.into_iter().min_by_key(|(file, _)| rank(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package with these files.
    fn package(dir: &Path, files: &[(&str, &str)]) -> Package {
        for (file, text) in files {
            let file = dir.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        Package {
            name: "game".to_owned(),
            root: dir.to_owned(),
            id: "game".to_owned(),
            has_build_script: true,
            targets: Vec::new(),
            required_features: Default::default(),
            workspace: dir.to_owned(),
            members: vec![dir.to_owned(), dir.join("tools")],
            build_directories: Vec::new(),
        }
    }

    #[test]
    fn the_file_that_includes_the_assets_is_found_wherever_it_is() {
        let line = "rres_runtime::include_assets!(pub mod res);\n";
        let main = ("src/main.rs", "use my_game::res;\nfn main() {}\n");
        for (files, expected) in [
            (&[main, ("src/lib.rs", line)][..], Some("src/lib.rs")),
            (&[main, ("src/lib.rs", "mod game;\n"), ("src/game/mod.rs", line)], Some("src/game/mod.rs")),
            (&[("src/main.rs", line), ("src/a.rs", line)], Some("src/main.rs")),
            (&[main, ("examples/a.rs", line), ("tests/a.rs", line), ("tools/src/main.rs", line)], None),
            (&[("src/main.rs", "// rres_runtime::include_assets!();\n")], None),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let package = package(dir.path(), files);
            let module = ModuleName::choose(&package, Path::new("art/gameAssets"));
            assert_eq!(module.included_by.as_deref(), expected.map(Path::new), "{files:?}");
            assert_eq!(module.name, if expected.is_some() { "res" } else { "game_assets" }, "{files:?}");
        }
    }
}

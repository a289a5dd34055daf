//! A directory for a web server, with `--web`: the program as WebAssembly, a page that starts it, and the packs.
//!
//! ```text
//! NAME-web/
//! ├── index.html            shows how much of the program has arrived
//! ├── start.js, run.js      load and start it
//! ├── game.wasm             the program
//! ├── game.js, snippets/    what wasm-bindgen makes for it, if it uses that
//! ├── mq_js_bundle.js       the script of macroquad, if it uses that
//! ├── game-HASH.rres
//! └── *.gz                  for servers that send files compressed
//! ```
//!
//! What a program imports says what it needs: names of wasm-bindgen, or those of miniquad, which macroquad draws with.

mod bindgen;
mod gzip;
mod imports;
mod pack_names;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use super::build::Program;
use super::staging::{Role, Staging, files_below};
use crate::cargo::Crate;
use crate::exit::Failure;
use crate::output::Output;
use imports::Imports;

pub(super) use bindgen::Installer;
pub(super) use gzip::add_compressed;
pub(super) use pack_names::PackNames;

/// The temporary directory of wasm-bindgen's files.
const SCRIPTS: &str = "scripts";

/// The script that loads the program, and knows the names of the packs.
pub(super) const START: &str = "start.js";

/// The name of the program in the directory.
const PROGRAM: &str = "game.wasm";

/// A program for browsers, and where the rest of its page comes from.
#[derive(Debug)]
pub(super) struct WebProgram<'a> {
    pub(super) program: &'a Program,
    /// The crates that are linked into it.
    pub(super) crates: &'a [&'a Crate],
    pub(super) installer: &'a Installer,
    pub(super) packs: &'a PackNames,
    /// The names of files that the user adds, which replace those of the page, and where they are.
    pub(super) included: Vec<(String, PathBuf)>,
}

impl WebProgram<'_> {
    /// Adds the program and its page.
    pub(super) fn add_to(&self, staging: &mut Staging, out: &mut Output) -> Result<(), Failure> {
        let file = &self.program.file;
        let bytes = fs::read(file).map_err(|e| cannot_read(file, &e))?;
        let imports = Imports::of(&bytes).map_err(|why| Failure::Fault(format!("{}: {why}", file.display())))?;
        let scripts = self.engine_scripts(&imports)?;
        let temporary = tempfile::tempdir();
        let temporary = temporary.map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))?;
        let program = match imports.bindgen {
            true => {
                let bindgen = self.installer.get(self.crates, out)?;
                bindgen.run(file, imports.needs_engine(), &temporary.path().join(SCRIPTS))?
            }
            false => file.clone(),
        };
        staging.add_copy(PROGRAM, &program, Role::Program, "program".to_owned())?;
        if imports.bindgen {
            let made = files_below(temporary.path(), SCRIPTS).map_err(|e| cannot_read(temporary.path(), &e))?;
            let made = made.iter().filter_map(|path| path.strip_prefix(SCRIPTS)?.strip_prefix('/'));
            for path in bindgen::scripts(made.map(str::to_owned).collect()) {
                let file = temporary.path().join(SCRIPTS).join(&path);
                self.add_file(&path, &file, "script of wasm-bindgen", staging)?;
            }
        }
        for (name, script) in &scripts {
            self.add_file(name, script, "script of the engine", staging)?;
        }
        let names = scripts.into_iter().map(|(name, _)| name).collect();
        let page = page::Page {
            title: &self.program.name,
            imports: &imports,
            scripts: names,
            packs: self.packs.json(),
            included: &self.included,
        };
        let version = page.version(staging)?;
        for (name, text, contents) in page.files(&version) {
            if !self.is_replaced(name) {
                staging.add_text(name, &text, Role::Page, contents.to_owned())?;
            }
        }
        Ok(())
    }

    fn is_replaced(&self, name: &str) -> bool {
        self.included.iter().any(|(included, _)| included == name)
    }

    fn add_file(&self, name: &str, from: &Path, contents: &str, staging: &mut Staging) -> Result<(), Failure> {
        if self.is_replaced(name) {
            return Ok(());
        }
        staging.add_copy(name, from, Role::Page, contents.to_owned())
    }

    /// Returns the scripts of the crates that draw through miniquad, in the order in which a page loads them.
    fn engine_scripts(&self, imports: &Imports) -> Result<Vec<(String, PathBuf)>, Failure> {
        if !imports.needs_engine() {
            return Ok(Vec::new());
        }
        let of = |name: &str| self.crates.iter().find(|package| package.name == name);
        let (first, bundled): (_, &[&str]) = match (of("macroquad"), of("miniquad")) {
            (Some(macroquad), _) => {
                (macroquad.root.join("js/mq_js_bundle.js"), &["miniquad", "sapp-jsutils", "quad-snd", "quad-net"])
            }
            (None, Some(miniquad)) => (miniquad.root.join("js/gl.js"), &["miniquad"]),
            (None, None) => {
                let names = imports.env.iter().take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                let text = format!(
                    "{} imports {names}, which browsers do not have, and the game does not use macroquad or miniquad\n  help: \
                     find the crate that calls them, such as one with a C library, and leave it out for this target",
                    self.program.name
                );
                return Err(Failure::Fault(text));
            }
        };
        // Plugins of miniquad have a script of their own, such as `quad-storage`.
        let plugins = self.crates.iter().filter(|package| package.name != "macroquad");
        let plugins = plugins.filter(|package| !bundled.contains(&package.name.as_str()));
        let plugins = plugins.flat_map(|package| scripts_in(&package.root.join("js")));
        Ok(std::iter::once(first).chain(plugins).map(|file| (file_name(&file), file)).collect())
    }
}

/// Returns the scripts in a directory, sorted; none if it cannot be read.
fn scripts_in(dir: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "js")).collect();
    files.sort();
    files
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("cannot read {}: {error}", path.display()))
}

//! A directory for a web server, with `--web`: the program as WebAssembly, a page that starts it, and the packs.
//!
//! ```text
//! NAME-web/
//! ├── index.html                shows how much of the program has arrived
//! ├── game-HASH/
//! │   ├── start.js, run.js      load and start it
//! │   ├── game.wasm             the program
//! │   ├── game.js, snippets/    what wasm-bindgen makes for it, if it uses that
//! │   └── mq_js_bundle.js       the script of macroquad, if it uses that
//! ├── game-HASH.rres
//! └── *.gz                      for servers that send files compressed
//! ```
//!
//! A file whose name has a hash never changes, so several builds can lie side by side, and `index.html` says which is the newest.
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

/// The page.
const INDEX: &str = "index.html";

/// The script that loads the program, and knows the names of the packs.
const START: &str = "start.js";

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

/// Whether files that the user adds start the program: a script of that name, or a page that does not load ours.
pub(super) fn starts_by_itself(included: &[(String, PathBuf)]) -> bool {
    included.iter().any(|(name, file)| match name.as_str() {
        START => true,
        INDEX => !fs::read_to_string(file).unwrap_or_default().contains(START),
        _ => false,
    })
}

/// The place of the files of a page.
#[derive(Debug)]
pub(super) struct Placed {
    /// The directory of the program and the scripts.
    build: String,
    /// The names of files that the user adds in the place of those in it.
    replaced: Vec<String>,
}

impl Placed {
    /// Adds a file that the user has asked for, if it takes the place of one of the page. Returns whether it does.
    pub(super) fn add_included(&self, name: &str, file: &Path, staging: &mut Staging) -> Result<bool, Failure> {
        let contents = "included".to_owned();
        if name == INDEX {
            let text = fs::read_to_string(file).map_err(|e| cannot_read(file, &e))?;
            staging.add_text(name, &text.replace(page::BUILD, &self.build), Role::Included, contents)?;
            return Ok(true);
        }
        let is_replaced = self.replaced.iter().any(|replaced| replaced == name);
        if is_replaced {
            staging.add_copy(&format!("{}/{name}", self.build), file, Role::Included, contents)?;
        }
        Ok(is_replaced)
    }
}

impl WebProgram<'_> {
    /// Adds the program and its page. Returns where they are.
    pub(super) fn add_to(&self, staging: &mut Staging, out: &mut Output) -> Result<Placed, Failure> {
        let (first, mut replaced) = (staging.parts.len(), Vec::new());
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
        let mut add = |name: &str, text: Result<&Path, &str>, contents: &str, staging: &mut Staging| {
            if self.is_included(name) {
                replaced.push(name.to_owned());
                return Ok(());
            }
            match text {
                Ok(file) => staging.add_copy(name, file, Role::Page, contents.to_owned()),
                Err(text) => staging.add_text(name, text, Role::Page, contents.to_owned()),
            }
        };
        if imports.bindgen {
            let made = files_below(temporary.path(), SCRIPTS).map_err(|e| cannot_read(temporary.path(), &e))?;
            let made = made.iter().filter_map(|path| path.strip_prefix(SCRIPTS)?.strip_prefix('/'));
            for path in bindgen::scripts(made.map(str::to_owned).collect()) {
                let file = temporary.path().join(SCRIPTS).join(&path);
                add(&path, Ok(&file), "script of wasm-bindgen", staging)?;
            }
        }
        for (name, script) in &scripts {
            add(name, Ok(script), "script of the engine", staging)?;
        }
        let page = page::Page {
            title: &self.program.name,
            imports: &imports,
            scripts: scripts.into_iter().map(|(name, _)| name).collect(),
            packs: self.packs.json(),
            included: &self.included,
        };
        for (name, text, contents) in page.own_scripts() {
            add(name, Err(&text), contents, staging)?;
        }
        let build = page.build(staging)?;
        for at in first..staging.parts.len() {
            let path = format!("{build}/{}", staging.parts[at].path);
            staging.rename(at, &path)?;
        }
        if !self.is_included(INDEX) {
            staging.add_text(INDEX, &page.index(&build), Role::Page, "page".to_owned())?;
        }
        Ok(Placed { build, replaced })
    }

    fn is_included(&self, name: &str) -> bool {
        self.included.iter().any(|(included, _)| included == name)
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

//! The page that starts a program. Its scripts are files of `page/`, with a few places that are filled in.

use std::fs;
use std::path::PathBuf;

use super::super::staging::{Role, Staging};
use super::imports::Imports;
use super::{PROGRAM, START, cannot_read};
use crate::exit::Failure;

const INDEX_TEXT: &str = include_str!("page/index.html");
const START_TEXT: &str = include_str!("page/start.js");
const BINDGEN: &str = include_str!("page/bindgen.js");
const MINIQUAD: &str = include_str!("page/miniquad.js");
const ALONE: &str = include_str!("page/alone.js");

/// In the page, the name of the directory with the program and the scripts. Pages of users may have it, too.
pub(super) const BUILD: &str = "{{build}}";

/// A page.
#[derive(Debug)]
pub(super) struct Page<'a> {
    pub(super) title: &'a str,
    pub(super) imports: &'a Imports,
    /// The names of the scripts of the engine, in order.
    pub(super) scripts: Vec<String>,
    /// The names of the packs, as an object of JavaScript.
    pub(super) packs: String,
    /// Files that the user adds, by name.
    pub(super) included: &'a [(String, PathBuf)],
}

impl Page<'_> {
    /// Returns the name of the directory for the program and all scripts, with a hash of them. So neither a browser nor a cache on the way ever takes one
    /// of them with those of another build.
    pub(super) fn build(&self, staging: &Staging) -> Result<String, Failure> {
        let mut hasher = blake3::Hasher::new();
        for part in staging.parts.iter().filter(|part| part.path == PROGRAM || part.role == Role::Page) {
            let file = staging.dir().join(&part.path);
            hasher.update(&fs::read(&file).map_err(|e| cannot_read(&file, &e))?);
        }
        hasher.update(self.index("").as_bytes());
        // They may replace scripts.
        for (_, file) in self.included.iter().filter(|(_, file)| file.is_file()) {
            hasher.update(&fs::read(file).map_err(|e| cannot_read(file, &e))?);
        }
        Ok(format!("game-{}", &hasher.finalize().to_hex()[..16]))
    }

    /// Returns the page itself. The program and the scripts are in the directory `build`.
    pub(super) fn index(&self, build: &str) -> String {
        let script = |name: &String| format!("<script src=\"{build}/{}\"></script>\n", escaped(name));
        let canvas = "<canvas id=\"glcanvas\" tabindex=\"1\"></canvas>\n";
        INDEX_TEXT
            .replace("{{title}}", &escaped(self.title))
            .replace("{{canvas}}\n", if self.imports.needs_engine() { canvas } else { "" })
            .replace("{{scripts}}\n", &self.scripts.iter().map(script).collect::<String>())
            .replace(BUILD, build)
    }

    /// Returns the scripts of the page: name, text, and what each does, for people.
    pub(super) fn own_scripts(&self) -> [(&'static str, String, &'static str); 2] {
        let run = match (self.imports.needs_engine(), self.imports.bindgen) {
            (true, true) => MINIQUAD.replace("{{glue}}", "await import(\"./game_bg.js\")"),
            (true, false) => MINIQUAD.replace("{{glue}}", "undefined"),
            (false, true) => BINDGEN.to_owned(),
            (false, false) => ALONE.to_owned(),
        };
        [(START, START_TEXT.replace("{{packs}}", &self.packs), "loads the program"), ("run.js", run, "starts it")]
    }
}

/// Returns a text for HTML, also in attributes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(imports: &Imports, title: &str) -> [String; 3] {
        let scripts = if imports.needs_engine() { vec!["gl.js".to_owned()] } else { Vec::new() };
        let packs = r#"{"game.rres":"game-1f.rres"}"#.to_owned();
        let page = Page { title, imports, scripts, packs, included: &[] };
        let [start, run] = page.own_scripts().map(|(_, text, _)| text);
        [page.index("game-1f"), start, run]
    }

    #[test]
    fn every_place_is_filled_in() {
        for (bindgen, engine) in [(false, false), (false, true), (true, false), (true, true)] {
            let env = engine.then(|| "glClear".to_owned()).into_iter().collect();
            let imports = Imports { bindgen, env };
            for text in files(&imports, "<Tom & \"Jerry\">") {
                assert!(!text.contains("{{"), "{text}");
            }
            let [index, start, run] = files(&imports, "<Tom & \"Jerry\">");
            assert!(index.contains("<title>&lt;Tom &amp; &quot;Jerry&quot;></title>"), "{index}");
            assert!(index.contains("src=\"game-1f/start.js\""), "{index}");
            assert!(start.contains("rresPacks = {\"game.rres\":\"game-1f.rres\"};"), "{start}");
            assert_eq!(index.contains("<canvas id=\"glcanvas\""), engine);
            assert_eq!(index.contains("<script src=\"game-1f/gl.js\"></script>"), engine);
            assert_eq!(run.contains("importObject"), engine);
            assert_eq!(run.contains("await import"), bindgen);
        }
    }

    #[test]
    fn the_build_is_another_one_if_an_included_file_is() {
        let dir = tempfile::tempdir().unwrap();
        let staging = Staging::start(&dir.path().join("dist"), "game").unwrap();
        let script = dir.path().join("run.js");
        let included = [("run.js".to_owned(), script.clone())];
        let build = |text: &str| {
            fs::write(&script, text).unwrap();
            let imports = Imports::default();
            let page = Page {
                title: "game",
                imports: &imports,
                scripts: Vec::new(),
                packs: String::new(),
                included: &included,
            };
            page.build(&staging).unwrap()
        };
        assert_eq!(build("one"), build("one"));
        assert_ne!(build("one"), build("two"));
    }
}

//! The pages that say what is read of each format name tests, which exist in the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names of the tests in the files below a directory, each with the path of its module, as `cargo test` prints it.
fn tests_below(root: &Path, directory: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests_below(root, &path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = path.strip_prefix(root).unwrap().with_extension("");
            let parts = module.iter().map(|part| part.to_str().unwrap());
            let parts: Vec<&str> = parts.filter(|part| !matches!(*part, "mod" | "lib" | "main")).collect();
            add_tests(&fs::read_to_string(&path).unwrap(), &parts, names);
        }
    }
}

/// Adds the tests of one file, in modules at the start of a line as well.
fn add_tests(source: &str, parts: &[&str], names: &mut BTreeSet<String>) {
    let mut inner = None;
    let mut is_test = false;
    for line in source.lines() {
        let code = line.trim_start();
        if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            inner = Some(name);
        } else if line == "}" {
            inner = None;
        } else if code == "#[test]" {
            is_test = true;
        } else if let Some(rest) = code.strip_prefix("fn ") {
            if is_test {
                let name = rest.split('(').next().unwrap();
                names.insert(parts.iter().copied().chain(inner).chain([name]).collect::<Vec<_>>().join("::"));
            }
            is_test = false;
        }
    }
}

/// The tests of the crate in a directory of the workspace: `rres_engine::own::raw::tests::…` in its sources, `rres_engine::strings::…` in
/// `tests/it`.
fn tests_of(directory: &str, name: &str) -> BTreeSet<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(directory);
    let mut names = BTreeSet::new();
    for root in ["src", "tests/it"].map(|sub| directory.join(sub)).iter().filter(|root| root.is_dir()) {
        tests_below(root, root, &mut names);
    }
    let name = name.replace('-', "_");
    names.into_iter().map(|test| format!("{name}::{test}")).collect()
}

/// The names in the last column of the tables that have a column of tests.
fn named(page: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_table = false;
    for line in page.lines() {
        if !line.starts_with('|') {
            is_table = false;
        } else if line.ends_with("| test |") {
            is_table = true;
        } else if is_table && !line.starts_with("|---") {
            let cell = line.trim_end_matches('|').rsplit(" | ").next().unwrap();
            let before = names.len();
            names.extend(cell.split('`').skip(1).step_by(2).map(str::to_owned));
            assert!(names.len() > before, "a row names no test: {line}");
        }
    }
    names
}

#[test]
fn the_tests_that_pages_name_exist() {
    let mut known: BTreeSet<String> = ["rres-build", "rres-format", "rres-runtime", "cargo-rres"]
        .iter()
        .flat_map(|name| tests_of(name, name))
        .collect();
    for name in ["codegen", "decode", "engine", "packs", "view"] {
        known.extend(tests_of(&format!("crates/{name}"), &format!("rres-{name}")));
    }
    let importers = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../importers")).unwrap();
    for entry in importers {
        let name = entry.unwrap().file_name().into_string().unwrap();
        known.extend(tests_of(&format!("importers/{name}"), &format!("rres-import-{name}")));
    }
    assert!(known.len() > 1000, "{}", known.len());
    for (page, least) in [("formats-read.md", 150), ("models.md", 40)] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page)).unwrap();
        let names = named(&text);
        assert!(names.len() >= least, "{page} names {} tests", names.len());
        let is_known = |name: &String| {
            // Names without a crate are of the importer that they begin with.
            let (importer, test) = name.split_once("::").unwrap_or_default();
            let names = [
                name.clone(),
                format!("rres_import_{importer}::{test}"),
                format!("rres_import_{importer}::import::{test}"),
                format!("rres_engine::own::{name}"),
            ];
            names.iter().any(|name| known.contains(name))
        };
        let missing: Vec<&String> = names.iter().filter(|name| !is_known(name)).collect();
        assert!(missing.is_empty(), "docs/{page} names tests that do not exist: {missing:#?}");
    }
}

#[test]
fn a_name_that_no_source_has_is_found() {
    let mut names = BTreeSet::new();
    add_tests("#[test]\nfn a() {}\nfn b() {}\nmod tests {\n    #[test]\n    fn c() {\n    }\n}\n", &["x"], &mut names);
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["x::a", "x::tests::c"]);
    assert_eq!(named("| a | test |\n|---|---|\n| b | `x::a`, `y` |\n\n| a | b |\n| `c` | `d` |\n"), ["x::a", "y"]);
}

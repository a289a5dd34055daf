//! The modules of each crate: they have no dependency cycles, and ARCHITECTURE.md shows their dependencies.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use source::{ModulePath, Modules};

/// The crates that ARCHITECTURE.md draws, each with its folder.
const CRATES: [(&str, &str); 29] = [
    ("rres-codec", "crates/codec"),
    ("rres-format", "rres-format"),
    ("rres-decode", "crates/decode"),
    ("rres-compat", "crates/compat"),
    ("rres-licenses", "crates/licenses"),
    ("rres-font-subset", "crates/font-subset"),
    ("rres-protocol", "rres-protocol"),
    ("rres-settings", "crates/settings"),
    ("rres-import", "crates/import"),
    ("rres-import-image", "importers/image"),
    ("rres-import-sound", "importers/sound"),
    ("rres-import-font", "importers/font"),
    ("rres-import-model", "importers/model"),
    ("rres-import-generate", "importers/generate"),
    ("rres-import-text", "importers/text"),
    ("rres-import-data", "importers/data"),
    ("rres-import-nbr", "importers/nbr"),
    ("rres-import-srsc", "importers/srsc"),
    ("rres-codegen", "crates/codegen"),
    ("rres-engine", "crates/engine"),
    ("rres-export", "crates/export"),
    ("rres-mods", "crates/mods"),
    ("rres-packs", "crates/packs"),
    ("rres-translations", "crates/translations"),
    ("rres-view", "crates/view"),
    ("rres-inspect", "crates/inspect"),
    ("rres-build", "rres-build"),
    ("rres-runtime", "rres-runtime"),
    ("cargo-rres", "cargo-rres"),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The modules in one folder, each with the modules of the same folder that it uses.
type Siblings = BTreeMap<String, BTreeSet<String>>;

/// The modules of a crate by the folder that they are in.
fn folders(modules: &Modules) -> BTreeMap<ModulePath, Siblings> {
    let mut folders: BTreeMap<ModulePath, Siblings> = BTreeMap::new();
    for module in modules.all() {
        let (name, folder) = module.split_last().unwrap();
        folders.entry(folder.to_vec()).or_default().entry(name.clone()).or_default();
        for used in modules.uses(module) {
            let common = module.iter().zip(&used).take_while(|(a, b)| a == b).count();
            // A module and its parent may use each other.
            if common < module.len() && common < used.len() {
                let siblings = folders.entry(module[..common].to_vec()).or_default();
                siblings.entry(used[common].clone()).or_default();
                siblings.entry(module[common].clone()).or_default().insert(used[common].clone());
            }
        }
    }
    folders
}

/// The modules in topological order, users first; or an error with the modules of a cycle.
fn sorted(siblings: &Siblings) -> Result<Vec<&str>, Vec<&str>> {
    let mut rest: BTreeSet<&str> = siblings.keys().map(String::as_str).collect();
    let mut order = Vec::new();
    while !rest.is_empty() {
        let is_used = |module: &str| rest.iter().any(|other| *other != module && siblings[*other].contains(module));
        let Some(next) = rest.iter().copied().find(|module| !is_used(module)) else {
            return Err(rest.into_iter().collect());
        };
        rest.remove(next);
        order.push(next);
    }
    Ok(order)
}

/// Every module that can be reached from `from`.
fn reachable<'s>(siblings: &'s Siblings, from: &str) -> BTreeSet<&'s str> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = siblings[from].iter().map(String::as_str).collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(siblings[next].iter().map(String::as_str));
        }
    }
    found
}

/// A Mermaid graph. Arrows that follow from other arrows are left out.
fn drawing(siblings: &Siblings) -> String {
    let mut text = "```mermaid\ngraph TD\n".to_owned();
    for module in sorted(siblings).unwrap() {
        let used: Vec<&str> = siblings[module].iter().map(String::as_str).filter(|used| *used != module).collect();
        let is_implied = |used: &str| used_by_another(siblings, &used_without(&siblings[module], used, module), used);
        let direct: Vec<&str> = used.into_iter().filter(|used| !is_implied(used)).collect();
        if direct.is_empty() {
            writeln!(text, "  {module}").unwrap();
        } else {
            writeln!(text, "  {module} --> {}", direct.join(" & ")).unwrap();
        }
    }
    text + "```\n"
}

fn used_without<'s>(used: &'s BTreeSet<String>, without: &str, module: &str) -> Vec<&'s str> {
    used.iter().map(String::as_str).filter(|other| *other != without && *other != module).collect()
}

fn used_by_another(siblings: &Siblings, others: &[&str], used: &str) -> bool {
    others.iter().any(|other| reachable(siblings, other).contains(used))
}

#[test]
fn no_modules_depend_on_each_other_in_a_cycle() {
    let mut circles = String::new();
    for (name, folder) in CRATES {
        let modules = Modules::read(&workspace().join(folder).join("src"));
        for (folder, siblings) in folders(&modules) {
            for module in siblings.keys().filter(|module| reachable(&siblings, module).contains(module.as_str())) {
                // The used modules that lead back to it.
                let used: Vec<&str> = siblings[module].iter().map(String::as_str).collect();
                let back = used.into_iter().filter(|used| reachable(&siblings, used).contains(module.as_str()));
                let place = [&[name.to_owned()], folder.as_slice(), std::slice::from_ref(module)].concat().join("::");
                writeln!(circles, "  {place} uses {}", back.collect::<Vec<_>>().join(", ")).unwrap();
            }
        }
    }
    assert!(circles.is_empty(), "these modules use each other in a circle:\n{circles}");
}

/// The graphs in ARCHITECTURE.md are up to date, each between two comments. `UPDATE_EXPECT=1` updates them.
#[test]
fn the_architecture_page_shows_the_current_modules() {
    let file = workspace().join("ARCHITECTURE.md");
    let page = fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
    let mut expected = page.clone();
    for (name, folder) in CRATES {
        let folders = folders(&Modules::read(&workspace().join(folder).join("src")));
        let start = format!("<!-- modules of {name} -->\n");
        let at = expected.find(&start).unwrap_or_else(|| panic!("ARCHITECTURE.md lacks {start}")) + start.len();
        let end = at + expected[at..].find("<!-- end -->").unwrap();
        expected.replace_range(at..end, &drawing(&folders[&Vec::new()]));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        fs::write(&file, &expected).unwrap();
    } else {
        assert!(page == expected, "the drawings are out of date; run this test with UPDATE_EXPECT=1");
    }
}

/// The tables that follow a file through the crates name files that exist.
#[test]
fn the_walks_of_the_architecture_page_name_files_that_exist() {
    let page = fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    let (start, end) = ("## One asset, from file to handle", "## The pipeline of");
    let at = page.find(start).unwrap();
    let walks = &page[at..at + page[at..].find(end).unwrap()];
    let roots = ["", "crates/engine/src", "rres-runtime/src"].map(|root| workspace().join(root));
    let cells = walks
        .lines()
        .filter(|line| line.starts_with('|'))
        .filter_map(|line| line.trim_end_matches('|').rsplit('|').next());
    let files: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(files.len() > 25, "{files:?}");
    let missing: Vec<&&str> = files.iter().filter(|file| !roots.iter().any(|root| root.join(file).exists())).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names files that do not exist: {missing:?}");
}

#[test]
fn cycles_and_uses_are_found_in_source_code() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let file = dir.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    write("lib.rs", "mod a; mod b; mod c; mod d;\npub use d::deep::Thing;\n");
    write(
        "a.rs",
        "use std::fs;\nuse crate::{b::{self, B as Other}, Thing};\n#[cfg(test)]\nmod tests { use crate::c; }\n",
    );
    write("b.rs", "// crate::a::A\nfn f() -> crate::c::C { super::c::c() }\n");
    write("c.rs", "pub struct C;\n");
    write("d/mod.rs", "mod deep;\nmod other;\n");
    write("d/deep.rs", "use super::other::X;\npub struct Thing;\n");
    write("d/other.rs", "use super::deep;\n");
    let folders = folders(&Modules::read(dir.path()));
    let uses = |module: &str| folders[&Vec::new()][module].iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(["a", "b", "c", "d"].map(uses), ["b d", "c", "", ""]);
    assert_eq!(sorted(&folders[&Vec::new()]), Ok(vec!["a", "b", "c", "d"]));
    assert_eq!(sorted(&folders[&vec!["d".to_owned()]]), Err(vec!["deep", "other"]));
    assert_eq!(drawing(&folders[&Vec::new()]), "```mermaid\ngraph TD\n  a --> b & d\n  b --> c\n  c\n  d\n```\n");
}

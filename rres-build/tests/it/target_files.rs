//! Files for some targets: which one a pack contains, and packs for several targets in one run.

use std::fs;
use std::path::Path;

use rres_engine::{Build, Report};
use rres_format::{PackView, ResourceId};

use super::{CASE_MATTERS, Project};

const RULES: &str = "[pack]\nlocales = [\"en\", \"fr\"]\ndensities = 2\n[pack.targets]\n\
    mobile = 'cfg(any(target_os = \"android\", target_os = \"ios\"))'\nswitch = 'cfg(target_vendor = \"nintendo\")'\n";

const ANDROID: &[&str] = &["unix", "target_os=\"android\""];
const SWITCH: &[&str] = &["target_os=\"horizon\"", "target_vendor=\"nintendo\""];
const LINUX: &[&str] = &["unix", "target_os=\"linux\""];

/// Each file contains its own path.
fn project(rules: &str, files: &[&str]) -> Project {
    let project = Project::new(&[("assets.toml", rules.as_bytes())]);
    files.iter().for_each(|path| project.write(path, path.as_bytes()));
    project
}

fn run(build: Build, target: &[&str]) -> Report {
    build.target_cfg(target).build().unwrap_or_else(|e| panic!("{e}"))
}

/// The texts of a pack, by path.
fn texts(pack: &Path) -> Vec<(String, String)> {
    let bytes = fs::read(pack).unwrap();
    let view = PackView::parse(&bytes).unwrap();
    let index = view.index().unwrap();
    let paths = index.entries().map(|entry| entry.unwrap().path.to_owned());
    let text = |path: String| {
        let chunk = view.find(ResourceId::from_path(&path)).unwrap().unwrap();
        let decoded = chunk.decode(&mut Default::default()).unwrap();
        let text = rres_format::chunk::text::TextView::parse(decoded.view().unwrap()).unwrap().decode().unwrap();
        (path, text.into_owned())
    };
    let mut texts: Vec<_> = paths.map(text).collect();
    texts.sort();
    texts
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn the_file_for_the_target_takes_the_place_of_the_other() {
    let files = ["ui/pad.txt", "ui/pad.switch.txt", "ui/pad.mobile.txt", "menu.txt"];
    let project = project(RULES, &files);
    let mut modules = Vec::new();
    for (target, file) in [(LINUX, "ui/pad.txt"), (ANDROID, "ui/pad.mobile.txt"), (SWITCH, "ui/pad.switch.txt")] {
        let report = run(project.build(), target);
        assert_eq!(texts(&report.packs[0]), pairs(&[("menu.txt", "menu.txt"), ("ui/pad.txt", file)]));
        let module = project.module();
        modules.push(module.lines().filter(|line| line.contains("pub const ")).map(str::to_owned).collect::<Vec<_>>());
        // Nothing is left out silently.
        let [found] = &report.target_files[..] else { panic!("{:?}", report.target_files) };
        assert_eq!((found.path.as_str(), found.file.as_str(), found.left_out.len()), ("ui/pad.txt", file, 2));
        let lines = report.target_file_lines();
        let is_named = |path: &&str| lines[0].contains(path);
        assert!(lines[0].starts_with("for this target, ui/pad.txt is the file") && files[..3].iter().all(is_named));
    }
    assert!(modules[0] == modules[1] && modules[1] == modules[2], "ids and constants are the same: {modules:?}");
    assert!(!project.module().contains("PAD_SWITCH"), "{}", project.module());
    // What does not differ was imported once, and so was each of the three files.
    assert_eq!(run(project.build(), LINUX).cached(), 2);
}

#[test]
fn languages_and_densities_have_files_for_targets_too() {
    let files = ["a.txt", "a.fr.txt", "a.mobile.fr.txt", "a@2x.txt", "a.switch@2x.txt", "b.mobile.en.txt", "b.en.txt"];
    let project = project(RULES, &files);
    let of = |target| texts(&run(project.build(), target).packs[0]);
    let expected = [("a.fr.txt", "a.fr.txt"), ("a.txt", "a.txt"), ("a@2x.txt", "a@2x.txt"), ("b.en.txt", "b.en.txt")];
    assert_eq!(of(LINUX), pairs(&expected));
    let [_, own, dense, _] = expected;
    assert_eq!(of(ANDROID), pairs(&[("a.fr.txt", "a.mobile.fr.txt"), own, dense, ("b.en.txt", "b.mobile.en.txt")]));
    assert!(project.module().contains("variants: @2x, fr"), "{}", project.module());
    assert!(of(SWITCH).contains(&("a@2x.txt".to_owned(), "a.switch@2x.txt".to_owned())));
}

#[test]
fn without_the_list_names_mean_nothing_and_a_rule_excepts_files() {
    let files = ["pad.txt", "pad.mobile.txt"];
    assert_eq!(run(project("", &files).build(), ANDROID).assets.len(), 2);
    let rules = format!("{RULES}[\"pad.mobile.txt\"]\nvariants = false\n");
    let report = run(project(&rules, &files).build(), ANDROID);
    assert_eq!((report.assets.len(), report.target_files.len()), (2, 0));
    // A file that is ignored is not chosen.
    let rules = format!("{RULES}[\"pad.mobile.txt\"]\nignore = true\n");
    let project = project(&rules, &files);
    let report = run(project.build(), ANDROID);
    assert_eq!(texts(&report.packs[0]), pairs(&[("pad.txt", "pad.txt")]));
}

#[test]
fn rules_for_the_asset_and_for_its_file_apply() {
    let rules =
        format!("{RULES}[\"pad.txt\"]\nrename = \"PAD\"\n[\"*.mobile.txt\"]\ncompression = \"none\"\nmax_size = 1\n");
    let project = project(&rules, &["pad.txt", "pad.mobile.txt"]);
    let report = run(project.build(), ANDROID);
    assert!(project.module().contains("pub const PAD:"), "{}", project.module());
    let lint = report.lint_lines().join("\n");
    assert!(lint.contains("pad.mobile.txt"), "the finding names the file: {lint}");
    assert!(run(project.build(), LINUX).lints.is_empty());
    // The builder sets names of targets as well, and a group has the asset.
    let build =
        project.build().targets([("mobile", "cfg(unix)"), ("switch", "cfg(windows)")]).group("all", ["pad.txt"]);
    assert_eq!(texts(&run(build, LINUX).packs[0]), pairs(&[("pad.txt", "pad.mobile.txt")]));
    assert!(project.module().contains("1 asset, "), "{}", project.module());
}

#[test]
fn a_folder_with_files_for_targets_only_needs_one_for_each() {
    let rules = format!("{RULES}other = 'cfg(not(any(target_os = \"android\", target_os = \"ios\")))'\n");
    let project = project(&rules, &["pad.mobile.txt", "pad.other.txt"]);
    for (target, file) in [(LINUX, "pad.other.txt"), (ANDROID, "pad.mobile.txt")] {
        assert_eq!(texts(&run(project.build(), target).packs[0]), pairs(&[("pad.txt", file)]));
    }
}

#[test]
fn what_is_not_certain_is_refused() {
    let both = "[pack.targets]\nmobile = 'cfg(unix)'\nphone = 'cfg(target_os = \"android\")'\n";
    for (rules, files, part, help) in [
        (
            both,
            &["a.txt", "a.mobile.txt", "a.phone.txt"][..],
            "a.phone.txt: is for the target `phone`, and ",
            "so that one condition holds",
        ),
        (RULES, &["a.txt", "a.mobile.txt", "a.Mobile.txt"], "is for the same target as ", "remove one of the files"),
        (
            RULES,
            &["a.switch.txt"],
            "a.switch.txt: is for the target `switch` by its name, and no file is \"a.txt\" for this target",
            "every target has the same assets",
        ),
        (RULES, &["a.txt", "a.mobile.switch.txt"], "has the names of several targets: `mobile`, `switch`", "any(…)"),
        (
            "[pack]\ntargets = { Mobile = 'cfg(unix)' }\n",
            &["a.txt"],
            "2:13: unknown name `Mobile` in `targets`, expected small letters",
            "hud.mobile.png",
        ),
        (
            "[pack]\ntargets = { mobile = 'android' }\n",
            &["a.txt"],
            "2:22: bad target 'android': expected cfg(…)",
            "such as 'cfg(target_os = \"android\")'",
        ),
        (
            "[pack]\ntargets = { mobile = 'cfg(target_os = \"andriod\")' }\n",
            &["a.txt"],
            "2:22: bad target",
            "did you mean \"android\"?",
        ),
        ("[pack]\ntargets = [\"mobile\"]\n", &["a.txt"], "wrong type for `targets`: found an array", "a table such as"),
        (
            "[pack]\nlocales = [\"en\", \"fr\"]\ntargets = { fr = 'cfg(unix)' }\n",
            &["a.txt"],
            "`targets` and `locales` both have \"fr\"",
            "another name",
        ),
    ] {
        if !CASE_MATTERS && files.contains(&"a.Mobile.txt") {
            continue;
        }
        let message = project(rules, files).build().target_cfg(ANDROID).build().unwrap_err().to_string();
        assert!(message.contains(part) && message.contains(help), "{part} … {help} in:\n{message}");
    }
    for targets in [&[("", "cfg(unix)")][..], &[("a", "unix")], &[("a", "cfg(unix)"), ("a", "cfg(windows)")]] {
        let build = project("", &["a.txt"]).build().targets(targets.iter().copied());
        let message = build.build().unwrap_err().to_string();
        assert!(message.contains("unknown value for `targets`, expected "), "{message}");
    }
}

#[test]
fn an_explanation_says_which_file_is_used() {
    let project = project(RULES, &["pad.txt", "pad.mobile.txt", "pad.switch.txt"]);
    let paths = ["pad.txt", "pad.mobile.txt", "pad.switch.txt"].map(str::to_owned);
    let explained = project.build().target_cfg(ANDROID).explain(&paths).unwrap();
    let words: Vec<&str> = explained.explanations.iter().map(|explanation| explanation.standing.word()).collect();
    assert_eq!(words, ["asset", "target-file", "target-file"]);
    assert!(explained.explanations[0].file.ends_with("pad.mobile.txt"), "{:?}", explained.explanations[0].file);
    assert!(explained.diagnostics.is_empty(), "{:?}", explained.diagnostics);
}

#[test]
fn one_run_writes_packs_for_several_targets() {
    let files = ["pad.txt", "pad.mobile.txt", "menu.txt"];
    let project = project(RULES, &files);
    let targets = ["x86_64-pc-windows-msvc", "aarch64-linux-android"];
    let mut imported = Vec::new();
    for of in project.build().for_targets(targets).unwrap() {
        let report = of.build.build().unwrap();
        assert_eq!(report.packs, [project.out().join(&of.target).join("game.rres")]);
        let pad = if of.target == targets[1] { "pad.mobile.txt" } else { "pad.txt" };
        assert_eq!(texts(&report.packs[0]), pairs(&[("menu.txt", "menu.txt"), ("pad.txt", pad)]));
        imported.push(report.imported());
    }
    assert_eq!(imported, [2, 1], "the second target imports what differs");
    for (targets, part) in [
        (&["amiga"][..], "target \"amiga\": rustc does not know it"),
        (&["../up"], "target \"../up\": is not the name of a target"),
        (&["aarch64-linux-android", "aarch64-linux-android"], "is listed twice"),
    ] {
        let message = project.build().for_targets(targets).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    let message = rres_build::import("assets").for_targets(targets).unwrap_err().to_string();
    assert!(message.contains("there is no output directory") && message.contains(".out_dir"), "{message}");
}

//! `cargo rres init`: adds what is missing, and changes nothing else.

use super::{Run, Sandbox};

const MANIFEST: &str = "\
# The game.
[package]
name = \"game\"   # a comment
version = \"0.1.0\"
edition = \"2024\"

[workspace]

[dependencies]
# Nothing yet.

[profile.release]
lto = true
";

/// Where the crates come from.
const SOURCE: &str = "git = \"https://github.com/rres-rs/rres\"";

const PROFILE: &str = "
# Debug builds then load assets nearly as fast as release builds.
[profile.dev.package]
zrip-decode = { opt-level = 3 }
zrip-core = { opt-level = 3 }
crc32fast = { opt-level = 3 }
rres-codec = { opt-level = 3 }
zune-jpeg = { opt-level = 3 }

# `cargo check` then uses the importers that `cargo build` has compiled.
[profile.dev.build-override]
debug = false
";

fn package(manifest: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", manifest.as_bytes());
    sandbox.write("src/main.rs", b"fn main() {}\n");
    sandbox
}

fn manifest(sandbox: &Sandbox) -> String {
    String::from_utf8(sandbox.read("Cargo.toml")).unwrap()
}

/// Everything in the package, to show that nothing changes.
fn snapshot(sandbox: &Sandbox) -> Vec<Option<Vec<u8>>> {
    ["Cargo.toml", "build.rs", "src/main.rs"].iter().map(|file| std::fs::read(sandbox.path(file)).ok()).collect()
}

#[test]
fn a_new_package_gets_dependencies_script_and_directory() {
    let sandbox = package(MANIFEST);
    let before = snapshot(&sandbox);
    let dry = sandbox.run(["init", "--dry-run"]).success().out;
    assert!(dry.contains("nothing was written, because of --dry-run"), "{dry}");
    assert!(snapshot(&sandbox) == before && !sandbox.path("assets").exists());

    let out = sandbox.run(["init"]).success().out;
    assert_eq!(out.lines().next(), Some("created  assets"), "{out}");
    assert!(out.contains("changed  src/main.rs: rres_runtime::include_assets!(mod assets);"), "{out}");
    assert!(out.contains("Write into your program, game:\n\n    let store = assets::open()?;"), "{out}");
    let include = "rres_runtime::include_assets!(mod assets); // a constant for each file\n\nfn main() {}\n";
    assert_eq!(sandbox.read("src/main.rs"), include.as_bytes());
    assert!(sandbox.path("assets").is_dir());
    assert_eq!(sandbox.read("build.rs"), b"fn main() {\n    rres_build::import(\"assets\").build_or_exit();\n}\n");
    let expected = MANIFEST.replace(
        "[dependencies]\n",
        &format!("[dependencies]\nrres-runtime = {{ {SOURCE}, features = [\"hot-reload\", \"decoders\"] }}\n"),
    );
    let expected = format!("{expected}{PROFILE}\n[build-dependencies]\nrres-build = {{ {SOURCE} }}\n");
    assert_eq!(manifest(&sandbox), expected);

    let before = snapshot(&sandbox);
    let out = sandbox.run(["init"]).success().out;
    assert!(snapshot(&sandbox) == before, "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("kept")).count(), 4, "{out}");
    assert!(out.replace('\\', "/").ends_with("kept     src/main.rs: includes the assets\n"), "{out}");
}

#[test]
fn the_importers_are_those_that_the_files_need() {
    let some = |features: &str| format!("{{ {SOURCE}, default-features = false, features = [{features}] }}");
    for (files, expected, decoders) in [
        (&["a.png", "b.txt"][..], some("\"image\""), ""),
        (&["a.ogg", "f.TTF"], some("\"sound\", \"font\""), ", \"ogg\""),
        (&["a.txt", "sub/.hidden.png"], some("\"engine\""), ""),
        (&["a.png", "a.wav", "a.ttf", "sub/a.glb"], format!("{{ {SOURCE} }}"), ", \"jpeg\""),
        (
            &["a.JPG", "a.mp3", "a.flac", "a.oga", "opus.ogg"],
            some("\"image\", \"sound\", \"opus\""),
            ", \"flac\", \"jpeg\", \"mp3\", \"ogg\", \"opus\"",
        ),
    ] {
        let sandbox = package(MANIFEST);
        for file in files {
            let bytes: &[u8] = if *file == "opus.ogg" { b"OggS\0\x02 a page of 28 bytes   OpusHead" } else { b"" };
            sandbox.write(&format!("resources/{file}"), bytes);
        }
        let out = sandbox.run(["init"]).success().out;
        assert!(out.starts_with("kept     resources: exists\n"), "the directory that there is: {out}");
        let line = format!("\nrres-build = {expected}\n");
        assert!(manifest(&sandbox).contains(&line), "{files:?}: {}", manifest(&sandbox));
        let line = format!("\nrres-runtime = {{ {SOURCE}, features = [\"hot-reload\"{decoders}] }}\n");
        assert!(manifest(&sandbox).contains(&line), "{files:?}: {}", manifest(&sandbox));
        assert!(String::from_utf8(sandbox.read("build.rs")).unwrap().contains("import(\"resources\")"));
        assert!(out.contains("include_assets!(mod resources)"), "{out}");
    }
}

/// Where `init` takes the crates from is where the pages for newcomers say they are.
#[test]
fn the_pages_say_where_the_crates_are() {
    let pages = [include_str!("../../../README.md"), include_str!("../../../book/src/start.md")];
    let is_published = SOURCE.starts_with("version");
    for page in pages {
        assert_eq!(page.contains("not on crates.io yet"), !is_published, "{SOURCE}");
        assert!(is_published || page.contains(SOURCE), "{SOURCE}");
    }
}

#[test]
fn a_library_and_a_module_of_the_same_name_are_seen() {
    let sandbox = package(MANIFEST);
    sandbox.write("resources/a.txt", b"a");
    sandbox.write("src/main.rs", b"#![allow(\n    dead_code\n)]\n\nmod resources;\n\nfn main() {}\n");
    sandbox.write("src/lib.rs", b"");
    let out = sandbox.run(["init"]).success().out;
    let main = String::from_utf8(sandbox.read("src/main.rs")).unwrap();
    let line = "rres_runtime::include_assets!(mod assets); // a constant for each file\n";
    assert!(main.contains(&format!(")]\n\n{line}\nmod resources;")), "{main}");
    let script = String::from_utf8(sandbox.read("build.rs")).unwrap();
    assert!(script.contains("rres_build::import(\"resources\").module(\"assets\").build_or_exit();"), "{script}");
    assert!(
        out.contains("note     src/lib.rs: if the code that loads assets is in the library, move the line"),
        "{out}"
    );
}

#[test]
fn a_library_that_includes_the_assets_is_enough() {
    let sandbox = package(MANIFEST);
    sandbox.write("assets/a.txt", b"a");
    sandbox.write("src/main.rs", b"use game::assets;\nfn main() {}\n");
    sandbox.write("src/lib.rs", b"rres_runtime::include_assets!(pub mod assets);\n");
    let out = sandbox.run(["init"]).success().out;
    assert!(out.replace('\\', "/").ends_with("kept     src/lib.rs: includes the assets\n"), "{out}");
    assert_eq!(sandbox.read("src/main.rs"), b"use game::assets;\nfn main() {}\n");
}

#[test]
fn the_module_is_the_one_that_the_build_generates() {
    for (typed, import, module) in
        [("art/", "art", "art"), ("./gameAssets", "gameAssets", "game_assets"), ("static", "static", "static_assets")]
    {
        let sandbox = package(MANIFEST);
        sandbox.run(["init", typed]).success();
        let script = format!("fn main() {{\n    rres_build::import({import:?}).build_or_exit();\n}}\n");
        assert_eq!(sandbox.read("build.rs"), script.as_bytes());
        let main = String::from_utf8(sandbox.read("src/main.rs")).unwrap();
        assert!(main.starts_with(&format!("rres_runtime::include_assets!(mod {module});")), "{main}");
    }
}

#[test]
fn renamed_crates_are_called_by_their_names() {
    let renamed = "rres = { package = \"rres-runtime\", version = \"0.1\", features = [\"decoders\"] }";
    let manifest_before = MANIFEST.replace("# Nothing yet.", renamed);
    let sandbox = package(&manifest_before);
    sandbox.run(["init"]).success();
    let main = String::from_utf8(sandbox.read("src/main.rs")).unwrap();
    assert!(main.starts_with("rres::include_assets!(mod assets);"), "{main}");
    let script = String::from_utf8(sandbox.read("build.rs")).unwrap();
    assert!(script.contains("rres_build::import(\"assets\").crate_path(\"::rres\").build_or_exit();"), "{script}");
    assert!(!manifest(&sandbox).contains("\nrres-runtime"), "{}", manifest(&sandbox));
    // An existing script names the runtime by its own name.
    sandbox.write("build.rs", b"fn main() {\n    rres_build::import(\"assets\").build_or_exit();\n}\n");
    let out = sandbox.run(["init"]).success().out;
    assert!(
        out.contains("to do    build.rs: add .crate_path(\"::rres\") to the call of rres_build::import(\"assets\")\n"),
        "{out}"
    );
}

#[cfg(unix)]
#[test]
fn links_and_permissions_of_changed_files_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let sandbox = package(MANIFEST);
    std::fs::rename(sandbox.path("src/main.rs"), sandbox.path("game.rs")).unwrap();
    symlink(sandbox.path("game.rs"), sandbox.path("src/main.rs")).unwrap();
    std::fs::set_permissions(sandbox.path("Cargo.toml"), PermissionsExt::from_mode(0o600)).unwrap();
    sandbox.run(["init"]).success();
    assert!(sandbox.path("src/main.rs").is_symlink() && sandbox.read("game.rs").starts_with(b"rres_runtime::"));
    let mode = sandbox.path("Cargo.toml").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_game_with_a_module_called_assets_gets_another_one() {
    let sandbox = package(MANIFEST);
    sandbox.write("assets/a.txt", b"a");
    let main = "//! A game.\n\nmod assets; // of the game\nmod screen;\n\nfn main() {}\n";
    sandbox.write("src/main.rs", main.as_bytes());
    let out = sandbox.run(["init"]).success().out;
    let line = "rres_runtime::include_assets!(mod game_assets); // a constant for each file\n\n";
    let expected = main.replace("mod assets", &format!("{line}mod assets"));
    assert_eq!(String::from_utf8(sandbox.read("src/main.rs")).unwrap(), expected);
    let script = String::from_utf8(sandbox.read("build.rs")).unwrap();
    assert!(script.contains("rres_build::import(\"assets\").module(\"game_assets\").build_or_exit();"), "{script}");
    let note = "note     src/main.rs: has `assets` already, so the module of the assets is `game_assets`: other files reach its \
                constants as `crate::game_assets::…`\n";
    assert!(out.contains(note) && out.contains("let store = game_assets::open()?;"), "{out}");

    // A second run sees that it is done.
    let before = snapshot(&sandbox);
    let out = sandbox.run(["init"]).success().out;
    assert!(snapshot(&sandbox) == before && out.lines().all(|line| line.starts_with("kept")), "{out}");

    // A build script that is there already generates the module `assets`.
    let sandbox = package(MANIFEST);
    sandbox.write("src/main.rs", b"mod game_assets {}\nuse engine::assets;\nfn main() {}\n");
    sandbox.write("build.rs", b"fn main() {\n    rres_build::import(\"assets\").build_or_exit();\n}\n");
    let out = sandbox.run(["init"]).success().out;
    let line = "to do    build.rs: add .module(\"assets_2\") to the call of rres_build::import(\"assets\")\n";
    assert!(out.contains(line) && out.contains("include_assets!(mod assets_2)"), "{out}");
}

/// The profile of the README is the one that `init` adds.
#[test]
fn the_profile_is_that_of_the_readme() {
    let readme = include_str!("../../../README.md");
    PROFILE.lines().skip(2).for_each(|line| assert!(readme.contains(line), "{line}"));
}

#[test]
fn a_second_run_adds_the_importers_that_new_files_need() {
    let sandbox = package(MANIFEST);
    sandbox.write("assets/a.png", b"");
    sandbox.run(["init"]).success();
    let before = manifest(&sandbox);
    sandbox.write("assets/a.ogg", b"");
    let out = sandbox.run(["init"]).success().out;
    assert!(out.contains("changed  Cargo.toml: [build-dependencies] rres-build: features sound\n"), "{out}");
    assert!(out.contains("changed  Cargo.toml: [dependencies] rres-runtime: features ogg\n"), "{out}");
    let with_sound = before.replace("[\"image\"]", "[\"image\", \"sound\"]");
    assert_eq!(manifest(&sandbox), with_sound.replace("[\"hot-reload\"]", "[\"hot-reload\", \"ogg\"]"));
    // Nothing is taken away again.
    std::fs::remove_file(sandbox.path("assets/a.png")).unwrap();
    assert!(sandbox.run(["init"]).success().out.contains("kept     Cargo.toml"));
}

#[test]
fn the_profile_goes_into_the_manifest_of_the_workspace_and_keeps_what_is_set() {
    let sandbox = Sandbox::new();
    let workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"game\"]\n[profile.dev.package]\ncrc32fast = { opt-level = 1 } # mine\n";
    sandbox.write("Cargo.toml", workspace.as_bytes());
    sandbox.write("game/Cargo.toml", MANIFEST.replace("[workspace]", "").as_bytes());
    sandbox.write("game/src/lib.rs", b"//! A library.\n");
    let out = sandbox.run(["init", "--no-profile"]).success().out;
    assert!(!out.contains("profile") && manifest(&sandbox) == workspace, "{out}");
    assert_eq!(
        sandbox.read("game/src/lib.rs"),
        b"//! A library.\n\nrres_runtime::include_assets!(pub mod assets); // a constant for each file\n\n"
    );
    let out = sandbox.run(["init"]).success().out;
    assert!(out.contains("added zrip-decode, zrip-core, rres-codec, zune-jpeg = { opt-level = 3 }"), "{out}");
    let all = format!(
        "{workspace}zrip-decode = {{ opt-level = 3 }}\nzrip-core = {{ opt-level = 3 }}\nrres-codec = {{ opt-level = 3 }}\n\
         zune-jpeg = {{ opt-level = 3 }}\n"
    );
    let (packages, of_scripts) =
        manifest(&sandbox).split_once("\n# `cargo check` then").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert_eq!(
        (packages, of_scripts.lines().skip(1).collect()),
        (all, vec!["[profile.dev.build-override]", "debug = false"])
    );
}

#[test]
fn what_is_set_for_build_scripts_is_kept_and_without_importers_nothing_is() {
    let own = "[profile.dev.build-override]\nopt-level = 1\n";
    let sandbox = package(&format!("{MANIFEST}{own}"));
    sandbox.run(["init"]).success();
    let after = manifest(&sandbox);
    assert!(after.contains(own) && after.matches("build-override").count() == 1, "{after}");
    let sandbox = package(MANIFEST);
    let out = sandbox.run(["init", "--tool"]).success().out;
    assert!(!out.contains("build-override") && !manifest(&sandbox).contains("build-override"), "{out}");
}

#[test]
fn a_profile_that_optimises_all_dependencies_is_kept_and_said_to_be_slow() {
    let sandbox = package(&format!("{MANIFEST}[profile.dev.package.\"*\"]\nopt-level = 3\n"));
    let out = sandbox.run(["init"]).success().out;
    assert!(out.contains("note     Cargo.toml: [profile.dev.package.\"*\"] optimises the importers"), "{out}");
    assert!(!manifest(&sandbox).contains("zrip"), "{}", manifest(&sandbox));
    let out = package(&format!("{MANIFEST}[profile.dev.package.\"*\"]\nopt-level = 3\n"))
        .run(["init", "--tool"])
        .success()
        .out;
    assert!(!out.contains("note "), "{out}");
}

#[test]
fn another_directory_than_the_script_imports_and_one_outside_of_the_package_are_said() {
    let sandbox = package(MANIFEST);
    sandbox.run(["init"]).success();
    let out = sandbox.run(["init", "art"]).success().out;
    let line =
        "to do    build.rs: it imports another directory; to import this one, too, add: rres_build::import(\"art\")";
    assert!(out.contains(line), "{out}");
    for outside in ["../outside", "/tmp/outside-of-all"] {
        sandbox.run(["init", outside]).failed(2, &[outside, "is not inside the package"]);
    }
    assert!(!std::path::Path::new("/tmp/outside-of-all").exists());
}

#[test]
fn with_the_tool_there_are_no_importers() {
    let sandbox = package(MANIFEST);
    sandbox.write("assets/a.png", b"");
    sandbox.run(["init", "--tool"]).success();
    let line = &format!("\nrres-build = {{ {SOURCE}, default-features = false, features = [\"tool\"] }}\n");
    assert!(manifest(&sandbox).contains(line), "{}", manifest(&sandbox));
}

#[test]
fn the_cost_of_the_first_build_is_said_once() {
    let note = "note     Cargo.toml: the first build compiles the importers of the build script, which takes up to 140 CPU seconds; \
                `cargo rres init --tool` leaves the import to this command instead\n";
    let sandbox = package(MANIFEST);
    assert!(sandbox.run(["init", "--no-profile"]).success().out.contains(note));
    assert!(!sandbox.run(["init"]).success().out.contains("note "));
    assert!(!package(MANIFEST).run(["init", "--tool"]).success().out.contains("note "));
}

#[test]
fn a_project_with_importers_is_switched_to_the_tool() {
    let thin = format!("\nrres-build = {{ {SOURCE}, default-features = false, features = [\"tool\"] }}\n");
    for file in ["a.png", "a.txt"] {
        let sandbox = package(MANIFEST);
        sandbox.write(&format!("assets/{file}"), b"");
        sandbox.run(["init"]).success();
        let before = manifest(&sandbox);
        let lines = "[profile.dev.package]\nrres-engine = { opt-level = 1 }\nrres-import-image = { opt-level = 1 }\n";
        sandbox.write("Cargo.toml", before.replace("[profile.dev.package]\n", lines).as_bytes());
        let out = sandbox.run(["init", "--tool"]).success().out;
        assert!(manifest(&sandbox).contains(&thin), "{}", manifest(&sandbox));
        let changed =
            "changed  Cargo.toml: [build-dependencies] rres-build: default-features = false, features = [\"tool\"]\n";
        let left = "to do    Cargo.toml: remove what only importers need: profile.dev.package.rres-engine, \
                    profile.dev.package.rres-import-image\n";
        assert!(out.contains(changed) && out.contains(left), "{out}");
        let out = sandbox.run(["init", "--tool"]).success().out;
        assert!(out.lines().all(|line| line.starts_with("kept")), "{out}");
    }

    // Default features, as text and as a table.
    for (there, expected) in [
        ("rres-build = \"0.1\"", "rres-build = { version = \"0.1\", default-features = false, features = [\"tool\"] }"),
        (
            "build = { package = \"rres-build\", git = \"https://example.com/rres\", features = [\"exr\"] }",
            "build = { package = \"rres-build\", git = \"https://example.com/rres\", features = [\"tool\"], default-features = false }",
        ),
    ] {
        let sandbox = package(&format!("{MANIFEST}[build-dependencies]\n{there}\n"));
        sandbox.run(["init", "--tool"]).success();
        assert!(manifest(&sandbox).contains(&format!("\n{expected}\n")), "{}", manifest(&sandbox));
    }

    // What needs the importers keeps them, and the reason is said.
    for (there, script, cause) in [
        (
            "{ version = \"0.1\", features = [\"data\"] }",
            "",
            "the build script uses the feature `data`, which needs the importers",
        ),
        ("\"0.1\"", "import(\"a\").importer(Mine)", "the build script uses `.importer(`, which needs the importers"),
        (
            "{ workspace = true }",
            "",
            "write `default-features = false, features = [\"tool\"]` into [workspace.dependencies]",
        ),
    ] {
        let workspace = MANIFEST.replace("[workspace]\n", "[workspace]\ndependencies.rres-build = \"0.1\"\n");
        let sandbox = package(&format!("{workspace}[build-dependencies]\nrres-build = {there}\n"));
        sandbox.write("build.rs", format!("fn main() {{ rres_build::{script} }}").as_bytes());
        let out = sandbox.run(["init", "--tool"]).success().out;
        assert!(out.contains("to do    Cargo.toml: [build-dependencies] rres-build: ") && out.contains(cause), "{out}");
        assert!(manifest(&sandbox).contains(&format!("\nrres-build = {there}\n")), "{}", manifest(&sandbox));
    }
}

#[test]
fn what_is_there_stays_as_it_is() {
    let there = "\
[package]
name = \"game\"
version = \"0.1.0\"
edition = \"2024\"
build = \"tools/assets.rs\"
[workspace]
[dependencies.rres]
package = \"rres-runtime\"
version = \"0.1\"
[build-dependencies]
rres-build = { git = \"https://example.com/rres\", features = [\"sound\"] }
";
    let sandbox = package(there);
    sandbox.write("tools/assets.rs", b"fn main() { println!(); }\n");
    let out = sandbox.run(["init", "art"]).success().out;
    assert_eq!(manifest(&sandbox), format!("{there}{PROFILE}"));
    let expected = "to do    tools/assets.rs: add to its main function: rres_build::import(\"art\").crate_path(\"::rres\").build_or_exit();\n";
    assert!(out.contains(expected), "{out}");
    assert_eq!(sandbox.read("tools/assets.rs"), b"fn main() { println!(); }\n");

    let windows = MANIFEST.replace('\n', "\r\n");
    let sandbox = package(&windows);
    sandbox.run(["init"]).success();
    let changed = manifest(&sandbox);
    assert!(
        changed.contains(&format!("rres-build = {{ {SOURCE} }}\r\n")) && !changed.replace("\r\n", "").contains('\n'),
        "{changed:?}"
    );
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_is_written() {
    let refused = |sandbox: &Sandbox, args: &[&str], text: &str| {
        let before = snapshot(sandbox);
        sandbox.run(args).failed(2, &[text]);
        assert!(snapshot(sandbox) == before && !sandbox.path("assets").is_dir(), "{text}");
    };
    refused(&package(&MANIFEST.replace("edition", "build = false\nedition")), &["init"], "`build = false` disables");
    let sandbox = package(MANIFEST);
    sandbox.write("assets", b"a file");
    refused(&sandbox, &["init", "assets"], "assets is not a directory");
    refused(&package(MANIFEST), &["init", "."], ". is the package");
    let without = "--checkout nowhere: it has no rres-runtime";
    refused(&package(MANIFEST), &["init", "--checkout", "nowhere"], without);
    let outside = Sandbox::new();
    outside.run(["new", "fresh", "--checkout", "nowhere"]).failed(2, &[without]);
    assert!(!outside.path("fresh").exists());
    refused(&outside, &["init"], "no Cargo.toml in");
    outside.write("Cargo.toml", b"[package\n");
    refused(&outside, &["init"], "`cargo metadata` failed");
    outside.write("Cargo.toml", b"[workspace]\nresolver = \"3\"\nmembers = [\"a\", \"b\"]\n");
    for name in ["a", "b"] {
        outside
            .write(&format!("{name}/Cargo.toml"), MANIFEST.replace("game", name).replace("[workspace]", "").as_bytes());
        outside.write(&format!("{name}/src/main.rs"), b"fn main() {}\n");
    }
    refused(&outside, &["init"], "choose a package of the workspace with --package: a, b");
    let run: Run = outside.run(["init", "-p", "b"]);
    assert!(run.code == 0 && outside.path("b/build.rs").is_file() && !outside.path("a/build.rs").exists(), "{run:?}");
}

#[test]
fn completions_and_manual_pages_are_those_of_the_subcommands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sandbox.run(["completions", shell]).success().out;
        assert!(script.contains("verify") && script.contains("cargo-rres"), "{shell}: {script}");
    }
    let out = sandbox.run(["man", "man1"]).success().out;
    for page in ["cargo-rres", "cargo-rres-ls", "cargo-rres-cache-prune"] {
        assert!(out.contains(&format!("{page}.1\n")), "{out}");
        let text = String::from_utf8(sandbox.read(&format!("man1/{page}.1"))).unwrap();
        assert!(text.contains(&format!(".TH {page} 1")) || text.contains(&format!(".TH \"{page}\"")), "{text}");
    }
    let text = String::from_utf8(sandbox.read("man1/cargo-rres-ls.1")).unwrap();
    assert!(text.contains("List the resources of a pack"), "{text}");
}

//! Packages as people write them: a library with binaries, several assets directories, a crate of its own for assets.

use rres_test_support::fresh::{Fresh, in_profiles};

const ONE_LINE: &str = "fn main() { rres_build::import(\"assets\").build_or_exit(); }";

fn fresh(name: &'static str, main: &str) -> Fresh {
    let fresh = Fresh::new(name, main);
    fresh.write("assets/hello.txt", "hello");
    fresh
}

/// Runs the program that Cargo built, in another directory than Cargo does.
fn run(fresh: &Fresh, profile: &str) -> String {
    let output = fresh.command(fresh.executable(profile)).current_dir(std::env::temp_dir()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_library_shares_its_module_with_binaries_tests_and_examples() {
    let print = "for id in shared::art::ALL { assert_eq!(shared::art::by_path(\"hello.txt\"), Some(id)); }
                 let store = shared::art::open().unwrap();
                 println!(\"{}\", store.load(shared::art::HELLO_TXT).unwrap().get().as_str());";
    let fresh = fresh("shared", &format!("fn main() {{ {print} }}"));
    fresh.write("build.rs", ONE_LINE.replace("(\"assets\")", "(\"assets\").module(\"art\")"));
    fresh.write("src/lib.rs", "#![warn(missing_docs)]\n//! A game.\nrres_runtime::include_assets!(pub mod art);");
    fresh.write("tests/loads.rs", format!("#[test] fn loads() {{ {print} }}"));
    fresh.write("examples/prints.rs", format!("fn main() {{ {print} }}"));
    let (_, err) = fresh.cargo(&["build", "--all-targets"]);
    assert!(err.contains("Finished") && !err.contains("warning"), "{err}");
    assert_eq!(run(&fresh, "debug"), "hello\n");
    let (out, err) = fresh.cargo(&["test", "--test", "loads"]);
    assert!(out.contains("1 passed"), "{out}{err}");
}

#[test]
fn unused_assets_never_break_a_build_that_denies_warnings() {
    let fresh = fresh(
        "denying",
        "#![deny(warnings)]\nrres_runtime::include_assets!(#[allow(missing_docs)] mod assets);\nfn main() {}",
    );
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("Finished") && !err.contains("warning"), "{err}");

    fresh.write("assets/assets.toml", "[lints]\nunused = \"deny\"\n");
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("error: constant `HELLO_TXT` is never used"), "{err}");
}

#[test]
fn each_directory_has_a_module_and_a_pack_of_its_own() {
    let main = "rres_runtime::include_assets!();
        rres_runtime::include_assets!(mod dlc);
        fn main() {
            let text = |store: rres_runtime::Store, id: rres_runtime::Id<rres_runtime::Text>| store.load(id).unwrap().get().as_str().to_owned();
            println!(\"{} {}\", text(assets::open().unwrap(), assets::HELLO_TXT), text(dlc::open().unwrap(), dlc::HELLO_TXT));
        }";
    let fresh = fresh("twofold", main);
    fresh.write("dlc/hello.txt", "bonjour");
    let two = "fn main() {
        rres_build::import(\"assets\").build_or_exit();
        rres_build::import(\"dlc\").build_or_exit();
    }";
    fresh.write("build.rs", two);
    for arguments in in_profiles(&["build"]) {
        let (_, err) = fresh.cargo(&arguments);
        assert!(err.contains("Finished") && !err.contains("warning"), "{err}");
        assert_eq!(run(&fresh, if arguments.len() > 1 { "release" } else { "debug" }), "hello bonjour\n");
    }

    fresh.write("build.rs", two.replace("(\"dlc\")", "(\"dlc\").module(\"assets\").name(\"dlc\")"));
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("dlc: its module \"assets.rs\" would overwrite the one of"), "{err}");
    assert!(err.contains("help: give one of the two directories a module of its own with .module("), "{err}");

    fresh.write("build.rs", two.replace("(\"dlc\")", "(\"dlc\").name(\"twofold\")"));
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("dlc: its pack \"twofold.rres\" would overwrite the one of"), "{err}");
}

#[test]
fn a_crate_of_its_own_has_the_assets_of_a_game() {
    let game = "fn main() {
        let store = art_of_game::assets::open().unwrap();
        println!(\"{}\", store.load(art_of_game::assets::HELLO_TXT).unwrap().get().as_str());
    }";
    // The game has no build script and no assets; the crate `art` has the rest of the package.
    let art = fresh("art_of_game", "");
    art.write("src/lib.rs", "//! Art.\nrres_runtime::include_assets!(pub mod assets);");
    std::fs::remove_file(art.path("src/main.rs")).unwrap();
    let fresh = Fresh::new("gamewithart", game);
    std::fs::remove_file(fresh.path("build.rs")).unwrap();
    let manifest = std::fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    let dependency = format!("[dependencies]\nart_of_game = {{ path = {:?} }}\n", art.path(""));
    fresh.write("Cargo.toml", manifest.replacen("[dependencies]\n", &dependency, 1));
    for arguments in in_profiles(&["build"]) {
        let (_, err) = fresh.cargo(&arguments);
        assert!(err.contains("Finished") && !err.contains("warning"), "{err}");
        assert_eq!(run(&fresh, if arguments.len() > 1 { "release" } else { "debug" }), "hello\n");
    }
}

#[cfg(feature = "image")]
#[test]
#[ignore = "long: compiles everything with other features"]
fn a_game_that_lacks_a_decoder_does_not_compile() {
    let main = "rres_runtime::include_assets!();
        fn main() {
            let image = assets::open().unwrap().load(assets::ui::PHOTO_JPG).unwrap().get();
            println!(\"{}x{} {}\", image.width(), image.height(), image.data().len());
        }";
    let fresh = Fresh::with_features("photographer", &["image"], main);
    for name in ["photo.jpg", "other.jpg"] {
        fresh
            .write(&format!("assets/ui/{name}"), include_bytes!("../../../crates/test-data/fixtures/image/turned.jpg"));
    }
    for build in [&["build"][..], &["build", "--release"]] {
        let (_, err) = fresh.cargo(build);
        for part in [
            "error: the pack keeps JPEG files as they are, because that is smaller (ui/other.jpg and 1 more)",
            "run `cargo add rres-runtime --features jpeg`",
            "image = { store = \"pixels\" } in assets.toml",
        ] {
            assert!(err.contains(part), "{part}: {err}");
        }
    }
    // Both ways out.
    fresh.write("assets/assets.toml", "[\"**\"]\nimage = { store = \"pixels\" }\n");
    let pixels = format!("43x61 {}\n", 43 * 61 * 3);
    assert_eq!(fresh.cargo(&["run", "-q"]).0, pixels);
    std::fs::remove_file(fresh.path("assets/assets.toml")).unwrap();
    let manifest = std::fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    fresh.write("Cargo.toml", manifest.replacen("\"hot-reload\"", "\"hot-reload\", \"jpeg\"", 1));
    assert_eq!(fresh.cargo(&["run", "-q"]).0, pixels);
    assert_eq!(fresh.cargo(&["run", "-q", "--release"]).0, pixels);
}

#[test]
fn a_missing_build_script_and_an_unknown_module_are_explained() {
    let fresh = fresh("explained", "rres_runtime::include_assets!(mod art);\nfn main() {}");
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("error: rres-build generated no module of this name"), "{err}");
    std::fs::remove_file(fresh.path("build.rs")).unwrap();
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("error: rres-build generated no module of this name") && !err.contains("OUT_DIR"), "{err}");
    fresh.write("src/main.rs", "rres_runtime::include_assets!(mod art, \"assets.rs\");\nfn main() {}");
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("error: the package has no build script that generates the assets module"), "{err}");
    fresh.write("src/main.rs", "rres_runtime::include_assets!(mod art);\nfn main() {}");

    fresh.write("build.rs", ONE_LINE.replace("(\"assets\")", "(\"assets\").module(\"my art\")"));
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("\"my art\" is not the name of a Rust module") && err.contains("help: for example"), "{err}");
}

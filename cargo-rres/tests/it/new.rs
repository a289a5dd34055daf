//! `cargo rres new`: the package builds, and its program shows the first asset.

use std::process::Command;

use rres_test_support::fresh::{target_dir, with_all_features, workspace};

use super::Sandbox;
use super::supported;

/// Creates a package that uses this checkout, compiled like this workspace.
fn create(sandbox: &Sandbox, arguments: &[&str], name: &str) {
    let root = workspace();
    let checkout = ["--vcs", "none", "--no-profile", "--checkout", root.to_str().unwrap()];
    let out = sandbox.run([&["new", name], arguments, &checkout].concat()).success().out;
    assert!(
        out.contains("created  assets/hello.txt\n") && out.contains(&format!("To see it: cd {name} && cargo ")),
        "{out}"
    );
    let manifest = String::from_utf8(sandbox.read(&format!("{name}/Cargo.toml"))).unwrap();
    let manifest = with_all_features(&format!("{manifest}\n[workspace]\n"));
    sandbox.write(&format!("{name}/Cargo.toml"), manifest.as_bytes());
    // The same versions as in this workspace, so that Cargo need not resolve them.
    sandbox.write(&format!("{name}/Cargo.lock"), &std::fs::read(root.join("Cargo.lock")).unwrap());
}

fn cargo(sandbox: &Sandbox, name: &str, arguments: &[&str]) -> (String, String) {
    let mut command = Command::new(rres_test_support::fresh::cargo());
    command.args(arguments).arg("--offline").current_dir(sandbox.path(name)).env("CARGO_TARGET_DIR", target_dir());
    for variable in ["OUT_DIR", "RRES_PATH", "RRES_RELOAD"] {
        command.env_remove(variable);
    }
    let output = command.env("RRES_CACHE_DIR", sandbox.path("cache")).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_new_program_prints_its_first_asset() {
    let sandbox = Sandbox::new();
    create(&sandbox, &[], "brand-new");
    let (out, err) = cargo(&sandbox, "brand-new", &["run", "-q"]);
    assert_eq!((out.as_str(), err.as_str()), ("Hello from an asset.\n", ""));

    // It has the features that README shows, and they read every file that README promises.
    let manifest = String::from_utf8(sandbox.read("brand-new/Cargo.toml")).unwrap();
    let features = "features = [\"hot-reload\", \"decoders\"] }";
    assert!(manifest.contains(features), "{manifest}");
    for page in [include_str!("../../../README.md"), include_str!("../../../rres-runtime/README.md")] {
        assert!(page.contains(&format!("rres-runtime = {{ version = \"0.1\", {features}")));
    }
    let start = include_str!("../../../book/src/start.md");
    assert!(start.contains("cargo add rres-runtime --features hot-reload,decoders "));
    for (name, bytes) in supported::files() {
        sandbox.write(&format!("brand-new/assets/{name}"), &bytes);
    }
    let (out, err) = cargo(&sandbox, "brand-new", &["run", "-q"]);
    assert_eq!(out, "Hello from an asset.\n", "{err}");
    // The files are such that a pack needs every decoder.
    sandbox.run(["build", "brand-new/assets", "-o", "packs"]).success();
    let module = String::from_utf8(sandbox.read("packs/assets.rs")).unwrap();
    let runtime = include_str!("../../../rres-runtime/Cargo.toml");
    let decoders = runtime.lines().find_map(|line| line.strip_prefix("decoders = ")).unwrap();
    for (at, _) in module.match_indices("::__require_") {
        let decoder = module[at + "::__require_".len()..].split('!').next().unwrap();
        assert!(decoders.contains(&format!("\"{decoder}\"")), "{decoder} is not in {decoders}");
    }
    assert_eq!(module.matches("::__require_").count(), decoders.split(',').count());
}

#[test]
fn a_new_library_exports_its_assets() {
    let sandbox = Sandbox::new();
    create(&sandbox, &["--lib"], "brand-new-library");
    let (out, err) = cargo(&sandbox, "brand-new-library", &["test", "-q", "--lib"]);
    assert!(out.contains("1 passed"), "{out}{err}");
}

#[test]
fn what_cargo_refuses_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("there/file", b"");
    sandbox
        .run(["new", "there"])
        .failed(2, &["there exists; choose another directory, or run `cargo rres init` in it"]);
    // An empty directory is none for `cargo new`, either.
    std::fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox.run(["new", "empty"]).failed(2, &["empty exists; "]);
    sandbox.run(["new", "1game"]).failed(2, &["`cargo new` failed: "]);
    assert!(!sandbox.path("1game").exists());
}

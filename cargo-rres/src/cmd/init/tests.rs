//! What `init` does to manifests in forms that few games have.

use std::path::Path;

use super::dependencies::{BUILD, RUNTIME, Wanted, crate_name};
use super::directory;
use super::manifest::Manifest;
use super::needs::Needs;

/// A manifest, the manifest of its workspace, and an assets directory with these files.
struct Case {
    manifest: Manifest,
    workspace: Manifest,
    needs: Needs,
}

impl Case {
    fn new(manifest: &str, workspace: &str, files: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let read = |name: &str, text: &str| {
            let file = dir.path().join(name);
            std::fs::write(&file, text).unwrap();
            Manifest::read(&file).unwrap()
        };
        let (manifest, workspace) = (read("a", manifest), read("b", workspace));
        let assets = dir.path().join("assets");
        std::fs::create_dir(&assets).unwrap();
        files.iter().for_each(|file| std::fs::write(assets.join(file), "").unwrap());
        Self { manifest, workspace, needs: Needs::of(&assets) }
    }

    /// The manifest with the dependencies.
    fn added(mut self, is_tool: bool) -> Manifest {
        let workspace = &self.workspace.document;
        let wanted = Wanted { needs: &self.needs, is_tool, checkout: None, script: "", workspace };
        self.manifest.add_dependencies(&wanted).unwrap();
        self.manifest
    }

    fn text(self, is_tool: bool) -> String {
        self.added(is_tool).changed().unwrap().0
    }

    fn names(&self) -> [String; 2] {
        [RUNTIME, BUILD].map(|of| crate_name(&self.manifest.document, &self.workspace.document, of))
    }
}

#[test]
fn dependencies_of_the_workspace_are_used() {
    let workspace = "\
[workspace.dependencies]
rres = { package = \"rres-runtime\", path = \"a\", features = [\"hot-reload\"] }
rres-build = { path = \"b\", default-features = false }
";
    let case = || Case::new("[dependencies]\n", workspace, &["a.png", "a.flac"]);
    assert_eq!(case().names(), ["rres", "rres_build"]);
    let expected = "\
[dependencies]
rres = { workspace = true, features = [\"flac\"] }

[build-dependencies]
rres-build = { workspace = true, features = [\"image\", \"sound\"] }
";
    assert_eq!(case().text(false), expected);
    assert_eq!(case().text(true), expected.replace("\"image\", \"sound\"", "\"tool\""));

    // What a member has by the name that the workspace gives is seen, too.
    let member = "[dependencies]\nrres.workspace = true\n[build-dependencies]\nrres-build.workspace = true\n";
    let case = Case::new(member, workspace, &["a.txt"]);
    assert_eq!(case.names(), ["rres", "rres_build"]);
    assert_eq!(case.text(false), format!("{member}rres-build.features = [\"engine\"]\n"));

    // A member cannot take features away.
    let workspace = "[workspace.dependencies]\nrres-build = \"0.1\"\n";
    let manifest = Case::new("", workspace, &["a.png"]).added(true);
    let what = "[build-dependencies] rres-build: write `default-features = false, features = [\"tool\"]` into [workspace.dependencies]";
    assert_eq!(manifest.left, [what]);
    let text = Case::new("", workspace, &["a.png", "a.nbr"]).text(false);
    assert!(text.contains("rres-build = { workspace = true, features = [\"nbr\"] }\n"), "{text}");
}

#[test]
fn dependencies_of_a_target_are_kept_and_said() {
    let there = "[target.'cfg(unix)'.dependencies]\nrres = { package = \"rres-runtime\", version = \"0.1\" }\n";
    let case = Case::new(there, "", &["a.png", "a.flac"]);
    assert_eq!(case.names(), ["rres", "rres_build"]);
    let manifest = case.added(false);
    let note = "[target.'cfg(unix)'.dependencies] rres stays as it is, with its features: builds for other targets do not have it";
    assert_eq!(manifest.notes, [note]);
    let text = manifest.changed().unwrap().0;
    assert!(text.starts_with(there) && text.contains("rres-build = {") && !text.contains("\n[dependencies]"), "{text}");
}

#[test]
fn any_form_of_a_dependency_gets_the_features_that_the_files_need() {
    for (there, files, expected) in [
        (
            "rres-build = \"0.1\" # pinned",
            &["a.nbr"][..],
            "rres-build = { version = \"0.1\", features = [\"nbr\"] } # pinned",
        ),
        (
            "rres-build = { path = \"b\" }",
            &["a.opus", "a.exr"],
            "rres-build = { path = \"b\", features = [\"opus\", \"exr\"] }",
        ),
        ("rres-build.path = \"b\"", &["a.nbr"], "rres-build.path = \"b\"\nrres-build.features = [\"nbr\"]"),
        (
            "rres-build = { path = \"b\", default-features = false }",
            &["a.wav"],
            "rres-build = { path = \"b\", default-features = false, features = [\"sound\"] }",
        ),
    ] {
        let around = |line: &str| {
            format!(
                "[dependencies]\nrres-runtime = {{ path = \"a\", features = [\"decoders\"] }}\n[build-dependencies]\n{line}\n"
            )
        };
        assert_eq!(Case::new(&around(there), "", files).text(false), around(expected));
    }
    let there =
        "[dependencies]\nrres-runtime = \"0.1\"\n[build-dependencies]\nrres-build = { path = \"b\", features = 1 }\n";
    let manifest = Case::new(there, "", &["a.flac", "a.nbr"]).added(false);
    assert_eq!(manifest.left, ["[build-dependencies] rres-build: add the features nbr"]);
    assert!(manifest.changed().unwrap().0.contains("rres-runtime = { version = \"0.1\", features = [\"flac\"] }\n"));
    // Without files nothing is needed.
    assert!(Case::new(there, "", &[]).added(false).changed().is_none());
}

#[test]
fn comments_stay_where_they_are() {
    let there = "[package]\nname = \"game\"\n\n# The end.\n";
    let text = Case::new(there, "", &[]).text(false);
    assert!(text.starts_with(&format!("{there}\n[dependencies]\nrres-runtime = ")), "{text}");
    let there = "[dependencies]\nserde = \"1\"\n\n# The end.";
    let mut manifest = Case::new(there, "", &[]).added(false);
    manifest.add_profile(&[]).unwrap();
    let text = manifest.changed().unwrap().0;
    let (above, below) = text.split_once("\n\n# The end.\n\n").unwrap_or_else(|| panic!("{text}"));
    assert!(above.contains("serde = \"1\"\nrres-runtime = ") && !above.contains("[build-dependencies]"), "{text}");
    assert!(below.contains("[build-dependencies]\n") && below.contains("\n# Debug builds then load"), "{text}");

    let there = "[dependencies]\nrres-runtime = \"0.1\"\n[build-dependencies.rres-build]\nversion = \"0.1\"\nfeatures = [\"image\"] # mine\n";
    let expected = there.replace("[\"image\"]", "[\"tool\"]");
    assert_eq!(Case::new(there, "", &["a.txt"]).text(true), format!("{expected}default-features = false\n"));
}

#[test]
fn an_assets_directory_has_a_name_in_the_package() {
    for (typed, expected) in [("art", "art"), ("art/", "art"), ("./art//maps/.", "art/maps")] {
        assert_eq!(directory(Path::new("game"), Path::new(typed)).unwrap(), Path::new(expected), "{typed}");
    }
    for (typed, why) in [
        (".", "is the package game itself"),
        ("", "is the package"),
        ("a/..", "is not inside"),
        ("/a", "is not inside"),
    ] {
        let error = directory(Path::new("game"), Path::new(typed)).unwrap_err().to_string();
        assert!(error.contains(why), "{typed}: {error}");
    }
}

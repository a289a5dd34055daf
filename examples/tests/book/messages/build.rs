//! Messages of builds: each case is an assets directory with a fault.

use std::fs;
use std::path::Path;

use rres_build::Build;

use super::Case;
use crate::root;

/// Files of an assets directory, each with its contents.
type Files<'a> = &'a [(&'a str, &'a [u8])];

const PLAYER: &[u8] = include_bytes!("../../../assets/ui/player.png");
const GIF: &[u8] = b"GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";
const GLTF_2: &str = r#"{ "asset": { "version": "2.0" }"#;

/// An assets directory in a project of its own, which is removed with this value.
pub(super) struct Project(tempfile::TempDir);

impl Project {
    pub(super) fn new(files: Files<'_>) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        fs::create_dir(project.assets()).unwrap();
        files.iter().for_each(|(path, bytes)| project.write(path, bytes));
        project
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn assets(&self) -> std::path::PathBuf {
        self.path().join("assets")
    }

    pub(super) fn write(&self, path: &str, bytes: &[u8]) {
        let file = self.assets().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    pub(super) fn build(&self) -> Build {
        rres_build::import(self.assets())
            .name("game")
            .out_dir(self.path().join("out"))
            .cache_dir(self.path().join("cache"))
            .debug(false)
    }

    /// The message with the paths as a user sees them in a build: relative to the package.
    pub(super) fn shown(&self, message: &str) -> String {
        message.replace(&format!("{}/", self.path().display()), "")
    }

    fn fails(&self, build: Build) -> String {
        let error = build.build().expect_err("the build should fail");
        let diagnostics: Vec<String> = error.diagnostics().iter().map(|fault| self.shown(&fault.to_string())).collect();
        diagnostics.join("\n")
    }
}

/// What a release build of these files says.
fn build(files: Files<'_>) -> String {
    let project = Project::new(files);
    project.fails(project.build())
}

/// What it says about a settings file, with a few assets for its globs.
fn settings(text: &str) -> String {
    build(&[
        ("ui/player.png", PLAYER),
        ("ui/button.png", PLAYER),
        ("levels/1.txt", b"one"),
        ("assets.toml", text.as_bytes()),
    ])
}

fn fixture(path: &str) -> Vec<u8> {
    fs::read(root().join(path)).unwrap()
}

/// What lock mode says about `assets.lock` in these words, or without the file.
fn lock_mode(lock: Option<&str>) -> String {
    let project = Project::new(&[("levels/1.txt", b"one"), ("levels/2.txt", b"two")]);
    if let Some(lock) = lock {
        fs::write(project.path().join("assets.lock"), lock).unwrap();
    }
    project.fails(project.build().lock(true))
}

pub(super) const CASES: &[Case] = &[
    ("build/directory", || {
        let project = Project::new(&[]);
        fs::remove_dir(project.assets()).unwrap();
        project.fails(project.build())
    }),
    ("build/dangling-link", || {
        let project = Project::new(&[]);
        std::os::unix::fs::symlink("gone.png", project.assets().join("player.png")).unwrap();
        project.fails(project.build())
    }),
    ("build/case", || build(&[("ui/Player.png", PLAYER), ("ui/player.png", PLAYER)])),
    ("build/names", || build(&[("ui/a-b.txt", b""), ("ui/a_b.txt", b"")])),
    ("build/toml", || settings("[\"ui/*.png\"\nimage = { filter = \"nearest\" }\n")),
    ("build/section", || settings("[packs]\nname = \"game\"\n")),
    ("build/key", || settings("[\"ui/*.png\"]\ncompresion = \"zstd\"\n")),
    ("build/value", || settings("[\"ui/*.png\"]\nimage = { filter = \"neerest\" }\n")),
    ("build/type", || settings("[\"ui/*.png\"]\nignore = \"yes\"\n")),
    ("build/range", || settings("[\"ui/*.png\"]\nlevel = 40\n")),
    ("build/no-match", || settings("[\"ui/*.jpg\"]\nimage.mipmaps = true\n")),
    ("build/glob", || settings("[\"ui/*.{png,jpg\"]\nimage = { filter = \"nearest\" }\n")),
    ("build/contradiction", || settings("[\"ui/*.png\"]\nimage = { format = \"rgb8\", premultiply = true }\n")),
    ("build/several", || settings("[\"ui/*.png\"]\nid = 7\n")),
    ("build/same-id", || settings("[\"ui/player.png\"]\nid = 7\n[\"ui/button.png\"]\nid = 7\n")),
    ("build/budget", || settings("[budget]\n\"ui/**\" = \"100 B\"\n")),
    ("build/extension", || build(&[("hero.png", GIF)])),
    ("build/convert", || build(&[("hero.png", b"8BPS\0\x01\0\0\0\0\0\0\0\x03")])),
    ("build/lfs", || {
        let hash = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{hash}\nsize 12345\n");
        build(&[("hero.png", pointer.as_bytes())])
    }),
    ("build/unknown-bytes", || build(&[("hero.png", b"not a picture")])),
    ("build/empty", || build(&[("hero.png", b"")])),
    ("build/cut-image", || build(&[("hero.png", &PLAYER[..60])])),
    ("build/text", || build(&[("text/de.txt", b"Sch\xf6n, dass du da bist\n")])),
    ("build/cut-sound", || build(&[("wind.flac", &fixture("crates/test-data/fixtures/sound/stereo16.flac")[..900])])),
    ("build/codec", || {
        let mut speex = fixture("crates/test-data/fixtures/sound/opus.ogg");
        let mark = speex.windows(8).position(|bytes| bytes == b"OpusHead").unwrap();
        speex[mark..mark + 8].copy_from_slice(b"Speex   ");
        build(&[("song.ogg", &speex)])
    }),
    ("build/font", || build(&[("title.ttf", b"wOF2\0\x01\0\0\0\0\0\0")])),
    ("build/gltf-version", || build(&[("fox.gltf", br#"{ "asset": { "version": "1.0" } }"#)])),
    ("build/gltf-extension", || {
        build(&[(
            "fox.gltf",
            format!("{GLTF_2}, \"extensionsRequired\": [\"KHR_draco_mesh_compression\"] }}").as_bytes(),
        )])
    }),
    ("build/gltf-file", || {
        let mesh = r#", "buffers": [{ "uri": "fox.bin", "byteLength": 36 }],
            "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
            "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" }],
            "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }] }"#;
        build(&[("fox.gltf", format!("{GLTF_2}{mesh}").as_bytes())])
    }),
    ("build/several-faults", || {
        let settings = b"[\"ui/*.png\"]\nimage = { filter = \"neerest\" }\n";
        build(&[
            ("ui/player.png", PLAYER),
            ("hero.png", GIF),
            ("text/de.txt", b"Sch\xf6n\n"),
            ("assets.toml", settings),
        ])
    }),
    ("build/listing-missing", || {
        let project = Project::new(&[]);
        fs::remove_dir(project.assets()).unwrap();
        project.fails(project.build().allow_missing())
    }),
    ("build/lock-missing", || lock_mode(None)),
    ("build/lock-differs", || lock_mode(Some("0x7c6ea12c text levels/1.txt\n0x00000007 text levels/3.txt\n"))),
    ("build/lock-conflict", || lock_mode(Some("<<<<<<< HEAD\n0x7c6ea12c text levels/1.txt\n=======\n>>>>>>> art\n"))),
];

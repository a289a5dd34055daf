//! Messages of a running game: one case for each kind of error that a game can be made to meet.

use std::fs;
use std::ops::Range;

use rres_format::index::GroupSpec;
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{ByteSource, FromAsset, Id, Image, Link, Pack, PackOptions, Reply, Sound, Store, Text};

use super::Case;
use super::build::Project;

const PLAYER: &[u8] = include_bytes!("../../../assets/ui/player.png");

/// The pack of a few assets.
fn project() -> Project {
    let project = Project::new(&[
        ("ui/player.png", PLAYER),
        ("levels/1.txt", b"twelve rows"),
        ("video/intro.mp4", b"a film"),
        ("assets.toml", b"[\"video/*\"]\nkind = \"link\"\n"),
    ]);
    project.build().build().unwrap();
    project
}

fn pack(project: &Project) -> Pack {
    Pack::open(project.path().join("out/game.rres")).unwrap()
}

/// What a store of that pack says.
fn store(error: impl FnOnce(&Store) -> rres_runtime::Error) -> String {
    let project = project();
    let error = error(&Store::from_packs([pack(&project)]));
    project.shown(&error.to_string()).replace("out/game.rres", "game.rres")
}

fn level() -> Id<Text> {
    Id::from_path("levels/1.txt")
}

/// What a program says that is started in a directory without the pack, or with one of another build.
fn open(pack: &'static str) -> String {
    let location =
        rres_runtime::__private::Location { pack, dev: None, pack_path_tail: None, set_hash: [0; 16], types: &[] };
    let error = rres_runtime::__private::open(&location).unwrap_err().to_string();
    let exe = std::env::current_exe().unwrap();
    let exe_dir = exe.parent().unwrap();
    // Only Cargo sets OUT_DIR, so a player does not see the line.
    let lines = error.lines().filter(|line| !(line.starts_with("  ") && line.contains(env!("OUT_DIR"))));
    let text = lines.collect::<Vec<_>>().join("\n");
    text.replace(concat!(env!("OUT_DIR"), "/mods"), "/home/me/lantern")
        .replace(exe.to_str().unwrap(), "/home/me/lantern/lantern")
        .replace(exe_dir.to_str().unwrap(), "/home/me/lantern")
        .replace(exe_dir.parent().unwrap().to_str().unwrap(), "/home/me")
        .replace("winter", "lantern")
}

/// A pack on a server.
struct Server(Vec<u8>);

impl ByteSource for Server {
    fn name(&self) -> String {
        "https://example.org/game.rres".to_owned()
    }

    fn read(&self, range: Range<u64>, mut reply: Reply) {
        let at = |offset: u64| (offset as usize).min(self.0.len());
        let _ = reply.push(&self.0[at(range.start)..at(range.end)]);
        reply.finish();
    }
}

/// A level that does not make sense.
struct Level;

impl FromAsset for Level {
    type Source = Text;
    type Error = String;

    fn from_asset(text: &Text, _: &Store) -> Result<Self, String> {
        text.as_str().parse::<u32>().map(|_| Self).map_err(|e| format!("line 1 is \"{}\": {e}", text.as_str()))
    }
}

/// A level that needs itself.
#[derive(Debug)]
struct Circle;

impl FromAsset for Circle {
    type Source = Text;
    type Error = rres_runtime::Error;

    fn from_asset(_: &Text, store: &Store) -> Result<Self, rres_runtime::Error> {
        store.load(level().into_type::<Self>()).map(|_| Self)
    }
}

/// A level that mounts a pack.
struct Mounting;

impl FromAsset for Mounting {
    type Source = Text;
    type Error = rres_runtime::Error;

    fn from_asset(_: &Text, store: &Store) -> Result<Self, rres_runtime::Error> {
        store.mount(pack(&project())).map(|_| Self)
    }
}

pub(super) const CASES: &[Case] = &[
    ("run/NoAssets", || open("lantern")),
    ("run/NotEmbedded", || {
        let error = PackOptions::default().open_self("lantern.rres").unwrap_err().to_string();
        error.replace(std::env::current_exe().unwrap().to_str().unwrap(), "/home/me/lantern/lantern")
    }),
    ("run/BuildMismatch", || open("mods/winter")),
    ("run/IncompleteSet", || {
        let project = project();
        let location = rres_runtime::__private::Location {
            pack: "game",
            dev: None,
            pack_path_tail: None,
            set_hash: [0; 16],
            types: &[],
        };
        let twice = vec![pack(&project), pack(&project)];
        let error = rres_runtime::__private::from_packs(&location, twice).unwrap_err().to_string();
        project.shown(&error).replace("out/game.rres", "game.rres")
    }),
    ("run/NotInParts", || {
        let project = project();
        let mut foreign = fs::read(project.path().join("out/game.rres")).unwrap();
        foreign[16..20].copy_from_slice(b"IMGE");
        PackOptions::default().open_from(Server(foreign)).wait().unwrap_err().to_string()
    }),
    ("run/NotFound", || store(|store| store.load(Id::<Text>::from_path("levels/9.txt")).unwrap_err())),
    ("run/NoSuchPath", || store(|store| store.find("levels/l.txt").unwrap_err())),
    ("run/Stripped", || {
        let mut pack = PackBuilder::new();
        let text = rres_format::chunk::raw::raw_block(".txt", b"twelve rows");
        let chunk = StoredChunk::encode(FourCc::RAWD, &text, Compression::NONE, &mut Compressor::default()).unwrap();
        pack.push(Resource::new("levels/1.txt", vec![chunk]));
        pack.push_group(GroupSpec { name: rres_protocol::files::STRIPPED_GROUP.to_owned(), members: Vec::new() });
        let pack = PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap();
        Store::from_packs([pack]).find("levels/2.txt").unwrap_err().to_string()
    }),
    ("run/NoSuchFolder", || store(|store| store.folder("level").unwrap_err())),
    ("run/NoSuchGroup", || store(|store| store.group("level_1").unwrap_err())),
    ("run/WrongKind", || store(|store| store.find_typed::<Sound>("levels/1.txt").unwrap_err())),
    ("run/DependencyCycle", || store(|store| store.load(level().into_type::<Circle>()).unwrap_err())),
    ("run/BadLink", || {
        store(|store| {
            let link = store.load(store.find_typed::<Link>("video/intro.mp4").unwrap()).unwrap();
            store.follow(&link.get()).unwrap_err()
        })
        .replace(std::env::current_exe().unwrap().parent().unwrap().to_str().unwrap(), "/home/me/lantern")
    }),
    ("run/Format", || {
        let project = project();
        let file = project.path().join("game.rres");
        fs::write(&file, &fs::read(project.path().join("out/game.rres")).unwrap()[..200]).unwrap();
        project.shown(&Pack::open(file).unwrap_err().to_string())
    }),
    ("run/Io", || Pack::open("mods/winter.rres").unwrap_err().to_string()),
    ("run/Stale", || {
        store(|store| {
            let freed = store.load(level()).unwrap().downgrade();
            freed.get().unwrap_err()
        })
    }),
    ("run/NotReady", || store(|store| store.reserve(level()).handle().unwrap_err())),
    ("run/NotInserted", || store(|store| store.reserve_value::<Image>("made/map").unwrap().wait().unwrap_err())),
    ("run/AlreadyExists", || store(|store| store.insert("levels/1.txt", 7).unwrap_err())),
    ("run/Cancelled", || {
        store(|store| {
            let ids = store.folder("levels").unwrap();
            loop {
                let loading = store.load_group(ids.clone());
                loading.cancel();
                // A thread may have been faster.
                if let Err(error) = loading.wait() {
                    return error.errors()[0].clone();
                }
            }
        })
    }),
    ("run/OverlayConflict", || {
        let other = Project::new(&[("levels/1.txt", b""), ("assets.toml", b"[\"**\"]\nkind = \"raw\"\n")]);
        other.build().build().unwrap();
        other.shown(&store(|store| store.mount(pack(&other)).unwrap_err()))
    }),
    ("run/BadLocale", || store(|store| store.set_locale("fr-C").err().unwrap())),
    ("run/BadDensity", || store(|store| store.set_density(0.0).err().unwrap())),
    ("run/MountWhileLoading", || store(|store| store.load(level().into_type::<Mounting>()).err().unwrap())),
    ("run/Conversion", || store(|store| store.load(level().into_type::<Level>()).err().unwrap())),
];

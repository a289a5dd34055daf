//! Packs for servers: `placeholder = true`, and `cargo rres pack --placeholders`.

use std::path::Path;

use rres_runtime::{AssetKind, Font, Id, Image, PackOptions, Sound, Sprite, Store};
use rres_test_data::picture::plain_bmp;
use rres_test_data::sound::mono;

use super::Sandbox;

/// The assets of the example game.
fn example() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets").display().to_string()
}

fn open(pack: &Path) -> Store {
    Store::from_packs([PackOptions::default().open(pack).unwrap()])
}

#[test]
fn the_pack_of_the_example_for_servers_is_a_twentieth_and_loads_as_a_whole() {
    let sandbox = Sandbox::new();
    sandbox.run(["pack", &example(), "-o", "game.rres"]).success();
    let run = sandbox.run(["pack", &example(), "-o", "server.rres", "--placeholders"]).success();
    assert!(run.out.contains("stored as a placeholder, without its contents (5"), "{}", run.out);
    let (game, server) = (sandbox.read("game.rres").len(), sandbox.read("server.rres").len());
    assert!(server * 20 < game, "{server} of {game} bytes");
    sandbox.run(["verify", "server.rres"]).success();

    let entries = |pack: &str| -> Vec<(String, Option<AssetKind>)> {
        let pack = PackOptions::default().open(sandbox.path(pack)).unwrap();
        pack.entries().map(|entry| (entry.path.to_owned(), entry.kind)).collect()
    };
    let all = entries("server.rres");
    assert!(all == entries("game.rres") && all.len() > 70);
    let (game, server) = (open(&sandbox.path("game.rres")), open(&sandbox.path("server.rres")));
    rres_runtime::__private::register_unpacked(&server, rres_runtime::FourCc(*b"LEVL"));
    server.load_group(server.folder("").unwrap()).wait().unwrap();
    for (path, kind) in all {
        match kind {
            Some(AssetKind::Image) => {
                let image = server.load(Id::<Image>::from_path(&path)).unwrap().get();
                assert_eq!((image.width(), image.height()), (1, 1), "{path}");
            }
            Some(AssetKind::Sound) => {
                let id = Id::<Sound>::from_path(&path);
                let (ours, theirs) = (server.load(id).unwrap().get(), game.load(id).unwrap().get());
                assert_eq!((ours.sample_rate(), ours.channels()), (theirs.sample_rate(), theirs.channels()), "{path}");
                assert_eq!(
                    (ours.gain(), ours.is_looped(), ours.frames()),
                    (theirs.gain(), theirs.is_looped(), 1),
                    "{path}"
                );
            }
            Some(AssetKind::Font) => {
                assert_eq!(server.load(Id::<Font>::from_path(&path)).unwrap().get().strikes().len(), 1, "{path}");
            }
            _ => {}
        }
    }
}

#[test]
fn the_module_is_the_same_but_for_sizes() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.bmp", &plain_bmp(40, 30, [1, 2, 3]));
    sandbox.write("assets/icons/b.bmp", &plain_bmp(20, 10, [4, 5, 6]));
    sandbox.write("assets/icons/c.bmp", &plain_bmp(8, 8, [7, 8, 9]));
    sandbox.write("assets/step.wav", &mono(22_050, &[5; 500]));
    let atlas = "[\"icons/*\"]\nimage = { atlas = \"icons\" }\n";
    let module = |rules: &str| {
        sandbox.write("assets/assets.toml", format!("{atlas}{rules}").as_bytes());
        sandbox.run(["build", "assets", "-o", "out"]).success();
        String::from_utf8(sandbox.read("out/assets.rs")).unwrap()
    };
    let whole = module("");
    let server = module("[\"**\"]\nplaceholder = true\n");
    // What the compiler sees is the same: ids, kinds, facts and the set of assets. Comments and slots differ.
    let facts = |text: &str| {
        let (_, table) = text.split_once("static AllFacts").unwrap();
        table.split_once("\";").unwrap().0.to_owned()
    };
    assert_eq!(facts(&whole), facts(&server));
    let line = |text: &str, start: &str| text.lines().find(|line| line.trim().starts_with(start)).unwrap().to_owned();
    assert_eq!(line(&whole, "set_hash"), line(&server, "set_hash"));
    assert!(server.contains("placeholder of 40×30"), "{server}");

    // A sprite has the size of its picture, and its atlas has no pixel that is not transparent.
    let store = open(&sandbox.path("out/assets.rres"));
    let sprite = store.load(Id::<Sprite>::from_path("icons/b.bmp")).unwrap().get();
    assert_eq!(sprite.full_size(), (20, 10));
    // Windows replaces no file that is mapped.
    drop((sprite, store));
    // A setting of one file changes only that.
    let one = module("[\"step.wav\"]\nplaceholder = true\n");
    assert!(one.contains("placeholder of 0.02 s") && !one.contains("placeholder of 40×30"), "{one}");
}

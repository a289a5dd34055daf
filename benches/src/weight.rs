//! P16: how many crates `rres-runtime` brings, how long they take to compile, and how much they add to a game.

use std::fs;

use crate::figure::{Goal, figure};
use crate::inputs;
use crate::measure::{Seconds, run as run_command};
use crate::project::{Project, repository};
use crate::{Error, Options};

const EMPTY: &str = "fn main() { println!(\"hello\"); }\n";

const USES: &str = "
use rres_runtime::{Image, Pack, Sound, Store, Text};
fn main() {
    println!(\"hello\");
    let Some(file) = std::env::args().nth(1) else { return };
    let store = Store::from_packs([Pack::open(file).unwrap()]);
    for path in std::env::args().skip(2) {
        let id = store.find(&path).unwrap();
        if let Some(id) = id.typed::<Image>() {
            println!(\"{} pixels\", store.load(id).unwrap().get().data().len() / 4);
        }
        if let Some(id) = id.typed::<Sound>() {
            println!(\"{:?}\", store.load(id).unwrap().get());
        }
        if let Some(id) = id.typed::<Text>() {
            println!(\"{}\", store.load(id).unwrap().get().as_str());
        }
    }
}
";

/// A game with a picture, a sound and a text.
const GAME: &str = "
rres_runtime::include_assets!();
fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    println!(\"{}\", store.load(assets::PLAYER_PNG)?.get().width());
    println!(\"{}\", store.load(assets::HIT_WAV)?.get().sample_rate());
    println!(\"{}\", store.load(assets::LEVEL_TXT)?.get().as_str());
    Ok(())
}
";

const BUILD: &str = "fn main() { rres_build::import(\"assets\").build_or_exit(); }\n";

/// The dependencies that are compared, as `Cargo.toml` writes them.
const FEATURES: [(&str, &str); 6] = [
    ("no decompressor", "default-features = false"),
    ("lz4 only", "default-features = false, features = [\"lz4\"]"),
    ("zstd only", "default-features = false, features = [\"zstd\"]"),
    ("zstd-c only", "default-features = false, features = [\"zstd-c\"]"),
    ("default features", "features = []"),
    ("default and hot-reload", "features = [\"hot-reload\"]"),
];

/// Measures how many crates there are in P16, and how long they take to compile.
pub fn run(options: &Options) -> Result<(), Error> {
    let path = repository().join("rres-runtime");
    for (label, features) in FEATURES {
        let dependencies = format!("[dependencies]\nrres-runtime = {{ path = {path:?}, {features} }}\n");
        let game = Project::create("bench-weight", &dependencies, None, USES)?.with_cold_target("cold")?;
        let tree = run_command(&mut game.cargo(&["tree", "--edges=normal,build", "--prefix=none", "--format={p}"]))?;
        let mut crates: Vec<&str> = tree.stdout.lines().map(|line| line.trim_end_matches(" (*)")).collect();
        crates.sort_unstable();
        crates.dedup();
        crates.retain(|line| !line.starts_with("bench-weight "));
        let names: Vec<_> = crates.iter().filter_map(|line| line.split(' ').next()).collect();
        let what = format!("crates, {label}");
        figure("P16", what, crates.len() as f64, "", Goal::AtMost(25.0), names.join(" "));

        let hello = Project::create("bench-hello", "", None, EMPTY)?.with_cold_target("cold-hello")?;
        let profiles: &[(&str, &[&str])] =
            options.choose(&[("debug", &[]), ("release", &["--release"])], &[("release", &["--release"])]);
        for (profile, arguments) in profiles {
            let (bare, used) = (hello.build(arguments)?, game.build(arguments)?);
            let seconds = used.cpu - bare.cpu;
            let behind = format!("wall {}; hello world {} CPU", Seconds(used.wall), Seconds(bare.cpu));
            let what = format!("CPU seconds to compile, cold, {profile}, {label}");
            figure("P16", what, seconds, " s", Goal::AtMost(15.0), behind);
        }
    }
    Ok(())
}

/// Measures what the runtime adds to a release build of [`GAME`] in P16, which is the same on a busy machine.
pub fn sizes(_: &Options) -> Result<(), Error> {
    let hello = Project::create("bench-hello", "", None, EMPTY)?;
    hello.build(&["--release"])?;
    let bare = fs::metadata(hello.executable("release")?)?.len();
    let (runtime, build) = (repository().join("rres-runtime"), repository().join("rres-build"));
    for (label, features) in FEATURES {
        let dependencies = format!(
            "[dependencies]\nrres-runtime = {{ path = {runtime:?}, {features} }}\n\n\
             [build-dependencies]\nrres-build = {{ path = {build:?} }}\n"
        );
        let game = Project::create("bench-size", &dependencies, Some(BUILD), GAME)?;
        let assets = game.dir.join("assets");
        fs::create_dir_all(&assets)?;
        // The generated module asks for what decompresses the pack, which not all features have.
        fs::write(assets.join("assets.toml"), "[\"**\"]\ncompression = \"none\"\n")?;
        fs::write(assets.join("player.png"), inputs::png(64, 1)?)?;
        fs::write(assets.join("hit.wav"), inputs::wav(22_050, 2))?;
        fs::write(assets.join("level.txt"), inputs::text(100, 3))?;
        game.build(&["--release"])?;
        let with = fs::metadata(game.executable("release")?)?.len();
        let added = with.saturating_sub(bare) as f64 / 1000.0;
        let what = format!("KB added to a stripped release game, {label}");
        figure("P16", what, added, " KB", Goal::AtMost(400.0), format!("{with} - {bare} bytes"));
    }
    Ok(())
}

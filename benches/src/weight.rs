//! P16: how many crates `rres-runtime` brings, how long they take to compile, and how much they add to a program.

use std::fs;

use crate::figure::{Goal, figure};
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

/// The dependencies that are compared, as `Cargo.toml` writes them.
const FEATURES: [(&str, &str); 6] = [
    ("no decompressor", "default-features = false"),
    ("lz4 only", "default-features = false, features = [\"lz4\"]"),
    ("zstd only", "default-features = false, features = [\"zstd\"]"),
    ("zstd-c only", "default-features = false, features = [\"zstd-c\"]"),
    ("default features", "features = []"),
    ("default and hot-reload", "features = [\"hot-reload\"]"),
];

/// Measures P16.
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
        let size = |project: &Project| Ok::<_, Error>(fs::metadata(project.executable("release")?)?.len());
        let (bare, with) = (size(&hello)?, size(&game)?);
        let added = with.saturating_sub(bare) as f64 / 1000.0;
        let behind = format!("{with} - {bare} bytes");
        figure(
            "P16",
            format!("KB added to a stripped release program, {label}"),
            added,
            " KB",
            Goal::AtMost(300.0),
            behind,
        );
    }
    Ok(())
}

//! P11: how soon a running game shows an edit. Measures the time from a request to the serving build script until its
//! answer, and from closing the saved file until the game has the new value.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::figure::{Goal, figure};
use crate::import::bare;
use crate::inputs::{png, write_tree};
use crate::measure::{Seconds, median};
use crate::project::{Project, repository};
use crate::rebuild::stat_all;
use crate::{Error, Options};

/// A game that saves each file of a folder as the large image, and prints the time until it has the new value.
pub(crate) const MAIN: &str = r#"#![allow(dead_code)]
rres_runtime::include_assets!();
fn main() {
    let store = assets::open().unwrap();
    let Some(edits) = std::env::var_os("BENCH_EDITS") else { return };
    let events = store.events();
    let image = store.find_typed::<rres_runtime::Image>("large.png").unwrap();
    let mut image = store.load(image).unwrap().watch();
    let mut edits: Vec<_> = std::fs::read_dir(edits).unwrap().map(|edit| edit.unwrap().path()).collect();
    edits.sort();
    // The first update is for changes that were made while no game was running.
    std::thread::sleep(std::time::Duration::from_millis(2500));
    for edit in edits {
        let bytes = std::fs::read(edit).unwrap();
        std::fs::write("assets/large.png", bytes).unwrap();
        let closed = std::time::Instant::now();
        while image.changed().is_none() {
            assert!(closed.elapsed().as_secs() < 60, "{:?}", events.try_recv());
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
        println!("{}", closed.elapsed().as_secs_f64());
    }
}
"#;

/// Returns a game with `count` assets, in lock mode or not. It is not built yet.
pub(crate) fn game(name: &str, count: usize, lock: bool) -> Result<Project, Error> {
    let root = repository();
    let dependencies = format!(
        "[dependencies]\nrres-runtime = {{ path = {:?}, features = [\"hot-reload\"] }}\n\n[build-dependencies]\n\
         rres-build = {{ path = {:?}, default-features = false, features = [\"image\", \"sound\"] }}\n",
        root.join("rres-runtime"),
        root.join("rres-build")
    );
    let build = format!("fn main() {{ rres_build::import(\"assets\").lock({lock}).build_or_exit(); }}\n");
    let game = Project::create(name, &dependencies, Some(&build), MAIN)?;
    let (assets, lock) = (game.dir.join("assets"), game.dir.join("assets.lock"));
    if assets.exists() {
        fs::remove_dir_all(&assets)?;
    }
    if lock.exists() {
        fs::remove_file(&lock)?;
    }
    write_tree(&assets, count)?;
    Ok(game)
}

/// How long to wait until no file is young. Young files are read again, because they could have changed within one tick
/// of the clock.
pub(crate) const SETTLED: Duration = Duration::from_millis(2500);

/// Width and height of the large image: about 1 MB as PNG.
const SIDE: u32 = 920;

/// Measures P11.
pub fn run(options: &Options) -> Result<(), Error> {
    for count in [100, options.choose(10_000, 1_000)] {
        let game = game(&format!("bench-live-{count}"), count, false)?;
        let assets = game.dir.join("assets");
        let large = assets.join("large.png");
        fs::write(&large, png(SIDE, 1)?)?;
        game.build(&[])?;
        let mut server = Server::start(&game)?;
        std::thread::sleep(SETTLED);
        server.update()?;

        let mut idle = Vec::new();
        let mut stat = Vec::new();
        for _ in 0..options.choose(31, 5) {
            idle.push(server.update()?);
            let started = Instant::now();
            stat_all(&assets)?;
            stat.push(started.elapsed().as_secs_f64());
        }
        let (idle, stat) = (median(idle), median(stat));
        let behind = format!("{} / {}, wall", Seconds(idle), Seconds(stat));
        let what = format!("update with nothing changed, {count} assets / bare stat");
        figure("P11", what, idle / stat, "×", Goal::Context, behind);

        let mut edit = Vec::new();
        let mut import = Vec::new();
        for round in 0..options.choose(9, 3) {
            let bytes = png(SIDE, 100 + round)?;
            fs::write(&large, &bytes)?;
            edit.push(server.update()?);
            let started = Instant::now();
            bare(&large)?;
            import.push(started.elapsed().as_secs_f64());
        }
        let (edit, import) = (median(edit), median(import));
        let size = fs::metadata(&large)?.len() as f64 / 1e6;
        let behind = format!("{} − {} to decode and compress it, wall", Seconds(edit), Seconds(import));
        let what = format!("update after the edit of a PNG of {size:.1} MB, {count} assets, beyond its import");
        figure("P11", what, (edit - import) * 1e3, " ms", Goal::AtMost(100.0), behind);

        let mut small = Vec::new();
        for round in 0..options.choose(9, 3) {
            fs::write(assets.join("area_000/asset_00000.png"), png(32, 1_000_000 + round)?)?;
            small.push(server.update()?);
        }
        let small = median(small);
        let what = format!("update after the edit of a small PNG, {count} assets");
        figure("P11", what, small * 1e3, " ms", Goal::AtMost(100.0), "wall");
        server.end()?;

        let edits = game.dir.join("edits");
        fs::create_dir_all(&edits)?;
        let rounds = options.choose(21, 3);
        for round in 0..rounds {
            fs::write(edits.join(format!("{round:02}.png")), png(SIDE, 1000 + round)?)?;
        }
        let mut run = game.cargo(&["run", "--quiet"]);
        let used = crate::measure::run(run.env("BENCH_EDITS", &edits))?;
        let mut shown = used.stdout.lines().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        shown.sort_by(f64::total_cmp);
        if shown.len() != rounds as usize {
            return Err("the game did not show every edit".into());
        }
        let shown_median = median(shown.clone());
        let behind = format!(
            "{} from close() to the new value, {} at worst − {} to decode and compress it, wall",
            Seconds(shown_median),
            Seconds(shown[shown.len() - 1]),
            Seconds(import)
        );
        let what = format!("PNG of {size:.1} MB saved until the game has it, {count} assets, beyond its import");
        figure("P11", what, (shown_median - import) * 1e3, " ms", Goal::AtMost(100.0), behind);
    }
    Ok(())
}

/// A serving build script.
pub(crate) struct Server {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Server {
    pub(crate) fn start(game: &Project) -> Result<Self, Error> {
        let manifest = script_manifest(game)?;
        let text = fs::read_to_string(&manifest)?;
        let value = |word: &str| text.lines().find_map(|line| line.strip_prefix(word)).ok_or("damaged script manifest");
        let mut command = Command::new(value("script ")?);
        command.current_dir(value("dir ")?).stdin(Stdio::piped()).stdout(Stdio::piped());
        let variables = text.lines().filter_map(|line| line.strip_prefix("env ")?.split_once('='));
        command.envs(variables).env("RRES_SERVE", manifest.file_stem().ok_or("the script manifest has no name")?);
        let mut child = command.spawn()?;
        let (requests, answers) = child.stdin.take().zip(child.stdout.take()).ok_or("no pipes")?;
        let mut server = Self { child, requests, answers: BufReader::new(answers) };
        server.wait_for("rres: ready")?;
        Ok(server)
    }

    /// Asks for an update, and returns the seconds until the answer was complete.
    pub(crate) fn update(&mut self) -> Result<f64, Error> {
        let started = Instant::now();
        self.requests.write_all(b"update\n")?;
        self.wait_for("rres: done")?;
        Ok(started.elapsed().as_secs_f64())
    }

    fn wait_for(&mut self, start: &str) -> Result<(), Error> {
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                return Err("the build script has ended".into());
            }
            if line.starts_with("rres: failed") {
                return Err(line.into());
            }
            if line.starts_with(start) {
                return Ok(());
            }
        }
    }

    pub(crate) fn end(mut self) -> Result<(), Error> {
        drop(self.requests);
        self.child.wait()?;
        Ok(())
    }
}

/// Returns the script manifest that the build of the game has written.
fn script_manifest(game: &Project) -> Result<PathBuf, Error> {
    let used = crate::measure::run(&mut game.cargo(&["build", "--quiet", "--message-format=json"]))?;
    let lines = used.stdout.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let name = game.dir.file_name().and_then(|name| name.to_str()).ok_or("the project has no name")?;
    let manifests = lines
        .filter(|line| line["reason"] == "build-script-executed")
        .filter_map(|line| Some(Path::new(line["out_dir"].as_str()?).join(format!("{name}.serve"))));
    manifests.into_iter().find(|file| file.exists()).ok_or_else(|| "the build script wrote no manifest".into())
}

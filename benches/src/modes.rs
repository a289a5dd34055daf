//! The time of the next `cargo build` after an edit, when the build watches the directory and in lock mode. The edits
//! are: none, the contents of one asset, one more asset, one asset that moves.

use std::fs;

use crate::figure::{Goal, figure};
use crate::inputs::png;
use crate::live::{SETTLED, Server, game};
use crate::measure::{Seconds, median};
use crate::{Error, Options};

const EDITS: [&str; 4] = ["nothing", "the contents of one", "one more", "one moved"];

/// Measures all four edits in both modes.
pub fn run(options: &Options) -> Result<(), Error> {
    for count in options.choose(vec![100, 1_000, 10_000], vec![100]) {
        for lock in [false, true] {
            let mode = if lock { "lock mode" } else { "watching" };
            let game = game(&format!("bench-mode-{lock}-{count}"), count, lock)?;
            let assets = game.dir.join("assets");
            game.build(&[])?;
            // Cargo compares times in whole seconds on some systems, and the lock file is as young as the build.
            std::thread::sleep(SETTLED);
            game.build(&[])?;
            let mut server = Server::start(&game)?;
            server.update()?;
            let mut wall: [Vec<f64>; 4] = Default::default();
            let mut cpu = wall.clone();
            let mut shown = wall.clone();
            let mut compiled = [0; 4];
            for round in 0..options.choose(5, 2) {
                for edit in 0..EDITS.len() {
                    let new = assets.join(format!("area_000/new_{round}.png"));
                    match edit {
                        1 => fs::write(assets.join("area_000/asset_00000.png"), png(32, 2_000_000 + round)?)?,
                        2 => fs::write(&new, png(32, 3_000_000 + round)?)?,
                        3 => fs::rename(&new, new.with_file_name(format!("moved_{round}.png")))?,
                        _ => {}
                    }
                    // The update of a running game, which in lock mode also writes the lock file.
                    shown[edit].push(server.update()?);
                    // The answer is sent before the script has written what only the next start needs. The answer to a
                    // second update comes after that.
                    server.update()?;
                    let used = game.build(&[])?;
                    wall[edit].push(used.wall);
                    cpu[edit].push(used.cpu);
                    compiled[edit] = usize::from(used.cpu > 1.5 * median(cpu[0].clone()));
                }
            }
            server.end()?;
            for edit in 0..EDITS.len() {
                let [wall, cpu, shown] = [&wall, &cpu, &shown].map(|column| median(column[edit].clone()));
                let behind = format!(
                    "{} CPU; {}; a running game waits {}",
                    Seconds(cpu),
                    if compiled[edit] == 0 { "fresh" } else { "recompiled" },
                    Seconds(shown)
                );
                let what = format!("cargo build after an edit of {}, {count} assets, {mode}", EDITS[edit]);
                figure("modes", what, wall, " s", Goal::Context, behind);
            }
        }
    }
    Ok(())
}

//! Compares what rres computes by itself with the best libraries for it: blocks of GPUs with astcenc, etcpak and bc7e; the order of
//! triangles, levels of detail and meshlets with meshoptimizer; resampling with SoX.
//!
//! All sides have the same inputs, and their results are measured by one function that belongs to neither. Times are CPU seconds of the
//! thread or process, of ways that run in turn; the median over the rounds is printed.

mod blocks;
mod clock;
mod distance;
mod levels;
mod meshes;
mod meshlets;
mod order;
mod pictures;
mod sounds;
mod sox;

use std::path::PathBuf;
use std::process::ExitCode;

type Error = Box<dyn std::error::Error>;

const USAGE: &str = "usage: rres-quality [--rounds N] blocks DIR[=COUNT]… | meshes FILE… | sounds
  blocks  pictures below each DIR, COUNT of them chosen by the hash of their contents (24)
  meshes  .obj and .glb files
  sounds  no files; needs `sox` in PATH";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Error> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut rounds = 3;
    if arguments.first().is_some_and(|first| first == "--rounds") {
        rounds = arguments.get(1).and_then(|count| count.parse().ok()).filter(|count| *count > 0).ok_or(USAGE)?;
        arguments.drain(..2);
    }
    match arguments.split_first() {
        Some((command, folders)) if command == "blocks" && !folders.is_empty() => {
            blocks::compare(&pictures::choose(folders)?, rounds)
        }
        Some((command, files)) if command == "meshes" && !files.is_empty() => {
            let paths: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
            let meshes = meshes::read(&paths)?;
            order::compare(&meshes, rounds);
            levels::compare(&meshes, rounds);
            meshlets::compare(&meshes, rounds);
            Ok(())
        }
        Some((command, [])) if command == "sounds" => sounds::compare(rounds),
        _ => Err(USAGE.into()),
    }
}

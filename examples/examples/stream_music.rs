//! Reads music piece by piece, without loading it. An audio library takes the stream as `Read + Seek`.
//!
//! ```sh
//! cargo run -p rres-examples --example stream_music
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

rres_runtime::include_assets!();

use std::io::{Read, Seek, SeekFrom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store = assets::open()?;

    // In assets.toml: ["music/**"] sound = { store = "source", loop = true }
    let mut music = store.stream(assets::music::FOREST_WAV)?;
    println!("a {} file of {} bytes", music.extension(), music.len());

    // A decoder does the same: it reads the header first, then the samples block by block.
    let mut header = [0; 44];
    music.read_exact(&mut header)?;
    let rate = u32::from_le_bytes(header[24..28].try_into()?);
    let (mut block, mut peak, mut samples) = ([0; 512], 0, 0);
    loop {
        let count = music.read(&mut block)?;
        if count == 0 {
            break;
        }
        for sample in block[..count].chunks_exact(2) {
            peak = peak.max(i16::from_le_bytes([sample[0], sample[1]]).unsigned_abs());
            samples += 1;
        }
    }
    println!("{samples} samples at {rate} Hz, the loudest is {peak}");

    // To loop, go back to the first sample.
    music.seek(SeekFrom::Start(44))?;
    println!("assets loaded: {}", store.stats().loads);
    Ok(())
}

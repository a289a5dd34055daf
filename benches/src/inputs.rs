//! Generates inputs like a game's from a seed: sprites, sounds, texts. They are the same on every machine and in
//! every run.

use std::io::Write as _;
use std::path::Path;

use crate::Error;

/// Xorshift: a small and fast generator with the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the generator for a seed; each seed has its own sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((self.next() >> 32) * bound) >> 32
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// Returns the RGBA8 pixels of a sprite: soft shapes on a transparent background, with the grain of painted art.
pub fn sprite(edge: u32, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let edge_f = edge as f32;
    let shapes: Vec<[f32; 7]> = (0..12)
        .map(|_| {
            let mut part = || random.below(1000) as f32 / 1000.0;
            [part() * edge_f, part() * edge_f, (0.08 + part() * 0.22) * edge_f, part(), part(), part(), part()]
        })
        .collect();
    let mut pixels = Vec::with_capacity(edge as usize * edge as usize * 4);
    for y in 0..edge {
        for x in 0..edge {
            let mut pixel = [0u8; 4];
            for [cx, cy, radius, red, green, blue, grain] in &shapes {
                let (dx, dy) = (x as f32 - cx, y as f32 - cy);
                let distance = (dx * dx + dy * dy).sqrt() / radius;
                if distance < 1.0 {
                    let light = 0.55 + 0.45 * (1.0 - distance);
                    let noise = if *grain > 0.6 { random.below(9) as f32 - 4.0 } else { 0.0 };
                    let channel = |color: &f32| (color * light * 255.0 + noise).clamp(0.0, 255.0) as u8;
                    let alpha = ((1.0 - distance) * radius * 255.0).min(255.0) as u8;
                    pixel = [channel(red), channel(green), channel(blue), alpha];
                }
            }
            pixels.extend_from_slice(&pixel);
        }
    }
    pixels
}

/// Returns a PNG file of a sprite.
///
/// # Errors
/// If encoding fails.
pub fn png(edge: u32, seed: u64) -> Result<Vec<u8>, Error> {
    use image::ImageEncoder as _;
    let mut file = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut file);
    encoder.write_image(&sprite(edge, seed), edge, edge, image::ExtendedColorType::Rgba8)?;
    Ok(file)
}

/// Returns a WAV file: 16-bit mono at 22,050 Hz, a decaying tone with some noise.
pub fn wav(samples: u32, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let step = 0.02 + random.below(100) as f32 / 500.0;
    let mut file = Vec::with_capacity(44 + samples as usize * 2);
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&(36 + samples * 2).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt ");
    for number in [16u32, 1 | 1 << 16, 22_050, 44_100, 2 | 16 << 16] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(b"data");
    file.extend_from_slice(&(samples * 2).to_le_bytes());
    for i in 0..samples {
        let decay = 1.0 - i as f32 / samples as f32;
        let sample = (i as f32 * step).sin() * 12_000.0 * decay + random.below(64) as f32;
        file.extend_from_slice(&(sample as i16).to_le_bytes());
    }
    file
}

/// Returns a JSON text like a game's level or dialogue.
pub fn text(lines: u64, seed: u64) -> Vec<u8> {
    const WORDS: [&str; 8] = ["door", "lantern", "guard", "river", "open", "walk", "north", "coin"];
    let mut random = Random::new(seed);
    let mut file = b"[\n".to_vec();
    for line in 0..lines {
        let (a, b) = (WORDS[random.below(8) as usize], WORDS[random.below(8) as usize]);
        let (x, y) = (random.below(4096), random.below(4096));
        // Writing to a vector cannot fail.
        let _ = writeln!(file, "  {{\"id\": {line}, \"what\": \"{a} {b}\", \"x\": {x}, \"y\": {y}}},");
    }
    file.extend_from_slice(b"  {}\n]\n");
    file
}

/// Returns a text like a game's letters and books.
pub fn prose(sentences: u64, seed: u64) -> Vec<u8> {
    const WORDS: [&str; 24] = [
        "the", "a", "old", "keeper", "of", "light", "walks", "to", "harbour", "and", "waits", "for", "ship", "that",
        "left", "in", "storm", "with", "her", "letter", "north", "every", "night", "before",
    ];
    let mut random = Random::new(seed);
    let mut file = String::new();
    for _ in 0..sentences {
        let start = file.len();
        for _ in 0..5 + random.below(12) {
            file.push_str(WORDS[random.below(WORDS.len() as u64) as usize]);
            file.push(' ');
        }
        file.pop();
        file[start..=start].make_ascii_uppercase();
        file.push_str(".\n");
    }
    file.into_bytes()
}

/// Writes a tree of `count` small files. Of ten files four are PNG, two WAV, three JSON, and one is of an unknown kind.
///
/// # Errors
/// If a file cannot be written.
pub fn write_tree(dir: &Path, count: usize) -> Result<(), Error> {
    // Real trees contain few distinct sizes. The seed makes the contents distinct.
    const EDGES: [u32; 4] = [8, 16, 24, 32];
    for i in 0..count {
        let seed = i as u64 + 1;
        let folder = dir.join(format!("area_{:03}", i / 100));
        if i % 100 == 0 {
            std::fs::create_dir_all(&folder)?;
        }
        let (extension, bytes) = match i % 10 {
            0..4 => ("png", png(EDGES[i / 10 % 4], seed)?),
            4..6 => ("wav", wav(800 + (i % 700) as u32, seed)),
            6..9 => ("json", text(4 + seed % 24, seed)),
            _ => ("dat", sprite(8, seed)),
        };
        std::fs::write(folder.join(format!("asset_{i:05}.{extension}")), bytes)?;
    }
    Ok(())
}

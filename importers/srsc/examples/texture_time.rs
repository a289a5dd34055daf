//! How fast textures become pixels, compared with only decompressing them. The ratios are printed; on one machine, in one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rres_import_srsc::write::zlib;
use rres_import_srsc::{Items, Limits, Ref, Texture, TextureFlags};

const EDGE: u32 = 256;

/// Times two functions by turns, and returns the shortest time of each.
fn shortest(mut first: impl FnMut(), mut second: impl FnMut()) -> [Duration; 2] {
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    let mut best = [Duration::MAX; 2];
    for _ in 0..200 {
        best[0] = best[0].min(time(&mut first));
        best[1] = best[1].min(time(&mut second));
    }
    best
}

/// Pixels that compress about as well as pictures do: soft shades with a little noise.
fn pixels(bits: u16) -> Vec<u8> {
    let bytes = usize::from(bits / 8);
    let mut state = 1_u32;
    let pixel = |x: u32, y: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let shade = (x * y / 97 + (state >> 30)) as u8;
        [shade, shade / 2, 255 - shade, 255]
    };
    let positions = (0..EDGE).flat_map(|y| (0..EDGE).map(move |x| (x, y)));
    positions.scan(pixel, |pixel, (x, y)| Some(pixel(x, y))).flat_map(|p| p.into_iter().take(bytes)).collect()
}

#[allow(clippy::print_stdout, reason = "a measurement is printed")]
fn main() {
    let palette: Items<'_, [u8; 4]> = (0..=255_u8).map(|i| [i, 255 - i, i / 2, 0]).collect();
    for (name, bits, alpha_bits) in [
        ("8", 8, 0),
        ("16", 16, 0),
        ("16, alpha 1", 16, 1),
        ("16, alpha 4", 16, 4),
        ("24", 24, 0),
        ("32, alpha 8", 32, 8),
    ] {
        let raw = pixels(bits);
        let texture = Texture {
            width: EDGE,
            height: EDGE,
            pitch: EDGE * u32::from(bits) / 8,
            bits,
            alpha_bits,
            color_key: Texture::NO_KEY,
            mip: Ref::default(),
            alternate: Ref::default(),
            bump: Ref::default(),
            fps: 0,
            flags: if alpha_bits > 0 { TextureFlags::ALPHA } else { TextureFlags::default() },
            mip_number: 0,
            material: Ref::default(),
            reference_count: 1,
            level: 6,
            data: zlib(&raw, 6).into(),
            alpha_map: None,
        };
        let limits = Limits::default();
        let [rows, picture] = shortest(
            || drop(black_box(texture.rows(&limits).expect("whole data"))),
            || drop(black_box(texture.to_rgba8(Some(&palette), None, &limits).expect("whole data"))),
        );
        let share = 100.0 * texture.data.len() as f64 / raw.len() as f64;
        let speed = 100.0 * rows.as_secs_f64() / picture.as_secs_f64();
        println!(
            "{name} bits, compressed to {share:.0} %: decompressed {rows:?}, decoded {picture:?}, {speed:.0} % of the speed"
        );
    }
}

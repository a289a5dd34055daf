//! Blocks of GPUs: ASTC beside astcenc, ETC2 beside etcpak, BC7 beside bc7e, in decibels and CPU seconds.

mod encoders;

use texture2ddecoder as decoder;

use self::encoders::{Encoder, encoders};
use crate::Error;
use crate::clock::in_turn;
use crate::pictures::Picture;

/// A format that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// ASTC with blocks of this edge.
    Astc(u32),
    /// ETC2 without alpha.
    Etc2,
    /// ETC2 with alpha in EAC.
    Etc2Alpha,
    Bc7,
}

impl Format {
    fn name(self) -> String {
        match self {
            Self::Astc(edge) => format!("ASTC {edge}×{edge}"),
            Self::Etc2 => "ETC2".into(),
            Self::Etc2Alpha => "ETC2 + EAC".into(),
            Self::Bc7 => "BC7".into(),
        }
    }
}

/// Prints a table for each format, of the opaque pictures and of those with alpha.
pub fn compare(pictures: &[Picture], rounds: usize) -> Result<(), Error> {
    let (opaque, alpha): (Vec<&Picture>, Vec<&Picture>) = pictures.iter().partition(|picture| picture.is_opaque());
    let pixels = |of: &[&Picture]| of.iter().map(|picture| picture.pixels.len()).sum::<usize>() as f64 / 1e6;
    println!(
        "{} opaque pictures, {:.2} Mpx; {} with alpha, {:.2} Mpx",
        opaque.len(),
        pixels(&opaque),
        alpha.len(),
        pixels(&alpha)
    );
    println!(
        "\nPSNR = 10 log10(255² / mean of the squared errors), over all numbers of all pictures. CPU seconds for a million pixels.\n"
    );
    println!("| format | encoder | opaque: RGB dB | s/Mpx | with alpha: RGBA dB | s/Mpx |");
    println!("|---|---|---|---|---|---|");
    for format in [Format::Astc(4), Format::Astc(6), Format::Astc(8), Format::Bc7, Format::Etc2, Format::Etc2Alpha] {
        let encoders = encoders(format);
        let mut cells = vec![String::new(); encoders.len()];
        for (set, takes) in [(&opaque, format != Format::Etc2Alpha), (&alpha, format != Format::Etc2)] {
            let found = if takes && !set.is_empty() { measure(&encoders, format, set, rounds)? } else { Vec::new() };
            for (i, cell) in cells.iter_mut().enumerate() {
                *cell += &found.get(i).map_or(" – | – |".into(), |(psnr, seconds)| {
                    format!(" {psnr:.2} | {:.3} |", seconds / pixels(set))
                });
            }
        }
        for (encoder, cells) in encoders.iter().zip(cells) {
            println!("| {} | {} |{cells}", format.name(), encoder.name);
        }
    }
    Ok(())
}

/// The quality and the CPU seconds of each encoder.
fn measure(
    encoders: &[Encoder],
    format: Format,
    pictures: &[&Picture],
    rounds: usize,
) -> Result<Vec<(f64, f64)>, Error> {
    let mut ways: Vec<Box<dyn FnMut() -> Vec<Vec<u8>> + '_>> = encoders
        .iter()
        .map(|encoder| Box::new(|| pictures.iter().map(|picture| (encoder.encode)(picture)).collect()) as Box<_>)
        .collect();
    in_turn(rounds, &mut ways)
        .into_iter()
        .map(|(blocks, seconds)| Ok((psnr(format, pictures, &blocks)?, seconds)))
        .collect()
}

/// The peak signal-to-noise ratio of all pictures together. Colours of invisible pixels do not count.
fn psnr(format: Format, pictures: &[&Picture], blocks: &[Vec<u8>]) -> Result<f64, Error> {
    let (mut sum, mut count) = (0u64, 0u64);
    for (picture, blocks) in pictures.iter().zip(blocks) {
        let decoded = decode(format, picture, blocks)?;
        let channels = if picture.is_opaque() { 0..3 } else { 0..4 };
        for (pixel, found) in picture.pixels.iter().zip(decoded) {
            for channel in channels.clone().filter(|channel| *channel == 3 || pixel[3] > 0) {
                sum += u64::from(pixel[channel].abs_diff(found[channel])).pow(2);
                count += 1;
            }
        }
    }
    Ok(10.0 * (255.0f64.powi(2) * count as f64 / (sum as f64).max(1.0)).log10())
}

/// The pixels of blocks, by a decoder that is none of the encoders'.
fn decode(format: Format, picture: &Picture, blocks: &[u8]) -> Result<Vec<[u8; 4]>, Error> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let mut pixels = vec![0u32; width * height];
    match format {
        Format::Astc(edge) => decoder::decode_astc(blocks, width, height, edge as usize, edge as usize, &mut pixels),
        Format::Etc2 => decoder::decode_etc2_rgb(blocks, width, height, &mut pixels),
        Format::Etc2Alpha => decoder::decode_etc2_rgba8(blocks, width, height, &mut pixels),
        Format::Bc7 => decoder::decode_bc7(blocks, width, height, &mut pixels),
    }?;
    Ok(pixels
        .into_iter()
        .map(|pixel| {
            let [blue, green, red, alpha] = pixel.to_le_bytes();
            [red, green, blue, alpha]
        })
        .collect())
}

//! What the peers load from: zip archives, and files of pixels that a general compressor made.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use crate::Error;
use crate::measure::run;
use crate::sets::Set;

/// Makes an archive of the files with the command `zip -9`.
///
/// # Errors
/// If the command is missing or fails.
pub fn zip_of_sources(set: &Set) -> Result<PathBuf, Error> {
    let archive = set.dir.path().join("sources.zip");
    let names = set.dir.path().join("names");
    fs::write(&names, set.sources.iter().map(|source| format!("{}\n", source.path)).collect::<String>())?;
    let command = "zip -9 -q \"$1\" -@ < \"$2\"";
    run(Command::new("sh").args(["-c", command, "sh"]).arg(&archive).arg(&names).current_dir(set.folder()))?;
    Ok(archive)
}

/// The pixels of every image of a set, as RGBA8.
///
/// # Errors
/// If a file is not an image.
pub fn pixels(set: &Set) -> Result<Vec<image::RgbaImage>, Error> {
    set.sources.iter().map(|source| Ok(image::load_from_memory(&source.bytes)?.into_rgba8())).collect()
}

/// Makes an archive of pixels, compressed by zstd at level 19.
///
/// # Errors
/// If it cannot be written.
pub fn zip_of_pixels(set: &Set, images: &[image::RgbaImage]) -> Result<PathBuf, Error> {
    let archive = set.dir.path().join("pixels.zip");
    let mut zip = zip::ZipWriter::new(File::create(&archive)?);
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Zstd);
    for (source, image) in set.sources.iter().zip(images) {
        zip.start_file(format!("{}.rgba", source.path), options.compression_level(Some(19)))?;
        zip.write_all(image)?;
    }
    zip.finish()?;
    Ok(archive)
}

/// A compressor of pixels.
#[derive(Clone, Copy, Debug)]
pub enum Blob {
    /// zstd at a level.
    Zstd(i32),
    /// LZ4, by the fast encoder.
    Lz4,
    /// QOI.
    Qoi,
}

/// Makes a file of the pixels as the loader `blobs` expects it.
///
/// # Errors
/// If it cannot be written.
pub fn blob(set: &Set, images: &[image::RgbaImage], how: Blob) -> Result<PathBuf, Error> {
    let (name, extension) = match how {
        Blob::Zstd(level) => (format!("level-{level}"), "zst"),
        Blob::Lz4 => ("fast".to_owned(), "lz4"),
        Blob::Qoi => ("pixels".to_owned(), "qoi"),
    };
    let (mut file, mut table) = (Vec::new(), Vec::new());
    for image in images {
        let stored = match how {
            Blob::Zstd(level) => zstd::bulk::compress(image, level)?,
            Blob::Lz4 => lz4_flex::block::compress(image),
            Blob::Qoi => qoi::encode_to_vec(image.as_raw(), image.width(), image.height())?,
        };
        table.extend_from_slice(&(file.len() as u64).to_le_bytes());
        table.extend_from_slice(&(stored.len() as u64).to_le_bytes());
        table.extend_from_slice(&u32::try_from(image.len())?.to_le_bytes());
        file.extend_from_slice(&stored);
    }
    file.extend_from_slice(&table);
    let path = set.dir.path().join(name).with_extension(extension);
    fs::write(&path, file)?;
    Ok(path)
}

//! `cargo rres extract`: a pack → a tree of files.
//!
//! Raw files, texts and sounds kept in their source form come out byte for byte. Pixels become `.qoi`, samples become
//! `.wav`: the same picture and sound as far as the form can hold them, but not the source file. The rest is named as
//! skipped.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use rres_format::{AssetKind, Cipher, FourCc, normalize_path};
use rres_runtime::asset::{PixelFormat, Samples};
use rres_runtime::{Image, Pack, Sound};

use crate::cmd::cat::source_bytes;
use crate::exit::{Failure, Outcome};
use crate::listing::{Item, Listing};
use crate::output::{Output, Style, shown};
use crate::pack_file::PackFile;
use crate::temporary;

/// Recreate the files of a pack: raw files and texts byte for byte, images as .qoi, sounds as .wav
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The .rres file, ours or another program's
    pack: PathBuf,
    /// The directory to write into; it is made where it is not there
    dir: PathBuf,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
}

/// What becomes of a resource.
enum Fate {
    /// The bytes of the source file.
    Copy,
    /// Other bytes that hold the same, and in what way.
    Encode(AssetKind),
    /// Nothing, and why.
    Skip(String),
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (packs, missing) = PackFile::open_set(&args.pack)?;
    let mut problems: Vec<String> = missing.map(|failure| failure.to_string()).into_iter().collect();
    let mut plan = Vec::new();
    let mut skipped = Vec::new();
    let mut taken = HashSet::new();
    for pack in &packs {
        let listing = Listing::new(pack);
        problems.extend(listing.problems);
        for item in listing.items {
            let file = match fate(pack.pack(), &item) {
                Fate::Skip(why) => {
                    skipped.push(format!("{}: {why}", item.name()));
                    continue;
                }
                Fate::Copy => target(&item, ""),
                Fate::Encode(AssetKind::Image) => target(&item, ".qoi"),
                Fate::Encode(_) => target(&item, ".wav"),
            };
            match file {
                // Names that differ in case only are one file on some systems.
                Ok(file) if !taken.insert(file.to_lowercase()) => {
                    problems.push(format!("{}: another resource is written to {file} already", item.name()));
                }
                Ok(file) => plan.push((pack, item, args.dir.join(file))),
                Err(why) => problems.push(format!("{}: {why}", item.name())),
            }
        }
    }
    if !args.force {
        refuse_to_replace(plan.iter().map(|(_, _, file)| file.as_path()))?;
    }
    let mut written = 0;
    for (pack, item, file) in &plan {
        match contents(pack.pack(), item) {
            Ok((bytes, how)) => match write(file, &bytes, args.force) {
                Ok(()) => {
                    written += 1;
                    let how = if how.is_empty() { how } else { out.style(Style::Dim, &format!("  ({how})")) };
                    out.line(format!("{}{how}", shown(&file.display().to_string())))?;
                }
                Err(error) => {
                    let file = shown(&file.display().to_string());
                    return Err(Failure::Call(format!("cannot write {file}: {error}")));
                }
            },
            Err(Obstacle::Skip(why)) => skipped.push(format!("{}: {why}", item.name())),
            Err(Obstacle::Broken(why)) => problems.push(format!("{}: {why}", item.name())),
        }
    }
    for text in &skipped {
        out.warn(&format!("skipped {text}"))?;
    }
    for problem in &problems {
        out.problem(problem)?;
    }
    out.line(format!("{written} files written, {} resources skipped", skipped.len() + problems.len()))?;
    Ok(if problems.is_empty() { Outcome::Fine } else { Outcome::Problems })
}

/// Why a resource does not come out after all.
enum Obstacle {
    /// No file can hold it.
    Skip(String),
    /// Its bytes are wrong.
    Broken(String),
}

impl<E: std::error::Error> From<E> for Obstacle {
    fn from(error: E) -> Self {
        Self::Broken(error.to_string())
    }
}

fn fate(pack: Option<&Pack>, item: &Item<'_>) -> Fate {
    if item.chunks.is_empty() {
        return Fate::Skip("the pack does not hold its bytes".to_owned());
    }
    if let Some(chunk) = item.chunks.iter().find(|chunk| chunk.info.cipher != Cipher::NONE) {
        return Fate::Skip(format!("it is sealed with {}", chunk.info.cipher));
    }
    match (item.kind, item.chunks[0].info.kind) {
        (_, FourCc::RAWD | FourCc::TEXT) => Fate::Copy,
        (Some(AssetKind::Image | AssetKind::Sound), _) if pack.is_none() => {
            Fate::Skip("the pack is damaged, so only files stored byte for byte are recovered".to_owned())
        }
        (Some(kind @ (AssetKind::Image | AssetKind::Sound)), _) => Fate::Encode(kind),
        (Some(AssetKind::Link), _) => Fate::Skip("it is a link to a file outside the pack".to_owned()),
        (Some(AssetKind::Font), _) => Fate::Skip("its glyphs are baked; the font file is not in the pack".to_owned()),
        (Some(AssetKind::Model), _) => {
            Fate::Skip("its vertices are baked; the model file is not in the pack".to_owned())
        }
        (_, kind) => Fate::Skip(format!("nothing is known of chunks of kind {kind}")),
    }
}

/// Where a resource goes, relative to the directory; `extension` is that of its new form, if it gets one.
fn target(item: &Item<'_>, extension: &str) -> Result<String, String> {
    let mut path = match item.path.as_str() {
        "" => format!("id-{:08x}{}", item.id.0, raw_extension(item)),
        path if path.split(['/', '\\']).any(|part| part == "..") => {
            return Err(format!("the path \"{}\" leads elsewhere: refused", shown(path)));
        }
        path => normalize_path(path).map_err(|e| format!("{e}: refused"))?,
    };
    // `C:` and streams (`a:b`) are places on Windows; no source file there can have such a name.
    if cfg!(windows) && path.contains(':') {
        return Err(format!("the path \"{}\" is no file name here: refused", shown(&path)));
    }
    if !path.to_ascii_lowercase().ends_with(extension) {
        path += extension;
    }
    Ok(path)
}

/// The extension for a resource without path.
fn raw_extension(item: &Item<'_>) -> String {
    let chunk = &item.chunks[0];
    if chunk.info.kind == FourCc::TEXT {
        return ".txt".to_owned();
    }
    let found = || {
        let block = chunk.decode(&mut Default::default()).ok()?;
        let view = rres_format::chunk::raw::RawView::parse(block.view().ok()?).ok()?;
        let extension = std::str::from_utf8(view.extension()).ok()?.to_owned();
        let is_plain = extension.strip_prefix('.')?.chars().all(|c| c.is_ascii_alphanumeric());
        is_plain.then_some(extension)
    };
    if chunk.info.kind == FourCc::RAWD { found().unwrap_or_else(|| ".bin".to_owned()) } else { String::new() }
}

/// The bytes to write, and what became of the source on the way; empty for nothing.
fn contents<'a>(pack: Option<&Pack>, item: &Item<'a>) -> Result<(Cow<'a, [u8]>, String), Obstacle> {
    if let Some(bytes) = source_bytes(item)? {
        return Ok((bytes, String::new()));
    }
    let pack = pack.ok_or_else(|| Obstacle::Broken("the pack is damaged".to_owned()))?;
    match item.kind {
        Some(AssetKind::Image) => {
            let image: Image = pack.load(item.id)?;
            image_file(&image).map(|(bytes, how)| (bytes.into(), how))
        }
        _ => {
            let sound: Sound = pack.load(item.id)?;
            let bytes = wave_file(&sound).map_err(|why| Obstacle::Skip(why.to_owned()))?;
            Ok((bytes.into(), "samples as .wav".to_owned()))
        }
    }
}

fn image_file(image: &Image) -> Result<(Vec<u8>, String), Obstacle> {
    let mut how = "pixels as .qoi".to_owned();
    // Three or four channels: the encoder tells by the length.
    let pixels: Cow<'_, [u8]> = match (image.format(), image.level(0)) {
        (PixelFormat::R8G8B8 | PixelFormat::R8G8B8A8, Some((_, _, pixels))) => pixels.into(),
        (format, _) => {
            how += &format!(", from {format}");
            let no_form = || Obstacle::Skip(format!("pixels of format {format} cannot be re-encoded"));
            image.to_rgba8().ok_or_else(no_form)?
        }
    };
    if image.mipmaps() > 1 {
        how += ", without its smaller mip levels";
    }
    if image.is_premultiplied() {
        how += ", colours multiplied with alpha";
    }
    Ok((qoi::encode_to_vec(&pixels, image.width(), image.height())?, how))
}

/// A RIFF file: 44 or, for floats, 58 bytes of head, then the samples.
fn wave_file(sound: &Sound) -> Result<Vec<u8>, &'static str> {
    let (bits, is_float) = match sound.samples() {
        Samples::U8(_) => (8u32, false),
        Samples::I16(_) => (16, false),
        Samples::F32(_) => (32, true),
        _ => return Err("its samples are of a form that .wav files do not have"),
    };
    let data = sound.data();
    let channels = u16::try_from(sound.channels()).map_err(|_| "it has too many channels for a .wav file")?;
    let frame = u32::from(channels) * (bits / 8);
    let bytes_per_second = sound.sample_rate().checked_mul(frame).ok_or("its sample rate does not fit a .wav file")?;
    let padding = data.len() % 2;
    let head = if is_float { 58 } else { 44 };
    let riff_size = u32::try_from(data.len() + padding + head - 8).map_err(|_| "it is too long for a .wav file")?;
    let mut out = Vec::with_capacity(data.len() + head + padding);
    out.extend_from_slice(b"RIFF");
    out.extend_from_slice(&riff_size.to_le_bytes());
    out.extend_from_slice(b"WAVEfmt ");
    out.extend_from_slice(&if is_float { 18u32 } else { 16 }.to_le_bytes());
    out.extend_from_slice(&if is_float { 3u16 } else { 1 }.to_le_bytes());
    out.extend_from_slice(&channels.to_le_bytes());
    out.extend_from_slice(&sound.sample_rate().to_le_bytes());
    out.extend_from_slice(&bytes_per_second.to_le_bytes());
    out.extend_from_slice(&(frame as u16).to_le_bytes());
    out.extend_from_slice(&(bits as u16).to_le_bytes());
    if is_float {
        // Forms other than integers have an (empty) extension and say their number of frames.
        out.extend_from_slice(&0u16.to_le_bytes());
        out.extend_from_slice(b"fact\x04\0\0\0");
        out.extend_from_slice(&(sound.frames() as u32).to_le_bytes());
    }
    out.extend_from_slice(b"data");
    out.extend_from_slice(&(data.len() as u32).to_le_bytes());
    out.extend_from_slice(&data);
    out.resize(out.len() + padding, 0);
    Ok(out)
}

/// Before anything is written: a tree half written over another helps nobody.
fn refuse_to_replace<'p>(files: impl Iterator<Item = &'p Path>) -> Result<(), Failure> {
    let there: Vec<&Path> = files.filter(|file| file.symlink_metadata().is_ok()).collect();
    let Some(first) = there.first() else { return Ok(()) };
    let first = shown(&first.display().to_string());
    let more = match there.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(Failure::Call(format!("{first}{more} would be replaced; choose another directory, or pass --force")))
}

/// Writes a file under another name, then renames it: what stands under its name is always whole.
fn write(file: &Path, bytes: &[u8], force: bool) -> std::io::Result<()> {
    let mut temporary = temporary::beside(file)?;
    temporary.write_all(bytes)?;
    match force {
        true => temporary.persist(file)?,
        false => temporary.persist_noclobber(file)?,
    };
    Ok(())
}

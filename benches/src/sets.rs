//! Sets of real files that loaders load: which files they are, where their copies lie, and the list for the loaders.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use loader::Kind;
use rres_build::settings::{ColorProfile, PixelFormat, Profile};
use rres_build::{Build, Compression};
use rres_decode::SoundFile;

use crate::{Error, Options};

/// The largest sound in memory after decoding.
const LIMIT: u64 = 1 << 30;
/// How long a sound is that stays encoded, in seconds: the default of the settings.
const MUSIC: u64 = 10;

/// A file that every loader can load.
#[derive(Debug)]
pub struct Source {
    /// Its path below the folder of the set.
    pub path: String,
    /// What it becomes.
    pub kind: Kind,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// A set of files.
#[derive(Debug)]
pub struct Set {
    /// The directory of everything that is made of the set.
    pub dir: tempfile::TempDir,
    /// The files, in the order in which they are loaded.
    pub sources: Vec<Source>,
    /// The list for the loaders.
    pub list: PathBuf,
}

impl Set {
    /// Copies files to the folder of a set.
    fn copy(options: &Options, sources: Vec<Source>) -> Result<Self, Error> {
        let dir = match &options.keep {
            Some(keep) => tempfile::Builder::new().prefix("set-").disable_cleanup(true).tempdir_in(keep)?,
            None => tempfile::tempdir()?,
        };
        let mut set = Self { list: dir.path().join("list"), dir, sources };
        for source in &set.sources {
            let file = set.folder().join(&source.path);
            fs::create_dir_all(file.parent().ok_or("a file has a folder")?)?;
            fs::write(file, &source.bytes)?;
        }
        set.drop_refused()?;
        let mut list = String::new();
        set.sources.iter().try_for_each(|source| writeln!(list, "{} {}", source.kind.name(), source.path))?;
        fs::write(&set.list, list)?;
        Ok(set)
    }

    /// Leaves out on all sides what a build refuses.
    fn drop_refused(&mut self) -> Result<(), Error> {
        for _ in 0..3 {
            let Err(error) = self.import(&self.dir.path().join("tried")).build() else { break };
            let refused: BTreeSet<PathBuf> =
                error.diagnostics().iter().filter_map(|fault| fault.file_path().map(Path::to_owned)).collect();
            refused.iter().try_for_each(fs::remove_file)?;
            let folder = self.folder();
            self.sources.retain(|source| folder.join(&source.path).exists());
        }
        Ok(())
    }

    /// Returns the folder with the files.
    pub fn folder(&self) -> PathBuf {
        self.dir.path().join("assets")
    }

    /// Returns the bytes of all files.
    pub fn size(&self) -> u64 {
        self.sources.iter().map(|source| source.bytes.len() as u64).sum()
    }

    fn import(&self, out: &Path) -> Build {
        let build = rres_build::import(self.folder()).out_dir(out).cache_dir(self.dir.path().join("cache"));
        build.debug(false).threads(2).rule("**", |rule| rule.notes(false))
    }

    /// Packs the files. Images become RGBA8, which is what the other loaders return and what a device takes.
    ///
    /// # Errors
    /// If the build fails.
    pub fn pack(&self, name: &str, stored: Stored) -> Result<PathBuf, Error> {
        let build = self.import(&self.dir.path().join(name));
        let build = build.rule("**", |rule| match stored {
            Stored::Profile(profile) => rule.profile(profile),
            Stored::Plain => rule.compression(Compression::NONE),
        });
        let images = self.sources.iter().filter(|source| source.kind == Kind::Image);
        let patterns: BTreeSet<String> =
            images.filter_map(|image| image.path.rsplit_once('.')).map(|(_, e)| format!("**/*.{e}")).collect();
        // The other loaders do not apply colour profiles.
        let report = patterns
            .iter()
            .fold(build, |build, images| {
                build.rule(images, |rule| {
                    rule.image_format(PixelFormat::RGBA8).image_color_profile(ColorProfile::Ignore)
                })
            })
            .build()?;
        Ok(report.packs.first().ok_or("no pack was written")?.clone())
    }
}

/// How the chunks of a pack are stored.
#[derive(Clone, Copy, Debug)]
pub enum Stored {
    /// By a profile of the settings.
    Profile(Profile),
    /// Not compressed.
    Plain,
}

/// Returns PNG files that are chosen by the hash of their contents, from each directory of `--pngs` as many as it says. They are named
/// by number, so that every loader can name them.
pub fn pictures(options: &Options) -> Result<Set, Error> {
    if options.pngs.is_empty() {
        return Err(
            "needs real images: --pngs DIR[=COUNT], for example an unpacked supertux-data; may be repeated".into()
        );
    }
    let mut sources = Vec::new();
    for (dir, count) in &options.pngs {
        let mut files = Vec::new();
        find_pngs(dir, &mut files)?;
        sources.extend(by_hash(
            files.into_iter().filter_map(|file| fs::read(file).ok()),
            options.choose(*count, 20),
            |bytes| {
                // What has more bits a channel is not the same in all loaders.
                image::load_from_memory(bytes)
                    .is_ok_and(|image| image.color().bytes_per_pixel() == image.color().channel_count())
            },
        ));
    }
    let name = |(number, bytes)| Source { path: format!("{number:03}.png"), kind: Kind::Image, bytes };
    Set::copy(options, sources.into_iter().enumerate().map(name).collect())
}

/// Returns as many files of each kind as a level has, chosen by the hash of their contents, from all directories of `--folder`.
pub fn level(options: &Options) -> Result<Set, Error> {
    let most = [(Kind::Image, 200), (Kind::Sound, 100), (Kind::Music, 4), (Kind::Font, 20), (Kind::Model, 20)];
    let mut all = Vec::new();
    for folder in &options.folders {
        all.extend(loadable(folder)?);
    }
    let mut sources = Vec::new();
    for (kind, most) in most {
        let most = if options.quick { most.min(5) } else { most };
        let (of_kind, rest) = all.into_iter().partition(|source: &Source| source.kind == kind);
        all = rest;
        let extension = |path: &str| path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let named = of_kind.into_iter().filter_map(|source| Some((extension(&source.path)?, source.bytes)));
        let mut chosen: Vec<(blake3::Hash, String, Vec<u8>)> =
            named.map(|(e, bytes)| (blake3::hash(&bytes), e, bytes)).collect();
        chosen.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
        chosen.dedup_by_key(|(hash, ..)| *hash);
        let number = sources.len();
        sources.extend(chosen.into_iter().take(most).enumerate().map(|(at, (_, extension, bytes))| Source {
            path: format!("{:03}.{extension}", number + at),
            kind,
            bytes,
        }));
    }
    Set::copy(options, sources)
}

/// Returns what every loader can load of a folder, thinned out evenly to at most `most` bytes.
pub fn folder(options: &Options, folder: &Path, most: u64) -> Result<Set, Error> {
    let sources = loadable(folder)?;
    let total: u64 = sources.iter().map(|source| source.bytes.len() as u64).sum();
    let step = usize::try_from(total.div_ceil(most)).unwrap_or(usize::MAX).max(1);
    Set::copy(options, sources.into_iter().step_by(step).collect())
}

/// Chooses `count` of the files by the hash of their contents, each content once.
fn by_hash(files: impl Iterator<Item = Vec<u8>>, count: usize, usable: impl Fn(&[u8]) -> bool) -> Vec<Vec<u8>> {
    let mut files: Vec<(blake3::Hash, Vec<u8>)> = files.map(|bytes| (blake3::hash(&bytes), bytes)).collect();
    files.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
    files.dedup_by_key(|(hash, _)| *hash);
    files.into_iter().map(|(_, bytes)| bytes).filter(|bytes| usable(bytes)).take(count).collect()
}

/// Returns every PNG below a folder, ordered by path.
///
/// # Errors
/// If a folder cannot be read.
pub fn find_pngs(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let mut files = Vec::new();
    find_files(dir, &mut files)?;
    let is_png = |file: &PathBuf| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    found.extend(files.into_iter().filter(is_png));
    Ok(())
}

/// Finds every file below a folder, ordered by path.
///
/// # Errors
/// If a folder cannot be read.
pub fn find_files(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let mut entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        match entry.file_type()? {
            kind if kind.is_dir() => find_files(&entry.path(), found)?,
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    Ok(())
}

/// Returns every file below a folder that the decoders of the loaders accept.
fn loadable(folder: &Path) -> Result<Vec<Source>, Error> {
    let mut files = Vec::new();
    find_files(folder, &mut files)?;
    let mut sources = Vec::new();
    for file in files {
        let path = file.strip_prefix(folder)?.to_str().ok_or("a name is not UTF-8")?.to_owned();
        let Some(kind) = kind_of(&path) else { continue };
        let bytes = fs::read(&file)?;
        let kind = if kind == Kind::Sound && is_music(&bytes) { Kind::Music } else { kind };
        if is_loadable(kind, &bytes) {
            sources.push(Source { path, kind, bytes });
        }
    }
    Ok(sources)
}

/// The kind of a file by its extension; `None` for what is not compared.
fn kind_of(path: &str) -> Option<Kind> {
    Some(match path.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
        "png" | "jpg" | "jpeg" => Kind::Image,
        "ogg" | "wav" | "mp3" | "flac" => Kind::Sound,
        "ttf" | "otf" => Kind::Font,
        "glb" => Kind::Model,
        "txt" | "lua" | "json" | "xml" | "md" => Kind::Text,
        "dat" | "bin" | "mts" => Kind::Raw,
        _ => return None,
    })
}

/// Whether a sound is so long that it stays encoded.
fn is_music(bytes: &[u8]) -> bool {
    SoundFile::open(bytes)
        .is_ok_and(|file| file.count_frames().is_ok_and(|frames| frames > MUSIC * u64::from(file.sample_rate())))
}

/// Whether the crates that games use can decode a file.
fn is_loadable(kind: Kind, bytes: &[u8]) -> bool {
    match kind {
        Kind::Image => image::load_from_memory(bytes).is_ok(),
        Kind::Sound => SoundFile::open(bytes).is_ok_and(|file| file.decode(file.natural_form(), true, LIMIT).is_ok()),
        Kind::Font => fontdue::Font::from_bytes(bytes, fontdue::FontSettings::default()).is_ok(),
        Kind::Model => is_loadable_model(bytes),
        Kind::Text => std::str::from_utf8(bytes).is_ok(),
        Kind::Music | Kind::Raw => true,
    }
}

/// Whether a model has its vertices in one binary chunk.
fn is_loadable_model(bytes: &[u8]) -> bool {
    gltf::Gltf::from_slice(bytes).is_ok_and(|model| {
        let mut primitives = model.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>());
        model.blob.is_some()
            && model.buffers().count() == 1
            && primitives.all(|primitive| primitive.get(&gltf::Semantic::Positions).is_some())
    })
}

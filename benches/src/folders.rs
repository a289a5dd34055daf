//! Loads whole folders of real files: from packs of each profile, and as programs without a pack do it, which decode loose files,
//! files in the executable (as `include_bytes!` and `rust-embed` keep them) and files of a zip archive.
//!
//! Every side ends with the same: pixels, samples, texts and bytes in memory, and the glyphs of ASCII at 32 pixels. Short
//! sounds that packs keep as files are decoded, too, by the same decoder; sounds of over 10 s are left encoded on all sides, because
//! games decode music while it plays. The fastest of several runs would flatter the first side that runs, so all
//! sides take turns, and the ratio is the median over the rounds.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use rres_build::settings::Profile;
use rres_decode::SoundFile;
use rres_runtime::{Font, Image, Model, Pack, Raw, ResourceId, Sound, Text};

use crate::compressed::on_two_threads;
use crate::map::touch;
use crate::measure::{Clock, Megabytes, Times, run as run_command, time};
use crate::{Error, Options};

/// Larger folders are thinned out evenly, so that decoding their music does not take minutes a round.
const MOST_BYTES: u64 = 24 << 20;
/// The height of glyphs, in pixels: the default of the settings.
const FONT_SIZE: f32 = 32.0;
/// The largest file in memory after decoding.
const LIMIT: u64 = 1 << 30;

/// The sides that packs are compared with, and the profiles. The first one is the measure.
const SIDES: [&str; 6] = ["loose files", "in the executable", "zip -9", "size", "balanced", "speed"];
const PROFILES: [Profile; 3] = [Profile::Size, Profile::Balanced, Profile::Speed];

/// A file that every side can load.
struct Source {
    path: String,
    kind: Kind,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Image,
    Sound,
    /// A sound that stays encoded.
    Music,
    Font,
    /// A binary glTF file with its vertices in it.
    Model,
    Text,
    Raw,
}

/// How long a sound is that stays encoded, in seconds: the default of the settings.
const MUSIC: u64 = 10;

/// What was measured of one folder, by side.
struct Row {
    name: String,
    files: usize,
    bytes: u64,
    sizes: Vec<Option<u64>>,
    one_thread: Vec<f64>,
    two_threads: Vec<f64>,
}

/// Measures every folder of `--folder`, and draws `--plot`.
pub fn run(options: &Options) -> Result<(), Error> {
    if options.folders.is_empty() {
        return Err("needs real files: --folder DIR, for example an unpacked minetest-data; may be repeated".into());
    }
    let rows = options.folders.iter().map(|folder| measure(options, folder)).collect::<Result<Vec<_>, _>>()?;
    println!("\n| folder | files | sources | {} |", SIDES[1..].join(" | "));
    println!("|---|---|---|{}", "---|".repeat(SIDES.len() - 1));
    for row in &rows {
        let size = |side: usize| {
            row.sizes[side].map_or_else(|| "1".to_owned(), |size| format!("{:.2}", size as f64 / row.bytes as f64))
        };
        let cell = |side: usize| {
            format!("{:.1}×, {:.1}×; {}", 1.0 / row.one_thread[side], 1.0 / row.two_threads[side], size(side))
        };
        let cells: Vec<String> = (1..SIDES.len()).map(cell).collect();
        println!("| {} | {} | {} | {} |", row.name, row.files, Megabytes(row.bytes), cells.join(" | "));
    }
    if let Some(file) = &options.plot {
        fs::write(file, plot(&rows))?;
    }
    Ok(())
}

fn measure(options: &Options, folder: &Path) -> Result<Row, Error> {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = if name == "assets" { "the example".to_owned() } else { name };
    let dir = tempfile::tempdir()?;
    let assets = dir.path().join("assets");
    let sources = choose(folder, &assets, options.choose(MOST_BYTES, 1 << 20))?;
    let bytes: u64 = sources.iter().map(|source| source.bytes.len() as u64).sum();
    let archive = zip(&assets, dir.path(), &sources)?;
    let mut packs = Vec::new();
    for profile in PROFILES {
        let out = dir.path().join(format!("{profile:?}"));
        let build =
            rres_build::import(&assets).out_dir(&out).cache_dir(dir.path().join("cache")).debug(false).threads(2);
        let report = build.rule("**", |rule| rule.profile(profile).notes(false)).build()?;
        packs.push(report.packs[0].clone());
    }
    let mut sizes = vec![None, None, Some(fs::metadata(&archive)?.len())];
    for pack in &packs {
        sizes.push(Some(fs::metadata(pack)?.len()));
    }

    let loose: Vec<PathBuf> = sources.iter().map(|source| assets.join(&source.path)).collect();
    let from_loose =
        |at: usize| decode(sources[at].kind, fs::read(&loose[at]).expect("it was copied")).expect("it was tried");
    let from_memory = |at: usize| decode(sources[at].kind, sources[at].bytes.clone()).expect("it was tried");
    let from_pack = |pack: &Pack, at: usize| load(pack, &sources[at]).expect("the pack contains it");
    let from_zip = |zip: &mut zip::ZipArchive<Cursor<&[u8]>>, at: usize| {
        let mut bytes = Vec::new();
        zip.by_name(&sources[at].path).expect("the archive contains it").read_to_end(&mut bytes).expect("it was tried");
        decode(sources[at].kind, bytes).expect("it was tried");
    };
    let all = 0..sources.len();
    let open = |side: usize| Pack::open(&packs[side - 3]).expect("it is a pack");
    let map = || crate::map::map(&archive).expect("the file exists");
    let one = |side: usize| match side {
        0 => all.clone().for_each(|at| from_loose(at)),
        1 => all.clone().for_each(|at| from_memory(at)),
        2 => {
            let map = map();
            let mut zip = zip::ZipArchive::new(Cursor::new(&map[..])).expect("it is a zip");
            all.clone().for_each(|at| from_zip(&mut zip, at));
        }
        _ => {
            let pack = open(side);
            all.clone().for_each(|at| from_pack(&pack, at));
        }
    };
    let two = |side: usize| match side {
        0 => on_two_threads(sources.len(), from_loose),
        1 => on_two_threads(sources.len(), from_memory),
        2 => {
            let map = map();
            let zip = zip::ZipArchive::new(Cursor::new(&map[..])).expect("it is a zip");
            // A clone shares the list of files.
            on_two_threads(sources.len(), |at| from_zip(&mut zip.clone(), at));
        }
        _ => {
            let pack = open(side);
            on_two_threads(sources.len(), |at| from_pack(&pack, at));
        }
    };
    let rounds = options.choose(5, 2);
    let ratios = |clock: Clock, side: &dyn Fn(usize)| {
        let mut runs: Vec<Box<dyn FnMut() + '_>> =
            (0..SIDES.len()).map(|number| Box::new(move || side(number)) as Box<dyn FnMut() + '_>).collect();
        let mut ways: Vec<&mut dyn FnMut()> = runs.iter_mut().map(|run| &mut **run as &mut dyn FnMut()).collect();
        let times = Times::take(clock, rounds, &mut ways);
        (0..SIDES.len()).map(|side| times.ratio(side, 0)).collect::<Vec<f64>>()
    };
    let one_thread = ratios(Clock::Cpu, &one);
    let two_threads = ratios(Clock::Wall, &two);
    let spent = |kind: Kind| {
        let of_kind = || all.clone().filter(|at| sources[*at].kind == kind).for_each(from_loose);
        time(Clock::Cpu, &mut { of_kind })
    };
    let spent = [Kind::Image, Kind::Sound, Kind::Font, Kind::Model].map(|kind| (kind, spent(kind)));
    let total = time(Clock::Cpu, &mut || one(0));
    let shares = spent.map(|(kind, seconds)| format!("{kind:?} {:.0} %", seconds / total * 100.0));
    println!(
        "{name}: {} files, {}; of the time for loose files: {}",
        sources.len(),
        Megabytes(bytes),
        shares.join(", ")
    );
    Ok(Row { name, files: sources.len(), bytes, sizes, one_thread, two_threads })
}

/// Copies the files of `folder` that both sides can load to `assets`.
fn choose(folder: &Path, assets: &Path, most: u64) -> Result<Vec<Source>, Error> {
    let mut files = Vec::new();
    find_files(folder, &mut files)?;
    let mut sources = Vec::new();
    for file in files {
        let path = file.strip_prefix(folder)?.to_str().ok_or("a name is not UTF-8")?.to_owned();
        let bytes = fs::read(&file)?;
        let Some(mut kind) = kind_of(&path) else { continue };
        if kind == Kind::Sound && is_music(&bytes) {
            kind = Kind::Music;
        }
        if decode(kind, bytes.clone()).is_ok() {
            sources.push(Source { path, kind, bytes });
        }
    }
    let total: u64 = sources.iter().map(|source| source.bytes.len() as u64).sum();
    let step = usize::try_from(total.div_ceil(most)).unwrap_or(usize::MAX).max(1);
    let mut sources: Vec<Source> = sources.into_iter().step_by(step).collect();
    for source in &sources {
        let file = assets.join(&source.path);
        fs::create_dir_all(file.parent().unwrap_or(assets))?;
        fs::write(file, &source.bytes)?;
    }
    // What a build refuses is left out on all sides.
    let out = tempfile::tempdir()?;
    for _ in 0..3 {
        let build =
            rres_build::import(assets).out_dir(out.path()).cache_dir(out.path().join("cache")).debug(false).threads(2);
        let Err(error) = build.rule("**", |rule| rule.notes(false)).build() else { break };
        let refused: BTreeSet<PathBuf> =
            error.diagnostics().iter().filter_map(|fault| fault.file_path().map(Path::to_owned)).collect();
        for file in &refused {
            fs::remove_file(file)?;
        }
        sources.retain(|source| assets.join(&source.path).exists());
    }
    Ok(sources)
}

/// Finds every file below a folder, ordered by path.
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
    SoundFile::open(bytes).is_ok_and(|file| {
        let (form, rate) = (file.natural_form(), u64::from(file.sample_rate()));
        let frames = file.decode(form, true, LIMIT).map_or(0, |samples| samples.len() / file.frame_size(form));
        frames as u64 > MUSIC * rate
    })
}

/// Decodes a file as a program without a pack does.
fn decode(kind: Kind, bytes: Vec<u8>) -> Result<(), Error> {
    match kind {
        Kind::Image => drop(black_box(image::load_from_memory(&bytes)?.into_bytes())),
        Kind::Sound => {
            let file = SoundFile::open(&bytes)?;
            black_box(file.decode(file.natural_form(), true, LIMIT)?);
        }
        Kind::Font => {
            let font = fontdue::Font::from_bytes(bytes, fontdue::FontSettings::default())?;
            (' '..='~').for_each(|glyph| drop(black_box(font.rasterize(glyph, FONT_SIZE))));
        }
        Kind::Model => decode_model(&bytes)?,
        Kind::Text => drop(black_box(String::from_utf8(bytes)?)),
        Kind::Music | Kind::Raw => drop(black_box(bytes)),
    }
    Ok(())
}

/// Reads the vertices and indices of a model as a renderer wants them. Pictures in models are not compared.
fn decode_model(bytes: &[u8]) -> Result<(), Error> {
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(bytes)?;
    let blob = blob.ok_or("a model without a binary chunk")?;
    if document.buffers().count() != 1 {
        return Err("a model with several buffers".into());
    }
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(|_| Some(&blob));
        black_box(reader.read_positions().ok_or("a primitive without positions")?.collect::<Vec<_>>());
        black_box(reader.read_normals().map(Iterator::collect::<Vec<_>>));
        black_box(reader.read_tangents().map(Iterator::collect::<Vec<_>>));
        black_box(reader.read_tex_coords(0).map(|coords| coords.into_f32().collect::<Vec<_>>()));
        black_box(reader.read_colors(0).map(|colors| colors.into_rgba_u8().collect::<Vec<_>>()));
        black_box(reader.read_indices().map(|indices| indices.into_u32().collect::<Vec<_>>()));
    }
    Ok(())
}

/// Loads a model, and reads a byte of each page of its vertices.
fn load_model(pack: &Pack, id: ResourceId) -> Result<u8, Error> {
    let model = pack.load::<Model>(id)?;
    let vertices = model.primitives().iter().flat_map(|primitive| primitive.attributes());
    Ok(vertices.fold(0, |sum, (_, data)| sum ^ touch(data)))
}

/// Loads an asset and reads a byte of each page of it, as a game that uses it does.
fn load(pack: &Pack, source: &Source) -> Result<(), Error> {
    let id = ResourceId::from_path(&source.path);
    black_box(match source.kind {
        Kind::Image => touch(pack.load::<Image>(id)?.data()),
        Kind::Sound => touch(pack.load::<Sound>(id)?.decoded()?.data()),
        Kind::Music => touch(pack.load::<Sound>(id)?.data()),
        Kind::Font => touch(pack.load::<Font>(id)?.strikes()[0].atlas().data()),
        Kind::Model => load_model(pack, id)?,
        Kind::Text => touch(pack.load::<Text>(id)?.as_str().as_bytes()),
        Kind::Raw => touch(pack.load::<Raw>(id)?.bytes()),
    });
    Ok(())
}

/// Makes an archive with the command `zip -9`.
fn zip(assets: &Path, dir: &Path, sources: &[Source]) -> Result<PathBuf, Error> {
    let archive = dir.join("assets.zip");
    let list = dir.join("list");
    let mut names = File::create(&list)?;
    sources.iter().try_for_each(|source| writeln!(names, "{}", source.path))?;
    let command = "zip -9 -q \"$1\" -@ < \"$2\"";
    run_command(
        std::process::Command::new("sh").args(["-c", command, "sh"]).arg(&archive).arg(&list).current_dir(assets),
    )?;
    Ok(archive)
}

/// Draws the times of all sides as bars, on one thread, as parts of the time that loose files take.
fn plot(rows: &[Row]) -> String {
    const BAR: usize = 18;
    const WIDTH: f64 = 340.0;
    let group = SIDES.len() * BAR + 46;
    let height = rows.len() * group + 40;
    let longest = rows.iter().flat_map(|row| &row.one_thread).fold(1.0, |most: f64, time| most.max(*time));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"680\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"15\">Time to load a folder; loose files are 1. Shorter is better.</text>\n"
    );
    for (number, row) in rows.iter().enumerate() {
        let top = 40 + number * group;
        let _ = writeln!(
            svg,
            "<text x=\"16\" y=\"{}\" font-weight=\"bold\">{}: {} files, {}</text>",
            top + 16,
            row.name,
            row.files,
            Megabytes(row.bytes)
        );
        for (side, time) in row.one_thread.iter().enumerate() {
            let y = top + 24 + side * BAR;
            let length = time / longest * WIDTH;
            let color = if side < 3 { "#b4b9c1" } else { "#2f7d5b" };
            let size = row.sizes[side].map_or(1.0, |size| size as f64 / row.bytes as f64);
            let name = if side < 3 { SIDES[side].to_owned() } else { format!("pack, {}", SIDES[side]) };
            let _ = writeln!(
                svg,
                "<text x=\"140\" y=\"{0}\" text-anchor=\"end\">{name}</text><rect x=\"148\" y=\"{1}\" width=\"{length:.1}\" height=\"{2}\" fill=\"{color}\"/>\
                 <text x=\"{3:.1}\" y=\"{0}\">{time:.2} <tspan fill=\"#777\">({size:.2} of the bytes)</tspan></text>",
                y + 13,
                y + 2,
                BAR - 4,
                154.0 + length,
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

//! What `extract` writes, and what it refuses to write.

mod forms;
pub(crate) mod hostile;
pub(crate) mod models;
mod round_trip;
mod scenes;

use std::process::Stdio;

use png::ColorType;
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::link::link_block;
use rres_format::chunk::wave::WaveProps;
use rres_format::{Compression, FourCc, PackBuilder, Resource, ResourceId};
use rres_test_data::model::glb_parts;
use serde_json::Value;

use crate::packs::{TEXT, chunk, every_kind, image, pixels, raw, samples, text};
use crate::{Run, Sandbox, local};

fn with_pack(pack: &PackBuilder<'_>) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack.to_vec().unwrap());
    sandbox
}

#[test]
fn resources_become_a_tree_of_files() {
    let sandbox = with_pack(&every_kind());
    let run = sandbox.run(["extract", "game.rres", "-o", "tree"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(sandbox.read("tree/data/table.bin"), (0..=255).collect::<Vec<u8>>());
    assert_eq!(sandbox.read("tree/text/credits.txt"), TEXT.as_bytes());
    assert_eq!(sandbox.read("tree/music/forest.ogg"), b"Song, so to say");
    assert_eq!(decoded(&sandbox.read("tree/ui/button.png")), (16, 8, ColorType::Rgba, pixels(16, 8, 4)));
    let wav = sandbox.read("tree/sound/step.wav");
    assert_eq!(&wav[..4], b"RIFF");
    assert_eq!(u32::from_le_bytes(wav[4..8].try_into().unwrap()) as usize, wav.len() - 8);
    assert_eq!(wav[20..36], [1, 0, 2, 0, 0x40, 0x1f, 0, 0, 0, 0x7d, 0, 0, 4, 0, 16, 0]);
    assert_eq!(wav[44..], samples());
    for file in ["fonts/small.ttf.8.png", "fonts/small.ttf.8.json", "models/triangle.glb"] {
        assert!(sandbox.path(&format!("tree/{file}")).is_file(), "{file}: {run:?}");
    }
    assert!(run.err.contains("warning: skipped movie.mp4: it is a link to movie.mp4"), "{}", run.err);
    assert!(run.out.ends_with("8 files written, 1 resource skipped\n"), "{}", run.out);
    assert!(run.out.contains("button.png  (pixels as .png)"), "re-encoded files are marked: {}", run.out);
}

#[test]
fn every_file_is_written_although_nobody_reads_the_list() {
    let mut pack = PackBuilder::new();
    // The list is far longer than fits into the buffer of a pipe.
    (0..2_000).for_each(|i| pack.push(raw(&format!("a rather long path for a number/{i:05}.bin"), b"")));
    let sandbox = with_pack(&pack);
    let mut command = sandbox.command();
    command.args(["extract", "game.rres", "-o", "tree"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    Run::from(child.wait_with_output().unwrap()).success();
    let files = std::fs::read_dir(sandbox.path("tree/a rather long path for a number")).unwrap().count();
    assert_eq!(files, 2_000);
}

#[test]
fn a_directory_that_cannot_be_made_is_one_error() {
    let mut pack = PackBuilder::new();
    ["a.txt", "b.txt", "c.txt"].into_iter().for_each(|path| pack.push(text(path, "text")));
    let sandbox = with_pack(&pack);
    sandbox.write("file", b"");
    let run = sandbox.run(["extract", "game.rres", "-o", "file/tree"]).failed(2, &["cannot create file/tree"]);
    assert_eq!(run.err.matches("error:").count(), 1, "{}", run.err);
}

#[test]
fn files_are_replaced_only_with_force() {
    let sandbox = with_pack(&every_kind());
    sandbox.write("tree/text/credits.txt", b"mine");
    sandbox.run(["extract", "game.rres", "-o", "tree"]).failed(2, &["credits.txt would be replaced", "--force"]);
    assert_eq!(sandbox.read("tree/text/credits.txt"), b"mine");
    assert!(!sandbox.path("tree/data").exists(), "nothing is written if something would be replaced");
    assert_eq!(sandbox.run(["extract", "--force", "game.rres", "-o", "tree"]).code, 0);
    assert_eq!(sandbox.read("tree/text/credits.txt"), TEXT.as_bytes());
    let left: Vec<_> = std::fs::read_dir(sandbox.path("tree/text")).unwrap().collect();
    assert_eq!(left.len(), 1, "a temporary file is left: {left:?}");
}

#[test]
fn paths_that_lead_out_of_the_directory_are_refused() {
    let mut pack = PackBuilder::new();
    for path in ["../evil.txt", "/evil.txt", r"..\evil.txt", "a/../../evil.txt", "ui/../evil.txt", "C:evil.txt", "x\0y"]
    {
        // The index accepts names that the central directory refuses.
        pack.push(text(path, "evil"));
    }
    pack.push(text("good.txt", "good"));
    let sandbox = with_pack(&pack.directory(false));
    let run = sandbox.run(["extract", "game.rres", "-o", "tree/deep"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(run.err.matches("refused").count(), 7, "{}", run.err);
    assert_eq!(sandbox.read("tree/deep/good.txt"), b"good");
    let files: Vec<_> = std::fs::read_dir(sandbox.path("tree/deep")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(files, ["good.txt"]);
    let names: Vec<_> = std::fs::read_dir(sandbox.path("tree")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["deep"]);
}

#[test]
fn resources_whose_files_would_have_one_name_get_two() {
    let mut pack = PackBuilder::new();
    ["Readme.txt", "readme.txt", "cat.bmp.png.txt"].into_iter().for_each(|path| pack.push(text(path, path)));
    for path in ["cat.bmp", "cat.bmp.png"] {
        pack.push(image(path, PixelFormat::RGB8, &pixels(16, 8, 3), Compression::NONE));
    }
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree"]).success().out;
    let other = |stem: &str, path: &str, end: &str| format!("{stem}.id-{:08x}{end}", ResourceId::from_path(path).0);
    let readme = other("readme", "readme.txt", ".txt");
    assert_eq!(sandbox.read("tree/Readme.txt"), b"Readme.txt");
    assert_eq!(sandbox.read(&format!("tree/{readme}")), b"readme.txt");
    // `cat.bmp.png` has this name in the pack, so `cat.bmp` gets another.
    let cat = other("cat.bmp", "cat.bmp", ".png");
    assert!(sandbox.path("tree/cat.bmp.png").is_file() && sandbox.path(&format!("tree/{cat}")).is_file(), "{out}");
    assert!(
        out.contains(&format!("{cat}  (pixels as .png; renamed: another resource is called cat.bmp.png)")),
        "{out}"
    );
    assert!(out.ends_with("5 files written, 0 resources skipped\n"), "{out}");
}

#[test]
fn resources_without_a_path_are_named_after_their_id() {
    let mut pack = PackBuilder::new().index(false).directory(false);
    pack.push(text("a.txt", "text"));
    pack.push(raw("b.json", b"{}"));
    pack.push(image("c.png", PixelFormat::RGB8, &pixels(16, 8, 3), Compression::QOI));
    let sandbox = with_pack(&pack);
    sandbox.run(["extract", "game.rres", "-o", "tree"]).success();
    let name = |path: &str, extension: &str| format!("tree/id-{:08x}{extension}", ResourceId::from_path(path).0);
    assert_eq!(sandbox.read(&name("a.txt", ".txt")), b"text");
    assert_eq!(sandbox.read(&name("b.json", ".json")), b"{}");
    assert_eq!(decoded(&sandbox.read(&name("c.png", ".png"))).3, pixels(16, 8, 3));
}

#[test]
fn every_sample_format_has_a_correct_header() {
    for (sample_size, form, fmt_size) in [(8u32, 1u16, 16u32), (16, 1, 16), (24, 1, 16), (32, 3, 18), (64, 3, 18)] {
        let samples: Vec<u8> = (0..3 * sample_size / 8).map(|i| i as u8).collect();
        let props = WaveProps { frames: 3, sample_rate: 22050, sample_size, channels: 1 };
        let mut pack = PackBuilder::new();
        pack.push(Resource::new("a.wav", vec![chunk(FourCc::WAVE, &props.block(&samples), Compression::NONE)]));
        let sandbox = with_pack(&pack);
        sandbox.run(["extract", "game.rres", "-o", "tree"]).success();
        let wav = sandbox.read("tree/a.wav");
        assert_eq!(u32::from_le_bytes(wav[4..8].try_into().unwrap()) as usize, wav.len() - 8);
        assert_eq!(u32::from_le_bytes(wav[16..20].try_into().unwrap()), fmt_size);
        assert_eq!(u16::from_le_bytes(wav[20..22].try_into().unwrap()), form);
        assert_eq!(u16::from_le_bytes(wav[34..36].try_into().unwrap()), sample_size as u16);
        assert_eq!(wav.len() % 2, 0, "chunks of RIFF files have even lengths");
        // hound does not know floats of 64 bits.
        if sample_size < 64 {
            let reader = hound::WavReader::new(&wav[..]).unwrap();
            let spec = reader.spec();
            assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (1, 22050, sample_size as u16));
            assert_eq!(spec.sample_format == hound::SampleFormat::Float, form == 3);
            assert_eq!(reader.duration(), 3);
        }
        let padded = samples.len().next_multiple_of(2);
        assert_eq!(wav[wav.len() - padded..][..samples.len()], samples);
    }
}

#[test]
fn damaged_resources_are_reported_and_the_others_written() {
    let mut pack = every_kind().to_vec().unwrap();
    let view = rres_format::PackView::parse(&pack).unwrap();
    let at = |path: &str| view.find(ResourceId::from_path(path)).unwrap().unwrap().offset as usize + 40;
    for at in [at("text/credits.txt"), at("ui/button.png")] {
        pack[at] ^= 1;
    }
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack);
    let run = sandbox
        .run(["extract", "game.rres", "-o", "tree"])
        .failed(1, &["error: text/credits.txt: chunk", "is damaged"]);
    assert!(run.err.contains("error: ui/button.png: "), "{}", run.err);
    let part = "models/triangle.glb is written without one of its images: asset \"ui/button.png\"";
    assert!(run.err.contains(part), "{}", run.err);
    assert!(run.out.contains("6 files written, 3 resources skipped"), "{}", run.out);
    assert!(!sandbox.path("tree/text").exists());
}

#[test]
fn paths_folders_ids_and_globs_choose_what_is_written() {
    let sandbox = with_pack(&every_kind());
    let extract = |names: &[&str]| {
        let arguments =
            ["extract", "game.rres"].into_iter().chain(names.iter().copied()).chain(["-o", "tree", "--force"]);
        sandbox.run(arguments)
    };
    let id = ResourceId::from_path("sound/step.wav").to_string();
    let out = extract(&["text/credits.txt", "**/*.b?n", &id]).success().out;
    assert!(out.ends_with("3 files written, 0 resources skipped\n"), "{out}");
    for file in ["text/credits.txt", "data/table.bin", "sound/step.wav"] {
        assert!(sandbox.path(&format!("tree/{file}")).is_file(), "{file}: {out}");
    }
    assert!(extract(&["ui/"]).success().out.starts_with(&local("tree/ui/button.png")));
    extract(&["text/credit.txt"]).failed(2, &["no resource matches", "did you mean \"text/credits.txt\"?"]);
    extract(&["text", "*.webp"]).failed(2, &["no resource matches \"*.webp\""]);
    extract(&["a[.txt"]).failed(2, &["invalid glob"]);
    sandbox.run(["extract", "game.rres"]).failed(2, &["--out <DIR>"]);
}

#[test]
fn files_after_one_that_cannot_be_written_are_written() {
    let mut pack = PackBuilder::new();
    ["a", "a/b.txt", "a/c.txt", "z.txt"].into_iter().for_each(|path| pack.push(text(path, path)));
    let sandbox = with_pack(&pack);
    let run = sandbox.run(["extract", "game.rres", "-o", "tree"]);
    let run = run.failed(
        2,
        &[
            "error: cannot write",
            "b.txt: a is a file of the pack",
            "c.txt: a is a file",
            "error: 2 files could not be written",
        ],
    );
    assert!(run.out.ends_with("2 files written, 0 resources skipped\n"), "{run:?}");
    assert_eq!((sandbox.read("tree/a"), sandbox.read("tree/z.txt")), (b"a".to_vec(), b"z.txt".to_vec()));
}

#[test]
fn names_that_windows_reserves_are_changed() {
    let mut pack = PackBuilder::new();
    ["CON", "nul.txt", "ui/q?.txt", "trail."].into_iter().for_each(|path| pack.push(text(path, path)));
    let sandbox = with_pack(&pack);
    let out = sandbox.run(["extract", "game.rres", "-o", "tree"]).success().out;
    for (path, file) in [("CON", "_CON"), ("nul.txt", "_nul.txt"), ("ui/q?.txt", "ui/q_.txt"), ("trail.", "trail_")] {
        assert_eq!(sandbox.read(&format!("tree/{file}")), path.as_bytes());
        assert!(out.contains(&format!("{}  (renamed: no file on Windows can be called {path})", local(file))), "{out}");
    }
}

#[test]
fn links_are_followed_within_a_directory() {
    let link = |path: &str, target: &str| {
        Resource::new(path, vec![chunk(FourCc::LINK, &link_block(target), Compression::NONE)])
    };
    let mut pack = PackBuilder::new();
    for (path, target) in
        [("intro.mp4", "movies/intro.mp4"), ("none", "none.mp4"), ("up", "../secret"), ("root", "/etc/passwd")]
    {
        pack.push(link(path, target));
    }
    let sandbox = with_pack(&pack);
    sandbox.write("base/movies/intro.mp4", b"a movie");
    sandbox.write("secret", b"secret");
    let said = sandbox
        .run(["extract", "game.rres", "-o", "no"])
        .failed(0, &["skipped intro.mp4: it is a link to movies/intro.mp4"]);
    assert!(said.out.ends_with("0 files written, 4 resources skipped\n"), "{said:?}");
    let run = sandbox.run(["extract", "game.rres", "-o", "tree", "--follow-links", "base"]);
    let missing = std::fs::metadata(sandbox.path("base/none.mp4")).unwrap_err();
    let run = run.failed(0, &["skipped none: ", &format!("none.mp4: {missing}"), "skipped up: ", "skipped root: "]);
    assert_eq!(sandbox.read("tree/intro.mp4"), b"a movie");
    assert!(run.out.ends_with("1 file written, 3 resources skipped\n"), "{run:?}");
    assert!(!sandbox.path("tree/up").exists() && !sandbox.path("tree/root").exists());
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_directory_through_symbolic_links() {
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("a", vec![chunk(FourCc::LINK, &link_block("a"), Compression::NONE)]));
    let sandbox = with_pack(&pack);
    sandbox.write("secret", b"secret");
    sandbox.write("base/b", b"");
    std::os::unix::fs::symlink(sandbox.path("secret"), sandbox.path("base/a")).unwrap();
    let run = sandbox.run(["extract", "game.rres", "-o", "tree", "--follow-links", "base"]);
    run.failed(0, &["skipped a: ", "leads out of base"]);
    assert!(!sandbox.path("tree").exists());
}

/// Width, height, kind and pixels of a PNG file.
fn decoded(png: &[u8]) -> (u32, u32, ColorType, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    pixels.truncate(info.buffer_size());
    (info.width, info.height, info.color_type, pixels)
}

/// Returns the document and the bytes of a `.glb`.
pub(crate) fn glb(file: &[u8]) -> (Value, Vec<u8>) {
    let (document, bytes) = glb_parts(file);
    (serde_json::from_slice(document).unwrap(), bytes.to_vec())
}

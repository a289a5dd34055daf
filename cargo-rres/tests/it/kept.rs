//! Files that packs keep because that is smaller: what a game loads is what it would load from their decoded form.

use rres_runtime::asset::PixelFormat;
use rres_runtime::asset::Samples;
use rres_runtime::{Font, Id, Image, Pack, PackOptions, Raw, ResourceId, Sound, Store, Text};
use rres_test_data::bytes::base64;

use super::{Run, Sandbox};

/// Each is 61×43 pixels as it is stored.
const JPEGS: [(&str, &[u8]); 5] = [
    ("baseline.jpg", include_bytes!("../../../crates/test-data/fixtures/image/baseline.jpg")),
    ("progressive.jpg", include_bytes!("../../../crates/test-data/fixtures/image/progressive.jpg")),
    ("gray.jpg", include_bytes!("../../../crates/test-data/fixtures/image/gray.jpg")),
    ("cmyk.jpg", include_bytes!("../../../crates/test-data/fixtures/image/cmyk.jpg")),
    ("turned.jpg", include_bytes!("../../../crates/test-data/fixtures/image/turned.jpg")),
];

/// Builds the assets with these settings, and opens the pack.
fn built(sandbox: &Sandbox, settings: &str) -> Pack {
    sandbox.write("assets/assets.toml", settings.as_bytes());
    sandbox.run(["build", "assets", "-o", "out", "--name", "game"]).success();
    sandbox.run(["verify", "out/game.rres"]).success();
    PackOptions::default().read(sandbox.path("out/game.rres")).unwrap()
}

fn image(pack: &Pack, path: &str) -> Image {
    pack.load(ResourceId::from_path(path)).unwrap()
}

/// Everything that a game sees of an image.
fn seen(image: &Image) -> (u32, u32, PixelFormat, u32, Vec<u8>, String) {
    let sampling = format!("{:?} {:?} {:?}", image.filter(), image.wrap(), image.color_space());
    (image.width(), image.height(), image.format(), image.mipmaps(), image.data().to_vec(), sampling)
}

/// A JPEG with an orientation in an Exif block, which comes right after its first mark.
fn turned(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let exif =
        [b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", &[orientation, 0, 0, 0, 0, 0, 0, 0][..]].concat();
    let head = [0xff, 0xe1, 0, exif.len() as u8 + 2];
    [&jpeg[..2], &head, &exif, &jpeg[2..]].concat()
}

#[test]
fn a_kept_jpeg_loads_as_the_pixels_that_the_build_would_have_stored() {
    let sandbox = Sandbox::new();
    JPEGS.iter().for_each(|(name, bytes)| sandbox.write(&format!("assets/{name}"), bytes));
    for orientation in 1..=8 {
        sandbox.write(&format!("assets/{orientation}.jpg"), &turned(JPEGS[0].1, orientation));
    }
    let rule = |store: &str| {
        format!(
            "[pack]\nsiblings = false\n[\"**\"]\nimage = {{ store = \"{store}\", filter = \"nearest\", color_space = \"linear\" }}\n"
        )
    };
    let pixels = built(&sandbox, &rule("pixels"));
    let source = built(&sandbox, &rule("source"));
    let auto = built(&sandbox, &rule("auto"));
    assert_eq!(pixels.entries().count(), JPEGS.len() + 8);
    for entry in pixels.entries() {
        let expected = seen(&image(&pixels, entry.path));
        for pack in [&source, &auto] {
            let stored = pack.entries().find(|kept| kept.path == entry.path).unwrap();
            assert!(stored.stored_size < entry.stored_size, "{}: the file is smaller", entry.path);
            assert!(seen(&image(pack, entry.path)) == expected, "{}", entry.path);
        }
    }
    // How the pixels of a turned picture follow from the pixels of the file.
    let upright = image(&pixels, "1.jpg");
    assert_eq!((upright.width(), upright.height()), (61, 43));
    assert!(upright.data() == image(&pixels, "baseline.jpg").data());
    let at = |x: u32, y: u32| &upright.data()[((y * 61 + x) * 3) as usize..][..3];
    for orientation in 2..=8 {
        let turned = image(&auto, &format!("{orientation}.jpg"));
        let size = if orientation < 5 { (61, 43) } else { (43, 61) };
        assert_eq!((turned.width(), turned.height()), size, "{orientation}");
        let expected =
            (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))).flat_map(|(x, y)| match orientation {
                2 => at(60 - x, y),
                3 => at(60 - x, 42 - y),
                4 => at(x, 42 - y),
                5 => at(y, x),
                6 => at(y, 42 - x),
                7 => at(60 - y, 42 - x),
                _ => at(60 - y, x),
            });
        assert!(expected.eq(turned.data().iter()), "{orientation}");
    }
    assert_eq!((image(&auto, "turned.jpg").width(), image(&auto, "turned.jpg").height()), (43, 61));
    assert_eq!(image(&auto, "gray.jpg").format(), PixelFormat::GRAY8);
    // Inverted colours would be far from the colours of the same picture without a key channel.
    let mean = |name: &str| image(&auto, name).data().iter().map(|v| u64::from(*v)).sum::<u64>() / (61 * 43 * 3);
    assert!(mean("cmyk.jpg").abs_diff(mean("baseline.jpg")) < 12, "{} {}", mean("cmyk.jpg"), mean("baseline.jpg"));
}

#[test]
fn a_jpeg_is_kept_only_if_that_is_smaller_and_no_setting_changes_its_pixels() {
    let sandbox = Sandbox::new();
    let (name, bytes) = JPEGS[0];
    sandbox.write("assets/photo.jpg", bytes);
    let is_kept = |settings: &str| {
        let pack = built(&sandbox, settings);
        let chunk = pack.view().chunks().map(Result::unwrap).find(|chunk| chunk.is_resource()).unwrap();
        chunk.info.kind == rres_format::FourCc::RAWD
    };
    assert!(is_kept(""), "{name}");
    for changed in
        ["format = \"rgba8\"", "format = \"gpu\"", "format = \"gray8\"", "mipmaps = true", "store = \"pixels\""]
    {
        assert!(!is_kept(&format!("[\"**\"]\nimage = {{ {changed} }}\n")), "{changed}");
    }
    assert!(is_kept("[\"**\"]\nimage = { format = \"rgb8\" }\n"), "it is in this format");
    // raylib is compiled without a decoder for JPEG by default.
    assert!(!is_kept("[pack]\ncompat = \"raylib\"\n"));
    // One colour compresses to less than the tables of a JPEG.
    let mut flat = Vec::new();
    image::DynamicImage::new_rgb8(32, 32)
        .write_to(&mut std::io::Cursor::new(&mut flat), image::ImageFormat::Jpeg)
        .unwrap();
    sandbox.write("assets/photo.jpg", &flat);
    assert!(!is_kept(""), "{} bytes", flat.len());
    let png = include_bytes!("../../../assets/ui/heart.png");
    std::fs::remove_file(sandbox.path("assets/photo.jpg")).unwrap();
    sandbox.write("assets/heart.png", png);
    assert!(!is_kept(""));
    sandbox.write("assets/assets.toml", b"[\"**\"]\nimage = { store = \"source\" }\n");
    sandbox
        .run(["build", "assets", "-o", "out"])
        .failed(1, &["heart.png", "only a JPEG can be stored in its source form", "store = \"auto\""]);
    sandbox.write("assets/assets.toml", b"[\"**\"]\nimage = { store = \"source\", mipmaps = true }\n");
    sandbox
        .run(["build", "assets", "-o", "out"])
        .failed(1, &["`image.mipmaps` has no effect with `image.store` = \"source\""]);
}

#[test]
fn commands_know_the_pixels_of_a_kept_jpeg_and_give_its_bytes_back() {
    let sandbox = Sandbox::new();
    let (_, bytes) = JPEGS[4];
    sandbox.write("assets/photo.jpg", bytes);
    built(&sandbox, "[\"**\"]\nimage = { wrap = \"repeat\" }\n");
    assert_eq!(sandbox.run(["cat", "out/game.rres", "photo.jpg"]).success().bytes, bytes);
    let info = sandbox.run(["info", "out/game.rres", "photo.jpg", "--json"]).success().out;
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    let meta = &info["metadata"];
    assert_eq!((&meta["width"], &meta["height"], &meta["pixel_format"]), (&43.into(), &61.into(), &"RGB8".into()));
    sandbox.run(["extract", "out/game.rres", "-o", "again", "--metadata"]).success();
    assert_eq!(sandbox.read("again/photo.jpg"), bytes);
    let settings = String::from_utf8(sandbox.read("again/assets.toml")).unwrap();
    assert!(settings.contains("store = \"source\"") && settings.contains("wrap = \"repeat\""), "{settings}");
}

/// Sounds of the example game, of up to ten seconds.
const SOUNDS: [(&str, &[u8]); 4] = [
    ("wind.ogg", include_bytes!("../../../assets/sound/wind.ogg")),
    ("thunder.ogg", include_bytes!("../../../assets/sound/thunder.ogg")),
    ("lose.mp3", include_bytes!("../../../assets/sound/lose.mp3")),
    ("win.flac", include_bytes!("../../../assets/sound/win.flac")),
];

fn sound(pack: &Pack, path: &str) -> Sound {
    pack.load(ResourceId::from_path(path)).unwrap()
}

#[test]
fn a_short_sound_that_is_kept_loads_as_the_samples_that_the_build_would_have_stored() {
    let sandbox = Sandbox::new();
    SOUNDS.iter().for_each(|(name, bytes)| sandbox.write(&format!("assets/{name}"), bytes));
    for sample in ["keep", "f32", "u8"] {
        let rule = |store| {
            format!("[\"**\"]\nsound = {{ store = \"{store}\", sample = \"{sample}\", gain = -3, loop = true }}\n")
        };
        let pcm = built(&sandbox, &rule("pcm"));
        let auto = built(&sandbox, &rule("auto"));
        for (name, bytes) in SOUNDS {
            let id = ResourceId::from_path(name);
            let size = |pack: &Pack| pack.entries().find(|entry| entry.id.resource() == id).unwrap().stored_size;
            assert!(size(&auto) <= size(&pcm), "{name} {sample}");
            assert!(size(&auto) as usize <= bytes.len() + 80, "{name} {sample}: {}", size(&auto));
            let (expected, found) = (sound(&pcm, name), sound(&auto, name));
            assert!(expected.samples() == found.samples() && expected.frames() > 0, "{name} {sample}");
            assert_eq!(
                (found.frames(), found.sample_rate(), found.channels(), found.gain(), found.is_looped()),
                (expected.frames(), expected.sample_rate(), expected.channels(), -3.0, true),
                "{name} {sample}"
            );
        }
    }
    // As files, they can be decoded later.
    let pcm = built(&sandbox, "[\"**\"]\nsound = { store = \"pcm\" }\n");
    let source = built(&sandbox, "[\"**\"]\nsound = { store = \"source\" }\n");
    for (name, bytes) in SOUNDS {
        let file = sound(&source, name);
        assert!(matches!(file.samples(), Samples::Encoded { bytes: found, .. } if found == bytes), "{name}");
        let (decoded, expected) = (file.decoded().unwrap(), sound(&pcm, name));
        assert_eq!((decoded.frames(), decoded.sample_rate()), (expected.frames(), expected.sample_rate()), "{name}");
        assert!(decoded.samples() == expected.samples(), "{name}");
    }
}

#[test]
fn long_sounds_load_as_their_files_and_samples_that_are_smaller_are_stored() {
    let sandbox = Sandbox::new();
    let long = include_bytes!("../../../crates/test-data/fixtures/sound/long.ogg");
    sandbox.write("assets/long.ogg", long);
    // A triangle wave compresses to less than its file.
    sandbox.write("assets/short.flac", include_bytes!("../../../crates/test-data/fixtures/sound/stereo16.flac"));
    let pack = built(&sandbox, "");
    assert!(
        matches!(sound(&pack, "long.ogg").samples(), Samples::Encoded { extension: ".ogg", bytes } if bytes == long)
    );
    assert_eq!(sound(&pack, "long.ogg").decoded().unwrap().frames(), 84_001);
    let is_wave = |path: &str| {
        let id = ResourceId::from_path(path);
        pack.view().find(id).unwrap().unwrap().info.kind == rres_format::FourCc::WAVE
    };
    assert!(is_wave("short.flac") && !is_wave("long.ogg"));
    // C programs get what they got before.
    sandbox.write("assets/wind.ogg", SOUNDS[0].1);
    let pack = built(&sandbox, "[pack]\ncompat = \"raylib\"\n");
    let wind = pack.view().find(ResourceId::from_path("wind.ogg")).unwrap().unwrap();
    assert_eq!(wind.info.kind, rres_format::FourCc::WAVE);
}

/// Files of each format that is decoded at run time, and a text.
const FILES: [&str; 11] = [
    "ui/heart.png",
    "ui/panel.png",
    "world/sky_midnight.png",
    "world/sky_dusk.jpg",
    "world/stars.qoi",
    "sound/click.wav",
    "sound/hit.wav",
    "sound/thunder.ogg",
    "sound/lose.mp3",
    "sound/win.flac",
    "text/de.txt",
];

/// Whether a store loads every file as what the build imports it as.
#[track_caller]
fn loads_as_imported(store: &Store, imported: &Pack) {
    for path in FILES {
        let resource = ResourceId::from_path(path);
        match path.split('/').next() {
            Some("ui" | "world") => {
                let found = store.load(Id::<Image>::from_path(path)).unwrap().get();
                assert!(seen(&found) == seen(&image(imported, path)), "{path}");
            }
            Some("sound") => {
                let file = store.load(Id::<Sound>::from_path(path)).unwrap().get();
                assert!(matches!(file.samples(), Samples::Encoded { .. }), "{path}");
                let (found, expected) = (file.decoded().unwrap(), sound(imported, path));
                assert_eq!((found.sample_rate(), found.channels()), (expected.sample_rate(), expected.channels()));
                assert!(found.samples() == expected.samples(), "{path}");
            }
            _ => {
                let found = store.load(Id::<Text>::from_path(path)).unwrap().get();
                assert_eq!(found.as_str(), imported.load::<Text>(resource).unwrap().as_str());
            }
        }
        let source = std::fs::read(asset_file(path)).unwrap();
        assert!(store.load(Id::<Raw>::from_path(path)).unwrap().get().bytes() == source, "{path}");
    }
}

fn asset_file(path: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets").join(path)
}

#[test]
fn files_that_other_programs_pack_or_link_load_as_what_they_hold() {
    let sandbox = Sandbox::new();
    FILES.iter().for_each(|path| sandbox.write(&format!("assets/{path}"), &std::fs::read(asset_file(path)).unwrap()));
    let imported = built(&sandbox, "");
    // Packed by other programs: without a front index, so that nothing says what the files are.
    let mut raw = rres_format::PackBuilder::new().index(false);
    let mut links = rres_format::PackBuilder::new().index(false);
    for path in FILES {
        raw.push(super::packs::raw(path, &std::fs::read(asset_file(path)).unwrap()));
        let link = rres_format::chunk::link::link_block(path);
        let chunk = super::packs::chunk(rres_format::FourCc::LINK, &link, rres_format::Compression::NONE);
        links.push(rres_format::Resource::new(path, vec![chunk]));
    }
    let store = |pack: &rres_format::PackBuilder<'_>| {
        Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
    };
    loads_as_imported(&store(&raw), &imported);
    let linked = store(&links);
    let error = linked.load(Id::<Image>::from_path("ui/heart.png")).unwrap_err().to_string();
    assert!(error.contains("link to \"ui/heart.png\" leads to") && error.contains("does not exist"), "{error}");
    linked.set_base_dir(sandbox.path("assets"));
    loads_as_imported(&linked, &imported);
    // A text is a file, too.
    let mut text = rres_format::PackBuilder::new().index(false);
    text.push(super::packs::text("a.txt", super::packs::TEXT));
    let text = store(&text);
    assert_eq!(text.load(Id::<Raw>::from_path("a.txt")).unwrap().get().bytes(), super::packs::TEXT.as_bytes());
    // What a file is not is refused as before.
    let error = text.load(Id::<Image>::from_path("a.txt")).unwrap_err().to_string();
    assert!(error.contains("expected kind image, found text"), "{error}");
    let error = linked.load(Id::<Sound>::from_path("ui/heart.png")).unwrap_err().to_string();
    assert!(error.contains("expected kind sound, found raw"), "{error}");
    let error = linked.load(Id::<Text>::from_path("ui/heart.png")).unwrap_err().to_string();
    assert!(error.contains("invalid UTF-8"), "{error}");
}

#[test]
fn fonts_that_other_programs_pack_or_link_are_drawn() {
    let ttf: &[u8] = include_bytes!("../../../crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf");
    let sandbox = Sandbox::new();
    sandbox.write("assets/bold.ttf", ttf);
    let imported = built(&sandbox, "[\"**\"]\nfont = { size = 32, chars = \"ascii\" }\n");
    let expected: Font = imported.load(ResourceId::from_path("bold.ttf")).unwrap();
    let mut pack = rres_format::PackBuilder::new().index(false);
    pack.push(super::packs::raw("raw.ttf", ttf));
    pack.push(super::packs::raw("cut.ttf", &ttf[..ttf.len() / 2]));
    pack.push(super::packs::raw("none.ttf", b"wOF2 and so on"));
    let link = rres_format::chunk::link::link_block("bold.ttf");
    let chunk = super::packs::chunk(rres_format::FourCc::LINK, &link, rres_format::Compression::NONE);
    pack.push(rres_format::Resource::new("link.ttf", vec![chunk]));
    let bytes = pack.to_vec().unwrap();
    let store = Store::from_packs([PackOptions::default().from_bytes(bytes.clone()).unwrap()]);
    store.set_base_dir(sandbox.path("assets"));
    for path in ["raw.ttf", "link.ttf"] {
        let font = store.load(Id::<Font>::from_path(path)).unwrap().get();
        let (found, expected) = (font.strike(32), expected.strike(32));
        assert_eq!((font.strikes().len(), found.size(), found.padding()), (1, 32, 2), "{path}");
        assert_eq!(found.glyphs(), expected.glyphs(), "{path}");
        assert_eq!((found.ascent(), found.line_height()), (expected.ascent(), expected.line_height()), "{path}");
        assert!(seen(found.atlas()) == seen(expected.atlas()) && found.style() == expected.style(), "{path}");
    }
    let error = store.load(Id::<Font>::from_path("cut.ttf")).unwrap_err().to_string();
    assert!(error.contains("has characters but no outlines"), "the outlines are at the end: {error}");
    let error = store.load(Id::<Font>::from_path("none.ttf")).unwrap_err().to_string();
    assert!(error.contains("expected kind font, found raw"), "{error}");
    sandbox.write("foreign.rres", &bytes);
    let run = sandbox.run(["verify", "foreign.rres"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.matches("error[source-damaged]").count() == 1 && run.out.contains("cut.ttf"), "{run:?}");
    // Other sizes and characters.
    let font = Font::draw(ttf, &[20, 48], &['A', 'b', '世']).unwrap();
    let sizes: Vec<_> = font.strikes().iter().map(|strike| (strike.size(), strike.glyphs().len())).collect();
    assert_eq!(sizes, [(20, 2), (48, 2)]);
    let error = Font::draw(ttf, &[], &['A']).unwrap_err().to_string();
    assert!(error.contains("no size to draw it at"), "{error}");
}

#[test]
fn links_of_strangers_do_not_lead_out_of_the_base_directory() {
    let sandbox = Sandbox::new();
    sandbox.write("secret.txt", b"secret");
    sandbox.write("base/open.txt", b"open");
    let absolute = sandbox.path("secret.txt").display().to_string();
    let mut pack = rres_format::PackBuilder::new().index(false);
    for (name, to) in [("open", "open.txt"), ("up", "../secret.txt"), ("absolute", &absolute)] {
        let link = rres_format::chunk::link::link_block(to);
        let chunk = super::packs::chunk(rres_format::FourCc::LINK, &link, rres_format::Compression::NONE);
        pack.push(rres_format::Resource::new(name, vec![chunk]));
    }
    let store = Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()]);
    store.set_base_dir(sandbox.path("base"));
    assert_eq!(store.load(Id::<Text>::from_path("open")).unwrap().get().as_str(), "open");
    for name in ["up", "absolute"] {
        let error = store.load(Id::<Text>::from_path(name)).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("is not followed"), "{error}");
    }
}

#[test]
fn nothing_of_the_example_grows_that_was_compressed_or_is_stored_as_it_is() {
    let assets = asset_file("");
    let sandbox = Sandbox::new();
    let build = |assets: &std::path::Path, more: &[&str]| {
        let assets = assets.to_str().unwrap();
        let args = [&["build", assets, "-o", "out", "--name", "game"], more].concat();
        Run::from(sandbox.command().args(args).output().unwrap())
    };
    let report: serde_json::Value = serde_json::from_str(&build(&assets, &["--json"]).success().out).unwrap();
    for asset in report["assets"].as_array().unwrap() {
        let path = asset["path"].as_str().unwrap();
        let size = |key: &str| asset[key].as_u64().unwrap();
        // A chunk has a header, properties and padding.
        if size("stored_size") <= size("source_size") + 96 {
            assert!(asset["growth"].is_null() || path.ends_with(".glb"), "{asset:#}");
            continue;
        }
        let extension = path.rsplit('.').next().unwrap();
        let may_grow = ["png", "tga", "gif", "qoi", "hdr", "ttf", "otf", "glb", "gltf"];
        assert!(may_grow.contains(&extension), "{asset:#}");
        // What is made of several files is not compared: this font is cut to the letters of a text.
        let is_of_several = extension == "gltf" || path == "fonts/NotoSansCJK.otf";
        assert!(asset["growth"].is_string() || is_of_several, "a reason is given: {asset:#}");
    }
    let out = build(&assets, &[]).success().out;
    let lines: Vec<&str> = out.lines().filter(|line| line.starts_with("larger than its source: ")).collect();
    assert!(lines.len() <= 5, "{out}");
}

#[test]
fn what_grew_is_listed_with_its_reason_and_the_rest_is_counted() {
    let sandbox = Sandbox::new();
    let jpeg = JPEGS[0].1;
    (1..=7).for_each(|number| sandbox.write(&format!("assets/{number}.jpg"), &turned(jpeg, number)));
    let rule = "[\"**\"]\nimage = { store = \"pixels\" }\n[\"1.jpg\"]\nimage = { mipmaps = true }\n";
    sandbox.write("assets/assets.toml", rule.as_bytes());
    let out = sandbox.run(["build", "assets", "-o", "out"]).success().out;
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("larger than its source: 1.jpg, 1.2 kB → "), "{out}");
    assert!(lines[0].ends_with(": mip levels are stored"), "{out}");
    assert!(lines[4].ends_with(": pixels are stored, which load without a decoder"), "{out}");
    assert_eq!(lines[5], "and 2 more are larger than their sources; `cargo rres report` lists all");
    assert!(lines[6].starts_with("7 assets: "), "{out}");
    sandbox.write("assets/assets.toml", b"");
    let out = sandbox.run(["build", "assets", "-o", "out"]).success().out;
    assert!(out.starts_with("7 assets: "), "{out}");
}

#[test]
fn equal_contents_are_stored_once_and_every_reader_finds_them_under_each_name() {
    let sandbox = Sandbox::new();
    let noise: Vec<u8> = (0..40_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let glb = std::fs::read(asset_file("models/lighthouse.glb")).unwrap();
    for copy in ["a", "b", "c/d"] {
        sandbox.write(&format!("assets/{copy}.bin"), &noise);
        sandbox.write(&format!("assets/{copy}.png"), &std::fs::read(asset_file("ui/panel.png")).unwrap());
        sandbox.write(&format!("assets/{copy}.glb"), &glb);
    }
    sandbox.write("assets/other.bin", &noise.iter().rev().copied().collect::<Vec<_>>());
    sandbox.write("assets/empty.txt", b"");
    sandbox.write("assets/void.txt", b"");
    // Another rule, but equal pixels.
    let rule = "[\"b.png\"]\nimage = { filter = \"nearest\" }\n[group.all]\ninclude = [\"**\"]\n";
    let pack = built(&sandbox, rule);
    let bytes = sandbox.read("out/game.rres");
    assert!(bytes.len() < 2 * (noise.len() + glb.len()), "{} bytes", bytes.len());
    let store = Store::from_packs([PackOptions::default().from_bytes(bytes.clone()).unwrap()]);
    for copy in ["a", "b", "c/d"] {
        assert!(store.load(Id::<Raw>::from_path(&format!("{copy}.bin"))).unwrap().get().bytes() == noise, "{copy}");
        let name = format!("{copy}.png");
        assert!(image(&pack, &name).data() == image(&pack, "a.png").data());
        assert_eq!(
            image(&pack, &name).filter() == rres_runtime::asset::Filter::Nearest,
            copy == "b",
            "its own metadata"
        );
        let model = store.load(Id::<rres_runtime::Model>::from_path(&format!("{copy}.glb"))).unwrap().get();
        assert!(!model.primitives().is_empty());
        assert_eq!(sandbox.run(["cat", "out/game.rres", &format!("{copy}.bin")]).success().bytes, noise);
    }
    let table = sandbox.run(["ls", "out/game.rres"]).success().out;
    assert!(table.lines().any(|line| line.starts_with("b.bin") && line.ends_with("same as a.bin")), "{table}");
    assert!(table.lines().any(|line| line.starts_with("void.txt") && line.ends_with("same as empty.txt")), "{table}");
    assert!(!table.lines().any(|line| line.starts_with("other.bin") && line.contains("same as")), "{table}");
    let info = sandbox.run(["info", "out/game.rres", "b.bin"]).success().out;
    assert!(info.contains("same as a.bin"), "{info}");
    let report: serde_json::Value =
        serde_json::from_str(&sandbox.run(["report", "out/game.rres", "--json"]).success().out).unwrap();
    assert_eq!(report["duplicates"], serde_json::json!([]), "nothing is stored twice");
    sandbox.run(["extract", "out/game.rres", "-o", "again"]).success();
    for copy in ["a", "b", "c/d"] {
        assert!(sandbox.read(&format!("again/{copy}.bin")) == noise);
        assert!(!sandbox.read(&format!("again/{copy}.png")).is_empty());
    }
    // C programs find the chunks by way of the directory, which has the id in the chunk headers.
    let directory = pack.view().directory().unwrap().unwrap();
    assert_eq!(directory.find("b.bin").unwrap(), Some(ResourceId::from_path("a.bin")));
    assert_eq!(directory.find("a.bin").unwrap(), Some(ResourceId::from_path("a.bin")));
    // The same pack on one thread, and from the cache.
    std::fs::remove_dir_all(sandbox.path("out")).unwrap();
    sandbox.run(["build", "assets", "-o", "out", "--name", "game", "--jobs", "1"]).success();
    assert!(sandbox.read("out/game.rres") == bytes);

    // rres-raylib.h finds resources by the id in the chunk header.
    let compat = built(&sandbox, "[pack]\ncompat = \"raylib\"\n[\"**/*.glb\"]\nkind = \"raw\"\n");
    let index = compat.view().index().unwrap();
    assert!(index.entries().all(|entry| !entry.unwrap().is_shared));
}

#[test]
fn patches_lead_from_and_to_packs_that_store_equal_contents_once() {
    let sandbox = Sandbox::new();
    let noise: Vec<u8> = (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let build = |files: &[(&str, &[u8])], name: &str| {
        let _ = std::fs::remove_dir_all(sandbox.path("assets"));
        files.iter().for_each(|(path, bytes)| sandbox.write(&format!("assets/{path}"), bytes));
        sandbox.run(["build", "assets", "-o", name, "--name", "game"]).success();
    };
    let mut edited = noise.clone();
    edited[7] ^= 1;
    build(&[("a.bin", &noise), ("b.bin", &noise), ("c.txt", b"c")], "old");
    for (number, new) in [
        // Equal before, not any more; equal now; one of three is gone.
        &[("a.bin", &noise[..]), ("b.bin", &edited), ("c.txt", b"c")][..],
        &[("a.bin", &edited), ("b.bin", &edited), ("c.txt", b"c"), ("d.bin", &edited)],
        &[("b.bin", &noise), ("c.txt", b"c"), ("d.txt", b"c")],
    ]
    .into_iter()
    .enumerate()
    {
        let (new_dir, patch) = (format!("new{number}"), format!("{number}.patch.rres"));
        build(new, &new_dir);
        let new_pack = format!("{new_dir}/game.rres");
        sandbox.run(["patch", "old/game.rres", &new_pack, "-o", &patch]).success();
        sandbox.run(["verify", &patch]).success();
        let result = format!("result{number}.rres");
        sandbox.run(["patch", "--apply", "old/game.rres", &patch, "-o", &result]).success();
        assert!(sandbox.read(&result) == sandbox.read(&new_pack), "{number}");
        // Mounted over the old pack.
        let store = Store::from_packs([PackOptions::default().read(sandbox.path("old/game.rres")).unwrap()]);
        store.mount(PackOptions::default().read(sandbox.path(&patch)).unwrap()).unwrap();
        for (path, bytes) in new {
            if path.ends_with(".bin") {
                assert!(store.load(Id::<Raw>::from_path(path)).unwrap().get().bytes() == *bytes, "{number} {path}");
            }
        }
        let diff = sandbox.run(["diff", "old/game.rres", &new_pack]);
        assert!(diff.err.is_empty() && diff.code < 2, "{diff:?}");
    }
}

#[test]
fn a_jpeg_inside_a_model_is_kept_and_loads_with_the_model() {
    let sandbox = Sandbox::new();
    let (positions, jpeg) = (base64(&[0; 36]), base64(JPEGS[0].1));
    let model = serde_json::json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 36, "uri": format!("data:application/octet-stream;base64,{positions}") }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [{
            "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]
        }],
        "images": [{ "uri": format!("data:image/jpeg;base64,{jpeg}") }],
        "textures": [{ "source": 0 }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "nodes": [{ "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
    });
    sandbox.write("assets/a.gltf", model.to_string().as_bytes());
    sandbox.write("assets/beside.jpg", JPEGS[0].1);
    let pack = built(&sandbox, "");
    let inside = ResourceId::from_path("a.gltf#image/0");
    assert_eq!(pack.view().find(inside).unwrap().unwrap().info.kind, rres_format::FourCc::RAWD);
    assert!(image(&pack, "a.gltf#image/0").data() == image(&pack, "beside.jpg").data());
    // The same file beside the model is the same chunk.
    let offset = |path: &str| pack.view().find(ResourceId::from_path(path)).unwrap().unwrap().offset;
    assert_eq!(offset("a.gltf#image/0"), offset("beside.jpg"));
    let module = String::from_utf8(sandbox.read("out/assets.rs")).unwrap();
    assert!(module.contains("::rres_runtime::__require_jpeg!(\"beside.jpg and 1 more\");"), "{module}");
    let store = Store::from_packs([pack]);
    let model = store.load(Id::<rres_runtime::Model>::from_path("a.gltf")).unwrap().get();
    assert_eq!(model.materials().len(), 1);
    sandbox.run(["extract", "out/game.rres", "-o", "again"]).success();
    assert_eq!(sandbox.read("again/beside.jpg"), JPEGS[0].1);
}

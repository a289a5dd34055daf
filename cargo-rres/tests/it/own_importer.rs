//! A package whose build script has an importer of its own: the command knows it from the last build, and runs the script for what only
//! the script can import. And a game with importers of a crate outside of the workspace.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rres_test_support::fresh::{Fresh, workspace};
use rres_test_support::wait;

use super::Run;
use super::schema::Schema;

const BUILD: &str = r#"
use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Setting, Source};

struct ListImporter;

impl Importer for ListImporter {
    fn describe(&self) -> Description {
        Description::new("numbers", 1)
            .reads(["list"])
            .makes(AssetType::custom(*b"LIST", "crate::List"))
            .with_setting(Setting::integer("scale", 1..=8).with_default(1))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let text = source.text()?;
        if let Some(line) = text.lines().position(|line| line.parse::<u8>().is_err()) {
            return Err(ImportError::new("expected a number").at(line as u32 + 1, 1));
        }
        Ok(vec![Asset::custom(*b"LIST", text).with_summary(format!("{} numbers", text.lines().count()))])
    }
}

fn main() {
    rres_build::import("assets")
        .importer(ListImporter)
        .rule("*.list", |rule| rule.set("numbers", "scale", 2))
        .build_or_exit();
}
"#;

const MAIN: &str = "rres_runtime::include_assets!();\n\
    pub struct List;\n\
    impl rres_runtime::CustomAsset for List {\n\
        const FOURCC: rres_runtime::FourCc = rres_runtime::FourCc(*b\"LIST\");\n\
        type Error = String;\n\
        fn from_chunk(_: &rres_runtime::CustomChunk<'_>) -> Result<Self, String> { Ok(List) }\n\
    }\n\
    fn main() { assets::open().unwrap().load(assets::A_LIST).unwrap(); }\n";

fn command(fresh: &Fresh, args: &[&str]) -> Run {
    fresh.building_command(env!("CARGO_BIN_EXE_cargo-rres")).args(args).output().unwrap().into()
}

#[test]
fn the_command_knows_the_importers_of_the_last_build_and_runs_its_script() {
    let fresh = Fresh::new("listed", MAIN);
    fresh.write("build.rs", BUILD);
    fresh.write("assets/a.list", "1\n2\n");
    fresh.write("assets/b.list", "1\n");
    let (_, err) = fresh.cargo(&["build", "-q"]);
    assert_eq!(err, "");

    let explain = || command(&fresh, &["explain", "a.list"]);
    let run = explain().success();
    for part in [
        "kind      data (crate::List)\n",
        "importer  numbers (extension .list)\n",
        "constant  assets::A_LIST\n",
        "contents  2 numbers\n",
        "numbers.scale  2      \"*.list\" at build.rs:",
    ] {
        assert!(run.out.contains(part), "{part} in:\n{}", run.out);
    }

    // The file has changed, so the import cache lacks it: the script imports it.
    fresh.write("assets/a.list", "1\n2\n3\n");
    assert!(explain().success().out.contains("contents  3 numbers\n"));
    let run = command(&fresh, &["header"]).success();
    assert!(run.out.contains("#define RRES_A_LIST 0x") && run.out.contains("a.list (data)"), "{}", run.out);
    fresh.write("assets/c.list", "4\n");
    assert!(command(&fresh, &["header"]).success().out.contains("#define RRES_C_LIST 0x"));

    // What the importer reports is in the message.
    fresh.write("assets/a.list", "1\nx\n");
    let reports = "a.list: is read by the importer `numbers` of the build script, which reports: assets/a.list:2:1: expected a number";
    explain().failed(1, &[reports]);

    // Settings of the importer are checked like the settings of all others.
    fresh.write("assets/a.list", "1\n");
    fresh.write("assets/assets.toml", "[\"*.list\"]\nnumbers = { scal = 1 }\n");
    explain().failed(1, &["assets.toml:2:13: unknown key `scal` in `numbers` of [\"*.list\"], expected scale"]);
    fresh.write("assets/assets.toml", "[\"*.list\"]\nnumbers = { scale = 3 }\n");

    // Editors know them too.
    let text = fs::read_to_string(fresh.path("assets/assets.toml")).unwrap();
    let schema = Schema::new(&command(&fresh, &["schema"]).success().out);
    assert_eq!(schema.check(&text), Ok(()));
    assert!(schema.check(&text.replace("scale = 3", "scale = 9")).is_err());

    // A directory alone has no build script, and so no such importer.
    let run = command(&fresh, &["build", "assets", "-o", "out"]);
    run.failed(
        1,
        &[
            "assets.toml:2:1: unknown key `numbers`",
            "settings of importers of a build script are known to that script only",
        ],
    );
}

/// Prints what the importers of `examples/importer-crate` made, and again when it changes, until its input ends.
const WORKSHOP: &str = r#"
rres_runtime::include_assets!();

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let mut font = store.load(assets::TINY_BDF)?.watch();
    let mut puppet = store.load(assets::FLAG_PUPPET)?.watch();
    let mut sky = store.load(assets::SKY_LEVELS)?.watch();
    let font_line = |font: &rres_runtime::Font| {
        let font = &font.strikes()[0];
        let glyph = *font.glyph('A').unwrap();
        println!("font {} px, A at {}, {}, advance {:?}", font.size(), glyph.x, glyph.y, font.advance('A'));
    };
    let puppet_line = |model: &rres_runtime::Model| {
        let skin = &model.skins()[0];
        println!("puppet {} joints, {} s, to {:?}", skin.joints().len(), model.animations()[0].duration(), model.primitives()[0].bounds().1);
    };
    let sky_line = |image: &rres_runtime::Image| println!("sky {} levels, {:?}", image.mipmaps(), &image.level_to_rgba8(1).unwrap()[..3]);
    font_line(&font.handle().get());
    puppet_line(&puppet.handle().get());
    sky_line(&sky.handle().get());
    println!("ready");
    let (sender, end) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(std::io::Read::read_to_end(&mut std::io::stdin(), &mut Vec::new())));
    while end.try_recv().is_err() {
        font.changed().inspect(|font| font_line(font));
        puppet.changed().inspect(|puppet| puppet_line(puppet));
        sky.changed().inspect(|sky| sky_line(sky));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(())
}
"#;

const FONT: &str = "STARTFONT 2.1\nPIXEL_SIZE 8\nFONT_ASCENT 7\nFONT_DESCENT 1\nCHARS 2\nSTARTCHAR dot\nENCODING 46\nDWIDTH 2 0\n\
    BBX 1 1 0 0\nBITMAP\n80\nENDCHAR\nSTARTCHAR A\nENCODING 65\nDWIDTH 5 0\nBBX 4 2 0 0\nBITMAP\n60\n90\nENDCHAR\nENDFONT\n";

const PUPPET: &str = "bone pole - 0 0 0\nbone tip pole 0 1 0\nvertex 0 0 0 pole\nvertex 1 1 0 tip\nvertex 0 1 0 tip\n\
    triangle 0 1 2\nturn wave tip 0 0\nturn wave tip 0.5 90\n";

fn ppm(edge: u8, color: [u8; 3]) -> Vec<u8> {
    let pixels = color.repeat(usize::from(edge) * usize::from(edge));
    [format!("P6\n{edge} {edge}\n255\n").into_bytes(), pixels].concat()
}

#[test]
fn a_crate_outside_of_the_workspace_makes_a_font_a_moved_model_and_an_image_with_levels() {
    let fresh = Fresh::new("workshop", WORKSHOP);
    let manifest = fs::read_to_string(fresh.path("Cargo.toml")).unwrap();
    let head = "[build-dependencies]\n";
    let dependency = format!("rres-import-workshop = {{ path = {:?} }}\n", workspace().join("examples/importer-crate"));
    fresh.write("Cargo.toml", manifest.replacen(head, &format!("{head}{dependency}"), 1));
    fresh.write(
        "build.rs",
        "use rres_import_workshop::{BdfImporter, LevelsImporter, PuppetImporter};\nfn main() {\n    \
         rres_build::import(\"assets\").importer(BdfImporter).importer(LevelsImporter).importer(PuppetImporter).build_or_exit();\n}\n",
    );
    fresh.write("assets/assets.toml", "[\"*.bdf\"]\nbdf = { columns = 1 }\n[\"**/*.ppm\"]\nignore = true\n");
    fresh.write("assets/tiny.bdf", FONT);
    fresh.write("assets/flag.puppet", PUPPET);
    fresh.write("assets/sky.levels", "sky0.ppm\nsky1.ppm\n");
    fresh.write("assets/sky0.ppm", ppm(2, [0, 0, 255]));
    fresh.write("assets/sky1.ppm", ppm(1, [9, 8, 7]));
    let (_, err) = fresh.cargo(&["build", "-q"]);
    assert_eq!(err, "");

    let mut running = fresh.command(fresh.executable("debug"));
    let mut game = running.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(game.stdout.take().unwrap());
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let expect = |wanted: &str| while wait::receive(&lines) != wanted {};
    expect("font 8 px, A at 0, 3, advance Some(5.0)");
    expect("puppet 2 joints, 0.5 s, to [1.0, 1.0, 0.0]");
    expect("sky 2 levels, [9, 8, 7]");
    expect("ready");
    fresh.write("assets/tiny.bdf", FONT.replace("DWIDTH 5", "DWIDTH 6"));
    expect("font 8 px, A at 0, 3, advance Some(6.0)");
    fresh.write("assets/flag.puppet", PUPPET.replace("0.5 90", "2 90"));
    expect("puppet 2 joints, 2 s, to [1.0, 1.0, 0.0]");
    fresh.write("assets/sky1.ppm", ppm(1, [1, 2, 3]));
    expect("sky 2 levels, [1, 2, 3]");
    // A setting of one importer.
    fresh.write("assets/assets.toml", "[\"*.puppet\"]\npuppet = { scale = 3 }\n[\"**/*.ppm\"]\nignore = true\n");
    expect("puppet 2 joints, 2 s, to [3.0, 3.0, 0.0]");
    // A setting of all models.
    let halved = "[\"*.puppet\"]\npuppet = { scale = 3 }\nmodel = { scale = 0.5 }\n[\"**/*.ppm\"]\nignore = true\n";
    fresh.write("assets/assets.toml", halved);
    expect("puppet 2 joints, 2 s, to [1.5, 1.5, 0.0]");
    drop(game.stdin.take());
    assert!(game.wait().unwrap().success());

    fresh.cargo(&["build", "-q"]);
    let run = command(&fresh, &["explain", "flag.puppet"]).success();
    for part in [
        "importer  puppet (extension .puppet)\n",
        "contents  1 triangles, 2 joints\n",
        "puppet.scale  3.0    \"*.puppet\" at assets/assets.toml:2:12\n",
    ] {
        assert!(run.out.contains(part), "{part} in:\n{}", run.out);
    }
    fresh.write("assets/assets.toml", "[\"*.puppet\"]\npuppet = { scale = 0 }\n");
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("scale"), "{err}");
}

//! A fresh crate with an importer of its own, from the build script to the running game.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rres_test_support::fresh::{Fresh, in_profiles};
use rres_test_support::wait;

/// An importer of curves: a number on each line, and files to include.
const BUILD: &str = r#"
use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Setting, Source};

struct CurveImporter;

impl Importer for CurveImporter {
    fn describe(&self) -> Description {
        Description::new("curve", 1)
            .reads(["curve"])
            .makes(AssetType::custom(*b"CURV", "crate::Curve"))
            .with_setting(Setting::integer("scale", 1..=8).with_default(1))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let scale = source.settings().integer("scale").unwrap_or(1) as u32;
        let (mut data, mut needs) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(source.text()?.lines()) {
            match line.split_once(' ') {
                Some(("include", file)) => data.extend(source.read_input(file)?.iter()),
                Some(("needs", file)) => needs.push(file),
                _ => {
                    let found = || ImportError::new(format!("expected a number, found {line:?}")).at(number, 1);
                    let point: u32 = line.parse().map_err(|_| found())?;
                    data.extend((scale * point).to_le_bytes());
                }
            }
        }
        Ok(vec![needs.into_iter().fold(Asset::custom(*b"CURV", data), Asset::with_dependency)])
    }
}

fn main() {
    rres_build::import("assets").importer(CurveImporter).build_or_exit();
}
"#;

/// Prints the curve, and each new value until its input ends.
const MAIN: &str = r#"
rres_runtime::include_assets!();

use rres_runtime::{CustomAsset, CustomChunk, FourCc, Id, Text};

pub struct Curve { points: Vec<u32>, label: Option<Id<Text>> }

impl CustomAsset for Curve {
    const FOURCC: FourCc = FourCc(*b"CURV");
    type Error = String;
    fn from_chunk(chunk: &CustomChunk<'_>) -> Result<Self, String> {
        let (points, rest) = chunk.data().as_chunks::<4>();
        if !rest.is_empty() {
            return Err("is cut off".to_owned());
        }
        Ok(Curve { points: points.iter().map(|point| u32::from_le_bytes(*point)).collect(), label: chunk.dependency(0) })
    }
}

fn main() -> Result<(), rres_runtime::Error> {
    let store = assets::open()?;
    let mut curve = store.load(assets::JUMP_CURVE)?.watch();
    println!("curve {:?}", curve.handle().get().points);
    if let Some(label) = curve.handle().get().label {
        println!("label {}", store.load(label)?.get().as_str());
    }
    let group = store.load_group(assets::groups::CURVES).wait().unwrap();
    println!("group {:?}", group.get(const { assets::groups::CURVES.member(assets::JUMP_CURVE) }).get().points);
    if std::env::args().len() == 1 {
        return Ok(());
    }
    println!("ready");
    let (sender, end) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(std::io::Read::read_to_end(&mut std::io::stdin(), &mut Vec::new())));
    while end.try_recv().is_err() {
        if let Some(value) = curve.changed() {
            println!("curve {:?}", value.points);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(())
}
"#;

pub(crate) fn with_curve(name: &'static str) -> Fresh {
    let fresh = Fresh::new(name, MAIN);
    fresh.write("build.rs", BUILD);
    fresh.write("assets/jump.curve", "1\n2\nneeds label.txt\ninclude tail.bin\n");
    fresh.write("assets/tail.bin", 9_u32.to_le_bytes());
    fresh.write("assets/label.txt", "jump");
    fresh.write("assets/assets.toml", "[\"*.curve\"]\ncurve = { scale = 2 }\n[group.curves]\ninclude = \"*.curve\"\n");
    fresh
}

const FIRST: &str = "curve [2, 4, 9]\nlabel jump\ngroup [2, 4, 9]\n";

#[test]
fn a_game_loads_what_its_importer_makes_in_both_profiles_and_while_files_change() {
    let fresh = with_curve("curves");
    for arguments in in_profiles(&["run", "-q"]) {
        let (out, err) = fresh.cargo(&arguments);
        assert_eq!(out, FIRST, "{err}");
    }

    // The running game shows edits of the source, of an input file and of the settings.
    let mut command = fresh.command(fresh.executable("debug"));
    let mut game = command.arg("watch").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(game.stdout.take().unwrap());
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let expect = |wanted: &str| loop {
        let line = wait::receive(&lines);
        if line == wanted {
            return;
        }
    };
    expect("ready");
    fresh.write("assets/jump.curve", "3\nneeds label.txt\ninclude tail.bin\n");
    expect("curve [6, 9]");
    fresh.write("assets/tail.bin", 8_u32.to_le_bytes());
    expect("curve [6, 8]");
    fresh.write("assets/assets.toml", "[\"*.curve\"]\ncurve = { scale = 3 }\n[group.curves]\ninclude = \"*.curve\"\n");
    expect("curve [9, 8]");
    drop(game.stdin.take());
    assert!(game.wait().unwrap().success());

    // A mistake in a file is an error line of Cargo with its place.
    fresh.write("assets/jump.curve", "3\nx\n");
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("error: curves@0.1.0: assets/jump.curve:2:1: expected a number, found \"x\""), "{err}");
    fresh.write("assets/jump.curve", "3\n");
    fresh.write("build.rs", BUILD.replace("let (mut data", "assert!(scale != 3, \"three\");\n        let (mut data"));
    let (_, err) = fresh.cargo(&["build"]);
    assert!(err.contains("assets/jump.curve: the importer `curve` failed: three"), "{err}");
}

#[test]
fn a_wrong_type_does_not_compile() {
    let fresh = with_curve("wrongcurves");
    let compile = |main: String| {
        fresh.write("src/main.rs", main);
        fresh.cargo(&["build", "-q"]).1
    };
    let text =
        MAIN.replace("let mut curve = store.load", "let mut curve: rres_runtime::ChangeWatcher<Text> = store.load");
    let err = compile(text);
    assert!(err.contains("error[E0308]") && err.contains("ChangeWatcher<Text>"), "{err}");
    assert!(err.contains("ChangeWatcher<Curve>"), "{err}");

    let err = compile(MAIN.replace("FourCc(*b\"CURV\")", "FourCc(*b\"CURW\")"));
    let why = "the FOURCC of this type is another than the one that the importer in the build script declares for it";
    assert!(err.contains(why) && err.contains("check_custom_type::<crate::Curve>"), "{err}");

    let err = compile(MAIN.replace("impl CustomAsset for Curve", "struct Other;\nimpl CustomAsset for Other"));
    assert!(err.contains("`Curve` is not an asset type") && err.contains("rres_runtime::CustomAsset"), "{err}");

    let err = compile(MAIN.replace("pub struct Curve", "pub struct Curves"));
    assert!(err.contains("cannot find type `Curve` in the crate root"), "{err}");
}

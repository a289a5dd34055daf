//! A package whose build script has an importer of its own: the command knows it from the last build, and runs the script for what only
//! the script can import.

use rres_test_support::fresh::Fresh;

use super::Run;

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
        "kind      custom\n",
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
    assert!(run.out.contains("#define RRES_A_LIST 0x") && run.out.contains("a.list (custom)"), "{}", run.out);
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

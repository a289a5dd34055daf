//! `cargo rres mods kit`: the packs of a game → a directory with what an author of mods needs, without any of its contents.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rres_mods::Manifest;
use rres_mods::semver::Version;
use rres_settings::rule_header;
use serde_json::{Value, json};

use super::list::{Listed, TEMPLATE_ID, list};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};
use crate::pack_args::{Need, PackArgs};

/// Write a kit for authors of mods: the list of assets and a template, and no assets
///
/// The list has the path, id, kind and groups of each asset, the sizes and formats of pictures and sounds, and the settings with which a file of an author is
/// drawn and played like the game's own.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres mods kit --game lantern -o kit             of what this package has built last
  cargo rres mods kit game.rres --game lantern --game-version 1.4.0 -o kit")]
pub(super) struct Args {
    /// Path to the pack of the game [default: what this package has built last]
    pack: Option<OsString>,
    #[command(flatten)]
    packs: PackArgs,
    /// Id of the game, which mods name in their manifests: small letters, digits, - and _
    #[arg(long, value_name = "ID")]
    game: String,
    /// Version of the game, such as 1.4.0 [default: mods are for any version]
    #[arg(long, value_name = "VERSION")]
    game_version: Option<Version>,
    /// Directory of the kit, which is created
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), &[], Need::Bytes, out)?;
    if let [name, ..] = &names[..] {
        return Err(Failure::Usage(format!("{} is not a pack", escape_terminal(name))));
    }
    let manifest = manifest(&args.game, args.game_version.as_ref());
    Manifest::parse(&manifest).map_err(|error| Failure::Usage(format!("--game {}: {error}", args.game)))?;
    let opener = args.packs.opener()?;
    let mut assets = Vec::new();
    for path in &paths {
        let set = opener.open_set(path)?;
        if let Some(missing) = &set.missing {
            return Err(Failure::Fault(format!("{}: {missing}", path.display())));
        }
        assets.extend(list(&set));
    }
    assets.sort_by(|a, b| a.path.cmp(&b.path));
    let files = [
        ("README.md", readme(&args.game, args.game_version.as_ref())),
        ("assets.md", table(&args.game, &assets)),
        ("assets.json", json_list(args, &assets)),
        ("template/mod.toml", manifest),
        ("template/assets.toml", settings(&assets)),
    ];
    write(&args.out, &files)?;
    let shown = args.out.display().to_string();
    if args.json {
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        out.json(json!({ "dir": shown, "files": names, "asset_count": assets.len() }))?;
    } else {
        for (name, _) in &files {
            out.line(format!("created  {}/{name}", escape_terminal(&shown)))?;
        }
        out.line(format!("lists {}, and contains none", count(assets.len(), "asset")))?;
    }
    Ok(Outcome::Success)
}

/// Writes the files of a new directory, all or none.
fn write(dir: &Path, files: &[(&str, String)]) -> Result<(), Failure> {
    let cannot_write = |why: &str| Failure::Usage(format!("cannot write {}: {why}", dir.display()));
    if fs::symlink_metadata(dir).is_ok() {
        return Err(cannot_write("it exists; choose another directory, or remove it"));
    }
    let write = || -> std::io::Result<()> {
        let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        let temporary = tempfile::Builder::new().prefix(".kit-").tempdir_in(parent)?;
        let kit = temporary.path().join("kit");
        for (name, text) in files {
            let file = kit.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&kit))?;
            fs::write(file, text)?;
        }
        fs::rename(kit, dir)
    };
    write().map_err(|error| cannot_write(&error.to_string()))
}

fn manifest(game: &str, version: Option<&Version>) -> String {
    let versions = match version {
        Some(version) => format!("# The versions of the game that the mod is for.\ngame-version = \"^{version}\"\n"),
        None => "# The versions of the game that the mod is for.\n# game-version = \"^1.0\"\n".to_owned(),
    };
    format!(
        "\
# What the game calls the mod: small letters, digits, - and _.
id = \"{TEMPLATE_ID}\"
# What players read.
name = \"My mod\"
version = \"0.1.0\"
authors = []
description = \"\"
game = {game:?}
{versions}# Mods that this one is loaded after or before, if players have them. What is loaded last wins.
after = []
before = []

# Mods that this one needs, with their versions.
[dependencies]
# snow = \"^1.2\"
"
    )
}

fn settings(assets: &[Listed]) -> String {
    let mut text = "\
# Settings of the game for its own files. If you replace one of them, remove the # before its lines, so that yours is drawn and played in the same way.
"
    .to_owned();
    for Listed { path, settings, .. } in assets.iter().filter(|asset| !asset.settings.is_empty()) {
        if let Some(header) = rule_header(path) {
            // Writing to a string never fails.
            writeln!(text, "\n# {header}").unwrap_or_default();
            settings.iter().for_each(|line| writeln!(text, "# {line}").unwrap_or_default());
        }
    }
    text
}

fn table(game: &str, assets: &[Listed]) -> String {
    let rows: String = assets.iter().map(Listed::row).collect();
    format!("# The assets of {game}\n\n| path | kind | facts | groups |\n|---|---|---|---|\n{rows}")
}

fn json_list(args: &Args, assets: &[Listed]) -> String {
    let list = json!({
        "game": args.game,
        "game_version": args.game_version.as_ref().map(ToString::to_string),
        "assets": assets.iter().map(Listed::to_json).collect::<Vec<Value>>(),
    });
    format!("{list:#}\n")
}

fn readme(game: &str, version: Option<&Version>) -> String {
    let version = version.map_or_else(String::new, |version| format!(" {version}"));
    format!(
        "\
# Mods for {game}{version}

This kit lists what a mod can replace. It has none of the game's files.

1. Install the command: `cargo install cargo-rres`.
2. Copy `template` to a directory of your own, and edit its `mod.toml`.
3. Put your files into it, each at the path of the asset that it replaces: `assets.md` lists the paths, `assets.json` the same for programs. A file at
   another path is a new asset.
4. If the asset has settings in `assets.toml`, remove the `#` before them, and write the id of your mod for `my-mod`.
5. Pack the directory: `cargo rres pack my-mod -o my-mod.rres`.
6. Put `my-mod.rres` into the folder `mods` of the game.

To see the load order, what is wrong, and which mods change the same asset: `cargo rres mods FOLDER --base PACK`, with the folder of mods and the pack of the
game, a file that ends in `.rres`.

- An asset is replaced only by one of the same path and kind: an image by an image.
- If two mods have the same asset, the one that is loaded last wins. `after` and `before` in `mod.toml` change the order; without them, ids decide it.
- A sprite is a picture in an atlas. Yours becomes one by its setting `atlas`, whose name is the id of your mod.
- Pictures may have another size than the game's, if the game can draw them.
"
    )
}

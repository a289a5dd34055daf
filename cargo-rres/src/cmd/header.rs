//! `cargo rres header`: the ids of a pack as constants of C, C# or TypeScript, or its paths for editors of Lua and Luau. `rres-build` writes
//! the same file beside packs.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use rres_engine::{HeaderEntry, LANGUAGES, Language, constant_path};
use rres_packs::{atomic_write, pack_set};

use crate::asset_builds::{AssetBuild, AssetBuilds, BuildArgs};
use crate::diagnostic::Diagnostic;
use crate::exit::{Failure, Outcome};
use crate::key;
use crate::output::{Output, count, escape_terminal};

/// Write the ids of a pack for C, C# or TypeScript, or its paths for Lua
///
/// The names are as in Rust: ui/button.png is RRES_UI_BUTTON_PNG in C and C++, Assets.ui.BUTTON_PNG in C#, and assets.ui.BUTTON_PNG in
/// TypeScript. For Lua and Luau, the paths are written by kind, as types with which an editor completes and checks them. To write the file in
/// every build, see the setting `header`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres header -o assets.h              ids of the assets of this package
  cargo rres header assets -o assets.h       ids of an assets directory, by its assets.toml
  cargo rres header mod.rres                 ids of any pack with names, on standard output
  cargo rres header -o Assets.cs             the same for C#, by the name of the file
  cargo rres header -o assets.lua            paths for the editor of Lua scripts")]
pub(crate) struct Args {
    /// Pack or assets directory [default: what the package's build script builds]
    source: Option<PathBuf>,
    #[command(flatten)]
    builds: BuildArgs,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Language of the file [default: by the extension of the file to write, or else C]
    #[arg(short, long, value_name = "LANGUAGE", value_parser = languages())]
    language: Option<&'static Language>,
}

/// Takes the name of a language.
fn languages() -> impl TypedValueParser<Value = &'static Language> {
    PossibleValuesParser::new(LANGUAGES.iter().map(|language| language.name))
        .map(|name| Language::named(&name).unwrap_or(&LANGUAGES[0]))
}

/// What is written: the name of the pack, and its resources.
struct Named {
    pack: String,
    entries: Vec<HeaderEntry>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let named = match &args.source {
        Some(source) if source.is_dir() => of_builds(&AssetBuilds::of_directory(source, Vec::new())?, out)?,
        Some(pack) => Some(of_pack(pack, out)?),
        None => of_builds(&args.builds.find(out)?, out)?,
    };
    let Some(Named { pack, entries }) = named else { return Ok(Outcome::Faults) };
    let of_file = || Language::of_file(&args.out.as_deref().unwrap_or(Path::new("")).to_string_lossy());
    let language = args.language.unwrap_or_else(of_file);
    let text = (language.write)(&pack, &entries);
    match &args.out {
        None => out.bytes(text.as_bytes())?,
        Some(file) => {
            atomic_write::replace(file, text.as_bytes())
                .map_err(|e| Failure::Usage(format!("cannot write {}: {e}", file.display())))?;
            out.line(format!(
                "{}: {}",
                escape_terminal(&file.display().to_string()),
                count(entries.len(), language.thing)
            ))?;
        }
    }
    Ok(Outcome::Success)
}

/// The resources of a pack.
fn of_pack(path: &Path, out: &mut Output) -> Result<Named, Failure> {
    let set = [key::opener().open_set(path)?];
    if let Some(missing) = &set[0].missing {
        return Err(Failure::Fault(format!("the pack set is incomplete: {missing}")));
    }
    let lists = pack_set::resource_lists(&set);
    // A header that lacks ids would compile, and the program would not.
    if let Some((pack, finding)) = pack_set::findings(&set, &lists).first() {
        return Err(Failure::Fault(format!("{}: {finding}", escape_terminal(&pack.name()))));
    }
    let resources = || lists.iter().flat_map(|list| &list.resources);
    let unnamed = resources().filter(|resource| resource.path.is_none()).count();
    if unnamed > 0 {
        let text = format!("{} without a path in the pack are left out", count(unnamed, "resource"));
        out.warn(&text)?;
    }
    let entry = |resource: &rres_packs::Resource<'_>| {
        let path = resource.shown_path()?.into_owned();
        let constant = constant_path(&path, None);
        Some(HeaderEntry { path, id: resource.id, kind: resource.kind, constant })
    };
    let entries: Vec<HeaderEntry> = resources().filter_map(entry).collect();
    let pack = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Named { pack, entries })
}

/// The resources that a build would build; `None` if the build would fail.
fn of_builds(builds: &AssetBuilds, out: &mut Output) -> Result<Option<Named>, Failure> {
    let [AssetBuild { build, .. }] = &builds.builds[..] else {
        let dirs: Vec<String> = builds.builds.iter().map(|build| build.dir.display().to_string()).collect();
        let text = format!("the build script builds several packs; choose one with --assets: {}", dirs.join(", "));
        return Err(Failure::Usage(text));
    };
    let explained = build.clone().explain_all().map_err(|error| Failure::Fault(error.to_string()))?;
    if !explained.diagnostics.is_empty() {
        let diagnostics = explained.diagnostics.iter().map(Diagnostic::from);
        diagnostics.map(|diagnostic| diagnostic.to_string()).try_for_each(|text| out.error(&text))?;
        return Ok(None);
    }
    let resources =
        explained.explanations.iter().filter_map(|file| file.import.as_ref()).flat_map(|facts| &facts.resources);
    let entries: Vec<HeaderEntry> = resources
        .map(|resource| HeaderEntry {
            path: resource.path.clone(),
            id: resource.id,
            kind: Some(resource.kind),
            constant: resource.constant.clone(),
        })
        .collect();
    Ok(Some(Named { pack: explained.pack, entries }))
}

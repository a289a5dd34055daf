//! `cargo rres init`: makes a package build its assets. Adds what is missing, and changes nothing else.

mod manifest;
mod program;

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use manifest::{ALL_DECODERS, Manifest, TOOL, Wanted};
use rres_packs::atomic_write;

use crate::cargo::{self, Package, PackageArgs};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};

/// Make a package build and include its assets
///
/// Adds what is missing to Cargo.toml, creates build.rs and the assets directory if they do not exist, and includes the assets in main.rs.
/// Running it again adds importers that new files need, and changes nothing else; with --tool, it takes the importers out again.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres init                            a package in the current directory
  cargo rres init --dry-run                  what would be done
  cargo rres init art -p game                assets in `art` of a member of the workspace")]
pub(crate) struct Args {
    /// Assets directory in the package [default: the first that exists of assets, resources, res and data, or else assets]
    dir: Option<PathBuf>,
    #[command(flatten)]
    package: PackageArgs,
    #[command(flatten)]
    choices: Choices,
    /// Print what would be done, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// The options that `init` and `new` have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct Choices {
    /// Compile the build script without importers: this command, which must stay installed, does its work
    #[arg(long)]
    tool: bool,
    /// Do not add profiles: the one that optimises four crates in debug builds, and the one of build scripts
    #[arg(long)]
    no_profile: bool,
    /// Take the crates from a clone of their repository, instead of from where they are published
    #[arg(long, value_name = "DIR")]
    checkout: Option<PathBuf>,
}

/// Directories that games keep their assets in.
const DIRECTORIES: &[&str] = &["assets", "resources", "res", "data"];

/// Names of the module of the assets, if the game has something with the name of the directory.
const OTHER_NAMES: &[&str] = &[DIRECTORIES[0], "game_assets"];

/// The crate roots of a package.
const PROGRAMS: [&str; 2] = ["src/main.rs", "src/lib.rs"];

/// A file or directory, and what is done about it.
struct Step {
    /// Relative to the package.
    file: PathBuf,
    action: Action,
}

/// What the importers cost, and how to do without them. The figures are those of the README.
const FIRST_BUILD: &str = "the first build compiles the importers of the build script, which takes up to 140 CPU seconds; \
    `cargo rres init --tool` leaves the import to this command instead";

/// What a profile with an `opt-level` for all dependencies means for a first build, with importers and without.
const OPTIMISES_ALL: &str = "[profile.dev.package.\"*\"] optimises the importers of the build script, too: the first debug build of a game \
    went from 155 to 492 CPU seconds; `cargo rres init --tool` leaves the import to this command, and it was 276";

/// The feature of `rres-build` and of `rres-runtime` for sounds in Opus.
const OPUS: &str = "opus";

/// What a library beside a program means for the assets.
const HAS_LIBRARY: &str =
    "if the code that loads assets is in the library, move the line with `include_assets!` there, with `pub mod`";

enum Action {
    /// Nothing, for a reason.
    Keep(String),
    /// Create a directory.
    CreateDirectory,
    /// Create a file with this text.
    Create(String),
    /// Replace the text of a file; the list says how they differ.
    Change(String, Vec<String>),
    /// Ask the user to change a file.
    Ask(String),
    /// Nothing, but the user should know this.
    Note(String),
}

/// The name of the module of the assets.
struct ModuleName {
    name: String,
    /// The file with a module of the game's own that has the name which the build would choose, and that name.
    taken: Option<(&'static str, String)>,
}

/// What is done about a package.
struct Plan {
    steps: Vec<Step>,
    /// The lines that are left to write by hand.
    left: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let package = package(&args.package)?;
    let dir = args.dir.clone().unwrap_or_else(|| default_directory(&package.root));
    let plan = Plan::new(&package, &dir, &args.choices, false)?;
    if !args.dry_run {
        plan.apply(&package.root)?;
    }
    plan.print(out)?;
    if args.dry_run {
        out.line("nothing was written, because of --dry-run")?;
    }
    if !plan.left.is_empty() {
        out.line(format!("\nWrite into your program, {}:\n", escape_terminal(&package.name)))?;
        plan.left.iter().try_for_each(|line| out.line(format!("    {line}")))?;
    }
    Ok(Outcome::Success)
}

impl Plan {
    /// Plans what a package lacks. A package that `cargo new` has just made also gets an asset and a program that shows it.
    fn new(package: &Package, dir: &Path, choices: &Choices, is_new: bool) -> Result<Self, Failure> {
        let root = &package.root;
        let dir_name = dir.to_str().map(|dir| dir.replace('\\', "/")).filter(|dir| !dir.is_empty());
        let dir_name = dir_name.map(|dir| dir.trim_start_matches("./").to_owned());
        let dir_name = dir_name.ok_or_else(|| Failure::Usage(format!("{} is not valid UTF-8", dir.display())))?;
        if dir.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
            let (dir, root) = (dir.display(), root.display());
            return Err(Failure::Usage(format!(
                "{dir} is not inside the package {root}: name a directory relative to it, or call `rres_build::import` in build.rs by hand"
            )));
        }
        let manifest = Manifest::read(&root.join("Cargo.toml"))?;
        let mut steps = vec![assets_step(root, dir)?];
        let module = ModuleName::choose(root, &dir_name);
        let script = script_step(root, &manifest, &dir_name, &module)?;
        steps.extend(manifest_steps(package, manifest, &root.join(dir), choices)?);
        steps.push(script);
        if is_new {
            let (name, text) = program::FIRST_ASSET;
            steps.push(Step { file: dir.join(name), action: Action::Create(text.to_owned()) });
        }
        let (program, left) = program_step(root, &module.name, is_new)?;
        let has_both = PROGRAMS.iter().all(|file| root.join(file).is_file());
        steps.push(program);
        steps.extend(module.note());
        if has_both {
            steps.push(Step { file: PROGRAMS[1].into(), action: Action::Note(HAS_LIBRARY.to_owned()) });
        }
        Ok(Self { steps, left })
    }

    fn apply(&self, root: &Path) -> Result<(), Failure> {
        self.steps.iter().try_for_each(|step| step.apply(root))
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        self.steps.iter().try_for_each(|step| step.print(out))
    }
}

impl ModuleName {
    /// Chooses the name of the directory, as the build does, or one that the game does not use if the game has something of that name.
    fn choose(root: &Path, dir: &str) -> Self {
        let default = dir.rsplit('/').next().unwrap_or(dir).replace(['-', ' ', '.'], "_");
        let own = PROGRAMS.iter().filter_map(|&file| Some((file, fs::read_to_string(root.join(file)).ok()?)));
        let own: Vec<(&'static str, String)> = own.collect();
        if let Some(name) = own.iter().find_map(|(_, text)| program::included(text)) {
            return Self { name, taken: None };
        }
        let user_of = |name: &str| own.iter().find(|(_, text)| program::declares(text, name)).map(|(file, _)| *file);
        let Some(file) = user_of(&default) else { return Self { name: default, taken: None } };
        let others = OTHER_NAMES.iter().map(|&name| name.to_owned());
        let mut others = others.chain((2..).map(|number| format!("{}_{number}", DIRECTORIES[0])));
        let name = others.find(|name| user_of(name).is_none()).unwrap_or_else(|| default.clone());
        Self { name, taken: Some((file, default)) }
    }

    /// Tells that the module is not called like the directory, and how its constants are reached.
    fn note(&self) -> Option<Step> {
        let (file, taken) = self.taken.as_ref()?;
        let name = &self.name;
        let text = format!(
            "has `{taken}` already, so the module of the assets is `{name}`: other files reach its constants as `crate::{name}::…`"
        );
        Some(Step { file: file.into(), action: Action::Note(text) })
    }
}

/// Makes a package that `cargo new` has just made in `root` build its assets; for `cargo rres new`.
pub(super) fn init_new(root: &Path, choices: &Choices, out: &mut Output) -> Result<(), Failure> {
    let package = package(&PackageArgs { package: None, manifest_path: Some(root.join("Cargo.toml")) })?;
    let plan = Plan::new(&package, Path::new(DIRECTORIES[0]), choices, true)?;
    plan.apply(&package.root)?;
    plan.print(out)
}

/// Returns the package to change: one, because a workspace has a manifest per member.
fn package(args: &PackageArgs) -> Result<Package, Failure> {
    cargo::root(args.manifest_path.as_deref())?;
    let mut packages = args.find()?;
    match (packages.pop(), packages.is_empty()) {
        (Some(package), true) => Ok(package),
        (None, _) => Err(Failure::Usage("the workspace has no package; run `cargo new` first".to_owned())),
        (Some(last), false) => {
            let names: Vec<String> = packages.into_iter().chain([last]).map(|package| package.name).collect();
            Err(Failure::Usage(format!("choose a package of the workspace with --package: {}", names.join(", "))))
        }
    }
}

fn default_directory(root: &Path) -> PathBuf {
    let existing = DIRECTORIES.iter().find(|dir| root.join(dir).is_dir());
    existing.unwrap_or(&DIRECTORIES[0]).into()
}

fn assets_step(root: &Path, dir: &Path) -> Result<Step, Failure> {
    let full = root.join(dir);
    let action = match full.metadata() {
        Ok(metadata) if metadata.is_dir() => Action::Keep("exists".to_owned()),
        Ok(_) => return Err(Failure::Usage(format!("{} is not a directory", full.display()))),
        Err(_) => Action::CreateDirectory,
    };
    Ok(Step { file: dir.to_owned(), action })
}

/// The steps for the manifest of the package, and for the manifest of its workspace, which has the profiles.
fn manifest_steps(
    package: &Package,
    mut manifest: Manifest,
    assets: &Path,
    choices: &Choices,
) -> Result<Vec<Step>, Failure> {
    let features = if choices.tool { Some(vec![TOOL]) } else { importers(assets) };
    let checkout = choices.checkout.as_ref().map(std::path::absolute).transpose();
    let checkout = checkout.map_err(|e| Failure::Usage(format!("cannot find the checkout: {e}")))?;
    let script = fs::read_to_string(package.root.join(manifest.build_script()?)).unwrap_or_default();
    manifest.add_dependencies(&Wanted {
        features: &features,
        decoders: &decoders(assets),
        checkout: checkout.as_deref(),
        script: &script,
    })?;
    let (has_new_importers, is_switched) = (manifest.has_new_importers, manifest.is_switched);
    let left = std::mem::take(&mut manifest.left);
    let mut manifests = vec![(PathBuf::from("Cargo.toml"), manifest)];
    if !choices.no_profile {
        let of_workspace = package.workspace.join("Cargo.toml");
        if of_workspace != package.root.join("Cargo.toml") && of_workspace.is_file() {
            manifests.push((of_workspace.clone(), Manifest::read(&of_workspace)?));
        }
        if let Some((_, manifest)) = manifests.last_mut() {
            manifest.add_profile(&decoders(assets))?;
            if !choices.tool {
                manifest.add_build_override()?;
            }
        }
    }
    let optimising = manifests.iter().find(|(_, manifest)| manifest.optimises_all && !choices.tool);
    let mut notes = Vec::new();
    notes.extend(left.into_iter().map(|text| Step { file: "Cargo.toml".into(), action: Action::Ask(text) }));
    if let Some((file, _)) = optimising {
        notes.push(Step { file: file.clone(), action: Action::Note(OPTIMISES_ALL.to_owned()) });
    } else if has_new_importers {
        notes.push(Step { file: "Cargo.toml".into(), action: Action::Note(FIRST_BUILD.to_owned()) });
    }
    for (file, manifest) in manifests.iter().filter(|_| is_switched) {
        let lines = manifest.profiles_of_importers();
        if !lines.is_empty() {
            let text = format!("remove what only importers need: {}", lines.join(", "));
            notes.push(Step { file: file.clone(), action: Action::Ask(text) });
        }
    }
    let step = |(file, manifest): (PathBuf, Manifest)| {
        let action = match manifest.changed() {
            None => Action::Keep("has what is needed".to_owned()),
            Some((text, added)) => Action::Change(text, added),
        };
        Step { file, action }
    };
    Ok(manifests.into_iter().map(step).chain(notes).collect())
}

/// Returns the features of `rres-build` that the files need, or `None` for the default features: if they need just those, or if
/// the directory has no files yet.
fn importers(assets: &Path) -> Option<Vec<&'static str>> {
    let features = rres_engine::importer_features(assets);
    let mut needed: Vec<&str> =
        features.iter().filter(|feature| feature.is_needed).map(|feature| feature.name).collect();
    let has_opus = rres_engine::runtime_features(assets).contains(&OPUS);
    needed.extend(has_opus.then_some(OPUS));
    // Texts and raw bytes need no importer's feature.
    let needed = if needed.is_empty() { vec!["engine"] } else { needed };
    let is_default = !has_opus && features.iter().all(|feature| feature.is_needed == feature.is_default);
    (!is_empty(assets) && !is_default).then_some(needed)
}

/// Returns the features of `rres-runtime` that decode what packs keep of the files, or the one for all if the directory has no files yet.
fn decoders(assets: &Path) -> Vec<&'static str> {
    match is_empty(assets) {
        true => vec![ALL_DECODERS],
        false => rres_engine::runtime_features(assets),
    }
}

fn is_empty(assets: &Path) -> bool {
    fs::read_dir(assets).map_or(true, |mut entries| entries.next().is_none())
}

/// The step for the build script.
fn script_step(root: &Path, manifest: &Manifest, dir: &str, module: &ModuleName) -> Result<Step, Failure> {
    let is_chosen = module.taken.is_some();
    let name = if is_chosen { format!(".module({:?})", module.name) } else { String::new() };
    let call = format!("rres_build::import({dir:?}){name}.build_or_exit();");
    let file = manifest.build_script()?;
    let action = match fs::read_to_string(root.join(&file)) {
        // What the script imports by a variable cannot be known.
        Ok(text) if text.contains("rres_build::import(\"") && !text.contains(&format!("import({dir:?})")) => {
            Action::Ask(format!("it imports another directory; to import this one, too, add: {call}"))
        }
        Ok(text) if text.contains("rres_build") && is_chosen && !text.contains(&name) => {
            Action::Ask(format!("add {name} to the call of rres_build::import({dir:?})"))
        }
        Ok(text) if text.contains("rres_build") => Action::Keep("calls rres_build".to_owned()),
        Ok(_) => Action::Ask(format!("add to its main function: {call}")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Action::Create(format!("fn main() {{\n    {call}\n}}\n"))
        }
        Err(error) => return Err(Failure::Usage(format!("cannot read {}: {error}", root.join(&file).display()))),
    };
    Ok(Step { file, action })
}

impl Step {
    fn apply(&self, root: &Path) -> Result<(), Failure> {
        let file = root.join(&self.file);
        let applied = match &self.action {
            Action::Keep(_) | Action::Ask(_) | Action::Note(_) => Ok(()),
            Action::CreateDirectory => fs::create_dir_all(&file),
            Action::Create(text) => atomic_write::create(&file, text.as_bytes()),
            Action::Change(text, _) => atomic_write::replace(&file, text.as_bytes()),
        };
        applied.map_err(|e| Failure::Usage(format!("cannot write {}: {e}", file.display())))
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        let file = escape_terminal(&self.file.display().to_string());
        match &self.action {
            Action::Keep(why) => out.line(format!("kept     {file}: {why}"))?,
            Action::CreateDirectory | Action::Create(_) => out.line(format!("created  {file}"))?,
            Action::Change(_, changes) => {
                changes.iter().try_for_each(|change| out.line(format!("changed  {file}: {change}")))?;
            }
            Action::Ask(what) => out.line(format!("to do    {file}: {what}"))?,
            Action::Note(what) => out.line(format!("note     {file}: {what}"))?,
        }
        Ok(())
    }
}

/// The step for the program or library, and the lines that are left to write by hand.
fn program_step(root: &Path, module: &str, is_new: bool) -> Result<(Step, Vec<String>), Failure> {
    let file = PROGRAMS.into_iter().find(|file| root.join(file).is_file());
    let load = vec![
        format!("let store = {module}::open()?;"),
        format!("let asset = store.load({module}::…)?; // your editor completes the constants"),
    ];
    let Some(file) = file else {
        let line = program::include_line(module, false);
        let action = Action::Ask(format!("add to the crate root of the program: {line}"));
        return Ok((Step { file: "src/main.rs".into(), action }, load));
    };
    let is_library = file == "src/lib.rs";
    let line = program::include_line(module, is_library);
    let text = fs::read_to_string(root.join(file))
        .map_err(|e| Failure::Usage(format!("cannot read {}: {e}", root.join(file).display())))?;
    let (action, left) = match program::with_line(&text, &line) {
        _ if text.contains("include_assets!") => (Action::Keep("includes the assets".to_owned()), Vec::new()),
        _ if is_new && is_library => {
            (Action::Change(program::first_library(module), vec!["a test that loads the asset".to_owned()]), Vec::new())
        }
        _ if is_new && program::is_untouched(&text) => (
            Action::Change(program::first_program(module), vec!["a program that prints the asset".to_owned()]),
            Vec::new(),
        ),
        Some(text) => (Action::Change(text, vec![line]), load),
        None => (Action::Ask(format!("add before the first item: {line}")), load),
    };
    Ok((Step { file: file.into(), action }, left))
}

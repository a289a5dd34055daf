//! `cargo rres init`: makes a package build its assets. Adds what is missing, and changes nothing else.

mod dependencies;
mod manifest;
mod module;
mod needs;
mod program;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use dependencies::{BUILD, REPOSITORY, RUNTIME, Wanted};
use manifest::Manifest;
use module::ModuleName;
use needs::Needs;
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
    /// Do not add profiles: the one that optimises some crates in debug builds, and the one of build scripts
    #[arg(long)]
    no_profile: bool,
    /// Take the crates from a clone of their repository, instead of from where they are published
    #[arg(long, value_name = "DIR")]
    checkout: Option<PathBuf>,
}

/// Directories that games keep their assets in.
const DIRECTORIES: &[&str] = &["assets", "resources", "res", "data"];

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

/// The names of the crates in Rust code.
struct Names {
    runtime: String,
    build: String,
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

impl Choices {
    /// Returns the clone to take the crates from, with its whole path.
    pub(super) fn checkout(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(dir) = &self.checkout else { return Ok(None) };
        let crates = [RUNTIME, BUILD].map(|(_, name)| Path::new(name).join("Cargo.toml"));
        if let Some(missing) = crates.iter().find(|file| !dir.join(file).is_file()) {
            let (dir, missing) = (dir.display(), missing.display());
            return Err(Failure::Usage(format!(
                "--checkout {dir}: it has no {missing}; expected a clone of {REPOSITORY}"
            )));
        }
        let dir = std::path::absolute(dir);
        dir.map(Some).map_err(|e| Failure::Usage(format!("--checkout: cannot find the directory: {e}")))
    }
}

impl Plan {
    /// Plans what a package lacks. A package that `cargo new` has just made also gets an asset and a program that shows it.
    fn new(package: &Package, dir: &Path, choices: &Choices, is_new: bool) -> Result<Self, Failure> {
        let root = &package.root;
        let dir = &directory(root, dir)?;
        let checkout = choices.checkout()?;
        let manifest = Manifest::read(&root.join("Cargo.toml"))?;
        let of_workspace = package.workspace.join("Cargo.toml");
        let is_member = of_workspace != root.join("Cargo.toml") && of_workspace.is_file();
        let of_workspace = if is_member { Some(Manifest::read(&of_workspace)?) } else { None };
        let shared = of_workspace.as_ref().unwrap_or(&manifest).document.clone();
        let name = |of| dependencies::crate_name(&manifest.document, &shared, of);
        let names = Names { runtime: name(RUNTIME), build: name(BUILD) };
        let mut steps = vec![assets_step(root, dir)?];
        let module = ModuleName::choose(package, dir);
        let script_file = manifest.build_script()?;
        let script = script_step(root, script_file.clone(), dir, &names, &module)?;
        let wanted = Wanted {
            needs: &Needs::of(&root.join(dir)),
            is_tool: choices.tool,
            checkout: checkout.as_deref(),
            script: &fs::read_to_string(root.join(script_file)).unwrap_or_default(),
            workspace: &shared,
        };
        steps.extend(manifest_steps(manifest, of_workspace, &wanted, choices)?);
        steps.push(script);
        if is_new {
            let (name, text) = program::FIRST_ASSET;
            steps.push(Step { file: dir.join(name), action: Action::Create(text.to_owned()) });
        }
        let (program, left) = module.program_step(root, &names, is_new)?;
        steps.push(program);
        steps.extend(module.note());
        steps.extend(module.library_note(root));
        Ok(Self { steps, left })
    }

    fn apply(&self, root: &Path) -> Result<(), Failure> {
        self.steps.iter().try_for_each(|step| step.apply(root))
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        self.steps.iter().try_for_each(|step| step.print(out))
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

/// Returns an assets directory relative to the package, without dots.
fn directory(root: &Path, dir: &Path) -> Result<PathBuf, Failure> {
    let (shown, package) = (dir.display(), root.display());
    let plain: Option<PathBuf> = dir
        .components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| matches!(part, Component::Normal(_)).then_some(part))
        .collect();
    match plain {
        Some(plain) if plain.as_os_str().is_empty() => Err(Failure::Usage(format!(
            "{shown} is the package {package} itself: name a directory in it, such as {}",
            DIRECTORIES[0]
        ))),
        Some(plain) if plain.to_str().is_none() => Err(Failure::Usage(format!("{shown} is not valid UTF-8"))),
        Some(plain) => Ok(plain),
        None => Err(Failure::Usage(format!(
            "{shown} is not inside the package {package}: name a directory relative to it, or call `rres_build::import` in build.rs by hand"
        ))),
    }
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
    mut manifest: Manifest,
    of_workspace: Option<Manifest>,
    wanted: &Wanted<'_>,
    choices: &Choices,
) -> Result<Vec<Step>, Failure> {
    manifest.add_dependencies(wanted)?;
    let (has_new_importers, is_switched) = (manifest.has_new_importers, manifest.is_switched);
    let (left, kept) = (std::mem::take(&mut manifest.left), std::mem::take(&mut manifest.notes));
    let mut manifests = vec![(PathBuf::from("Cargo.toml"), manifest)];
    if !choices.no_profile {
        manifests.extend(of_workspace.map(|manifest| (manifest.file.clone(), manifest)));
        if let Some((_, manifest)) = manifests.last_mut() {
            manifest.add_profile(wanted.needs.new_decoders())?;
            if !choices.tool {
                manifest.add_build_override()?;
            }
        }
    }
    let optimising = manifests.iter().find(|(_, manifest)| manifest.optimises_all && !choices.tool);
    let mut notes = Vec::new();
    notes.extend(left.into_iter().map(|text| Step { file: "Cargo.toml".into(), action: Action::Ask(text) }));
    notes.extend(kept.into_iter().map(|text| Step { file: "Cargo.toml".into(), action: Action::Note(text) }));
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

/// The step for the build script, in `file`.
fn script_step(root: &Path, file: PathBuf, dir: &Path, names: &Names, module: &ModuleName) -> Result<Step, Failure> {
    let Names { runtime, build } = names;
    let chosen = module.taken.as_ref().map(|_| format!(".module({:?})", module.name));
    // The generated code names the runtime.
    let renamed = (runtime != &RUNTIME.1.replace('-', "_")).then(|| format!(".crate_path(\"::{runtime}\")"));
    let options: Vec<String> = chosen.into_iter().chain(renamed).collect();
    // Every system takes forward slashes.
    let dir = dir.iter().filter_map(|part| part.to_str()).collect::<Vec<_>>().join("/");
    let import = format!("import({dir:?})");
    let call = format!("{build}::{import}{}.build_or_exit();", options.concat());
    let action = match fs::read_to_string(root.join(&file)) {
        // What the script imports by a variable cannot be known.
        Ok(text) if text.contains(&format!("{build}::import(\"")) && !text.contains(&import) => {
            Action::Ask(format!("it imports another directory; to import this one, too, add: {call}"))
        }
        Ok(text) if text.contains(&format!("{build}::")) => match options.iter().find(|option| !text.contains(*option))
        {
            Some(option) => Action::Ask(format!("add {option} to the call of {build}::{import}")),
            None => Action::Keep(format!("calls {build}")),
        },
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
            Action::Change(text, _) => atomic_write::edit(&file, text.as_bytes()),
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

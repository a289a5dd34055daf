//! `cargo rres init`: makes a package build its assets. Adds what is missing, and changes nothing that is there.

mod manifest;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::atomic_write;
use crate::cargo::{self, Package, PackageArgs};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};
use manifest::Manifest;

/// Make a package build its assets: dependencies, build script and assets directory
///
/// Adds what is missing to Cargo.toml, and creates build.rs and the assets directory if they do not exist. Prints what to
/// write into main.rs. Running it again changes nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Assets directory in the package [default: the first that exists of assets, resources, res and data, or else assets]
    dir: Option<PathBuf>,
    #[command(flatten)]
    package: PackageArgs,
    /// Compile the build script without importers: this command, which must stay installed, does its work
    #[arg(long)]
    tool: bool,
    /// Print what would be done, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Directories that games keep their assets in.
const DIRECTORIES: &[&str] = &["assets", "resources", "res", "data"];

/// A file or directory, and what is done about it.
struct Step {
    /// Relative to the package.
    file: PathBuf,
    action: Action,
}

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
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let package = package(&args.package)?;
    let root = &package.root;
    let dir = args.dir.clone().unwrap_or_else(|| default_directory(root));
    let dir_name = dir.to_str().map(|dir| dir.replace('\\', "/")).filter(|dir| !dir.is_empty());
    let dir_name = dir_name.ok_or_else(|| Failure::Usage(format!("{} is not valid UTF-8", dir.display())))?;
    let manifest = Manifest::read(&root.join("Cargo.toml"))?;
    let steps = [
        assets_step(root, &dir)?,
        manifest_step(&manifest, &root.join(&dir), args.tool)?,
        script_step(root, &manifest, &dir_name)?,
    ];
    if !args.dry_run {
        steps.iter().try_for_each(|step| step.apply(root))?;
    }
    steps.iter().try_for_each(|step| step.print(out))?;
    if args.dry_run {
        out.line("nothing was written, because of --dry-run")?;
    }
    print_usage(&package, &dir_name, out)?;
    Ok(Outcome::Success)
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

fn manifest_step(manifest: &Manifest, assets: &Path, tool: bool) -> Result<Step, Failure> {
    let features = if tool { Some(vec!["tool"]) } else { importers(assets) };
    let (text, added) = manifest.with_dependencies(&features)?;
    let action = match added.is_empty() {
        true => Action::Keep("has the dependencies".to_owned()),
        false => Action::Change(text, added),
    };
    Ok(Step { file: "Cargo.toml".into(), action })
}

/// Returns the features of `rres-build` that the files need, or `None` for the default features: if they need all, or if there
/// are no files yet.
fn importers(assets: &Path) -> Option<Vec<&'static str>> {
    let features = rres_build::importer_features(assets);
    let needed: Vec<&str> = features.iter().filter(|feature| feature.is_needed).map(|feature| feature.name).collect();
    let is_empty = fs::read_dir(assets).map_or(true, |mut entries| entries.next().is_none());
    // Texts and raw bytes need no importer's feature.
    let needed = if needed.is_empty() { vec!["engine"] } else { needed };
    (!is_empty && needed.len() < features.len()).then_some(needed)
}

fn script_step(root: &Path, manifest: &Manifest, dir: &str) -> Result<Step, Failure> {
    let call = format!("rres_build::import({dir:?}).build_or_exit();");
    let file = manifest.build_script()?;
    let action = match fs::read_to_string(root.join(&file)) {
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
            Action::Keep(_) | Action::Ask(_) => Ok(()),
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
        }
        Ok(())
    }
}

/// Prints what is left to write by hand.
fn print_usage(package: &Package, dir: &str, out: &mut Output) -> Result<(), Failure> {
    let root = &package.root;
    let roots: Vec<&str> = ["src/main.rs", "src/lib.rs"].into_iter().filter(|file| root.join(file).is_file()).collect();
    let is_included =
        |file: &&str| fs::read_to_string(root.join(file)).is_ok_and(|text| text.contains("include_assets!"));
    if let Some(file) = roots.iter().find(|file| is_included(file)) {
        out.line(format!("kept     {file}: includes the assets"))?;
        return Ok(());
    }
    let file = roots.first().unwrap_or(&"src/main.rs");
    out.line(format!("\nWrite into {file} of {}:\n", escape_terminal(&package.name)))?;
    // The build calls the module like its directory.
    let module = dir.rsplit('/').next().unwrap_or(dir).replace(['-', ' ', '.'], "_");
    out.line(format!("    rres_runtime::include_assets!(mod {module}); // a constant for each file"))?;
    out.line(format!("    let store = {module}::open()?;"))?;
    out.line(format!("    let asset = store.load({module}::…)?; // your editor completes the constants"))?;
    Ok(())
}

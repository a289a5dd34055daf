//! `cargo rres unused`: compiles the package with rustc's lint for dead code, and reports the assets that it finds.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rres_engine::Usage;
use serde_json::{Value, json};

use crate::cargo::{self, BuildMessage, Package, PackageArgs, Target};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count, escape_terminal};
use crate::rust_sources;

/// List the assets that a game does not use
///
/// Compiles the library and the programs of the package and asks the compiler which constants no code uses. Groups, folders and
/// `by_path` count as uses. If the library exports the module, an asset counts as used if any source file of the workspace names it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres unused
  cargo rres unused --check                  for CI")]
pub(crate) struct Args {
    #[command(flatten)]
    package: PackageArgs,
    /// Exit with code 1 if assets are unused
    #[arg(long)]
    check: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// A generated module, and what the targets of its package do not use of it.
pub(crate) struct Module {
    package: String,
    /// The file in the output directory of the build script.
    file: PathBuf,
    /// The name of the module: `assets`.
    name: String,
    pub(crate) usage: Usage,
    /// Whether the library exports the module, so that the compiler cannot know who uses it.
    pub(crate) is_exported: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let modules = modules(&args.package.find()?, out)?;
    if args.json {
        out.json(json!({ "modules": modules.iter().map(Module::to_json).collect::<Vec<_>>() }))?;
    } else {
        modules.iter().try_for_each(|module| module.print(out))?;
    }
    let is_clean = modules.iter().all(|module| module.usage.unused.is_empty() && module.usage.unused_groups.is_empty());
    Ok(Outcome::of(is_clean || !args.check))
}

/// Returns the paths of the assets that no program of a package uses.
pub(crate) fn unused_paths(package: &PackageArgs, out: &mut Output) -> Result<BTreeSet<String>, Failure> {
    let unused = modules(&package.find()?, out)?.into_iter().flat_map(|module| module.usage.unused);
    Ok(unused.map(|asset| asset.path).collect())
}

/// Compiles packages, and returns their modules with what is unused of each. That may take minutes, so it is said on standard error, where
/// Cargo shows how far it is.
pub(crate) fn modules(packages: &[Package], out: &mut Output) -> Result<Vec<Module>, Failure> {
    let mut modules = Vec::new();
    for package in packages.iter().filter(|package| package.has_build_script) {
        let text = format!("compiling {} to ask the compiler which assets it uses", escape_terminal(&package.name));
        out.message(Style::Bold, "note:", &text)?;
        modules.extend(modules_of(package)?);
    }
    if modules.is_empty() {
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        return Err(Failure::Usage(format!("{} generates no assets module; see `cargo rres init`", names.join(", "))));
    }
    Ok(modules)
}

impl Module {
    fn to_json(&self) -> Value {
        let assets = self.usage.unused.iter();
        json!({
            "package": self.package,
            "module": self.name,
            "exported": self.is_exported,
            "asset_count": self.usage.assets,
            "all_reachable": self.usage.uses_all,
            "unused": assets.map(|asset| json!({ "path": asset.path, "constant": asset.constant })).collect::<Vec<_>>(),
            "unused_groups": self.usage.unused_groups,
        })
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        let name = format!("{}, module {}", self.package, self.name);
        let (unused, all) = (self.usage.unused.len(), count(self.usage.assets, "asset"));
        if self.usage.uses_all {
            out.line(format!("{name}: the program reaches all of {all} through `ALL` or `by_path`"))?;
        } else if unused == 0 {
            let are = if self.usage.assets == 1 { "is" } else { "are" };
            out.line(format!("{name}: all of {all} {are} used"))?;
        } else {
            out.line(format!("{name}: {unused} of {all} not used"))?;
        }
        for asset in &self.usage.unused {
            out.line(format!("  {}  {}::{}", escape_terminal(&asset.path), self.name, asset.constant))?;
        }
        for group in &self.usage.unused_groups {
            out.line(format!("  group {} not used", escape_terminal(group)))?;
        }
        if self.is_exported {
            out.line("  the library exports this module: what a source file of the workspace names counts as used")?;
        }
        Ok(())
    }
}

/// What the compiler reported about one target.
#[derive(Default)]
struct Report {
    /// The output directory of the build script.
    out_dir: Option<PathBuf>,
    /// File, line and name of every item that no code uses.
    dead: HashSet<(PathBuf, usize, String)>,
}

/// Compiles the library and the programs of `package`, and returns its modules.
fn modules_of(package: &Package) -> Result<Vec<Module>, Failure> {
    let targets: Vec<&Target> = package.targets.iter().collect();
    modules_by(package, &targets, |target| Ok(check(package, target)))
}

/// Compiles some targets of `package`, each by the command that `command_for` returns, and returns its modules. The command ends with the
/// arguments of `cargo rustc`; those of the compiler follow.
pub(crate) fn modules_by(
    package: &Package,
    targets: &[&Target],
    command_for: impl Fn(&Target) -> Result<Command, Failure>,
) -> Result<Vec<Module>, Failure> {
    let compiled = targets.iter().map(|target| compile(package, command_for(target)?));
    let reports = compiled.collect::<Result<Vec<_>, _>>()?;
    let Some(out_dir) = reports.iter().find_map(|report| report.out_dir.clone()) else { return Ok(Vec::new()) };
    let mut modules = Vec::new();
    for (file, text) in module_texts(&out_dir) {
        // A target that does not include the module reports nothing in it, as does one that exports it.
        let including: Vec<&Report> =
            reports.iter().filter(|report| report.dead.iter().any(|(dead, ..)| *dead == tail(&file))).collect();
        let is_exported = including.is_empty();
        let module = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let sources = if is_exported { Some(Sources::read(package)?) } else { None };
        let usage = Usage::of_module(&text, |line, path| match &sources {
            Some(sources) => !sources.name(&module, path),
            None => {
                let item = path.rsplit("::").next().unwrap_or(path).to_owned();
                including.iter().all(|report| report.dead.contains(&(tail(&file), line, item.clone())))
            }
        });
        let Some(usage) = usage else { continue };
        modules.push(Module { package: package.name.clone(), name: module, usage, is_exported, file });
    }
    modules.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(modules)
}

/// The end of the path of a file in the output directory of a build script, with the part that no other one has. `ship` has the compiler rename
/// what is before it.
fn tail(file: &Path) -> PathBuf {
    let parts: Vec<_> = file.components().collect();
    parts[parts.len().saturating_sub(3)..].iter().collect()
}

/// The Rust files of an output directory.
fn module_texts(out_dir: &Path) -> BTreeMap<PathBuf, String> {
    let files = fs::read_dir(out_dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let rust = files.filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    rust.filter_map(|file| Some((file.clone(), fs::read_to_string(&file).ok()?))).collect()
}

/// The command that compiles one target as `cargo check` does.
fn check(package: &Package, target: &Target) -> Command {
    let mut command = cargo::command(&package.root);
    command.args(["rustc", "--profile", "check", "--message-format", "json", "-p", &package.name]);
    match target {
        Target::Library => command.arg("--lib"),
        Target::Program(name) => command.args(["--bin", name]),
    };
    if let Some(features) = target.program().and_then(|name| package.required_features.get(name)) {
        command.args(["--features", &features.join(",")]);
    }
    command
}

/// Compiles one target, with every item reported that no code uses, also where the lint is allowed.
fn compile(package: &Package, mut command: Command) -> Result<Report, Failure> {
    command.args(["--", "--force-warn", "dead_code"]);
    let mut report = Report::default();
    let mut errors = Vec::new();
    let (status, _) = cargo::run_build(&mut command, |message| match message {
        BuildMessage::ScriptExecuted { package: id, out_dir, .. } if id == package.id => report.out_dir = Some(out_dir),
        BuildMessage::Compiler { message, .. } if message["level"] == "error" => {
            let text = message["rendered"].as_str().filter(|text| !text.starts_with("error: aborting due to"));
            errors.extend(text.map(|text| text.trim_end().to_owned()));
        }
        BuildMessage::Compiler { package: id, message } if id == package.id => report.add(&message, &package.root),
        _ => {}
    })?;
    if !status.success() {
        // Faults of the assets are in the lines of Cargo.
        let what = if errors.is_empty() { "; see above".to_owned() } else { format!(":\n{}", errors.join("\n\n")) };
        return Err(Failure::Fault(format!("{} does not compile{what}", package.name)));
    }
    Ok(report)
}

impl Report {
    /// Adds the spans of a message about dead code.
    fn add(&mut self, message: &Value, root: &Path) {
        if message["code"]["code"] != "dead_code" {
            return;
        }
        for span in message["spans"].as_array().into_iter().flatten() {
            let (Some(file), Some(line)) = (span["file_name"].as_str(), span["line_start"].as_u64()) else { continue };
            let text = span["text"][0]["text"].as_str().unwrap_or_default();
            let columns = (span["column_start"].as_u64().unwrap_or(1), span["column_end"].as_u64().unwrap_or(1));
            let (start, end) = (columns.0.saturating_sub(1) as usize, columns.1.saturating_sub(1) as usize);
            let name: String = text.chars().take(end).skip(start).collect();
            self.dead.insert((tail(&root.join(file)), line as usize, name));
        }
    }
}

/// The words of every source file of a workspace.
struct Sources {
    words: HashSet<String>,
}

impl Sources {
    /// # Errors
    /// If a file of the workspace cannot be read: it might name any asset.
    fn read(package: &Package) -> Result<Self, Failure> {
        let mut words = HashSet::new();
        rust_sources::visit(&package.members, &package.build_directories, &mut |_, text| add_words(text, &mut words))?;
        Ok(Self { words })
    }

    /// Whether a source file names the item `path` of the module `module`.
    fn name(&self, module: &str, path: &str) -> bool {
        let (folder, item) = path.rsplit_once("::").unwrap_or((module, path));
        match item {
            // Too common a name to count on its own.
            "ALL" => self.words.contains(&format!("{}::ALL", folder.rsplit("::").next().unwrap_or(folder))),
            _ => self.words.contains(item),
        }
    }
}

/// Adds the identifiers in a Rust file, and those before `::ALL` with it.
fn add_words(text: &str, words: &mut HashSet<String>) {
    let mut before = "";
    for word in rust_sources::words(text) {
        if word == "ALL" {
            words.insert(format!("{before}::ALL"));
        }
        words.insert(word.to_owned());
        before = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_compiled_with_the_features_that_it_requires() {
        let tool = Target::Program("tool".to_owned());
        let required = ("tool".to_owned(), vec!["editor".to_owned(), "net".to_owned()]);
        let package = Package {
            name: "game".to_owned(),
            root: PathBuf::from("game"),
            id: "game".to_owned(),
            has_build_script: true,
            targets: Vec::new(),
            required_features: [required].into(),
            workspace: PathBuf::from("game"),
            members: Vec::new(),
            build_directories: Vec::new(),
        };
        let features = |target: &Target| check(&package, target).get_args().any(|argument| argument == "editor,net");
        assert!(features(&tool) && !features(&Target::Library) && !features(&Target::Program("game".to_owned())));
    }
}

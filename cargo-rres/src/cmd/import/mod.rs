//! `cargo rres import`: the project file of another tool → `assets.toml`.
//!
//! ```text
//! text ─► Project or List ─► located files ─► Draft ─► assets.toml
//! ```

mod cubemaps;
mod draft;
mod files;
mod from_list;
mod from_rrp;
mod locate;
mod toml_string;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use draft::{Draft, FileRule};
use files::AssetFiles;
use locate::{Locator, common_folder};
use rres_packs::atomic_write;
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::output::{Column, Output, Style, Table, count};
use crate::plain_path::plain_absolute;
use crate::project_file::{self, Remark, nbrlist, rrp};

/// The name of the settings file in an assets directory.
const SETTINGS_FILE: &str = "assets.toml";

/// Turn a project of rrespacker or of Nikola into assets.toml
///
/// Reads projects of rrespacker (.rrp) and lists of Nikola's tool nbr (.nbrlist). Finds their files, and writes rules into the assets directory, so that a build makes the pack that the project
/// describes. Prints what became of each file, and what has no equivalent. Writes nothing if anything is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres import resources.rrp
  cargo rres import resources.rrp -o assets --dry-run
  cargo rres import --root res lists/level1.nbrlist")]
pub(crate) struct Args {
    /// Path to the project: a file whose name ends in .rrp or .nbrlist
    project: PathBuf,
    /// Assets directory, which assets.toml is written to [default: the folder that all files of the project have in common]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Directory that relative paths start from [default: the project's]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Leave out files that do not exist, and warn, instead of failing
    #[arg(long)]
    skip_missing: bool,
    /// Replace an existing assets.toml, and .cubemap files
    #[arg(long)]
    force: bool,
    /// Print assets.toml and .cubemap files, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// What became of a project.
struct Import {
    /// The assets directory; `None` if the files have none in common.
    assets: Option<PathBuf>,
    draft: Draft,
    /// The text of `assets.toml`; empty if there are faults.
    text: String,
    /// What is not about one line.
    notes: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let project = args.project.display().to_string();
    let import = import(args)?;
    let Import { assets, draft, text, notes } = &import;
    let settings = assets.as_ref().map(|assets| assets.join(SETTINGS_FILE));
    let is_good = draft.faults.is_empty();
    let written = match &settings {
        Some(settings) if is_good && !args.dry_run => {
            let mut files = vec![(settings.clone(), text.as_str())];
            let assets = settings.parent().unwrap_or(Path::new(""));
            files.extend(draft.cubemaps.iter().map(|map| (assets.join(&map.path), map.text.as_str())));
            write(&files, args.force)?;
            true
        }
        _ => false,
    };
    if args.json {
        out.json(to_json(&import, settings.as_deref().filter(|_| written)))?;
    } else if is_good && args.dry_run {
        out.bytes(text.as_bytes())?;
        for cubemap in &draft.cubemaps {
            let lines: String = cubemap.text.lines().map(|line| format!("# {line}\n")).collect();
            out.bytes(format!("\n# {} will be written:\n{lines}", cubemap.path).as_bytes())?;
        }
    } else if is_good {
        print(draft, out)?;
    }
    for note in notes {
        out.message(Style::Bold, "note:", &format!("{project}: {note}"))?;
    }
    for warning in &draft.warnings {
        out.warn(&shown(&project, warning))?;
    }
    for fault in &draft.faults {
        out.error(&shown(&project, fault))?;
    }
    let (Some(settings), true) = (settings, written) else { return Ok(Outcome::of(is_good)) };
    if !args.json {
        let assets = assets.as_deref().unwrap_or(Path::new(""));
        let files = count(draft.files.len(), "file");
        out.line(format!(
            "{} written: {files}; build them with `cargo rres build {} -o OUT.rres`",
            shown_path(&settings),
            shown_path(assets)
        ))?;
    }
    check(&settings, draft, out)
}

fn import(args: &Args) -> Result<Import, Failure> {
    let bytes = read(&args.project)?;
    let absolute = |path: &Path| {
        std::path::absolute(path).map_err(|e| Failure::Usage(format!("cannot find {}: {e}", path.display())))
    };
    let project_file = absolute(&args.project)?;
    let base = match &args.root {
        Some(root) if !root.is_dir() => {
            return Err(Failure::Usage(format!("--root {}: no such directory", root.display())));
        }
        Some(root) => absolute(root)?,
        None => project_file.parent().unwrap_or(Path::new(".")).to_owned(),
    };
    let name = args.project.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut locator = Locator::new(base);
    let text = match project_file::text(&bytes) {
        Ok(text) => text,
        Err(fault) => return Ok(Import::failed(vec![fault])),
    };
    // Files are looked for in any case, so that one run reports everything.
    if from_rrp::is_project(&args.project) {
        let project = rrp::parse(text);
        let (located, missing) = from_rrp::locate(&project, &mut locator);
        let paths = located.iter().map(|located| located.file.as_path());
        let parsed = Parsed { name, faults: &project.faults, warnings: &project.warnings, missing, locator: &locator };
        parsed.import(args, paths, |files| from_rrp::draft(&located, files))
    } else if from_list::is_list(&args.project) {
        let list = nbrlist::parse(text);
        let (located, missing) = from_list::locate(&list, &mut locator);
        let paths = located.iter().map(|located| located.path.as_path());
        let parsed = Parsed { name, faults: &list.faults, warnings: &[], missing, locator: &locator };
        parsed.import(args, paths, |files| from_list::draft(&located, files))
    } else {
        Err(Failure::Usage(format!("{}: expected a file whose name ends in .rrp or .nbrlist", args.project.display())))
    }
}

/// A project whose files were looked for.
struct Parsed<'p> {
    name: String,
    faults: &'p [Remark],
    warnings: &'p [Remark],
    missing: Vec<Remark>,
    locator: &'p Locator,
}

impl Parsed<'_> {
    fn import<'f>(
        self,
        args: &Args,
        found: impl Iterator<Item = &'f Path> + Clone,
        draft: impl FnOnce(&AssetFiles) -> Draft,
    ) -> Result<Import, Failure> {
        let Self { name, faults, warnings, missing, locator } = self;
        let assets = match &args.out {
            Some(out) if !out.is_dir() => {
                return Err(Failure::Usage(format!("--out {}: no such directory", out.display())));
            }
            Some(out) => Some(plain_absolute(out)?),
            None => match common_folder(found.clone()) {
                // A project that somebody else wrote could otherwise choose any directory of this machine.
                Some(common) if !locator.is_near(&common) => {
                    let message = format!(
                        "the files have the folder {common} in common, which is far from the project; if that is to be the assets \
                         directory, say so with -o {common}",
                        common = common.display()
                    );
                    return Err(Failure::Usage(message));
                }
                common => common,
            },
        };
        let notes = locator.moved.iter().map(|(folder, base)| {
            format!("{} does not exist here; files below it were found in {}", folder, base.display())
        });
        let mut import = Import { notes: notes.collect(), ..Import::failed(faults.to_vec()) };
        import.draft.warnings = warnings.to_vec();
        if args.skip_missing { &mut import.draft.warnings } else { &mut import.draft.faults }.extend(missing);
        let Some(assets) = assets else {
            let message = match found.clone().next() {
                Some(_) => "the files have no folder in common, so there is no assets directory",
                None => "the project has no files",
            };
            if import.draft.faults.is_empty() {
                import.draft.faults.push(Remark::new(1, message).with_help("move them below one folder"));
            }
            return Ok(import);
        };
        let files = AssetFiles::of_directory(&assets);
        let Draft { faults, warnings, .. } = std::mem::take(&mut import.draft);
        let mut draft = draft(&files);
        draft.faults.extend(faults);
        draft.warnings.extend(warnings);
        draft.faults.sort_by_key(|fault| fault.line);
        draft.warnings.sort_by_key(|warning| warning.line);
        let parent = draft.mapped_folder().and_then(|folder| Some((folder, above(&assets, folder)?)));
        // The directory of a package has too much in it to be an assets directory.
        if let Some((folder, parent)) = parent.filter(|(_, parent)| !parent.join("Cargo.toml").exists()) {
            import.notes.push(format!(
                "every name begins with {folder}/; with -o {}, no file needs `path`",
                shown_path(&parent)
            ));
        }
        if draft.has_encrypted_files() {
            let note = "some files are encrypted: set the variable RRES_KEY to the password, best of 16 bytes, before you build";
            import.notes.push(note.to_owned());
        }
        if draft.faults.is_empty() {
            let all: Vec<&str> = files.all.iter().map(|asset| asset.path.as_str()).collect();
            import.text = draft.text(&name, &all);
        }
        Ok(Import { assets: Some(assets), draft, ..import })
    }
}

impl Import {
    fn failed(faults: Vec<Remark>) -> Self {
        let draft = Draft { faults, ..Draft::default() };
        Self { assets: None, draft, text: String::new(), notes: Vec::new() }
    }
}

/// Returns the directory that `assets` is the folder `folder` of; `None` if its path ends in another way.
fn above(assets: &Path, folder: &str) -> Option<PathBuf> {
    let folder = Path::new(folder);
    assets.ends_with(folder).then(|| assets.ancestors().nth(folder.iter().count()))?.map(Path::to_owned)
}

/// Reads a project file, which is not larger than one can be.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let fail = |why: String| Failure::Usage(format!("cannot read {}: {why}", path.display()));
    // Opening a FIFO would wait for its writer.
    let metadata = path.metadata().map_err(|e| fail(e.to_string()))?;
    if metadata.is_dir() {
        return Err(fail(
            "it is not a file but a directory; builds read .nbr files as they are: `cargo rres pack`".to_owned(),
        ));
    }
    if !metadata.is_file() {
        return Err(fail("it is not a file".to_owned()));
    }
    let mut bytes = Vec::new();
    let limit = project_file::MAX_SIZE as u64;
    let file = File::open(path).map_err(|e| fail(e.to_string()))?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|e| fail(e.to_string()))?;
    if bytes.len() as u64 > limit {
        return Err(fail(format!("it is larger than {} MiB, which no project is", limit >> 20)));
    }
    Ok(bytes)
}

/// Writes files with these texts. Nothing is written if one exists with another text, unless `force`.
fn write(files: &[(PathBuf, &str)], force: bool) -> Result<(), Failure> {
    for (file, text) in files {
        // The settings may have been edited, so that even the same ones are not written again.
        let is_same = || std::fs::read(file).is_ok_and(|bytes| bytes == text.as_bytes());
        if !force && file.exists() && (file.ends_with(SETTINGS_FILE) || !is_same()) {
            let path = shown_path(file);
            let message = format!("{path} exists; replace it with --force, or see with --dry-run what would be in it");
            return Err(Failure::Usage(message));
        }
    }
    for (file, text) in files {
        let result = match file.exists() {
            // Checked above, or replaced on purpose.
            true => atomic_write::edit(file, text.as_bytes()),
            false => atomic_write::create(file, text.as_bytes()),
        };
        result.map_err(|error| Failure::Usage(format!("cannot write {}: {error}", shown_path(file))))?;
    }
    Ok(())
}

/// Checks that a build would import exactly the files of the project.
fn check(settings: &Path, draft: &Draft, out: &mut Output) -> Result<Outcome, Failure> {
    let assets = settings.parent().unwrap_or(Path::new("."));
    // Nothing is written to the output directory.
    let plan = rres_build::import(assets).out_dir(assets.parent().unwrap_or(assets)).plan();
    match plan {
        Ok(plan) => {
            let planned: Vec<&str> = plan.iter().map(|asset| asset.source.as_str()).collect();
            let wanted: Vec<&str> = draft.files.keys().map(String::as_str).collect();
            for path in wanted.iter().filter(|path| planned.binary_search(path).is_err()) {
                out.error(&format!("{path}: no rule can be written for a file of this name; rename it"))?;
            }
            for path in planned.iter().filter(|path| wanted.binary_search(path).is_err()) {
                out.error(&format!("{path}: is not in the project, and no rule can leave out a file of this name"))?;
            }
            Ok(Outcome::of(planned == wanted))
        }
        Err(error) => {
            for diagnostic in error.diagnostics() {
                out.error(&diagnostic.to_string())?;
            }
            Ok(Outcome::Faults)
        }
    }
}

fn print(draft: &Draft, out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&[Column::left("FILE"), Column::left("PATH IN THE PACK"), Column::left("SETTINGS")]);
    for (path, FileRule { stored_path, settings, .. }) in &draft.files {
        let others: Vec<&str> =
            settings.iter().map(String::as_str).filter(|line| !line.starts_with("path = ")).collect();
        table.row([path.clone(), stored_path.clone(), others.join(", ")]);
    }
    table.print(out)?;
    Ok(())
}

/// Returns a remark as text: `resources.rrp:7: …`.
fn shown(project: &str, Remark { line, message, help }: &Remark) -> String {
    let help = if help.is_empty() { String::new() } else { format!("\n  help: {help}") };
    format!("{project}:{line}: {message}{help}")
}

/// Returns a path below the current directory as it can be typed there.
fn shown_path(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&current) {
        Ok(relative) if relative.as_os_str().is_empty() => ".".to_owned(),
        Ok(relative) => relative.display().to_string(),
        Err(_) => path.display().to_string(),
    }
}

fn to_json(Import { assets, draft, text, notes }: &Import, written: Option<&Path>) -> Value {
    let remark = |Remark { line, message, help }: &Remark| json!({ "line": line, "message": message, "help": Some(help).filter(|help| !help.is_empty()) });
    let file = |(path, rule): (&String, &FileRule)| json!({ "file": path, "path": rule.stored_path, "line": rule.line, "settings": rule.settings });
    json!({
        "ok": draft.faults.is_empty(),
        "assets": assets.as_ref().map(|assets| assets.display().to_string()),
        "written": written.map(|file| file.display().to_string()),
        "settings": Some(text).filter(|text| !text.is_empty()),
        "files": draft.files.iter().map(file).collect::<Vec<_>>(),
        "cubemaps": draft.cubemaps.iter().map(|map| json!({ "file": map.path, "text": map.text })).collect::<Vec<_>>(),
        "groups": draft.groups.keys().collect::<Vec<_>>(),
        "notes": notes,
        "warnings": draft.warnings.iter().map(remark).collect::<Vec<_>>(),
        "faults": draft.faults.iter().map(remark).collect::<Vec<_>>(),
    })
}

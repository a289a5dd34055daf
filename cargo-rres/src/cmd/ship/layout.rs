//! Which files a result has, and where they are in it.
//!
//! ```text
//! NAME/                          NAME/                       with --bundle
//! ├── game                       ├── NAME.app/Contents/
//! ├── game.rres                  │   ├── Info.plist
//! ├── CREDITS.txt                │   ├── MacOS/game
//! ├── LICENSE                    │   └── Resources/game.rres
//! └── THIRD-PARTY-LICENSES.txt   └── CREDITS.txt, LICENSE, …
//! ```

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rres_format::{AssetKind, embedded};
use rres_licenses::Credit;
use rres_packs::executable::{self, EmbedOptions, NamedPack};
use rres_runtime::{Link, Pack};

use super::build::{Built, Program};
use super::licences;
use super::options::Args;
use super::packs::PackageOutput;
use super::staging::{Role, Staging};
use super::{bundle, sbom, web};
use crate::asset_builds::AssetBuilds;
use crate::cargo::{Crate, Graph};
use crate::cmd::licenses::{self, Ledger};
use crate::exit::Failure;
use crate::output::{Output, count};

/// The file with the licences of the crates in a program.
const LICENCES: &str = "THIRD-PARTY-LICENSES.txt";

/// The file with who made the assets.
const CREDITS: &str = "CREDITS.txt";

/// What goes into a result.
pub(super) struct Contents<'a> {
    pub(super) args: &'a Args,
    /// The package of the programs.
    pub(super) own: &'a Crate,
    /// The crates that are linked into them.
    pub(super) crates: &'a [&'a Crate],
    pub(super) graph: &'a Graph,
    pub(super) built: &'a Built,
    pub(super) outputs: &'a [PackageOutput],
    /// The paths of sources that the packs are without.
    pub(super) left_out: &'a HashSet<String>,
    pub(super) sysroot: &'a Path,
    pub(super) name: &'a str,
    /// For browsers.
    pub(super) installer: web::Installer,
}

/// A pack file, with the file name that the program looks for.
struct PackFile {
    name: String,
    file: PathBuf,
    assets: usize,
}

impl Contents<'_> {
    /// Adds everything. Returns what packs are to be called on a web server, which they are not yet.
    pub(super) fn add_to(&self, staging: &mut Staging, out: &mut Output) -> Result<web::PackNames, Failure> {
        let app = self.args.bundle.then(|| format!("{}.app/Contents", self.name));
        let inside = |folder: &str| app.as_ref().map(|app| format!("{app}/{folder}/")).unwrap_or_default();
        let (programs, resources) = (inside("MacOS"), inside("Resources"));
        let packs = self.pack_files()?;
        let names = self.names_on_server(&packs)?;
        let mut placed = None;
        for program in &self.built.programs {
            let file_name = program.file.file_name().unwrap_or_default().to_string_lossy();
            let path = format!("{programs}{file_name}");
            // With `embed = true`, the linker has put packs into the program.
            let linked = linked_packs(&program.file)?;
            let (inside, outside): (Vec<&PackFile>, Vec<&PackFile>) =
                packs.iter().partition(|pack| linked.contains(&pack.name));
            if self.args.single && !outside.is_empty() {
                add_single(&path, &program.file, &outside, staging, out)?;
            } else if self.args.web {
                placed = Some(self.web_program(program, &names).add_to(staging, out)?);
            } else {
                staging.add_copy(&path, &program.file, Role::Program, program_contents(&inside))?;
            }
            if self.args.single {
                continue;
            }
            for PackFile { name, file, assets } in outside {
                let path = format!("{resources}{name}");
                // Several programs share the packs.
                if staging.parts.iter().all(|part| part.path != path) {
                    let contents = format!("pack, {}", count(*assets, "asset"));
                    staging.add_copy(&path, file, Role::Pack, contents)?;
                }
            }
        }
        self.add_linked_files(&programs, &packs, staging, out)?;
        if let Some(app) = &app {
            let program = self.built.programs.first().map(|program| program.name.as_str()).unwrap_or_default();
            let plist = bundle::info_plist(self.own, self.name, program);
            staging.add_text(
                &format!("{app}/Info.plist"),
                &plist,
                Role::Bundle,
                "properties of the bundle".to_owned(),
            )?;
            if self.own.bundle_identifier.is_none() {
                out.warn(&format!(
                    "the bundle is called {}; set `identifier` under [package.metadata.bundle] in Cargo.toml to a name that \
                     no other application has",
                    bundle::identifier(self.own)
                ))?;
            }
        }
        self.add_licences(staging, out)?;
        let credits = self.add_credits(staging, out)?;
        if self.args.sbom {
            let bill = sbom::bill_of_materials(self.own, self.crates, self.graph, &credits);
            let path = format!("{}.cdx.json", self.name);
            staging.add_text(&path, &format!("{bill:#}\n"), Role::Sbom, "bill of materials".to_owned())?;
        }
        for path in &self.args.include {
            let (file, name) = (super::build::absolute(path)?, included_name(path)?);
            let is_of_page = match &placed {
                Some(placed) => placed.add_included(&name, &file, staging)?,
                None => false,
            };
            if !is_of_page {
                add_included(&file, &name, staging)?;
            }
        }
        if self.args.web {
            web::add_compressed(staging)?;
        }
        Ok(names)
    }

    fn web_program<'b>(&'b self, program: &'b Program, packs: &'b web::PackNames) -> web::WebProgram<'b> {
        let included = self.included();
        web::WebProgram { program, crates: self.crates, installer: &self.installer, packs, included }
    }

    /// The names of files and directories that the user adds, and where they are.
    fn included(&self) -> Vec<(String, PathBuf)> {
        let named = |path: &PathBuf| Some((included_name(path).ok()?, super::build::absolute(path).ok()?));
        self.args.include.iter().filter_map(named).collect()
    }

    /// Returns what packs are called on a web server. They keep their names if a script or a page of the user starts the program.
    fn names_on_server(&self, packs: &[PackFile]) -> Result<web::PackNames, Failure> {
        let mut names = web::PackNames::default();
        if self.args.web && !web::starts_by_itself(&self.included()) {
            packs.iter().try_for_each(|pack| names.add(&pack.name, &pack.file))?;
        }
        Ok(names)
    }

    /// Returns every pack of every set.
    fn pack_files(&self) -> Result<Vec<PackFile>, Failure> {
        let mut files = Vec::new();
        for first in self.outputs.iter().flat_map(PackageOutput::shipped_packs) {
            for pack in executable::packs_of_set(&first)? {
                let opened = Pack::open(&pack.file).map_err(|error| Failure::Fault(error.to_string()))?;
                files.push(PackFile { name: pack.name, file: pack.file, assets: opened.entries().count() });
            }
        }
        Ok(files)
    }

    /// Adds the files that link assets lead to: they are outside the packs, at the path of the link from the executable.
    fn add_linked_files(
        &self,
        programs: &str,
        packs: &[PackFile],
        staging: &mut Staging,
        out: &mut Output,
    ) -> Result<(), Failure> {
        for PackFile { name, file, .. } in packs {
            let pack = Pack::open(file).map_err(|error| Failure::Fault(error.to_string()))?;
            let links = pack.entries().filter(|entry| entry.kind == Some(AssetKind::Link));
            for entry in links {
                let link = pack.load::<Link>(entry.id).map_err(|error| Failure::Fault(error.to_string()))?;
                match self.outputs.iter().find_map(|output| output.source(link.path())) {
                    Some(source) => {
                        let contents = format!("file that {name} links to");
                        staging.add_copy(&format!("{programs}{}", link.path()), &source, Role::Linked, contents)?;
                    }
                    None => out.warn(&format!(
                        "{name} links to {}, which is not in the assets directory; put it beside the executable",
                        link.path()
                    ))?,
                }
            }
        }
        Ok(())
    }

    /// Adds the licences of the game itself, and of the crates in it.
    fn add_licences(&self, staging: &mut Staging, out: &mut Output) -> Result<(), Failure> {
        let mut own = licences::files_of(self.own);
        if own.is_empty() {
            own = licences::files_in(&self.graph.workspace_root);
        }
        for file in own {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            staging.add_copy(&name, &file, Role::Licence, format!("licence of {}", self.own.name))?;
        }
        // Members of the workspace are the game.
        let others: Vec<&Crate> = self.crates.iter().filter(|package| !package.is_member).copied().collect();
        let licences = licences::collect(self.name, &others, self.sysroot);
        if !licences.unlicensed.is_empty() {
            out.warn(&format!("no licence is known of {}; may you ship it?", licences.unlicensed.join(", ")))?;
        }
        let contents = format!("licences of {}", count(licences.crate_count, "crate"));
        staging.add_text(LICENCES, &licences.text, Role::Licence, contents)
    }

    /// Adds who made the assets, and the texts of their licences, if anything is known of that; returns the works.
    fn add_credits(&self, staging: &mut Staging, out: &mut Output) -> Result<Vec<Credit>, Failure> {
        let packs: Vec<PathBuf> = self.outputs.iter().flat_map(PackageOutput::packs).collect();
        // Assets are often in a crate of their own.
        let roots: Vec<&Path> = self.crates.iter().map(|package| package.root.as_path()).collect();
        let mut ledger = Ledger::of(AssetBuilds::of_crates(&packs, &roots, out)?.builds)?;
        ledger.leave_out(self.left_out);
        for diagnostic in &ledger.diagnostics {
            out.warn(&crate::diagnostic::Diagnostic::from(diagnostic).to_string())?;
        }
        let is_included = self.args.include.iter().filter_map(|path| path.file_name());
        let is_included = is_included.into_iter().any(|name| name.eq_ignore_ascii_case(CREDITS));
        if !ledger.knows_anything() {
            return Ok(Vec::new());
        }
        if is_included {
            return Ok(ledger.shipped_credits());
        }
        let unlicensed = ledger.unlicensed().count();
        if unlicensed > 0 {
            let files = count(unlicensed, "file");
            out.warn(&format!("no licence is known of {files} of the assets; `cargo rres licenses` names them"))?;
        }
        let contents = format!("credits of {}", count(ledger.sources.len(), "asset"));
        staging.add_text(
            CREDITS,
            &licenses::text::credits(&ledger, &ledger.shipped_credits()),
            Role::Licence,
            contents,
        )?;
        Ok(ledger.shipped_credits())
    }
}

/// Whether the linker has put a pack into one of the programs.
pub(super) fn is_linked(programs: &[Program], pack: &Path) -> bool {
    let name = pack.file_name().unwrap_or_default().to_string_lossy();
    programs
        .iter()
        .any(|program| linked_packs(&program.file).is_ok_and(|packs| packs.contains(&name.clone().into_owned())))
}

/// Returns the file names of the packs that the linker has put into a program.
fn linked_packs(program: &Path) -> Result<Vec<String>, Failure> {
    let cannot_read = |e: String| Failure::Usage(format!("cannot read {}: {e}", program.display()));
    let mut file = File::open(program).map_err(|e| cannot_read(e.to_string()))?;
    let payload = embedded::linked(&mut file).map_err(|e| cannot_read(e.to_string()))?;
    Ok(payload.into_iter().flat_map(|payload| payload.packs).map(|pack| pack.name).collect())
}

/// Adds a program with packs in it.
fn add_single(
    path: &str,
    program: &Path,
    packs: &[&PackFile],
    staging: &mut Staging,
    out: &mut Output,
) -> Result<(), Failure> {
    let place = staging.place(path)?;
    let named: Vec<NamedPack> =
        packs.iter().map(|pack| NamedPack { name: pack.name.clone(), file: pack.file.clone() }).collect();
    let embedded = executable::embed(program, &named, &place, EmbedOptions::default())?;
    embedded.warnings.iter().try_for_each(|warning| out.warn(warning))?;
    staging.add_written(path, Role::Program, program_contents(packs))
}

/// Describes a program that contains these packs.
fn program_contents(packs: &[&PackFile]) -> String {
    let assets = count(packs.iter().map(|pack| pack.assets).sum(), "asset");
    match packs.len() {
        0 => "executable".to_owned(),
        packs => format!("executable, {} inside, {assets}", count(packs, "pack")),
    }
}

/// Checks that a file or a directory exists that the user has asked for, has a name, and does not contain the results in `out`.
pub(super) fn check_included(path: &Path, out: &Path) -> Result<(), Failure> {
    let refuse = |why: &str| Err(Failure::Usage(format!("cannot include {}: {why}", path.display())));
    let place = match path.canonicalize() {
        Ok(place) => place,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return refuse("no such file or directory"),
        Err(e) => return refuse(&e.to_string()),
    };
    // The directory for the results may not exist yet.
    let existing = out.ancestors().find_map(|dir| dir.canonicalize().ok().map(|real| (dir, real)));
    let results = existing.and_then(|(dir, real)| Some(real.join(out.strip_prefix(dir).ok()?)));
    if results.is_some_and(|results| results.starts_with(&place)) {
        return refuse("it contains the directory for the results; choose another --out, or name what is in it");
    }
    included_name(path).map(drop)
}

/// Returns what an included file or directory is called in the result.
fn included_name(path: &Path) -> Result<String, Failure> {
    // `..` and `.` have a name only on the disk.
    let real = if path.file_name().is_none() { path.canonicalize().ok() } else { None };
    let name = path.file_name().or_else(|| real.as_deref()?.file_name());
    let name = name.map(|name| name.to_string_lossy().into_owned());
    name.ok_or_else(|| Failure::Usage(format!("cannot include {}: it has no name", path.display())))
}

/// Adds a file, or the files of a directory, that the user has asked for.
fn add_included(path: &Path, name: &str, staging: &mut Staging) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::Usage(format!("cannot include {}: {e}", path.display()));
    if fs::metadata(path).map_err(failed)?.is_dir() {
        let entries = fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed)?;
        let mut names: Vec<_> = entries.iter().map(fs::DirEntry::file_name).collect();
        names.sort();
        return names.iter().try_for_each(|child| {
            add_included(&path.join(child), &format!("{name}/{}", child.to_string_lossy()), staging)
        });
    }
    staging.add_copy(name, path, Role::Included, "included".to_owned())
}

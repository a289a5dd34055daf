//! `cargo rres ship`: from sources to a directory, or an archive, that players can be given.
//!
//! ```text
//! toolchain ─► build ─► packs ─► layout ─► verification ─► staging ─► report
//! flags and    Cargo    stale?   files of  every asset     all or     what and
//! target                again    the game  loads           nothing    how large
//! ```

mod archive;
mod build;
mod bundle;
mod layout;
mod licences;
mod machine_paths;
mod options;
mod packs;
mod report;
mod sbom;
mod signing;
mod staging;
mod strip;
mod toolchain;
mod verification;
mod web;

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) use options::Args;
use rres_format::signature::SecretKey;

use archive::Kind;
use build::{Built, Recipe};
use machine_paths::MachinePaths;
use packs::PackageOutput;
use report::Shipped;
use staging::{Committed, Staging};
use toolchain::Toolchain;

use crate::cargo::{Crate, Graph, Package};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, Style, count};
use crate::{signing_key, source_date};

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let shipped = ship(args, out)?;
    match args.json {
        true => out.json(shipped.to_json())?,
        false => shipped.print(out)?,
    }
    Ok(Outcome::Success)
}

fn ship(args: &Args, out: &mut Output) -> Result<Shipped, Failure> {
    let opener = args.key.opener()?;
    let signing_key = args.sign.as_ref().map(|file| signing_key::read(file.as_deref())).transpose()?;
    let options = args.cargo_options();
    let package = one_package(args)?;
    let time = source_date::read()?;
    let toolchain = Toolchain::ask(&package.root, options.target.as_deref())?;
    let graph = Graph::read(&package.root, &options.for_metadata(&toolchain.target))?;
    let own = graph.get(&package.id).ok_or_else(|| Failure::Usage(format!("Cargo does not know {}", package.id)))?;
    let crates = graph.linked(&package.id);
    let programs = build::choose_programs(&package, &graph, &options.bin)?;
    if args.web && programs.len() > 1 {
        return Err(Failure::Usage("a page starts one program; choose it with --bin".to_owned()));
    }
    let of_program = programs.first().map(|program| if args.web { format!("{program}-web") } else { program.clone() });
    let name = args.name.clone().or(of_program).unwrap_or_default();
    let dir = match &args.out {
        Some(dir) => build::absolute(dir)?,
        None => graph.workspace_root.join("dist"),
    };
    // Before a build that takes minutes.
    args.include.iter().try_for_each(|path| layout::check_included(path, &dir))?;
    let mut staging = Staging::start(&dir, &name)?;

    let target_directory = match &options.target_dir {
        Some(dir) => build::absolute(dir)?,
        None => graph.target_directory.clone(),
    };
    let machine_paths = MachinePaths::new(&graph, &target_directory, &crates);
    let recipe = Recipe {
        package: &package,
        programs: &programs,
        options: &options,
        toolchain: &toolchain,
        hidden: (!args.keep_paths).then_some(&machine_paths),
    };
    // Before the build, which leaves the programs as they are shipped.
    let usage = if args.strip_unused { strip::usage(&recipe, out)? } else { None };
    let (built, mut outputs, stale) = build_with_current_packs(&recipe, &crates, out)?;
    let left_out = match &usage {
        Some(usage) => strip::strip(&recipe, usage, &args.keep, &built, &mut outputs, out)?,
        None => strip::LeftOut::default(),
    };
    if outputs.is_empty() {
        out.warn(&format!("{name} has no pack: no crate of it imports assets; see `cargo rres init`"))?;
    }
    if let Some(key) = &signing_key {
        sign(&mut outputs, &built, key)?;
    }
    let contents = layout::Contents {
        args,
        own,
        crates: &crates,
        graph: &graph,
        built: &built,
        outputs: &outputs,
        left_out: &left_out.sources,
        sysroot: &toolchain.sysroot,
        name: &name,
        installer: web::Installer { target_directory: target_directory.clone(), arguments: options.for_install() },
    };
    let names = contents.add_to(&mut staging, out)?;
    let verification::Loaded { asset_count, unpacked, sealed } = verification::verify(&staging, &opener)?;
    if sealed > 0 {
        let assets = count(sealed, "asset");
        out.warn(&format!("{assets} encrypted and not loaded, as there is no key (--key-env, --key-file)"))?;
    }
    names.rename(&mut staging)?;
    if !args.keep_paths {
        refuse_machine_paths(&staging, &machine_paths)?;
    }

    let stem = match args.web {
        true => format!("{name}-{}", own.version),
        false => format!("{name}-{}-{}", own.version, target_name(&toolchain.target)),
    };
    for kind in [(Kind::Zip, args.zip), (Kind::Tar, args.tar)].into_iter().filter(|(_, wanted)| *wanted) {
        staging.add_archive(kind.0, &stem, time)?;
    }
    let parts = staging.parts.clone();
    let Committed { archives, removed } = staging.commit(&stem)?;
    for file in removed {
        // Not to standard output, which may be JSON.
        out.message(Style::Bold, "note:", &format!("removed {}, which was of an earlier run", report::shown(&file)))?;
    }
    Ok(Shipped {
        dir: dir.join(&name),
        package: package.name.clone(),
        version: own.version.clone(),
        target: toolchain.target,
        profile: options.profile.clone(),
        parts,
        archives,
        asset_count,
        unpacked,
        stale,
        left_out,
        signed_with: signing_key.map(|key| key.public_key()),
        paths_checked: !args.keep_paths,
    })
}

/// Returns the package to ship.
fn one_package(args: &Args) -> Result<Package, Failure> {
    let mut packages = args.package.find()?;
    if packages.len() > 1 {
        // A workspace often has one game, and libraries around it.
        packages.retain(|package| package.targets.iter().any(|target| target.program().is_some()));
    }
    match packages.len() {
        1 => Ok(packages.remove(0)),
        0 => Err(Failure::Usage("no package of this workspace has a program to ship".to_owned())),
        _ => {
            let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
            let text = format!("several packages have programs: {}; choose one with --package", names.join(", "));
            Err(Failure::Usage(text))
        }
    }
}

/// Builds, and once more if a pack does not match its sources. Returns the assets that did not.
fn build_with_current_packs(
    recipe: &Recipe<'_>,
    crates: &[&Crate],
    out: &mut Output,
) -> Result<(Built, Vec<PackageOutput>, Vec<report::Stale>), Failure> {
    let built = recipe.build()?;
    let outputs = PackageOutput::find(&built, crates)?;
    for output in outputs.iter().filter(|output| !output.is_checked()) {
        let text =
            "cannot be compared with its sources, because its build script does not use this version of rres-build";
        out.warn(&format!("the pack of {} {text}", output.package))?;
    }
    let mut stale = Vec::new();
    for output in &outputs {
        let of_package = output.stale()?;
        if !of_package.is_empty() {
            output.make_cargo_rerun()?;
        }
        stale.extend(of_package.into_iter().map(|(pack, differences)| report::Stale { pack, differences }));
    }
    if stale.is_empty() {
        return Ok((built, outputs, stale));
    }
    let changed = count(stale.iter().map(|stale| stale.differences.len()).sum(), "asset");
    out.warn(&format!("Cargo has not noticed that {changed} changed, because it compares times; building again"))?;
    for difference in stale.iter().flat_map(|stale| &stale.differences) {
        out.warn(&difference.to_string())?;
    }
    let built = recipe.build()?;
    let outputs = PackageOutput::find(&built, crates)?;
    for output in &outputs {
        if let Some((pack, _)) = output.stale()?.first() {
            let text =
                "does not match its sources even after another build; does an asset change while this command runs?";
            return Err(Failure::Fault(format!("{} {text}", pack.display())));
        }
    }
    Ok((built, outputs, stale))
}

/// Ships signed packs.
fn sign(outputs: &mut [PackageOutput], built: &Built, key: &SecretKey) -> Result<(), Failure> {
    for output in outputs {
        if output.packs().iter().any(|pack| layout::is_linked(&built.programs, pack)) {
            let text = "the linker has put it into the program (`embed = true`); use --single in its place";
            return Err(Failure::Usage(format!("cannot sign the pack of {}: {text}", output.package)));
        }
        output.sign(key)?;
    }
    Ok(())
}

/// Refuses a result with paths of this machine in it.
fn refuse_machine_paths(staging: &Staging, machine_paths: &MachinePaths) -> Result<(), Failure> {
    let mut faults = Vec::new();
    for part in &staging.parts {
        let file = staging.dir().join(&part.path);
        let found = fs::File::open(&file).and_then(|file| machine_paths.find(file));
        for leak in found.map_err(|e| Failure::Usage(format!("cannot read {}: {e}", part.path)))? {
            let times = count(leak.count, "path");
            faults.push(format!("{} contains {times} of this machine, such as {}", part.path, leak.path));
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    let help = "find what writes them, such as `env!(\"CARGO_MANIFEST_DIR\")` or a C library that was compiled with absolute \
                paths; or ship them with --keep-paths";
    Err(Failure::Fault(format!("{}\n  help: {help}", faults.join("\n"))))
}

/// The name of a target for file names: a triple, or the name of the file that describes it.
fn target_name(target: &str) -> String {
    let path = PathBuf::from(target);
    let is_file = path.extension().is_some_and(|extension| extension == "json");
    let stem = path.file_stem().filter(|_| is_file).map(Path::new);
    stem.map_or_else(|| target.to_owned(), |stem| stem.display().to_string())
}

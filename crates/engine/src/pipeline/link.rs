//! Packs → a file for the linker, which puts them into the program, with `embed = true` in release builds.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo;
use crate::context::{BuildContext, OutputFiles};
use crate::diagnostic::Diagnostic;
use crate::pack::{MAX_LINKED, ObjectFormat, symbol, write_library, write_object};
use crate::settings::ByteSize;
use crate::temp_file::replace;

/// Writes an object file with `packs`, or a library of it, and passes it to the linker.
pub(super) fn link(context: &BuildContext, files: &OutputFiles, packs: &[PathBuf]) -> Result<(), Diagnostic> {
    const APPEND: &str = "append the packs after the build, with `cargo rres exe embed`";
    let Some(target) = context.cargo.target.as_ref().filter(|_| context.in_cargo) else { return Ok(()) };
    let refused = |message: String| Diagnostic::new(context.options.place(), message);
    let format = ObjectFormat::of(target).ok_or_else(|| {
        let message =
            format!("`embed = true`: packs cannot be linked into programs for {} on {}", target.os, target.arch);
        refused(message).with_help("leave the setting out for this target".to_owned())
    })?;
    let mut size = 0;
    let mut named = Vec::new();
    for pack in packs {
        size += fs::metadata(pack).map_err(|e| Diagnostic::io("read it", pack, &e))?.len();
        named.push((file_name(pack), pack.clone()));
    }
    if size > MAX_LINKED {
        let (size, limit) = (ByteSize(size), ByteSize(MAX_LINKED));
        let message =
            format!("`embed = true`: the packs are {size}, expected at most {limit}, which a program can contain");
        return Err(refused(message).with_help(APPEND.to_owned()));
    }
    let symbol = symbol(&files.name);
    if has_programs(context) {
        let object = files.object();
        replace(&object, |out| write_object(out, format, &symbol, &named)).map_err(|e| written(&object, e))?;
        cargo::link(&object.display().to_string());
        // GNU's linker for Windows drops sections that nothing refers to; others keep an object that they are given.
        if target.os == "windows" && target.env == "gnu" {
            cargo::link(&format!("-Wl,--undefined={symbol}"));
        }
        return Ok(());
    }
    if target.vendor == "apple" || target.env == "msvc" {
        let message =
            format!("`embed = true`: the package has no program, and for {} only programs can link packs", target.os);
        return Err(refused(message).with_help(APPEND.to_owned()));
    }
    let library = files.dir.join(format!("lib{symbol}.a"));
    replace(&library, |out| write_library(out, format, &symbol, &named)).map_err(|e| written(&library, e))?;
    cargo::link_library(&files.dir, &symbol);
    Ok(())
}

fn written(file: &Path, error: std::io::Error) -> Diagnostic {
    Diagnostic::io("write the packs for the linker", file, &error)
}

/// Whether the package has a program of its own. Otherwise its library has the assets, for programs of other packages.
fn has_programs(context: &BuildContext) -> bool {
    let Some(dir) = &context.cargo.manifest_dir else { return true };
    let manifest = fs::read_to_string(dir.join("Cargo.toml")).unwrap_or_default();
    let is_program = |line: &str| line.trim_start().starts_with("[[bin]]");
    dir.join("src/main.rs").exists() || dir.join("src/bin").exists() || manifest.lines().any(is_program)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

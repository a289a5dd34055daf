//! What a run has made: which files, how large, and how to start the game.

use std::env;
use std::path::{Path, PathBuf};

use rres_format::signature::PublicKey;
use rres_packs::staleness::Difference;
use rres_settings::ByteSize;
use serde_json::{Value, json};

use super::staging::{Part, Role};
use super::strip::LeftOut;
use crate::exit::Failure;
use crate::output::{Column, Output, Style, Table, count, escape_terminal};

/// A pack that did not match its sources until it was built again.
#[derive(Debug)]
pub(super) struct Stale {
    pub(super) pack: PathBuf,
    pub(super) differences: Vec<Difference>,
}

/// The result of a run.
#[derive(Debug)]
pub(super) struct Shipped {
    /// The directory for players.
    pub(super) dir: PathBuf,
    pub(super) package: String,
    pub(super) version: String,
    pub(super) target: String,
    pub(super) profile: String,
    pub(super) parts: Vec<Part>,
    /// The archives with their sizes.
    pub(super) archives: Vec<(PathBuf, u64)>,
    pub(super) asset_count: usize,
    /// The assets of types that only the game has, which were not loaded.
    pub(super) unpacked: usize,
    pub(super) stale: Vec<Stale>,
    /// The assets that are in no pack, because the program does not name them.
    pub(super) left_out: LeftOut,
    /// The key that belongs to the signatures of the packs, if they were signed.
    pub(super) signed_with: Option<PublicKey>,
    /// Whether the files were searched for paths of this machine.
    pub(super) paths_checked: bool,
}

impl Shipped {
    fn size(&self) -> u64 {
        self.parts.iter().map(|part| part.size).sum()
    }

    fn programs(&self) -> impl Iterator<Item = PathBuf> {
        self.parts.iter().filter(|part| part.role == Role::Program).map(|part| self.dir.join(&part.path))
    }

    pub(super) fn print(&self, out: &mut Output) -> Result<(), Failure> {
        out.line(format!("{}, {} {} for {}", shown(&self.dir), self.package, self.version, self.target))?;
        let mut table = Table::new(&[Column::left("FILE"), Column::right("SIZE"), Column::left("CONTENTS")]);
        for part in &self.parts {
            table.row([part.path.clone(), ByteSize(part.size).to_string(), part.contents.clone()]);
        }
        table.row(["all".to_owned(), ByteSize(self.size()).to_string(), String::new()]);
        table.print_with_total(out)?;
        for (file, size) in &self.archives {
            out.line(format!("{}  {}", shown(file), ByteSize(*size)))?;
        }
        if !self.left_out.assets.is_empty() {
            let (assets, saved) = (count(self.left_out.assets.len(), "asset"), ByteSize(self.left_out.saved));
            out.line(format!("left out, because the program does not name them: {assets}, {saved}"))?;
            let mut table = Table::new(&[Column::left("ASSET"), Column::right("SIZE")]);
            for (path, size) in &self.left_out.assets {
                table.row([escape_terminal(path), ByteSize(*size).to_string()]);
            }
            table.print(out)?;
        }
        let mut checks = format!("{} loaded", count(self.asset_count, "asset"));
        if let Some(key) = &self.signed_with {
            checks += &format!(", packs signed with the key {key}");
        }
        if self.paths_checked {
            checks += ", no path of this machine found";
        }
        let ok = out.style(Style::Good, "ok");
        out.line(format!("{ok}: {checks}"))?;
        if self.unpacked > 0 {
            let verb = if self.unpacked == 1 { "was" } else { "were" };
            let assets = count(self.unpacked, "asset");
            out.line(format!("{assets} of the game's own types {verb} unpacked but not loaded"))?;
        }
        if self.parts.iter().any(|part| part.role == Role::Page) {
            let dir = shown(&self.dir);
            out.line(format!("to play: put {dir} on a web server, or run `python3 -m http.server -d {dir}`"))?;
            return Ok(());
        }
        for program in self.programs() {
            out.line(format!("to play: {}", shown(&program)))?;
        }
        Ok(())
    }

    pub(super) fn to_json(&self) -> Value {
        let absolute = |path: &Path| path.display().to_string();
        let part = |part: &Part| {
            json!({
                "path": part.path,
                "role": part.role.name(),
                "size": part.size,
                "contents": part.contents,
            })
        };
        let archive = |(file, size): &(PathBuf, u64)| json!({ "file": absolute(file), "size": size });
        let stale = self.stale.iter().flat_map(|stale| {
            stale.differences.iter().map(|difference| {
                let mut value = difference.to_json();
                value["pack"] = absolute(&stale.pack).into();
                value
            })
        });
        json!({
            "ok": true,
            "error": null,
            "dir": absolute(&self.dir),
            "package": self.package,
            "version": self.version,
            "target": self.target,
            "profile": self.profile,
            "files": self.parts.iter().map(part).collect::<Vec<_>>(),
            "total_size": self.size(),
            "archives": self.archives.iter().map(archive).collect::<Vec<_>>(),
            "programs": self.programs().map(|program| absolute(&program)).collect::<Vec<_>>(),
            "asset_count": self.asset_count,
            "unpacked_count": self.unpacked,
            "stale": stale.collect::<Vec<_>>(),
            "left_out": self.left_out.to_json(),
            "left_out_size": self.left_out.saved,
            "signed_with": self.signed_with.map(|key| key.to_string()),
            "paths_checked": self.paths_checked,
        })
    }
}

/// Returns a path for people: relative to the current directory if it is below that.
pub(super) fn shown(path: &Path) -> String {
    let current = env::current_dir().unwrap_or_default();
    escape_terminal(&path.strip_prefix(current).unwrap_or(path).display().to_string())
}

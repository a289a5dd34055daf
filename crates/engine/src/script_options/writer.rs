//! Writes the document.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::values::place_in_toml;
use crate::diagnostic::{Diagnostic, Place};
use crate::options::{Build, PackMode};
use crate::settings::{BudgetFor, Measure, PACK_ROWS, SettingRow, all_rows, toml_string};

/// Writes the options.
///
/// # Errors
/// If a path is not UTF-8.
pub(crate) fn write_options(build: &Build) -> Result<String, Diagnostic> {
    let Build { dir, values, rules, groups, budgets, pack_mode, module, crate_path, .. } = build;
    let Build {
        out_dir,
        cache_dir,
        threads,
        memory,
        debug,
        always_run,
        only,
        script,
        earlier,
        package,
        target,
        trust_stamps,
        is_library,
        allows_missing,
        libraries,
        ..
    } = build;
    let mut out = Document::default();
    out.path("dir", Some(dir))?;
    out.string("crate_path", Some(crate_path));
    out.string("module", module.as_ref());
    out.path("out_dir", out_dir.as_deref())?;
    out.path("cache_dir", cache_dir.as_deref())?;
    out.path("script", script.as_deref())?;
    out.string("package", package.as_ref());
    if let Some(target) = target {
        out.strings("target", &target.lines());
    }
    out.string("pack_mode", Some(pack_mode.word()));
    out.string("memory", Some(&format!("{memory} B")));
    out.value("always_run", Some(always_run.to_string()));
    out.value("trust_stamps", trust_stamps.map(|trust| trust.to_string()));
    out.value("threads", threads.map(|threads| threads.to_string()));
    out.value("debug", debug.map(|debug| debug.to_string()));
    out.strings("only", &only.iter().map(|kind| kind.name().to_owned()).collect::<Vec<_>>());
    out.strings("earlier", earlier);
    out.value("library", is_library.then(|| "true".to_owned()));
    out.value("allow_missing", allows_missing.then(|| "true".to_owned()));
    if let Some(libraries) = libraries {
        out.paths("libraries", libraries)?;
    }
    out.settings("pack", PACK_ROWS, values);
    #[cfg(feature = "engine")]
    out.value("importers", super::importers::write(&build.importers));
    for (place, glob, rule) in rules {
        out.table("rule", place)?;
        out.string("glob", Some(glob));
        out.settings("settings", all_rows(), &rule.values);
        for ((importer, key), value) in &rule.values.importers {
            out.value(&format!("settings.{importer}.{key}"), Some(value.to_toml()));
        }
    }
    for (place, name, globs) in groups {
        out.table("group", place)?;
        out.string("name", Some(name));
        out.strings("globs", globs);
    }
    for (place, of, measure, size) in budgets {
        out.table("budget", place)?;
        match of {
            BudgetFor::All => {}
            BudgetFor::Glob(glob) => out.string("glob", Some(glob)),
            BudgetFor::Group(name) => out.string("name", Some(name)),
        }
        let key = match measure {
            Measure::Stored => "size",
            Measure::VideoMemory => "vram",
        };
        out.string(key, Some(&format!("{} B", size.0)));
    }
    Ok(out.0)
}

impl PackMode {
    /// The modes and their words.
    pub(super) const WORDS: [(&str, Self); 2] = [("release", Self::Release), ("always", Self::Always)];

    fn word(self) -> &'static str {
        Self::WORDS.into_iter().find(|(_, mode)| *mode == self).map_or("", |(word, _)| word)
    }
}

fn utf8<'p>(key: &str, path: &'p Path) -> Result<&'p str, Diagnostic> {
    path.to_str().ok_or_else(|| {
        Diagnostic::file(path, format!("its path, option `{key}`, is not UTF-8"))
            .with_help("rename it, or enable the feature `engine` of rres-build".to_owned())
    })
}

/// The text so far.
#[derive(Default)]
struct Document(String);

impl Document {
    fn value(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            // Writing to memory never fails.
            _ = writeln!(self.0, "{key} = {value}");
        }
    }

    fn string(&mut self, key: &str, text: Option<impl AsRef<str>>) {
        self.value(key, text.map(|text| toml_string(text.as_ref())));
    }

    fn strings(&mut self, key: &str, texts: &[String]) {
        let texts: Vec<String> = texts.iter().map(|text| toml_string(text)).collect();
        self.value(key, Some(format!("[{}]", texts.join(", "))));
    }

    fn path(&mut self, key: &str, path: Option<&Path>) -> Result<(), Diagnostic> {
        let Some(path) = path else { return Ok(()) };
        self.string(key, Some(utf8(key, path)?));
        Ok(())
    }

    fn paths(&mut self, key: &str, paths: &[PathBuf]) -> Result<(), Diagnostic> {
        let paths: Vec<String> = paths.iter().map(|path| Ok(utf8(key, path)?.to_owned())).collect::<Result<_, _>>()?;
        self.strings(key, &paths);
        Ok(())
    }

    /// Begins an entry that `place` of the build script has added.
    fn table(&mut self, name: &str, place: &Place) -> Result<(), Diagnostic> {
        _ = writeln!(self.0, "[[{name}]]");
        self.value("place", place_in_toml(place));
        Ok(())
    }

    /// Writes every setting that `values` sets.
    fn settings<V: 'static, S: 'static>(
        &mut self,
        table: &str,
        rows: impl IntoIterator<Item = &'static SettingRow<V, S>>,
        values: &V,
    ) {
        for row in rows {
            self.value(&format!("{table}.{}", row.key), (row.write)(values));
        }
    }
}

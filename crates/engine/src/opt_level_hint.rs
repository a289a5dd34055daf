//! A hint for users whose build script is compiled without optimisation, if that costs them seconds.
//!
//! Cargo repeats a warning in every build until the script runs again, and shows no other output. So only one run per
//! output directory prints the hint, and records that in a file. The hint disappears after the next edit of an asset,
//! or when the profile changes.

use std::fs::File;
use std::time::Duration;

use crate::cargo;
use crate::context::BuildContext;
use crate::report::Report;

/// Imports that take no longer than this cause no hint. The lines save two thirds of an import, once per machine, because
/// the cache keeps what was imported. They add about 80 CPU seconds to the first build of each profile.
const WORTH_A_HINT: Duration = Duration::from_secs(60);

/// The crates of every build that take most of the time of an import, with a level that is worth its compilation. Importers add theirs.
const HOT_CRATES: [(&str, u8); 3] = [("rres-engine", 1), ("rres-codec", 3), ("zstd-sys", 3)];

/// The optimisation level of this crate: lines for the others usually stand beside one for it.
pub(crate) const OPT_LEVEL: &str = env!("RRES_BUILD_OPT_LEVEL");

/// Prints which lines to add to `Cargo.toml`, once, if that would save seconds.
pub(crate) fn warn_once(context: &BuildContext, report: &Report) {
    if context.options.script.is_some() {
        // The game's Cargo.toml has no effect on an installed command.
        return;
    }
    let is_release = context.cargo.is_release_profile;
    let importers = context.options.rres_importers();
    let crates = &importers.hot_crates;
    if let Some(lines) = hint(OPT_LEVEL, is_release, report.imported(), report.phases.import, crates)
        && File::create_new(context.out_dir.join("rres.opt-level-hint")).is_ok()
    {
        lines.iter().for_each(|line| cargo::warn(line));
    }
}

fn hint(
    level: &str,
    is_release: bool,
    imported: usize,
    elapsed: Duration,
    crates: &[(&str, u8)],
) -> Option<Vec<String>> {
    if level != "0" || imported == 0 || elapsed <= WORTH_A_HINT {
        return None;
    }
    // A custom profile inherits these from one of the two.
    let profile = if is_release { "release" } else { "dev" };
    let seconds = elapsed.as_secs_f64();
    let what = format!(
        "importing {imported} assets took {seconds:.0} s, since the build script is compiled without optimisation; add \
         to the workspace's Cargo.toml:"
    );
    let crates = HOT_CRATES.iter().chain(crates).map(|(name, level)| format!("  {name} = {{ opt-level = {level} }}"));
    Some([what, format!("  [profile.{profile}.package]")].into_iter().chain(crates).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_hint_only_if_it_can_save_seconds() {
        let long = Duration::from_secs(100);
        assert_eq!(hint("3", false, 400, long, &[("png", 3)]), None);
        assert_eq!(hint("0", false, 0, long, &[("png", 3)]), None);
        assert_eq!(hint("0", false, 400, WORTH_A_HINT, &[]), None);
        let dev = hint("0", false, 400, long, &[("png", 3)]).unwrap();
        assert!(dev[0].starts_with("importing 400 assets took 100 s"), "{dev:?}");
        assert_eq!(dev[1..3], ["  [profile.dev.package]", "  rres-engine = { opt-level = 1 }"]);
        assert_eq!(dev.len(), 3 + HOT_CRATES.len());
        assert_eq!(hint("0", true, 400, long, &[("png", 3)]).unwrap()[1], "  [profile.release.package]");
    }
}

//! A word to users whose build script is compiled without optimisation, where that costs them seconds.
//!
//! Cargo repeats a warning on every build until the script runs again, and shows nothing else. So it is said by one run
//! per output directory, which a file there records: the next edit of an asset ends it, changing the profile earlier.

use std::env;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use crate::cargo;
use crate::report::Report;

/// An import that takes no longer than this is not worth a word.
const PATIENCE: Duration = Duration::from_secs(3);

/// The level that this crate, and with it the importers, is compiled at.
const OPT_LEVEL: &str = env!("RRES_BUILD_OPT_LEVEL");

/// Says which lines to add to `Cargo.toml`, once, where that would save seconds.
pub(crate) fn advise(report: &Report, out_dir: &Path) {
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if let Some(lines) = advice(OPT_LEVEL, is_release, report.imported(), report.phases.import)
        // Whoever cannot record that it was said has other worries.
        && File::create_new(out_dir.join("rres.advised")).is_ok()
    {
        lines.iter().for_each(|line| cargo::warn(line));
    }
}

fn advice(level: &str, is_release: bool, imported: usize, took: Duration) -> Option<[String; 3]> {
    if level != "0" || imported == 0 || took <= PATIENCE {
        return None;
    }
    // What a profile of one's own inherits from either brings these along.
    let profile = if is_release { "release" } else { "dev" };
    let seconds = took.as_secs_f64();
    let what = format!(
        "importing {imported} assets took {seconds:.0} s, as the build script is compiled without optimisation; \
         put this into the workspace's Cargo.toml:"
    );
    Some([what, format!("  [profile.{profile}.build-override]"), "  opt-level = 3".to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_costs_seconds_and_can_be_helped_is_worth_a_word() {
        let long = Duration::from_secs(10);
        assert_eq!(advice("3", false, 400, long), None);
        assert_eq!(advice("0", false, 0, long), None);
        assert_eq!(advice("0", false, 400, PATIENCE), None);
        let dev = advice("0", false, 400, long).unwrap();
        assert!(dev[0].starts_with("importing 400 assets took 10 s"), "{dev:?}");
        assert_eq!(dev[1..], ["  [profile.dev.build-override]".to_owned(), "  opt-level = 3".to_owned()]);
        assert_eq!(advice("0", true, 400, long).unwrap()[1], "  [profile.release.build-override]");
    }
}

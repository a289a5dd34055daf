//! Limits and budgets: what a build says about assets beyond them, at each level.

use rres_settings::LintLevel;
use rres_test_data::picture::bmp;
use rres_test_data::random::noise;
use rres_test_data::sound::mono;

use super::Project;

fn project(settings: &str) -> Project {
    let project = Project::new(&[
        ("ui/sky.bmp", &bmp(20, 8, &noise(20 * 8 * 3))),
        ("sfx/step.wav", &mono(8000, &[0; 12_000])),
        ("a.bin", &noise(500)),
    ]);
    project.write("assets.toml", settings.as_bytes());
    project
}

#[cfg(feature = "sound")]
const LIMITS: &str = r#"["**"]
max_size = 400
max_growth = 1
["ui/**"]
image = { max_width = 16, max_height = 4, power_of_two = true }
["sfx/*"]
sound = { max_seconds = 1.25, allowed_rates = [22050, 44100] }
"#;

/// `asset: message` of each finding.
#[cfg(feature = "sound")]
fn lines(report: &rres_engine::Report) -> Vec<String> {
    let line =
        |lint: &rres_settings::LintFinding| format!("{}: {}", lint.asset.as_deref().unwrap_or("-"), lint.message());
    report.lints.iter().map(line).collect()
}

#[cfg(feature = "sound")]
#[test]
fn every_limit_names_what_was_found_what_is_allowed_and_the_rule() {
    let project = project(LIMITS);
    let report = project.run();
    assert_eq!(
        lines(&report),
        [
            "a.bin: is 560 B, `max_size` of \"**\" allows 400 B",
            "a.bin: is 1.12 times its source of 500 B, `max_growth` of \"**\" allows 1 times",
            "sfx/step.wav: is 1.50 s long, `sound.max_seconds` of \"sfx/*\" allows 1.25 s",
            "sfx/step.wav: is sampled at 8000 Hz, `sound.allowed_rates` of \"sfx/*\" allows 22050, 44100",
            "ui/sky.bmp: is 544 B, `max_size` of \"**\" allows 400 B",
            "ui/sky.bmp: is 1.02 times its source of 534 B, `max_growth` of \"**\" allows 1 times",
            "ui/sky.bmp: is 20 pixels wide, `image.max_width` of \"ui/**\" allows 16",
            "ui/sky.bmp: is 8 pixels high, `image.max_height` of \"ui/**\" allows 4",
            "ui/sky.bmp: is 20 × 8 pixels, `image.power_of_two` of \"ui/**\" allows powers of two",
        ]
    );
    assert!(report.lints[6].place.ends_with("assets.toml:5:11"), "{}", report.lints[5].place);
    // Nothing is imported again, and the second build says the same.
    let again = project.run();
    assert_eq!((again.imported(), lines(&again)), (0, lines(&report)));
}

#[cfg(feature = "sound")]
#[test]
fn deny_fails_the_build_with_all_faults_at_once_and_allow_says_nothing() {
    let denied = project(&format!("{LIMITS}[\"**/*.*\"]\nlint = \"deny\"\n[\"a.bin\"]\nlint = \"warn\"\n"));
    let error = denied.fail();
    assert_eq!(error.diagnostics().len(), 7, "{error}");
    let text = error.to_string();
    for part in ["sky.bmp: is 20 pixels wide", "step.wav: is 1.50 s long", "help: the limit is at ", "assets.toml:5:11"]
    {
        assert!(text.contains(part), "{part} in:\n{text}");
    }
    assert!(!denied.out().join("game.rres").exists());
    let allowed = project(&format!("{LIMITS}[\"**/*.*\"]\nlint = \"allow\"\n"));
    assert_eq!(lines(&allowed.run()), [""; 0]);
}

/// A file that is refused is left out with `refused = "warn"`. One beyond a limit is not.
#[test]
fn a_denied_limit_is_not_a_refused_file() {
    let project = project("[lints]\nrefused = \"warn\"\n[\"a.bin\"]\nmax_size = 10\nlint = \"deny\"\n");
    assert!(project.fail().to_string().contains("a.bin: is 560 B, `max_size` of \"a.bin\" allows 10 B"));
}

#[test]
fn budgets_of_all_of_globs_and_of_groups_fail_or_warn() {
    let budgets =
        "[budget]\ntotal = \"1 KB\"\n\"ui/**\" = 100\n[group.menu]\ninclude = [\"a.bin\", \"ui/*\"]\nbudget = 1000\n";
    let error = project(budgets).fail().to_string();
    for part in [
        "\"total\" takes 1.1 kB (1184 bytes)",
        "\"ui/**\" takes 544 B",
        "\"group.menu\" takes 1.1 kB (1104 bytes), expected",
    ] {
        assert!(error.contains(part), "{part} in:\n{error}");
    }
    let warned = project(&format!("{budgets}[lints]\nover_budget = \"warn\"\n"));
    let report = warned.run();
    assert_eq!(report.lints.len(), 3, "{:?}", report.lints);
    assert!(report.lints.iter().all(|lint| lint.level == LintLevel::Warn && lint.lint == "budget"));
    let allowed = warned.build().over_budget(LintLevel::Allow).build().unwrap();
    assert!(allowed.lints.is_empty());
}

#[test]
fn rules_of_the_build_script_set_limits_too() {
    let rule = |rule: rres_settings::Rule| rule.max_size(400_u64).lint(LintLevel::Deny);
    let error = project("").build().rule("a.bin", rule).build().unwrap_err();
    assert!(error.to_string().contains("lints.rs:"), "{error}");
    let group = project("").build().group("one", ["a.bin"]).budget_for_group("one", 10).build().unwrap_err();
    assert!(group.to_string().contains("lints.rs") && group.to_string().contains("group.one"), "{group}");
}

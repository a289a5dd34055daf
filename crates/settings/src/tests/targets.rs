//! Rules for some targets.

use rres_format::AssetKind;

use super::{parse, rules, show};
use crate::ImageFormat;

const SETTINGS: &str = r#"
["textures/**"]
image = { format = "block", mipmaps = true }

[target.'cfg(target_os = "android")'."textures/**"]
image = { format = "gpu" }

["textures/sky.png"]
image = { mipmaps = false }

[target.'cfg(windows)'."textures/**"]
image = { format = "bc7", mipmaps = false }

[target.'cfg(unix)'."textures/ui/*"]
image = { format = "keep" }
"#;

#[test]
fn the_rules_of_the_target_take_part_in_the_order_of_the_text() {
    let rules = rules(SETTINGS);
    let image = |path: &str| {
        let image = rules.resolve(path).image;
        (image.format, image.mipmaps)
    };
    assert_eq!(image("textures/a.png"), (ImageFormat::Gpu, true));
    assert_eq!(image("textures/sky.png"), (ImageFormat::Gpu, false));
    assert_eq!(image("textures/ui/b.png"), (ImageFormat::Keep, true));
    let unmatched = rules.unmatched(["textures/a.png", "textures/sky.png"]);
    assert_eq!(unmatched.len(), 1, "rules for other targets need files, too: {unmatched:?}");
}

#[test]
fn a_later_rule_for_all_targets_wins_over_an_earlier_one_for_some() {
    let rules = rules(
        "[target.'cfg(unix)'.\"*.png\"]\nimage = { format = \"gpu\" }\n[\"a.png\"]\nimage = { format = \"rgba8\" }\n",
    );
    assert_eq!(rules.resolve("a.png").image.format, ImageFormat::Exact(rres_format::chunk::image::PixelFormat::RGBA8));
    assert_eq!(rules.resolve("b.png").image.format, ImageFormat::Gpu);
}

#[test]
fn an_explanation_says_which_condition_held() {
    let rules = rules(SETTINGS);
    let matched: Vec<_> =
        rules.matched("textures/a.png").into_iter().map(|rule| (rule.rule, rule.when, rule.holds)).collect();
    let glob = "textures/**".to_owned();
    let android = Some("cfg(target_os = \"android\")".to_owned());
    let expected =
        [(glob.clone(), None, true), (glob.clone(), android.clone(), true), (glob, Some("cfg(windows)".into()), false)];
    assert_eq!(matched, expected);
    let trace = rules.trace("textures/a.png", &[AssetKind::Image]);
    let format = trace.iter().find(|setting| setting.key == "image.format").unwrap();
    let set_by = format.set_by.as_ref().unwrap();
    assert_eq!((&*format.value, &set_by.when), ("\"gpu\"", &android));
    assert_eq!((format.overridden.len(), &format.overridden[0].when), (1, &None));
}

#[test]
fn equal_settings_have_equal_keys_whatever_rule_they_come_from() {
    let of = |text: &str| {
        let mut key = Vec::new();
        rules(text).resolve("a.png").fingerprint(&[AssetKind::Image], &mut key);
        key
    };
    let plain = of("[\"a.png\"]\nimage = { format = \"gpu\" }");
    assert_eq!(of("[target.'cfg(unix)'.\"a.png\"]\nimage = { format = \"gpu\" }"), plain);
    assert_ne!(of("[target.'cfg(windows)'.\"a.png\"]\nimage = { format = \"gpu\" }"), plain);
}

#[test]
fn faults_are_found_for_every_target() {
    let text = r#"
[target.'cfg(target_os = "andriod")'."a/*"]
image = { format = "gpu" }

[target.windows."a/*"]
image = { mipmaps = true }

[target.'cfg(windows)']
"b/*.png" = { image = { formt = "gpu" }, ignore = true }
"c/*.png" = { rename = "C", image = { atlas = "ui" } }

[target.'cfg(windows)'.pack]
name = "x"
"#;
    let expected = "\
2:9: bad target 'cfg(target_os = \"andriod\")': unknown value \"andriod\" for `target_os`
  help: did you mean \"android\"?
5:9: bad target 'windows': expected cfg(…)
  help: write a condition as in Cargo.toml: [target.'cfg(target_os = \"android\")'.\"textures/**\"]
9:25: unknown key `formt` in `image` of [target.'cfg(windows)'.\"b/*.png\"], expected one of format";
    let errors = show(&parse(text).unwrap_err());
    assert!(errors.starts_with(expected), "{errors}");
    for expected in [
        "9:42: `ignore` cannot depend on the target: the set of assets is the same for all",
        "10:15: `rename` cannot depend on the target",
        "10:39: `image.atlas` cannot depend on the target",
        "12:24: unknown section [target.'cfg(windows)'.pack], expected a glob",
    ] {
        assert!(errors.contains(expected), "{expected}\n{errors}");
    }
}

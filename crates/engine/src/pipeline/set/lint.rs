//! Imported assets compared with the limits that rules set for them.

use rres_codegen::{Facts, ImageFacts, SoundFacts};

use super::super::sizes::asset_sizes;
use super::{Pass, Set};
use crate::diagnostic::Diagnostic;
use crate::model::{ImportedAsset, ResourceInfo};
use crate::settings::ByteSize;
use crate::settings::{Limit, LintFinding, LintLevel, Settings};

/// What is beyond a limit, in the order of the assets, then the budgets.
pub(super) struct Limits;

impl Pass for Limits {
    fn apply(&self, set: &mut Set<'_>, _: &mut Vec<Diagnostic>) {
        let Set { scope, assets, resources, groups, lints, .. } = set;
        let rules = scope.rules;
        let limited = if rules.have_limits() { &assets[..] } else { &[] };
        for asset in limited {
            let settings = rules.resolve(&asset.path);
            if settings.asset.lint == LintLevel::Allow {
                continue;
            }
            for Excess { lint, found, allowed } in excesses(asset, &settings) {
                let Some((rule, place)) = rules.origin(&asset.path, lint) else { continue };
                let file = scope.source_file(&asset.path);
                let limit = Limit { lint, rule, place };
                lints.push(LintFinding::of_asset(file, &asset.path, settings.asset.lint, limit, found, allowed));
            }
        }
        if rules.have_budgets() {
            lints.extend(rules.over_budget(&asset_sizes(rules, assets, resources, groups)));
        }
    }
}

/// A limit that is exceeded, in words.
struct Excess {
    lint: &'static str,
    found: String,
    allowed: String,
}

fn excesses(asset: &ImportedAsset, settings: &Settings) -> Vec<Excess> {
    let mut excesses = Vec::new();
    let mut push = |lint, found: String, allowed: String| excesses.push(Excess { lint, found, allowed });
    let stored = asset.record.stored_size();
    if let Some(max) = settings.asset.max_size.filter(|max| stored > *max) {
        push("max_size", bytes(stored), ByteSize(max).to_string());
    }
    // The size of a source of several files is not known.
    let growth = stored as f64 / asset.source_size.max(1) as f64;
    if let Some(max) = settings.asset.max_growth.filter(|max| !asset.record.has_inputs() && growth > f64::from(*max)) {
        let found = format!("{growth:.2} times its source of {}", bytes(asset.source_size));
        push("max_growth", found, format!("{max} times"));
    }
    for resource in &asset.record.resources {
        let name = in_asset(resource);
        match resource.facts {
            Facts::Image(ImageFacts { width, height, .. }) => {
                let image = &settings.image;
                if let Some(max) = image.max_width.filter(|max| width > *max) {
                    push("image.max_width", format!("{width} pixels wide{name}"), max.to_string());
                }
                if let Some(max) = image.max_height.filter(|max| height > *max) {
                    push("image.max_height", format!("{height} pixels high{name}"), max.to_string());
                }
                if image.power_of_two && !(width.is_power_of_two() && height.is_power_of_two()) {
                    push("image.power_of_two", format!("{width} × {height} pixels{name}"), "powers of two".to_owned());
                }
            }
            Facts::Sound(SoundFacts { frames, rate, .. }) => {
                let seconds = frames as f64 / f64::from(rate.max(1));
                if let Some(max) = settings.sound.max_seconds.filter(|max| seconds > f64::from(*max)) {
                    push("sound.max_seconds", format!("{seconds:.2} s long"), format!("{max} s"));
                }
                let allowed = &settings.sound.allowed_rates;
                if !allowed.is_empty() && !allowed.contains(&rate) {
                    let rates: Vec<String> = allowed.iter().map(u32::to_string).collect();
                    push("sound.allowed_rates", format!("sampled at {rate} Hz"), rates.join(", "));
                }
            }
            Facts::Font(_) | Facts::Model(_) | Facts::Unknown => {}
        }
    }
    excesses
}

/// The name of a sub-asset, for the end of a phrase.
fn in_asset(resource: &ResourceInfo) -> String {
    if resource.name.is_empty() { String::new() } else { format!(" (#{})", resource.name) }
}

/// A size, with all of its digits: the rounded numbers of two sizes may be equal.
fn bytes(size: u64) -> String {
    if size < 1000 { ByteSize(size).to_string() } else { format!("{} ({size} bytes)", ByteSize(size)) }
}

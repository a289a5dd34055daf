//! Tables of texts in several languages → what a language lacks, has too much, or has with other placeholders.

use std::collections::BTreeMap;

use rres_format::LanguageTag;

use super::variants::{VariantOf, is_table};
use super::{Pass, Set};
use crate::diagnostic::Diagnostic;
use crate::model::{ImportedAsset, PartSort, ResourceInfo};
use crate::scope::Scope;
use crate::settings::{Limit, LintFinding, LintLevel, Rules};

/// The setting that makes a file a table, and the name of the findings.
const LINT: &str = "text.strings";

/// How many keys a finding names.
const MAX_NAMED: usize = 3;

/// The table of one language.
struct Language<'a> {
    asset: &'a ImportedAsset,
    info: &'a ResourceInfo,
    locale: Option<LanguageTag>,
}

/// Compares the languages of each table, in the order of the assets.
pub(super) struct Texts;

impl Pass for Texts {
    fn apply(&self, set: &mut Set<'_>, _: &mut Vec<Diagnostic>) {
        set.lints.extend(compare_tables(set.scope, &set.assets, &set.variants));
    }
}

fn compare_tables(scope: Scope<'_>, assets: &[ImportedAsset], variants: &[VariantOf]) -> Vec<LintFinding> {
    let rules = scope.rules;
    let mut findings = Vec::new();
    let mut of_base: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for VariantOf { variant, base } in variants {
        if let Some(base) = base {
            of_base.entry(*base).or_default().push(*variant);
        }
    }
    for (position, asset) in assets.iter().enumerate().filter(|(_, asset)| has_keys(asset)) {
        if variants.iter().any(|of| of.variant == position) {
            continue;
        }
        let files = of_base.get(&position).into_iter().flatten().map(|variant| &assets[*variant]);
        let others: Vec<Language<'_>> = match is_table(asset) {
            true => columns(asset).collect(),
            false => files
                .filter_map(|asset| {
                    let info = asset.record.resources.first()?;
                    Some(Language { asset, info, locale: LanguageTag::in_meta(&info.meta) })
                })
                .collect(),
        };
        let Some(info) = asset.record.resources.first() else { continue };
        let base = Language { asset, info, locale: LanguageTag::in_meta(&info.meta) };
        let mut report = |asset: &ImportedAsset, found: String, allowed: String| {
            let level = rules.resolve(&asset.path).asset.lint;
            let origin = rules.origin(&asset.path, LINT).or_else(|| rules.origin(&base.asset.path, LINT));
            if let Some((rule, place)) = origin.filter(|_| level != LintLevel::Allow) {
                let file = scope.source_file(&asset.path);
                let limit = Limit { lint: LINT, rule, place };
                findings.push(LintFinding::of_texts(file, &asset.path, level, limit, found, allowed));
            }
        };
        compare_languages(rules, &base, &others, &mut report);
        for other in &others {
            compare(&base, other, &others, &mut report);
        }
    }
    findings
}

/// Languages of the pack that the table lacks, and languages of the table that the pack does not list.
fn compare_languages(
    rules: &Rules,
    base: &Language<'_>,
    others: &[Language<'_>],
    report: &mut impl FnMut(&ImportedAsset, String, String),
) {
    let listed: Vec<LanguageTag> = rules.pack().locales.iter().filter_map(|locale| locale.parse().ok()).collect();
    let Some(first) = listed.first() else { return };
    let own: Vec<&LanguageTag> =
        base.locale.iter().chain(others.iter().filter_map(|other| other.locale.as_ref())).collect();
    // Files without other languages have no language of their own.
    let has = |locale: &LanguageTag| {
        (base.locale.is_none() && locale == first)
            || locale.fallbacks().any(|tag| own.iter().any(|own| own.as_str() == tag))
    };
    let missing: Vec<String> = listed.iter().filter(|locale| !has(locale)).map(ToString::to_string).collect();
    if !missing.is_empty() {
        report(
            base.asset,
            format!("has no texts in {}", missing.join(", ")),
            "`locales` under [pack] lists it".to_owned(),
        );
    }
    if let Some(locale) = base.locale.as_ref().filter(|locale| is_table(base.asset) && *locale != first) {
        let allowed = format!("{first} is the first one of `locales` under [pack]");
        report(base.asset, format!("has {locale} as its first language"), allowed);
    }
    let unlisted: Vec<&str> = own.iter().filter(|own| !listed.contains(own)).map(|own| own.as_str()).collect();
    if !unlisted.is_empty() {
        let allowed = "`locales` under [pack] does not list it".to_owned();
        report(base.asset, format!("has texts in {}", unlisted.join(", ")), allowed);
    }
}

/// Compares one language with the first one.
fn compare(
    base: &Language<'_>,
    other: &Language<'_>,
    others: &[Language<'_>],
    report: &mut impl FnMut(&ImportedAsset, String, String),
) {
    let (expected, found) = (keys(base.info), keys(other.info));
    let name = match &other.locale {
        Some(locale) => locale.to_string(),
        None => "this variant".to_owned(),
    };
    // In a table of several columns, a region lacks what its language has.
    let fallbacks = other.locale.iter().flat_map(|locale| locale.fallbacks().skip(1));
    let all = || others.iter().chain([base]);
    let near = fallbacks
        .filter_map(|tag| all().find(|other| other.locale.as_ref().is_some_and(|own| own.as_str() == tag)))
        .filter(|_| is_table(base.asset));
    let near: Vec<_> = near.map(|near| keys(near.info)).collect();
    let from_language = |key: &str| near.iter().any(|keys| keys.contains_key(key));
    let missing = expected.iter().filter(|(key, _)| !found.contains_key(*key) && !from_language(key));
    if let Some(list) = list(missing.map(|(key, (line, _))| format!("\"{key}\" (line {line})"))) {
        let of = if is_table(base.asset) { String::new() } else { format!(" of {}", base.asset.path) };
        report(other.asset, format!("lacks {list}{of} in {name}"), "every language has every text".to_owned());
    }
    let unknown = found.iter().filter(|(key, _)| !expected.contains_key(*key));
    if let Some(list) = list(unknown.map(|(key, (line, _))| format!("\"{key}\" (line {line})"))) {
        report(other.asset, format!("has {list}"), format!("{} does not have it", base.asset.path));
    }
    let differ = found.iter().filter_map(|(key, (line, placeholders))| {
        let (_, of_base) = expected.get(key).filter(|(_, of_base)| of_base != placeholders)?;
        let shown = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Some(format!("\"{key}\" (line {line}: {}, expected {})", shown(placeholders), shown(of_base)))
    });
    if let Some(list) = list(differ) {
        let allowed = "a text has the placeholders of the first language".to_owned();
        report(other.asset, format!("has other placeholders in {name} for {list}"), allowed);
    }
}

/// The first few of several keys, in words; `None` for none.
fn list(keys: impl Iterator<Item = String>) -> Option<String> {
    let keys: Vec<String> = keys.collect();
    let more = keys.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!keys.is_empty()).then(|| keys[..keys.len().min(MAX_NAMED)].join(", ") + &more)
}

/// The keys of a table with their lines and placeholders.
fn keys(info: &ResourceInfo) -> BTreeMap<&str, (u32, Vec<&str>)> {
    let parts = info.parts.iter().filter(|part| part.sort == PartSort::Key);
    parts
        .map(|part| {
            let (key, placeholders) = part.key_and_placeholders();
            (key, (part.index, placeholders.collect()))
        })
        .collect()
}

fn has_keys(asset: &ImportedAsset) -> bool {
    let own = asset.record.resources.first();
    own.is_some_and(|info| info.parts.first().is_some_and(|part| part.sort == PartSort::Key))
}

/// The languages of a file with a column for each, without the first one.
fn columns(asset: &ImportedAsset) -> impl Iterator<Item = Language<'_>> {
    let others = asset.record.resources.iter().skip(1);
    others.map(move |info| Language { asset, info, locale: LanguageTag::in_meta(&info.meta) })
}

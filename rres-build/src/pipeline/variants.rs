//! Assets whose names have a language or a density → metadata that names the asset that they are variants of.
//!
//! An asset is imported without it, so a changed list of languages imports nothing.

use std::collections::{BTreeMap, HashSet};

use rres_format::index::MetaKey;
use rres_format::{AssetKind, LanguageTag, ResourceId};

use super::plan::UnavailableSource;
use crate::context::BuildContext;
use crate::diagnostic::{Diagnostic, Fix};
use crate::model::{ImportedAsset, InAtlas, PartSort, ResourceInfo, extension_of, find_asset};
use crate::settings::{Rules, VariantName};

/// A variant, and the asset that it is a variant of: positions among the assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VariantOf {
    pub(super) variant: usize,
    /// `None` for an asset of another pack, which a rule names.
    pub(super) base: Option<usize>,
}

/// Finds variants by rules and by the names of files, and gives them and their assets language and density. `assets` are sorted by path.
pub(super) fn find_variants(
    context: &BuildContext,
    rules: &Rules,
    assets: &mut [ImportedAsset],
    unavailable: &[UnavailableSource],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<VariantOf> {
    // The last build may have found others.
    for info in
        assets.iter_mut().filter(|asset| !is_table(asset)).filter_map(own_resource).filter(|info| is_marked(info))
    {
        LanguageTag::remove_from(&mut info.meta);
        info.meta.remove(MetaKey::DENSITY);
        info.meta.remove(MetaKey::VARIANT_OF);
    }
    if !rules.have_variants() {
        return Vec::new();
    }
    let source_locale: Option<LanguageTag> = rules.pack().locales.first().and_then(|locale| locale.parse().ok());
    let mut families: BTreeMap<String, Vec<(usize, VariantName)>> = BTreeMap::new();
    for (position, asset) in assets.iter().enumerate().filter(|(_, asset)| !is_pages(asset)) {
        if let Some(name) = rules.variant_name(&asset.path) {
            families.entry(name.base.clone()).or_default().push((position, name));
        }
    }
    let named: HashSet<usize> = families.values().flatten().map(|(position, _)| *position).collect();
    let mut found = Vec::new();
    for (path, mut members) in families {
        // Without a file of that path, the one in the first language takes its place.
        let is_first = |name: &VariantName| name.locale == source_locale && name.density.is_none();
        let base = match find_asset(assets, &path) {
            Ok(own) if !named.contains(&own) => Some(own),
            Ok(_) => None,
            Err(_) if unavailable.iter().any(|source| source.path == path) => continue,
            Err(_) => {
                let first = members.iter().position(|(_, name)| is_first(name) && !name.is_by_rule);
                first.map(|at| members.remove(at).0)
            }
        };
        let is_elsewhere = base.is_none() && find_asset(assets, &path).is_err();
        if is_elsewhere {
            // Those that only their names make variants have no asset.
            let (by_rule, by_name) = members.into_iter().partition(|(_, name)| name.is_by_rule);
            members = by_name;
            let checked = check_members(context, assets, None, by_rule, diagnostics);
            for (variant, name) in checked {
                if let Some(info) = own_resource(&mut assets[variant]) {
                    set_variant(info, &name);
                    info.meta.set(MetaKey::VARIANT_OF, ResourceId::from_path(&path).0);
                }
                found.push(VariantOf { variant, base: None });
            }
        }
        let Some(base) = base else {
            let is_variant = find_asset(assets, &path).is_ok();
            // The error of a broken file is enough.
            let is_broken = |source: &UnavailableSource| {
                rules.variant_name(&source.path).is_some_and(|name| name.base == path && is_first(&name))
            };
            if !unavailable.iter().any(is_broken) {
                diagnostics.extend(members.iter().map(|(variant, name)| {
                    without_base(context, &assets[*variant].path, name, source_locale.as_ref(), (&path, is_variant))
                }));
            }
            continue;
        };
        let taken = check_members(context, assets, Some(base), members, diagnostics);
        let has_languages = taken.iter().any(|(_, name)| name.locale.is_some());
        found.extend(taken.iter().map(|(variant, _)| VariantOf { variant: *variant, base: Some(base) }));
        let other_has_own_language =
            taken.iter().any(|(_, name)| name.locale == source_locale && name.density.is_none());
        for (variant, name) in taken {
            if let Some(info) = own_resource(&mut assets[variant]) {
                set_variant(info, &name);
            }
        }
        if let (Some(locale), Some(info)) = (&source_locale, own_resource(&mut assets[base]))
            && has_languages
            && !other_has_own_language
        {
            locale.add_to(&mut info.meta);
        }
    }
    found
}

/// Returns those of `members` that can be variants of the asset `base`, or of one in another pack, and reports the others.
fn check_members(
    context: &BuildContext,
    assets: &[ImportedAsset],
    base: Option<usize>,
    members: Vec<(usize, VariantName)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(usize, VariantName)> {
    let mut taken: Vec<(usize, VariantName)> = Vec::new();
    for (variant, name) in members {
        let this = &assets[variant];
        let other = taken.iter().find(|(_, other)| other.locale == name.locale && other.density == name.density);
        let fault = if let Some((other, _)) = other {
            let other = context.source_file(&assets[*other].path);
            let message = format!("is for the same language and density as {}", other.display());
            Some((message, "remove or rename one of them, or set `variants = false` for it"))
        } else if name.locale.is_none() && name.density.is_none() {
            let message = format!("is a variant of \"{}\" by a rule, and its language is not known", name.base);
            Some((message, "add `locale` to the rule, or name a folder after one of `locales`"))
        } else if let Some(of) = base.map(|base| &assets[base]).filter(|of| kind_of(this) != kind_of(of)) {
            let (kind, kind_of_base) = (kind_of(this).0, kind_of(of).0);
            let message = format!("has the kind {kind}, and {}, of which it is a variant, {kind_of_base}", of.path);
            Some((message, "use files of one kind, or set `variants = false` for this one"))
        } else if let Some(table) = base.map(|base| &assets[base]).into_iter().chain([this]).find(|of| is_table(of)) {
            let message = format!(
                "is a variant of \"{}\", and {} has its languages in columns",
                name.base,
                if table.path == this.path { "this file" } else { "that file" }
            );
            Some((message, "put all languages into columns of one file, or set `variants = false` for this one"))
        } else {
            None
        };
        match fault {
            Some((message, help)) => diagnostics.push(about(context, &this.path, message, help.to_owned())),
            None => taken.push((variant, name)),
        }
    }
    taken
}

fn without_base(
    context: &BuildContext,
    path: &str,
    name: &VariantName,
    source_locale: Option<&LanguageTag>,
    (base, is_variant): (&str, bool),
) -> Diagnostic {
    let what = match (&name.locale, name.density) {
        (Some(locale), _) => format!("the language {locale}"),
        (None, density) => format!("the density {}", density.unwrap_or(1.0)),
    };
    let or_first = match (source_locale, &name.locale) {
        (Some(first), Some(_)) => format!(", or one for {first}, the first language of `locales`"),
        _ => String::new(),
    };
    let message = match is_variant {
        true if name.is_by_rule => format!("is a variant of \"{base}\" by a rule, and that is a variant itself"),
        true => format!("is for {what} by its name, and \"{base}\" is a variant itself"),
        false => format!("is for {what} by its name, and there is no asset \"{base}\""),
    };
    let help = format!("add that file{or_first}, or set `variants = false` for this one");
    about(context, path, message, help)
}

fn about(context: &BuildContext, path: &str, message: String, help: String) -> Diagnostic {
    let diagnostic = Diagnostic::file(context.source_file(path), message).with_help(help).with_asset(path);
    diagnostic.with_fix(path, Fix::NO_VARIANT)
}

/// Gives a resource the language and the density of a variant.
fn set_variant(info: &mut ResourceInfo, VariantName { locale, density, .. }: &VariantName) {
    if let Some(locale) = locale {
        locale.add_to(&mut info.meta);
    }
    if let Some(density) = density {
        info.meta.set_f32(MetaKey::DENSITY, *density);
    }
}

/// The kind of an asset, in words, and of the chunk of a custom one.
fn kind_of(asset: &ImportedAsset) -> (&'static str, Option<rres_format::FourCc>) {
    asset.record.resources.first().map_or(("", None), |info| (info.kind.name(), info.custom_kind()))
}

fn own_resource(asset: &mut ImportedAsset) -> Option<&mut ResourceInfo> {
    asset.record.resources.first_mut().filter(|info| info.name.is_empty())
}

/// Whether an asset was a variant in the last build, or had some.
fn is_marked(info: &ResourceInfo) -> bool {
    [MetaKey::LOCALE, MetaKey::DENSITY, MetaKey::VARIANT_OF].iter().any(|key| info.meta.get(*key).is_some())
}

/// Whether a file became a text for each language, whose tags its importer knows.
pub(super) fn is_table(asset: &ImportedAsset) -> bool {
    let is_csv = extension_of(&asset.path).eq_ignore_ascii_case("csv");
    let resources = &asset.record.resources;
    let own = resources.first().filter(|info| is_csv && info.kind == AssetKind::Text);
    // A table without rows has no keys, but texts for other languages. No other text is several resources.
    own.is_some_and(|info| resources.len() > 1 || info.parts.first().is_some_and(|part| part.sort == PartSort::Key))
}

fn is_pages(asset: &ImportedAsset) -> bool {
    matches!(asset.in_atlas, Some(InAtlas::Pages))
}

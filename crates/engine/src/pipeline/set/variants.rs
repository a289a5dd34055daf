//! Assets whose names have a language or a density → metadata that names the asset that they are variants of.
//!
//! An asset is imported without it, so a changed list of languages imports nothing.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use rres_format::index::MetaKey;
use rres_format::{AssetKind, LanguageTag, ResourceId};

use super::{Pass, Set};
use crate::diagnostic::{Diagnostic, Fix};
use crate::model::{ImportedAsset, PartSort, ResourceInfo, extension_of, resource_path};
use crate::pipeline::plan::UnavailableSource;
use crate::scope::Scope;
use crate::settings::VariantName;

/// A variant, and the asset that it is a variant of: positions among the assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VariantOf {
    pub(super) variant: usize,
    /// `None` for an asset of another pack, which a rule names.
    pub(super) base: Option<usize>,
}

/// Finds variants by rules and by the names of files, and gives them and their assets language and density.
pub(super) struct Variants;

impl Pass for Variants {
    fn apply(&self, set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let rules = set.scope.rules;
        if rules.have_variants() {
            let mut families: BTreeMap<String, Vec<(usize, VariantName)>> = BTreeMap::new();
            // The pages of atlases have no source, and so no names.
            for (position, asset) in set.assets.iter().enumerate().filter(|(_, asset)| asset.source.is_some()) {
                if let Some(name) = rules.variant_name(&asset.path) {
                    families.entry(name.base.clone()).or_default().push((position, name));
                }
            }
            let named = families.values().flatten().map(|(position, _)| *position).collect();
            let first = rules.pack().locales.first().and_then(|locale| locale.parse().ok());
            let families_of = Families { named, first };
            families.into_iter().for_each(|(path, members)| families_of.join(set, &path, members, diagnostics));
        }
        set_bases(set);
    }
}

/// Stores in each variant the id of the asset that it is a variant of, and in each column of a table the id of the first one.
fn set_bases(set: &mut Set<'_>) {
    let first_id = |set: &Set<'_>, asset: usize| {
        let asset = &set.assets[asset];
        let path = resource_path(&asset.path, &asset.record.resources.first()?.name);
        Some(set.resources[set.resource_at(&path)?].id)
    };
    for VariantOf { variant, base } in set.variants.clone() {
        if let Some(id) = base.and_then(|base| first_id(set, base))
            && let Some(info) = Arc::make_mut(&mut set.assets[variant].record).resources.first_mut()
        {
            info.meta.set(MetaKey::VARIANT_OF, id.0);
        }
    }
    for table in 0..set.assets.len() {
        if is_table(&set.assets[table])
            && let Some(id) = first_id(set, table)
        {
            let columns = Arc::make_mut(&mut set.assets[table].record).resources.iter_mut().skip(1);
            columns.for_each(|info| info.meta.set(MetaKey::VARIANT_OF, id.0));
        }
    }
}

/// What all families of variants have in common.
struct Families {
    /// The assets that are variants by a rule or by their names.
    named: HashSet<usize>,
    /// The first language of the pack.
    first: Option<LanguageTag>,
}

impl Families {
    fn is_first(&self, name: &VariantName) -> bool {
        name.locale == self.first && name.density.is_none()
    }

    /// Makes `members` variants of the asset at `path`.
    fn join(
        &self,
        set: &mut Set<'_>,
        path: &str,
        mut members: Vec<(usize, VariantName)>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let own = set.find(path);
        let base = match own {
            Some(own) => Some(own).filter(|own| !self.named.contains(own)),
            None if set.unavailable.iter().any(|source| source.path == path) => return,
            // Without a file of that path, the one in the first language takes its place.
            None => {
                let first = members.iter().position(|(_, name)| self.is_first(name) && !name.is_by_rule);
                first.map(|at| members.remove(at).0)
            }
        };
        if base.is_none() && own.is_none() {
            // Those that only their names make variants have no asset.
            let (by_rule, by_name) = members.into_iter().partition(|(_, name)| name.is_by_rule);
            members = by_name;
            for (variant, name) in check_members(set, None, by_rule, diagnostics) {
                if let Some(info) = set.own_resource(variant) {
                    set_variant(info, &name);
                    info.meta.set(MetaKey::VARIANT_OF, ResourceId::from_path(path).0);
                }
                set.variants.push(VariantOf { variant, base: None });
            }
        }
        let Some(base) = base else {
            // The error of a broken file is enough.
            let rules = set.scope.rules;
            let is_broken = |source: &UnavailableSource| {
                rules.variant_name(&source.path).is_some_and(|name| name.base == path && self.is_first(&name))
            };
            if !set.unavailable.iter().any(is_broken) {
                let without = |(variant, name): &(usize, VariantName)| {
                    without_base(set, *variant, name, self.first.as_ref(), own.is_some())
                };
                diagnostics.extend(members.iter().map(without));
            }
            return;
        };
        let taken = check_members(set, Some(base), members, diagnostics);
        for (variant, name) in &taken {
            set.variants.push(VariantOf { variant: *variant, base: Some(base) });
            if let Some(info) = set.own_resource(*variant) {
                set_variant(info, name);
            }
        }
        let has_languages = taken.iter().any(|(_, name)| name.locale.is_some());
        if let Some(locale) = self.first.as_ref().filter(|_| has_languages)
            && !taken.iter().any(|(_, name)| self.is_first(name))
            && let Some(info) = set.own_resource(base)
        {
            locale.add_to(&mut info.meta);
        }
    }
}

/// Returns the `members` that can be variants of the asset `base`, or of one in another pack, and reports the others.
fn check_members(
    set: &Set<'_>,
    base: Option<usize>,
    members: Vec<(usize, VariantName)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(usize, VariantName)> {
    let (scope, assets) = (set.scope, &set.assets);
    let mut taken: Vec<(usize, VariantName)> = Vec::new();
    for (variant, name) in members {
        let this = &assets[variant];
        let other = taken.iter().find(|(_, other)| other.locale == name.locale && other.density == name.density);
        let fault = if let Some((other, _)) = other {
            let other = scope.source_file(&assets[*other].path);
            let message = format!("is for the same language and density as {}", other.display());
            Some((message, "remove or rename one of them, or set `variants = false` for it"))
        } else if name.locale.is_none() && name.density.is_none() {
            let message = format!("is a variant of \"{}\" by a rule, and its language is not known", name.base);
            Some((message, "add `locale` to the rule, or name a folder after one of `locales`"))
        } else if let Some(of) = base.map(|base| &assets[base]).filter(|of| kind_of(this) != kind_of(of)) {
            let (kind, kind_of_base) = (kind_of(this).0, kind_of(of).0);
            let message = format!("has the kind {kind}, and {}, whose variant it is, {kind_of_base}", of.path);
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
            Some((message, help)) => diagnostics.push(about(scope, &this.path, message, help.to_owned())),
            None => taken.push((variant, name)),
        }
    }
    taken
}

/// The fault of a variant of an asset that is a variant itself, or does not exist.
fn without_base(
    set: &Set<'_>,
    variant: usize,
    name: &VariantName,
    source_locale: Option<&LanguageTag>,
    is_variant: bool,
) -> Diagnostic {
    let base = &name.base;
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
    about(set.scope, &set.assets[variant].path, message, help)
}

fn about(scope: Scope<'_>, path: &str, message: String, help: String) -> Diagnostic {
    scope.fault(path, message, help).with_fix(path, Fix::NO_VARIANT)
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

/// Whether a file became a text for each language, whose tags its importer knows.
pub(super) fn is_table(asset: &ImportedAsset) -> bool {
    let is_csv = extension_of(&asset.path).eq_ignore_ascii_case("csv");
    let resources = &asset.record.resources;
    let own = resources.first().filter(|info| is_csv && info.kind == AssetKind::Text);
    // A table without rows has no keys, but texts for other languages. No other text is several resources.
    own.is_some_and(|info| resources.len() > 1 || info.parts.first().is_some_and(|part| part.sort == PartSort::Key))
}

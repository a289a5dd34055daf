//! Variants of assets, and which of them a store loads: the best one for the languages that the player prefers, then for the density
//! of the display.
//!
//! A variant is a resource of its own whose metadata names the asset that it is a variant of. So any mounted pack can add variants to
//! assets of other packs.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use rres_format::index::MetaKey;
use rres_format::{LanguageTag, ResourceId};
use rres_protocol::packed_id::Slot;

use crate::mounts::Mounts;

/// What a store prefers if an asset has variants.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Preferences {
    /// The best one first.
    pub(crate) locales: Vec<LanguageTag>,
    /// Pixels for each unit of length.
    pub(crate) density: Option<f32>,
}

impl Preferences {
    fn is_none(&self) -> bool {
        self.locales.is_empty() && self.density.is_none()
    }
}

/// The variants of every asset that has some.
#[derive(Debug, Default)]
pub(crate) struct Variants(HashMap<ResourceId, Family>);

/// An asset with its variants.
#[derive(Debug, Default)]
struct Family {
    /// The language of the asset itself.
    locale: Option<LanguageTag>,
    /// Ordered, so that the choice among equal ones is the same every time.
    variants: Vec<Variant>,
}

#[derive(Debug)]
struct Variant {
    id: ResourceId,
    locale: Option<LanguageTag>,
    density: f32,
}

impl Variants {
    /// Finds the variants in mounted packs.
    pub(crate) fn of(mounts: &Mounts) -> Self {
        let mut families: HashMap<ResourceId, Family> = HashMap::new();
        let mut seen = HashSet::new();
        let ids = mounts.sources().flat_map(|source| {
            let index = source.index();
            let is_variant =
                move |slot: &u32| index.meta(*slot).is_ok_and(|meta| meta.get(MetaKey::VARIANT_OF).is_some());
            (0..index.len() as u32).filter(is_variant).filter_map(move |slot| index.id(slot))
        });
        for id in ids.filter(|id| seen.insert(*id)) {
            // An overlay may have replaced it.
            let Some((meta, kind)) = mounts.meta(id) else { continue };
            let Some(base) = meta.get(MetaKey::VARIANT_OF).map(ResourceId) else { continue };
            let Some((meta_of_base, kind_of_base)) = mounts.meta(base) else { continue };
            // A variant of a variant would be two ways to the same resource.
            if kind != kind_of_base || base == id || meta_of_base.get(MetaKey::VARIANT_OF).is_some() {
                continue;
            }
            let new = || Family { locale: LanguageTag::of(&meta_of_base), variants: Vec::new() };
            let density = meta.get_f32(MetaKey::DENSITY).filter(|density| *density > 0.0).unwrap_or(1.0);
            let variant = Variant { id, locale: LanguageTag::of(&meta), density };
            families.entry(base).or_insert_with(new).variants.push(variant);
        }
        for family in families.values_mut() {
            family.variants.sort_by(|a, b| {
                a.locale.cmp(&b.locale).then(a.density.total_cmp(&b.density)).then_with(|| a.id.cmp(&b.id))
            });
        }
        Self(families)
    }

    /// Returns the resource to load for an asset: one of its variants, or the asset itself.
    pub(crate) fn choose(&self, asset: ResourceId, preferences: &Preferences) -> ResourceId {
        self.0.get(&asset).map_or(asset, |family| family.choose(asset, preferences))
    }

    /// Returns the variants of an asset.
    pub(crate) fn of_asset(&self, asset: ResourceId) -> impl Iterator<Item = ResourceId> {
        self.0.get(&asset).into_iter().flat_map(|family| &family.variants).map(|variant| variant.id)
    }

    /// Returns the languages of all assets and variants.
    pub(crate) fn locales(&self) -> Vec<LanguageTag> {
        let of_family = |family: &Family| {
            let of_variants: Vec<_> = family.variants.iter().filter_map(|variant| variant.locale.clone()).collect();
            family.locale.clone().into_iter().chain(of_variants)
        };
        self.0.values().flat_map(of_family).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

impl Family {
    fn choose(&self, asset: ResourceId, preferences: &Preferences) -> ResourceId {
        let known: Vec<&LanguageTag> =
            self.locale.iter().chain(self.variants.iter().filter_map(|variant| variant.locale.as_ref())).collect();
        let locale = preferences.locales.iter().find_map(|wanted| best_locale(wanted, &known));
        // The asset itself has its own language, and is what every other language falls back to.
        let variants_of = |locale: Option<&LanguageTag>| -> Vec<(f32, ResourceId)> {
            let variants = self.variants.iter().filter(|variant| variant.locale.as_ref() == locale);
            variants.map(|variant| (variant.density, variant.id)).collect()
        };
        let mut choices = match locale {
            Some(locale) if self.locale.as_ref() != Some(locale) => variants_of(Some(locale)),
            _ => {
                let own = self.locale.as_ref().map(|locale| variants_of(Some(locale))).unwrap_or_default();
                own.into_iter().chain([(1.0, asset)]).chain(variants_of(None)).collect()
            }
        };
        // The sort is stable: of equal densities, the first one counts.
        choices.sort_by(|a, b| a.0.total_cmp(&b.0));
        let wanted = preferences.density.unwrap_or(1.0);
        // A picture that is made smaller looks better than one that is made larger.
        let enough = choices.iter().find(|(density, _)| *density >= wanted);
        enough.or(choices.last()).map_or(asset, |(_, id)| *id)
    }
}

/// The variants that a store loads, computed for its mounts and preferences.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) preferences: Preferences,
    /// All variants. They are searched for when they are first needed, which is never in most programs.
    variants: OnceLock<Variants>,
    /// The variants that take the place of assets.
    chosen: HashMap<ResourceId, ResourceId>,
}

impl Selection {
    pub(crate) fn new(preferences: Preferences, mounts: &Mounts) -> Self {
        let mut selection = Self { preferences, ..Self::default() };
        if !selection.preferences.is_none() {
            let families = &selection.variants(mounts).0;
            let choices =
                families.iter().map(|(asset, family)| (*asset, family.choose(*asset, &selection.preferences)));
            selection.chosen = choices.filter(|(asset, choice)| asset != choice).collect();
        }
        selection
    }

    /// Returns all variants in the mounts that the selection is for.
    pub(crate) fn variants(&self, mounts: &Mounts) -> &Variants {
        self.variants.get_or_init(|| Variants::of(mounts))
    }

    /// Returns the resource to load for an asset.
    pub(crate) fn of(&self, asset: ResourceId) -> ResourceId {
        self.chosen.get(&asset).copied().unwrap_or(asset)
    }

    /// Returns the assets that have another choice in `next`, or a choice whose contents have changed.
    pub(crate) fn changes(&self, next: &Self, contents: &HashSet<ResourceId>) -> HashSet<ResourceId> {
        let assets = self.chosen.keys().chain(next.chosen.keys()).copied();
        assets.filter(|asset| self.of(*asset) != next.of(*asset) || contents.contains(&next.of(*asset))).collect()
    }
}

/// Returns the best of the `known` languages for the one that is wanted: by the lookup of RFC 4647, section 3.4, and otherwise one of the
/// same language and script in another region.
fn best_locale<'k>(wanted: &LanguageTag, known: &[&'k LanguageTag]) -> Option<&'k LanguageTag> {
    let find = |tag: &str| known.iter().copied().find(|known| known.as_str() == tag);
    let parent = parent(wanted);
    let fallbacks = wanted.fallbacks().flat_map(|tag| {
        // The parent comes before the bare language.
        let is_bare = tag == wanted.language();
        parent.filter(|_| is_bare).into_iter().chain([tag])
    });
    fallbacks.into_iter().find_map(find).or_else(|| {
        let is_near = |other: &&LanguageTag| other.language() == wanted.language() && script(other) == script(wanted);
        known.iter().copied().filter(|_| wanted.language() != "x").filter(is_near).min()
    })
}

/// Returns the language between a region's and the bare one, according to the data of Unicode (CLDR).
fn parent(tag: &LanguageTag) -> Option<&'static str> {
    if tag.script().is_some() {
        return None;
    }
    match (tag.language(), tag.region()?) {
        ("zh", _) => script(tag).map(|script| if script == "Hant" { "zh-Hant" } else { "zh-Hans" }),
        ("sr", "ME") => Some("sr-Latn"),
        (
            "es",
            "AR" | "BO" | "BR" | "BZ" | "CL" | "CO" | "CR" | "CU" | "DO" | "EC" | "GT" | "HN" | "MX" | "NI" | "PA"
            | "PE" | "PR" | "PY" | "SV" | "US" | "UY" | "VE",
        ) => Some("es-419"),
        ("pt", "AO" | "CH" | "CV" | "FR" | "GQ" | "GW" | "LU" | "MO" | "MZ" | "ST" | "TL") => Some("pt-PT"),
        _ => None,
    }
}

/// Returns the script of a language, also if only its region tells.
fn script(tag: &LanguageTag) -> Option<&str> {
    tag.script().or_else(|| match (tag.language(), tag.region()) {
        ("zh", Some("TW" | "HK" | "MO")) => Some("Hant"),
        ("zh", _) => Some("Hans"),
        ("sr", Some("ME")) => Some("Latn"),
        ("sr", _) => Some("Cyrl"),
        _ => None,
    })
}

impl Mounts {
    /// Returns the metadata and the kind of a resource.
    pub(crate) fn meta(
        &self,
        id: ResourceId,
    ) -> Option<(rres_format::index::MetaView<'_>, Option<rres_format::AssetKind>)> {
        let (source, slot) = self.locate(id, Slot(0))?;
        Some((source.index().meta(slot).ok()?, source.index().entry(slot).ok()?.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> Vec<LanguageTag> {
        text.split_whitespace().map(|tag| tag.parse().unwrap()).collect()
    }

    fn best(wanted: &str, known: &str) -> String {
        let known = tags(known);
        let known: Vec<&LanguageTag> = known.iter().collect();
        tags(wanted).iter().find_map(|wanted| best_locale(wanted, &known)).map_or_else(String::new, ToString::to_string)
    }

    #[test]
    fn the_lookup_takes_parts_away_from_the_end() {
        for (wanted, known, expected) in [
            ("fr-CA", "en fr fr-CA", "fr-CA"),
            ("fr-CA", "en fr de", "fr"),
            ("fr-CA", "en de", ""),
            ("zh-Hant-TW", "zh-Hans zh-Hant", "zh-Hant"),
            ("zh-Hant-TW", "zh-Hans", ""),
            ("ca-valencia", "ca es", "ca"),
            ("de-CH-1996", "de de-CH", "de-CH"),
            ("x-pirate", "en x-pirate", "x-pirate"),
            ("x-pirate", "en x-elvish", ""),
            ("fr-CA de", "en de", "de"),
            ("fr-CA de", "fr de", "fr"),
        ] {
            assert_eq!(best(wanted, known), expected, "{wanted} of {known}");
        }
    }

    #[test]
    fn regions_imply_scripts_and_parents() {
        for (wanted, known, expected) in [
            ("zh-TW", "zh zh-Hans zh-Hant", "zh-Hant"),
            ("zh-SG", "zh-Hans zh-Hant", "zh-Hans"),
            ("zh", "zh-Hans zh-Hant", "zh-Hans"),
            ("zh-Hant", "zh-CN zh-TW", "zh-TW"),
            ("es-MX", "es es-419", "es-419"),
            ("es-ES", "es es-419", "es"),
            ("pt-AO", "pt-BR pt-PT", "pt-PT"),
            ("sr-ME", "sr sr-Latn", "sr-Latn"),
        ] {
            assert_eq!(best(wanted, known), expected, "{wanted} of {known}");
        }
    }

    #[test]
    fn another_region_of_a_language_comes_before_the_next_preference() {
        assert_eq!(best("pt-PT en", "en pt-BR"), "pt-BR");
        assert_eq!(best("en-GB fr", "en-US fr"), "en-US");
        assert_eq!(best("sr-Latn en", "en sr"), "sr", "the lookup of RFC 4647 takes the bare language");
        assert_eq!(best("sr-RS en", "en sr-Latn"), "en", "another script may not be read");
    }

    #[test]
    fn the_least_density_that_is_enough_is_chosen_within_the_language() {
        let variant = |id, locale: &str, density| Variant { id: ResourceId(id), locale: locale.parse().ok(), density };
        let family = Family {
            locale: "en".parse().ok(),
            variants: vec![variant(2, "", 2.0), variant(3, "", 3.0), variant(4, "fr", 1.0), variant(5, "de", 2.0)],
        };
        let choose =
            |locales: &str, density| family.choose(ResourceId(1), &Preferences { locales: tags(locales), density }).0;
        for (locales, density, expected) in [
            ("", None, 1),
            ("", Some(1.0), 1),
            ("", Some(1.5), 2),
            ("", Some(2.0), 2),
            ("", Some(9.0), 3),
            ("", Some(0.1), 1),
            ("en fr", Some(2.0), 2),
            ("fr", Some(2.0), 4),
            ("de", None, 5),
            ("it", Some(3.0), 3),
        ] {
            assert_eq!(choose(locales, density), expected, "{locales} {density:?}");
        }
    }
}

//! The name of a file → the asset that it is a variant of, its language and its density: `menu.fr-CA.txt`, `button@2x.png`; or the
//! targets that it is for: `hud.mobile.png`.

use rres_format::LanguageTag;

use super::culture;
use super::table::PackSettings;

/// What the name of a variant says.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantName {
    /// The path without language and density.
    pub base: String,
    /// One of the languages of the pack.
    pub locale: Option<LanguageTag>,
    /// One of the densities of the pack.
    pub density: Option<f32>,
    /// Whether a rule says what it is a variant of: then the asset may be in another pack.
    pub is_by_rule: bool,
}

impl VariantName {
    /// Reads the path of a file by the languages and densities of the pack; `None` if its name has none of them.
    pub(super) fn of(path: &str, pack: &PackSettings) -> Option<Self> {
        if pack.locales.is_empty() && pack.densities.is_empty() {
            return None;
        }
        let (mut stem, extension) = split_extension(path)?;
        let (mut locale, mut density) = (None, None);
        // They may be in either order, each once.
        loop {
            if density.is_none()
                && let Some((rest, found)) = density_of(stem, &pack.densities)
            {
                (stem, density) = (rest, Some(found));
            } else if locale.is_none()
                && let Some((rest, found)) = locale_of(stem, &pack.locales)
            {
                (stem, locale) = (rest, Some(found));
            } else {
                break;
            }
        }
        let is_variant = locale.is_some() || density.is_some();
        is_variant.then(|| Self { base: format!("{stem}.{extension}"), locale, density, is_by_rule: false })
    }

    /// What a rule says about the file at `path`: that it is a variant of `base`, for `locale`. Otherwise the language is the tag in its
    /// name, or else the last folder that has the name of a language of the pack.
    pub(super) fn by_rule(path: &str, base: String, locale: Option<&str>, pack: &PackSettings) -> Self {
        let by_name = Self::of(path, pack);
        let (of_name, density) = by_name.map(|name| (name.locale, name.density)).unwrap_or_default();
        let of_folder = || {
            let folders = path.rsplit('/').skip(1).map(|folder| folder.replace('_', "-"));
            let listed =
                |folder: String| pack.locales.iter().find(|locale| locale.eq_ignore_ascii_case(&folder))?.parse().ok();
            folders.into_iter().find_map(listed)
        };
        let locale = locale.and_then(|locale| locale.parse().ok()).or(of_name).or_else(of_folder);
        Self { base, locale, density, is_by_rule: true }
    }

    /// Returns the tag of a known language in the name of a file, and the path without it, whichever languages the pack has.
    pub(super) fn unlisted(path: &str) -> Option<(String, &str)> {
        let (stem, extension) = split_extension(path)?;
        let (rest, tag) = stem.rsplit_once('.').filter(|(rest, _)| has_name(rest))?;
        culture::lcid(&tag.replace('_', "-"))?;
        Some((format!("{rest}.{extension}"), tag))
    }
}

/// What the name of a file for some targets says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// The path without the names of targets: the path of the asset.
    pub base: String,
    /// The names of targets, as the pack lists them. More than one is a mistake.
    pub targets: Vec<String>,
}

impl TargetName {
    /// Reads the path of a file by the names of targets of the pack; `None` if its name has none of them. Language and density may be
    /// before or after.
    pub(super) fn of(path: &str, pack: &PackSettings) -> Option<Self> {
        if pack.targets.is_empty() {
            return None;
        }
        let (mut stem, extension) = split_extension(path)?;
        let mut end = format!(".{extension}");
        let mut targets = Vec::new();
        // Anything else in the name ends what is read.
        loop {
            if let Some((rest, target)) = target_of(stem, &pack.targets) {
                targets.push(target.to_owned());
                stem = rest;
            } else {
                let rest = density_of(stem, &pack.densities).map(|(rest, _)| rest);
                let Some(rest) = rest.or_else(|| Some(locale_of(stem, &pack.locales)?.0)) else { break };
                end.insert_str(0, &stem[rest.len()..]);
                stem = rest;
            }
        }
        targets.reverse();
        (!targets.is_empty()).then(|| Self { base: format!("{stem}{end}"), targets })
    }
}

/// The path before the last dot of its name, and what follows the dot.
fn split_extension(path: &str) -> Option<(&str, &str)> {
    path.rsplit_once('.').filter(|(stem, extension)| has_name(stem) && !extension.contains('/'))
}

/// Whether a path without its end still has the name of a file.
fn has_name(stem: &str) -> bool {
    !stem.is_empty() && !stem.ends_with('/')
}

fn locale_of<'s>(stem: &'s str, locales: &[String]) -> Option<(&'s str, LanguageTag)> {
    let (rest, tag) = stem.rsplit_once('.').filter(|(rest, _)| has_name(rest))?;
    // Many tools write `pt_BR`.
    let tag = tag.replace('_', "-");
    let listed = locales.iter().find(|locale| locale.eq_ignore_ascii_case(&tag))?;
    Some((rest, listed.parse().ok()?))
}

fn target_of<'s, 't>(stem: &'s str, targets: &'t [(String, String)]) -> Option<(&'s str, &'t str)> {
    let (rest, word) = stem.rsplit_once('.').filter(|(rest, _)| has_name(rest))?;
    let (target, _) = targets.iter().find(|(target, _)| target.eq_ignore_ascii_case(word))?;
    Some((rest, target))
}

fn density_of<'s>(stem: &'s str, densities: &[f32]) -> Option<(&'s str, f32)> {
    let (rest, number) = stem.strip_suffix('x')?.rsplit_once('@').filter(|(rest, _)| has_name(rest))?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f32 = Some(number).filter(|_| is_number)?.parse().ok()?;
    densities.contains(&number).then_some((rest, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(path: &str) -> String {
        let locales = ["en", "fr", "pt-BR", "zh-Hant"].map(str::to_owned).to_vec();
        let pack = PackSettings { locales, densities: vec![2.0, 1.5], ..PackSettings::default() };
        let Some(VariantName { base, locale, density, .. }) = VariantName::of(path, &pack) else {
            return String::new();
        };
        let locale = locale.map_or_else(String::new, |locale| format!(" {locale}"));
        format!("{base}{locale}{}", density.map_or_else(String::new, |density| format!(" {density}")))
    }

    #[test]
    fn languages_and_densities_of_the_pack_are_found() {
        for (path, expected) in [
            ("menu.fr.txt", "menu.txt fr"),
            ("text/menu.pt_br.txt", "text/menu.txt pt-BR"),
            ("menu.ZH-HANT.txt", "menu.txt zh-Hant"),
            ("a.b.fr.txt", "a.b.txt fr"),
            ("button@2x.png", "button.png 2"),
            ("button@1.5x.png", "button.png 1.5"),
            ("button.fr@2x.png", "button.png fr 2"),
            ("button@2x.fr.png", "button.png fr 2"),
        ] {
            assert_eq!(name(path), expected, "{path}");
        }
    }

    #[test]
    fn other_names_mean_nothing() {
        for path in [
            "menu.txt",
            "menu.de.txt",
            "menu.fr",
            "fr.txt",
            "text/fr.txt",
            ".fr.txt",
            "text.fr/menu.txt",
            "button@3x.png",
            "button@x.png",
            "@2x.png",
            "button@2.png",
            "button@infx.png",
            "button@+2x.png",
            "fr",
            "",
        ] {
            assert_eq!(name(path), "", "{path}");
        }
        assert_eq!(VariantName::of("menu.fr.txt", &PackSettings::default()), None);
    }

    #[test]
    fn names_of_targets_are_taken_out_wherever_they_are() {
        let targets = ["mobile", "switch"].map(|name| (name.to_owned(), "cfg(unix)".to_owned())).to_vec();
        let pack =
            PackSettings { locales: vec!["fr".to_owned()], densities: vec![2.0], targets, ..PackSettings::default() };
        for (path, expected) in [
            ("hud.mobile.png", "hud.png mobile"),
            ("ui/hud.MOBILE.png", "ui/hud.png mobile"),
            ("hud.mobile.fr@2x.png", "hud.fr@2x.png mobile"),
            ("hud.fr.mobile@2x.png", "hud.fr@2x.png mobile"),
            ("hud@2x.mobile.fr.png", "hud@2x.fr.png mobile"),
            ("hud.mobile.switch.png", "hud.png mobile,switch"),
            ("hud.mobile.v2.png", ""),
            ("hud.tablet.png", ""),
            ("mobile.png", ""),
            ("ui.mobile/hud.png", ""),
            ("hud.mobile", ""),
            ("hud.fr.png", ""),
        ] {
            let found = TargetName::of(path, &pack).map(|name| format!("{} {}", name.base, name.targets.join(",")));
            assert_eq!(found.unwrap_or_default(), expected, "{path}");
        }
        assert_eq!(TargetName::of("hud.mobile.png", &PackSettings::default()), None);
    }

    #[test]
    fn unlisted_languages_are_those_that_are_known() {
        assert_eq!(VariantName::unlisted("a/menu.de.txt"), Some(("a/menu.txt".to_owned(), "de")));
        assert_eq!(VariantName::unlisted("menu.de_AT.txt"), Some(("menu.txt".to_owned(), "de_AT")));
        assert_eq!(VariantName::unlisted("menu.old.txt"), None);
        assert_eq!(VariantName::unlisted("menu.v2.txt"), None);
    }
}

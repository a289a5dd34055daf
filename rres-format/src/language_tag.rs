//! The tags of languages, such as `fr-CA` (BCP 47, RFC 5646), and their form in the metadata of an index.

use std::fmt;
use std::str::FromStr;

use crate::index::{Meta, MetaKey, MetaView};

/// The most bytes of a tag. RFC 5646 gives 35 as enough for every tag that is in use.
const MAX_LEN: usize = 35;

/// A well-formed language tag of BCP 47 in its usual case: `en`, `fr-CA`, `zh-Hant-TW`, `es-419`, `x-pirate`.
///
/// That its parts are registered is not checked. Tags that were registered as a whole before the parts had a meaning, such as
/// `i-klingon`, are not accepted.
///
/// ```
/// use rres_format::LanguageTag;
///
/// let tag: LanguageTag = "zh-hant-tw".parse()?;
/// assert_eq!(tag.as_str(), "zh-Hant-TW");
/// assert_eq!((tag.language(), tag.script(), tag.region()), ("zh", Some("Hant"), Some("TW")));
/// assert!("fr_CA".parse::<LanguageTag>().is_err());
/// # Ok::<(), rres_format::LanguageTagError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageTag(Box<str>);

/// The reason why a text is not a language tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LanguageTagError {
    /// It is longer than 35 bytes.
    TooLong,
    /// It does not begin with a language of two to eight letters, or with `x-`.
    Language,
    /// A part is not what may follow there, or occurs twice.
    Part(Box<str>),
}

impl fmt::Display for LanguageTagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "it is longer than {MAX_LEN} bytes"),
            Self::Language => f.write_str("it does not begin with a language of two to eight letters"),
            Self::Part(part) => write!(f, "\"{part}\" cannot be there"),
        }
    }
}

impl std::error::Error for LanguageTagError {}

/// The parts of a tag, in the only order that is allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Language,
    Extended,
    Script,
    Region,
    Variant,
    Extension,
    PrivateUse,
}

impl LanguageTag {
    /// Returns the whole tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the language, such as `fr`; `x` for a tag of private use.
    pub fn language(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// Returns the script, such as `Hant`.
    pub fn script(&self) -> Option<&str> {
        self.find(Part::Script)
    }

    /// Returns the region, such as `CA` or `419`.
    pub fn region(&self) -> Option<&str> {
        self.find(Part::Region)
    }

    fn find(&self, part: Part) -> Option<&str> {
        let mut parts = Parts::default();
        self.0.split('-').find(|text| parts.next(text) == Some(part))
    }

    /// Returns the tags that RFC 4647, section 3.4, looks up for this one: itself, and then without its last part, again and
    /// again: `zh-Hant-TW`, `zh-Hant`, `zh`.
    pub fn fallbacks(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(&*self.0), |tag| {
            let (shorter, _) = tag.rsplit_once('-')?;
            // A single letter introduces what follows, so it goes, too.
            match shorter.rsplit_once('-') {
                Some((rest, last)) if last.len() == 1 => Some(rest),
                None if shorter.len() == 1 => None,
                _ => Some(shorter),
            }
        })
    }

    /// Sets the tag in metadata: four bytes for each record from [`MetaKey::LOCALE`] on, the first one lowest.
    pub fn add_to(&self, meta: &mut Meta) {
        Self::remove_from(meta);
        for (key, bytes) in (MetaKey::LOCALE.0..).zip(self.0.as_bytes().chunks(4)) {
            let mut value = [0; 4];
            value[..bytes.len()].copy_from_slice(bytes);
            meta.set(MetaKey(key), u32::from_le_bytes(value));
        }
    }

    /// Removes a tag from metadata.
    pub fn remove_from(meta: &mut Meta) {
        (0..MAX_LEN.div_ceil(4) as u16).for_each(|i| meta.remove(MetaKey(MetaKey::LOCALE.0 + i)));
    }

    /// Reads the tag in metadata; `None` if it has none, or one that is not well-formed.
    pub fn of(meta: &MetaView<'_>) -> Option<Self> {
        Self::read(|key| meta.get(key))
    }

    /// Reads the tag in owned metadata, like [`Self::of`].
    pub fn in_meta(meta: &Meta) -> Option<Self> {
        Self::read(|key| meta.get(key))
    }

    fn read(value_of: impl Fn(MetaKey) -> Option<u32>) -> Option<Self> {
        let mut text = Vec::new();
        for i in 0..MAX_LEN.div_ceil(4) as u16 {
            let Some(value) = value_of(MetaKey(MetaKey::LOCALE.0 + i)) else { break };
            text.extend(value.to_le_bytes().into_iter().take_while(|byte| *byte != 0));
        }
        std::str::from_utf8(&text).ok()?.parse().ok()
    }
}

impl FromStr for LanguageTag {
    type Err = LanguageTagError;

    fn from_str(text: &str) -> Result<Self, LanguageTagError> {
        if text.len() > MAX_LEN {
            return Err(LanguageTagError::TooLong);
        }
        let mut parts = Parts::default();
        let mut tag = String::with_capacity(text.len());
        let mut seen: Vec<String> = Vec::new();
        // Whether something has to follow the last part.
        let mut is_open = false;
        for part in text.split('-') {
            let bad = || LanguageTagError::Part(part.into());
            let before = parts.last;
            let is_first = before.is_none();
            let sort = parts.next(part).ok_or_else(|| if is_first { LanguageTagError::Language } else { bad() })?;
            is_open = parts.after_single || sort == Part::PrivateUse && before != Some(Part::PrivateUse);
            let mut part = part.to_ascii_lowercase();
            match sort {
                Part::Script => part[..1].make_ascii_uppercase(),
                Part::Region => part.make_ascii_uppercase(),
                _ => {}
            }
            let is_singleton = sort == Part::Extension && part.len() == 1;
            if is_singleton || sort == Part::Variant {
                if seen.contains(&part) {
                    return Err(bad());
                }
                seen.push(part.clone());
            }
            if !tag.is_empty() {
                tag.push('-');
            }
            tag.push_str(&part);
        }
        match is_open {
            true => Err(LanguageTagError::Part(text.rsplit('-').next().unwrap_or_default().into())),
            false => Ok(Self(tag.into())),
        }
    }
}

/// Tells what the parts of a tag are, one after the other.
#[derive(Default)]
struct Parts {
    last: Option<Part>,
    extended: u32,
    /// Whether the last part was the single letter of an extension.
    after_single: bool,
}

impl Parts {
    /// Returns what the next part is; `None` if it cannot be there.
    fn next(&mut self, part: &str) -> Option<Part> {
        let (len, bytes) = (part.len(), part.as_bytes());
        let is_alphabetic = bytes.iter().all(u8::is_ascii_alphabetic);
        let is_digits = bytes.iter().all(u8::is_ascii_digit);
        if len == 0 || len > 8 || !bytes.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        let starts_with_digit = bytes[0].is_ascii_digit();
        let found = match self.last {
            None if part.eq_ignore_ascii_case("x") => Part::PrivateUse,
            None if is_alphabetic && len >= 2 => Part::Language,
            None => return None,
            Some(Part::PrivateUse) => Part::PrivateUse,
            Some(_) if self.after_single => (len > 1).then_some(Part::Extension)?,
            Some(_) if part.eq_ignore_ascii_case("x") => Part::PrivateUse,
            Some(_) if len == 1 => Part::Extension,
            Some(Part::Extension) => Part::Extension,
            Some(last) if last <= Part::Extended && is_alphabetic && len == 3 && self.extended < 3 => Part::Extended,
            Some(last) if last < Part::Script && is_alphabetic && len == 4 => Part::Script,
            Some(last) if last < Part::Region && (is_alphabetic && len == 2 || is_digits && len == 3) => Part::Region,
            Some(_) if len >= 5 || len == 4 && starts_with_digit => Part::Variant,
            Some(_) => return None,
        };
        self.extended += u32::from(found == Part::Extended);
        self.after_single = found == Part::Extension && len == 1;
        self.last = Some(found);
        Some(found)
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LanguageTag({})", self.0)
    }
}

impl AsRef<str> for LanguageTag {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, String> {
        text.parse().map(|tag: LanguageTag| tag.to_string()).map_err(|error: LanguageTagError| error.to_string())
    }

    #[test]
    fn well_formed_tags_get_their_usual_case() {
        for (text, tag) in [
            ("en", "en"),
            ("FR-ca", "fr-CA"),
            ("zh-hant-tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("sr-LATN", "sr-Latn"),
            ("ca-valencia", "ca-valencia"),
            ("de-1901", "de-1901"),
            ("sl-rozaj-biske-1994", "sl-rozaj-biske-1994"),
            ("zh-yue-HK", "zh-yue-HK"),
            ("en-a-bbb-x-a-ccc", "en-a-bbb-x-a-ccc"),
            ("X-Pirate", "x-pirate"),
            ("en-x-a", "en-x-a"),
            ("en-US-u-islamcal", "en-US-u-islamcal"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(tag), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let language = "it does not begin with a language of two to eight letters";
        for (text, message) in [
            ("", language),
            ("f", language),
            ("fr_CA", language),
            ("419", language),
            ("fr-", "\"\" cannot be there"),
            ("fr--CA", "\"\" cannot be there"),
            ("fr-C", "\"C\" cannot be there"),
            ("x", "\"x\" cannot be there"),
            ("i-klingon", language),
            ("de-DE-AT", "\"AT\" cannot be there"),
            ("de-DE-Latn", "\"Latn\" cannot be there"),
            ("de-1901-1901", "\"1901\" cannot be there"),
            ("en-a-bbb-a-ccc", "\"a\" cannot be there"),
            ("fr-Käse", "\"Käse\" cannot be there"),
            ("en-abcdefgh-abcdefgi-abcdefgj-abcdefgk", "it is longer than 35 bytes"),
        ] {
            assert_eq!(parse(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn fallbacks_lose_one_part_at_a_time() {
        let fallbacks = |text: &str| {
            let tag: LanguageTag = text.parse().unwrap();
            tag.fallbacks().collect::<Vec<_>>().join(" ")
        };
        // The example of RFC 4647, section 3.4.
        assert_eq!(
            fallbacks("zh-Hant-CN-x-private1-private2"),
            "zh-Hant-CN-x-private1-private2 zh-Hant-CN-x-private1 zh-Hant-CN zh-Hant zh"
        );
        assert_eq!(fallbacks("fr"), "fr");
        assert_eq!(fallbacks("x-pirate"), "x-pirate");
    }

    #[test]
    fn metadata_contains_every_tag() {
        for text in ["en", "x-y", "de-AT", "zh-Hant-TW", "en-abcdefgh-abcdefgi-abcdefgj-abcde"] {
            let tag: LanguageTag = text.parse().unwrap();
            let mut meta = Meta::default();
            meta.set(MetaKey::VARIANT_OF, 7);
            tag.add_to(&mut meta);
            let mut bytes = Vec::new();
            meta.write(&mut bytes);
            assert_eq!(LanguageTag::of(&MetaView::new(&bytes)), Some(tag));
            LanguageTag::remove_from(&mut meta);
            assert_eq!(meta.records(), [(MetaKey::VARIANT_OF, 7)]);
        }
        assert_eq!(LanguageTag::of(&MetaView::new(&[70, 0, 4, 0, 255, 255, 0, 0])), None);
        assert_eq!(LanguageTag::of(&MetaView::new(&[])), None);
    }
}

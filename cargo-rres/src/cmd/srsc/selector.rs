//! The choice of records on the command line: `texture`, `texture:7`, `0x0040:0x0007`.

use rres_import_srsc::{Location, RecordType, RecordView};

use crate::exit::Failure;

/// Records of a type, or one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selector {
    text: String,
    kind: u16,
    /// The types of this name; some names have several.
    kinds: Vec<u16>,
    id: Option<u16>,
}

impl Selector {
    /// Reads the choice.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let (kind, id) = text.split_once(':').map_or((text, None), |(kind, id)| (kind, Some(id)));
        let wanted = kind.replace('-', " ");
        let named = RecordType::ALL.iter().filter(|kind| kind.name() == Some(&wanted)).map(|kind| kind.0);
        let kinds: Vec<u16> = match number(kind) {
            Some(number) => vec![number],
            None => named.collect(),
        };
        let fail = |what: &str| {
            let names: Vec<String> =
                RecordType::ALL.iter().filter_map(|kind| kind.name()).map(|name| name.replace(' ', "-")).collect();
            Failure::Usage(format!(
                "{text:?} names no record: {what}; expected TYPE or TYPE:ID, with a type such as 0x0040 or one of {}",
                names.join(", ")
            ))
        };
        let first = *kinds.first().ok_or_else(|| fail("unknown type"))?;
        let id = id.map(|id| number(id).ok_or_else(|| fail("an id is a number from 0 to 65535"))).transpose()?;
        Ok(Self { text: text.to_owned(), kind: first, kinds, id })
    }

    /// Reads several choices.
    pub(super) fn parse_all(texts: &[String]) -> Result<Vec<Self>, Failure> {
        texts.iter().map(|text| Self::parse(text)).collect()
    }

    fn contains(&self, view: &RecordView<'_>) -> bool {
        let kind = view.key().kind.0;
        (kind == self.kind || self.kinds.contains(&kind)) && self.id.is_none_or(|id| id == view.key().id)
    }

    /// Returns the records that one of the selectors chooses, or all without selectors.
    pub(super) fn choose<'a>(
        selectors: &[Self],
        records: Vec<(Location, RecordView<'a>)>,
    ) -> Result<Vec<(Location, RecordView<'a>)>, Failure> {
        if let Some(unused) = selectors.iter().find(|selector| !records.iter().any(|(_, view)| selector.contains(view)))
        {
            return Err(Failure::Usage(format!("no record is {}", unused.text)));
        }
        let is_chosen =
            |view: &RecordView<'_>| selectors.is_empty() || selectors.iter().any(|selector| selector.contains(view));
        Ok(records.into_iter().filter(|(_, view)| is_chosen(view)).collect())
    }
}

/// Reads a number, in hexadecimal digits after `0x`.
fn number(text: &str) -> Option<u16> {
    match text.strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_numbers_and_names() {
        let of = |text: &str| Selector::parse(text).map(|selector| (selector.kind, selector.id)).ok();
        assert_eq!(of("texture"), Some((0x40, None)));
        assert_eq!(of("model-vertices:0x10"), Some((0x203, Some(16))));
        assert_eq!(of("0x0040:7"), Some((0x40, Some(7))));
        assert_eq!(of("0x0099:1"), Some((0x99, Some(1))));
        for bad in ["", "textures", "texture:", "texture:x", "texture:65536", "0x10000"] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }
}

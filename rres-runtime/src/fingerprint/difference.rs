//! The details of two programs → the assets that only one of them has, and those that differ.

use std::cmp::Ordering;
use std::fmt;

use super::{AssetFingerprint, FingerprintDetails};

/// An asset that two programs have with other contents or another kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedAsset {
    /// In the details that were asked.
    pub ours: AssetFingerprint,
    /// In the other ones.
    pub theirs: AssetFingerprint,
}

/// What differs between the assets of two programs, each list ascending by path; see [`FingerprintDetails::difference`].
///
/// It prints a line for each asset, and after 20 lines how many there are besides. Control characters in paths are escaped, since the paths may
/// be a stranger's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FingerprintDifference {
    /// Assets that only the other program has.
    pub added: Vec<AssetFingerprint>,
    /// Assets that only this program has.
    pub removed: Vec<AssetFingerprint>,
    /// Assets that both have, but not the same.
    pub changed: Vec<ChangedAsset>,
}

impl FingerprintDetails {
    /// Returns what leads from these assets to the other ones. Assets are the same if path and id are.
    pub fn difference(&self, theirs: &Self) -> FingerprintDifference {
        let (mut ours, mut theirs) = (self.assets().iter().peekable(), theirs.assets().iter().peekable());
        let mut out = FingerprintDifference::default();
        loop {
            let order = match (ours.peek(), theirs.peek()) {
                (None, None) => return out,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(our), Some(their)) => our.order().cmp(&their.order()),
            };
            match order {
                Ordering::Less => out.removed.extend(ours.next().cloned()),
                Ordering::Greater => out.added.extend(theirs.next().cloned()),
                Ordering::Equal => {
                    let both = ours.next().cloned().zip(theirs.next().cloned());
                    let changed = both.filter(|(ours, theirs)| ours != theirs);
                    out.changed.extend(changed.map(|(ours, theirs)| ChangedAsset { ours, theirs }));
                }
            }
        }
    }
}

impl FingerprintDifference {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many assets differ.
    pub fn len(&self) -> usize {
        self.added.len() + self.removed.len() + self.changed.len()
    }
}

impl fmt::Display for FingerprintDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        let changed = self.changed.iter().map(|asset| ("changed", &asset.ours));
        let added = self.added.iter().map(|asset| ("added", asset));
        let removed = self.removed.iter().map(|asset| ("removed", asset));
        for (what, asset) in changed.chain(added).chain(removed).take(SHOWN) {
            write!(f, "{what:7}  ")?;
            match asset.path() {
                "" => writeln!(f, "{}", asset.id())?,
                path => writeln!(f, "{}", Escaped(path))?,
            }
        }
        match self.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => writeln!(f, "… and {more} more"),
        }
    }
}

/// A text without control characters, which could do something to a terminal.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Marks of direction and of lines change the order in which a line is shown.
        let is_mark =
            |c| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        self.0.chars().try_for_each(|c| match c.is_control() || is_mark(c) {
            true => write!(f, "{}", c.escape_unicode()),
            false => write!(f, "{c}"),
        })
    }
}

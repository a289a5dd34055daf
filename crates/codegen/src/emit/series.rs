//! Numbered files: `grass0.png` to `grass15.png` → an array of their ids, besides a constant for each.

use std::collections::BTreeMap;
use std::fmt;

use rres_protocol::sub_asset;

use super::{Alias, Doc, Text, Tree};
use crate::module_tree::Item;
use crate::{Constant, constant_name};

/// The fewest files that are a series.
const LEAST: usize = 3;

/// The files of one name.
struct Series<'a> {
    alias: Alias,
    /// The names of constants and their assets, by the numbers in the names of the files.
    members: BTreeMap<u32, (&'a str, &'a Constant)>,
    /// Whether an array can have them: it has one type, and one constant for each number.
    is_plain: bool,
}

impl Text<'_> {
    /// The series among the constants of a module. Each lacks no number, so that a number is an index.
    ///
    /// An array names its constants for the game. So with `unused = "warn"`, rustc does not report them; `cargo rres unused`, which has
    /// rustc report the arrays, too, does.
    pub(super) fn series(&mut self, node: &Tree<'_>) -> fmt::Result {
        let mut all: BTreeMap<String, Series<'_>> = BTreeMap::new();
        for (name, item) in &node.constants {
            let Item::Asset(asset) = item else { continue };
            let Some((series, number)) = series_of(asset) else { continue };
            let alias = Alias::of(asset);
            let new = Series { alias, members: BTreeMap::new(), is_plain: true };
            let series = all.entry(series).or_insert(new);
            let is_double = series.members.insert(number, (name, asset)).is_some();
            series.is_plain &= series.alias == alias && !is_double;
        }
        for (name, Series { alias, members, is_plain }) in all {
            let numbers = members.keys().next().copied().zip(members.keys().next_back().copied());
            let Some((first, last)) = numbers.filter(|_| is_plain && members.len() >= LEAST) else { continue };
            if (last - first) as usize + 1 != members.len() || node.constants.contains_key(&name) {
                continue;
            }
            let file = |number: &u32| members[number].1.path.rsplit('/').next().unwrap_or_default();
            let text = format!("the first of {} files up to {}", members.len(), file(&last));
            let text = if first == 0 { text } else { format!("{text}; index 0 is number {first}") };
            self.line(format_args!("/// {}", Doc { code: file(&first), text: &text }))?;
            let names: Vec<&str> = members.values().map(|(name, _)| *name).collect();
            self.line(format_args!("pub const {name}: [{alias}; {}] = [{}];", names.len(), names.join(", ")))?;
        }
        Ok(())
    }
}

/// The name of the series that an asset belongs to, and its number in it.
fn series_of(asset: &Constant) -> Option<(String, u32)> {
    if asset.rename.is_some() || sub_asset::split(&asset.path).is_some() {
        return None;
    }
    let file = asset.path.rsplit('/').next()?;
    let (stem, extension) = file.split_once('.')?;
    let base = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = stem[base.len()..].parse().ok()?;
    let base = base.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_name = base.chars().any(char::is_alphabetic);
    is_name.then(|| (constant_name(&format!("{base}.{extension}")), number))
}

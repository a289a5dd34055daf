//! Numbered files: `grass0.png` to `grass15.png` → an array of their ids, besides a constant for each.

use std::collections::BTreeMap;
use std::fmt;

use rres_protocol::sub_asset;

use super::{Alias, Doc, Text, Tree};
use crate::module_tree::Item;
use crate::{Constant, constant_name};

/// The fewest files that are a series.
const LEAST: usize = 3;

/// The names of constants and their assets, by the numbers in the names of the files.
type Members<'a> = BTreeMap<u32, (&'a str, &'a Constant)>;

impl Text<'_> {
    /// The series among the constants of a module. Each lacks no number, so that a number is an index.
    ///
    /// An array names its constants for the game. So with `unused = "warn"`, rustc does not report them; `cargo rres unused`, which has
    /// rustc report the arrays, too, does.
    pub(super) fn series(&mut self, node: &Tree<'_>) -> fmt::Result {
        let mut all: BTreeMap<(String, Alias), Members<'_>> = BTreeMap::new();
        let mut doubles = Vec::new();
        for (name, item) in &node.constants {
            let Item::Asset(asset) = item else { continue };
            let Some((series, number)) = series_of(asset) else { continue };
            let key = (series, Alias::of(asset));
            if all.entry(key.clone()).or_default().insert(number, (name, asset)).is_some() {
                doubles.push(key);
            }
        }
        // An array has one type.
        let is_mixed = |(name, _): &(String, Alias)| all.keys().filter(|(other, _)| other == name).count() > 1;
        let mixed: Vec<_> = all.keys().filter(|key| is_mixed(key)).cloned().collect();
        for (key, members) in all {
            if mixed.contains(&key) {
                continue;
            }
            let numbers = members.keys().next().copied().zip(members.keys().next_back().copied());
            let Some((first, last)) = numbers.filter(|_| members.len() >= LEAST && !doubles.contains(&key)) else {
                continue;
            };
            let (name, alias) = key;
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

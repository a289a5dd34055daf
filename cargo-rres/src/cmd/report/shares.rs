//! What each owner of sources has in the packs, and what is under each licence.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use rres_settings::ByteSize;
use serde_json::{Value, json};

use super::facts::Asset;
use super::input::Input;
use crate::owners::Owners;

/// The names that a line names.
const MOST_NAMES: usize = 5;

/// What belongs to one name.
#[derive(Clone, Copy, Default)]
struct Share {
    assets: usize,
    stored_size: u64,
    source_size: u64,
}

/// The names that each asset belongs to, such as its owners, and what belongs to each of them.
pub(super) struct Shares {
    /// The key in JSON of all names, of the names of an asset, and of one name.
    keys: (&'static str, &'static str, &'static str),
    /// The names of each asset, in the order of the assets.
    of_assets: Vec<Vec<String>>,
    /// The largest first; `None` for what belongs to no name.
    shares: Vec<(Option<String>, Share)>,
}

impl Shares {
    /// Returns the owners by the CODEOWNERS of the repository; `None` if the sources are not known, or are in no repository that has one.
    pub(super) fn of_owners(assets: &[Asset<'_>], input: &Input) -> Option<Self> {
        let owners = Owners::of_directory(input.sources.dir.as_deref()?)?;
        let of = |asset: &Asset<'_>| -> Vec<String> {
            let file = asset.source_path().map(|path| input.decisions.file_of(path));
            file.map(|file| owners.of(file)).unwrap_or_default().into_iter().map(str::to_owned).collect()
        };
        Some(Self::new(("owners", "owners", "owner"), assets, of))
    }

    /// Returns the licences; `None` if the licence of no source is known.
    pub(super) fn of_licenses(assets: &[Asset<'_>], licenses: &HashMap<String, String>) -> Option<Self> {
        if licenses.is_empty() {
            return None;
        }
        let of = |asset: &Asset<'_>| -> Vec<String> {
            let path = asset.source_path().unwrap_or_default();
            licenses.get(path).cloned().into_iter().collect()
        };
        Some(Self::new(("licenses", "licenses", "license"), assets, of))
    }

    fn new(
        keys: (&'static str, &'static str, &'static str),
        assets: &[Asset<'_>],
        names_of: impl Fn(&Asset<'_>) -> Vec<String>,
    ) -> Self {
        let mut shares: BTreeMap<Option<String>, Share> = BTreeMap::new();
        let mut of_assets = Vec::with_capacity(assets.len());
        for asset in assets {
            let names = names_of(asset);
            let owned = if names.is_empty() { vec![None] } else { names.iter().cloned().map(Some).collect() };
            for name in owned {
                let share = shares.entry(name).or_default();
                share.assets += 1;
                share.stored_size += asset.resource.stored_size;
                share.source_size += asset.source.map_or(0, |source| source.size);
            }
            of_assets.push(names);
        }
        let mut shares: Vec<_> = shares.into_iter().collect();
        shares.sort_by_key(|(_, share)| Reverse(share.stored_size));
        Self { keys, of_assets, shares }
    }

    /// Adds the names to the fields of a report. Its assets are in the order of those that these shares were made of.
    pub(super) fn add_to(&self, json: &mut Value) {
        let (all, of_asset, one) = self.keys;
        let share = |(name, share): &(Option<String>, Share)| {
            let Share { assets, stored_size, source_size } = share;
            json!({ one: name, "asset_count": assets, "stored_size": stored_size, "source_size": source_size })
        };
        json[all] = self.shares.iter().map(share).collect();
        for (asset, names) in json["assets"].as_array_mut().into_iter().flatten().zip(&self.of_assets) {
            asset[of_asset] = json!(names);
        }
    }

    /// A line for people.
    pub(super) fn line(&self, nobody: &str) -> String {
        let name = |(name, share): &(Option<String>, Share)| {
            format!("{} {}", name.as_deref().unwrap_or(nobody), ByteSize(share.stored_size))
        };
        let mut names: Vec<String> = self.shares.iter().take(MOST_NAMES).map(name).collect();
        if self.shares.len() > MOST_NAMES {
            names.push(format!("{} more", self.shares.len() - MOST_NAMES));
        }
        format!("by {}: {}", if self.keys.2 == "license" { "licence" } else { self.keys.2 }, names.join(", "))
    }
}

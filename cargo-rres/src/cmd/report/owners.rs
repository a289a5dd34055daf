//! What each owner of sources has in the packs, by the CODEOWNERS of the repository.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rres_settings::ByteSize;
use serde_json::{Value, json};

use super::facts::Asset;
use super::input::Input;
use crate::owners::Owners;

/// The owners that a line names.
const MOST_NAMES: usize = 5;

/// What one owner has.
#[derive(Clone, Copy, Default)]
struct Share {
    assets: usize,
    stored_size: u64,
    source_size: u64,
}

/// The owners of each asset, and what each of them has.
pub(super) struct OwnerShares {
    of_assets: Vec<Vec<String>>,
    /// The largest first; `None` for what nobody owns.
    shares: Vec<(Option<String>, Share)>,
}

impl OwnerShares {
    /// Returns `None` if the sources are not known, or are in no repository with a CODEOWNERS.
    pub(super) fn find(assets: &[Asset<'_>], input: &Input) -> Option<Self> {
        let owners = Owners::of_directory(input.sources.dir.as_deref()?)?;
        let mut shares: BTreeMap<Option<String>, Share> = BTreeMap::new();
        let mut of_assets = Vec::with_capacity(assets.len());
        for asset in assets {
            let file = asset.source_path().map(|path| input.decisions.file_of(path));
            let names: Vec<String> =
                file.map(|file| owners.of(file)).unwrap_or_default().into_iter().map(str::to_owned).collect();
            let owned = if names.is_empty() { vec![None] } else { names.iter().cloned().map(Some).collect() };
            for owner in owned {
                let share = shares.entry(owner).or_default();
                share.assets += 1;
                share.stored_size += asset.resource.stored_size;
                share.source_size += asset.source.map_or(0, |source| source.size);
            }
            of_assets.push(names);
        }
        let mut shares: Vec<_> = shares.into_iter().collect();
        shares.sort_by_key(|(_, share)| Reverse(share.stored_size));
        Some(Self { of_assets, shares })
    }

    /// Adds the owners to the fields of a report. Its assets are in the order of [`Self::find`].
    pub(super) fn add_to(of: Option<&Self>, json: &mut Value) {
        let Some(Self { of_assets, shares }) = of else { return json["owners"] = Value::Null };
        let share = |(owner, share): &(Option<String>, Share)| {
            let Share { assets, stored_size, source_size } = share;
            json!({ "owner": owner, "asset_count": assets, "stored_size": stored_size, "source_size": source_size })
        };
        json["owners"] = shares.iter().map(share).collect();
        for (asset, owners) in json["assets"].as_array_mut().into_iter().flatten().zip(of_assets) {
            asset["owners"] = json!(owners);
        }
    }

    /// A line for people.
    pub(super) fn line(&self) -> String {
        let name = |(owner, share): &(Option<String>, Share)| {
            format!("{} {}", owner.as_deref().unwrap_or("nobody"), ByteSize(share.stored_size))
        };
        let mut names: Vec<String> = self.shares.iter().take(MOST_NAMES).map(name).collect();
        if self.shares.len() > MOST_NAMES {
            names.push(format!("{} more", self.shares.len() - MOST_NAMES));
        }
        format!("by owner: {}", names.join(", "))
    }
}

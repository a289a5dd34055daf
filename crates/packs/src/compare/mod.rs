//! Two packs, or pack sets, against each other: which resources were added, removed, moved and changed, and how.

mod content;
mod side;

pub use content::Difference;
pub(crate) use content::{blocks, is_stored_alike};
pub use side::{Item, Side};

use std::collections::{HashMap, HashSet};

use content::{content_hash, difference, outline};
use rres_format::{Decompressor, ResourceId};

/// What happened to one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Only the new side has it.
    Added,
    /// Only the old side has it.
    Removed,
    /// The same contents under another path.
    Moved,
    /// Both sides have it, with other contents.
    Changed,
    /// Both sides have it, with the same contents.
    Same,
}

impl Change {
    /// Every change.
    pub const ALL: [Self; 5] = [Self::Added, Self::Removed, Self::Moved, Self::Changed, Self::Same];

    /// The name in output: `added`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Same => "same",
        }
    }
}

/// One resource on both sides.
#[derive(Debug)]
pub struct Row<'s, 'a> {
    /// The resource on the old side.
    pub old: Option<&'s Item<'a>>,
    /// The resource on the new side.
    pub new: Option<&'s Item<'a>>,
    /// What happened to it.
    pub change: Change,
    /// How the two sides differ.
    pub difference: Difference,
}

impl<'a> Row<'_, 'a> {
    /// Returns the item on the new side, or else on the old one.
    pub fn item(&self) -> &Item<'a> {
        self.new.or(self.old).expect("a row has a side")
    }
}

/// Compares two sides. The rows are ordered by path. Reports each new resource to `progress` before it is compared.
pub fn compare<'s, 'a>(old: &'s Side<'a>, new: &'s Side<'a>, mut progress: impl FnMut(&Item<'a>)) -> Vec<Row<'s, 'a>> {
    let by_name: HashMap<_, &Item<'_>> = old.items.iter().map(|item| (item.key(), item)).collect();
    let mut decompressor = Decompressor::default();
    let (mut rows, mut added, mut found) = (Vec::new(), Vec::new(), HashSet::new());
    for item in &new.items {
        progress(item);
        let Some(before) = by_name.get(&item.key()) else {
            added.push(item);
            continue;
        };
        found.insert(item.key());
        let difference = difference(before, item, &mut decompressor);
        let change = if difference.is_empty() { Change::Same } else { Change::Changed };
        rows.push(Row { old: Some(before), new: Some(item), change, difference });
    }
    let removed: Vec<&Item<'_>> = old.items.iter().filter(|item| !found.contains(&item.key())).collect();
    let mut moved = Moved::new(removed, &added, &mut decompressor);
    for item in added {
        match moved.take(item, &mut decompressor) {
            Some(before) => {
                let difference = difference(before, item, &mut decompressor);
                rows.push(Row { old: Some(before), new: Some(item), change: Change::Moved, difference });
            }
            None => {
                rows.push(Row { old: None, new: Some(item), change: Change::Added, difference: Difference::default() })
            }
        }
    }
    let rest = moved.rest();
    rows.extend(rest.map(|item| Row {
        old: Some(item),
        new: None,
        change: Change::Removed,
        difference: Difference::default(),
    }));
    rows.sort_by(|a, b| a.item().resource.path_order().cmp(&b.item().resource.path_order()));
    rows
}

/// The removed resources, to find those that were only moved.
pub(crate) struct Moved<'s, 'a> {
    removed: Vec<&'s Item<'a>>,
    is_taken: Vec<bool>,
    /// The numbers of the removed resources with certain contents, for those that an added one may have.
    by_content: HashMap<[u8; 32], Vec<usize>>,
}

impl<'s, 'a> Moved<'s, 'a> {
    pub(crate) fn new(removed: Vec<&'s Item<'a>>, added: &[&Item<'a>], decompressor: &mut Decompressor) -> Self {
        let wanted: HashSet<_> = added.iter().map(|item| outline(item)).collect();
        let mut by_content: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, item) in removed.iter().enumerate() {
            if wanted.contains(&outline(item)) {
                by_content.entry(content_hash(item, decompressor)).or_default().push(number);
            }
        }
        Self { is_taken: vec![false; removed.len()], removed, by_content }
    }

    /// Returns a removed resource with the same contents, once. One with the same file name is preferred.
    pub(crate) fn take(&mut self, item: &Item<'a>, decompressor: &mut Decompressor) -> Option<&'s Item<'a>> {
        if self.by_content.is_empty() {
            return None;
        }
        let numbers = self.by_content.get(&content_hash(item, decompressor))?;
        let mut free = numbers.iter().copied().filter(|number| !self.is_taken[*number]);
        let same_name = free.clone().find(|number| self.removed[*number].file_name() == item.file_name());
        let number = same_name.or_else(|| free.next())?;
        self.is_taken[number] = true;
        Some(self.removed[number])
    }

    /// Returns the resources that were not taken.
    fn rest(self) -> impl Iterator<Item = &'s Item<'a>> {
        self.removed.into_iter().zip(self.is_taken).filter(|(_, is_taken)| !is_taken).map(|(item, _)| item)
    }
}

/// What identifies a resource on both sides: its path, or else its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key<'i> {
    Path(&'i str),
    Id(ResourceId),
}

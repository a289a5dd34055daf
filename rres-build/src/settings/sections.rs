//! Groups and budgets, from `assets.toml` or from `build.rs`.

use super::pattern::{Pattern, split_path};
use crate::byte_size::ByteSize;
use crate::diagnostic::{Diagnostic, Place};

/// Assets that are loaded and dropped together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) include: Vec<(Pattern, Place)>,
}

/// The largest size in bytes that some assets may take in the pack.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// `None`: all of them.
    pub(super) pattern: Option<Pattern>,
    pub(super) bytes: u64,
    pub(super) place: Place,
}

impl Budget {
    /// An error if the assets `stored` (path, bytes in the pack) exceed the budget.
    pub(super) fn check<'p>(&self, stored: impl Iterator<Item = (&'p str, u64)>) -> Option<Diagnostic> {
        let counts = |path: &str| self.pattern.as_ref().is_none_or(|pattern| pattern.matches(&split_path(path)));
        let sum = stored.filter(|(path, _)| counts(path)).fold(0_u64, |sum, (_, bytes)| sum.saturating_add(bytes));
        if sum <= self.bytes {
            return None;
        }
        let name = self.pattern.as_ref().map_or("total", Pattern::as_str);
        let (size, limit) = (ByteSize(sum), ByteSize(self.bytes));
        let exact = if sum < 1000 { String::new() } else { format!(" ({sum} bytes)") };
        let message = format!("over budget: \"{name}\" takes {size}{exact}, expected at most {limit}");
        Some(Diagnostic::new(self.place.clone(), message))
    }
}

/// What is wrong with the name of a new group, given the existing groups: message and help.
pub(super) fn check_group(name: &str, groups: &[Group]) -> Result<(), (String, Option<String>)> {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-') {
        return Err((format!("bad group name \"{name}\", expected letters, digits, `_` and `-`"), None));
    }
    // Each group becomes a constant.
    let constant = |name: &str| name.replace('-', "_").to_ascii_uppercase();
    match groups.iter().find(|other| constant(&other.name) == constant(name)) {
        Some(Group { name: other, place, .. }) => {
            let constant = constant(name);
            let message =
                format!("duplicate group: `{name}` and `{other}` at {place} both become the constant {constant}");
            Err((message, Some("rename one of them".to_owned())))
        }
        None => Ok(()),
    }
}

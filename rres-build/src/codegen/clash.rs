//! Two assets or groups with the same Rust name, and what to do about it.

use core::fmt;

/// Two assets or groups that would have the same name in the generated module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameClash {
    pub(super) name: String,
    pub(super) first: Origin,
    second: Origin,
}

/// What a constant refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// The asset with this path.
    Asset(String),
    /// The group with this name.
    Group(String),
}

impl NameClash {
    pub(super) fn new(name: String, first: Origin, second: Origin) -> Self {
        Self { name, first, second }
    }

    /// The path of the second asset, or the name of the group.
    pub(crate) fn second(&self) -> &str {
        self.second.label()
    }

    /// The path of the second asset; `None` for a group.
    pub(crate) fn second_asset(&self) -> Option<&str> {
        match &self.second {
            Origin::Asset(path) => Some(path),
            Origin::Group(_) => None,
        }
    }
}

impl Origin {
    pub(super) fn label(&self) -> &str {
        match self {
            Self::Asset(label) | Self::Group(label) => label,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asset(path) => write!(f, "`{path}`"),
            Self::Group(name) => write!(f, "group `{name}`"),
        }
    }
}

impl fmt::Display for NameClash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, first, second } = self;
        if first == second {
            return write!(f, "{first} occurs twice, and both would be the constant `{name}`; remove one of them");
        }
        write!(f, "{first} and {second} would both be the constant `{name}`; rename one of them, ")?;
        match second {
            // No rule can rename a sub-asset: its module follows from the name of the file.
            Origin::Asset(path) => {
                let (file, inside) =
                    path.split_once('#').map_or((path.as_str(), None), |(file, in_it)| (file, Some(in_it)));
                let pattern = glob::Pattern::escape(file).replace('\\', "\\\\").replace('"', "\\\"");
                let same_file =
                    inside.is_some() && first.label().split_once('#').is_some_and(|(other, _)| other == file);
                if same_file {
                    return write!(f, "in the program that wrote `{file}`");
                }
                let last = match inside {
                    Some(_) => super::constant_name(file.rsplit('/').next().unwrap_or(file)),
                    None => name.rsplit("::").next().unwrap_or(name).to_owned(),
                };
                write!(f, "or give one another name in assets.toml: [\"{pattern}\"] rename = \"{last}_2\"")
            }
            Origin::Group(_) => write!(f, "the group in assets.toml"),
        }
    }
}

impl core::error::Error for NameClash {}

//! Two assets or groups with the same Rust name, and what to do about it.

use rres_protocol::sub_asset;

use core::fmt;

/// Two assets or groups that would get one name in the generated module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameClash {
    pub(crate) name: String,
    pub(crate) first: Origin,
    second: Origin,
    /// A name for the second asset that is free.
    pub(crate) free_name: String,
}

/// What a constant refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// The asset with this path.
    Asset(String),
    /// The group with this name.
    Group(String),
}

impl NameClash {
    pub(crate) fn new(name: String, first: Origin, second: Origin) -> Self {
        let free_name = String::new();
        Self { name, first, second, free_name }
    }

    /// The module and the name in it that clash.
    pub(crate) fn module_and_name(&self) -> (&str, &str) {
        self.name.rsplit_once("::").unwrap_or(("", &self.name))
    }

    /// The path of the first asset, or the name of the group.
    pub fn first(&self) -> &str {
        self.first.label()
    }

    /// Both assets, and the name that they would have.
    pub fn pair(&self) -> String {
        let Self { name, first, second, .. } = self;
        format!("{first} and {second} (`{name}`)")
    }

    /// The file whose constant, or whose module of sub-assets, a rule can rename, and the name; `None` if there is none.
    pub fn rename(&self) -> Option<(&str, String)> {
        let path = self.second_asset().filter(|_| self.first != self.second)?;
        match sub_asset::split(path) {
            None => Some((path, self.free_name.clone())),
            // A sub-asset has no rule of its own: its module follows from the name of the file.
            Some((file, _)) if sub_asset::split(self.first.label()).is_some_and(|(other, _)| other == file) => None,
            Some((file, _)) => Some((file, super::constant_name(file.rsplit('/').next().unwrap_or(file)) + "_2")),
        }
    }

    /// The path of the second asset, or the name of the group.
    pub fn second(&self) -> &str {
        self.second.label()
    }

    /// The path of the second asset; `None` for a group.
    pub fn second_asset(&self) -> Option<&str> {
        match &self.second {
            Origin::Asset(path) => Some(path),
            Origin::Group(_) => None,
        }
    }
}

impl Origin {
    pub(crate) fn label(&self) -> &str {
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
        let Self { name, first, second, .. } = self;
        if first == second {
            return write!(f, "{first} occurs twice, and both would be the constant `{name}`; remove one of them");
        }
        write!(f, "{first} and {second} would both be the constant `{name}`; rename one of them, ")?;
        match (self.rename(), second) {
            (Some((file, free_name)), _) => {
                let pattern = glob::Pattern::escape(file).replace('{', "[{]").replace('}', "[}]");
                let pattern = pattern.replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "or give one another name in assets.toml: [\"{pattern}\"] rename = \"{free_name}\"")
            }
            (None, Origin::Asset(path)) => {
                write!(f, "in the program that wrote `{}`", sub_asset::file(path))
            }
            (None, Origin::Group(_)) => write!(f, "the group in assets.toml"),
        }
    }
}

impl core::error::Error for NameClash {}

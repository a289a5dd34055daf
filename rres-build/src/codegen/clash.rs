//! Two sources with one Rust name: which, and what to do about it.

use core::fmt;

/// Two sources that would have the same name in the generated module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameClash {
    pub(super) name: String,
    pub(super) first: Source,
    second: Source,
}

/// What a constant stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// The asset with this path.
    Asset(String),
    /// The group with this name.
    Group(String),
}

impl NameClash {
    pub(super) fn new(name: String, first: Source, second: Source) -> Self {
        Self { name, first, second }
    }

    /// The path of the second source, or the name of the group.
    pub(crate) fn second(&self) -> &str {
        self.second.label()
    }
}

impl Source {
    pub(super) fn label(&self) -> &str {
        match self {
            Self::Asset(label) | Self::Group(label) => label,
        }
    }
}

impl fmt::Display for Source {
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
            return write!(f, "{first} is there twice, and both would be the constant `{name}`; remove one of them");
        }
        write!(f, "{first} and {second} would both be the constant `{name}`; rename one of them, ")?;
        match second {
            // What a file brings along has no rule of its own: its module follows the name of the file.
            Source::Asset(path) => {
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
            Source::Group(_) => write!(f, "the group in assets.toml"),
        }
    }
}

impl core::error::Error for NameClash {}

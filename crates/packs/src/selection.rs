//! Which resources of a pack are meant: those with certain paths, in certain folders, or matching globs.

use glob::{MatchOptions, Pattern};
use rres_format::{ResourceId, normalize_path};

use crate::error::Error;
use crate::pack_set::suggestion;
use crate::resource_list::{Resource, ResourceList};
use crate::text::escape_terminal;

/// Paths, folders, ids and globs. Empty for every resource.
#[derive(Debug)]
pub struct Selection(Vec<Term>);

/// One of them.
#[derive(Debug)]
struct Term {
    /// As the user wrote it.
    text: String,
    /// The text as an asset path, in the spelling of packs.
    path: Option<String>,
    id: Option<ResourceId>,
    glob: Option<Pattern>,
}

/// As in `assets.toml`: `*` stays within a folder.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

impl Selection {
    /// Parses arguments such as `ui/button.png`, `ui`, `0x1f0188ce` and `music/*.ogg`.
    pub fn parse(arguments: &[String]) -> Result<Self, Error> {
        arguments.iter().map(|text| Term::parse(text)).collect::<Result<_, _>>().map(Self)
    }

    /// Whether a resource is meant.
    pub fn contains(&self, resource: &Resource<'_>) -> bool {
        self.0.is_empty() || self.0.iter().any(|term| term.contains(resource))
    }

    /// Fails if an argument matches none of the resources: it is probably misspelt.
    pub fn check_used(&self, lists: &[ResourceList<'_>]) -> Result<(), Error> {
        let resources = || lists.iter().flat_map(|list| &list.resources);
        let unused = self.0.iter().find(|term| !resources().any(|resource| term.contains(resource)));
        let Some(Term { text, .. }) = unused else { return Ok(()) };
        let mut message = format!("no resource matches \"{}\"", escape_terminal(text));
        if let Some(path) = suggestion(lists, text) {
            message += &format!("; did you mean \"{}\"?", escape_terminal(path));
        }
        Err(Error::Unavailable(message))
    }
}

impl Term {
    fn parse(text: &str) -> Result<Self, Error> {
        let has_wildcards = text.contains(['*', '?', '[']);
        let glob = has_wildcards.then(|| Pattern::new(text.strip_prefix("./").unwrap_or(text))).transpose();
        let glob =
            glob.map_err(|e| Error::Unavailable(format!("invalid glob \"{}\": {}", escape_terminal(text), e.msg)))?;
        let id = text.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok()).map(ResourceId);
        Ok(Self { text: text.to_owned(), path: normalize_path(text.trim_end_matches(['/', '\\'])).ok(), id, glob })
    }

    fn contains(&self, resource: &Resource<'_>) -> bool {
        if self.id == Some(resource.id) {
            return true;
        }
        let Some(path) = resource.path.as_deref() else { return false };
        let is_in_folder = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        path == self.text
            || self.path.as_deref().is_some_and(|own| path == own || is_in_folder(own))
            || self.glob.as_ref().is_some_and(|glob| glob.matches_with(path, OPTIONS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(path: &str) -> Resource<'static> {
        Resource {
            id: ResourceId::from_path(path),
            path: Some(path.to_owned().into()),
            kind: None,
            number: 1,
            chunks: Vec::new(),
            same_as: None,
            slot: None,
            meta: None,
            stored_size: 0,
            decoded_size: 0,
            keyring: Default::default(),
        }
    }

    #[test]
    fn paths_folders_ids_and_globs_select_resources() {
        let id = ResourceId::from_path("ui/a.png").to_string();
        for (term, expected) in [
            ("ui/a.png", true),
            (r".\ui\a.png", true),
            ("ui", true),
            ("ui/", true),
            (&id, true),
            ("ui/*.png", true),
            ("**/*.png", true),
            ("./u?/[ab].png", true),
            ("u", false),
            ("*.png", false),
            ("UI", false),
            ("0x12", false),
        ] {
            let selection = Selection::parse(&[term.to_owned()]).unwrap();
            assert_eq!(selection.contains(&resource("ui/a.png")), expected, "{term}");
        }
        assert!(Selection::parse(&[]).unwrap().contains(&resource("a")));
        assert!(Selection::parse(&["[".to_owned()]).is_err());
    }
}

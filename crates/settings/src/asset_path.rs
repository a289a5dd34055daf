//! The paths of assets: relative to the assets directory, with `/` between folders.

use rres_format::ResourceId;

/// By what pack and game know a source: from its path, and from the rules for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// The path in the pack. It is the path of the source unless a rule sets another.
    pub path: String,
    /// The id, if a rule sets it or the path.
    pub id: Option<ResourceId>,
    /// The name of its constant that a rule sets.
    pub rename: Option<String>,
}

/// The name of the file at a path, without its folders.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The extension of a path as written, without dot; empty if there is none.
pub fn extension_of(path: &str) -> &str {
    file_name(path).rsplit_once('.').map_or("", |(stem, extension)| if stem.is_empty() { "" } else { extension })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_come_from_the_file_name() {
        for (path, extension) in [("a.b/c", ""), ("a/.hidden", ""), ("a/b.tar.gz", "gz"), ("x.PNG", "PNG")] {
            assert_eq!(extension_of(path), extension);
        }
    }
}

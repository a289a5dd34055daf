//! Directories as trees of digests: the inputs of a job, and what it has written.

use std::collections::{BTreeMap, HashMap};

use prost::Message as _;
use prost::bytes::Bytes;

use crate::digest::Digest;
use crate::messages::{Directory, DirectoryNode, FileNode, Tree};

/// The most directories and files of an output, and how deep they may be. A tree names a directory by its digest, so a small one can have any number of paths.
const MOST_NODES: usize = 200_000;
const MOST_DEPTH: usize = 64;

/// A directory of inputs that is being filled.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    // In the order that the protocol demands: by name, as bytes.
    files: BTreeMap<String, (Digest, bool)>,
    directories: BTreeMap<String, Inputs>,
}

impl Inputs {
    /// Adds a file. Two files of one path, or one below another, are an error.
    pub(crate) fn add_file(&mut self, path: &str, digest: Digest, is_executable: bool) -> Result<(), String> {
        let (parent, name) = path.rsplit_once('/').map_or((None, path), |(parent, name)| (Some(parent), name));
        check_name(path, name)?;
        let directory = match parent {
            Some(parent) => self.directory(parent)?,
            None => self,
        };
        if directory.directories.contains_key(name) {
            return Err(format!("the input {path:?} is both a file and a directory"));
        }
        match directory.files.insert(name.to_owned(), (digest, is_executable)) {
            Some(other) if other != (digest, is_executable) => Err(format!("there are two inputs {path:?}")),
            _ => Ok(()),
        }
    }

    /// Adds a directory, if it is not there yet.
    pub(crate) fn directory(&mut self, path: &str) -> Result<&mut Self, String> {
        path.split('/').try_fold(self, |directory, name| {
            check_name(path, name)?;
            if directory.files.contains_key(name) {
                return Err(format!("{name:?} in {path:?} is both a file and a directory"));
            }
            Ok(directory.directories.entry(name.to_owned()).or_default())
        })
    }

    /// Encodes it and the directories in it, and returns its digest.
    pub(crate) fn encode(&self, blobs: &mut Vec<(Digest, Bytes)>) -> Digest {
        let file = |(name, (digest, is_executable)): (&String, &(Digest, bool))| FileNode {
            name: name.clone(),
            digest: Some(digest.message()),
            is_executable: *is_executable,
        };
        let files = self.files.iter().map(file).collect();
        let node = |(name, of): (&String, &Self)| DirectoryNode {
            name: name.clone(),
            digest: Some(of.encode(blobs).message()),
        };
        let directories = self.directories.iter().map(node).collect();
        let bytes = Bytes::from(Directory { files, directories, symlinks: Vec::new() }.encode_to_vec());
        let digest = Digest::of(&bytes);
        blobs.push((digest, bytes));
        digest
    }
}

/// Whether a path stays in its directory, and means the same on all systems.
pub(crate) fn check_path(path: &str) -> Result<(), String> {
    path.split('/').try_for_each(|name| check_name(path, name))
}

fn check_name(path: &str, name: &str) -> Result<(), String> {
    // Longer than any file system has, in a directory of many files, it would fill the memory.
    if name.len() > 255 {
        return Err(format!("a name has {} bytes, expected at most 255", name.len()));
    }
    if matches!(name, "" | "." | "..") || name.contains(['/', '\\', '\0']) || (cfg!(windows) && name.contains(':')) {
        return Err(format!("the path {path:?} has a part {name:?}, expected names with `/` between them"));
    }
    Ok(())
}

/// The files of a message `Tree`, by their paths.
pub(crate) fn files(tree: Bytes) -> Result<Vec<(String, Digest)>, String> {
    let tree = Tree::decode(tree).map_err(|error| format!("the tree of outputs cannot be read: {error}"))?;
    let children = tree.children.into_iter().map(|bytes| (Digest::of(&bytes), bytes)).collect();
    let mut files = Vec::new();
    let mut nodes = 0;
    add_files(&children, tree.root, "", 0, &mut nodes, &mut files)?;
    Ok(files)
}

fn add_files(
    children: &HashMap<Digest, Bytes>,
    directory: Bytes,
    prefix: &str,
    depth: usize,
    nodes: &mut usize,
    files: &mut Vec<(String, Digest)>,
) -> Result<(), String> {
    let directory =
        Directory::decode(directory).map_err(|e| format!("the directory {prefix:?} cannot be read: {e}"))?;
    if let Some(link) = directory.symlinks.first() {
        return Err(format!("{prefix}{} is a symbolic link, expected files and directories", link.name));
    }
    *nodes += directory.files.len() + directory.directories.len();
    if *nodes > MOST_NODES || depth > MOST_DEPTH {
        return Err(format!("the outputs have more than {MOST_NODES} files, or directories deeper than {MOST_DEPTH}"));
    }
    for FileNode { name, digest, .. } in &directory.files {
        check_name(name, name)?;
        let digest = Digest::from_message(digest.as_ref());
        files.push((format!("{prefix}{name}"), digest.ok_or_else(|| format!("{prefix}{name} has no digest"))?));
    }
    for DirectoryNode { name, digest } in &directory.directories {
        check_name(name, name)?;
        let child = Digest::from_message(digest.as_ref()).and_then(|digest| children.get(&digest));
        let child = child.ok_or_else(|| format!("the tree of outputs lacks the directory {prefix}{name}"))?;
        add_files(children, child.clone(), &format!("{prefix}{name}/"), depth + 1, nodes, files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::SymlinkNode;

    fn encoded(of: &Directory) -> Bytes {
        of.encode_to_vec().into()
    }

    fn node(name: &str, of: &Bytes) -> DirectoryNode {
        DirectoryNode { name: name.to_owned(), digest: Some(Digest::of(of).message()) }
    }

    fn tree(root: &Directory, children: Vec<Bytes>) -> Bytes {
        Tree { root: encoded(root), children }.encode_to_vec().into()
    }

    #[test]
    fn inputs_are_in_the_order_of_the_protocol() {
        let mut inputs = Inputs::default();
        for path in ["b", "a.b", "a/z", "a/é", "a/b/c", "B"] {
            inputs.add_file(path, Digest::of(path.as_bytes()), path == "b").unwrap();
        }
        inputs.directory("out/empty").unwrap();
        let mut blobs = Vec::new();
        let root = inputs.encode(&mut blobs);
        assert_eq!(blobs.len(), 5, "the root, a, a/b, out, out/empty");
        let root = blobs.iter().find(|(digest, _)| *digest == root).unwrap();
        let root = Directory::decode(root.1.clone()).unwrap();
        assert_eq!(root.files.iter().map(|file| &*file.name).collect::<Vec<_>>(), ["B", "a.b", "b"]);
        assert_eq!(root.directories.iter().map(|of| &*of.name).collect::<Vec<_>>(), ["a", "out"]);
        assert_eq!(root.files.iter().map(|file| file.is_executable).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn inputs_without_a_place_are_refused() {
        let (one, two) = (Digest::of(b"1"), Digest::of(b"2"));
        for path in ["", "/a", "a/", "a//b", "../a", "a/./b", "a\\b"] {
            assert!(Inputs::default().add_file(path, one, false).is_err(), "{path}");
        }
        let mut inputs = Inputs::default();
        inputs.add_file("a/b", one, false).unwrap();
        inputs.add_file("a/b", one, false).unwrap();
        for (path, digest) in [("a/b", two), ("a", one), ("a/b/c", one)] {
            assert!(inputs.add_file(path, digest, false).is_err(), "{path}");
        }
    }

    #[test]
    fn outputs_are_found_by_the_bytes_of_directories() {
        let file = |name: &str| FileNode {
            name: name.to_owned(),
            digest: Some(Digest::of(b"x").message()),
            is_executable: false,
        };
        // A field that this crate does not know is part of what is hashed.
        let mut inner = Directory { files: vec![file("deep")], ..Directory::default() }.encode_to_vec();
        inner.extend([42, 0]);
        let inner = Bytes::from(inner);
        let root = Directory { files: vec![file("top")], directories: vec![node("d", &inner)], ..Directory::default() };
        let found = files(tree(&root, vec![inner])).unwrap();
        assert_eq!(found.iter().map(|(path, _)| &**path).collect::<Vec<_>>(), ["top", "d/deep"]);
    }

    #[test]
    fn no_flipped_bit_of_a_tree_is_a_panic() {
        let file = |name: &str| FileNode {
            name: name.to_owned(),
            digest: Some(Digest::of(b"x").message()),
            is_executable: true,
        };
        let inner = encoded(&Directory { files: vec![file("deep")], ..Directory::default() });
        let root = Directory { files: vec![file("top")], directories: vec![node("d", &inner)], ..Directory::default() };
        let whole = Vec::from(tree(&root, vec![inner]));
        for bit in 0..whole.len() * 8 {
            let mut bad = whole.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            // Not every flip is an error: a name may be another one.
            let _ = files(bad.into()).map(|files| files.iter().for_each(|(path, _)| check_path(path).unwrap()));
            let _ = files(Bytes::copy_from_slice(&whole[..bit / 8]));
        }
    }

    #[test]
    fn outputs_that_would_leave_their_directory_or_never_end_are_refused() {
        let fault = |tree: Bytes| files(tree).unwrap_err();
        let digest = Some(Digest::of(b"x").message());
        let with_file = |name: &str| Directory {
            files: vec![FileNode { name: name.to_owned(), digest: digest.clone(), is_executable: false }],
            ..Directory::default()
        };
        for name in ["..", "a/b", "", "..\\a"] {
            assert!(fault(tree(&with_file(name), Vec::new())).contains("expected names"), "{name}");
        }
        let link = SymlinkNode { name: "l".to_owned(), target: "/etc/passwd".to_owned() };
        assert!(
            fault(tree(&Directory { symlinks: vec![link], ..Directory::default() }, Vec::new()))
                .contains("symbolic link")
        );
        let absent = Directory { directories: vec![node("d", &Bytes::from_static(b"?"))], ..Directory::default() };
        assert!(fault(tree(&absent, Vec::new())).contains("lacks"));
        assert!(fault(Bytes::from_static(b"\xff\xff")).contains("cannot be read"));

        // Each directory has the one below twice: 2 to the power of 40 paths in 40 directories.
        let mut children = vec![encoded(&Directory::default())];
        for _ in 0..40 {
            let below = children.last().unwrap().clone();
            let of = Directory { directories: vec![node("a", &below), node("b", &below)], ..Directory::default() };
            children.push(encoded(&of));
        }
        let root = Directory::decode(children.pop().unwrap()).unwrap();
        assert!(fault(tree(&root, children)).contains("more than"));
    }
}

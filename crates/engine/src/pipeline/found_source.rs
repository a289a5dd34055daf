//! The sources of all directories: of the game, and of the libraries whose assets it adds.

use std::sync::Arc;

use rres_import::Note;

use super::discover::{Found, ListedFiles, discover};
use crate::context::BuildContext;
use crate::model::SourceFile;
use crate::source_dir::SourceDir;

/// A source before its settings are known.
#[derive(Clone)]
pub(super) struct FoundSource {
    pub(super) source: SourceFile,
    /// The directory that it is in.
    pub(super) dir: Arc<SourceDir>,
    pub(super) listed: Arc<ListedFiles>,
    /// Whether the asset is one of a library, whose module has the constant.
    pub(super) is_of_library: bool,
}

/// Whether the assets of a library are missing, and it does without them.
pub(crate) fn is_left_out(dir: &SourceDir) -> bool {
    dir.may_be_missing && !dir.dir.exists()
}

/// Finds the sources of all directories, sorted by path.
pub(super) fn discover_all(context: &BuildContext) -> Found<FoundSource> {
    let mut all = Found::default();
    for dir in context.dirs().filter(|dir| !is_left_out(dir)) {
        let Found { sources, diagnostics } = discover(&dir.dir);
        let listed = Arc::default();
        all.sources.extend(sources.into_iter().map(|source| {
            let path = if dir.folder.is_empty() { source.path } else { dir.path(&source.path) };
            let source = SourceFile { path, ..source };
            let (dir, is_of_library) = (Arc::clone(dir), !Arc::ptr_eq(dir, &context.own_dir));
            FoundSource { source, dir, listed: Arc::clone(&listed), is_of_library }
        }));
        all.diagnostics.extend(diagnostics.into_iter().map(|diagnostic| diagnostic.with_paths(|path| dir.path(path))));
    }
    // Stable: the own directory comes first.
    all.sources.sort_by(|a, b| a.source.path.cmp(&b.source.path));
    all
}

/// Of two sources with one path, the first one is of the own directory, and replaces the file of a library. Returns the sources that are left,
/// and the notes.
pub(super) fn with_replaced(sources: Vec<FoundSource>) -> (Vec<FoundSource>, Vec<(String, Note)>) {
    let (mut left, mut notes) = (Vec::with_capacity(sources.len()), Vec::new());
    let mut sources = sources.into_iter().peekable();
    while let Some(mut found) = sources.next() {
        if let Some(replaced) = sources.next_if(|next| next.source.path == found.source.path) {
            let note = Note::new("replaces the file of a library").with_detail(&replaced.dir.folder);
            notes.push((replaced.source.path, note));
            found.is_of_library = true;
        }
        left.push(found);
    }
    (left, notes)
}

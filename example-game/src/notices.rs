//! What happened to assets while the game ran, as lines to be shown in debug builds: news for a while, mistakes until their
//! file is mended.

use rres_runtime::{Event, Events, Store};

use crate::error::Error;

/// Seconds that news are shown.
const SHOWN_FOR: f32 = 6.0;
/// Lines shown at most; the oldest go first.
const MOST: usize = 6;

/// The lines.
#[derive(Debug)]
pub(crate) struct Notices {
    events: Option<Events>,
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    /// The asset or file that it is about.
    about: String,
    text: String,
    /// Seconds that are left; `None` for a mistake, which stays until there is news of its file.
    left: Option<f32>,
}

impl Notices {
    /// Listens to a store, in debug builds; else says nothing.
    pub(crate) fn of(store: &Store) -> Self {
        Self { events: cfg!(debug_assertions).then(|| store.events()), lines: Vec::new() }
    }

    /// Takes in what has happened, and what could not be made of changed assets. `seconds` have passed since the last call.
    pub(crate) fn follow(&mut self, seconds: f32, errors: Vec<Error>) {
        self.lines.iter_mut().filter_map(|line| line.left.as_mut()).for_each(|left| *left -= seconds);
        self.lines.retain(|line| line.left.is_none_or(|left| left > 0.0));
        let Some(events) = self.events.as_mut() else { return };
        for event in events {
            let text = event.to_string();
            match event {
                Event::Changed(handle) => {
                    let kind = handle.type_name().to_lowercase();
                    let text = format!("{} is new: {kind}, version {}", handle.path(), handle.version());
                    add(&mut self.lines, handle.path(), text, Some(SHOWN_FOR));
                }
                Event::Failed { path, error } => {
                    add(&mut self.lines, &path, format!("{error}. The last good one stays"), None);
                }
                Event::BadSource { place, message } => {
                    let file = place.split(':').next().unwrap_or_default();
                    add(&mut self.lines, file, format!("{place}: {message}. The last good one stays"), None);
                }
                Event::Reloaded { .. } => add(&mut self.lines, "reload", text, Some(SHOWN_FOR)),
                Event::Added { path } | Event::Removed { path } | Event::Restored { path } => {
                    add(&mut self.lines, &path, text, Some(SHOWN_FOR));
                }
                _ => add(&mut self.lines, "", text, Some(SHOWN_FOR)),
            }
        }
        for error in errors {
            let about = if let Error::Content { path, .. } = &error { path.clone() } else { String::new() };
            add(&mut self.lines, &about, format!("{error}. The last good one stays"), None);
        }
    }

    /// The lines to be shown, oldest first.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.text.as_str())
    }
}

/// Adds a line, in place of what was said of the same asset before.
fn add(lines: &mut Vec<Line>, about: &str, text: String, left: Option<f32>) {
    lines.retain(|line| line.about != about || about.is_empty());
    lines.push(Line { about: about.to_owned(), text, left });
    let excess = lines.len().saturating_sub(MOST);
    lines.drain(..excess);
}

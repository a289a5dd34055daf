//! Shows the developer what happens to assets while the game runs: changes for a while, errors until their file is
//! fixed.

use rres_runtime::{Event, Events, Store};

use crate::live::Errors;

/// How long a change is shown, in seconds.
const SHOWN_FOR: f32 = 6.0;
/// The largest number of lines. The oldest ones are dropped first.
const MOST: usize = 6;

/// The lines to show, the oldest first.
pub(crate) struct Notices {
    /// Debug builds only.
    events: Option<Events>,
    errors: Errors,
    pub(crate) lines: Vec<Notice>,
}

#[derive(Debug)]
pub(crate) struct Notice {
    /// The asset or file that it is about.
    about: String,
    pub(crate) text: String,
    pub(crate) is_error: bool,
    age: f32,
}

impl Notices {
    /// Listens to a store, and to the things that the game makes from its assets.
    pub(crate) fn new(store: &Store, errors: &Errors) -> Self {
        let events = cfg!(debug_assertions).then(|| store.events());
        Self { events, errors: errors.clone(), lines: Vec::new() }
    }

    /// Collects what happened during a frame that took `seconds`.
    pub(crate) fn follow(&mut self, seconds: f32) {
        self.lines.iter_mut().for_each(|line| line.age += seconds);
        self.lines.retain(|line| line.is_error || line.age < SHOWN_FOR);
        for event in self.events.iter_mut().flat_map(|events| events.try_iter()) {
            let text = event.to_string();
            match event {
                Event::Changed(handle) => {
                    let kind = handle.type_name().to_lowercase();
                    let text = format!("{} has changed: {kind}, version {}", handle.path(), handle.version());
                    add(&mut self.lines, handle.path(), text, false);
                }
                Event::ReloadFailed { path, .. } => add(&mut self.lines, &path, text, true),
                Event::ImportFailed { place, .. } => {
                    add(&mut self.lines, file_of(&place), text, true);
                }
                Event::Mended { place } => add(&mut self.lines, file_of(&place), text, false),
                Event::Removed { path } => {
                    let own = format!("/{path}");
                    self.lines.retain(|line| !line.about.ends_with(&own));
                    add(&mut self.lines, &path, text, false);
                }
                Event::Added { path } | Event::Restored { path } => add(&mut self.lines, &path, text, false),
                _ => add(&mut self.lines, "reload", text, false),
            }
        }
        for (path, error) in self.errors.take() {
            add(&mut self.lines, &path, format!("{path}: {error:#}; keeping the previous version"), true);
        }
    }
}

/// The file that a place names, without line and column.
fn file_of(place: &str) -> &str {
    place.split(':').next().unwrap_or_default()
}

/// Adds a line in place of an earlier one about the same asset.
fn add(lines: &mut Vec<Notice>, about: &str, text: String, is_error: bool) {
    lines.retain(|line| line.about != about);
    lines.push(Notice { about: about.to_owned(), text, is_error, age: 0.0 });
    lines.drain(..lines.len().saturating_sub(MOST));
}

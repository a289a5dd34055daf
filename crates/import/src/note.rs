//! Notes: what a user should know about an asset that is not broken, such as that only the first frame of an animation is
//! stored.
//!
//! An importer attaches notes to its resources. They are stored in the blob, so a build from the cache says the same. The
//! build prints one line for each topic, and none for files whose rule says `notes = false`.

/// One thing to know about one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What is the case, without a full stop: "only the first frame is stored". Notes with the same topic share a line.
    pub topic: String,
    /// What differs from file to file: "12 frames". Empty if nothing does.
    pub detail: String,
    /// What to do if it is not wanted. Empty if there is nothing to do.
    pub help: String,
}

impl Note {
    /// Creates a note without details and help.
    pub fn new(topic: impl Into<String>) -> Self {
        Self { topic: topic.into(), detail: String::new(), help: String::new() }
    }

    /// Adds what differs from file to file.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Adds what to do if it is not wanted.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

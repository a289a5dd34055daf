//! Why a container cannot be read.

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The end of the file is missing.
    Cut,
    /// The end of the sentence that says what is wrong.
    Damaged(String),
}

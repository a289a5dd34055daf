//! Why a container cannot be read.

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The end of the file is missing.
    Cut,
    /// The end of the sentence that says what is wrong.
    Damaged(String),
}

/// The message of symphonia, without its constant prefix.
pub(super) fn plain(error: &symphonia::core::errors::Error) -> String {
    let text = error.to_string();
    text.trim_start_matches("malformed stream: ").trim_end_matches('.').to_owned()
}

//! What a follower tells.

use std::fmt;

/// What has happened. Print it for the person who edits the assets.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// The server has accepted the game.
    Following,
    /// What was edited is mounted, and all handles have its values. Number of the assets that differ from those of the game's own packs.
    Mounted(usize),
    /// What the server has sent cannot be mounted. What was mounted before stays.
    Refused(rres_runtime::Error),
    /// The sources have a fault, as the server has printed it. What was mounted before stays.
    Fault(String),
    /// The game does not follow the server, and why. It tries again, and tells the same reason only once.
    Lost(String),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Following => f.write_str("reload: following the server"),
            Self::Mounted(0) => f.write_str("reload: no asset differs from the game's pack any more"),
            Self::Mounted(1) => f.write_str("reload: 1 asset differs from the game's pack"),
            Self::Mounted(count) => write!(f, "reload: {count} assets differ from the game's pack"),
            Self::Refused(error) => write!(f, "reload: what the server sent cannot be used: {error}"),
            Self::Fault(text) => write!(f, "reload: the sources have a fault:\n{text}"),
            Self::Lost(why) => write!(f, "reload: not following: {why}"),
        }
    }
}

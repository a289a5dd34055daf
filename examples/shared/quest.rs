//! A type of data that the build script checks files against and that an example loads: both contain this file.

use serde::{Deserialize, Serialize};

// The build script has them from `rres_build::data`, and the game from `rres_runtime`.
use super::{Id, Image};

/// One file in `quests`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quest {
    pub(crate) title: String,
    pub(crate) reward: u32,
    /// In the file it is a path, `"coin.png"`, which the build checks.
    pub(crate) picture: Id<Image>,
    #[serde(default)]
    pub(crate) steps: Vec<Step>,
}

/// What a player has to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Step {
    Find(String),
    Visit { place: String, hour: u8 },
    Rest,
}

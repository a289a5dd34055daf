//! Sources, files and caches that were made to do harm: a build ends soon, in little memory, with the right result or an error
//! that names the file. `docs/security.md` lists what is covered here.

#[cfg(feature = "image")]
mod aseprite;
mod bombs;
#[cfg(unix)]
mod cache;
#[cfg(unix)]
mod changing;
mod child;
#[cfg(unix)]
mod disk;
#[cfg(feature = "font")]
mod fonts;
#[cfg(feature = "image")]
mod images;
#[cfg(feature = "model")]
mod models;
#[cfg(unix)]
mod names;
#[cfg(feature = "sound")]
mod sounds;

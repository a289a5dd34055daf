//! The subcommands: the arguments of each, and the function that runs it.

pub(crate) mod build;
pub(crate) mod build_script;
pub(crate) mod cache;
pub(crate) mod cat;
pub(crate) mod completions;
pub(crate) mod exe;
pub(crate) mod extract;
pub(crate) mod info;
pub(crate) mod init;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod ship;
pub(crate) mod sync;
pub(crate) mod unused;
pub(crate) mod verify;

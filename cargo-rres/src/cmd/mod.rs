//! The subcommands: the arguments of each, and the function that runs it.

pub(crate) mod build;
pub(crate) mod build_script;
pub(crate) mod cache;
pub(crate) mod cat;
pub(crate) mod completions;
pub(crate) mod deps;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod header;
pub(crate) mod import;
pub(crate) mod info;
pub(crate) mod init;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod pack;
pub(crate) mod patch;
pub(crate) mod report;
pub(crate) mod sync;
pub(crate) mod unused;
pub(crate) mod verify;
pub(crate) mod view;
pub(crate) mod watch;

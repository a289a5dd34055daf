//! The exit codes of `cargo rres build-script`.

/// What the command did for a build script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ScriptExit {
    /// It has built the assets, or there was nothing to do.
    Done = 0,
    /// It has reported faults to Cargo.
    Failed = 1,
    /// It has served a running game. 2 is an error of the command line.
    Served = 3,
}

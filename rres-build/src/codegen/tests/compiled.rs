//! The generated text as rustc sees it: the expected file is compiled into this test and used; other texts go through
//! rustc for its lints.

use std::fs;
use std::process::Command;

use super::*;

mod rt {
    #![allow(unreachable_pub, missing_docs, missing_debug_implementations)]
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/runtime.rs"));
}

mod assets {
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/assets.rs"));
}

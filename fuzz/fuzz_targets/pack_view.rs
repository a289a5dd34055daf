//! Any bytes as a pack: everything that a view offers is walked.
#![no_main]

#[path = "../../rres-format/tests/it/probe.rs"]
#[allow(dead_code, reason = "shared with the tests, which use all of it")]
mod probe;

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use rres_format::Decompressor;

thread_local!(static DECOMPRESSOR: RefCell<Decompressor> = RefCell::default());

fuzz_target!(|bytes: &[u8]| DECOMPRESSOR.with_borrow_mut(|decompressor| probe::pack(bytes, decompressor)));

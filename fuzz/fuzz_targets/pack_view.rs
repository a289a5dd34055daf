//! Parses any bytes as a pack and calls everything that it offers.
#![no_main]

#[path = "../../rres-format/tests/it/probe.rs"]
#[allow(dead_code, reason = "shared with the tests, which use everything")]
mod probe;

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use rres_format::Decompressor;

thread_local!(static DECOMPRESSOR: RefCell<Decompressor> = RefCell::default());

fuzz_target!(|bytes: &[u8]| DECOMPRESSOR.with_borrow_mut(|decompressor| probe::pack(bytes, decompressor)));

//! Reads any bytes as each file that a build reads besides sources: settings, a lock file, records of the cache.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_engine::fuzz;

fuzz_target!(|bytes: &[u8]| {
    fuzz::records(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        fuzz::settings(text);
        fuzz::lock_file(text);
    }
});

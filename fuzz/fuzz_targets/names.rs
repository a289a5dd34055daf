//! Any names of files, one a line, as assets: the generated module is Rust.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|names: &str| {
    if let Some(module) = rres_engine::fuzz::module(names.lines().take(50)) {
        if let Err(error) = syn::parse_file(&module) {
            panic!("{error}: {module}");
        }
    }
});

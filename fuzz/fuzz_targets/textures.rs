//! Imports any bytes as a KTX of either version or as a `.dds`, and checks that readers accept the image.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let extension = if bytes.starts_with(b"DDS ") { "dds" } else { "ktx2" };
    let _ = rres_import_image::fuzz_image(bytes, extension);
});

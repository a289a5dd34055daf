//! Imports any bytes as a KTX of either version, as a `.dds` or as a `.cube`, and checks that readers accept the image.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let extension = match bytes {
        [b'D', b'D', b'S', ..] => "dds",
        [0xab, ..] => "ktx2",
        _ => "cube",
    };
    let _ = rres_import_image::fuzz_image(bytes, extension);
});

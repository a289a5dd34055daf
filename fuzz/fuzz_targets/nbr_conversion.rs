//! Converts any bytes as an NBR file to assets, with the header of each type. Panics of the conversion count, as no decoder has a part in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_engine::fuzz;
use rres_import_nbr::{HEADER_LEN, MARK, ResourceType};

fuzz_target!(|bytes: &[u8]| {
    if bytes.len() < HEADER_LEN {
        return;
    }
    // The bytes choose the version, 0.8, 0.6 or 0.5, and the type.
    let minor = [8, 6, 5][usize::from(bytes[3]) % 3];
    let of = ResourceType::ALL[usize::from(bytes[5]) % ResourceType::ALL.len()];
    let number = of.number() as u8;
    let shift = u8::from(minor == 5 && number > 9);
    let header = [MARK, 0, 0, minor, 0, number - shift, 0];
    let _ = fuzz::import_nbr(&rres_build::importers(), &[&header, &bytes[HEADER_LEN..]].concat());
});

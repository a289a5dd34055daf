//! Reads any bytes as an NBR file, with the header that they have and with the header of each type. What is read takes no more memory than four
//! times the file, and what is written of it reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_import_nbr::{HEADER_LEN, MARK, ResourceType, read, write};

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    if bytes.len() < HEADER_LEN {
        return;
    }
    // Random headers are rarely right. The bytes choose the version: 0.8, 0.6 or 0.5.
    let minor = [8, 6, 5][usize::from(bytes[3]) % 3];
    for of in ResourceType::ALL {
        let number = of.number() as u8;
        let shift = u8::from(minor == 5 && number > 9);
        let header = [MARK, 0, 0, minor, 0, number - shift, 0];
        check(&[&header, &bytes[HEADER_LEN..]].concat());
    }
});

fn check(bytes: &[u8]) {
    let Ok(file) = read(bytes) else { return };
    assert!(file.resource.heap_size() <= 4 * bytes.len());
    assert!(file.warnings.len() < 10);
    // A mesh without a material can be written only if the model has no materials.
    let Ok(written) = write::to_vec(&file.resource) else { return };
    let again = read(&written).expect("it was just written");
    // Written again and not compared, as NaN is not equal to itself.
    assert_eq!(write::to_vec(&again.resource).as_ref(), Ok(&written));
}

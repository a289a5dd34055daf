//! Reads any bytes as the manifest of a mod, as a licence, and as the details of a fingerprint, which strangers send.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_licenses::License;
use rres_mods::Manifest;
use rres_runtime::fingerprint::{Fingerprint, FingerprintDetails};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(details) = FingerprintDetails::from_bytes(bytes) {
        assert_eq!(FingerprintDetails::from_bytes(&details.to_bytes()), Ok(details.clone()));
        assert!(details.difference(&details).is_empty());
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = text.parse::<Fingerprint>();
    if let Err(error) = Manifest::parse(text) {
        assert!(!error.to_string().is_empty());
    }
    match License::parse(text) {
        Ok(license) => {
            let again = License::parse(license.as_str()).expect("an expression should be read again");
            assert_eq!(again.names(), license.names());
            assert!(license.is_met_by(&license.names()));
            license.restricted();
        }
        Err(error) => assert!(!error.help().is_empty()),
    }
});

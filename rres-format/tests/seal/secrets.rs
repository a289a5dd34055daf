//! Secrets are checked, and do not show.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rres_format::Error;
use rres_format::seal::{Keys, Secret};

#[test]
fn debug_output_does_not_show_secrets() {
    let password = Secret::password("hunter2-hunter2").unwrap();
    let raw = Secret::raw_key([0xab; 32]);
    assert_eq!(format!("{password:?} {raw:?}"), "Secret(password) Secret(raw key)");
    assert_eq!(format!("{:?}", Keys::new(password)), "Keys { derivations: 0, .. }");
}

#[test]
fn a_secret_is_asked_for_when_it_is_needed() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let keys = Keys::ask(move || {
        count.fetch_add(1, Relaxed);
        Secret::raw_key([1; 32])
    });
    let _ = format!("{keys:?}");
    assert_eq!(asked.load(Relaxed), 0);
    assert!(!keys.secret().is_password() && !keys.clone().secret().is_password());
    assert_eq!(asked.load(Relaxed), 1);
}

#[test]
fn text_is_a_password_or_a_raw_key() {
    let is_password = |text: &str| Secret::from_text(text).map(|secret| secret.is_password());
    assert_eq!(is_password("a b "), Ok(true));
    assert_eq!(is_password(&format!("hex:{}\r\n", "0F".repeat(32))), Ok(false));
    for (text, why) in [
        ("", "the password is empty"),
        ("\n", "the password is empty"),
        ("a\0b", "NUL"),
        ("hex:", "64 hexadecimal digits"),
        (&format!("hex:{}", "g0".repeat(32)), "64 hexadecimal digits"),
        (&format!("hex:{}", "00".repeat(33)), "64 hexadecimal digits"),
    ] {
        let error = Secret::from_text(text).unwrap_err();
        assert!(matches!(error, Error::BadSecret(_)) && error.to_string().contains(why), "{text:?}: {error}");
        assert!(!error.to_string().contains("g0"), "messages do not repeat secrets");
    }
}

#[test]
fn only_passwords_of_16_bytes_open_everywhere() {
    let opens = |password: &str| Secret::password(password).unwrap().opens_everywhere();
    assert!(opens("sixteen letters!") && !opens("fifteen letters") && !opens("seventeen letters"));
    assert!(!Secret::raw_key([1; 32]).opens_everywhere());
}

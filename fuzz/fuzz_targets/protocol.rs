//! Reads any text as lines of the reload protocol and as a script manifest. What is understood is the same after it is written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_protocol::serve::{Message, Request, ScriptManifest};

fuzz_target!(|text: &str| {
    for line in text.lines() {
        let _ = Request::parse(line);
        if let Some(message) = Message::parse(line) {
            let written = message.to_string();
            assert!(!written.contains(['\n', '\r']));
            assert_eq!(Message::parse(&written), Some(message));
        }
    }
    if let Some(manifest) = ScriptManifest::parse(text) {
        assert_eq!(ScriptManifest::parse(&manifest.to_string()), Some(manifest));
    }
});

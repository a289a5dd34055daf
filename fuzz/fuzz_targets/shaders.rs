//! Imports any text as a shader that is preprocessed or validated, in WGSL and GLSL, of one stage or several in one file, with another file that
//! it can include.
#![no_main]

#[path = "../panics.rs"]
mod panics;

use std::panic;

use libfuzzer_sys::fuzz_target;
use rres_engine::fuzz;
use rres_format::AssetKind;

const PREPROCESS: &str = "[\"*\"]\ntext = { shader = \"preprocess\" }\n";
const VALIDATE: &str = "[\"*\"]\ntext = { shader = \"validate\" }\n";
const CASES: &[(&str, &str)] = &[
    ("a.wgsl", VALIDATE),
    ("a.wgsl", PREPROCESS),
    ("a.vert", VALIDATE),
    ("a.frag", VALIDATE),
    ("a.comp", VALIDATE),
    ("a.glsl", VALIDATE),
    ("a.glsl", PREPROCESS),
    ("a.hlsl", PREPROCESS),
];
const BESIDE: &[(&str, &[u8])] = &[
    ("b.glsl", b"#include \"c.glsl\"\nfloat half_of(float v) { return v / 2.0; }\n"),
    ("c.glsl", b"#define C 1\n"),
    ("b.wgsl", b"fn half_of(v: f32) -> f32 { return v / 2.0; }\n"),
];

fuzz_target!(|bytes: &[u8]| {
    panics::ignore_those_of_others();
    let Some((choice, text)) = bytes.split_first() else { return };
    let (path, rules) = CASES[usize::from(*choice) % CASES.len()];
    let _ =
        panic::catch_unwind(|| fuzz::import_with(&rres_build::importers(), AssetKind::Text, path, rules, BESIDE, text));
});

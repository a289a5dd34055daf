//! Parses any bytes as the block of a front index, and as the block of every kind of chunk.
#![no_main]

#[path = "../../rres-format/tests/it/probe.rs"]
#[allow(dead_code, reason = "shared with the tests, which use everything")]
mod probe;

use libfuzzer_sys::fuzz_target;
use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::index::IndexView;

const KINDS: [FourCc; 17] = [
    FourCc::RAWD,
    FourCc::TEXT,
    FourCc::IMGE,
    FourCc::WAVE,
    FourCc::VRTX,
    FourCc::FNTG,
    FourCc::LINK,
    FourCc::CDIR,
    FourCc::MODL,
    FourCc::SCNE,
    FourCc::COLL,
    FourCc::MARK,
    FourCc::SEEK,
    FourCc::FRMS,
    FourCc::SPRT,
    FourCc::SHDR,
    FourCc::KERN,
];

fuzz_target!(|bytes: &[u8]| {
    if let Ok(index) = IndexView::parse(bytes) {
        probe::index(&index);
    }
    if let Ok(payload) = PayloadView::parse(bytes) {
        KINDS.into_iter().for_each(|kind| probe::payload(kind, payload));
    }
});

//! Parses any bytes as what a patch says about itself, and writes it again; applies deltas that are right, changed, or any bytes.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use rres_format::chunk::{PayloadView, block};
use rres_format::delta::{DeltaSpec, DeltaTarget};
use rres_format::patch::{PatchSpec, PatchView};
use rres_format::{
    Compression, Compressor, Decompressor, FourCc, PackBuilder, PackView, Resource, ResourceId, StoredChunk,
};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    patch: &'a [u8],
    counts: [u8; 3],
    base: &'a [u8],
    new: &'a [u8],
    any_delta: &'a [u8],
    changed: Vec<(u16, u8)>,
}

fuzz_target!(|input: Input<'_>| {
    // The layout version is right, so that the rest is reached.
    let [base, targets, removed] = input.counts.map(u32::from);
    parse_patch(&block(&[1, base, targets, removed], input.patch));
    parse_patch(input.patch);

    let spec = DeltaSpec {
        base: ResourceId(1),
        base_chunk: 0,
        base_block: input.base,
        target: DeltaTarget { compression: Compression::NONE, level: 0, packed_size: 0, packed_crc: 0 },
    };
    let new = block(&[0; 4], input.new);
    let delta = spec.encode(&new, 1).unwrap();
    assert!(apply(&new, delta.clone(), input.base).unwrap() == new, "a delta does not give its block");
    if !input.changed.is_empty() {
        let mut changed = delta;
        let len = changed.len();
        input.changed.iter().for_each(|(at, by)| changed[usize::from(*at) % len] ^= by);
        let result = apply(&new, changed, input.base);
        assert!(result.is_none_or(|result| result.len() == new.len()), "a block of another size");
    }
    apply(&new, input.any_delta.to_vec(), input.base);
});

/// What is read gives the same again when it is written.
fn parse_patch(bytes: &[u8]) {
    let Some(written) = rewrite(bytes) else { return };
    assert!(rewrite(&written).unwrap() == written, "what was written does not read back");
}

/// Returns what is read from the block of a patch, written again; `None` if it is refused.
fn rewrite(bytes: &[u8]) -> Option<Vec<u8>> {
    let view = PatchView::parse(PayloadView::parse(bytes).ok()?).ok()?;
    let (targets, groups) = (view.target_packs().ok()?, view.groups().ok()?);
    assert!(view.targets().eq(targets.iter().map(|target| target.identity)));
    let (base, removed) = (view.base().collect(), view.removed().collect());
    Some(PatchSpec { base, targets, removed, groups, can_rebuild: view.can_rebuild() }.block())
}

/// Returns the block that a chunk with `block` gives if it is stored as `delta`; `None` if it is refused.
fn apply(block: &[u8], delta: Vec<u8>, base: &[u8]) -> Option<Vec<u8>> {
    let pack = |chunk| {
        let mut builder = PackBuilder::new();
        builder.push(Resource::new("a", vec![chunk]));
        builder.to_vec().unwrap()
    };
    let compressor = &mut Compressor::with_level(1);
    let whole = pack(StoredChunk::encode(FourCc::RAWD, block, Compression::NONE, compressor).unwrap());
    let patch = pack(StoredChunk::delta(first_chunk(&whole), delta).unwrap());
    let delta = first_chunk(&patch).delta().ok()??;
    delta.apply(base, &mut Decompressor::default()).ok()
}

fn first_chunk(pack: &[u8]) -> rres_format::ChunkView<'_> {
    PackView::parse(pack).unwrap().find(ResourceId::from_path("a")).unwrap().unwrap()
}

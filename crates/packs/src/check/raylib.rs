//! `--compat raylib`: what `rres.h` and `rres-raylib.h` would not load, by the table in [`rres_compat`].

use rres_compat::{Reason, ResourceBlock, Unreadable, check_block, check_deflate, check_header, check_pack};
use rres_compat::{check_qoi, check_resource};
use rres_format::{ChunkView, Cipher, Compression, Decompressor, Limits};

use crate::finding::Findings;
use crate::keyring::Keyring;
use crate::opened_pack::OpenedPack;
use crate::resource_list::{Resource, ResourceList};

/// Checks the file, its directory, and all chunks that a C program can ask for.
pub(super) fn check(pack: &OpenedPack, findings: &mut Findings<'_>) {
    if pack.is_dev_index() {
        return;
    }
    check_pack(pack.view()).iter().for_each(|found| findings.add_unreadable(found));
    let list = ResourceList::new(pack);
    for resource in &list.resources {
        if let Some(owner) = &resource.same_as {
            let found = Unreadable { reason: Reason::SharedChunks, found: format!("has the chunks of {owner}") };
            findings.add_unreadable_resource(&found, resource.id);
            continue;
        }
        check_chunks(resource, findings);
    }
    if pack.keyring().is_raw_key() {
        let encrypted = list.resources.iter().filter(|resource| !resource.ciphers().is_empty()).count();
        if encrypted > 0 {
            let found = format!("{encrypted} assets are encrypted with a key of 32 bytes");
            findings.add_unreadable(&Unreadable { reason: Reason::RawKey, found });
        }
    }
}

fn check_chunks(resource: &Resource<'_>, findings: &mut Findings<'_>) {
    let decompressor = &mut Decompressor::default();
    // What the blocks say of each other is only checked if they fit into memory together.
    let size: u64 = resource.chunks.iter().map(|chunk| u64::from(chunk.info.base_size)).sum();
    let is_kept = size <= Limits::DEFAULT.max_decoded;
    // A C program gets the first chunk and those that are linked to it.
    let linked =
        resource.chunks.iter().position(|chunk| chunk.info.next_offset == 0).map_or(usize::MAX, |last| last + 1);
    let mut decoded: Vec<Option<Vec<u8>>> = Vec::with_capacity(resource.chunks.len());
    for (number, chunk) in resource.chunks.iter().enumerate() {
        // Damage is a finding of its own.
        let is_intact = chunk.verify().is_ok() && resource.keyring.can_read(chunk.info.cipher);
        let block =
            Some(chunk).filter(|_| is_intact).and_then(|chunk| resource.keyring.decode(chunk, decompressor).ok());
        let block = block.map(|block| block.into_bytes().into_owned());
        if number < linked {
            if let Some(found) = check_header(&chunk.info) {
                findings.add_unreadable_chunk(&found, chunk);
            } else if let Some(block) = &block {
                let is_packed = chunk.info.compression != Compression::NONE || chunk.info.cipher != Cipher::NONE;
                let of_block = check_block(chunk.info.kind, is_packed, block);
                let of_stream = check_stream(chunk, resource.keyring);
                of_block.iter().chain(&of_stream).for_each(|found| findings.add_unreadable_chunk(found, chunk));
            }
        }
        decoded.push(block.filter(|_| is_kept));
    }
    let blocks: Vec<ResourceBlock<'_>> = (resource.chunks.iter().zip(&decoded))
        .map(|(chunk, block)| ResourceBlock {
            kind: chunk.info.kind,
            is_linked: chunk.info.next_offset != 0,
            block: block.as_deref(),
        })
        .collect();
    for found in check_resource(resource.kind, &blocks) {
        findings.add_unreadable_resource(&found, resource.id);
    }
}

/// Checks the compressed bytes of a chunk.
fn check_stream(chunk: &ChunkView<'_>, keyring: Keyring<'_>) -> Option<Unreadable> {
    match chunk.info.compression {
        Compression::DEFLATE => check_deflate(&keyring.compressed(chunk)?),
        Compression::QOI => check_qoi(&keyring.compressed(chunk)?, chunk.info.base_size),
        _ => None,
    }
}

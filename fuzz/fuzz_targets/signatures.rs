//! Reads any bytes as a signed pack, also with a chunk header and a trailer that are right, and changes packs that are signed.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use rres_format::signature::{MAGIC, PublicKey, SecretKey, Signature, content_len, sign_set};
use rres_format::{ChunkInfo, Cipher, Compression, FourCc, ResourceId};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    content: &'a [u8],
    block: &'a [u8],
    /// Overwrites the property count and the properties with ones that can be right.
    props: Option<[u8; 3]>,
    changes: Vec<(u16, u8)>,
}

fuzz_target!(|input: Input<'_>| {
    read(input.content);
    read(&pack(&input));
    let key = SecretKey::from_seed([7; 32]).unwrap();
    let Ok(mut chunks) = sign_set(&[input.content], &key) else { return };
    let new = chunks.remove(0);
    let mut signed = [&input.content[..new.content_len], &new.chunk].concat();
    assert!(check(&signed, key.public_key()), "a signed pack is not accepted");
    let before = signed.clone();
    let size = signed.len();
    input.changes.iter().for_each(|(at, by)| signed[usize::from(*at) % size] ^= by);
    assert!(signed == before || !check(&signed, key.public_key()), "a changed pack is accepted");
});

/// A pack whose last chunk has a header and a trailer as a signature has.
fn pack(input: &Input<'_>) -> Vec<u8> {
    let mut block = input.block.to_vec();
    if let (Some([pieces, number, packs]), true) = (input.props, block.len() >= 104) {
        let props = [4, 1, pieces.into(), number.into(), u32::from(packs)];
        block[..20].copy_from_slice(&props.map(u32::to_le_bytes).concat());
        let content = (input.content.len() as u32).to_le_bytes();
        block[100..104].copy_from_slice(&content);
    }
    let len = (ChunkInfo::SIZE + block.len() + 12) as u32;
    block.extend(len.to_le_bytes());
    block.extend(MAGIC);
    let header = ChunkInfo {
        kind: FourCc::SIGN,
        id: ResourceId::NONE,
        compression: Compression::NONE,
        cipher: Cipher::NONE,
        flags: 0,
        packed_size: block.len() as u32,
        base_size: block.len() as u32,
        next_offset: 0,
        reserved: 0,
        crc32: crc32fast::hash(&block),
    };
    [input.content, &header.to_bytes(), &block].concat()
}

fn read(pack: &[u8]) {
    let _ = content_len(pack);
    let Ok(signature) = Signature::read(pack) else { return };
    assert!(signature.content_len() < pack.len());
    let _ = signature.verify(pack, &[signature.key()]);
    let _ = signature.check_all(pack);
    for offset in [0, 16, 48, u32::MAX] {
        let _ = signature.check_chunk(pack, offset);
        let _ = signature.check_chunks(pack, offset, 64);
    }
    let _ = signature.check_set(&signature, 0, 1);
}

fn check(pack: &[u8], key: PublicKey) -> bool {
    let check = |signature: Signature<'_>| signature.verify(pack, &[key]).and_then(|_| signature.check_all(pack));
    Signature::find(pack).and_then(check).is_ok()
}

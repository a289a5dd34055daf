//! Signatures: the vectors of RFC 8032, every flipped bit, and what can be done to the chunks and the set of a signed pack.

use rres_format::chunk::raw::raw_block;
use rres_format::patch::{PackIdentity, PatchSpec};
use rres_format::signature::{CONTEXT, MAGIC, PublicKey, SecretKey, Signature, SignatureError, content_len, sign_set};
use rres_format::{Compression, Error, FourCc, PackBuilder, PackView, Resource, ResourceId};

use crate::sample::{encode, every_kind, raw};

fn key() -> SecretKey {
    SecretKey::from_seed([7; 32]).unwrap()
}

/// Returns the pack with a signature.
fn signed(pack: &[u8]) -> Vec<u8> {
    signed_set(&[pack]).remove(0)
}

fn signed_set(packs: &[&[u8]]) -> Vec<Vec<u8>> {
    let chunks = sign_set(packs, &key()).unwrap();
    packs.iter().zip(chunks).map(|(pack, new)| [&pack[..new.content_len], &new.chunk].concat()).collect()
}

/// Checks all bytes of a pack, as `verify` does.
fn check(pack: &[u8]) -> Result<PublicKey, SignatureError> {
    let view = Signature::find(pack)?;
    let key = view.verify(pack, &[key().public_key()])?;
    view.check_all(pack)?;
    Ok(key)
}

/// A small pack of every kind.
fn every_kind_of_chunk() -> Vec<u8> {
    let mut pack = PackBuilder::new().set_hash(*b"sixteen bytes ok");
    for (i, (kind, path, block)) in every_kind().into_iter().enumerate() {
        // Whole payloads would only add bytes of the same meaning.
        let (end, compression) = (block.len().min(24), [Compression::NONE, Compression::DEFLATE][i % 2]);
        pack.push(Resource::new(path, vec![encode(kind, &block[..end], compression)]));
    }
    pack.to_vec().unwrap()
}

fn small() -> PackBuilder<'static> {
    let mut pack = PackBuilder::new();
    ["a", "b", "c"].iter().for_each(|path| pack.push(raw(path, path.as_bytes(), Compression::NONE)));
    pack
}

/// A patch, which has a chunk about itself.
fn patch() -> Vec<u8> {
    let base = vec![PackIdentity { index_crc: 1, size: 2, hash: [3; 32] }];
    let spec = PatchSpec { base, removed: vec![ResourceId(5)], ..PatchSpec::default() };
    small().patch(spec.block()).to_vec().unwrap()
}

/// Fails for every bit whose flip is accepted.
fn refuses_every_flip(pack: &[u8]) {
    assert_eq!(check(pack), Ok(key().public_key()));
    let content = content_len(pack).unwrap();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                let mut changed = pack.to_vec();
                for at in (thread..pack.len()).step_by(threads) {
                    for bit in 0..8 {
                        changed[at] ^= 1 << bit;
                        assert!(check(&changed).is_err(), "bit {bit} of byte {at}");
                        if at >= content {
                            // Someone who changes the signature adapts its CRC, too.
                            let crc = crc32fast::hash(&changed[content + 32..]).to_le_bytes();
                            let old: [u8; 4] = pack[content + 28..][..4].try_into().unwrap();
                            changed[content + 28..][..4].copy_from_slice(&crc);
                            assert!(changed == pack || check(&changed).is_err(), "bit {bit} of byte {at}, other CRC");
                            changed[content + 28..][..4].copy_from_slice(&old);
                            changed[at] = pack[at];
                        } else {
                            changed[at] ^= 1 << bit;
                        }
                    }
                }
                assert!(changed == pack);
            });
        }
    });
}

#[test]
fn the_vectors_of_rfc_8032() {
    // Section 7.1: seed, public key, message, signature.
    let vectors = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            &b""[..],
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe246\
             55141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            &[0x72],
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb\
             00d291612bb0c00",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            &[0xaf, 0x82],
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc\
             027beceea1ec40a",
        ),
    ];
    for (seed, public, message, signature) in vectors {
        let key = SecretKey::from_hex(seed).unwrap();
        assert_eq!(key.public_key().to_string(), public);
        let hex: String = key.sign(message).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, signature);
        assert_eq!(key.to_hex(), seed);
    }
}

#[test]
fn the_signature_is_over_the_documented_bytes() {
    let pack = signed(&small().to_vec().unwrap());
    let block = &pack[content_len(&pack).unwrap() + 32..];
    let (signed, rest) = block.split_at(block.len() - 64 - 12);
    let message = [&CONTEXT[..], blake3::hash(signed).as_bytes()].concat();
    assert_eq!(rest[..64], key().sign(&message));
    assert_eq!(rest[68..], MAGIC);
    // The set digest of a single pack.
    let content = blake3::hash(&signed[20 + 64..]);
    assert_eq!(signed[20 + 32..20 + 64], *blake3::hash(content.as_bytes()).as_bytes());
}

#[test]
fn every_flipped_bit_is_refused() {
    refuses_every_flip(&signed(&every_kind_of_chunk()));
}

#[test]
fn every_flipped_bit_of_a_patch_is_refused() {
    refuses_every_flip(&signed(&patch()));
}

#[test]
fn every_flipped_bit_of_a_set_is_refused() {
    let packs = [small().additional_packs(1).to_vec().unwrap(), small().to_vec().unwrap()];
    signed_set(&[&packs[0], &packs[1]]).iter().for_each(|pack| refuses_every_flip(pack));
}

#[test]
fn every_flipped_bit_of_a_pack_of_another_program_is_refused() {
    refuses_every_flip(&signed(include_bytes!("../c-packs/20_cdir_minimal_padding.rres")));
}

#[test]
fn signing_appends_and_signing_again_replaces() {
    let pack = small().to_vec().unwrap();
    let once = signed(&pack);
    assert_eq!(once[..pack.len()], pack);
    assert_eq!(content_len(&once), Ok(pack.len()));
    assert_eq!(content_len(&pack), Ok(pack.len()));
    assert!(signed(&once) == once, "the same key gives the same bytes");
    let other = SecretKey::from_seed([8; 32]).unwrap();
    let new = sign_set(&[&once], &other).unwrap().remove(0);
    let again = [&once[..new.content_len], &new.chunk].concat();
    assert_eq!(again.len(), once.len());
    assert_eq!(Signature::find(&again).unwrap().key(), other.public_key());
    // Readers that know nothing of signatures read the same pack.
    let view = PackView::parse(&once).unwrap();
    assert!(
        view.chunks().map(Result::unwrap).eq_by_offset(PackView::parse(&pack).unwrap().chunks().map(Result::unwrap))
    );
    assert!(view.directory().unwrap().is_some());
}

/// Compares chunks by their place and header.
trait EqByOffset<'a>: Iterator<Item = rres_format::ChunkView<'a>> + Sized {
    fn eq_by_offset<'b>(self, other: impl Iterator<Item = rres_format::ChunkView<'b>>) -> bool {
        let place = |chunk: rres_format::ChunkView<'_>| (chunk.offset, chunk.info);
        self.map(place).eq(other.map(place))
    }
}

impl<'a, I: Iterator<Item = rres_format::ChunkView<'a>>> EqByOffset<'a> for I {}

#[test]
fn another_key_is_named() {
    let pack = signed(&small().to_vec().unwrap());
    let view = Signature::find(&pack).unwrap();
    let other = SecretKey::from_seed([8; 32]).unwrap().public_key();
    let found = key().public_key();
    assert_eq!(view.verify(&pack, &[other]), Err(SignatureError::UnknownKey { found, trusted: 1 }));
    assert_eq!(view.verify(&pack, &[]), Err(SignatureError::UnknownKey { found, trusted: 0 }));
    assert_eq!(view.verify(&pack, &[other, found]), Ok(found));
    // The name of a trusted key over a signature of another one.
    let mut renamed = pack.clone();
    let start = content_len(&pack).unwrap() + 32;
    renamed[start + 20..start + 52].copy_from_slice(&other.0);
    let crc = crc32fast::hash(&renamed[start..]).to_le_bytes();
    renamed[start - 4..start].copy_from_slice(&crc);
    assert_eq!(
        Signature::find(&renamed).unwrap().verify(&renamed, &[other]),
        Err(SignatureError::Forged { key: other })
    );
}

#[test]
fn a_pack_that_is_cut_off_anywhere_is_refused() {
    let pack = signed(&small().to_vec().unwrap());
    for len in 0..pack.len() {
        assert!(check(&pack[..len]).is_err(), "{len} bytes");
    }
    assert_eq!(check(&pack[..content_len(&pack).unwrap()]), Err(SignatureError::Missing));
    for extra in [&b"x"[..], &MAGIC, &[0; 64]] {
        assert!(check(&[&pack, extra].concat()).is_err());
    }
}

#[test]
fn chunks_cannot_be_reordered_removed_added_or_taken_from_another_pack() {
    let pack = signed(&small().to_vec().unwrap());
    let content = content_len(&pack).unwrap();
    let view = PackView::parse(&pack).unwrap();
    let chunks: Vec<_> = view.chunks().map(Result::unwrap).filter(|chunk| chunk.info.kind == FourCc::RAWD).collect();
    let range = |n: usize| chunks[n].offset as usize..chunks[n].end() as usize;
    assert_eq!(range(0).len(), range(1).len());
    let mut swapped = pack.clone();
    swapped[range(0)].copy_from_slice(&pack[range(1)]);
    swapped[range(1)].copy_from_slice(&pack[range(0)]);
    let refused = |pack: &[u8]| Signature::find(pack).unwrap().check_chunk(pack, chunks[0].offset);
    let (offset, len) = (chunks[0].offset, range(0).len() as u64);
    assert_eq!(refused(&swapped), Err(SignatureError::Changed { offset, len, kind: Some(FourCc::RAWD) }));
    let removed = [&pack[..range(1).start], &pack[range(1).end..]].concat();
    assert!(matches!(check(&removed), Err(SignatureError::Malformed(_))));
    let added = [&pack[..range(1).start], &pack[range(1)], &pack[range(1).start..]].concat();
    assert!(matches!(check(&added), Err(SignatureError::Malformed(_))));
    let found = Signature::find(&pack).unwrap().check_chunk(&pack, offset + 1);
    assert_eq!(found, Err(SignatureError::NotCovered { offset: offset + 1 }));
    // Runs of chunks end where a chunk ends.
    let signature = Signature::read(&pack).unwrap();
    let run = (chunks[2].end() - u64::from(offset)) as u32;
    assert_eq!(signature.check_chunks(&pack, offset, run), Ok(()));
    for len in [0, 1, run - 1, run + 1, u32::MAX] {
        assert_eq!(signature.check_chunks(&pack, offset, len), Err(SignatureError::NotCovered { offset }), "{len}");
    }
    let at = chunks[2].offset;
    let mut changed = pack.clone();
    changed[at as usize + 40] ^= 1;
    let found = signature.check_chunks(&changed, offset, run);
    assert!(matches!(found, Err(SignatureError::Changed { offset, .. }) if offset == at), "{found:?}");
    // The signature of another pack of the same size.
    let mut other = small().set_hash([1; 16]).to_vec().unwrap();
    assert_eq!(other.len(), content);
    other.extend_from_slice(&pack[content..]);
    assert!(matches!(check(&other), Err(SignatureError::Changed { offset: 16, .. })));
}

#[test]
fn packs_of_a_set_belong_together_and_in_order() {
    let (first, second) = (small().additional_packs(2).to_vec().unwrap(), small().to_vec().unwrap());
    let set = signed_set(&[&first, &second, &second]);
    let views: Vec<_> = set.iter().map(|pack| Signature::find(pack).unwrap()).collect();
    for (number, view) in (0..).zip(&views) {
        assert_eq!(view.number(), (number, 3));
        view.check_set(&views[0], number, 3).unwrap();
    }
    let swapped = SignatureError::OtherSet { expected: (1, 3), found: (2, 3) };
    assert_eq!(views[2].check_set(&views[0], 1, 3), Err(swapped.clone()));
    assert_eq!(swapped.to_string(), "it was signed as pack 3 of 3, expected pack 2 of 3");
    // An older build of the first pack: the same key and numbers.
    let older = signed_set(&[&small().additional_packs(2).set_hash([2; 16]).to_vec().unwrap(), &second, &second]);
    let older = Signature::find(&older[1]).unwrap();
    let other = SignatureError::OtherSet { expected: (1, 3), found: (1, 3) };
    assert_eq!(older.check_set(&views[0], 1, 3), Err(other));
}

#[test]
fn what_cannot_be_signed_is_refused() {
    let pack = small().to_vec().unwrap();
    let refuse = |pack: &[u8]| sign_set(&[&small().to_vec().unwrap(), pack], &key()).unwrap_err();
    let (number, error) = refuse(&[&pack[..], b"more"].concat());
    assert!(number == 1 && matches!(error, Error::Truncated { .. }), "{error}");
    let mut damaged = pack.clone();
    let chunk = PackView::parse(&pack).unwrap().find(ResourceId::from_path("a")).unwrap().unwrap();
    damaged[chunk.offset as usize + 32 + 20] ^= 1;
    assert!(matches!(refuse(&damaged).1, Error::CrcMismatch { .. }));
    // A signature among the chunks.
    let double = [&signed(&pack)[..], &signed(&pack)[pack.len()..]].concat();
    let (_, error) = refuse(&double);
    assert!(error.to_string().contains("expected no signature among the chunks"), "{error}");
    // More chunks than the file header counts, which no reader finds.
    let block = raw_block("", b"hidden");
    let mut hidden = small();
    hidden.push(Resource::new("d", vec![encode(FourCc::RAWD, &block, Compression::NONE)]));
    let mut hidden = hidden.to_vec().unwrap();
    hidden[6] -= 2;
    let (_, error) = refuse(&hidden);
    assert!(error.to_string().contains("the file header counts"), "{error}");
}

#[test]
fn a_pack_of_the_most_chunks_is_checked_by_chunk() {
    let mut pack = PackBuilder::new().directory(false);
    // With the front index.
    for i in 1..u16::MAX {
        pack.push(raw(&i.to_string(), b"", Compression::NONE));
    }
    let Ok(pack) = pack.to_vec() else {
        // Padding chunks count, too.
        let mut pack = PackBuilder::new().directory(false);
        (1..u16::MAX / 2).for_each(|i| pack.push(raw(&i.to_string(), b"", Compression::NONE)));
        return check_by_chunk(&pack.to_vec().unwrap());
    };
    check_by_chunk(&pack);
}

fn check_by_chunk(pack: &[u8]) {
    let signed = signed(pack);
    let view = Signature::find(&signed).unwrap();
    view.verify(&signed, &[key().public_key()]).unwrap();
    let chunks = PackView::parse(&signed).unwrap();
    assert_eq!(view.len(), chunks.chunks().count());
    for chunk in chunks.chunks().step_by(1_000) {
        view.check_chunk(&signed, chunk.unwrap().offset).unwrap();
    }
}

#[test]
fn keys_are_64_hexadecimal_digits() {
    let key = key().public_key();
    assert_eq!(PublicKey::from_hex(&key.to_string().to_uppercase()), key);
    for (wrong, message) in [("", "found 0 characters"), (&"g".repeat(64), "other characters")] {
        assert!(wrong.parse::<PublicKey>().unwrap_err().to_string().contains(message));
        assert!(SecretKey::from_hex(wrong).is_err());
    }
    assert!(SecretKey::from_hex(&"0".repeat(64)).is_err(), "no generator returns it");
    let shown = format!("{:?}", self::key());
    assert!(!shown.contains("0707") && shown.contains(&key.to_string()), "{shown}");
}

//! Packs that must be signed: what is refused when they are opened, when their assets are loaded, and what a warning says.

use rres_format::chunk::link::link_block;
use rres_format::signature::{SecretKey, content_len, sign_set};
use rres_format::{FourCc, PackView, Resource};
use rres_runtime::{
    CrcPolicy, ErrorKind, Link, Pack, PackOptions, PublicKey, Raw, Result, SignatureError, SignaturePolicy, Store, Text,
};
use rres_test_data::damage::{BITS, flipped};

use super::assets::{pack, plain, raw, sound, text};
use super::fetched::Server;
use super::patches::patch;
use super::{assert_message, id, open_file};

/// The public key of the seed of 32 times 7.
const KEY: PublicKey = PublicKey::from_hex("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c");
/// A key that nothing is signed with.
const OTHER: PublicKey = PublicKey([9; 32]);

fn require() -> PackOptions {
    PackOptions::default().signature(SignaturePolicy::Require(&[OTHER, KEY]))
}

fn warn() -> PackOptions {
    PackOptions::default().signature(SignaturePolicy::Warn(&[KEY]))
}

fn signed(pack: &[u8]) -> Vec<u8> {
    signed_set(&[pack]).remove(0)
}

fn signed_set(packs: &[&[u8]]) -> Vec<Vec<u8>> {
    let chunks = sign_set(packs, &SecretKey::from_seed([7; 32]).unwrap()).unwrap();
    packs.iter().zip(chunks).map(|(pack, new)| [&pack[..new.content_len], &new.chunk].concat()).collect()
}

fn small() -> Vec<u8> {
    pack([text("a.txt", "text"), raw("b.bin", b"bytes"), sound("c.wav")]).set_hash([3; 16]).to_vec().unwrap()
}

/// Loads everything in a pack, in each way.
fn use_all(pack: &Pack) -> Result<()> {
    pack.load::<Text>(id::<Text>("a.txt"))?;
    pack.load::<Raw>(id::<Raw>("b.bin"))?;
    pack.load::<rres_runtime::Sound>(id::<rres_runtime::Sound>("c.wav"))?;
    Ok(())
}

#[test]
fn a_signed_pack_opens_under_each_policy() {
    let pack = signed(&small());
    for options in [require(), warn(), PackOptions::default()] {
        for policy in [CrcPolicy::Once, CrcPolicy::Always, CrcPolicy::Off] {
            let pack = options.clone().crc_policy(policy).from_bytes(pack.clone()).unwrap();
            (0..2).for_each(|_| use_all(&pack).unwrap());
            assert!(pack.signature_warning().is_none());
            assert_eq!(pack.signed_by(), (options.signature != SignaturePolicy::Ignore).then_some(KEY));
        }
    }
}

#[test]
fn an_unsigned_pack_is_refused_used_with_a_warning_or_used() {
    let unsigned = small();
    let refused = require().from_bytes(unsigned.clone());
    assert!(matches!(refused.as_ref().unwrap_err().kind(), ErrorKind::Signature(SignatureError::Missing)));
    assert_message(refused, &["refused by its signature: it is not signed"]);
    let pack = warn().from_bytes(unsigned.clone()).unwrap();
    use_all(&pack).unwrap();
    assert_eq!(pack.signed_by(), None);
    assert_message(Err::<(), _>(pack.signature_warning().unwrap()), &["it is not signed"]);
    assert!(PackOptions::default().from_bytes(unsigned).unwrap().signature_warning().is_none());
    // One whose signature was cut off is one without.
    let pack = signed(&small());
    let cut = pack[..content_len(&pack).unwrap()].to_vec();
    assert_message(require().from_bytes(cut), &["it is not signed, or the signature at its end was cut off"]);
}

/// A signature covers the path of a link, and not the file that it leads to.
#[test]
fn links_of_packs_that_must_be_signed_are_not_followed() {
    let exe = std::env::current_exe().unwrap();
    let name = exe.file_name().unwrap().to_str().unwrap();
    let linked = pack([Resource::new("movie", vec![plain(FourCc::LINK, &link_block(name))])]).to_vec().unwrap();
    for (options, is_followed) in [(require(), false), (warn(), true), (PackOptions::default(), true)] {
        let store = Store::from_packs([options.from_bytes(signed(&linked)).unwrap()]);
        let link = store.load(id::<Link>("movie")).unwrap();
        assert_eq!(link.get().path(), name);
        assert_eq!(store.follow(&link.get()).is_ok(), is_followed);
        let loaded = store.load(id::<Raw>("movie"));
        assert!(loaded.is_err() || is_followed, "neither is a link that is loaded as bytes");
        if !is_followed {
            assert_message(store.follow(&link.get()), &["is not followed: the pack must be signed"]);
        }
    }
}

#[test]
fn another_key_is_named_with_the_file() {
    let file = super::File::with_bytes(&signed(&small()));
    let options = PackOptions::default().signature(SignaturePolicy::Require(&[OTHER]));
    let error = options.open(file.path()).unwrap_err();
    assert_eq!(error.file(), Some(&*file.path()));
    assert_message(Err::<(), _>(error), &[&KEY.to_string(), "which is not the trusted one", "game.rres"]);
    require().open(file.path()).unwrap();
    require().read(file.path()).unwrap();
}

#[test]
fn every_flipped_bit_that_is_read_is_refused() {
    let pack = signed(&small());
    let view = PackView::parse(&pack).unwrap();
    // Our reader never reads padding or the directory.
    let unread: Vec<_> = view
        .chunks()
        .map(|chunk| chunk.unwrap())
        .filter(|chunk| chunk.info.kind == FourCc::NULL)
        .map(|chunk| chunk.offset as usize..chunk.end() as usize)
        .chain(std::iter::once(view.header().directory_offset as usize + 16..content_len(&pack).unwrap()))
        .collect();
    let places = (0..pack.len()).filter(|at| !unread.iter().any(|range| range.contains(at)));
    for (place, changed) in flipped(&pack, places, &BITS) {
        // Without CRCs, the signature alone refuses them.
        let opened = require().crc_policy(CrcPolicy::Off).from_bytes(changed);
        assert!(opened.and_then(|pack| use_all(&pack)).is_err(), "{place}");
    }
}

#[test]
fn a_changed_asset_is_named_and_the_others_load() {
    let mut pack = signed(&small());
    let at =
        PackView::parse(&pack).unwrap().find(rres_runtime::ResourceId::from_path("b.bin")).unwrap().unwrap().offset;
    // With the right CRCs, as somebody would change it.
    let start = at as usize + 32;
    let end = start + u32::from_le_bytes(pack[at as usize + 12..][..4].try_into().unwrap()) as usize;
    pack[start + 20] ^= 1;
    let crc = crc32fast::hash(&pack[start..end]).to_le_bytes();
    pack[at as usize + 28..start].copy_from_slice(&crc);
    for policy in [CrcPolicy::Once, CrcPolicy::Always, CrcPolicy::Off] {
        let opened = require().crc_policy(policy).from_bytes(pack.clone()).unwrap();
        opened.load::<Text>(id::<Text>("a.txt")).unwrap();
        for _ in 0..2 {
            let refused = opened.load::<Raw>(id::<Raw>("b.bin"));
            assert_message(refused, &["asset \"b.bin\"", "the RAWD chunk of", "was changed after the pack was signed"]);
        }
        let store = Store::from_packs([require().crc_policy(policy).from_bytes(pack.clone()).unwrap()]);
        assert_message(store.stream(id::<Raw>("b.bin")), &["asset \"b.bin\"", "was changed after"]);
    }
    let opened = warn().crc_policy(CrcPolicy::Off).from_bytes(pack).unwrap();
    assert!(opened.signature_warning().is_none(), "nothing changed was used yet");
    opened.load::<Raw>(id::<Raw>("b.bin")).unwrap();
    let store = Store::from_packs([opened]);
    let warnings: Vec<String> = store.mounts().warnings().map(|warning| warning.to_string()).collect();
    assert!(warnings.len() == 1 && warnings[0].contains("was changed after"), "{warnings:?}");
}

#[test]
fn a_pack_of_another_program_is_checked_as_a_whole() {
    let foreign = pack([text("a.txt", "text"), raw("b.bin", b"bytes"), sound("c.wav")]).index(false).to_vec().unwrap();
    let pack = signed(&foreign);
    use_all(&require().from_bytes(pack.clone()).unwrap()).unwrap();
    for (place, changed) in flipped(&pack, 0..pack.len(), &[0x10]) {
        assert!(require().from_bytes(changed).is_err(), "{place}");
    }
}

#[test]
fn a_program_refuses_its_packs_and_patches() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(dir.path().join(name), bytes).unwrap();
    let old = small();
    let new = pack([text("a.txt", "new"), raw("b.bin", b"bytes"), sound("c.wav")]).set_hash([3; 16]).to_vec().unwrap();
    let update = patch(&old, &new, vec![text("a.txt", "new")], &[]);
    write("game.rres", &old);
    open_file(dir.path(), PackOptions::default()).unwrap();
    let texts = ["it is not signed", "game.rres)", "sign it with `cargo rres sign`"];
    assert_message(open_file(dir.path(), require()), &texts);
    write("game.rres", &signed(&old));
    open_file(dir.path(), require()).unwrap();
    // The patch was made for the pack, signed or not.
    write("game.patch1.rres", &update);
    assert_message(open_file(dir.path(), require()), &["it is not signed", "game.patch1.rres"]);
    let store = open_file(dir.path(), warn()).unwrap();
    assert_eq!(store.mounts().warnings().count(), 1);
    write("game.patch1.rres", &signed(&update));
    let store = open_file(dir.path(), require()).unwrap();
    assert_eq!(store.load(id::<Text>("a.txt")).unwrap().get().as_str(), "new");
    let mut damaged = signed(&update);
    let at = PackView::parse(&damaged).unwrap().chunks().nth(1).unwrap().unwrap().offset as usize + 60;
    damaged[at] ^= 1;
    write("game.patch1.rres", &damaged);
    assert_message(open_file(dir.path(), require()), &["the PTCH chunk of", "game.patch1.rres"]);
}

#[test]
fn the_packs_of_a_set_must_be_signed_together() {
    let set = |version: u8| {
        let first = pack([text("a.txt", "text")]).set_hash([3; 16]).additional_packs(1).to_vec().unwrap();
        let second = pack([raw("b.bin", &[version])]).set_hash([3; 16]).to_vec().unwrap();
        signed_set(&[&first, &second])
    };
    let dir = tempfile::tempdir().unwrap();
    let write = |packs: [&[u8]; 2]| {
        std::fs::write(dir.path().join("game.rres"), packs[0]).unwrap();
        std::fs::write(dir.path().join("game.1.rres"), packs[1]).unwrap();
    };
    let (old, new) = (set(1), set(2));
    write([&new[0], &new[1]]);
    open_file(dir.path(), require()).unwrap();
    write([&new[0], &old[1]]);
    let refused = open_file(dir.path(), require());
    assert_message(refused, &["it was not signed together with the first pack of its set", "game.1.rres"]);
    assert_eq!(open_file(dir.path(), warn()).unwrap().mounts().warnings().count(), 1);
    // An additional pack in the place of the first one.
    write([&new[1], &new[0]]);
    assert_message(open_file(dir.path(), require()), &["it was signed as pack 2 of 2, expected pack 1 of 1"]);
}

#[test]
fn each_overlay_has_a_policy_of_its_own() {
    let game = Store::from_packs([require().from_bytes(signed(&small())).unwrap()]);
    let overlay = pack([text("a.txt", "mod")]).to_vec().unwrap();
    assert_message(require().from_bytes(overlay.clone()), &["it is not signed"]);
    game.mount(PackOptions::default().from_bytes(overlay.clone()).unwrap()).unwrap();
    assert_eq!(game.load(id::<Text>("a.txt")).unwrap().get().as_str(), "mod");
    assert_eq!(game.mounts().warnings().count(), 0);
    game.mount(warn().from_bytes(overlay).unwrap()).unwrap();
    assert_eq!(game.mounts().warnings().count(), 1);
}

/// The signature is over the encrypted bytes, so a changed byte is named before anything is decrypted.
#[cfg(feature = "seal")]
#[test]
fn an_encrypted_pack_can_be_signed() {
    use super::sealed::{game, raw_keys};

    let pack = signed(&game(&raw_keys(3)).to_vec().unwrap());
    let options = require().keys(raw_keys(3));
    let opened = options.from_bytes(pack.clone()).unwrap();
    assert_eq!(opened.load::<Text>(id::<Text>("plot.txt")).unwrap().as_str(), "the butler");
    assert_eq!(opened.signed_by(), Some(KEY));
    let view = PackView::parse(&pack).unwrap();
    let chunk = view.find(id::<Text>("plot.txt").resource()).unwrap().unwrap();
    for (place, damaged) in flipped(&pack, chunk.offset as usize..chunk.end() as usize, &[1]) {
        let found = options.clone().crc_policy(CrcPolicy::Off).from_bytes(damaged);
        assert!(found.and_then(|pack| pack.load::<Text>(id::<Text>("plot.txt"))).is_err(), "{place}");
    }
    assert!(require().keys(raw_keys(4)).from_bytes(pack).is_err(), "the key is wrong, the signature is not");
}

/// What a server sends, which is not trusted either.
#[test]
fn a_pack_that_is_read_in_parts_is_checked_in_parts() {
    let files = |first: &[u8]| {
        let mut resources = vec![raw("0.bin", first)];
        resources.extend((1..1000).map(|number| raw(&format!("{number}.bin"), &[number as u8; 100])));
        pack(resources).to_vec().unwrap()
    };
    let good = signed(&files(b"good"));
    let server = Server::new(good.clone());
    let pack = require().open_from(server.clone()).wait().unwrap();
    assert_eq!(pack.signed_by(), Some(KEY));
    // The front twice, and the end twice, because both are longer than expected. Nothing else.
    let asked = server.asked();
    assert!(asked.len() == 4 && asked[2].end == good.len() as u64 && asked[3].end == good.len() as u64, "{asked:?}");
    let store = Store::from_packs([pack]);
    assert_eq!(store.load(id::<Raw>("0.bin")).unwrap().get().bytes(), b"good");
    assert_eq!(store.load(id::<Raw>("999.bin")).unwrap().get().bytes(), [999u32 as u8; 100]);

    // Another pack with the same signature: its checksums are right.
    let evil = files(b"evil");
    let replaced = [&evil, &good[content_len(&good).unwrap()..]].concat();
    let refused = require().open_from(Server::new(replaced.clone())).wait();
    assert!(matches!(refused.unwrap_err().kind(), ErrorKind::Signature(SignatureError::Changed { .. })));
    let warned = warn().open_from(Server::new(replaced)).wait().unwrap();
    assert!(warned.signature_warning().is_some());

    let unsigned = require().open_from(Server::new(evil)).wait();
    assert!(matches!(unsigned.unwrap_err().kind(), ErrorKind::Signature(SignatureError::Missing)));
}

/// Only the bytes of an asset are others, and nothing checks its CRC.
#[test]
fn a_part_with_other_bytes_is_refused_by_its_hash() {
    let good = signed(&small());
    let at = good.windows(5).position(|bytes| bytes == b"bytes").unwrap();
    let mut evil = good;
    evil[at..at + 5].copy_from_slice(b"BYTES");
    let pack = require().open_from(Server::new(evil)).wait().unwrap();
    pack.load::<Text>(id::<Text>("a.txt")).unwrap();
    assert_message(pack.load::<Raw>(id::<Raw>("b.bin")), &["b.bin", "https://example.org/game.rres"]);
}

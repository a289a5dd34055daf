//! Fingerprints: what they depend on and what not, which asset differs, and bytes of strangers.

use rres_format::chunk::text::TextProps;
use rres_format::index::{GroupSpec, Meta, MetaKey};
use rres_format::{AssetKind, Compression, FourCc, PackBuilder, Resource, ResourceId};
use rres_runtime::fingerprint::{Coverage, Fingerprint, FingerprintDetails, FingerprintError};
use rres_runtime::{ErrorKind, Pack, PackOptions, Store};
use rres_test_data::random::Random;

use super::assets::{IMAGE, chunk, image, pack, pixels, raw, sound, text};
use super::patches::patch;
use super::{assert_message, store};

fn open(pack: &PackBuilder<'_>) -> Pack {
    PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()
}

fn all(store: &Store) -> FingerprintDetails {
    store.fingerprint_details(&Coverage::all()).unwrap()
}

fn difference(ours: &Store, theirs: &Store) -> String {
    all(ours).difference(&all(theirs)).to_string()
}

/// One of each kind that needs no decoder.
fn game() -> Vec<Resource<'static>> {
    let mut meta = Meta::default();
    meta.set(MetaKey::FILTER, 1);
    vec![
        text("data/speed.txt", "12"),
        raw("data/map.bin", &[7; 3000]),
        image("hero.png", Compression::NONE).with_meta(meta),
        sound("jump.wav"),
    ]
}

#[test]
fn the_fingerprint_of_these_assets_is_the_same_on_every_machine_and_in_every_version() {
    let store = store(&pack(game()));
    let golden = "81f2fa5dcad02dcce73d5d5ab05bcbfd14b512d1dcc74f1c5ac3b92c7c15aeca";
    assert_eq!(store.fingerprint(&Coverage::all()).unwrap().to_string(), golden);
    let bytes = all(&store).to_bytes();
    assert_eq!(&bytes[..12], b"rresFPR1\x04\0\0\0");
    assert_eq!(bytes.len(), 12 + 4 * 39 + "data/map.bindata/speed.txthero.pngjump.wav".len());
    assert_eq!(FingerprintDetails::from_bytes(&bytes).unwrap(), all(&store));
}

#[test]
fn one_changed_byte_names_the_asset() {
    let ours = store(&pack(game()));
    let with = |changed: Resource<'static>| {
        let kept = game().into_iter().filter(|resource| resource.id != changed.id);
        store(&pack(kept.collect::<Vec<_>>().into_iter().chain([changed])))
    };
    assert_eq!(difference(&ours, &with(text("data/speed.txt", "13"))), "changed  data/speed.txt\n");
    let mut map = vec![7; 3000];
    map[2000] = 8;
    assert_eq!(difference(&ours, &with(raw("data/map.bin", &map))), "changed  data/map.bin\n");
    // The same pixels without the metadata.
    assert_eq!(difference(&ours, &with(image("hero.png", Compression::NONE))), "changed  hero.png\n");
    let renamed = store(&pack(game().into_iter().map(|resource| match &*resource.path {
        "jump.wav" => sound("leap.wav"),
        _ => resource,
    })));
    assert_eq!(difference(&ours, &renamed), "added    leap.wav\nremoved  jump.wav\n");
    assert_eq!(difference(&ours, &store(&pack(game()))), "");
    // A number can be that of another kind with the same bytes.
    let custom = |kind| store(&pack([raw("a.bin", b"a").with_kind(kind)]));
    assert_eq!(difference(&custom(AssetKind::Raw), &custom(AssetKind::Sound)), "changed  a.bin\n");
}

/// The assets of [`game`] in another order, compressed in other ways.
fn stored_in_another_way(random: &mut Random) -> Vec<Resource<'static>> {
    let mut compressions = vec![Compression::NONE, Compression::LZ4, Compression::ZSTD, Compression::FILTERED];
    if cfg!(feature = "deflate") {
        compressions.push(Compression::DEFLATE);
    }
    let mut any = || compressions[random.below(compressions.len())];
    let speed = TextProps::utf8(2).block(b"12");
    let map = rres_format::chunk::raw::raw_block(".bin", &[7; 3000]);
    let chunks = [
        chunk(FourCc::TEXT, &speed, any()),
        chunk(FourCc::RAWD, &map, any()),
        chunk(FourCc::IMGE, &IMAGE.block(&pixels()), any()),
        chunk(FourCc::WAVE, &super::assets::sound_block(), any()),
    ];
    let mut resources: Vec<Resource<'static>> = game();
    resources.iter_mut().zip(chunks).for_each(|(resource, chunk)| resource.chunks = vec![chunk]);
    for at in 0..resources.len() {
        let other = random.below(resources.len());
        resources.swap(at, other);
    }
    resources
}

#[test]
fn order_compression_encryption_and_the_number_of_packs_do_not_matter() {
    let expected = all(&store(&pack(game())));
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let resources = stored_in_another_way(&mut random);
        assert_eq!(all(&store(&pack(resources).directory(seed % 2 == 0))), expected, "seed {seed}");
        let mut first = stored_in_another_way(&mut random);
        let second = first.split_off(random.below(4));
        assert_eq!(all(&Store::from_packs([open(&pack(first)), open(&pack(second))])), expected, "seed {seed}");
        #[cfg(feature = "seal")]
        {
            let keys = super::sealed::raw_keys(seed as u8);
            let sealed = stored_in_another_way(&mut random).into_iter().map(|it| super::sealed::sealed(it, &keys));
            let sealed = pack(sealed.collect::<Vec<_>>()).to_vec().unwrap();
            let opened = PackOptions::default().keys(keys).from_bytes(sealed).unwrap();
            assert_eq!(all(&Store::from_packs([opened])), expected, "seed {seed}");
        }
    }
}

#[test]
fn a_patched_pack_and_the_new_pack_have_the_same_fingerprint() {
    let mut newer = game();
    newer[0] = text("data/speed.txt", "13");
    newer.remove(3);
    let [old, new] = [pack(game()), pack(newer)].map(|pack| pack.to_vec().unwrap());
    let patch = patch(&old, &new, vec![text("data/speed.txt", "13")], &["jump.wav"]);
    let opened = |bytes: Vec<u8>| PackOptions::default().from_bytes(bytes).unwrap();
    let store = Store::from_packs([opened(old)]);
    store.mount(opened(patch)).unwrap();
    assert_eq!(all(&store), all(&Store::from_packs([opened(new)])));
    // A patch is the game, and not a mod.
    assert!(store.fingerprint_details(&Coverage::mods()).unwrap().assets().is_empty());
}

#[test]
fn a_coverage_chooses_kinds_groups_paths_and_mods() {
    let mut game = pack(game());
    let id = ResourceId::from_path;
    game.push_group(GroupSpec { name: "level".to_owned(), members: vec![id("hero.png"), id("jump.wav")] });
    let store = store(&game);
    let paths = |coverage: &Coverage<'_>| {
        let details = store.fingerprint_details(coverage).unwrap();
        details.assets().iter().map(|asset| asset.path().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(&Coverage::all()), ["data/map.bin", "data/speed.txt", "hero.png", "jump.wav"]);
    assert_eq!(paths(&Coverage::all().group("level")), ["hero.png", "jump.wav"]);
    assert_eq!(paths(&Coverage::all().group("level").kinds([AssetKind::Sound])), ["jump.wav"]);
    assert_eq!(paths(&Coverage::all().matching(|asset| asset.path.starts_with("data/"))).len(), 2);
    assert_message(store.fingerprint(&Coverage::all().group("levle")), &["levle", "level"]);
    let base = store.fingerprint(&Coverage::all()).unwrap();
    assert!(paths(&Coverage::mods()).is_empty());
    // A mod with the same contents changes what is from mods, and not what is played.
    let same = store.mount(open(&pack([text("data/speed.txt", "12")]))).unwrap();
    assert_eq!(
        (store.fingerprint(&Coverage::all()).unwrap(), paths(&Coverage::mods())),
        (base, vec!["data/speed.txt".to_owned()])
    );
    let other = store.mount(open(&pack([text("data/speed.txt", "99"), text("new.txt", "")]))).unwrap();
    assert_ne!(store.fingerprint(&Coverage::all()).unwrap(), base);
    assert_eq!(paths(&Coverage::mods()), ["data/speed.txt", "new.txt"]);
    assert!(store.unmount(other) && store.unmount(same));
    assert_eq!(store.fingerprint(&Coverage::all()).unwrap(), base);
}

#[test]
fn a_group_covers_its_variants_in_every_language() {
    let level = |german: &str| {
        let mut variant = text("rules.de.txt", german);
        variant.meta.set(rres_format::index::MetaKey::VARIANT_OF, ResourceId::from_path("rules.txt").0);
        "de".parse::<rres_runtime::LanguageTag>().unwrap().add_to(&mut variant.meta);
        let mut game = pack([text("rules.txt", "twelve"), variant, text("other.txt", "")]);
        game.push_group(GroupSpec { name: "level".to_owned(), members: vec![ResourceId::from_path("rules.txt")] });
        store(&game)
    };
    let of = |german| level(german).fingerprint_details(&Coverage::all().group("level")).unwrap();
    let paths: Vec<_> = of("zwölf").assets().iter().map(|asset| asset.path().to_owned()).collect();
    assert_eq!(paths, ["rules.de.txt", "rules.txt"]);
    assert_ne!(of("zwölf").fingerprint(), of("hundert").fingerprint());
}

/// An index whose buckets do not lead to its entries.
#[test]
fn an_index_that_lists_what_its_search_does_not_find_is_an_error() {
    let bytes = pack((0..16).map(|number| text(&format!("{number}.txt"), ""))).to_vec().unwrap();
    // The chunk of the index is the first one: a header with its size and its checksum, then its block.
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let block = 48..48 + number(28);
    let mut not_found = 0;
    for at in block.clone().step_by(4) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let checksum = crc32fast::hash(&changed[block.clone()]);
        changed[44..48].copy_from_slice(&checksum.to_le_bytes());
        let Ok(opened) = PackOptions::default().from_bytes(changed) else { continue };
        let fingerprint = Store::from_packs([opened]).fingerprint(&Coverage::all());
        not_found += usize::from(fingerprint.is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound { .. })));
    }
    assert!(not_found > 0);
}

#[test]
fn an_asset_that_cannot_be_read_is_an_error_that_names_it() {
    let mut bytes = pack([text("b.txt", "text that is damaged"), text("a.txt", "fine")]).to_vec().unwrap();
    let at = bytes.windows(7).position(|window| window == b"damaged").unwrap();
    bytes[at] ^= 1;
    let store = Store::from_packs([PackOptions::default().from_bytes(bytes).unwrap()]);
    assert_message(store.fingerprint(&Coverage::all()), &["b.txt"]);
    assert!(store.fingerprint(&Coverage::all().matching(|asset| asset.path == "a.txt")).is_ok());
}

#[test]
fn a_fingerprint_is_64_digits() {
    let fingerprint = Fingerprint::from_bytes(std::array::from_fn(|at| at as u8));
    assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
    assert_eq!(fingerprint.to_string().to_uppercase().parse(), Ok(fingerprint));
    for wrong in ["", "00", &"0".repeat(63), &"0".repeat(65), &"é".repeat(32), &format!("+{}", "0".repeat(63))] {
        let error = wrong.parse::<Fingerprint>().unwrap_err();
        assert_eq!(error, FingerprintError::NotHex { characters: wrong.chars().count() });
    }
}

#[test]
fn bytes_of_strangers_are_refused_or_read_and_never_more_is_allocated_than_they_have() {
    let bytes = all(&store(&pack(game()))).to_bytes();
    for end in 0..bytes.len() {
        assert!(FingerprintDetails::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
    }
    // A flipped bit is refused, or gives details that have another fingerprint.
    let expected = all(&store(&pack(game()))).fingerprint();
    for at in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[at / 8] ^= 1 << (at % 8);
        if let Ok(details) = FingerprintDetails::from_bytes(&flipped) {
            assert_eq!(details.to_bytes(), flipped);
            assert_ne!(details.fingerprint(), expected);
        }
    }
    let read = FingerprintDetails::from_bytes;
    let count = [&b"rresFPR1"[..], &u32::MAX.to_le_bytes()].concat();
    assert_eq!(read(&count), Err(FingerprintError::Truncated { assets: 0, expected: u32::MAX }));
    assert_eq!(read(&[&bytes[..], b"!"].concat()), Err(FingerprintError::TrailingBytes { bytes: 1 }));
    let long = vec![0; FingerprintDetails::MAX_BYTES + 1];
    assert_eq!(read(&long), Err(FingerprintError::TooLong { bytes: long.len(), max: long.len() - 1 }));
    assert_eq!(read(b"GET / HTTP/1.1"), Err(FingerprintError::NotDetails));
    let one = [&[0; 5][..], &2u16.to_le_bytes(), b"\x1bx", &[0; 32]].concat();
    let twice = [&b"rresFPR1\x02\0\0\0"[..], &one, &one].concat();
    assert_eq!(read(&twice), Err(FingerprintError::NotInOrder { asset: 1 }));
    // A path of a stranger cannot do anything to a terminal.
    let hostile = read(&[&b"rresFPR1\x01\0\0\0"[..], &one].concat()).unwrap();
    let none = read(b"rresFPR1\0\0\0\0").unwrap();
    assert_eq!(none.difference(&hostile).to_string(), "added    \\u{1b}x\n");
}

#[test]
fn a_long_difference_prints_its_beginning() {
    let many = |count: usize| store(&pack((0..count).map(|number| text(&format!("{number:03}.txt"), ""))));
    let shown = difference(&many(0), &many(45));
    assert_eq!(shown.lines().count(), 21);
    assert!(shown.ends_with("added    019.txt\n… and 25 more\n"), "{shown}");
}

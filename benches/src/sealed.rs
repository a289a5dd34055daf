//! P8: loading encrypted assets, compared with the bare cipher into ready buffers.

use std::hint::black_box;

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{Key, Tag, XChaCha20Poly1305, XNonce};
use rres_format::chunk::raw::raw_block;
use rres_format::{Cipher, Compression, Compressor, FourCc, PackBuilder, Resource, ResourceId, StoredChunk};
use rres_runtime::seal::{Keys, Salt, Sealer, Secret};
use rres_runtime::{CrcPolicy, Pack, PackOptions, Raw};

use crate::figure::{Goal, figure};
use crate::measure::{Clock, Times};
use crate::{Error, Options};

const PASSWORD: &str = "a password of the benchmark";

fn keys() -> Result<Keys, Error> {
    Ok(Keys::new(Secret::password(PASSWORD)?))
}

/// Measures P8.
pub fn run(options: &Options) -> Result<(), Error> {
    let count = options.choose(500, 20);
    // 4 to 256 KiB, as most encrypted assets are.
    let sizes = [4, 4, 8, 16, 16, 32, 64, 256].map(|kib: usize| kib << 10);
    let (mut packed, mut ids, mut total) = (PackBuilder::new(), Vec::new(), 0);
    let writer = keys()?;
    let sealer = Sealer::new(writer, Cipher::XCHACHA20_POLY1305, Salt::from_name("bench"))?;
    let mut plain = Vec::new();
    for number in 0..count {
        let size = sizes[number % sizes.len()];
        let bytes: Vec<u8> =
            (0..size as u64).map(|i| ((i + number as u64).wrapping_mul(0x9e37_79b9) >> 11) as u8).collect();
        let name = format!("{number}.bin");
        let chunk = StoredChunk::encode(
            FourCc::RAWD,
            &raw_block(".bin", &bytes),
            Compression::NONE,
            &mut Compressor::default(),
        )?;
        let id = ResourceId::from_path(&name);
        packed.push(Resource::new(&name, vec![chunk.seal(&sealer, id, 0)?]));
        ids.push(id);
        total += size;
        plain.push(bytes);
    }
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), packed.to_vec()?)?;

    // The same bytes under one key, in buffers that are ready; the bytes that are stored stay as they are, as in a map.
    let cipher = XChaCha20Poly1305::new(&Key::from([7; 32]));
    let mut stored = Vec::new();
    for (number, mut bytes) in plain.into_iter().enumerate() {
        let nonce = XNonce::from([number as u8; 24]);
        let tag = cipher.encrypt_inout_detached(&nonce, b"", bytes.as_mut_slice().into()).map_err(|_| "too long")?;
        stored.push((bytes, nonce, tag));
    }
    let mut buffer = vec![0; 256 << 10];
    let mut bare = || {
        for (bytes, nonce, tag) in &stored {
            let out = &mut buffer[..bytes.len()];
            out.copy_from_slice(bytes);
            let tag: &Tag = tag;
            cipher.decrypt_inout_detached(nonce, b"", (&mut *out).into(), tag).expect("it is whole");
        }
    };
    let open = |keys: &Keys, policy| PackOptions::default().keys(keys.clone()).crc_policy(policy).open(file.path());
    let load = |pack: &Pack, id: ResourceId| drop(black_box(pack.load::<Raw>(id).expect("the pack contains it")));
    let derived = keys()?;
    let warm = open(&derived, CrcPolicy::Once)?;
    let mut loads = || ids.iter().for_each(|id| load(&warm, *id));
    // As a game starts with the key of its last pack.
    let mut first = || {
        let pack = open(&derived, CrcPolicy::Once).expect("it is a pack");
        ids.iter().for_each(|id| load(&pack, *id));
    };
    let mut with_key = || {
        let pack = open(&keys().expect("it is a password"), CrcPolicy::Once).expect("it is a pack");
        ids.iter().for_each(|id| load(&pack, *id));
    };
    let rounds = options.choose(21, 3);
    let times = Times::take(Clock::Cpu, rounds, &mut [&mut bare, &mut loads, &mut first, &mut with_key]);
    let speed = |way| total as f64 / 1e9 / times.median(way);
    let say = |what: &str, way, goal| {
        let behind = format!("{:.2} / {:.2} GB/s", speed(way), speed(0));
        figure(
            "P8",
            format!("{count} encrypted assets: speed, {what}"),
            100.0 / times.ratio(way, 0),
            "%",
            goal,
            behind,
        );
    };
    say("load / bare cipher, ready buffer", 1, Goal::AtLeast(80.0));
    say("open and first load with its CRC / bare cipher", 2, Goal::Context);
    let derivation = 1e3 * (times.median(3) - times.median(2));
    let behind = format!("{} derivations in all that time", derived.derivations());
    figure("P8", "one derivation of the key from a password", derivation, "ms", Goal::Context, behind);
    Ok(())
}

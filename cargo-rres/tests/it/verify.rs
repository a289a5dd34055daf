//! What `verify` reports, and that damage never causes a panic or goes unnoticed.

use std::collections::BTreeSet;
use std::process::Stdio;

use rres_format::chunk::block;
use rres_format::chunk::glyphs::{FontStyle, Glyph, glyphs_block};
use rres_format::signature::{SecretKey, sign_set};
use rres_format::{ChunkInfo, Compression, FourCc, Header, PackBuilder, PackView, Resource, ResourceId};
use rres_test_data::picture::bmp;
use rres_test_data::random::noise;
use serde_json::{Value, json};

use super::damage::{
    POOL, STRINGS, chunk_offset, directory_offset, first_name, index_entry, index_section, put, restore_crc,
};
use super::packs::{chunk, custom, every_kind, raw, text};
use super::{Run, Sandbox};
use rres_packs::finding::{Code, Severity};

/// Offset of the name of the second entry of the directory of [`foreign`], from the name of the first.
const SECOND_NAME: usize = 8 + 16;

const JPEG: &[u8] = include_bytes!("../../../crates/test-data/fixtures/image/baseline.jpg");
const OPUS: &[u8] = include_bytes!("../../../crates/test-data/fixtures/sound/opus.ogg");

/// An Ogg file that says it is of a codec without a decoder.
fn speex() -> Vec<u8> {
    let mut file = OPUS.to_vec();
    let mark = file.windows(8).position(|bytes| bytes == b"OpusHead").unwrap();
    file[mark..mark + 8].copy_from_slice(b"Speex   ");
    // The CRC of the first page, which has a packet of 19 bytes.
    file[22..26].fill(0);
    let crc = file[..mark + 19].iter().fold(0u32, |crc, byte| {
        let step = |crc: u32, _| if crc >> 31 == 0 { crc << 1 } else { (crc << 1) ^ 0x04c1_1db7 };
        (0..8).fold(crc ^ (u32::from(*byte) << 24), step)
    });
    file[22..26].copy_from_slice(&crc.to_le_bytes());
    file
}

/// The packs of a set, in order.
type Packs = Vec<Vec<u8>>;

/// A pack with two texts, a group and a front index.
fn indexed() -> Vec<u8> {
    indexed_builder().to_vec().unwrap()
}

fn indexed_builder() -> PackBuilder<'static> {
    let mut pack = PackBuilder::new();
    let members = vec![ResourceId::from_path("b.txt")];
    pack.push_group(rres_format::index::GroupSpec { name: "level".to_owned(), members });
    [text("a.txt", "first"), text("b.txt", "second")].into_iter().for_each(|resource| pack.push(resource));
    pack
}

/// A pack with two raw files and a directory, as other programs write it.
fn foreign() -> Vec<u8> {
    pack_of(vec![raw("a.bin", b"first"), raw("b.bin", b"second")])
}

/// A pack with a directory and without a front index.
fn pack_of(resources: Vec<Resource<'_>>) -> Vec<u8> {
    let mut pack = PackBuilder::new().index(false);
    resources.into_iter().for_each(|resource| pack.push(resource));
    pack.to_vec().unwrap()
}

/// A pack with neither directory nor front index.
fn bare(resources: Vec<Resource<'_>>) -> Vec<u8> {
    let mut pack = PackBuilder::new().index(false).directory(false);
    resources.into_iter().for_each(|resource| pack.push(resource));
    pack.to_vec().unwrap()
}

/// Returns the pack with a signature after `damage`.
fn signed(pack: &[u8], damage: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let key = SecretKey::from_seed([3; 32]).unwrap();
    let mut chunk = sign_set(&[pack], &key).unwrap().remove(0).chunk;
    damage(&mut chunk);
    let mut pack = [pack, &chunk].concat();
    let at = pack.len() - chunk.len();
    restore_crc(&mut pack, at);
    pack
}

/// One pack of a set of two.
fn set_member(path: &str, additional: u32, hash: u8) -> Vec<u8> {
    let mut pack = PackBuilder::new().additional_packs(additional).set_hash([hash; 16]);
    pack.push(text(path, path));
    pack.to_vec().unwrap()
}

/// Applies `damage` to a pack and corrects the CRC of the chunk whose header is at `chunk`.
fn damaged(mut pack: Vec<u8>, chunk: usize, damage: impl FnOnce(&mut Vec<u8>)) -> Vec<Vec<u8>> {
    damage(&mut pack);
    restore_crc(&mut pack, chunk);
    vec![pack]
}

/// Damages the entry of `a.txt` in a front index.
fn damaged_entry(pack: Vec<u8>, damage: impl FnOnce(&mut [u8])) -> Packs {
    let entry = index_entry(&pack, "a.txt");
    damaged(pack, Header::SIZE, |pack| damage(&mut pack[entry..]))
}

/// Damages the directory of [`foreign`]; `damage` gets the bytes from the name of its first entry on.
fn damaged_directory(pack: Vec<u8>, damage: impl FnOnce(&mut [u8])) -> Packs {
    let (directory, name) = (directory_offset(&pack), first_name(&pack));
    damaged(pack, directory, |pack| damage(&mut pack[name..]))
}

/// The dev index of a debug build.
fn dev_index() -> Vec<u8> {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.txt", b"a");
    sandbox.run(["build", "assets", "-o", "out", "--debug"]).success();
    sandbox.read("out/assets.dev.rres")
}

/// A patch that stores a file as its difference from the old pack.
fn patch_with_a_delta() -> Vec<u8> {
    let sandbox = Sandbox::new();
    let lines: Vec<String> = (0..2000_u32).map(|line| line.wrapping_mul(2_654_435_761).to_string()).collect();
    for (version, first) in [("one", "old"), ("two", "new")] {
        sandbox.write(&format!("{version}/a.bin"), (first.to_owned() + &lines.concat()).as_bytes());
        sandbox.run(["pack", version, "-o", &format!("{version}.rres")]).success();
    }
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "patch.rres"]).success();
    sandbox.read("patch.rres")
}

/// A patch that adds a picture whose sibling is in the old pack.
fn patch_with_a_sibling() -> Vec<u8> {
    let sandbox = Sandbox::new();
    let mut pixels = noise(40 * 40 * 3);
    for version in ["one", "two"] {
        sandbox.write(&format!("{version}/a.bmp"), &bmp(40, 40, &pixels));
    }
    pixels[300..400].fill(0);
    sandbox.write("two/b.bmp", &bmp(40, 40, &pixels));
    for version in ["one", "two"] {
        sandbox.run(["pack", version, "-o", &format!("{version}.rres")]).success();
    }
    sandbox.run(["patch", "one.rres", "two.rres", "-o", "patch.rres"]).success();
    let patch = sandbox.read("patch.rres");
    assert!(patch.len() < 2000, "{} bytes of a picture that is like another", patch.len());
    patch
}

/// A pack of another program whose directory contains a name of 70,000 bytes.
fn overlong_name() -> Vec<u8> {
    let mut pack = bare(vec![raw("a.bin", b"a")]);
    let id = ResourceId::from_path("a.bin").0;
    let first_chunk = chunk_offset(&pack, "a.bin") as u32;
    let mut entries: Vec<u8> = [id, first_chunk, 0, 70_004].iter().flat_map(|number| number.to_le_bytes()).collect();
    entries.resize(entries.len() + 70_000, b'n');
    entries.extend([0; 4]);
    let directory = block(&[1], &entries);
    let at = pack.len();
    put(&mut pack, 8, (at - Header::SIZE) as u32);
    pack.extend(b"CDIR");
    let size = directory.len() as u32;
    pack.extend([0, 0, size, size, 0, 0, 0].iter().flat_map(|number: &u32| number.to_le_bytes()));
    pack.extend(directory);
    restore_crc(&mut pack, at);
    pack
}

/// Returns a pack after `damage`, which gets the offset of the header of the resource's first chunk.
fn damaged_chunk(mut pack: Vec<u8>, path: &str, damage: impl FnOnce(&mut Vec<u8>, usize)) -> Packs {
    let at = chunk_offset(&pack, path);
    damage(&mut pack, at);
    vec![pack]
}

/// Returns a pack whose resource is a chunk of bytes that do not mean anything without a key.
fn encrypted(pack: Vec<u8>, path: &str) -> Vec<u8> {
    let at = chunk_offset(&pack, path);
    let end = PackView::parse(&pack).unwrap().chunk_at(at as u32).unwrap().end() as usize;
    damaged(pack, at, |pack| {
        pack[at + 9] = 30;
        pack[at + ChunkInfo::SIZE..end].iter_mut().for_each(|byte| *byte ^= 0xa5);
    })
    .remove(0)
}

/// A pack with one resource of one chunk, and neither directory nor front index.
fn one_chunk(path: &str, kind: FourCc, block: &[u8]) -> Packs {
    vec![bare(vec![Resource::new(path, vec![chunk(kind, block, Compression::NONE)])])]
}

fn game_data() -> Vec<u8> {
    let mut builder = PackBuilder::new();
    builder.push(custom("levels/1.toml", *b"q1z8", b"level", Compression::NONE));
    builder.to_vec().unwrap()
}

/// For each code a pack, every code that `verify` reports about it, and part of the message of the first.
#[rustfmt::skip]
fn cases() -> Vec<(Packs, &'static [Code], &'static str)> {
    use Code::*;
    let index = Header::SIZE;
    vec![
        (vec![set_member("a.txt", 1, 1)],
            &[PackMissing], "additional pack 1 of 1: cannot open game.1.rres: no such file"),
        (vec![set_member("a.txt", 1, 1), set_member("b.txt", 0, 2)],
            &[SetMismatch], "comes from another build than game.rres"),
        (vec![overlong_name()],
            &[DirectoryNameInvalid, PackUnloadable], "is not a valid asset path"),
        (damaged(indexed(), index, |pack| put(pack, index + ChunkInfo::SIZE + 4, 9)),
            &[IndexDamaged], "layout version 9, expected 2"),

        (damaged_chunk(indexed(), "b.txt", |pack, at| pack.truncate(at + 40)),
            &[FileTruncated], "1 of 2 resources is lost: \"b.txt\""),
        (damaged_chunk(foreign(), "b.bin", |pack, at| pack.truncate(at)),
            &[FileTruncated], "bytes; 1 of 3 chunks is lost; copy"),
        (damaged_chunk(bare(vec![raw("a.bin", b"a")]), "a.bin", |pack, at| pack.truncate(at + 40)),
            &[ChunkTruncated], "truncated stored bytes of a chunk"),
        (vec![{ let mut pack = bare(vec![raw("a.bin", b"a")]); pack[6] += 1; pack }],
            &[ChunkCount], "expected 3 chunks, as the file header counts, found 2 chunks"),
        (vec![[&foreign()[..], b"tail"].concat()],
            &[TrailingBytes], "found 4 bytes after the last chunk"),
        (damaged_chunk(indexed(), "a.txt", |pack, at| pack[at + 60] ^= 1),
            &[CrcMismatch], "the chunk is damaged: crc32 is"),
        (damaged_chunk(foreign(), "a.bin", |pack, at| pack[at + 8] = 77),
            &[DecodeFailed], "compression 77 is unknown"),
        (damaged_chunk(indexed(), "a.txt", |pack, at| { put(pack, at + ChunkInfo::SIZE + 4, 1000); restore_crc(pack, at); }),
            &[PayloadInvalid], "truncated text at offset 0: expected 1000 bytes"),
        (vec![encrypted(foreign(), "a.bin")],
            &[Encrypted], "1 chunk is encrypted with AES; only the CRC was checked"),
        (vec![patch_with_a_delta()],
            &[Delta], "1 chunk is stored as differences from chunks of another pack; only the CRC was checked"),
        (vec![patch_with_a_sibling()],
            &[Delta], "1 chunk is stored as differences from chunks of another pack; only the CRC was checked"),
        (damaged_chunk(indexed(), "a.txt", |pack, at| pack[at + 9] = 30),
            &[CipherWrong], "claims to be encrypted with AES, and its bytes are not"),
        (damaged_chunk(indexed(), "a.txt", |pack, at| pack[at] ^= 1),
            &[ChunkKindUnknown, ChunkKindUnexpected], "does not define this kind"),
        (one_chunk("tiles.map", FourCc(*b"TMX "), b"any bytes"),
            &[ChunkKindUnknown], "rres v1.0 does not define this kind"),
        (vec![game_data()],
            &[GameData], "1 chunk is data of types of the game; only the CRC was checked"),
        (one_chunk("movie", FourCc::LINK, &block(&[8], b"movie.mp")),
            &[LinkUnterminated], "does not end with a NUL"),

        (damaged_chunk(foreign(), "a.bin", |pack, at| put(pack, at + 20, 24)),
            &[ChainBroken], "links to offset 24, where no chunk starts"),
        (damaged_chunk(foreign(), "a.bin", |pack, at| put(pack, at + 20, at as u32)),
            &[ChainLoop], "its links lead back to itself"),

        (vec![{ let mut pack = foreign(); put(&mut pack, 8, 8); pack }],
            &[DirectoryDamaged], "expected a CDIR chunk at offset 24 or 8, found none"),
        (damaged_directory(foreign(), |name| name[SECOND_NAME] = b'a'),
            &[DirectoryDuplicateName], "the name occurs twice"),
        (damaged_directory(foreign(), |name| name[SECOND_NAME - 12] = 17),
            &[DirectoryWrongOffset], "where no chunk starts"),
        (damaged_directory(foreign(), |name| name[0] = 0xff),
            &[DirectoryNameInvalid], "is not a valid asset path"),

        (damaged_entry(indexed(), |entry| (entry[24], entry[32]) = (200, 1)),
            &[IndexEntryInvalid], "truncated index pool"),
        (damaged(indexed_builder().directory(false).to_vec().unwrap(), index, |pack| { let at = index_section(pack, STRINGS); pack[at] ^= 1; }),
            &[IndexLookupFailed], "does not find the resource by its id or its path"),
        (damaged_chunk(indexed(), "a.txt", |pack, at| pack[at + 24] ^= 1),
            &[IndexCrcMismatch], "or a chunk header that it leads to is damaged: crc32 is"),
        (damaged_entry(indexed(), |entry| put(entry, 4, chunk_offset(&indexed(), "b.txt") as u32)),
            &[IndexChunksMissing, IndexIncomplete], "expected a chunk of"),
        (damaged_entry(indexed(), |entry| entry[34] = 0),
            &[IndexChunksMissing, IndexIncomplete], "the entry has no chunks"),
        (damaged_entry(indexed(), |entry| entry[8] += 4),
            &[IndexSizeWrong], "expected its chunks to end at offset"),
        (damaged_chunk(indexed(), "a.txt", |pack, at| pack[at + 16] += 1),
            &[IndexSizeWrong], "bytes when decoded, found"),
        (damaged(indexed(), index, |pack| { let at = index_section(pack, POOL); put(pack, at, 999); }),
            &[GroupInvalid], "group \"level\" has 1 member outside the front index"),
        (damaged_directory(indexed(), |name| name[0] = b'z'),
            &[IndexDirectoryDiffer, IndexDirectoryDiffer], "is in the front index, but not in the central directory"),
        (damaged_entry(indexed(), |entry| entry[36] = 200),
            &[AssetKindUnknown], "does not know the kind of the asset"),
        (vec![dev_index()],
            &[DevIndex], "the blobs that it refers to were not checked"),

        (damaged_chunk(bare(vec![raw("a.bin", b"a")]), "a.bin", |pack, at| put(pack, at + 4, 0)),
            &[IdReserved], "has the id 0"),
        (damaged_chunk(bare(["a", "b", "c"].map(|path| raw(path, b"")).into()), "c", |pack, at| put(pack, at + 4, ResourceId::from_path("a").0)),
            &[IdDuplicate], "has the same id as the one at offset"),
        (vec![bare(vec![Resource::new("a.bin", vec![raw("", b"a").chunks.remove(0).unlinked(), raw("", b"b").chunks.remove(0)])])],
            &[ChunkUnlinked], "continues the resource at offset"),
        (one_chunk("a.ttf", FourCc::FNTG, &glyphs_block(8, 1, FontStyle::REGULAR, &[Glyph::default()])),
            &[AssetInconsistent], "expected a chunk of kind IMGE, found none"),
        (vec![bare(vec![raw("photo.jpg", &JPEG[..JPEG.len() / 2])])],
            &[SourceDamaged], "its file is a JPEG that ends early"),
        (vec![signed(&foreign(), |_| {})],
            &[SignatureUnchecked], "the pack is signed with the key"),
        (vec![signed(&foreign(), |chunk| { let at = chunk.len() - 20; chunk[at] ^= 1 })],
            &[SignatureWrong], "its signature was not made with the key"),
        (vec![bare(vec![raw("song.ogg", &speex())])],
            &[SourceUnchecked], "1 file of a format that is not decoded here"),
    ]
}

/// Runs `verify --json` on a set of packs. Returns the findings about all of them.
#[track_caller]
fn findings(packs: &[Vec<u8>]) -> Vec<Value> {
    let sandbox = Sandbox::new();
    for (number, pack) in packs.iter().enumerate() {
        sandbox.write(&rres_protocol::files::pack_file_name("game", number as u32), pack);
    }
    let run = sandbox.run(["verify", "--json", "game.rres"]);
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    let packs = report["packs"].as_array().unwrap();
    let findings: Vec<Value> = packs.iter().flat_map(|pack| pack["findings"].as_array().unwrap().clone()).collect();
    let is_ok = findings.iter().all(|finding| finding["severity"] != "error");
    assert_eq!((run.code, &report["ok"]), (i32::from(!is_ok), &json!(is_ok)), "{run:?}");
    findings
}

/// The messages of the findings that are errors.
#[track_caller]
fn errors(pack: &[u8]) -> Vec<String> {
    let errors = findings(&[pack.to_vec()]).into_iter().filter(|finding| finding["severity"] == "error");
    errors.map(|finding| finding["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_code_is_reported_with_its_severity_and_message() {
    let mut reported: BTreeSet<Code> = BTreeSet::new();
    for (packs, codes, message) in cases() {
        let found = findings(&packs);
        assert!(codes.iter().all(|code| code.meaning().ends_with('.')));
        // Most damage changes what the CRC of an entry covers. That has a case of its own.
        let found: Vec<Value> = match codes.contains(&Code::IndexCrcMismatch) {
            true => found,
            false => found.into_iter().filter(|finding| finding["code"] != Code::IndexCrcMismatch.name()).collect(),
        };
        let expected: Vec<Value> = codes.iter().map(|code| json!([code.name(), code.severity().name()])).collect();
        let pairs: Vec<Value> = found.iter().map(|finding| json!([finding["code"], finding["severity"]])).collect();
        assert_eq!(pairs, expected, "{found:#?}");
        assert!(found[0]["message"].as_str().unwrap().contains(message), "{message:?} is not in {:?}", found[0]);
        reported.extend(codes);
    }
    // Its cases are in `compat.rs`.
    reported.insert(Code::RaylibUnreadable);
    // Their cases are in `nbr.rs` and `srsc.rs`.
    reported.extend([Code::ForeignDamaged, Code::ForeignNote]);
    let missing: Vec<&Code> = Code::ALL.iter().filter(|code| !reported.contains(code)).collect();
    assert!(missing.is_empty(), "no case reports {missing:?}");
}

#[test]
fn findings_name_the_resource_and_the_chunk() {
    let mut pack = indexed();
    let at = chunk_offset(&pack, "a.txt");
    pack[at + 60] ^= 1;
    let id = ResourceId::from_path("a.txt").to_string();
    let found = findings(&[pack.clone()]).remove(0);
    let place = json!({ "path": "a.txt", "id": id, "chunk": "TEXT", "offset": at });
    for (field, value) in place.as_object().unwrap() {
        assert_eq!(&found[field], value, "{field}");
    }
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack);
    let out = sandbox.run(["verify", "game.rres"]).out;
    let line =
        format!("error[crc-mismatch]: game.rres: \"a.txt\" ({id}), TEXT chunk at offset {at}: the chunk is damaged");
    assert!(out.starts_with(&line), "{line} does not start {out}");
    assert!(out.contains("\ngame.rres: 1 error; 4 chunks read, "), "{out}");
}

#[test]
fn intact_packs_have_no_findings() {
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &every_kind().to_vec().unwrap());
    let out = sandbox.run(["verify", "game.rres"]).success().out;
    assert!(out.starts_with("game.rres: ok; "), "{out}");
    for pack in [indexed(), foreign(), PackBuilder::new().to_vec().unwrap()] {
        assert_eq!(findings(&[pack]), [] as [Value; 0]);
    }
    let notes = findings(&[every_kind().index(false).to_vec().unwrap()]);
    assert!(notes.iter().all(|note| note["code"] == Code::ChunkUnlinked.name()), "{notes:#?}");
}

#[test]
fn every_damaged_chunk_is_reported() {
    let mut pack = every_kind().to_vec().unwrap();
    let paths = ["text/credits.txt", "data/table.bin"];
    for path in paths {
        let at = chunk_offset(&pack, path) + ChunkInfo::SIZE + 30;
        pack[at] ^= 1;
    }
    let found = findings(&[pack]);
    assert_eq!(found.len(), 2, "{found:#?}");
    for path in paths {
        assert!(found.iter().any(|finding| finding["path"] == path && finding["code"] == "crc-mismatch"), "{found:#?}");
    }
}

#[test]
fn compressed_bytes_that_do_not_decode_are_reported_although_their_crc_is_right() {
    let mut pack = every_kind().to_vec().unwrap();
    let at = chunk_offset(&pack, "ui/button.png");
    pack[at + ChunkInfo::SIZE + 12] ^= 0x55;
    restore_crc(&mut pack, at);
    let found = findings(&[pack]);
    assert_eq!((&found[0]["chunk"], &found[0]["code"]), (&json!("IMGE"), &json!("payload-invalid")));
    // The CRC of the chunk was made to fit, so its header has changed.
    assert_eq!((found.len(), &found[1]["code"]), (2, &json!("index-crc-mismatch")));
}

/// `verify damaged.rres | head -1` in a script with `pipefail` must not succeed.
#[test]
fn a_reader_that_stops_reading_does_not_change_the_exit_code() {
    let mut pack = every_kind().to_vec().unwrap();
    let at = chunk_offset(&pack, "text/credits.txt") + ChunkInfo::SIZE + 30;
    for (damage, code) in [(0, 0), (1, 1)] {
        pack[at] ^= damage;
        let sandbox = Sandbox::new();
        sandbox.write("game.rres", &pack);
        for arguments in [&["verify", "game.rres"][..], &["verify", "--json", "game.rres"]] {
            let mut command = sandbox.command();
            let mut child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            assert_eq!(Run::from(child.wait_with_output().unwrap()).code, code, "{arguments:?}");
        }
    }
}

#[test]
fn a_loop_of_several_chunks_is_reported_once() {
    let mut pack = every_kind().index(false).to_vec().unwrap();
    let at = chunk_offset(&pack, "models/triangle.glb");
    let second = PackView::parse(&pack).unwrap().chunk_at(at as u32).unwrap().end();
    put(&mut pack, second as usize + 20, at as u32);
    assert_eq!(errors(&pack), ["its links lead back to itself"]);
}

#[test]
fn a_damaged_index_is_reported_and_the_rest_still_lists() {
    let mut pack = every_kind().to_vec().unwrap();
    // The layout version.
    put(&mut pack, Header::SIZE + ChunkInfo::SIZE + 4, 9);
    let sandbox = Sandbox::new();
    sandbox.write("pack.rres", &pack);
    let texts = ["error[index-damaged]: pack.rres: front index: layout version 9, expected 2"];
    let run = sandbox.run(["ls", "pack.rres"]).failed(1, &texts);
    assert!(run.out.contains("text/credits.txt"), "{}", run.out);
    let run = sandbox.run(["ls", "--json", "pack.rres"]).failed(1, &texts);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let finding = &report["findings"][0];
    assert_eq!((&finding["code"], &finding["pack"]), (&json!("index-damaged"), &json!("pack.rres")));
    let run = sandbox.run(["info", "--json", "pack.rres"]).failed(1, &texts);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["findings"][0]["severity"], Severity::Error.name());
    sandbox.run(["cat", "pack.rres", "text/credits.txt"]).success();
}

#[test]
fn unknown_kinds_and_encrypted_chunks_are_listed_and_not_errors() {
    let mut builder = PackBuilder::new().index(false);
    builder.push(Resource::new("tiles.map", vec![chunk(FourCc(*b"TMX "), b"any bytes", Default::default())]));
    builder.push(text("secret.txt", "encrypted"));
    let pack = encrypted(builder.to_vec().unwrap(), "secret.txt");
    let sandbox = Sandbox::new();
    sandbox.write("pack.rres", &pack);
    let out = sandbox.run(["ls", "pack.rres"]).success().out;
    assert!(out.contains("TMX "), "{out}");
    assert!(out.contains("encrypted with AES"), "{out}");
    let out = sandbox.run(["verify", "pack.rres"]).success().out;
    for note in ["note[encrypted]: ", "encrypted with AES", "note[chunk-kind-unknown]: ", "TMX  chunk"] {
        assert!(out.contains(note), "{note} is not in {out}");
    }
    let out = sandbox.run(["info", "pack.rres", "secret.txt"]).success().out;
    assert!(out.contains("it is encrypted with AES; give the password"), "{out}");
    sandbox.run(["cat", "pack.rres", "secret.txt"]).failed(2, &["secret.txt: it is encrypted with AES", "--key-env"]);
    sandbox.run(["extract", "pack.rres", "-o", "tree"]).failed(0, &["skipped secret.txt: it is encrypted with AES"]);
}

#[test]
fn truncation_and_flipped_bytes_never_cause_a_panic_or_a_hang() {
    let sandbox = Sandbox::new();
    for (name, whole) in
        [("own", every_kind().to_vec().unwrap()), ("foreign", every_kind().index(false).to_vec().unwrap())]
    {
        // A prime step meets every kind of field without a process for each byte.
        for at in (0..whole.len()).step_by(131) {
            let mut flipped = whole.clone();
            flipped[at] ^= 0xff;
            for (what, bytes) in [("truncated", &whole[..at]), ("flipped", &flipped)] {
                sandbox.write("pack.rres", bytes);
                let run = sandbox.run(["verify", "pack.rres"]);
                // Only bytes without a meaning may change unnoticed.
                assert!(run.code == 1 || what == "flipped", "{name}, {what} at {at}: {run:?}");
                let ls = sandbox.run(["ls", "pack.rres"]);
                assert!(ls.code < 2, "{name}, {what} at {at}: {ls:?}");
            }
        }
    }
}

#[test]
fn a_file_that_is_cut_off_is_one_finding() {
    let mut pack = PackBuilder::new();
    (0..150).for_each(|i| pack.push(raw(&format!("data/{i:03}.bin"), &[i as u8; 5000])));
    let whole = pack.to_vec().unwrap();
    let sandbox = Sandbox::new();
    let len = crate::grouped(whole.len());
    sandbox.write("cut.rres", &whole[..100_000]);
    let expected = format!(
        "the file is cut off at 100,000 of {len} bytes; 133 of 150 resources are lost: \"data/017.bin\", \"data/018.bin\", \
         \"data/019.bin\", and 130 more; copy or download it again"
    );
    let out = sandbox.run(["verify", "cut.rres"]).out;
    assert_eq!(out.lines().next().unwrap(), format!("error[file-truncated]: cut.rres: {expected}"));
    assert!(out.contains("\ncut.rres: 1 error; 18 chunks read"), "{out}");
    for command in [&["ls", "cut.rres"][..], &["info", "cut.rres"], &["extract", "cut.rres", "-o", "tree"]] {
        let run = sandbox.run(command).failed(1, &[&expected]);
        assert_eq!(run.err.lines().count(), 1, "{run:?}");
    }
    assert_eq!(sandbox.read("tree/data/016.bin"), [16; 5000]);
    for end in [whole.len() - 1, whole.len() - 40, directory_offset(&whole), directory_offset(&whole) + 10] {
        let found = findings(&[whole[..end].to_vec()]);
        assert_eq!((found.len(), &found[0]["code"]), (1, &json!("file-truncated")), "{end}: {found:#?}");
        let message = found[0]["message"].as_str().unwrap();
        assert!(message.contains(&format!(" of {len} bytes; only the central directory is lost")), "{message}");
    }
}

/// What no CRC covers: kinds, ciphers, sizes, ids and links in the headers of chunks. A game would load a font without its
/// glyphs, or a model without its structure.
#[test]
fn no_damage_of_a_chunk_header_goes_unnoticed() {
    let whole = every_kind().to_vec().unwrap();
    let view = PackView::parse(&whole).unwrap();
    let headers: Vec<usize> = view.chunks().map(|chunk| chunk.unwrap().offset as usize).collect();
    let sandbox = Sandbox::new();
    for at in headers {
        let kind = String::from_utf8_lossy(&whole[at..at + 4]).into_owned();
        // Flags and reserved bytes have no meaning. Neither have ids and links outside of resources, and one byte more or
        // less of its block is padding.
        let is_resource = !["INDX", "CDIR", "NULL"].contains(&kind.as_str());
        let has_meaning =
            |byte: &usize| !matches!(byte, 10 | 11 | 24..28) && (is_resource || !matches!(byte, 4..8 | 16 | 20..24));
        for byte in (0..ChunkInfo::SIZE).filter(has_meaning) {
            let mut pack = whole.clone();
            pack[at + byte] ^= 1;
            sandbox.write("pack.rres", &pack);
            let run = sandbox.run(["verify", "pack.rres"]);
            assert_eq!(run.code, 1, "byte {byte} of the {kind} chunk at {at}: {run:?}");
        }
    }
}

#[test]
fn a_set_is_checked_as_a_whole() {
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &set_member("a.txt", 1, 1));
    sandbox.write("game.1.rres", &set_member("b.txt", 0, 1));
    let out = sandbox.run(["verify", "game.rres"]).success().out;
    assert_eq!(out.matches(": ok; ").count(), 2, "{out}");
    let out = sandbox.run(["ls", "game.rres"]).success().out;
    assert!(out.contains("a.txt") && out.contains("b.txt"), "{out}");
    assert_eq!(sandbox.run(["cat", "game.rres", "b.txt"]).success().out, "b.txt");

    sandbox.write("game.1.rres", &set_member("b.txt", 0, 2));
    let run = sandbox.run(["verify", "game.rres"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("game.1.rres: the pack comes from another build than game.rres"), "{}", run.out);

    std::fs::remove_file(sandbox.path("game.1.rres")).unwrap();
    let run = sandbox.run(["verify", "game.rres"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("cannot open game.1.rres: no such file"), "{}", run.out);
    sandbox.run(["ls", "game.rres"]).failed(1, &["error[pack-missing]: game.rres: additional pack 1 of 1"]);
    sandbox.run(["cat", "game.rres", "b.txt"]).failed(2, &["the pack set is incomplete: additional pack 1 of 1"]);
}

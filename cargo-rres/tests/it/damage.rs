//! What `verify` finds, and that damage never ends in a panic or silence.

use rres_format::{ChunkInfo, FourCc, Header, PackBuilder, PackView, Resource, ResourceId};
use serde_json::Value;

use super::Place;
use super::packs::{chunk, every_kind, raw, text};

/// The problems that `verify` finds in a pack.
fn problems(bytes: &[u8]) -> Vec<String> {
    let place = Place::new();
    place.write("pack.rres", bytes);
    let run = place.run(["verify", "--json", "pack.rres"]);
    let found: Value = serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    let problems = found["packs"][0]["problems"].as_array().unwrap();
    assert_eq!((run.code, found["ok"].as_bool().unwrap()), (i32::from(!problems.is_empty()), problems.is_empty()));
    problems.iter().map(|problem| problem.as_str().unwrap().to_owned()).collect()
}

/// The one problem of a pack.
#[track_caller]
fn problem(bytes: &[u8]) -> String {
    let mut problems = problems(bytes);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.remove(0)
}

/// The offset of the head of the first chunk of a resource.
fn head(pack: &[u8], path: &str) -> usize {
    PackView::parse(pack).unwrap().find(ResourceId::from_path(path)).unwrap().unwrap().offset as usize
}

fn put(pack: &mut [u8], at: usize, value: u32) {
    pack[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Makes the CRC of the chunk at `at` right again.
fn restore_crc(pack: &mut [u8], at: usize) {
    let stored = at + ChunkInfo::SIZE;
    let size = u32::from_le_bytes(pack[at + 12..at + 16].try_into().unwrap()) as usize;
    let crc = PackView::parse(pack).unwrap().chunk_at(at as u32).unwrap().verify();
    if let Err(rres_format::Error::CrcMismatch { computed, .. }) = crc {
        put(pack, at + 28, computed);
    }
    assert!(stored + size <= pack.len());
}

#[test]
fn whole_packs_are_fine() {
    let place = Place::new();
    place.write("game.rres", &every_kind().to_vec().unwrap());
    let out = place.run(["verify", "game.rres"]).fine().out;
    assert!(out.starts_with("game.rres: ok; "), "{out}");
    assert!(problems(&every_kind().index(false).directory(false).to_vec().unwrap()).is_empty());
    assert!(problems(&PackBuilder::new().to_vec().unwrap()).is_empty());
}

#[test]
fn every_damaged_chunk_is_named() {
    let mut pack = every_kind().to_vec().unwrap();
    for path in ["text/credits.txt", "data/table.bin"] {
        let at = head(&pack, path) + ChunkInfo::SIZE + 30;
        pack[at] ^= 1;
    }
    let found = problems(&pack);
    assert_eq!(found.len(), 2, "{found:#?}");
    for path in ["text/credits.txt", "data/table.bin"] {
        let (id, offset) = (ResourceId::from_path(path), head(&pack, path));
        let text = format!("chunk of resource {id} at offset {offset} is damaged: crc32 is");
        assert!(found.iter().any(|problem| problem.starts_with(&text)), "{text} is not in {found:#?}");
    }
}

#[test]
fn chunks_that_do_not_decode_are_named_even_where_their_crc_is_right() {
    let mut pack = every_kind().to_vec().unwrap();
    let at = head(&pack, "ui/button.png");
    pack[at + ChunkInfo::SIZE + 12] ^= 0x55;
    restore_crc(&mut pack, at);
    assert!(problem(&pack).starts_with("IMGE chunk of "), "{}", problem(&pack));
    let mut pack = every_kind().to_vec().unwrap();
    let at = head(&pack, "text/credits.txt");
    // The size property.
    put(&mut pack, at + ChunkInfo::SIZE + 4, 1000);
    restore_crc(&mut pack, at);
    assert!(problem(&pack).contains("text at offset 0 needs 1000 bytes"), "{}", problem(&pack));
}

#[test]
fn links_lead_to_chunks_and_end() {
    let mut pack = every_kind().index(false).to_vec().unwrap();
    let at = head(&pack, "models/triangle.glb");
    put(&mut pack, at + 20, at as u32 + 8);
    let text = problem(&pack);
    assert!(text.contains("links to offset") && text.contains("where no chunk starts"), "{text}");
    let second =
        PackView::parse(&every_kind().index(false).to_vec().unwrap()).unwrap().chunk_at(at as u32).unwrap().end();
    let mut pack = every_kind().index(false).to_vec().unwrap();
    put(&mut pack, second as usize + 20, at as u32);
    assert!(problem(&pack).contains("comes back to it"), "{}", problem(&pack));
}

#[test]
fn index_directory_and_chunks_agree() {
    // The index leads to another resource.
    let whole = every_kind().to_vec().unwrap();
    let view = PackView::parse(&whole).unwrap();
    let id = ResourceId::from_path("data/table.bin");
    let slot = view.index().unwrap().find(id).unwrap() as usize;
    let index = Header::SIZE + ChunkInfo::SIZE;
    let data = index + 16;
    let entries = u32::from_le_bytes(whole[data + 12..data + 16].try_into().unwrap()) as usize;
    let mut pack = whole.clone();
    put(&mut pack, data + entries + slot * 40, head(&whole, "text/credits.txt") as u32);
    restore_crc(&mut pack, Header::SIZE);
    let found = problems(&pack);
    assert!(found.iter().any(|p| p.contains("\"data/table.bin\"") && p.contains("leads to offset")), "{found:#?}");
    assert!(found.iter().any(|p| p.contains("is not in the index")), "{found:#?}");

    // A name of the directory, and its offset.
    let directory = view.header().directory_offset as usize + Header::SIZE;
    let first_entry = directory + ChunkInfo::SIZE + 8;
    let mut pack = whole.clone();
    pack[first_entry + 16] ^= 0x20;
    put(&mut pack, first_entry + 4, 17);
    restore_crc(&mut pack, directory);
    let found = problems(&pack);
    assert!(found.iter().any(|p| p.contains("leads to offset 17, where no chunk starts")), "{found:#?}");
    assert!(found.iter().any(|p| p.contains("is in the directory, but not in the index")), "{found:#?}");
    assert!(found.iter().any(|p| p.contains("is in the index, but not in the directory")), "{found:#?}");
}

#[test]
fn a_damaged_index_is_a_problem_and_the_rest_still_lists() {
    let mut pack = every_kind().to_vec().unwrap();
    // The layout version.
    put(&mut pack, Header::SIZE + ChunkInfo::SIZE + 4, 9);
    let place = Place::new();
    place.write("pack.rres", &pack);
    let run = place.run(["ls", "pack.rres"]).failed(1, &["front index: layout version 9, expected 1"]);
    assert!(run.out.contains("text/credits.txt"), "{}", run.out);
    assert!(problems(&pack).iter().any(|p| p.contains("layout version 9")));
    place.run(["cat", "pack.rres", "text/credits.txt"]).fine();
}

#[test]
fn ids_are_unique_and_not_zero() {
    let mut builder = PackBuilder::new().index(false).directory(false);
    ["a.bin", "between.bin", "b.bin"].into_iter().for_each(|path| builder.push(raw(path, path.as_bytes())));
    let mut pack = builder.to_vec().unwrap();
    let (a, b) = (head(&pack, "a.bin"), head(&pack, "b.bin"));
    put(&mut pack, b + 4, ResourceId::from_path("a.bin").0);
    assert!(problem(&pack).contains(&format!("stands at offset {a} and again at {b}")), "{}", problem(&pack));
    put(&mut pack, b + 4, 0);
    assert!(problem(&pack).contains("has the id 0"), "{}", problem(&pack));
}

#[test]
fn counts_match_what_is_there() {
    let whole = every_kind().index(false).directory(false).to_vec().unwrap();
    let mut pack = whole.clone();
    pack[6] += 1;
    assert!(problem(&pack).contains("the header counts"), "{}", problem(&pack));
    let pack = [&whole[..], b"tail"].concat();
    assert!(problem(&pack).contains(&format!("4 bytes from offset {} on", whole.len())), "{}", problem(&pack));
}

#[test]
fn unknown_kinds_and_seals_are_listed_and_no_problem() {
    let mut builder = PackBuilder::new().index(false);
    builder.push(Resource::new("tiles.map", vec![chunk(FourCc(*b"TMX "), b"any bytes", Default::default())]));
    builder.push(text("secret.txt", "sealed"));
    let mut pack = builder.to_vec().unwrap();
    let at = head(&pack, "secret.txt");
    pack[at + 9] = 30;
    let place = Place::new();
    place.write("pack.rres", &pack);
    let out = place.run(["ls", "pack.rres"]).fine().out;
    assert!(out.contains("TMX "), "{out}");
    assert!(out.contains("sealed with AES"), "{out}");
    let out = place.run(["verify", "pack.rres"]).fine().out;
    assert!(out.contains("note: ") && out.contains("sealed with AES") && out.contains("TMX  chunk"), "{out}");
    let out = place.run(["info", "pack.rres", "secret.txt"]).fine().out;
    assert!(out.contains("cipher AES (30) is not supported"), "{out}");
    place.run(["cat", "pack.rres", "secret.txt"]).failed(1, &["secret.txt: cipher AES (30) is not supported"]);
}

#[test]
fn no_cut_and_no_flipped_byte_panics_or_hangs() {
    let place = Place::new();
    for (name, whole) in
        [("own", every_kind().to_vec().unwrap()), ("foreign", every_kind().index(false).to_vec().unwrap())]
    {
        // A prime step meets every kind of field without trying each byte in a process of its own.
        for at in (0..whole.len()).step_by(131) {
            let mut flipped = whole.clone();
            flipped[at] ^= 0xff;
            for (what, bytes) in [("cut", &whole[..at]), ("flip", &flipped)] {
                place.write("pack.rres", bytes);
                let run = place.run(["verify", "pack.rres"]);
                // Only bytes that the format leaves free may go unnoticed.
                assert!(run.code == 1 || what == "flip", "{name}, {what} at {at}: {run:?}");
                let ls = place.run(["ls", "pack.rres"]);
                assert!(ls.code < 2, "{name}, {what} at {at}: {ls:?}");
            }
        }
    }
}

#[test]
fn a_set_is_checked_as_a_whole() {
    let place = Place::new();
    let part = |name: &str, further: u32, hash: u8| {
        let mut pack = PackBuilder::new().further_packs(further).set_hash([hash; 16]);
        pack.push(text(name, name));
        pack.to_vec().unwrap()
    };
    place.write("game.rres", &part("a.txt", 1, 1));
    place.write("game.1.rres", &part("b.txt", 0, 1));
    let out = place.run(["verify", "game.rres"]).fine().out;
    assert_eq!(out.matches(": ok; ").count(), 2, "{out}");
    let out = place.run(["ls", "game.rres"]).fine().out;
    assert!(out.contains("a.txt") && out.contains("b.txt"), "{out}");
    assert_eq!(place.run(["cat", "game.rres", "b.txt"]).fine().out, "b.txt");

    place.write("game.1.rres", &part("b.txt", 0, 2));
    let run = place.run(["verify", "game.rres"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("is not of the same set as game.rres"), "{}", run.out);

    std::fs::remove_file(place.path("game.1.rres")).unwrap();
    let run = place.run(["verify", "game.rres"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("cannot open game.1.rres: no such file"), "{}", run.out);
    place.run(["ls", "game.rres"]).failed(1, &["pack 1 of the 1 further ones of the set"]);
}

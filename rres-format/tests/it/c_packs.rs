//! Compares packs that the C library wrote, in `tests/c-packs`, with what its own readers found in them.
//!
//! `expected.tsv` has a line per chunk with the C reader's result; `quirk/` contains unusual and broken packs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rres_format::chunk::{
    image::ImageView, link::LinkView, raw::RawView, text::TextView, vertex::VertexView, wave::WaveView,
};
use rres_format::{ChunkView, Cipher, Decompressor, Error, FourCc, PackView, ResourceId};

use crate::probe;

/// The file `name` of `tests/c-packs`.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c-packs").join(name)
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(file(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn expected() -> String {
    std::fs::read_to_string(file("expected.tsv")).unwrap()
}

/// One line of `expected.tsv`.
struct Row<'a> {
    name: &'a str,
    id: ResourceId,
    chunk: usize,
    kind: &'a str,
    compression: u8,
    cipher: u8,
    packed_size: u32,
    base_size: u32,
    props: Vec<u32>,
    data_size: usize,
    data_crc: u32,
    note: &'a str,
}

impl<'a> Row<'a> {
    fn parse(line: &'a str) -> (&'a str, Self) {
        let field: Vec<&str> = line.split('\t').collect();
        let hex = |i: usize| u32::from_str_radix(field[i], 16).unwrap();
        let number = |i: usize| field[i].parse().unwrap();
        let props: Vec<u32> = field[13].split(',').map(|prop| prop.parse().unwrap()).collect();
        assert_eq!(props.len() as u32, number(12));
        let row = Self {
            name: field[3],
            id: ResourceId(hex(4)),
            chunk: number(5) as usize,
            kind: field[6],
            compression: number(7) as u8,
            cipher: number(8) as u8,
            packed_size: number(9),
            base_size: number(10),
            props,
            data_size: number(14) as usize,
            data_crc: hex(15),
            note: field.get(17).copied().unwrap_or_default(),
        };
        (field[0], row)
    }

    fn check(&self, file: &str, view: &PackView<'_>) {
        let what = format!("{file}: {} chunk {}", &self.name[..self.name.len().min(40)], self.chunk);
        let directory = view.directory().unwrap().expect(file);
        assert_eq!(directory.find(self.name), Ok(Some(self.id)), "{what}");
        let first = view.find(self.id).unwrap().expect(&what);
        let chunk = view.chain(first).nth(self.chunk).expect(&what).unwrap();
        let info = chunk.info;
        assert_eq!((info.kind.to_string(), info.id), (self.kind.to_owned(), self.id), "{what}");
        assert_eq!((info.compression.0, info.cipher.0), (self.compression, self.cipher), "{what}");
        assert_eq!((info.packed_size, info.base_size), (self.packed_size, self.base_size), "{what}");
        chunk.verify().unwrap();
        let decoded = chunk.decode(&mut Decompressor::default());
        if self.cipher != 0 {
            let cipher = Cipher(self.cipher);
            let refused = if cipher.is_enabled() { Error::NeedsKey(cipher) } else { Error::UnsupportedCipher(cipher) };
            assert_eq!(decoded.unwrap_err(), refused, "{what}");
            return;
        }
        let decoded = decoded.unwrap();
        let payload = decoded.view().unwrap();
        assert_eq!(payload.props().collect::<Vec<_>>(), self.props, "{what}");
        let (data, rest) = payload.data().split_at(self.data_size);
        assert_eq!(crc32fast::hash(data), self.data_crc, "{what}");
        let lost = if self.note == "last20undefined" { 20 } else { 0 };
        assert_eq!(rest, vec![0; lost], "{what}");
        let typed = match info.kind {
            FourCc::RAWD => RawView::parse(payload).map(|v| v.bytes().len()),
            FourCc::TEXT => TextView::parse(payload).map(|v| v.decode().unwrap().len()),
            FourCc::IMGE => ImageView::parse(payload).map(|v| v.data().len() - lost),
            FourCc::WAVE => WaveView::parse(payload).map(|v| v.samples().len()),
            FourCc::VRTX => VertexView::parse(payload).map(|v| v.data().len()),
            FourCc::LINK => LinkView::parse(payload).map(|v| v.path().len() + 1),
            _ => Ok(data.len()),
        };
        assert_eq!(typed, Ok(data.len()), "{what}");
    }
}

#[test]
fn every_chunk_decodes_as_the_c_reader_decodes_it() {
    for (file, row) in expected().lines().skip(1).map(Row::parse) {
        let bytes = read(file);
        row.check(file, &PackView::parse(&bytes).unwrap());
        probe::pack(&bytes, &mut Decompressor::default());
    }
}

#[test]
fn every_file_has_as_many_chunks_as_expected() {
    let expected = expected();
    let rows: Vec<&str> = expected.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
    for file in ["01_plain_all_types_cdir.rres", "03_deflate_cdir.rres", "07_aes.rres"] {
        let bytes = read(file);
        let chunks = PackView::parse(&bytes).unwrap().chunks().filter(|chunk| chunk.is_ok()).count();
        assert_eq!(chunks, rows.iter().filter(|row| **row == file).count(), "{file}");
    }
}

/// The directory of files that have one text in `a.txt`.
const A: &str = "a.txt=0xc1ebf7ba";

/// Each file of `quirk/` with its expected contents: each chunk or its error in file order, then the directory.
const QUIRKS: &[(&str, &[&str])] = &[
    (
        "badcrc",
        &[
            "error: chunk of resource 0xc1ebf7ba at offset 16 is damaged: crc32 is 6f6392ca, expected 00000001",
            "world",
            "a.txt=0xc1ebf7ba b.txt=0x864b8d6a",
        ],
    ),
    ("base_less_than_packed_plain", &["hello", A]),
    ("cd_absolute", &["hello", A]),
    ("cipher_xor", &["error: cipher XOR (1) is not supported", "d=0x98dd4acc"]),
    ("count_plus1", &["hello", "CDIR with 24 bytes", A]),
    (
        "deflate_zlibwrapped",
        &["error: DEFLATE data is damaged: deflate decompression error: invalid stored block lengths", "d=0x98dd4acc"],
    ),
    ("empty_nocdir", &["no directory"]),
    ("id_zero", &["id0", "zero=0x00000000"]),
    ("img_mips2_l0", &["error: truncated pixels at offset 0: expected 80 bytes, found 64", "i=0xe66c3671"]),
    ("link_no_nul", &["links/x.b", "l=0x9606c2fe"]),
    (
        "linked_self",
        &[
            "FNTG with 32 bytes",
            "error: chunk at offset 16 links to offset 16, which closes a loop",
            "f.ttf=0x00000009",
        ],
    ),
    (
        "lz4_frame",
        &["error: LZ4 data is damaged: the offset to copy is not contained in the decompressed buffer", "d=0x98dd4acc"],
    ),
    ("mesh_ok", &["3 × position", "3 × index", "m=0x00000005"]),
    ("name_no_nul", &["x", "y", "12345678=0x00000007 zz=0x00000008"]),
    ("prefix_bad_order", &["2", "1", "ab.txt2=0xb65b444a ab.txt=0x3203072b"]),
    ("props_8", &["hello", A]),
    ("text_size_too_big", &["error: truncated text at offset 0: expected 100 bytes, found 2", A]),
    ("unknown_fourcc", &["ZZZZ with 3 bytes", "x", "z=0x62d277af a.txt=0xc1ebf7ba"]),
    (
        "zero_packed",
        &[
            "error: truncated property count at offset 0: expected 4 bytes, found 0",
            "x",
            "z=0x62d277af a.txt=0xc1ebf7ba",
        ],
    ),
];

/// The contents of the quirk file `name` as text: each chunk or its error in file order, then the directory.
fn found_in(name: &str) -> Vec<String> {
    let bytes = read(&format!("quirk/{name}.rres"));
    probe::pack(&bytes, &mut Decompressor::default());
    let view = PackView::parse(&bytes).unwrap();
    let text = |chunk: ChunkView<'_>| -> Result<String, Error> {
        chunk.verify()?;
        let block = chunk.decode(&mut Decompressor::default())?;
        let payload = block.view()?;
        Ok(match chunk.info.kind {
            FourCc::TEXT => TextView::parse(payload)?.decode()?.into_owned(),
            FourCc::RAWD => RawView::parse(payload)?.bytes().escape_ascii().to_string(),
            FourCc::IMGE => format!("{} bytes of pixels", ImageView::parse(payload)?.data().len()),
            FourCc::VRTX => {
                let view = VertexView::parse(payload)?;
                format!("{} × {}", view.props().count, view.props().attribute)
            }
            FourCc::LINK => LinkView::parse(payload)?.path().to_owned(),
            other => format!("{other} with {} bytes", payload.data().len()),
        })
    };
    let mut found = Vec::new();
    for chunk in view.chunks().map(|chunk| chunk.unwrap()) {
        found.push(text(chunk).unwrap_or_else(|error| format!("error: {error}")));
        let links = view.chain(chunk).filter_map(|linked| linked.err());
        found.extend(links.map(|error| format!("error: {error}")));
    }
    let names = view.directory().unwrap().map(|directory| {
        let names = directory.entries().map(|entry| {
            let entry = entry.unwrap();
            let name = core::str::from_utf8(entry.name).unwrap();
            assert_eq!(directory.find(name), Ok(Some(entry.id)));
            format!("{name}={}", entry.id)
        });
        names.collect::<Vec<_>>().join(" ")
    });
    found.push(names.unwrap_or_else(|| "no directory".to_owned()));
    found
}

#[test]
fn unusual_packs_are_read_and_broken_ones_cause_errors() {
    for (name, expected) in QUIRKS {
        assert_eq!(found_in(name), *expected, "{name}");
    }
}

#[test]
fn every_file_has_its_expectations() {
    let packs = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(file(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".rres")).collect()
    };
    let rows = expected().lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect();
    assert_eq!(packs("."), rows);
    assert_eq!(packs("quirk"), QUIRKS.iter().map(|(name, _)| format!("{name}.rres")).collect());
}

/// The pack `RRES_C_PACK.rres` that `interop/c/driver.c` has written, against the bytes that it made the chunks of.
#[cfg(feature = "seal")]
#[test]
#[ignore = "needs a pack that interop/c/run makes"]
fn a_pack_of_the_driver_has_the_bytes_that_it_was_made_of() {
    use rres_format::chunk::PayloadView;
    use rres_format::seal::{Keys, Secret};

    let folder = PathBuf::from(std::env::var_os("RRES_C_PACK").expect("the variable names the directory"));
    let keys = Keys::new(Secret::from_text(std::env::var("RRES_C_PASSWORD").unwrap()).unwrap());
    let pack = std::fs::read(folder.with_extension("rres")).unwrap();
    let view = PackView::parse(&pack).unwrap();
    let directory = view.directory().unwrap().unwrap();
    let rows = std::fs::read_to_string(folder.join("rows.tsv")).unwrap();
    for (line, row) in rows.lines().enumerate() {
        let [name, number, kind, status, props] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let first = view.find(directory.find(name).unwrap().unwrap()).unwrap().unwrap();
        let chunk = view.chain(first).nth(number.parse().unwrap()).unwrap().unwrap();
        assert_eq!(chunk.info.kind.to_string(), kind, "{row}");
        chunk.verify().unwrap();
        let mut decompressor = Decompressor::default();
        let block = match chunk.info.cipher {
            Cipher::NONE => chunk.decode(&mut decompressor).unwrap().into_bytes().into_owned(),
            _ => chunk.unseal(&keys).unwrap().into_block(&mut decompressor).unwrap(),
        };
        let payload = PayloadView::parse(&block).unwrap();
        let found: Vec<String> = payload.props().map(|prop| prop.to_string()).collect();
        assert_eq!(found.join(","), props, "{row}");
        let bytes = std::fs::read(folder.join(format!("{line}.bin"))).unwrap();
        // QOI images of the C tools lack their last 20 bytes.
        let len = bytes.len() - if status == "tail" { 20 } else { 0 };
        assert_eq!(payload.data().len(), bytes.len(), "{row}");
        assert!(payload.data()[..len] == bytes[..len], "{row}");
    }
    assert!(rows.lines().count() >= 10);
}

//! Damage that each check of the reader is for: an error that names the file, the record and the offset.

use rres_import_srsc::write::{self, RecordBytes};
use rres_import_srsc::{Archive, Checks, Error, Limits, OpenOptions, Problem, Record, RecordType, TextureFlags};

use crate::{root, with};

/// A record of our own database, and its body.
fn body(file: &str, kind: u16, id: u16) -> Vec<u8> {
    let bytes = write::example().into_iter().find(|(path, _)| path == file).unwrap().1;
    let archive = Archive::parse(file, &bytes, &mut Checks::strict()).unwrap();
    archive.records().find(|record| record.key().kind.0 == kind && record.key().id == id).unwrap().body().to_vec()
}

/// Reads one record, and what it contains in compressed form.
fn read(kind: u16, id: u16, body: &[u8], mut checks: Checks) -> Result<Checks, Error> {
    let bytes = write::archive(&[RecordBytes::new(kind, id, 0, body)]);
    let archive = Archive::parse("m", &bytes, &mut checks)?;
    let view = archive.record(0).unwrap();
    match view.parse(&mut checks)? {
        Record::Texture(texture) => drop(texture.rows(&Limits::default()).map_err(|fault| view.error(fault))?),
        Record::Sound(sound) => drop(sound.pcm(&Limits::default()).map_err(|fault| view.error(fault))?),
        _ => {}
    }
    Ok(checks)
}

#[track_caller]
fn fails(kind: u16, body: &[u8], field: &str, offset: u64) -> Error {
    let error = read(kind, 7, body, Checks::default()).unwrap_err();
    assert_eq!((error.field, error.offset, error.record.map(|key| key.id)), (field, 12 + offset, Some(7)), "{error}");
    assert!(error.to_string().starts_with(&format!("m: record 0x{kind:04x}:0x0007, {field} at offset 0x")), "{error}");
    error
}

fn put(body: &mut [u8], at: usize, value: u32) {
    body[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

#[test]
fn headers_and_directories_that_lead_out_of_the_file() {
    let good = write::archive(&[RecordBytes::new(0x401, 1, 0, *b"text")]);
    let parse = |bytes: &[u8]| Archive::parse("m", bytes, &mut Checks::default()).map(|_| ()).unwrap_err();
    assert_eq!(parse(b"RIFF").to_string(), "m: magic at offset 0x0: is \"RIFF\", expected \"SRSC\"");
    assert_eq!(parse(b"").field, "magic");
    assert_eq!(parse(&good[..11]).problem, Problem::Truncated { needed: 12, left: 11 });
    let changed = |at: usize, bytes: &[u8]| {
        let mut changed = good.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        parse(&changed)
    };
    assert_eq!(changed(4, &[2, 1]).problem, Problem::Version { found: 0x0102 });
    assert_eq!(changed(6, &[3, 0, 0, 0]).field, "directory offset");
    assert_eq!(changed(6, &[0xff; 4]).field, "directory");
    assert_eq!(changed(10, &[0xff; 2]).field, "directory");
    assert_eq!(parse(&good[..good.len() - 1]).field, "directory");
    // The body inside the header, beyond the directory, and so long that the end is.
    for (at, value) in [(22, 11u32), (22, u32::MAX), (26, 5), (26, u32::MAX)] {
        let error = changed(at, &value.to_le_bytes());
        assert_eq!((error.field, error.record.map(|key| key.id)), ("body", Some(1)), "{error}");
    }
}

#[test]
fn empty_records_of_every_type() {
    for kind in RecordType::ALL {
        let result = read(kind.0, 7, b"", Checks::default());
        let may_be_empty =
            [RecordType::BSP, RecordType::SEQUENCE_COUNTERS, RecordType::HIDDEN_TEXT, RecordType::PLAIN].contains(kind);
        assert_eq!(result.is_ok(), may_be_empty, "{kind}");
    }
    let records: Vec<RecordBytes> = (0..=65_534).map(|id| RecordBytes::new(0x40, id, 0, b"")).collect();
    let bytes = write::archive(&records);
    let mut checks = Checks::default();
    let archive = Archive::parse("m", &bytes, &mut checks).unwrap();
    assert_eq!(archive.records().filter(|record| record.parse(&mut checks).is_err()).count(), 65_535);
}

#[test]
fn textures_with_sizes_that_cannot_be() {
    let good = body("Synth.txd", 0x40, 6);
    let with = |at, value| {
        let mut body = good.clone();
        put(&mut body, at, value);
        body
    };
    fails(0x40, &with(0, 0), "width", 0);
    fails(0x40, &with(0, u32::MAX), "width", 0);
    fails(0x40, &with(4, 20_000), "height", 4);
    fails(0x40, &with(8, 5), "pitch", 8);
    fails(0x40, &with(8, u32::MAX), "pitch", 8);
    fails(0x40, &with(12, 7), "bits per pixel", 12);
    fails(0x40, &with(50, u32::MAX), "data", 54);
    fails(0x40, &good[..53], "data size", 50);
    // Without compression, the data is the rows.
    let mut raw = body("Synth.txd", 0x40, 13);
    put(&mut raw, 50, 5);
    fails(0x40, &raw[..59], "data", 54);
}

#[test]
fn compressed_data_that_is_longer_shorter_or_cut() {
    let good = body("Synth.txd", 0x40, 6);
    let with = |data: &[u8]| {
        let mut body = good[..54].to_vec();
        put(&mut body, 50, data.len() as u32);
        [body, data.to_vec()].concat()
    };
    for data in
        [write::zlib(&[0; 13], 6), write::zlib(&[0; 11], 6), good[54..good.len() - 5].to_vec(), b"none".to_vec()]
    {
        let error = fails(0x40, &with(&data), "data", 54);
        assert!(matches!(error.problem, Problem::Compressed { .. }), "{error}");
    }
    // 64 MiB of zeros in 64 KiB, for a texture of 12 bytes; and a texture that claims 256 MiB for a few bytes.
    let bomb = write::zlib(&vec![0; 64 << 20], 9);
    assert!(fails(0x40, &with(&bomb), "data", 54).to_string().contains("more than 12 bytes"));
    let mut large = with(&write::zlib(&[0; 12], 9));
    put(&mut large, 4, 16_384);
    put(&mut large, 8, 16_384);
    assert!(fails(0x40, &large, "data", 54).to_string().contains("cannot become 268435456"));
    // A wrong checksum.
    let mut wrong = good.clone();
    *wrong.last_mut().unwrap() ^= 1;
    fails(0x40, &wrong, "data", 54);
}

#[test]
fn sounds_that_claim_more_than_they_have() {
    let good = body("Synth.sdb", 0x302, 3);
    // After the name of 4 bytes: flags, channels, bits, rate, volume, drop-off, priority, size, level.
    let with = |at, value| {
        let mut body = good.clone();
        put(&mut body, at, value);
        body
    };
    fails(0x302, &with(10, 3 | 8 << 16), "channels", 10);
    fails(0x302, &with(10, 1 | 9 << 16), "bits", 12);
    fails(0x302, &with(14, 0), "rate", 14);
    fails(0x302, &with(22, f32::NAN.to_bits()), "drop-off", 22);
    assert!(matches!(fails(0x302, &with(30, u32::MAX), "size", 30).problem, Problem::TooLarge { .. }));
    fails(0x302, &with(30, 65), "data", 38);
    let mut stereo = with(10, 2 | 16 << 16);
    put(&mut stereo, 30, 63);
    fails(0x302, &stereo, "size", 30);
    let looped = body("Synth.sdb", 0x302, 4);
    let mut longer = looped.clone();
    put(&mut longer, 32, 132);
    let error = read(0x302, 7, &longer, Checks::default()).unwrap_err();
    assert_eq!((error.field, error.offset), ("data", 12 + 44), "{error}");
    assert_eq!(longer[44..46], [0x78, 0xda], "the data starts there");
}

#[test]
fn texts_that_are_longer_than_the_record() {
    fails(0x301, b"\xff\xffab", "name", 2);
    let error = read(0x301, 7, b"\x03\0abc", Checks::strict()).unwrap_err();
    assert_eq!(error.field, "name");
    assert_eq!(read(0x301, 7, b"\x03\0abc", Checks::default()).unwrap().warnings().len(), 1);
    assert!(read(0x301, 7, b"\x02\0abcd", Checks::strict()).unwrap_err().to_string().contains("2 bytes follow"));
}

#[test]
fn models_whose_indices_lead_to_nothing() {
    let open = |kind: u16, at: usize, value: u16| -> Error {
        let mut changed = body("Synth.mod", kind, 0x10);
        changed[at..at + 2].copy_from_slice(&value.to_le_bytes());
        let bytes = write::example().into_iter().find(|(path, _)| path == "Synth.mod").unwrap().1;
        let archive = Archive::parse("Synth.mod", &bytes, &mut Checks::strict()).unwrap();
        let records: Vec<RecordBytes> = archive
            .records()
            .map(|record| {
                let is_changed = record.key().kind.0 == kind && record.key().id == 0x10;
                let body = if is_changed { changed.clone() } else { record.body().to_vec() };
                RecordBytes { key: record.key(), group: record.entry().group, body }
            })
            .collect();
        let mut files = with(&[("Synth.mod", write::archive(&records))]);
        let mut checks = Checks::default();
        let databases = OpenOptions::new().open("Synth.db", &mut files, &mut checks).unwrap();
        let model = databases.model(root(RecordType::MODEL, 0x10), &mut checks).map(|_| ());
        model
            .and_then(|()| databases.levels_of_detail(root(RecordType::MODEL, 0x10), &mut checks).map(|_| ()))
            .unwrap_err()
    };
    let texture = open(0x204, 6, 60_000);
    assert!(texture.to_string().contains("record 0x0204:0x0010, texture index at offset"), "{texture}");
    assert!(texture.to_string().ends_with("is 60000, expected less than 2, the number of textures"), "{texture}");
    assert_eq!(open(0x204, 8, 5).field, "vertex index");
    assert_eq!(open(0x204, 4, 5).field, "corner count");
    assert_eq!(open(0x204, 0, 3).field, "polygons");
    assert_eq!(open(0x204, 0, 9999).field, "polygons");
    assert_eq!(open(0x206, 2, 0x7fff).field, "textures");
    assert_eq!(open(0x203, 0, 0xffff).field, "vertices");
    assert_eq!(open(0x203, 4, 0x7f80).field, "vertices");
    assert!(matches!(open(0x209, 0, 0x10).problem, Problem::Cycle { .. }));
    assert!(matches!(open(0x209, 0, 0x99).problem, Problem::Missing { .. }));
    assert_eq!(open(0x209, 4, 0).field, "distance");
}

#[test]
fn trees_that_lead_in_a_circle() {
    let good = body("Synth.mod", 0x207, 0x10);
    let tree = 16 + 48 + 4;
    let mut changed = good.clone();
    changed[tree + 2] = 1;
    fails(0x207, &changed, "tree of shapes", tree as u64);
    // Two shapes, each the sibling of the other.
    let mut two = good[..64].to_vec();
    two.extend([2, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0]);
    two.extend([0; 32]);
    assert!(matches!(fails(0x207, &two, "tree of shapes", tree as u64 + 4).problem, Problem::Cycle { .. }));
    let mut character = write::character();
    character.joints[1].next_sibling = 1;
    let bytes = write::record(&Record::Character(Box::new(character.clone())));
    assert!(matches!(read(0x208, 7, &bytes, Checks::default()).unwrap_err().problem, Problem::Cycle { .. }));
    character.joints[1].next_sibling = 9;
    let bytes = write::record(&Record::Character(Box::new(character.clone())));
    assert_eq!(read(0x208, 7, &bytes, Checks::default()).unwrap_err().field, "next sibling");
    character.joints[1].next_sibling = 2;
    character.nodes[0].joint = Some(3);
    let bytes = write::record(&Record::Character(Box::new(character)));
    assert_eq!(read(0x208, 7, &bytes, Checks::default()).unwrap_err().field, "joint of a node");
}

#[test]
fn classes_whose_values_are_elsewhere() {
    let good = body("Synth.odb", 0x102, 0x30);
    // The name takes 18 bytes; the values start after 12 more and two counts.
    let values = 18 + 10 + 8;
    let with = |at: usize, value| {
        let mut body = good.clone();
        put(&mut body, at, value);
        body
    };
    fails(0x102, &with(values + 8, 3 << 16 | 60), "value", values as u64 + 8);
    fails(0x102, &with(values + 8, 0xffff_0000), "value", values as u64 + 8);
    fails(0x102, &with(values + 4, f32::INFINITY.to_bits()), "value", values as u64 + 4);
    fails(0x102, &with(values - 8, 13), "number of fields", values as u64 - 8);
    fails(0x102, &with(values - 4, u32::MAX), "values", values as u64);
    // Texts and arrays that share their words could become a list of any length.
    let mut shared = with(values + 8, 12 << 16);
    put(&mut shared, values + 12, 12 << 16);
    fails(0x102, &shared, "value", values as u64 + 12);
}

#[test]
fn animations_whose_ranges_are_beyond_the_frames() {
    let archive_bytes = write::example().into_iter().find(|(path, _)| path == "Synth.adb").unwrap().1;
    for (at, value) in [(2, 3u32), (6, 4), (2, u32::MAX)] {
        let archive = Archive::parse("Synth.adb", &archive_bytes, &mut Checks::strict()).unwrap();
        let records: Vec<RecordBytes> = archive
            .records()
            .map(|record| {
                let mut body = record.body().to_vec();
                if record.key().kind == RecordType::FRAME_RANGES {
                    put(&mut body, at, value);
                }
                RecordBytes { key: record.key(), group: 0, body }
            })
            .collect();
        let mut files = with(&[("Synth.adb", write::archive(&records))]);
        let databases = OpenOptions::new().open("Synth.db", &mut files, &mut Checks::default()).unwrap();
        let error = databases.animation(root(RecordType::ANIMATION, 1), &mut Checks::default()).unwrap_err();
        assert_eq!((error.field, error.record.map(|key| key.kind)), ("ranges", Some(RecordType::FRAME_RANGES)));
    }
}

#[test]
fn sequences_that_claim_more_than_they_have() {
    let good = body("Synth.ssd", 0x311, 2);
    let mut actors = good.clone();
    put(&mut actors, 6 + 2 + 12, u32::MAX);
    assert!(matches!(read(0x311, 7, &actors, Checks::default()).unwrap_err().problem, Problem::Truncated { .. }));
    let actor = 2 + 6 + 16;
    let mut kind = good.clone();
    put(&mut kind, actor + 6 + 4, 3);
    fails(0x311, &kind, "actor type", actor as u64 + 10);
    let mut actions = good;
    put(&mut actions, actor + 6 + 16, u32::MAX);
    fails(0x311, &actions, "actions", actor as u64 + 26);
}

/// Our own textures with a change of one.
fn changed_texture(id: u16, change: impl Fn(&mut rres_import_srsc::Texture<'_>)) -> Vec<u8> {
    let bytes = write::example().into_iter().find(|(path, _)| path == "Synth.txd").unwrap().1;
    let archive = Archive::parse("Synth.txd", &bytes, &mut Checks::strict()).unwrap();
    let records: Vec<RecordBytes> = archive
        .records()
        .map(|record| {
            let mut contents = record.parse(&mut Checks::strict()).unwrap();
            if let (Record::Texture(texture), true) = (&mut contents, record.key().id == id) {
                change(texture);
            }
            RecordBytes { key: record.key(), group: 0, body: write::record(&contents) }
        })
        .collect();
    write::archive(&records)
}

#[test]
fn textures_that_link_in_a_circle_or_to_nothing() {
    use rres_import_srsc::Ref;
    let links = |txd: Vec<u8>, id, mut checks: Checks| {
        let databases =
            OpenOptions::new().open("Synth.db", &mut with(&[("Synth.txd", txd)]), &mut Checks::strict()).unwrap();
        databases.texture_links(root(RecordType::TEXTURE, id), &mut checks).map(|_| checks)
    };
    let circle = changed_texture(9, |texture| texture.mip = Ref::local(8));
    let error = links(circle, 8, Checks::default()).unwrap_err();
    assert_eq!(error.field, "mip");
    assert!(
        error.to_string().ends_with("leads in a circle: 0x0040:0x0008 -> 0x0040:0x0009 -> 0x0040:0x0008"),
        "{error}"
    );
    let missing = changed_texture(8, |texture| texture.bump = Ref { id: 3, database: 9 });
    assert!(links(missing, 8, Checks::default()).unwrap_err().to_string().contains("bump at offset"));
    let alternate = changed_texture(4, |texture| texture.alternate = Ref::local(8));
    assert_eq!(links(alternate.clone(), 8, Checks::default()).unwrap().warnings()[0].field, "alternate");
    assert!(links(alternate, 8, Checks::strict()).is_err());
    let size = changed_texture(8, |texture| texture.mip = Ref::local(7));
    assert_eq!(links(size, 8, Checks::default()).unwrap().warnings()[0].field, "mip");
}

#[test]
fn an_animation_of_more_pictures_than_allowed() {
    let mut limits = Limits::default();
    limits.frames = 2;
    let databases = OpenOptions::new().open("Synth.db", &mut with(&[]), &mut Checks::strict()).unwrap();
    let error = databases.texture_links(root(RecordType::TEXTURE, 10), &mut Checks::strict().with_limits(limits));
    assert_eq!(error.unwrap_err().problem, Problem::TooLarge { found: 3, limit: 2 });
}

#[test]
fn a_color_that_the_palette_does_not_have_and_no_palette() {
    let open =
        |txd| OpenOptions::new().open("Synth.db", &mut with(&[("Synth.txd", txd)]), &mut Checks::strict()).unwrap();
    let bytes = write::example().into_iter().find(|(path, _)| path == "Synth.txd").unwrap().1;
    let archive = Archive::parse("Synth.txd", &bytes, &mut Checks::strict()).unwrap();
    let with_palette = |palette: Option<Vec<u8>>| {
        let palette = palette.map(|body| RecordBytes::new(0x30, 0, 0, body));
        let others = archive.records().skip(1);
        let others = others.map(|record| RecordBytes { key: record.key(), group: 0, body: record.body().to_vec() });
        write::archive(&palette.into_iter().chain(others).collect::<Vec<_>>())
    };
    let picture = |txd| open(txd).picture(root(RecordType::TEXTURE, 1), None, &mut Checks::strict());
    assert_eq!(picture(with_palette(None)).unwrap_err().field, "bits per pixel");
    let error = picture(with_palette(Some([vec![2, 0], vec![0; 8]].concat()))).unwrap_err();
    assert!(error.to_string().contains("expected a colour of the palette, which has 2"), "{error}");
}

#[test]
fn groups_that_are_in_each_other() {
    let groups = [RecordBytes::new(0x301, 1, 2, *b"\x02\0ab"), RecordBytes::new(0x301, 2, 1, *b"\x02\0cd")];
    let records = [&groups[..], &[RecordBytes::new(0x302, 3, 9, body("Synth.sdb", 0x302, 3))]].concat();
    let mut files = with(&[("Synth.sdb", write::archive(&records))]);
    let databases = OpenOptions::new().open("Synth.db", &mut files, &mut Checks::strict()).unwrap();
    let path = |kind, id| databases.group_path(root(kind, id), &mut Checks::strict());
    assert!(matches!(path(RecordType::SOUND_GROUP, 1).unwrap_err().problem, Problem::Cycle { .. }));
    assert!(matches!(path(RecordType::SOUND, 3).unwrap_err().problem, Problem::Missing { .. }));
}

#[test]
fn pixels_of_unknown_layout_are_an_error_and_the_record_is_not() {
    let txd = changed_texture(2, |texture| {
        texture.alpha_bits = 5;
        texture.flags = TextureFlags::ALPHA;
    });
    let mut checks = Checks::default();
    let databases = OpenOptions::new().open("Synth.db", &mut with(&[("Synth.txd", txd)]), &mut checks).unwrap();
    assert!(databases.root().record(RecordType::TEXTURE, 2).unwrap().parse(&mut checks).is_ok());
    assert_eq!(checks.warnings()[0].field, "alpha bits per pixel");
    let error = databases.picture(root(RecordType::TEXTURE, 2), None, &mut checks).unwrap_err();
    assert_eq!(error.field, "alpha bits per pixel");
}

#[test]
fn levels_of_detail_without_end() {
    let lod = |id: u16| write::record(&Record::Lod(rres_import_srsc::Lod { model: id + 1, distance: f32::from(id) }));
    let model = body("Synth.mod", 0x200, 0x11);
    let pair = |id| [RecordBytes::new(0x200, id, 0, model.clone()), RecordBytes::new(0x209, id, 0, lod(id))];
    let records: Vec<RecordBytes> = (1..30_000).flat_map(pair).collect();
    let mut files = with(&[("Synth.mod", write::archive(&records))]);
    let databases = OpenOptions::new().open("Synth.db", &mut files, &mut Checks::strict()).unwrap();
    let error = databases.levels_of_detail(root(RecordType::MODEL, 1), &mut Checks::strict()).unwrap_err();
    assert!(matches!(error.problem, Problem::TooLarge { limit: 64, .. }), "{error}");
}

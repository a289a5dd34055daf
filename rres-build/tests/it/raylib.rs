//! `compat = "raylib"`: what C programs cannot read is converted, or refused with the name of the asset and the setting that helps.

use std::fs;

use rres_compat::{ResourceBlock, check_block, check_header, check_pack, check_resource};
use rres_format::chunk::PayloadView;
use rres_format::{Decompressor, FourCc, PackView};
use rres_test_data::model::glb;
use rres_test_data::picture::tga;
use rres_test_data::sound::mono;

use super::Project;

const RED: [u8; 3] = [255, 0, 0];

fn project(files: &[(&str, &[u8])], settings: &str) -> Project {
    let project = Project::new(files);
    project.write("assets.toml", format!("[pack]\ncompat = \"raylib\"\n{settings}").as_bytes());
    project
}

/// Checks everything in a pack by the rules of the C readers.
fn assert_readable(pack: &[u8]) {
    let view = PackView::parse(pack).unwrap();
    assert_eq!(check_pack(view), []);
    for entry in view.index().unwrap().entries().map(|entry| entry.unwrap()) {
        assert!(!entry.is_shared, "{}", entry.path);
        let first = view.first_chunk_of(&entry).unwrap();
        let chunks: Vec<_> = view.resource_chunks(first, entry.chunk_count).map(|chunk| chunk.unwrap()).collect();
        let blocks: Vec<Vec<u8>> = chunks
            .iter()
            .map(|chunk| chunk.decode(&mut Decompressor::default()).unwrap().into_bytes().into_owned())
            .collect();
        for (chunk, block) in chunks.iter().zip(&blocks) {
            assert_eq!(check_header(&chunk.info), None, "{}", entry.path);
            assert_eq!(check_block(chunk.info.kind, !chunk.info.is_plain(), block), [], "{}", entry.path);
        }
        let blocks: Vec<_> = chunks
            .iter()
            .zip(&blocks)
            .map(|(chunk, block)| ResourceBlock {
                kind: chunk.info.kind,
                is_linked: chunk.info.next_offset != 0,
                block: Some(block),
            })
            .collect();
        assert_eq!(check_resource(entry.kind, &blocks), [], "{}", entry.path);
    }
}

/// A DDS in BC1 or another block format with `levels` mip levels.
fn dds(fourcc: &[u8; 4], width: u32, height: u32, levels: u32) -> Vec<u8> {
    let mut file = b"DDS ".to_vec();
    let mut header = [0u32; 31];
    (header[0], header[1], header[2], header[3], header[6]) = (124, 0x2_1007, height, width, levels);
    (header[18], header[19], header[20], header[26]) = (32, 4, u32::from_le_bytes(*fourcc), 0x40_1008);
    file.extend(header.into_iter().flat_map(u32::to_le_bytes));
    // BC1 and BC4.
    let block = 8;
    for level in 0..levels {
        let edge = |edge: u32| (edge >> level).max(1).div_ceil(4);
        file.extend(vec![0x55; (edge(width) * edge(height) * block) as usize]);
    }
    file
}

/// A glTF with a primitive for each of `modes`, all of the same positions and indices.
fn model(vertices: u32, indices: &[u32], modes: &[u32]) -> Vec<u8> {
    let mut binary: Vec<u8> = (0..vertices * 3).flat_map(|i| (i as f32).to_le_bytes()).collect();
    binary.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
    let split = vertices * 12;
    let primitive = |mode: &u32| format!(r#"{{"attributes":{{"POSITION":0}},"indices":1,"mode":{mode}}}"#);
    let primitives: Vec<String> = modes.iter().map(primitive).collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
        {{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{split}}},{{"buffer":0,"byteOffset":{split},"byteLength":{}}}],
        "buffers":[{{"byteLength":{}}}]}}"#,
        primitives.join(","),
        indices.len(),
        indices.len() * 4,
        binary.len()
    );
    glb(json, &binary)
}

#[test]
fn what_can_be_converted_is() {
    let utf16: Vec<u8> = "\u{feff}größer".encode_utf16().flat_map(u16::to_le_bytes).collect();
    // Beyond 65,535 vertices, indices have 32 bits.
    let wide = model(70_000, &[0, 1, 69_999], &[4]);
    let narrow = model(3, &[0, 1, 2], &[4]);
    let project = project(
        &[
            ("a.txt", &utf16),
            ("b.dds", &dds(b"DXT1", 8, 8, 4)),
            ("c.tga", &tga(5, 3, &RED.repeat(15))),
            ("d.glb", &wide),
            ("e.glb", &narrow),
            ("f.extension", b"x"),
            ("h.bin", b"x"),
            ("i.bin", b"x"),
        ],
        "[\"h.bin\"]\nkind = \"link\"\n[\"c.tga\"]\ncompression = \"qoi\"\n",
    );
    let report = project.run();
    let pack = fs::read(&report.packs[0]).unwrap();
    assert_readable(&pack);
    let topics: Vec<&str> = report.notes.iter().map(|note| note.topic.as_str()).collect();
    for topic in ["only the first mip level", "without indices"] {
        assert!(topics.iter().any(|found| found.contains(topic)), "{topic} in {topics:?}");
    }
    let view = PackView::parse(&pack).unwrap();
    let index = view.index().unwrap();
    let chunks_of = |path: &str| {
        let entry = index.entry(index.find_path(path).unwrap()).unwrap();
        let first = view.first_chunk_of(&entry).unwrap();
        view.resource_chunks(first, entry.chunk_count).map(|chunk| chunk.unwrap()).collect::<Vec<_>>()
    };
    let [positions, structure, scenes] = &chunks_of("d.glb")[..] else { panic!() };
    assert_eq!((positions.info.kind, structure.info.kind), (FourCc::VRTX, FourCc::MODL));
    assert_eq!((scenes.info.kind, scenes.info.next_offset), (FourCc::SCNE, 0));
    let decoded = positions.decode(&mut Decompressor::default()).unwrap().into_bytes();
    assert_eq!(PayloadView::parse(&decoded).unwrap().prop(0).unwrap(), 3);
    assert_eq!(chunks_of("e.glb").len(), 4);
}

#[test]
fn what_cannot_be_converted_is_refused_by_name() {
    let cases: [(&str, Vec<u8>, &str, &str, &str); 7] = [
        ("odd.dds", dds(b"DXT1", 6, 6, 1), "", "has 32 bytes for 6×6 pixels", "image.pad = \"block\""),
        (
            "bc1.tga",
            tga(6, 6, &RED.repeat(36)),
            "image.format = \"bc1\"",
            "has 32 bytes for 6×6 pixels",
            "image.pad = \"block\"",
        ),
        ("bc4.dds", dds(b"ATI1", 8, 8, 1), "", "has pixels of format BC4", "image.format"),
        (
            "zero.txt",
            b"a\0b".to_vec(),
            "kind = \"text\"",
            "is a text with a zero byte at offset 1 of 3",
            "kind = \"raw\"",
        ),
        ("two.glb", model(3, &[0, 1, 2], &[4, 4]), "", "is a model of 2 primitives", "kind = \"raw\""),
        ("lines.glb", model(3, &[0, 1, 2], &[3]), "", "is a model of line strip", "kind = \"raw\""),
        (
            "song.wave",
            mono(8000, &[1, 2]),
            "sound.store = \"source\"",
            "is a sound that is kept as a file \".wave\" (WAV)",
            "sound.store = \"pcm\"",
        ),
    ];
    for (path, bytes, rule, message, help) in cases {
        let rule = format!("[\"{path}\"]\n{rule}\n");
        let failed = project(&[(path, &bytes)], &rule).fail();
        let [diagnostic] = failed.diagnostics() else { panic!("{path}: {failed}") };
        assert!(diagnostic.place().ends_with(path), "{diagnostic}");
        assert!(diagnostic.message().contains(message), "{diagnostic}");
        assert!(diagnostic.message().contains("`compat` = \"raylib\" is set"), "{diagnostic}");
        assert!(diagnostic.help().is_some_and(|text| text.contains(help)), "{diagnostic}");
    }
    // The help helps.
    let padded = project(
        &[("bc1.tga", &tga(6, 6, &RED.repeat(36)))],
        "[\"*\"]\nimage = { format = \"bc1\", pad = \"block\" }\n",
    );
    assert_readable(&fs::read(&padded.run().packs[0]).unwrap());
}

#[cfg(feature = "seal")]
#[test]
fn c_programs_need_a_password() {
    use rres_format::seal::Secret;

    let project = project(&[("a.txt", b"secret")], "cipher = \"xchacha20-poly1305\"\n");
    let error = project.build().key(|| Secret::raw_key([1; 32])).build().unwrap_err().to_string();
    assert!(
        error.contains("a key of 32 bytes, and `compat` = \"raylib\" is set") && error.contains("password"),
        "{error}"
    );
    project.build().key(|| Secret::password("sixteen letters!").unwrap()).build().unwrap();
}

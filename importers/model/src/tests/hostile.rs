//! Documents with false numbers: each one is an error, and none causes a panic, a hang or a large allocation.

use super::*;

#[test]
fn every_truncated_file_is_an_error() {
    let bytes = triangle().glb();
    cuts(&bytes).for_each(|cut| assert!(import(cut).is_err(), "cut to {} of {}", cut.len(), bytes.len()));
    assert_eq!(
        refusal(&bytes[..bytes.len() - 1]),
        format!("is cut off: {} bytes, expected {}", bytes.len() - 1, bytes.len())
    );
    let json = triangle().json("");
    cuts(json.as_bytes()).for_each(|cut| assert!(import(cut).is_err(), "cut to {}", cut.len()));
}

#[test]
fn every_changed_byte_is_an_error_or_harmless() {
    let bytes = triangle().glb();
    let mut errors = 0;
    for bad in replaced(&bytes, 0..bytes.len(), b"\0\xff9-\"}") {
        errors += usize::from(import(&bad).is_err());
    }
    assert!(errors > bytes.len(), "{errors}");
}

#[test]
fn numbers_in_the_document_are_not_trusted() {
    let document = triangle();
    let json = document.json("");
    let huge = u64::MAX;
    for (from, to, message) in [
        (
            r#""count":3,"bufferView":0"#,
            &*format!(r#""count":{huge},"bufferView":0"#),
            "accessor 0: has 18446744073709551615 elements",
        ),
        (
            r#""count":3,"bufferView":0"#,
            r#""count":4,"bufferView":0"#,
            "accessor 0: has 4 elements of 12 bytes, every 12 bytes from 0 on, in a view of 36 bytes",
        ),
        (r#""bufferView":0"#, r#""bufferView":0,"byteOffset":18446744073709551615"#, "accessor 0: has 3 elements"),
        (r#""bufferView":0"#, r#""bufferView":9"#, "accessor 0: refers to buffer view 9, but the file has only 2"),
        (
            r#""count":3,"bufferView":0"#,
            r#""count":300000000"#,
            "accessor 0 has no buffer view and 300000000 elements, which is too many",
        ),
        (
            r#""byteLength":36"#,
            r#""byteLength":36,"byteStride":0"#,
            "accessor 0: has elements of 12 bytes every 0 bytes",
        ),
        (
            r#""byteLength":36"#,
            r#""byteLength":36,"byteStride":4"#,
            "accessor 0: has elements of 12 bytes every 4 bytes",
        ),
        (r#""byteLength":36"#, r#""byteLength":36,"byteStride":9223372036854775807"#, "accessor 0: has 3 elements"),
        (
            r#""byteLength":36"#,
            r#""byteLength":45"#,
            "accessor 0: buffer view 0 is 45 bytes at 0 of buffer 0, which has 44",
        ),
        (r#""byteLength":36"#, r#""byteLength":18446744073709551615"#, "accessor 0: buffer view 0 is"),
        (r#""byteOffset":36"#, r#""byteOffset":18446744073709551615"#, "accessor 1: buffer view 1 is 6 bytes"),
        (
            r#"{"buffer":0,"byteOffset":0"#,
            r#"{"buffer":4,"byteOffset":0"#,
            "accessor 0: refers to buffer 4, but the file has only 1",
        ),
        (r#""byteLength":42"#, r#""byteLength":46"#, "accessor 0: buffer 0 is 44 bytes, expected 46"),
        (r#""componentType":5126"#, r#""componentType":5130"#, "accessor 0 is of no known type"),
        (
            r#""componentType":5126"#,
            r#""componentType":5125"#,
            "POSITION has 3 × U32 for each element, which glTF does not allow",
        ),
        ("VEC3", "VEC2", "POSITION has 2 × F32 for each element, which glTF does not allow"),
        ("VEC3", "MAT4", "accessor 0 holds matrices"),
        ("SCALAR", "VEC3", "accessor 1: has 3 elements of 6 bytes"),
        (r#""POSITION":0"#, r#""POSITION":5"#, "refers to accessor 5, but the file has only 2"),
        (r#""POSITION":0"#, r#""POSITION":0,"NORMAL":1"#, "NORMAL has 1 × U16 for each element"),
        (r#""indices":1"#, r#""indices":0"#, "indices has 3 × F32 for each element"),
        (r#""indices":1"#, r#""indices":1,"material":0"#, "refers to material 0, but the file has only 0"),
        (r#""indices":1"#, r#""indices":1,"mode":7"#, "has an unknown drawing mode"),
        (r#""mesh":0"#, r#""mesh":1"#, "refers to mesh 1, but the file has only 1"),
        (r#""mesh":0"#, r#""children":[0]"#, "node 0 has two parents, or is its own descendant"),
        (r#""mesh":0"#, r#""children":[1]"#, "refers to node 1, but the file has only 1"),
        (r#""mesh":0"#, r#""translation":[1e39,0,0]"#, "node 0 has a transform that is not finite"),
        (r#""nodes":[0]"#, r#""nodes":[0,0]"#, "node 0 has two parents, or is its own descendant"),
        (r#""version":"2.0""#, r#""version":"1.0""#, "is glTF 1.0, expected 2.0"),
        (r#""version":"2.0""#, r#""generator":"x""#, "does not state its glTF version"),
    ] {
        assert!(json.contains(from), "{from}");
        // "buffer 0" includes two bytes of padding: the length of the chunk is a multiple of four.
        let bad = glb(json.replacen(from, to, 1).as_bytes(), &document.binary);
        let error = import(&bad).map(|_| ()).expect_err(to).to_string();
        assert!(error.contains(message), "{to}: {error}");
    }
}

#[test]
fn nan_positions_are_refused() {
    let mut document = triangle();
    document.binary[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(refusal(&document.glb()), "mesh 0 \"tri\", primitive 0: POSITION of vertex 1 is NaN");
}

#[test]
fn sparse_lists_are_checked() {
    let with = |count: u64, changed: u64, index: u8| {
        let mut builder = Builder::default();
        let indices = builder.view(&[index, 2], "");
        let values = builder.view(&floats(&[1.0; 6]), "");
        let sparse = format!(
            r#","sparse":{{"count":{changed},"indices":{{"bufferView":{indices},"componentType":{U8}}},"values":{{"bufferView":{values}}}}}"#
        );
        let accessor = format!(r#"{{"type":"VEC3","componentType":{F32},"count":{count}{sparse}}}"#);
        builder.accessors.push(accessor);
        let document = with_primitive(builder, r#""attributes":{"POSITION":0}"#);
        import(&document.glb()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(with(3, 2, 0), Ok(()));
    let error = |text: &str| Err(format!("mesh 0, primitive 0: accessor 0 {text}"));
    assert_eq!(with(3, 2, 3), error("replaces element 3, but has only 3"));
    assert_eq!(with(3, 3, 0), error("has 3 sparse values, but fewer are stored"));
    assert_eq!(with(3, u64::MAX, 0), error("has 18446744073709551615 sparse values, but fewer are stored"));
    assert_eq!(with(1 << 40, 2, 0), error("has no buffer view and 1099511627776 elements, which is too many"));
}

#[test]
fn extensions_that_change_the_bytes_are_named() {
    for (name, help) in [
        ("KHR_draco_mesh_compression", "export it without mesh compression"),
        ("KHR_meshopt_compression", "export it without mesh compression"),
        ("EXT_texture_avif", "export it with PNG or JPEG textures"),
        ("EXT_mesh_gpu_instancing", "export it without instancing"),
        ("ACME_anything", "export it without this extension"),
    ] {
        let document = triangle().rest(&format!(r#","extensionsRequired":["KHR_materials_unlit","{name}"]"#));
        let error = import(&document.glb()).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), format!("needs the glTF extension {name}, which cannot be read"));
        assert!(error.help().unwrap().starts_with(help));
    }
    // Used but not required: accepted if the plain bytes exist, otherwise an error that names the extension.
    let draco = r#""extensions":{"KHR_draco_mesh_compression":{"bufferView":0}},"indices":1"#;
    let document = triangle();
    let json = document.json("").replace(r#""indices":1"#, draco);
    assert!(import(&glb(json.as_bytes(), &document.binary)).is_ok());
    let json = json.replace(r#","bufferView":0}"#, "}");
    let error = refusal(&glb(json.as_bytes(), &document.binary));
    assert!(error.contains("KHR_draco_mesh_compression"), "{error}");
    let json = document.json("").replace(
        r#"{"buffer":0,"byteOffset":0,"byteLength":36}"#,
        r#"{"buffer":1,"byteLength":36,"extensions":{"KHR_meshopt_compression":{"buffer":0}}}"#,
    );
    let json =
        json.replace(r#""buffers":["#, r#""buffers":[{"byteLength":36},"#).replace(r#"{"buffer":1"#, r#"{"buffer":0"#);
    let error = refusal(json.as_bytes());
    assert!(error.ends_with("needs the glTF extension KHR_meshopt_compression, which cannot be read"), "{error}");
}

#[test]
fn files_of_other_formats_are_errors() {
    for (bytes, message) in [
        (&b""[..], "is not a glTF: it does not start with { or glTF"),
        (b"glTF", "is cut off: 4 bytes, expected 12"),
        (b"glTF\x01\0\0\0\x14\0\0\0", "is a binary glTF of version 1, expected 2"),
        (b"glTF\x02\0\0\0\x01\0\0\0", "is cut off: 12 bytes, expected 20"),
        (b"PK\x03\x04", "is a zip archive, not a glTF"),
        (b"o Cube\nv 1 1 1\n", "is not a glTF: it does not start with { or glTF"),
        (
            b"{\"asset\":{\"version\":\"2.0\"},\"meshes\":7}",
            "is not a valid glTF document: invalid type: integer `7`, expected a sequence",
        ),
    ] {
        assert_eq!(refusal(bytes), message);
    }
    assert!(refusal(&b"[".repeat(100_000)).starts_with("is not a glTF"));
    let deep = [b"{\"asset\":".as_slice(), &b"[".repeat(100_000)].concat();
    assert!(refusal(&deep).contains("recursion limit exceeded"));
    assert_eq!(
        import(b"\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"}}").unwrap()[0].summary,
        "0 meshes, 0 primitives, 0 triangles"
    );
}

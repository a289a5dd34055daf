//! Every part of glTF is read, named in the note, or refused by its name.

use super::*;

/// The ratified extensions of Khronos, the extensions of several vendors, and some of one vendor.
const EXTENSIONS: &[&str] = &[
    "ADOBE_materials_thin_transparency",
    "AGI_articulations",
    "CESIUM_primitive_outline",
    "EXT_instance_features",
    "EXT_lights_ies",
    "EXT_lights_image_based",
    "EXT_materials_clearcoat_color",
    "EXT_mesh_features",
    "EXT_mesh_gpu_instancing",
    "EXT_mesh_manifold",
    "EXT_meshopt_compression",
    "EXT_primitive_restart",
    "EXT_structural_metadata",
    "EXT_texture_astc",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "FB_geometry_metadata",
    "GODOT_single_root",
    "KHR_animation_pointer",
    "KHR_audio_emitter",
    "KHR_draco_mesh_compression",
    "KHR_gaussian_splatting",
    "KHR_interactivity",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_materials_volume_scatter",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_node_visibility",
    "KHR_physics_rigid_bodies",
    "KHR_techniques_webgl",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "MPEG_audio_spatial",
    "MSFT_lod",
    "MSFT_packing_normalRoughnessMetallic",
    "MSFT_texture_dds",
    "NV_materials_mdl",
    "VRM",
    "VRMC_vrm",
];

/// What the note of a model says is left out; empty without a note.
fn left_out(parts: &[Asset]) -> String {
    parts[0].notes.iter().map(|note| note.detail.as_str()).collect()
}

/// Whether `docs/models.md` says that an extension is read: by its whole name, or in the list of extensions of materials.
fn is_documented(name: &str) -> bool {
    let page = include_str!("../../../../docs/models.md");
    let table = page.split("## Constants of parts").next().unwrap_or_default();
    let of_material = name.strip_prefix("KHR_materials_");
    table.contains(&format!("`{name}`")) || of_material.is_some_and(|name| table.contains(&format!("`{name}`")))
}

#[test]
fn every_extension_is_read_named_or_refused() {
    for name in EXTENSIONS {
        let is_read = super::super::document::is_supported(name);
        assert_eq!(is_read, is_documented(name), "{name}: docs/models.md says something else");
        let used = triangle().rest(&format!(r#","extensionsUsed":["{name}"]"#)).glb();
        let expected = if is_read { String::new() } else { format!("without {name}") };
        assert_eq!(left_out(&import(&used).unwrap()), expected);
        let required = triangle().rest(&format!(r#","extensionsRequired":["{name}"]"#)).glb();
        match import(&required) {
            Ok(parts) => assert_eq!(left_out(&parts), expected, "{name} may be left out, and is named"),
            Err(error) => {
                assert!(!is_read, "{name}");
                assert_eq!(error.to_string(), format!("needs the glTF extension {name}, which cannot be read"));
            }
        }
    }
}

#[test]
fn an_extension_that_the_file_does_not_list_is_named_wherever_it_is() {
    let json = triangle().json("");
    for (from, to) in [
        (r#""nodes":[{"mesh":0}]"#, r#""nodes":[{"mesh":0,"extensions":{"ACME_x":{}}}]"#),
        (r#""indices":1"#, r#""indices":1,"extensions":{"ACME_x":{}}"#),
        (r#""asset":{"version":"2.0"}"#, r#""asset":{"version":"2.0","extensions":{"ACME_x":{}}}"#),
        (r#""scenes":[{"#, r#""scenes":[{"extensions":{"ACME_x":{}},"#),
        (r#""meshes":"#, r#""extensions":{"ACME_x":{}},"meshes":"#),
        (r#""meshes":"#, r#""materials":[{"extensions":{"KHR_materials_ior":{"extensions":{"ACME_x":1}}}}],"meshes":"#),
    ] {
        assert!(json.contains(from), "{from}");
        let parts = import(&glb(json.replacen(from, to, 1).as_bytes(), &triangle().binary)).unwrap();
        assert_eq!(left_out(&parts), "without ACME_x", "{to}");
    }
    // The data of other programs are not part of the model.
    let extras = json.replacen(r#""meshes":"#, r#""extras":{"extensions":{"ACME_x":{}}},"meshes":"#, 1);
    assert_eq!(left_out(&import(&glb(extras.as_bytes(), &triangle().binary)).unwrap()), "");
}

#[test]
fn an_extension_that_is_read_is_an_object() {
    let with = |name: &str| {
        let used = format!(r#""nodes":[{{"mesh":0,"extensions":{{"{name}":"on"}}}}]"#);
        let json = triangle().json("").replacen(r#""nodes":[{"mesh":0}]"#, &used, 1);
        import(&glb(json.as_bytes(), &triangle().binary))
    };
    let error = with("KHR_lights_punctual").map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), r#"KHR_lights_punctual is "on", expected an object"#);
    assert_eq!(left_out(&with("ACME_x").unwrap()), "without ACME_x");
}

#[test]
fn every_member_of_the_document_is_read_or_named() {
    for (member, value) in [
        ("accessors", "[]"),
        ("animations", "[]"),
        ("asset", r#"{"version":"2.0","generator":"x","copyright":"y"}"#),
        ("bufferViews", "[]"),
        ("buffers", "[]"),
        ("cameras", "[]"),
        ("extensions", "{}"),
        ("extensionsRequired", "[]"),
        ("extensionsUsed", "[]"),
        ("extras", r#"{"a":1}"#),
        ("images", "[]"),
        ("materials", "[]"),
        ("meshes", "[]"),
        ("nodes", "[]"),
        ("samplers", "[]"),
        ("scene", "0"),
        ("scenes", "[{}]"),
        ("skins", "[]"),
        ("textures", "[]"),
    ] {
        let scene = if member == "scene" { r#","scenes":[{}]"# } else { "" };
        let asset = if member == "asset" { "" } else { r#""asset":{"version":"2.0"},"# };
        let json = format!(r#"{{{asset}"{member}":{value}{scene}}}"#);
        assert_eq!(left_out(&import(json.as_bytes()).unwrap()), "", "{member}");
    }
    let json = r#"{"asset":{"version":"2.0"},"programs":{},"techniques":{}}"#;
    assert_eq!(left_out(&import(json.as_bytes()).unwrap()), "without `programs`, `techniques`");
}

#[test]
fn members_that_an_object_does_not_have_in_gltf_are_named_with_their_place() {
    let json = triangle().json("");
    for (from, to, place) in [
        (r#""nodes":[{"mesh":0}]"#, r#""nodes":[{"mesh":0,"layer":1}]"#, "nodes.layer"),
        (r#""indices":1"#, r#""indices":1,"lines":[{"mode":2}]"#, "meshes.primitives.lines"),
        (r#""asset":{"version":"2.0"}"#, r#""asset":{"version":"2.0","unit":"m"}"#, "asset.unit"),
        (
            r#""meshes":"#,
            r#""materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,1,1,1],"0comment":""}}],"meshes":"#,
            "materials.pbrMetallicRoughness.0comment",
        ),
        (
            r#""meshes":"#,
            r#""cameras":[{"type":"orthographic","orthographic":{"xmag":1,"ymag":1,"zfar":2,"znear":1,"tilt":1}}],"meshes":"#,
            "cameras.orthographic.tilt",
        ),
    ] {
        assert!(json.contains(from), "{from}");
        let parts = import(&glb(json.replacen(from, to, 1).as_bytes(), &triangle().binary)).unwrap();
        assert_eq!(left_out(&parts), format!("without `{place}`"), "{to}");
    }
}

#[test]
fn attributes_and_pictures_without_use_are_named() {
    let json = triangle().json("").replace(r#""POSITION":0"#, r#""POSITION":0,"_TEMPERATURE":0,"TEXCOORD_8":0"#);
    let parts = import(&glb(json.as_bytes(), &triangle().binary)).unwrap();
    assert_eq!(left_out(&parts), "without attribute TEXCOORD_8, attribute _TEMPERATURE");
    // A name with a zero in front is none of glTF.
    let json = triangle().json("").replace(r#""POSITION":0"#, r#""POSITION":0,"COLOR_00":0,"NORMAL_X":0,"COLOR_+1":0"#);
    let parts = import(&glb(json.as_bytes(), &triangle().binary)).unwrap();
    assert_eq!(left_out(&parts), "without attribute COLOR_+1, attribute COLOR_00, attribute NORMAL_X");
    assert_eq!(primitives(&parts[0])[0].1.len(), primitives(&import(&triangle().glb()).unwrap()[0])[0].1.len());
    let unused = triangle().rest(r#","images":[{"uri":"a.png"}]"#).glb();
    assert_eq!(left_out(&import(&unused).unwrap()), "without 1 image without texture");
}

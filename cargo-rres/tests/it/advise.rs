//! `cargo rres advise`: what it says is what a build gives.

use rres_test_data::model::glb;
use rres_test_data::picture::png;
use rres_test_data::random::noise;
use rres_test_data::sound::wav;
use serde_json::Value;

use super::Sandbox;
use crate::show::json;

/// Floats that are not those of any number of 16 bits.
fn floats(count: usize) -> Vec<u8> {
    (0..count).flat_map(|at| ((at as f32 * 0.37).sin() * 0.7).to_le_bytes()).collect()
}

pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("assets/voice/a.wav", &wav(&floats(20_000), 3, 1, 44_100, 32));
    sandbox.write("assets/voice/b.wav", &wav(&floats(9_000), 3, 1, 44_100, 32));
    sandbox.write("assets/noise.bin", &noise(20_000));
    // A little noise, which costs much without loss and nothing with it.
    let rgba = noise(128 * 128 * 3);
    let rgba = rgba.chunks_exact(3).flat_map(|of| [100 + of[0] % 8, 120 + of[1] % 8, 90 + of[2] % 8, 255]);
    sandbox.write("assets/ui/a.png", &png(128, 128, &rgba.collect::<Vec<u8>>()));
    // The glob of the advice has a rule already.
    sandbox.write("assets/assets.toml", b"[\"voice/*.wav\"]\nsound = { gain = -3 }");
    sandbox
}

fn stored(sandbox: &Sandbox) -> u64 {
    sandbox.run(["pack", "assets", "-o", "a.rres"]).success();
    let list = json(sandbox.run(["ls", "a.rres", "--json"]));
    list["resources"].as_array().unwrap().iter().map(|resource| resource["stored_size"].as_u64().unwrap()).sum()
}

#[test]
fn a_build_reproduces_the_advice() {
    let sandbox = sandbox();
    let before = stored(&sandbox);
    let text = sandbox.read("assets/assets.toml");
    let report = json(sandbox.run(["advise", "--assets", "assets", "--json"]));
    let build = &report["builds"][0];
    assert_eq!((build["stored_size"].as_u64(), build["applied_count"].as_u64()), (Some(before), Some(0)));
    let advice = build["advice"].as_array().unwrap();
    let of = |keys: &str| -> &Value {
        let is = |advice: &&Value| advice["glob"] == "voice/*{,}.wav" && advice["keys"] == keys;
        advice.iter().find(is).unwrap_or_else(|| panic!("{keys}: {advice:?}"))
    };
    let depth = of("sound = { sample = \"i16\" }");
    assert_eq!((&depth["loss"], &depth["asset_count"]), (&"depth beyond 16 bits".into(), &2.into()));
    // Nothing saves bytes of noise.
    assert!(advice.iter().all(|advice| advice["glob"] != "*.bin"), "{advice:?}");
    assert_eq!(sandbox.read("assets/assets.toml"), text, "nothing changes without --apply");

    let run = sandbox.run(["advise", "--assets", "assets", "--apply", "--lossy"]).success();
    let rules = String::from_utf8(sandbox.read("assets/assets.toml")).unwrap();
    assert!(rules.starts_with("[\"voice/*.wav\"]\nsound = { gain = -3 }\n\n# `cargo rres advise`: saves "), "{rules}");
    assert!(rules.contains("[\"voice/*{,}.wav\"]\n"), "the glob is spelled in another way: {rules}");
    // The best for each folder, and what the command said of it.
    let mut best: std::collections::BTreeMap<&str, u64> = Default::default();
    for advice in advice {
        let saved = advice["saved_size"].as_u64().unwrap();
        let of_folder = best.entry(advice["glob"].as_str().unwrap()).or_default();
        *of_folder = saved.max(*of_folder);
    }
    assert!(run.out.contains(&format!("{} rule", best.len())), "{}", run.out);
    assert_eq!(stored(&sandbox), before - best.values().sum::<u64>());
}

/// The advice of a folder, by the keys of its rule.
fn advice(sandbox: &Sandbox, arguments: &[&str]) -> std::collections::BTreeMap<String, Value> {
    let report = json(sandbox.run([&["advise", "--assets", "assets", "--json"], arguments].concat()));
    let advice = report["builds"][0]["advice"].as_array().unwrap().clone();
    advice.into_iter().map(|advice| (advice["keys"].as_str().unwrap().to_owned(), advice)).collect()
}

#[test]
fn settings_that_save_more_together_are_one_rule() {
    let sandbox = Sandbox::new();
    let rgba = noise(4096 * 64 * 3);
    let rgba = rgba.chunks_exact(3).flat_map(|of| [100 + of[0] % 8, 120 + of[1] % 8, 90 + of[2] % 8, 255]);
    sandbox.write("assets/sky/a.png", &png(4096, 64, &rgba.collect::<Vec<u8>>()));
    let before = stored(&sandbox);
    let advice = advice(&sandbox, &[]);
    let size = |keys: &str| {
        let advice = advice.get(keys).unwrap_or_else(|| panic!("{keys}: {:?}", advice.keys()));
        (advice["after"]["stored_size"].as_u64().unwrap(), advice["loss"].as_str().unwrap().to_owned())
    };
    let (blocks, _) = size("image = { format = \"block\", rdo = 1.0 }");
    let (small, _) = size("image = { fit = 2048 }");
    let (both, loss) = size("image = { format = \"block\", rdo = 1.0, fit = 2048 }");
    assert!(both < blocks.min(small) && blocks.max(small) < before, "{both} {blocks} {small} {before}");
    assert_eq!(loss, "blocks (feature `gpu`), pixels beyond 2048");
    // A rule sets one format only.
    assert!(advice.keys().all(|keys| keys.matches("format").count() < 2), "{:?}", advice.keys());
    // The rule is one of a settings file.
    sandbox.run(["advise", "--assets", "assets", "--apply", "--lossy"]).success();
    assert_eq!(stored(&sandbox), advice.values().map(|of| of["after"]["stored_size"].as_u64().unwrap()).min().unwrap());
}

#[test]
fn many_small_pictures_may_become_an_atlas() {
    let sandbox = Sandbox::new();
    for number in 0..40u8 {
        let rgba = noise(24 * 24).into_iter().flat_map(|of| [of % 4 * 60, number * 6, 90, 255]);
        sandbox.write(&format!("assets/ui/icons/{number}.png"), &png(24, 24, &rgba.collect::<Vec<u8>>()));
    }
    sandbox.write("assets/ui/other.png", &png(8, 8, &[7; 8 * 8 * 4]));
    let advice = advice(&sandbox, &["--goal", "textures"]);
    let of = &advice["image = { atlas = \"ui/icons/sprites\" }"];
    assert_eq!((&of["glob"], &of["asset_count"], advice.len()), (&"ui/icons/*.png".into(), &40.into(), 1));
    assert_eq!((&of["before"]["texture_count"], &of["after"]["texture_count"]), (&40.into(), &1.into()));
    // The code of the game has to change, so it is no advice without loss.
    let run = sandbox.run(["advise", "--assets", "assets", "--goal", "textures", "--apply"]).success();
    assert!(run.out.contains("41 textures; without loss 0 (0 %) less"), "{}", run.out);
    sandbox.run(["advise", "--assets", "assets", "--goal", "textures", "--apply", "--lossy"]).success();
    sandbox.run(["pack", "assets", "-o", "a.rres"]).success();
    let list = json(sandbox.run(["ls", "a.rres", "--json"]));
    let sprites = list["resources"].as_array().unwrap().iter().filter(|resource| resource["kind"] == "sprite");
    assert_eq!(sprites.count(), 40);
}

/// Pictures of 24 by 24 pixels in a folder, which an atlas could hold.
fn write_icons(sandbox: &Sandbox, folder: &str) {
    for number in 0..6u8 {
        let rgba = noise(24 * 24).into_iter().flat_map(|of| [of, number * 40, 90, 255]);
        let file = format!("assets/{folder}icon_{number}.png");
        sandbox.write(&file, &png(24, 24, &rgba.collect::<Vec<u8>>()));
    }
}

#[test]
fn atlases_of_two_folders_are_two() {
    let sandbox = Sandbox::new();
    write_icons(&sandbox, "");
    write_icons(&sandbox, "sprites/");
    let advice = advice(&sandbox, &["--goal", "textures"]);
    let atlases: Vec<&String> = advice.keys().collect();
    assert_eq!(atlases, ["image = { atlas = \"sprites\" }", "image = { atlas = \"sprites/sprites\" }"]);
    assert!(advice.values().all(|advice| advice["after"]["texture_count"] == 1), "{advice:?}");
    sandbox.run(["advise", "--assets", "assets", "--goal", "textures", "--apply", "--lossy"]).success();
    sandbox.run(["pack", "assets", "-o", "a.rres"]).success();
}

#[test]
fn a_picture_that_a_model_needs_goes_into_no_atlas() {
    let sandbox = Sandbox::new();
    write_icons(&sandbox, "skins/");
    assert_eq!(advice(&sandbox, &["--goal", "textures"]).len(), 1);
    sandbox.write("assets/models/hut.glb", &textured("../skins/icon_3.png", &[0; 36]));
    let advice = advice(&sandbox, &["--goal", "textures"]);
    assert!(advice.is_empty(), "{:?}", advice.keys());
}

/// A model of triangles with these positions, and an image beside it.
fn textured(image: &str, positions: &[u8]) -> Vec<u8> {
    let json = r#"{
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": BYTES }],
        "bufferViews": [{ "buffer": 0, "byteLength": BYTES }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": COUNT, "type": "VEC3", "min": [-1, -1, -1], "max": [1, 1, 1] }],
        "images": [{ "uri": "IMAGE" }],
        "textures": [{ "source": 0 }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "nodes": [{ "mesh": 0 }],
        "scenes": [{ "nodes": [0] }]
    }"#;
    let json =
        json.replace("BYTES", &positions.len().to_string()).replace("COUNT", &(positions.len() / 12).to_string());
    glb(json.replace("IMAGE", image), positions)
}

#[test]
fn models_get_the_settings_of_the_images_in_them() {
    let sandbox = Sandbox::new();
    let rgba = noise(256 * 256 * 3);
    let rgba = rgba.chunks_exact(3).flat_map(|of| [100 + of[0] % 8, 120 + of[1] % 8, 90 + of[2] % 8, 255]);
    let picture = png(256, 256, &rgba.collect::<Vec<u8>>());
    let positions: Vec<u8> =
        [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|of| of.to_le_bytes()).collect();
    let json = format!(
        r#"{{
            "asset": {{ "version": "2.0" }},
            "buffers": [{{ "byteLength": {len} }}],
            "bufferViews": [{{ "buffer": 0, "byteLength": 36 }}, {{ "buffer": 0, "byteOffset": 36, "byteLength": {picture} }}],
            "accessors": [{{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] }}],
            "images": [{{ "bufferView": 1, "mimeType": "image/png", "name": "skin" }}],
            "textures": [{{ "source": 0 }}],
            "materials": [{{ "pbrMetallicRoughness": {{ "baseColorTexture": {{ "index": 0 }} }} }}],
            "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0 }}, "material": 0 }}] }}],
            "nodes": [{{ "mesh": 0 }}],
            "scenes": [{{ "nodes": [0] }}]
        }}"#,
        len = 36 + picture.len(),
        picture = picture.len()
    );
    sandbox.write("assets/hut.glb", &glb(json, &[positions, picture].concat()));
    let advice = advice(&sandbox, &["--goal", "vram"]);
    let blocks = &advice["image = { format = \"block\" }"];
    assert_eq!((&blocks["glob"], &blocks["asset_count"]), (&"*.glb".into(), &2.into()));
}

#[test]
fn files_without_an_extension_get_no_rule_for_their_whole_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/notes/README", &prose(11));
    sandbox.write("assets/notes/noise.bin", &noise(20_000));
    let of_readme = advice(&sandbox, &[]);
    assert!(of_readme.is_empty(), "{of_readme:?}");
    sandbox.write("assets/notes/README.txt", &prose(23));
    assert_eq!(advice(&sandbox, &[])["profile = \"size\""]["glob"], "notes/*.txt");
}

/// A text of some words in any order, which a higher level makes smaller.
fn prose(seed: usize) -> Vec<u8> {
    let words = ["the ", "ship ", "sails ", "to a ", "harbour ", "where ", "nobody ", "waits, ", "and ", "night.\n"];
    let order = noise(60_000 + seed).into_iter().skip(seed);
    order.flat_map(|at| words[usize::from(at) % words.len()].bytes()).collect()
}

#[test]
fn rules_without_loss_are_added_and_a_second_run_finds_none() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/notes/a.txt", &prose(11));
    let before = stored(&sandbox);
    let saved = advice(&sandbox, &[])["profile = \"size\""]["saved_size"].as_u64().unwrap();
    let run = sandbox.run(["advise", "--assets", "assets", "--apply"]).success();
    assert!(run.out.ends_with("\n1 rule added to assets.toml\n"), "{}", run.out);
    let text = String::from_utf8(sandbox.read("assets/assets.toml")).unwrap();
    assert!(
        text.starts_with("# `cargo rres advise`: saves ") && text.ends_with("[\"notes/*.txt\"]\nprofile = \"size\"\n"),
        "{text}"
    );
    assert_eq!(stored(&sandbox), before - saved);
    let run = sandbox.run(["advise", "--assets", "assets", "--apply"]).success();
    assert!(run.out.contains("no setting that was tried saves 5 % of a folder"), "{}", run.out);
    assert_eq!(String::from_utf8(sandbox.read("assets/assets.toml")).unwrap(), text);
}

#[test]
fn rules_for_other_targets_stay_as_they_are() {
    let sandbox = sandbox();
    let of_targets = "# Small ones.\n[target.'cfg(target_os = \"horizon\")'.\"voice/*\"]\nsound = { rate = 8000 }\n";
    sandbox.write("assets/assets.toml", of_targets.as_bytes());
    let run = sandbox.run(["advise", "--assets", "assets", "--apply", "--lossy"]);
    assert!(run.err.contains("assets.toml has rules for some targets; this measures a build for one"), "{}", run.err);
    let text = String::from_utf8(sandbox.read("assets/assets.toml")).unwrap();
    assert!(text.contains("[\"voice/*.wav\"]\n") && text.ends_with(&format!("\n\n{of_targets}")), "{text}");
}

#[test]
fn what_a_later_rule_sets_is_no_advice() {
    let sandbox = sandbox();
    // Rules for this target come last, as those of `build.rs` do.
    let rules = "[target.'cfg(any(unix, windows))'.\"voice/*\"]\nsound = { sample = \"f32\" }\n";
    sandbox.write("assets/assets.toml", rules.as_bytes());
    let out = sandbox.run(["advise", "--assets", "assets", "--goal", "memory"]).out;
    assert!(!out.contains("sample = \"i16\"") && out.contains("sound = { rate = 22050 }"), "{out}");
}

#[test]
fn an_atlas_of_one_folder_takes_no_advice_from_another() {
    let sandbox = Sandbox::new();
    write_icons(&sandbox, "skins/");
    let triangles: Vec<f32> = (0..9_000).map(|at| (at as f32 * 0.37).sin()).collect();
    let positions: Vec<u8> = triangles.iter().flat_map(|of| of.to_le_bytes()).collect();
    sandbox.write("assets/models/hut.glb", &textured("../skins/icon_3.png", &positions));
    let advice = advice(&sandbox, &[]);
    let bits = "model = { positions = \"unorm16\", normal_format = \"snorm16\", tex_coord_format = \"unorm16\" }";
    assert_eq!(advice[bits]["glob"], "models/*.glb");
    assert!(advice.keys().all(|keys| !keys.contains("atlas")), "{:?}", advice.keys());
}

#[test]
fn names_of_files_may_have_a_number_sign() {
    let sandbox = sandbox();
    for name in ["a", "b"] {
        let wav = sandbox.read(&format!("assets/voice/{name}.wav"));
        std::fs::remove_file(sandbox.path(&format!("assets/voice/{name}.wav"))).unwrap();
        sandbox.write(&format!("assets/voice/{name}#3.wav"), &wav);
    }
    assert_eq!(advice(&sandbox, &[])["sound = { sample = \"i16\" }"]["asset_count"], 2);
}

#[cfg(unix)]
#[test]
fn files_that_builds_leave_out_keep_no_advice_from_others() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = sandbox();
    let name = std::ffi::OsStr::from_bytes(b"assets/voice/\xff.wav");
    if std::fs::write(sandbox.path("").join(name), b"").is_err() {
        // Not every file system has such names.
        return;
    }
    assert_eq!(advice(&sandbox, &[])["sound = { sample = \"i16\" }"]["asset_count"], 2);
}

#[test]
fn the_goal_says_what_is_saved() {
    let sandbox = sandbox();
    let advice = advice(&sandbox, &["--goal", "vram"]);
    let blocks = &advice["image = { format = \"block\" }"];
    let of = |at: &str| blocks[at]["video_memory"].as_u64().unwrap();
    assert!(of("after") * 3 < of("before"), "{blocks}");
    assert!(blocks["ssim"].as_f64().unwrap() > 0.5 && blocks["psnr"].as_f64().unwrap() > 30.0, "{blocks}");
    assert!(advice.keys().all(|keys| !keys.contains("sound")), "{:?}", advice.keys());
    for (goal, unit) in [("load", "ms to load on one thread"), ("memory", "in memory"), ("vram", "in video memory")] {
        let run = sandbox.run(["advise", "--assets", "assets", "--goal", goal]).success();
        assert!(run.out.contains(unit), "{}", run.out);
    }
}

#[test]
fn sounds_may_be_encoded_with_loss() {
    let sandbox = sandbox();
    let advice = advice(&sandbox, &[]);
    let stored = |keys: &str| advice[keys]["after"]["stored_size"].as_u64().unwrap();
    let sizes = ["sample = \"i16\"", "format = \"qoa\"", "format = \"opus\""]
        .map(|keys| stored(&format!("sound = {{ {keys} }}")));
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    assert_eq!(advice["sound = { format = \"opus\" }"]["loss"], "detail (features `opus`)");
}

#[test]
fn what_is_small_already_gets_no_advice() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/noise.bin", &noise(9_000));
    let run = sandbox.run(["advise", "--assets", "assets", "--apply"]).success();
    assert!(run.out.contains("no setting that was tried saves 5 % of a folder"), "{}", run.out);
    assert!(!sandbox.path("assets/assets.toml").exists());
}

#[test]
fn files_that_a_setting_is_refused_for_count_neither_as_savings_nor_as_reasons() {
    let sandbox = sandbox();
    // The rule has its key in another spelling, and one file cannot have other samples.
    let rules = "['voice/*.wav']\nsound = { gain = -3 }\n[\"voice/b.wav\"]\nsound = { store = \"source\" }\n";
    sandbox.write("assets/assets.toml", rules.as_bytes());
    let run = sandbox.run(["advise", "--assets", "assets", "--apply", "--lossy"]);
    assert!(run.code == 0 && !run.out.contains("sample = \"i16\""), "{run:?}");
    // What was added is TOML, and the pack is built with it.
    stored(&sandbox);
}

#[test]
fn a_pack_for_c_programs_and_one_without_paths_get_advice() {
    let sandbox = sandbox();
    for pack in ["compat = \"raylib\"", "paths = false"] {
        sandbox.write("assets/assets.toml", format!("[pack]\n{pack}\n").as_bytes());
        let run = sandbox.run(["advise", "--assets", "assets"]);
        assert!(run.code == 0 && run.out.contains("[\"voice/*.wav\"] sound = { sample = \"i16\" }"), "{run:?}");
        assert_eq!(run.err.contains("format = \"block\" }` was not tried"), pack.contains("raylib"), "{run:?}");
    }
}

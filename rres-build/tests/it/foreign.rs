//! Folders that were not made for this project: what is refused is settled by the rules that the report proposes, or left
//! out by a build that goes on.

use std::fs;

use rres_format::AssetKind;
use rres_settings::RefusedFiles;

use super::Project;

/// A folder with files of every sort that is refused, and a few good ones among them.
fn foreign() -> Project {
    let project = Project::new(&[
        ("readme.txt", b"read me\n"),
        ("fonts/good.txt", b"good"),
        ("fonts/list.md", b"good"),
        ("docs/authors.txt", b"Written by J\xfcrgen M\xfcller.\n"),
        ("docs/de/news.txt", b"Gr\xf6\xdfe und L\xe4nge des neuen Spiels.\n"),
        ("docs/quotes.txt", b"The \x93new\x94 game.\n"),
        ("docs/rom.md", b"\x00\xff\x01\xfe\x02"),
        ("data/half.json", b"\xff\xfe{\0}"),
        ("data/[a] {b}.ini", b"\x00\xff"),
        ("ui/a-b.txt", b"1"),
        ("ui/a_b.txt", b"2"),
        ("ui/a b.txt", b"3"),
        ("ui/A_B_TXT_2", b"4"),
        ("assets.toml", b"[\"docs/rom.md\"]\ncompression = \"none\"\n\n[group.all]\ninclude = [\"**\"]\n"),
    ]);
    // Two paths of real games with the same CRC-32.
    let second = "large/wesnoth/games/wesnoth/1.16/data/core/images/units/saurians/augur/augur-se-run9.png.dat";
    project.write("tuxpaint-stamps-default/share/tuxpaint/stamps/medical/mercurythermometer_desc_ca.ogg.dat", b"a");
    project.write(second, b"b");
    #[cfg(feature = "image")]
    {
        project.write("images/broken.png", b"\x89PNG\r\n\x1a\n and so on");
        project.write("images/empty.jpg", b"");
        project.write("images/good.txt", b"good");
    }
    #[cfg(feature = "sound")]
    project.write("sounds/broken.wav", b"RIFF\x04\0\0\0WAVE");
    #[cfg(feature = "font")]
    project.write("fonts/broken.otf", b"OTTO and so on");
    #[cfg(feature = "model")]
    {
        project.write("models/broken.glb", b"glTF and so on");
        let depends = r#"{"asset":{"version":"2.0"},"images":[{"uri":"gone.png"}],"textures":[{"source":0}],
            "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]}"#;
        project.write("models/depends.gltf", depends.as_bytes());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        for name in ["one", "two", "three"] {
            symlink("/nowhere/font.ttf", project.assets().join(format!("fonts/{name}.ttf"))).unwrap();
        }
        symlink("..", project.assets().join("data/loop")).unwrap();
        if project.assets().join("models").exists() {
            symlink("/nowhere", project.assets().join("models/gone.png")).unwrap();
        }
        fs::write(project.assets().join("back\\slash.txt"), "x").unwrap();
        fs::write(project.assets().join("ctrl\u{1b}.txt"), "x").unwrap();
    }
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        fs::write(project.assets().join(std::ffi::OsStr::from_bytes(b"docs/lat\xedn")), "x").unwrap();
        fs::write(project.assets().join("README.TXT"), "differs by case").unwrap();
        let fifo = project.assets().join("data/fifo");
        assert!(std::process::Command::new("mkfifo").arg(fifo).status().unwrap().success());
    }
    project
}

#[test]
fn the_rules_that_a_report_proposes_make_the_second_build_succeed() {
    let project = foreign();
    let error = project.fail();
    let rules = error.suggested_rules().unwrap_or_else(|| panic!("no rules are proposed: {error}"));
    // One glob for links to nowhere among good files, and one for the Latin-1 texts among those in Windows-1252.
    if cfg!(unix) {
        assert!(rules.contains("[\"fonts/*.ttf\"]\nignore = true\n"), "{rules}");
    }
    assert!(
        rules.contains("text.encoding = \"latin1\"") && rules.contains("text.encoding = \"windows-1252\""),
        "{rules}"
    );
    let settings = fs::read_to_string(project.assets().join("assets.toml")).unwrap();
    project.write("assets.toml", format!("{settings}\n{rules}").as_bytes());

    let report = project.build().build().unwrap_or_else(|e| panic!("{e}\n\nwith\n\n{rules}"));
    let kind = |path: &str| report.assets.iter().find(|asset| asset.path == path).map(|asset| asset.kind);
    assert_eq!(kind("docs/authors.txt"), Some(AssetKind::Text));
    assert_eq!(kind("docs/rom.md"), Some(AssetKind::Raw));
    assert_eq!(kind("fonts/good.txt"), Some(AssetKind::Text));
    assert_eq!(kind("fonts/one.ttf"), None);
    assert!(report.suggested_rules.is_none() && report.refused.is_empty());
    let module = project.module();
    for name in ["A_B_TXT", "A_B_TXT_2", "A_B_TXT_3", "A_B_TXT_4"] {
        assert!(module.contains(&format!(" {name}:")), "{name} in {module}");
    }
}

#[test]
fn a_build_goes_on_without_refused_files_if_it_is_told_so() {
    let project = foreign();
    let report = project.build().refused(RefusedFiles::Warn).build().unwrap_or_else(|e| panic!("{e}"));
    let paths: Vec<&str> = report.assets.iter().map(|asset| asset.path.as_str()).collect();
    for good in ["fonts/good.txt", "ui/a b.txt"] {
        assert!(paths.contains(&good), "{good} in {paths:?}");
    }
    for refused in ["docs/authors.txt", "ui/a_b.txt", "models/depends.gltf", "fonts/one.ttf"] {
        assert!(!paths.contains(&refused), "{refused} in {paths:?}");
    }
    let error = project.fail();
    assert_eq!(report.suggested_rules.as_deref(), error.suggested_rules());
    assert!(report.refused.iter().any(|refused| refused.to_string().contains("authors.txt: is not valid text")));
    let module = project.module();
    assert!(module.contains(" A_B_TXT:") && !module.contains("AUTHORS_TXT"), "{module}");
    let lines = report.refusal_lines();
    assert!(lines.iter().any(|line| line.contains("append to assets.toml")), "{lines:?}");
}

#[test]
fn release_builds_can_refuse_what_debug_builds_go_on_without() {
    let project = Project::new(&[("good.txt", b"good"), ("bad.txt", b"\0\xff")]);
    let build = || project.build().refused(RefusedFiles::DenyInRelease);
    assert_eq!(build().debug(true).build().unwrap().assets.len(), 1);
    assert!(build().debug(false).build().is_err());
    // What is not about one file is an error in any case.
    project.write("assets.toml", b"[budget]\ntotal = \"1 B\"\n[lints]\nrefused = \"warn\"\n");
    let error = project.fail().to_string();
    assert!(error.contains("over budget") && !error.contains("bad.txt"), "{error}");
}

#[test]
fn names_that_clash_in_numbers_are_one_report() {
    let project = Project::new(&[]);
    for n in 0..9 {
        project.write(&format!("tiles-old/{n}.txt"), b"");
        project.write(&format!("tiles_old/{n}.txt"), b"");
    }
    let error = project.fail();
    assert_eq!(error.diagnostics().len(), 1, "{error}");
    let text = error.to_string();
    assert!(text.contains("tiles_old: 9 files would be the same constants as files in"), "{text}");
    assert!(text.contains("and 6 more") && text.contains("rename one of the two folders"), "{text}");
    project.write("assets.toml", error.suggested_rules().unwrap().as_bytes());
    assert_eq!(project.run().assets.len(), 18);
}

#[test]
fn two_folders_of_one_crc_are_one_report() {
    let (first, second) = folders_of_one_crc();
    let project = Project::new(&[]);
    for n in 0..40 {
        project.write(&format!("{first}/{n}.bin"), b"1");
        project.write(&format!("{second}/{n}.bin"), b"2");
    }
    let error = project.fail();
    assert_eq!(error.diagnostics().len(), 1, "{error}");
    let text = error.to_string();
    assert!(text.contains("40 files have the same ids") && text.contains("rename one of the two folders"), "{text}");
    let report = project.build().refused(RefusedFiles::Warn).build().unwrap();
    assert_eq!(report.assets.len(), 40);
}

/// Two names of one length and one CRC-32.
fn folders_of_one_crc() -> (String, String) {
    use rres_format::ResourceId;
    let mut seen = std::collections::HashMap::new();
    let mut state = 1u64;
    loop {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let name: String = (0..8).map(|i| char::from(b'a' + ((state >> (8 + i * 5)) % 26) as u8)).collect();
        match seen.insert(ResourceId::from_path(&name), name.clone()) {
            Some(other) if other != name => return (other, name),
            _ => {}
        }
    }
}

#[test]
fn unusual_files_are_named_once_and_a_rule_silences_it() {
    let project = Project::new(&[
        ("art/hero.PSD", b"8BPS"),
        ("art/villain.PSD", b"8BPS"),
        ("art/hero.blend1", b""),
        ("logo.avif", b"RIFF"),
        ("icon.svg", b"<svg/>"),
        ("README.md", b""),
        ("kept.wma", b""),
        ("assets.toml", b"\"kept.wma\" = { kind = \"raw\" }\n"),
    ]);
    // Windows itself has no file of this name.
    let reserved = (!cfg!(windows)).then_some("aux.dat");
    reserved.inspect(|name| project.write(name, b""));
    let notes = |project: &Project| -> Vec<String> {
        let report = project.run();
        assert_eq!(report.notes.iter().map(ToString::to_string).collect::<Vec<_>>().len(), report.notes.len());
        report.notes.iter().map(ToString::to_string).collect()
    };
    let lines = notes(&project).join("\n");
    for part in [
        "**/*.PSD: working files, which players do not need (2 files): art/hero.PSD, art/villain.PSD; to leave them out: \
         \"**/*.PSD\" = { ignore = true } at the top of assets.toml",
        "**/*.blend[0-9]: backup copies",
        "\"**/*.avif\" = { kind = \"raw\" }",
        "\"**/*.svg\" = { kind = \"text\" }",
        "**/README.*: ",
        reserved.map_or("", |_| "a name that Windows does not allow"),
    ] {
        assert!(lines.contains(part), "{part} in:\n{lines}");
    }
    assert!(!lines.contains("wma"), "{lines}");

    // The lines themselves, as they are.
    let mut settings = fs::read_to_string(project.assets().join("assets.toml")).unwrap();
    for line in lines.lines() {
        let toml =
            line.split(": ").find(|part| part.starts_with("\"**")).and_then(|part| part.split(" at the top").next());
        settings.insert_str(0, &toml.map(|toml| format!("{toml}\n")).unwrap_or_default());
    }
    let rule = reserved.map(|name| format!("[\"{name}\"]\nnotes = false\n")).unwrap_or_default();
    project.write("assets.toml", format!("{settings}{rule}").as_bytes());
    assert_eq!(notes(&project), Vec::<String>::new(), "{settings}");
    assert_eq!(project.run().assets.len(), 3 + usize::from(reserved.is_some()));
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_not_a_file_is_refused_wherever_a_file_is_read() {
    let project = Project::new(&[("good.txt", b"good")]);
    let fifo = |path: &str| {
        let file = project.dir.path().join(path);
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
        file
    };
    for (path, message) in [
        ("assets/assets.toml", "assets.toml: is not a file"),
        ("assets.lock", "assets.lock: cannot read it: is not a regular file"),
        ("assets/x.txt", "x.txt: is neither a file nor a directory"),
    ] {
        let file = fifo(path);
        let error = project.build().debug(true).lock(true).build().unwrap_err().to_string();
        assert!(error.contains(message), "{message} in: {error}");
        fs::remove_file(file).unwrap();
    }
}

#[cfg(all(target_os = "linux", feature = "model"))]
#[test]
fn a_model_whose_buffer_is_not_a_file_is_refused() {
    let model = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"x.bin","byteLength":4}],
        "bufferViews":[{"buffer":0,"byteLength":4}],"images":[{"bufferView":0,"mimeType":"image/png"}],
        "textures":[{"source":0}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]}"#;
    let project = Project::new(&[("x.gltf", model.as_bytes()), ("assets.toml", b"[\"x.bin\"]\nignore = true\n")]);
    let fifo = project.assets().join("x.bin");
    assert!(std::process::Command::new("mkfifo").arg(fifo).status().unwrap().success());
    let error = project.fail().to_string();
    assert!(error.contains("x.gltf: ") && error.contains("is not a regular file"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_file_that_no_pack_can_hold_is_refused_by_its_size() {
    let project = Project::new(&[("good.txt", b"good"), ("huge.bin", b"")]);
    fs::File::options().write(true).open(project.assets().join("huge.bin")).unwrap().set_len(6 << 30).unwrap();
    let error = project.fail();
    let text = error.to_string();
    assert!(text.contains("huge.bin: is 6.4 GB long, and a pack holds at most 4.2 GB"), "{text}");
    project.write("assets.toml", error.suggested_rules().unwrap().as_bytes());
    assert_eq!(project.run().assets.len(), 1);
}

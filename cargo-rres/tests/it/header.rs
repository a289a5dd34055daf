//! `cargo rres header` and the setting `header`: the header compiles as C and as C++, and its ids are the ids of the pack.

use std::process::Command;

use rres_test_support::has_tools;
use serde_json::Value;

use super::Sandbox;

/// Names that are hard for a header: folders with the same constant, keywords, digits, other letters, the end of a comment.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for path in ["ui/a.txt", "ui_a.txt", "type/self/01 Höhe.txt", "zwölf/★.bin", "levels/1.txt"] {
        sandbox.write(&format!("assets/{path}"), path.as_bytes());
    }
    #[cfg(unix)]
    sandbox.write("assets/a*/b??/c.txt", b"*/");
    sandbox.write(
        "assets/assets.toml",
        b"[pack]\nname = \"game\"\nheader = \"ids.h\"\n[\"levels/1.txt\"]\nrename = \"FIRST\"\n",
    );
    sandbox
}

/// The constants in the order of the header.
fn names(header: &str) -> Vec<&str> {
    header
        .lines()
        .filter_map(|line| line.strip_prefix("#define RRES_")?.split_once(" 0x"))
        .map(|(name, _)| name.trim())
        .collect()
}

#[test]
fn the_ids_of_the_header_are_those_of_the_pack_in_c_and_in_cpp() {
    let sandbox = sandbox();
    sandbox.run(["build", "assets", "-o", "out"]).success();
    let header = String::from_utf8(sandbox.read("out/ids.h")).unwrap();
    let names = names(&header);
    assert!(names.contains(&"LEVELS_FIRST") && names.contains(&"TYPE_SELF_01_HOHE_TXT"), "{header}");
    let list: Value = serde_json::from_str(&sandbox.run(["ls", "--json", "out/game.rres"]).success().out).unwrap();
    let mut expected: Vec<&str> =
        list["resources"].as_array().unwrap().iter().map(|resource| resource["id"].as_str().unwrap()).collect();
    expected.sort_unstable();
    assert_eq!(names.len(), expected.len());

    let prints: String =
        names.iter().map(|name| format!("    printf(\"0x%08x\\n\", (unsigned)RRES_{name});\n")).collect();
    let program = format!(
        "#include <stdio.h>\n#include \"out/ids.h\"\n#include \"out/ids.h\"\nint main(void) {{\n{prints}    return 0;\n}}\n"
    );
    sandbox.write("main.c", program.as_bytes());
    sandbox.write("main.cpp", program.as_bytes());
    for (compiler, standard, file) in [("cc", "-std=c99", "main.c"), ("c++", "-std=c++11", "main.cpp")] {
        if !has_tools(&[compiler]) {
            continue;
        }
        let flags = ["-Wall", "-Wextra", "-pedantic", "-Werror", standard, "-o", "ids", file];
        let output = Command::new(compiler).args(flags).current_dir(sandbox.dir.path()).output().unwrap();
        assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
        let output = Command::new(sandbox.path("ids")).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let mut ids: Vec<&str> = printed.lines().collect();
        ids.sort_unstable();
        assert_eq!(ids, expected, "{compiler}");
    }
}

#[test]
fn the_command_writes_what_the_build_writes() {
    let sandbox = sandbox();
    sandbox.run(["build", "assets", "-o", "out"]).success();
    let built = String::from_utf8(sandbox.read("out/ids.h")).unwrap();
    assert_eq!(sandbox.run(["header", "assets"]).success().out, built);
    let out = sandbox.run(["header", "assets", "-o", "include/ids.h"]).success().out;
    assert!(out.ends_with(" ids\n"), "{out}");
    assert_eq!(sandbox.read("include/ids.h"), built.as_bytes());
    // A pack does not know the names that rules gave.
    let of_pack = sandbox.run(["header", "out/game.rres"]).success().out;
    assert_eq!(of_pack.replace("LEVELS_1_TXT", "LEVELS_FIRST").replace("  ", " "), built.replace("  ", " "));
    sandbox.write("assets/bad.txt", b"\xff\xff\xff\x81");
    sandbox.run(["header", "assets", "-o", "include/ids.h"]).failed(1, &["bad.txt"]);
    assert_eq!(sandbox.read("include/ids.h"), built.as_bytes());
    sandbox.run(["header", "no-such.rres"]).failed(2, &["no-such.rres"]);
}

/// A header that lacks ids would compile, and the program would not.
#[test]
fn a_damaged_pack_gives_no_header() {
    let sandbox = sandbox();
    sandbox.run(["build", "assets", "-o", "out"]).success();
    let pack = sandbox.read("out/game.rres");
    sandbox.write("cut.rres", &pack[..100]);
    let run = sandbox
        .run(["header", "cut.rres", "-o", "ids.h"])
        .failed(1, &["error: cut.rres: the file is cut off at 100 of"]);
    assert_eq!(run.out, "");
    assert!(!sandbox.path("ids.h").exists());
}

#[test]
fn definitions_for_lua_list_the_paths_by_kind() {
    let sandbox = sandbox();
    sandbox.run(["build", "assets", "-o", "out"]).success();
    let of_pack = sandbox.run(["header", "--lua", "out/game.rres"]).success().out;
    assert!(of_pack.starts_with("---@meta\n-- The paths of the assets in game.rres."), "{of_pack}");
    let texts = "---| \"levels/1.txt\"\n---| \"type/self/01 Höhe.txt\"\n---| \"ui/a.txt\"\n---| \"ui_a.txt\"\n";
    let end = "---@alias rres.Asset rres.Raw|rres.Text\n";
    assert!(of_pack.contains(texts) && of_pack.ends_with(end), "{of_pack}");
    assert!(of_pack.contains("---@alias rres.Raw\n---| \"zwölf/★.bin\"\n"), "{of_pack}");

    let out = sandbox.run(["header", "--lua", "assets", "-o", "scripts/assets.d.lua"]).success().out;
    assert!(out.ends_with(" paths\n"), "{out}");
    assert_eq!(sandbox.read("scripts/assets.d.lua"), of_pack.as_bytes());
}

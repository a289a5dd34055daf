//! `cargo rres header` and the setting `header`: the header compiles as C and as C++, the others by the compilers of their languages, and the
//! ids are the ids of the pack.

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
    let of_pack = sandbox.run(["header", "--language", "lua", "out/game.rres"]).success().out;
    assert!(of_pack.starts_with("---@meta\n-- The paths of the assets in game.rres."), "{of_pack}");
    let texts = "---| \"levels/1.txt\"\n---| \"type/self/01 Höhe.txt\"\n---| \"ui/a.txt\"\n---| \"ui_a.txt\"\n";
    let end = "---@alias rres.Asset rres.Raw|rres.Text\n";
    assert!(of_pack.contains(texts) && of_pack.ends_with(end), "{of_pack}");
    assert!(of_pack.contains("---@alias rres.Raw\n---| \"zwölf/★.bin\"\n"), "{of_pack}");

    let out = sandbox.run(["header", "assets", "-o", "scripts/assets.d.lua"]).success().out;
    assert!(out.ends_with(" paths\n"), "{out}");
    assert_eq!(sandbox.read("scripts/assets.d.lua"), of_pack.as_bytes());
}

/// The ids of a pack, in order, as the header writes them.
fn ids_of(sandbox: &Sandbox, pack: &str) -> Vec<String> {
    let list: Value = serde_json::from_str(&sandbox.run(["ls", "--json", pack]).success().out).unwrap();
    let resources = list["resources"].as_array().unwrap().iter();
    let mut ids: Vec<String> = resources.map(|resource| resource["id"].as_str().unwrap().to_owned()).collect();
    ids.sort_unstable();
    ids
}

/// Every pair of `name id` that a generated file declares by lines of this form.
fn lines_sorted(printed: &str) -> Vec<String> {
    let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

/// Hard names for TypeScript and C#: keywords, a folder in a folder of the same name, digits.
fn with_hard_names() -> Sandbox {
    let sandbox = sandbox();
    for path in ["class/new/function.txt", "ui/ui/ui.txt", "assets/object.txt", "01/01", "kind/id.txt"] {
        sandbox.write(&format!("assets/{path}"), path.as_bytes());
    }
    sandbox.run(["build", "assets", "-o", "out"]).success();
    sandbox
}

const TS: &str = r#"import { assets, Id } from "./assets";

declare const console: { log(text: string): void };

function walk(value: object): void {
  for (const inner of Object.values(value)) {
    if (typeof inner === "number") console.log("0x" + inner.toString(16).padStart(8, "0"));
    else walk(inner);
  }
}
walk(assets);
const text: Id<"text"> = assets.ui.A_TXT;
const any: Id = assets.ui.ui.UI_TXT;
console.log(text === any ? "equal" : "");
"#;

#[test]
fn typescript_compiles_and_tells_kinds_apart() {
    let sandbox = with_hard_names();
    sandbox.run(["header", "assets", "-o", "assets.ts"]).success();
    if !has_tools(&["tsc", "node"]) {
        return;
    }
    let compile = |file: &str| {
        let flags = ["--strict", "--target", "es2017", "--module", "commonjs", file];
        let output = Command::new("tsc").args(flags).current_dir(sandbox.dir.path()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    sandbox.write("main.ts", TS.replace("text === any", "text === (any as number)").as_bytes());
    assert_eq!(compile("main.ts"), "");
    let output = Command::new("node").arg("main.js").current_dir(sandbox.dir.path()).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines_sorted(printed.trim_end()), ids_of(&sandbox, "out/game.rres"));

    sandbox.write(
        "wrong.ts",
        b"import { assets, Id } from \"./assets\";\nexport const id: Id<\"image\"> = assets.ui.A_TXT;\n",
    );
    assert!(compile("wrong.ts").contains("wrong.ts(2,14): error"), "{}", compile("wrong.ts"));
}

const CS: &str = r#"using Game;

static class Program
{
    static void Print(System.Type scope)
    {
        foreach (var field in scope.GetFields()) System.Console.WriteLine(field.GetValue(null));
        foreach (var inner in scope.GetNestedTypes()) Print(inner);
    }

    static void Main()
    {
        Print(typeof(Assets));
        Id<Kind.Text> text = Assets.ui.ui_.UI_TXT;
        if (text == Assets.@class.@new.FUNCTION_TXT || text.Equals(null)) throw new System.Exception();
    }
}
"#;

#[test]
fn csharp_compiles_and_tells_kinds_apart() {
    let sandbox = with_hard_names();
    sandbox.run(["header", "assets", "-o", "Assets.cs"]).success();
    if !has_tools(&["mcs", "mono"]) {
        return;
    }
    sandbox.write("Main.cs", CS.as_bytes());
    let compile = |main: &str| {
        let flags = ["-langversion:6", "-warnaserror", "-out:ids.exe", "Assets.cs", main];
        let output = Command::new("mcs").args(flags).current_dir(sandbox.dir.path()).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(compile("Main.cs"), (true, String::new()));
    let output = Command::new("mono").arg("ids.exe").current_dir(sandbox.dir.path()).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines_sorted(&printed), ids_of(&sandbox, "out/game.rres"));

    let wrong = CS.replace("Id<Kind.Text> text", "Id<Kind.Raw> text");
    sandbox.write("Wrong.cs", wrong.as_bytes());
    let (_, errors) = compile("Wrong.cs");
    assert!(errors.contains("Wrong.cs(14,"), "{errors}");
}

#[test]
fn the_extension_chooses_the_language_of_builds_and_of_the_command() {
    let sandbox = sandbox();
    for (file, start) in [
        ("Assets.cs", "// <auto-generated/>\n"),
        ("assets.ts", "// The ids of the resources in game.rres."),
        ("assets.luau", "--!strict\n"),
        ("assets.lua", "---@meta\n"),
        ("ids.hpp", "/* The ids of the resources in game.rres."),
    ] {
        let settings = format!("[pack]\nname = \"game\"\nheader = \"{file}\"\n");
        sandbox.write("assets/assets.toml", settings.as_bytes());
        sandbox.run(["build", "assets", "-o", "out"]).success();
        let built = String::from_utf8(sandbox.read(&format!("out/{file}"))).unwrap();
        assert!(built.starts_with(start), "{built}");
        sandbox.run(["header", "assets", "-o", file]).success();
        assert_eq!(String::from_utf8(sandbox.read(file)).unwrap(), built);
    }
    let run = sandbox
        .run(["header", "assets", "--language", "cobol"])
        .failed(2, &["invalid value 'cobol'", "c, cs, ts, lua, luau"]);
    assert_eq!(run.out, "");
}

//! `cargo rres licenses`: who made the assets, and under which licence; and the lints about that.

use super::Sandbox;
use crate::show::json;

// REUSE-IgnoreStart
const RULES: &str = r#"
["music/*"]
license = "CC-BY-4.0"
author = ["A. Singer", "B. Player"]
source = "https://example.com/song"

["ui/*"]
license = "CC0-1.0"
"#;

/// Assets whose licences are stated in every way, and one without.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("assets/assets.toml", RULES.as_bytes());
    sandbox.write("assets/music/song.bin", b"song");
    sandbox.write("assets/ui/a.bin", b"a");
    sandbox.write("assets/ui/b.bin", b"b");
    sandbox.write("assets/font.bin", b"font");
    sandbox.write("assets/font.bin.license", b"SPDX-FileCopyrightText: 2011 F\nSPDX-License-Identifier: OFL-1.1\n");
    sandbox.write("assets/code.lua", b"-- SPDX-License-Identifier: MIT\nprint(1)\n");
    sandbox.write("assets/bought/rock.bin", b"rock");
    sandbox.write(
        "assets/bought/REUSE.toml",
        b"version = 1\n[[annotations]]\npath = \"**\"\nSPDX-License-Identifier = \"LicenseRef-Store\"\nSPDX-FileCopyrightText = \"Shop\"\n",
    );
    sandbox.write("assets/unknown.txt", b"?");
    sandbox.write("LICENSES/LicenseRef-Store.txt", b"Do not sell it alone.\n");
    sandbox
}
// REUSE-IgnoreEnd

#[test]
fn works_are_listed_with_their_files() {
    let sandbox = sandbox();
    let run = sandbox.run(["licenses", "--assets", "assets"]);
    let expected = "Shop (LicenseRef-Store)
  bought/rock.bin
MIT
  code.lua
2011 F (OFL-1.1)
  font.bin
A. Singer, B. Player (CC-BY-4.0), https://example.com/song
  music/song.bin
CC0-1.0
  ui/a.bin
  ui/b.bin
no licence
  unknown.txt
7 files: CC0-1.0 2, CC-BY-4.0 1, LicenseRef-Store 1, MIT 1, OFL-1.1 1, none 1
";
    assert_eq!(run.out, expected);
    assert_eq!(run.code, 0);
    sandbox.run(["licences", "--assets", "assets", "--check"]).failed(1, &[]);
    sandbox.write("assets/unknown.txt.license", b"SPDX-License-Identifier: MIT\n");
    sandbox.run(["licenses", "--assets", "assets", "--check"]).success();
    let stated: Vec<String> = json(sandbox.run(["licenses", "--assets", "assets", "--json"]))["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            format!("{} {}", file["path"].as_str().unwrap(), file["stated_in"].as_str().unwrap().replace('\\', "/"))
        })
        .collect();
    let expected = [
        "bought/rock.bin assets/bought/REUSE.toml",
        "code.lua file",
        "font.bin assets/font.bin.license",
        "music/song.bin rule",
        "ui/a.bin rule",
        "ui/b.bin rule",
        "unknown.txt assets/unknown.txt.license",
    ];
    assert_eq!(stated, expected);
}

#[test]
fn credits_have_the_texts_of_licences_and_documents_of_spdx_all_files() {
    let sandbox = sandbox();
    let credits = sandbox.run(["licenses", "--assets", "assets", "--credits"]).out;
    for part in [
        "Shop (LicenseRef-Store)\n  bought/rock.bin\n\n",
        "No licence is known of:\n  unknown.txt\n",
        "LicenseRef-Store\n\nDo not sell it alone.\n",
        "MIT: https://spdx.org/licenses/MIT.html\n",
    ] {
        assert!(credits.contains(part), "{part} in:\n{credits}");
    }
    let document: serde_json::Value =
        serde_json::from_str(&sandbox.run(["licenses", "--assets", "assets", "--spdx"]).out).unwrap();
    assert_eq!(
        (&document["spdxVersion"], &document["creationInfo"]["created"]),
        (&"SPDX-2.3".into(), &"1980-01-01T00:00:00Z".into())
    );
    let file = |name: &str| {
        let files = document["files"].as_array().unwrap();
        files.iter().find(|file| file["fileName"] == format!("./{name}")).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert_eq!(file("ui/a.bin")["checksums"][0]["checksumValue"], "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8");
    assert_eq!(file("font.bin")["copyrightText"], "2011 F");
    assert_eq!(file("unknown.txt")["licenseConcluded"], "NOASSERTION");
    assert_eq!(document["hasExtractedLicensingInfos"][0]["extractedText"], "Do not sell it alone.\n");
    assert_eq!(document["files"].as_array().unwrap().len(), document["relationships"].as_array().unwrap().len());
}

#[test]
fn a_file_without_an_allowed_licence_fails_the_build() {
    let sandbox = sandbox();
    let lints = "[lints]\nunlicensed = \"deny\"\nallowed_licenses = [\"CC0-1.0\", \"MIT\", \"OFL-1.1\", \"LicenseRef-Store\"]\n";
    sandbox.write("assets/assets.toml", format!("{lints}{RULES}").as_bytes());
    let run = sandbox.run(["pack", "assets", "-o", "a.rres"]);
    run.failed(
        1,
        &[
            "unknown.txt: has no licence, expected one",
            "song.bin: is under CC-BY-4.0, allowed are CC0-1.0, MIT, OFL-1.1, LicenseRef-Store",
        ],
    );
    // A warning does not stop it, a file can be accepted, and what comes from a choice is allowed.
    let rules = RULES.replace("CC-BY-4.0", "CC-BY-4.0 OR MIT");
    let lints = lints.replace("deny", "warn");
    sandbox.write("assets/assets.toml", format!("{lints}{rules}").as_bytes());
    let run = sandbox.run(["pack", "assets", "-o", "a.rres"]);
    assert!(run.code == 0 && run.out.contains("unknown.txt: has no licence"), "{run:?}");
    sandbox.write("assets/assets.toml", format!("{lints}{rules}[\"unknown.txt\"]\nlint = \"allow\"\n").as_bytes());
    let run = sandbox.run(["pack", "assets", "-o", "a.rres"]);
    assert!(run.code == 0 && !run.out.contains("licence"), "{run:?}");
    sandbox.run(["licenses", "--assets", "assets", "--check"]).success();
    // What is no licence is an error where it stands, once for all files, with what was meant.
    let wrong = RULES.replace("CC0-1.0", "Creative Commons Zero").replace("CC-BY-4.0", "CC BY 4.0");
    sandbox.write("assets/assets.toml", format!("{lints}{wrong}").as_bytes());
    let run = sandbox.run(["pack", "assets", "-o", "a.rres"]);
    let run = run.failed(
        1,
        &["assets.toml:6:", "\"CC BY 4.0\" is no licence expression of SPDX", "write \"CC-BY-4.0\"", "LicenseRef-NAME"],
    );
    assert_eq!(run.err.matches("Creative Commons Zero\" is no").count(), 1, "{}", run.err);
}

#[test]
fn the_report_sums_by_licence() {
    let sandbox = sandbox();
    let run = sandbox.run(["report", "assets"]);
    assert!(run.out.contains("by licence: ") && run.out.contains("no licence "), "{}", run.out);
    let report = json(sandbox.run(["report", "assets", "--json"]));
    let shares = report["licenses"].as_array().unwrap();
    let of = |license: serde_json::Value| {
        shares.iter().find(|share| share["license"] == license).unwrap()["asset_count"].clone()
    };
    assert_eq!((of("CC0-1.0".into()), of(serde_json::Value::Null)), (2.into(), 1.into()));
    assert_eq!(report["assets"][0]["licenses"][0], "LicenseRef-Store");
}

#[test]
fn a_broken_file_of_reuse_is_an_error_of_the_command_and_controls_no_terminal() {
    let sandbox = sandbox();
    sandbox.write("assets/unknown.txt.license", b"SPDX-FileCopyrightText: \x1b[31mA\nSPDX-License-Identifier: MIT\n");
    let run = sandbox.run(["licenses", "--assets", "assets", "--credits"]).success();
    assert!(run.out.contains("[31mA") && !run.out.contains('\x1b'), "{run:?}");
    sandbox.write("assets/ui/REUSE.toml", b"version = 7\n");
    sandbox.run(["licenses", "--assets", "assets"]).failed(1, &["REUSE.toml:1:11: out of range: 7 for `version`"]);
    // What it says of other files stands, and a report is made without it.
    sandbox.run(["report", "assets"]).success();
}

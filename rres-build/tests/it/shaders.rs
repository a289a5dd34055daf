//! Shaders in whole builds: includes and the cache, stages as assets, faults with their places.

use std::fs;

use super::Project;

const SPLIT: &[u8] = b"[\"fx/*\"]\ntext = { shader = \"preprocess\" }\n";

fn project() -> Project {
    Project::new(&[
        ("assets.toml", SPLIT),
        ("fx/blur.glsl", b"#version 330\n@v\n#include \"../lib/common.glsl\"\nvoid main() {}\n@p\nvoid main() {}\n"),
        ("lib/common.glsl", b"float common_x;\n"),
    ])
}

/// The contents of the pack do not matter here, only whether they differ.
fn pack(project: &Project) -> Vec<u8> {
    fs::read(project.out().join("game.rres")).unwrap()
}

#[test]
fn an_edit_of_an_included_file_imports_the_shader_again() {
    let project = project();
    assert_eq!(project.run().imported(), 2);
    let before = pack(&project);
    assert_eq!(project.run().imported(), 0);
    // Of another length, since a test may write twice within one tick of the clock.
    project.write("lib/common.glsl", b"float common_x, common_y;\n");
    assert_eq!(project.run().imported(), 2);
    assert_ne!(pack(&project), before);
    // The old blobs are still in the cache.
    project.write("lib/common.glsl", b"float common_x;\n");
    assert_eq!((project.run().imported(), pack(&project) == before), (0, true));
    // A file that now comes before the one that was found.
    project.write("fx/blur.glsl", b"#include \"lib/common.glsl\"\n");
    project.run();
    let below = pack(&project);
    project.write("fx/lib/common.glsl", b"float beside;\n");
    project.run();
    assert_ne!(pack(&project), below);
}

/// The first build leaves blobs of sources with the same bytes in other places.
#[test]
fn equal_sources_in_other_places_include_their_own_files() {
    let project = Project::new(&[
        ("assets.toml", b"[\"**/*.frag\"]\ntext = { shader = \"preprocess\" }\n"),
        ("one/a.frag", b"#include <c.glsl>\n"),
        ("c.glsl", b"first\n"),
    ]);
    project.run();
    project.write("one/deep/a.frag", b"#include <c.glsl>\n");
    project.write("one/c.glsl", b"first\n");
    project.write("c.glsl", b"second\n");
    project.run();
    // All that is left of the first text is the file that nothing includes.
    let pack = pack(&project);
    let count = |text: &[u8]| pack.windows(text.len()).filter(|window| *window == text).count();
    assert_eq!((count(b"first\n"), count(b"second\n")), (1, 1), "equal texts are stored once");
}

#[test]
fn stages_have_constants() {
    let project = project();
    project.run();
    let module = project.module();
    assert!(module.contains("pub const BLUR_GLSL: ") && module.contains("pub const FRAG: "), "{module}");
}

#[test]
fn a_missing_include_is_an_error_until_the_file_exists() {
    let project = project();
    fs::remove_file(project.assets().join("lib/common.glsl")).unwrap();
    let errors = project.fail();
    let found = errors.diagnostics()[0].to_string();
    assert!(
        found.contains("blur.glsl:3:1: includes \"../lib/common.glsl\", but \"lib/common.glsl\" does not"),
        "{found}"
    );
    project.write("lib/common.glsl", b"float common_x;\n");
    project.run();
}

#[cfg(feature = "shader")]
#[test]
fn faults_of_included_files_are_reported_there() {
    let project = Project::new(&[
        ("fx/a.wgsl", b"#include \"../lib/light.wgsl\"\n@compute @workgroup_size(1) fn a() { _ = light(); }\n"),
        ("fx/b.wgsl", b"@compute @workgroup_size(1) fn b() { missing(); }\n"),
        ("fx/c.frag", b"#version 450\nvoid main() { int a; int a;\n int a; }\n"),
        ("lib/light.wgsl", b"fn light() -> f32 {\n    return intensity;\n}\n"),
        ("assets.toml", b"[\"**/*.frag\"]\ntext = { shader = \"validate\" }\n"),
    ]);
    let errors = project.fail();
    let found: Vec<(String, Option<&str>)> =
        errors.diagnostics().iter().map(|fault| (fault.place().replace('\\', "/"), fault.asset())).collect();
    let expected = [
        ("fx/b.wgsl:1:38", "fx/b.wgsl"),
        ("fx/c.frag:2:26", "fx/c.frag"),
        ("fx/c.frag:3:6", "fx/c.frag"),
        ("lib/light.wgsl:2:12", "fx/a.wgsl"),
    ];
    assert_eq!(found.len(), expected.len(), "{errors}");
    for ((place, asset), (end, path)) in found.iter().zip(expected) {
        assert!(place.ends_with(end) && *asset == Some(path), "{place} {asset:?} {end}");
    }
    // Each has a rule that settles it.
    let rules = errors.suggested_rules().unwrap();
    assert!(rules.contains("[\"fx/*\"]") && rules.contains("text.shader = \"keep\""), "{rules}");
    project.write("assets.toml", rules.as_bytes());
    project.run();
}

#[cfg(feature = "shader")]
#[test]
fn interfaces_do_not_depend_on_threads_or_cache() {
    let source = |number: u32| {
        format!(
            "struct S {{ a: vec3<f32>, b: array<vec4<f32>, {number}> }}
             @group(0) @binding(1) var<uniform> s: S;
             @group(0) @binding(0) var t: texture_2d<f32>;
             @vertex fn vs(@location(1) x: f32, @location(0) y: vec2<f32>) -> @builtin(position) vec4<f32> {{
                 return s.b[0] * x * y.x + textureLoad(t, vec2(0), 0);
             }}"
        )
    };
    let mut packs = Vec::new();
    for threads in [1, 2, 8] {
        let project = Project::new(&[]);
        (1..20).for_each(|number| project.write(&format!("{number}.wgsl"), source(number).as_bytes()));
        for _ in 0..2 {
            project.build().threads(threads).build().unwrap();
            packs.push(pack(&project));
        }
    }
    assert!(packs.iter().all(|pack| *pack == packs[0]));
}

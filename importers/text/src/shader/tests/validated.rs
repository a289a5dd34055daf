//! Sources that naga validates, and their interfaces.

use rres_format::chunk::shader::{
    Binding, BindingKind, ShaderInterface, ShaderScalar, ShaderStage, StageValue, TextureDimension, TextureSample,
};

use super::*;

const WGSL: &str = "
struct Light { color: vec3<f32>, range: f32 }
struct Camera { view: mat4x4<f32>, eye: vec3<f32>, lights: array<Light, 2> }
struct Vertex { @location(1) uv: vec2<f32>, @location(0) position: vec3<f32>, @builtin(vertex_index) number: u32 }
struct Varying { @builtin(position) clip: vec4<f32>, @location(0) uv: vec2<f32> }
@group(0) @binding(1) var<uniform> camera: Camera;
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(0) var nearest: sampler;
@group(1) @binding(1) var<storage, read_write> out: array<vec4<u32>>;
@group(1) @binding(2) var target_picture: texture_storage_2d<rgba8unorm, write>;
@group(1) @binding(3) var shadows: texture_depth_cube;
@group(1) @binding(4) var compare: sampler_comparison;
override gain: f32 = 2.0;
@id(3) override mode: u32;
@vertex fn vs(in: Vertex, @location(5) shade: f32) -> Varying {
    return Varying(camera.view * vec4(in.position * shade, 1.0), in.uv);
}
@fragment fn fs(in: Varying) -> @location(0) vec4<f32> {
    return textureSample(picture, nearest, in.uv) * gain * camera.lights[1].range;
}
@compute @workgroup_size(8, 4) fn cs(@builtin(global_invocation_id) id: vec3<u32>) {
    out[id.x] = vec4(mode);
}
";

fn interface(asset: &Asset) -> ShaderInterface {
    assert!(asset.blocks.len() == 2 && asset.blocks[1].kind == FourCc::SHDR && !asset.blocks[0].linked);
    ShaderInterface::parse(PayloadView::parse(&asset.blocks[1].bytes).unwrap()).unwrap()
}

fn validate(files: &[(&str, &str)]) -> Result<Vec<Asset>, ImportError> {
    import_with(files, &rule(ShaderImport::Validate))
}

#[test]
fn wgsl_is_validated_by_default_and_its_interface_is_stored() {
    let asset = import_with(&[("a.wgsl", WGSL)], &Settings::default()).unwrap().remove(0);
    assert_eq!((text(&asset), asset.notes.len()), (WGSL, 0));
    assert!(asset.summary.ends_with(", vertex vs, fragment fs, compute cs, 7 bindings"), "{}", asset.summary);
    let found = interface(&asset);

    let value = |name: &str, location, components| StageValue {
        name: name.to_owned(),
        location,
        scalar: ShaderScalar::F32,
        components,
    };
    let [vs, fs, cs] = &found.entry_points[..] else { panic!("{found:?}") };
    assert_eq!((&*vs.name, vs.stage, vs.workgroup_size), ("vs", ShaderStage::Vertex, [0; 3]));
    assert_eq!(vs.inputs, [value("position", 0, 3), value("uv", 1, 2), value("shade", 5, 1)]);
    assert_eq!(vs.outputs, [value("uv", 0, 2)]);
    assert_eq!((fs.stage, &fs.outputs[..]), (ShaderStage::Fragment, &[value("", 0, 4)][..]));
    assert_eq!((cs.stage, cs.workgroup_size), (ShaderStage::Compute, [8, 4, 1]));
    assert_eq!((&vs.bindings[..], &fs.bindings[..], &cs.bindings[..]), (&[1][..], &[0, 1, 2][..], &[3][..]));

    let names: Vec<(u32, u32, &str)> = found.bindings.iter().map(|it| (it.group, it.binding, &*it.name)).collect();
    let expected = [
        (0, 0, "picture"),
        (0, 1, "camera"),
        (1, 0, "nearest"),
        (1, 1, "out"),
        (1, 2, "target_picture"),
        (1, 3, "shadows"),
        (1, 4, "compare"),
    ];
    assert_eq!(names, expected);
    let kind = |name: &str| found.binding(name).unwrap().kind.clone();
    let texture = |dimension, sample| BindingKind::Texture { dimension, sample, is_multisampled: false };
    assert_eq!(kind("picture"), texture(TextureDimension::D2, TextureSample::Float));
    assert_eq!(kind("shadows"), texture(TextureDimension::Cube, TextureSample::Depth));
    assert_eq!((kind("nearest"), kind("compare")), (BindingKind::Sampler, BindingKind::ComparisonSampler));
    let storage = BindingKind::StorageTexture {
        dimension: TextureDimension::D2,
        format: "rgba8unorm".to_owned(),
        is_readable: false,
        is_writable: true,
    };
    assert_eq!(kind("target_picture"), storage);

    let camera = found.binding("camera").unwrap();
    assert_eq!((&camera.kind, camera.size, camera.count), (&BindingKind::Uniform, 112, 1));
    let members: Vec<_> =
        camera.members.iter().map(|it| (&*it.name, &*it.type_name, it.offset, it.size, it.count, it.stride)).collect();
    let expected = [
        ("view", "mat4x4<f32>", 0, 64, 1, 0),
        ("eye", "vec3<f32>", 64, 12, 1, 0),
        ("lights", "array<Light, 2>", 80, 32, 2, 16),
        ("lights[].color", "vec3<f32>", 80, 12, 1, 0),
        ("lights[].range", "f32", 92, 4, 1, 0),
    ];
    assert_eq!(members, expected);
    let Binding { kind, size, members, .. } = found.binding("out").unwrap();
    assert_eq!((kind, *size), (&BindingKind::Storage { is_writable: true }, 16));
    assert_eq!((&*members[0].type_name, members[0].count, members[0].stride), ("array<vec4<u32>>", 0, 16));

    let constants: Vec<_> = found.constants.iter().map(|it| (&*it.name, it.id, it.scalar, it.has_default)).collect();
    assert_eq!(constants, [("gain", None, ShaderScalar::F32, true), ("mode", Some(3), ShaderScalar::U32, false)]);
}

#[test]
fn push_constants_arrays_and_sizes_by_constants_are_in_the_interface() {
    let source = "enable wgpu_binding_array;
        override w = 4u;
        struct Push { tint: vec4<f32>, scale: f32 }
        var<immediate> push: Push;
        @group(0) @binding(2) var pictures: binding_array<texture_2d_array<u32>, 3>;
        @compute @workgroup_size(w, 2) fn main() { _ = push.scale; }";
    let found = interface(&validate(&[("a.wgsl", source)]).unwrap()[0]);
    assert_eq!(found.entry_points[0].workgroup_size, [0, 2, 1]);
    let [pictures, push] = &found.bindings[..] else { panic!("{found:?}") };
    assert_eq!((pictures.count, pictures.size), (3, 0));
    assert_eq!((&push.kind, push.size, &*push.members[1].name), (&BindingKind::PushConstants, 32, "scale"));
    assert_eq!(found.entry_points[0].bindings, [1]);
}

#[test]
fn faults_are_in_the_line_of_the_file_that_has_them() {
    let fault = |source: &str| shown(&import_with(&[("a.wgsl", source)], &Settings::default()).unwrap_err());
    assert_eq!(
        fault("@fragment\nfn fs() -> @location(0) vec4f {\n    return vec4f(ä, colour);\n}\n"),
        "source:3:18: no definition in scope for identifier: `ä` (unknown identifier), in `return vec4f(ä, colour);`"
    );
    // A fault of the grammar, and one that validation finds.
    assert!(fault("@vertex fn f( {}").starts_with("source:1:15: expected "), "{}", fault("@vertex fn f( {}"));
    let unsized_ = "@group(0) @binding(0)\nvar<uniform> a: array<f32>;\n@compute @workgroup_size(1) fn f() {}";
    assert!(fault(unsized_).starts_with("source:2:1: global variable [0] 'a' is invalid: "), "{}", fault(unsized_));

    let files = [
        ("fx/a.wgsl", "#include \"../lib/b.wgsl\"\n@compute @workgroup_size(1) fn f() { b(); }\n"),
        ("lib/b.wgsl", "// b\nfn b() {\n\tlet x = nothing;\n}\n"),
    ];
    let error = import_with(&files, &Settings::default()).unwrap_err();
    let expected = "lib/b.wgsl:3:10: no definition in scope for identifier: `nothing` (unknown identifier), in `let x = nothing;`; \
                    fx/a.wgsl includes this file";
    assert_eq!(shown(&error), expected);
    // And after the include, in the source itself.
    let files =
        [("a.wgsl", "#include \"b.wgsl\"\n@compute @workgroup_size(1) fn f() { c(); }\n"), ("b.wgsl", "fn b() {}")];
    let error = import_with(&files, &Settings::default()).unwrap_err();
    assert!(shown(&error).starts_with("source:2:38: "), "{}", shown(&error));
}

#[test]
fn parts_of_shaders_and_other_preprocessors_are_kept_with_a_note() {
    let source = "fn shade() -> f32 { return light.range; }\n";
    let asset = import_with(&[("a.wgsl", source)], &Settings::default()).unwrap().remove(0);
    assert_eq!(asset.notes[0].detail, "no definition in scope for identifier: `light` (unknown identifier)");
    for (source, topic) in [
        (source, "without entry point"),
        ("#import bevy_pbr::mesh\n@vertex fn f() {}\n", "another preprocessor"),
        ("#ifdef X\n@vertex fn f() {}\n#endif\n", "another preprocessor"),
    ] {
        let asset = import_with(&[("a.wgsl", source)], &Settings::default()).unwrap().remove(0);
        assert_eq!((text(&asset), asset.blocks.len()), (source, 1));
        assert!(asset.notes[0].topic.contains(topic), "{:?}", asset.notes);
        // A rule that asks for it is obeyed.
        assert!(validate(&[("a.wgsl", source)]).is_err());
    }
    // Parts that stand alone have an interface, too.
    let asset = import_with(&[("a.wgsl", "fn f() {}")], &Settings::default()).unwrap().remove(0);
    assert_eq!((interface(&asset), asset.notes.len()), (ShaderInterface::default(), 0));
}

const VERTEX: &str = "layout(location = 0) in vec3 position;
layout(set = 0, binding = 0) uniform Camera { mat4 view; vec4 tint[2]; };
void main() { gl_Position = view * vec4(position, 1.0) * tint[1]; }
";
const FRAGMENT: &str = "layout(location = 0) out vec4 color;
layout(set = 1, binding = 0) uniform texture2D picture;
layout(set = 1, binding = 1) uniform sampler smooth_sampler;
layout(push_constant) uniform Push { vec2 at; } push;
void main() { color = texture(sampler2D(picture, smooth_sampler), push.at); }
";

#[test]
fn glsl_of_vulkan_is_validated_by_rule() {
    let source = format!("#version 450\n@v\n{VERTEX}@p\n{FRAGMENT}");
    let assets = validate(&[("a.glsl", &source)]).unwrap();
    let [vertex, fragment] = &assets[..] else { panic!("{assets:?}") };
    assert_eq!((&*vertex.name, &*fragment.name), ("", "frag"));
    let found = interface(vertex);
    let entry = found.entry_point("main").unwrap();
    assert_eq!((entry.stage, &*entry.inputs[0].name, entry.inputs[0].components), (ShaderStage::Vertex, "position", 3));
    let camera = found.binding("Camera").unwrap();
    assert_eq!((&camera.kind, camera.size, camera.members[1].offset), (&BindingKind::Uniform, 96, 64));
    let found = interface(fragment);
    let kinds: Vec<_> = found.bindings.iter().map(|it| (it.group, it.binding, it.kind.clone())).collect();
    assert_eq!((kinds[1].clone(), kinds[2].2.clone()), ((1, 1, BindingKind::Sampler), BindingKind::PushConstants));

    // The extension or a setting names the stage.
    let fragment = format!("#version 450\n{FRAGMENT}");
    for path in ["a.frag", "a.fs", "x/frag.glsl", "a.Frag.glsl"] {
        let assets = validate(&[(path, &fragment)]).unwrap();
        assert_eq!(interface(&assets[0]).entry_points[0].stage, ShaderStage::Fragment, "{path}");
    }
    let error = validate(&[("a.glsl", &fragment)]).unwrap_err();
    assert_eq!(error.to_string(), "is a shader of an unknown stage");
    let mut settings = rule(ShaderImport::Validate);
    settings.text.stage = Some(GlslStage::Fragment);
    assert!(import_with(&[("a.glsl", &fragment)], &settings).is_ok());
}

#[test]
fn three_stages_come_from_one_file_or_from_three() {
    // Longer than 64 KiB each.
    let long = |code: &str| format!("{code}{}", "// padding\n".repeat(7_000));
    let compute = "layout(local_size_x = 8, local_size_y = 4) in;
layout(std430, set = 0, binding = 3) buffer Data { uint all[]; };
void main() { all[gl_GlobalInvocationID.x] += 1u; }
";
    let [vertex, fragment, compute] = [VERTEX, FRAGMENT, compute].map(long);
    assert!([&vertex, &fragment, &compute].iter().all(|code| code.len() > 65_536));
    let one = format!("#version 450\n@v\n{vertex}@p\n{fragment}@c\n{compute}");
    let together = validate(&[("a.glsl", &one)]).unwrap();
    let names: Vec<&str> = together.iter().map(|asset| &*asset.name).collect();
    assert_eq!(names, ["", "frag", "comp"]);
    let stages = [ShaderStage::Vertex, ShaderStage::Fragment, ShaderStage::Compute];
    let files = [("a.vert", vertex), ("a.frag", fragment), ("a.comp", compute)];
    for ((asset, stage), (path, code)) in together.iter().zip(stages).zip(files) {
        let code = format!("#version 450\n{code}");
        let alone = validate(&[(path, &code)]).unwrap();
        assert_eq!((interface(asset).entry_points[0].stage, text(asset)), (stage, &*code));
        assert_eq!((interface(&alone[0]), text(&alone[0])), (interface(asset), text(asset)));
    }
    assert_eq!(interface(&together[2]).entry_points[0].workgroup_size, [8, 4, 1]);
}

#[test]
fn comments_are_neither_operators_nor_brackets() {
    let code = "@compute @workgroup_size(1) fn main() {}\n";
    for comment in ["// a / b\n".repeat(3_000), "// (\n".repeat(300), format!("/* {} */", "-".repeat(300))] {
        assert!(validate(&[("a.wgsl", &format!("{comment}{code}"))]).is_ok(), "{}", &comment[..8]);
    }
    let deep = format!("const a = {}1{};", "(".repeat(300), ")".repeat(300));
    for before in ["//\n", "//\r", "//\u{2028}", "/* /* */", "/**/"] {
        let error = validate(&[("a.wgsl", &format!("{before}{deep}"))]).unwrap_err();
        assert!(error.to_string().contains("brackets inside each other"), "{before:?}: {error}");
    }
}

#[test]
fn every_fault_that_naga_finds_in_glsl_is_reported() {
    let source = "#version 450\nvoid main() {\n    int a = 1;\n    int a = 2;\n    int a = 3;\n}\n";
    let error = validate(&[("a.vert", source)]).unwrap_err();
    let all: Vec<String> = std::iter::once(&error).chain(error.others()).map(shown).collect();
    let expected = [
        "source:4:9: variable already declared: a, in `int a = 2;`",
        "source:5:9: variable already declared: a, in `int a = 3;`",
    ];
    assert_eq!(all, expected);
    // Each stage has faults of its own.
    let source = "#version 450\n@v\nvoid main() { a; }\n@c\nvoid main() { b; }\n";
    assert_eq!(validate(&[("a.glsl", source)]).unwrap_err().others().len(), 1);
}

#[test]
fn other_versions_and_languages_are_refused_with_a_remedy() {
    for version in ["#version 100\n", "#version 300 es\n", "#version 330 core\n"] {
        let error = validate(&[("a.frag", &format!("{version}void main() {{}}\n"))]).unwrap_err();
        assert!(error.help().unwrap().contains("only GLSL 440, 450 and 460 core"), "{version}: {error:?}");
    }
    let error = validate(&[("a.hlsl", "float4 main() {}")]).unwrap_err();
    assert_eq!(error.to_string(), "would be validated, but it is neither in WGSL nor in GLSL");
    assert!(validate(&[("a.geom", "#version 450\nvoid main() {}\n")]).is_err());
}

#[test]
fn sources_that_are_too_deep_or_too_wide_are_errors() {
    for (open, close) in [("(", ")"), ("-", ""), ("!", ""), ("{", "}"), ("vec3(", ")")] {
        for (path, start, end) in [
            ("a.wgsl", "@vertex fn f() { let x = ", "; }"),
            ("a.frag", "#version 450\nvoid main() { float x = ", "; }"),
        ] {
            let source = format!("{start}{}1{}{end}", open.repeat(20_000), close.repeat(20_000));
            assert!(validate(&[(path, &source)]).unwrap_err().to_string().contains("inside each other"), "{open}");
        }
    }
    for chain in ["1+1/", "x=", "true?1:"] {
        let source = format!("#version 450\nvoid main() {{ float x = {}1; }}", chain.repeat(20_000));
        assert!(validate(&[("a.frag", &source)]).unwrap_err().to_string().contains("in one statement"), "{chain}");
    }
    let source = format!("#version 450\nvoid main() {{ {} ; }}", "if (true) ; else ".repeat(20_000));
    assert!(validate(&[("a.frag", &source)]).unwrap_err().to_string().contains("`else`"));
    // Many operators in many statements are fine.
    let source =
        format!("@compute @workgroup_size(1) fn f() {{ var x = 1.0; {} }}", "x = x * 2.0 + 1.0;".repeat(3_000));
    assert!(validate(&[("a.wgsl", &source)]).is_ok());
    let structs: String = (1..20).map(|n| format!("struct S{n} {{ a: S{0}, b: S{0} }}\n", n - 1)).collect();
    let source = format!(
        "struct S0 {{ x: f32 }}\n{structs}@group(0) @binding(0) var<storage> s: S19;\n@compute @workgroup_size(1) fn f() {{}}"
    );
    assert!(validate(&[("a.wgsl", &source)]).unwrap_err().to_string().contains("more than 65536 members"));
}

#[test]
fn large_shaders_are_validated() {
    let functions: String = (0..2_000).map(|n| format!("fn g{n}(x: f32) -> f32 {{ return x * {n}.0; }}\n")).collect();
    let source = format!("{functions}@compute @workgroup_size(1) fn main() {{ _ = g7(1.0); }}\n");
    assert!(source.len() > 65_536);
    assert_eq!(interface(&validate(&[("a.wgsl", &source)]).unwrap()[0]).entry_points.len(), 1);
}

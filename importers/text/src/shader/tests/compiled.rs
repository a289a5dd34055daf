//! What shaders are compiled to.

use std::process::{Command, Stdio};

use rres_format::AssetKind;
use rres_format::chunk::raw::RawView;
use rres_format::chunk::shader::ShaderInterface;

use super::*;

const WGSL: &str = "
struct Camera { view: mat4x4<f32>, eye: vec4<f32> }
@group(0) @binding(0) var<uniform> camera: Camera;
@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var nearest: sampler;
@group(1) @binding(2) var<storage, read> numbers: array<f32>;
@group(2) @binding(7) var<storage, read_write> out: array<vec4<f32>>;
@group(2) @binding(8) var shadow: texture_depth_2d;
override gain: f32 = 2.0;
struct Varying { @builtin(position) clip: vec4<f32>, @location(0) uv: vec2<f32> }
@vertex fn main(@location(0) position: vec3<f32>) -> Varying {
    return Varying(camera.view * vec4(position, 1.0), position.xy);
}
@fragment fn fs(in: Varying) -> @location(0) vec4<f32> {
    let depth = textureLoad(shadow, vec2<i32>(in.uv), 0);
    return textureSample(picture, nearest, in.uv) * gain * numbers[1] * depth;
}
@compute @workgroup_size(8) fn cs(@builtin(global_invocation_id) id: vec3<u32>) {
    out[id.x] = camera.eye;
}
";

const GLSL: &str = "#version 450\n@v\nlayout(location = 0) in vec3 position;\nvoid main() { gl_Position = vec4(position, 1.0); }\n\
                    @p\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n";

fn compiling(targets: &[ShaderTarget]) -> Settings {
    let mut settings = Settings::default();
    settings.text.compile = targets.to_vec();
    settings
}

fn bytes(asset: &Asset) -> &[u8] {
    let view = RawView::parse(PayloadView::parse(&asset.blocks[0].bytes).unwrap()).unwrap();
    assert_eq!(view.extension(), b".spv");
    view.bytes()
}

fn words(asset: &Asset) -> Vec<u32> {
    bytes(asset).as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The code that an instruction of SPIR-V begins with, with its operands; after the five words of the head.
fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = &words[5..];
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let (instruction, others) = rest.split_at((first >> 16) as usize);
        rest = others;
        Some((first & 0xffff, &instruction[1..]))
    })
}

const NEGATE_F32: u32 = 127;
const ENTRY_POINT: u32 = 15;

/// What the validator of Khronos says, if it is installed.
fn assert_valid(spirv: &[u8]) {
    use std::io::Write as _;

    let tool = Command::new("spirv-val").args(["--target-env", "vulkan1.1", "-"]).stdin(Stdio::piped()).spawn();
    let Ok(mut tool) = tool else { return };
    tool.stdin.take().unwrap().write_all(spirv).unwrap();
    assert!(tool.wait().unwrap().success());
}

#[test]
fn spirv_has_all_entry_points_and_the_same_bytes_each_time() {
    let settings = compiling(&[ShaderTarget::Spirv]);
    let assets = import_with(&[("a.wgsl", WGSL)], &settings).unwrap();
    assert_eq!((assets.len(), assets[1].name.as_str(), assets[1].kind), (2, "spirv", AssetKind::Raw));
    assert!(assets[1].summary.ends_with("of SPIR-V, vertex main, fragment fs, compute cs"), "{}", assets[1].summary);
    let words = words(&assets[1]);
    assert_eq!((words[0], words[1]), (0x0723_0203, 0x0001_0300));
    // Vertex, fragment and compute.
    let models: Vec<u32> = instructions(&words).filter(|(code, _)| *code == ENTRY_POINT).map(|(_, it)| it[0]).collect();
    assert_eq!(models, [0, 4, 5]);
    assert_valid(bytes(&assets[1]));
    let again = import_with(&[("a.wgsl", WGSL)], &settings).unwrap();
    assert_eq!(bytes(&again[1]), bytes(&assets[1]));
    // The key of the rule and the order of the targets change nothing of what is compiled.
    let both = import_with(&[("a.wgsl", WGSL)], &compiling(&[ShaderTarget::Msl, ShaderTarget::Spirv])).unwrap();
    assert_eq!((both[1].name.as_str(), bytes(&both[2])), ("msl", bytes(&assets[1])));
}

/// WGSL has the clip space of WebGPU, whose y is turned for Vulkan; GLSL is written for Vulkan.
#[test]
fn the_picture_is_upright_in_vulkan() {
    let negates = |asset: &Asset| instructions(&words(asset)).any(|(code, _)| code == NEGATE_F32);
    let settings = compiling(&[ShaderTarget::Spirv]);
    let wgsl = import_with(&[("a.wgsl", WGSL)], &settings).unwrap();
    let glsl = import_with(&[("a.glsl", GLSL)], &settings).unwrap();
    let names: Vec<&str> = glsl.iter().map(|asset| asset.name.as_str()).collect();
    assert_eq!(names, ["", "spirv", "frag", "frag.spirv"]);
    assert_eq!((negates(&wgsl[1]), negates(&glsl[1])), (true, false));
    assert_valid(bytes(&glsl[1]));
    assert_valid(bytes(&glsl[3]));
}

#[test]
fn metal_has_slots_in_the_order_of_groups_and_its_interface_says_them() {
    let assets = import_with(&[("a.wgsl", WGSL)], &compiling(&[ShaderTarget::Msl])).unwrap();
    let msl = text(&assets[1]);
    for expected in
        ["[[buffer(0)]]", "[[buffer(1)]]", "[[texture(0)]]", "[[sampler(0)]]", "vertex ", "fragment ", "kernel "]
    {
        assert!(msl.contains(expected), "{expected}: {msl}");
    }
    assert!(!msl.contains("fake"), "{msl}");
    let interface = ShaderInterface::parse(PayloadView::parse(&assets[1].blocks[1].bytes).unwrap()).unwrap();
    let slots: Vec<_> = interface.bindings.iter().map(|it| (it.name.as_str(), it.group, it.binding)).collect();
    let expected =
        [("camera", 0, 0), ("picture", 0, 0), ("nearest", 0, 0), ("numbers", 0, 1), ("out", 0, 2), ("shadow", 0, 1)];
    assert_eq!(slots, expected);
    // `main` is a word of C++, so the function has another name there.
    let names: Vec<&str> = interface.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["main_", "fs", "cs"]);
    assert!(msl.contains("vertex main_Output main_("), "{msl}");
}

#[test]
fn variants_are_compiled_each() {
    let mut settings = compiling(&[ShaderTarget::Spirv]);
    settings.text.variants = Some([("loud", [("LOUD", true)])].into());
    let source = "@fragment fn fs() -> @location(0) vec4<f32> {\n#ifdef LOUD\nreturn vec4(2.0);\n#else\nreturn vec4(1.0);\n#endif\n}";
    let assets = import_with(&[("a.wgsl", source)], &settings).unwrap();
    let names: Vec<&str> = assets.iter().map(|asset| asset.name.as_str()).collect();
    assert_eq!(names, ["", "spirv", "loud", "loud.spirv"]);
    assert_ne!(bytes(&assets[1]), bytes(&assets[3]));
    let wrong = source.replace("2.0", "two");
    let error = import_with(&[("a.wgsl", &wrong)], &settings).unwrap_err();
    assert_eq!(
        shown(&error),
        "source:3:13: variant loud: no definition in scope for identifier: `two` (unknown identifier), in `return vec4(two);`"
    );
}

#[test]
fn what_a_target_cannot_have_is_an_error() {
    let source = "override mode: u32;\n@compute @workgroup_size(1) fn cs() { var a = mode; }";
    let error = import_with(&[("a.wgsl", source)], &compiling(&[ShaderTarget::Spirv])).unwrap_err();
    assert_eq!(error.to_string(), "cannot be compiled, because no value is given to: mode");
    let many: String = (0..300).map(|n| format!("@group(0) @binding({n}) var<uniform> u{n}: f32;\n")).collect();
    let source = format!("{many}@compute @workgroup_size(1) fn cs() {{ var a = u299; }}");
    assert!(import_with(&[("a.wgsl", &source)], &compiling(&[ShaderTarget::Spirv])).is_ok());
    let error = import_with(&[("a.wgsl", &source)], &compiling(&[ShaderTarget::Msl])).unwrap_err();
    assert!(error.to_string().contains("cannot be compiled to msl: `u256`"), "{error}");
}

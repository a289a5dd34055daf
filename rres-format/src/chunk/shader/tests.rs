use super::*;
use crate::chunk::{PayloadView, assert_damage_never_panics};

fn value(name: &str, location: u32, scalar: ShaderScalar, components: u32) -> StageValue {
    StageValue { name: name.to_owned(), location, scalar, components }
}

fn binding(name: &str, binding: u32, kind: BindingKind) -> Binding {
    Binding { name: name.to_owned(), group: 1, binding, kind, count: 1, size: 0, members: Vec::new() }
}

/// One of everything.
fn sample() -> ShaderInterface {
    let (dimension, sample) = (TextureDimension::CubeArray, TextureSample::Depth);
    let member = |name: &str, type_name: &str, offset| Member {
        name: name.to_owned(),
        type_name: type_name.to_owned(),
        offset,
        size: 16,
        count: 0,
        stride: 16,
    };
    let members = vec![member("view", "mat4x4<f32>", 0), member("größe[].x", "f32", 64)];
    let storage = BindingKind::StorageTexture {
        dimension: TextureDimension::D3,
        format: "rgba8unorm".to_owned(),
        is_readable: false,
        is_writable: true,
    };
    ShaderInterface {
        entry_points: vec![
            EntryPoint {
                name: "vs".to_owned(),
                stage: ShaderStage::Vertex,
                workgroup_size: [0; 3],
                inputs: vec![value("position", 0, ShaderScalar::F32, 3), value("", 3, ShaderScalar::U32, 1)],
                outputs: vec![value("uv", 0, ShaderScalar::F16, 2)],
                bindings: vec![0, 2],
            },
            EntryPoint {
                name: "cs".to_owned(),
                stage: ShaderStage::Compute,
                workgroup_size: [8, 0, 1],
                inputs: Vec::new(),
                outputs: Vec::new(),
                bindings: vec![2],
            },
        ],
        bindings: vec![
            Binding { size: 80, members, ..binding("camera", 0, BindingKind::Uniform) },
            binding("particles", 1, BindingKind::Storage { is_writable: true }),
            Binding {
                count: 0,
                ..binding("sky", 2, BindingKind::Texture { dimension, sample, is_multisampled: true })
            },
            binding("out", 3, storage),
            binding("s", 4, BindingKind::Sampler),
            binding("c", 5, BindingKind::ComparisonSampler),
            Binding { group: 0, ..binding("push", 0, BindingKind::PushConstants) },
            binding("scene", 6, BindingKind::Other),
        ],
        constants: vec![
            PipelineConstant { name: "gain".to_owned(), id: None, scalar: ShaderScalar::F32, has_default: true },
            PipelineConstant { name: "mode".to_owned(), id: Some(7), scalar: ShaderScalar::Bool, has_default: false },
        ],
    }
}

fn parse(block: &[u8]) -> crate::Result<ShaderInterface> {
    ShaderInterface::parse(PayloadView::parse(block)?)
}

#[test]
fn what_is_written_is_read() {
    for interface in [sample(), ShaderInterface::default()] {
        assert_eq!(parse(&interface.block()).unwrap(), interface);
    }
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    assert_damage_never_panics(&sample().block(), parse);
}

#[test]
fn numbers_without_a_meaning_are_refused() {
    let with = |at: usize, number: u32| {
        let mut block = sample().block();
        block[at..at + 4].copy_from_slice(&number.to_le_bytes());
        parse(&block).unwrap_err().to_string()
    };
    // The properties begin at 4, the records at 24: stage, workgroup, counts, length of the name.
    assert!(with(4, 2).contains("layout version 2, expected 1"), "{}", with(4, 2));
    assert!(with(24, 6).contains("unknown stage 6"), "{}", with(24, 6));
    // More inputs than records.
    with(24 + 16, u32::MAX);
    // The name, and with it all that follow, is longer than the names.
    with(24 + 28, u32::MAX);
    // Other numbers of entry points than there are records.
    with(8, 1);
    with(8, u32::MAX);
}

#[test]
fn the_layout_stays() {
    let interface = ShaderInterface {
        entry_points: vec![EntryPoint {
            name: "fs".to_owned(),
            stage: ShaderStage::Fragment,
            workgroup_size: [0; 3],
            inputs: Vec::new(),
            outputs: vec![value("c", 2, ShaderScalar::U32, 4)],
            bindings: vec![0],
        }],
        bindings: vec![binding("t", 3, BindingKind::Sampler)],
        constants: vec![PipelineConstant {
            name: "k".to_owned(),
            id: Some(9),
            scalar: ShaderScalar::Bool,
            has_default: true,
        }],
    };
    let block = interface.block();
    let (numbers, names) = block.split_at(block.len() - 5);
    let numbers: Vec<u32> = numbers.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect();
    let properties = [5, 1, 1, 1, 1, 28 * 4];
    let entry_point = [1, 0, 0, 0, 0, 1, 1, 2, 2, 2, 4, 1, 0];
    let binding = [1, 3, 5, 0, 0, 1, 1, 0, 0, 1, 0];
    let constant = [9, 4, 1, 1];
    assert_eq!(numbers, [&properties[..], &entry_point, &binding, &constant].concat());
    assert_eq!(names, b"fsctk");
}

#[test]
fn accessors_find_what_they_name() {
    let interface = sample();
    let stages = |name: &str| interface.stages_of(interface.binding(name).unwrap()).collect::<Vec<_>>();
    assert_eq!(stages("sky"), [ShaderStage::Vertex, ShaderStage::Compute]);
    assert_eq!((stages("camera"), stages("s")), (vec![ShaderStage::Vertex], vec![]));
    assert_eq!(interface.group(1).count(), 7);
    assert_eq!(interface.group(0).count(), 0);
    assert_eq!(interface.entry_point("cs").unwrap().workgroup_size, [8, 0, 1]);
    assert_eq!(interface.binding("camera").unwrap().member("view").unwrap().offset, 0);
    let formats: Vec<_> = interface.entry_points[0].inputs.iter().map(StageValue::wgpu_vertex_format).collect();
    assert_eq!(formats, [Some("float32x3"), Some("uint32")]);
    assert_eq!(value("", 0, ShaderScalar::F16, 3).wgpu_vertex_format(), None);
    assert_eq!(value("", 0, ShaderScalar::Bool, 1).wgpu_vertex_format(), None);
}

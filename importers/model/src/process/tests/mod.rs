//! Settings of models on small surfaces whose results are known.

mod levels;
mod meshlets;
mod vertices;

use rres_format::chunk::PayloadView;
use rres_format::chunk::scene::SceneView;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps, VertexView};
use rres_import::{Asset, ImportError, Importer as _, MemoryFiles as Files, Source};
use rres_settings::Settings;

use super::super::ModelImporter;
use super::*;

fn settings(change: impl FnOnce(&mut ModelSettings)) -> Settings {
    let mut settings = Settings::default();
    change(&mut settings.model);
    settings
}

/// Imports an OBJ.
fn import(text: &str, settings: &Settings) -> Result<Asset, ImportError> {
    let mut inputs = Files::default();
    let parts = ModelImporter.import(&mut Source::new("a.obj", text.as_bytes(), settings, &mut inputs))?;
    Ok(parts.into_iter().next().unwrap())
}

/// The attributes of all primitives in the order of the blocks.
fn attributes(model: &Asset) -> Vec<(VertexProps, Vec<u8>)> {
    let vertices = model.blocks.iter().take_while(|block| block.kind == rres_format::FourCc::VRTX);
    let read = |block: &Block| {
        let view = VertexView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
        (view.props(), view.data().to_vec())
    };
    vertices.map(read).collect()
}

fn numbers<const N: usize>(model: &Asset, attribute: VertexAttribute) -> Vec<[f32; N]> {
    let (props, data) = attributes(model).into_iter().find(|(props, _)| props.attribute == attribute).unwrap();
    assert_eq!((props.components as usize, props.format), (N, VertexFormat::FLOAT));
    let number = |at: usize| f32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]);
    (0..props.count as usize).map(|i| std::array::from_fn(|j| number((i * N + j) * 4))).collect()
}

fn indices(model: &Asset, attribute: VertexAttribute) -> Vec<u32> {
    let (props, data) = attributes(model).into_iter().find(|(props, _)| props.attribute == attribute).unwrap();
    assert_eq!((props.components, props.format), (1, VertexFormat::USHORT));
    data.as_chunks().0.iter().map(|index| u32::from(u16::from_le_bytes(*index))).collect()
}

/// A grid of `size` × `size` squares with the given heights, in an order without a pattern.
fn grid(size: usize, height: impl Fn(f32, f32) -> f32) -> String {
    let mut text = String::new();
    for y in 0..=size {
        for x in 0..=size {
            let (x, y) = (x as f32 / size as f32, y as f32 / size as f32);
            text.push_str(&format!("v {x} {} {y}\nvt {x} {y}\n", height(x, y)));
        }
    }
    let mut faces: Vec<usize> = (0..size * size).collect();
    let mut random = rres_test_data::random::Random::new(1);
    for i in (1..faces.len()).rev() {
        faces.swap(i, random.below(i + 1));
    }
    for face in faces {
        let corner = face / size * (size + 1) + face % size + 1;
        let [a, b, c, d] = [corner, corner + size + 1, corner + size + 2, corner + 1];
        text.push_str(&format!("f {a}/{a} {b}/{b} {c}/{c} {d}/{d}\n"));
    }
    text
}

//! Tests that assemble documents byte by byte, and compare the chunks with the input.

mod collision;
mod features;
mod hostile;
mod images;
mod limits;
mod scenes;
mod sloppy;
mod structure;
mod vertices;

use rres_format::chunk::PayloadView;
use rres_format::chunk::model::{ModelView, Primitive};
use rres_format::chunk::scene::SceneView;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps, VertexView};
use rres_import::{Encoders, MemoryFiles as Files};
use rres_settings::Settings;
use rres_test_data::bytes::{floats, shorts};
use rres_test_data::damage::{cuts, replaced};
use rres_test_data::model::glb;

use super::*;

/// What encodes pictures in the tests.
const ENCODERS: Encoders = Encoders { images: Some(&rres_import_image::ImageImporter), sounds: None, models: None };

const U8: u32 = 5121;
const I16: u32 = 5122;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// A document under construction: lists as JSON, and the bytes of its buffer.
#[derive(Clone, Default)]
struct Builder {
    binary: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
    /// Other members of the document, each preceded by a comma.
    rest: String,
}

impl Builder {
    /// Adds a view of new bytes; `more` are additional members.
    fn view(&mut self, bytes: &[u8], more: &str) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0xee);
        let (offset, len) = (self.binary.len(), bytes.len());
        self.binary.extend_from_slice(bytes);
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{len}{more}}}"#));
        self.views.len() - 1
    }

    /// Adds an accessor of some view.
    fn accessor(&mut self, kind: &str, component: u32, count: usize, more: &str) -> usize {
        let head = format!(r#"{{"type":"{kind}","componentType":{component},"count":{count}"#);
        self.accessors.push(format!("{head}{more}}}"));
        self.accessors.len() - 1
    }

    /// Adds an accessor of new bytes without gaps.
    fn data(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes, "");
        self.accessor(kind, component, count, &format!(r#","bufferView":{view}"#))
    }

    fn rest(mut self, rest: &str) -> Self {
        self.rest += rest;
        self
    }

    /// The JSON; `buffer` are additional members of the only buffer.
    fn json(&self, buffer: &str) -> String {
        let (views, accessors, rest) = (self.views.join(","), self.accessors.join(","), &self.rest);
        let len = self.binary.len();
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{len}{buffer}}}],"bufferViews":[{views}],"accessors":[{accessors}]{rest}}}"#
        )
    }

    fn glb(&self) -> Vec<u8> {
        glb(self.json(""), &self.binary)
    }
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0, 2.0, -0.5];

/// A triangle with indices: one mesh, one node.
fn triangle() -> Builder {
    let mut builder = Builder::default();
    let positions = builder.data("VEC3", F32, 3, &floats(&TRIANGLE));
    let indices = builder.data("SCALAR", U16, 3, &shorts(&[2, 1, 0]));
    builder.rest(&format!(
        r#","meshes":[{{"name":"tri","primitives":[{{"attributes":{{"POSITION":{positions}}},"indices":{indices}}}]}}],"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}]"#
    ))
}

/// One mesh with one primitive of these members.
fn with_primitive(builder: Builder, primitive: &str) -> Builder {
    builder.rest(&format!(r#","meshes":[{{"primitives":[{{{primitive}}}]}}]"#))
}

fn import_with(bytes: &[u8], settings: &Settings, files: &[(&str, &[u8])]) -> Result<Vec<Asset>, ImportError> {
    let mut inputs = Files::default();
    inputs.files.extend(files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())));
    ModelImporter.import(&mut Source::new("models/a.glb", bytes, settings, &mut inputs).with_encoders(ENCODERS))
}

fn import(bytes: &[u8]) -> Result<Vec<Asset>, ImportError> {
    import_with(bytes, &Settings::default(), &[])
}

/// The error for a document.
fn refusal(bytes: &[u8]) -> String {
    import(bytes).map(|parts| parts[0].summary.clone()).unwrap_err().to_string()
}

type Attribute = (VertexProps, Vec<u8>);

/// The view of a MODL chunk.
fn structure(model: &Asset) -> ModelView<'_> {
    let block = model.blocks.iter().find(|block| block.kind == FourCc::MODL).unwrap();
    ModelView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap()
}

/// The contents of a SCNE chunk.
fn scene(model: &Asset) -> SceneView<'_> {
    let block = model.blocks.last().unwrap();
    SceneView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap()
}

/// The primitives of a model with their attributes. Also checks how the chunks are chained.
fn primitives(model: &Asset) -> Vec<(Primitive, Vec<Attribute>)> {
    let [vertices @ .., structure, scene] = &model.blocks[..] else { panic!("{} blocks", model.blocks.len()) };
    let mut vertices = vertices;
    assert_eq!((structure.kind, structure.linked), (FourCc::MODL, false));
    assert_eq!((scene.kind, scene.linked), (FourCc::SCNE, false));
    let view = ModelView::parse(PayloadView::parse(&structure.bytes).unwrap()).unwrap();
    let mut out = Vec::new();
    for primitive in view.primitives() {
        let (own, rest) = vertices.split_at(primitive.attributes as usize);
        vertices = rest;
        let attributes: Vec<Attribute> = own
            .iter()
            .enumerate()
            .map(|(i, block)| {
                let view = VertexView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
                // What C readers do not know is not linked.
                let next =
                    own.get(i + 1).is_some_and(|next| next.bytes[8..10] < [0xe8, 0x03][..] && next.bytes[9] == 0);
                assert_eq!((block.kind, block.linked), (FourCc::VRTX, next));
                assert_eq!(view.data().len() as u64, view.props().data_size().unwrap());
                (view.props(), view.data().to_vec())
            })
            .collect();
        assert_eq!(attributes[0].0.attribute, VertexAttribute::POSITION);
        out.push((primitive, attributes));
    }
    assert!(vertices.is_empty());
    out
}

fn props(attribute: VertexAttribute, count: u32, components: u32, format: VertexFormat) -> VertexProps {
    VertexProps { count, attribute, components, format }
}

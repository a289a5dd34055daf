//! Loads any blocks as a font, a text with its shader, and a model, as a game does, and asks the asset for everything.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use rres_format::index::MetaKey;
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{Font, Id, Model, PackOptions, Text};

const KINDS: &[FourCc] = &[
    FourCc::FNTG,
    FourCc::IMGE,
    FourCc::KERN,
    FourCc::TEXT,
    FourCc::SHDR,
    FourCc::MODL,
    FourCc::VRTX,
    FourCc::SCNE,
    FourCc::COLL,
    FourCc::RAWD,
];

#[derive(Arbitrary, Debug)]
struct Plan<'a> {
    kind: u8,
    /// Kind, numbers and data of each chunk.
    chunks: Vec<(u8, Vec<u32>, &'a [u8])>,
    meta: [u32; 2],
    characters: [char; 3],
}

fuzz_target!(|plan: Plan<'_>| {
    let kind = [AssetKind::Font, AssetKind::Text, AssetKind::Model][usize::from(plan.kind) % 3];
    let chunks = plan.chunks.iter().map(|(kind, props, data)| {
        let block = rres_format::chunk::block(props, data);
        let kind = KINDS[usize::from(*kind) % KINDS.len()];
        StoredChunk::encode(kind, &block, Compression::NONE, &mut Compressor::default()).expect("not compressed")
    });
    let mut resource = Resource::new("a", chunks.collect()).with_kind(kind);
    resource.meta.set(MetaKey::GLYPH_FORM, plan.meta[0]);
    resource.meta.set(MetaKey::DISTANCE_RANGE, plan.meta[1]);
    let mut pack = PackBuilder::new();
    pack.push(resource);
    let Ok(pack) = pack.to_vec() else { return };
    let pack = PackOptions::default().from_bytes(pack).expect("it was just written");
    match kind {
        AssetKind::Font => {
            let Ok(font) = pack.load(Id::<Font>::from_path("a").resource()) else { return };
            font_of(&font, &plan);
        }
        AssetKind::Text => {
            let Ok::<Text, _>(text) = pack.load(Id::<Text>::from_path("a").resource()) else { return };
            let _ = (text.as_str().len(), text.shader().map(|shader| format!("{shader:?}").len()));
        }
        _ => {
            let Ok(model) = pack.load(Id::<Model>::from_path("a").resource()) else { return };
            model_of(&model);
        }
    }
});

fn font_of(font: &Font, plan: &Plan<'_>) {
    for strike in font.strikes() {
        let _ = (strike.line_metrics(), strike.form(), strike.distance_range(), strike.style());
        assert!(!strike.pages().is_empty());
        for glyph in strike.glyphs() {
            let Some(character) = char::from_u32(glyph.codepoint.cast_unsigned()) else { continue };
            let page = strike.page(character).expect("a glyph is on a page");
            assert!(page < strike.pages().len());
        }
        let [a, b, c] = plan.characters;
        let _ = (strike.kerning(a, b), strike.advance(c), strike.glyph(a), strike.kerned_pairs().take(1000).count());
    }
}

fn model_of(model: &Model) {
    let _ = format!("{:?}", (model.default_scene().is_some(), model.cameras(), model.lights()));
    for primitive in model.primitives() {
        let _ = (primitive.bounds(), primitive.positions().len(), primitive.normals(), primitive.indices().is_some());
        let _ = (primitive.tangents(), primitive.colors(), primitive.joints(0), primitive.weights(0));
        let _ = primitive.attributes().count();
    }
    for shape in model.collision_shapes() {
        let _ = (shape.vertices().len(), shape.triangles().len(), model.mesh_collision_shapes(shape.mesh()).len());
    }
    for node in model.all_nodes() {
        let _ = (format!("{node:?}"), node.morph_weights().len());
    }
    let _ = format!("{:?}{:?}{:?}", model.skins(), model.animations(), model.materials());
}

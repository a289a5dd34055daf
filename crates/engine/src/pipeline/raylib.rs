//! What `rres-raylib.h` cannot read → what it can: images of one level, texts in UTF-8, sounds without seek points, meshes with
//! 16-bit indices. What has no such form is refused, by the table in [`rres_compat`].

use rres_compat::{self as raylib, MAX_SIZE, Reason, ResourceBlock, Unreadable};
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageProps, ImageView};
use rres_format::chunk::model::{ModelView, model_block};
use rres_format::chunk::scene::SceneView;
use rres_format::chunk::text::{TextEncoding, TextProps, TextView};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps, VertexView};
use rres_format::{FourCc, Limits};
use rres_import::{Asset, Block, ImportError, Note};

/// Raised whenever packs with `compat = "raylib"` store something in another way.
pub(super) const VERSION: u8 = 4;

/// The largest block, in bytes: a pack for C programs has at most 2 GiB, and an index and a directory besides.
const MAX_BLOCK: u64 = MAX_SIZE - (64 << 10);

/// The most bytes of vertices of a model, as in the importer of models.
const MAX_VERTICES: u64 = Limits::DEFAULT.max_decoded;

/// Converts the blocks of a resource, and refuses those that cannot be converted.
pub(super) fn for_raylib(resource: &mut Asset) -> Result<(), ImportError> {
    // C programs decode files with raylib.
    resource.blocks.retain(|block| block.kind != FourCc::SEEK);
    for block in &mut resource.blocks {
        check_size(block.bytes.len() as u64)?;
        let converted = match block.kind {
            FourCc::IMGE => first_level(&block.bytes),
            FourCc::TEXT => utf8(&block.bytes),
            _ => Ok(None),
        };
        let Some((bytes, note)) = converted.map_err(not_stored)? else { continue };
        block.bytes = bytes;
        resource.notes.extend(note);
    }
    if resource.blocks.first().is_some_and(|block| block.kind == FourCc::VRTX) {
        // A model of one primitive can be converted.
        check(resource, |reason| matches!(reason, Reason::Primitives | Reason::Topology))?;
        convert_mesh(resource)?;
    }
    check(resource, |_| true)
}

fn check_size(size: u64) -> Result<(), ImportError> {
    let found = || Unreadable { reason: Reason::ChunkSize, found: format!("has {size} bytes") };
    if size > MAX_BLOCK { Err(refuse(&found())) } else { Ok(()) }
}

fn check(resource: &Asset, applies: impl Fn(Reason) -> bool) -> Result<(), ImportError> {
    let chunk = |block| {
        let Block { kind, linked, bytes, .. }: &Block = block;
        ResourceBlock { kind: *kind, is_linked: *linked, block: Some(&bytes[..]) }
    };
    let blocks: Vec<ResourceBlock<'_>> = resource.blocks.iter().map(chunk).collect();
    // Which blocks are packed is decided with their number of properties in mind.
    let of_blocks = blocks.iter().flat_map(|block| raylib::check_block(block.kind, false, block.block.unwrap_or(&[])));
    let found = raylib::check_resource(Some(resource.kind), &blocks).into_iter().chain(of_blocks);
    match found.into_iter().find(|found| applies(found.reason)) {
        Some(found) => Err(refuse(&found)),
        None => Ok(()),
    }
}

/// The error of something that C programs cannot read.
pub(super) fn refuse(found: &Unreadable) -> ImportError {
    let message = format!("{}, and `compat` = \"raylib\" is set: {}", found.found, found.reason.effect());
    ImportError::new(message).with_help(format!("{}, or remove `compat`", found.reason.help()))
}

fn not_stored(error: rres_format::Error) -> ImportError {
    ImportError::new(format!("cannot be stored: {error}"))
}

type Converted = Result<Option<(Vec<u8>, Option<Note>)>, rres_format::Error>;

/// The first level of an image that has more: `rres-raylib.h` returns no pixels for such an image.
fn first_level(block: &[u8]) -> Converted {
    let view = ImageView::parse(PayloadView::parse(block)?)?;
    let props = view.props();
    let Some(pixels) = view.level(0).filter(|_| props.mipmaps > 1) else { return Ok(None) };
    let note = Note::new("only the first mip level is stored, as `compat = \"raylib\"` demands");
    let note = note.with_detail(format!("of {} levels", props.mipmaps));
    Ok(Some((ImageProps { mipmaps: 1, ..props }.block(pixels), Some(note))))
}

/// A text in UTF-8 that is not: `rres-raylib.h` returns it up to the first zero.
fn utf8(block: &[u8]) -> Converted {
    let view = TextView::parse(PayloadView::parse(block)?)?;
    let props = view.props();
    if !matches!(props.encoding, TextEncoding::UTF16_LE | TextEncoding::UTF16_BE) {
        return Ok(None);
    }
    let text = view.decode()?;
    // Two bytes become three at most, and a pack holds neither size.
    let size = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let props = TextProps { size, encoding: TextEncoding::UTF8, ..props };
    Ok(Some((props.block(text.as_bytes()), None)))
}

/// Gives a mesh of triangles the form that `LoadMeshFromResource` loads: without attributes that raylib has no place for, and with
/// 16-bit indices or none.
fn convert_mesh(resource: &mut Asset) -> Result<(), ImportError> {
    let vertices =
        |block: &Block| -> Result<VertexProps, ImportError> { Ok(view_of(block).map_err(not_stored)?.props()) };
    let mut kept = Vec::new();
    let mut left_out = Vec::new();
    let mut wide = None;
    for block in resource.blocks.iter().filter(|block| block.kind == FourCc::VRTX) {
        let props = vertices(block)?;
        match props {
            VertexProps { attribute: VertexAttribute::INDEX, format: VertexFormat::UINT, components: 1, .. } => {
                wide = Some(block);
            }
            _ if props.is_read_by_raylib() => kept.push(block.clone()),
            VertexProps { attribute: VertexAttribute::POSITION, .. } => {
                let found = format!("has positions of {} × {}", props.components, props.format);
                let error = ImportError::new(format!("{found}, which `compat = \"raylib\"` does not allow"));
                return Err(error.with_help("leave out model.positions for this file").without_fix());
            }
            _ => left_out.push(props.attribute.to_string()),
        }
    }
    if left_out.is_empty() && wide.is_none() {
        return Ok(());
    }
    let wide_indices = wide.is_some();
    let has_meshlets = |block: &Block| {
        let scene = PayloadView::parse(&block.bytes).and_then(SceneView::parse);
        scene.is_ok_and(|scene| scene.meshlets().len() > 0)
    };
    if resource.blocks.iter().any(|block| block.kind == FourCc::SCNE && has_meshlets(block)) {
        left_out.push("meshlets".to_owned());
    }
    if let Some(indices) = wide {
        let indices = view_of(indices).map_err(not_stored)?;
        let indices: Vec<u32> =
            indices.data().chunks_exact(4).map(|i| u32::from_le_bytes([i[0], i[1], i[2], i[3]])).collect();
        let mut bytes = 0;
        for block in &mut kept {
            let props = vertices(block)?;
            bytes += props.data_size().map_err(not_stored)? / u64::from(props.count.max(1)) * indices.len() as u64;
            if bytes > MAX_VERTICES {
                let found = format!("is a mesh of {} triangles with 32-bit indices", indices.len() / 3);
                return Err(refuse(&Unreadable { reason: Reason::IndexFormat, found }));
            }
            block.bytes = in_order(block, &indices).map_err(not_stored)?;
        }
        let note = Note::new(
            "stored without indices, as `compat = \"raylib\"` demands of meshes of more than 65,535 vertices",
        );
        resource.notes.push(note.with_detail(format!("{} vertices", indices.len())));
    }
    if !left_out.is_empty() {
        let note = Note::new("attributes that raylib has no place for are left out, as `compat = \"raylib\"` demands");
        resource.notes.push(note.with_detail(left_out.join(", ")));
    }
    if let Some(last) = kept.last_mut() {
        last.linked = false;
    }
    let count = kept.len() as u32;
    for block in resource.blocks.iter_mut().filter(|block| block.kind == FourCc::MODL) {
        let view = PayloadView::parse(&block.bytes).and_then(ModelView::parse).map_err(not_stored)?;
        let (nodes, materials): (Vec<_>, Vec<_>) = (view.nodes().collect(), view.materials().collect());
        let mut primitives: Vec<_> = view.primitives().collect();
        primitives.iter_mut().for_each(|primitive| primitive.attributes = count);
        block.bytes = model_block(&nodes, &primitives, &materials).map_err(not_stored)?;
    }
    for block in resource.blocks.iter_mut().filter(|block| block.kind == FourCc::SCNE) {
        let mut scene = PayloadView::parse(&block.bytes).and_then(SceneView::parse).map_err(not_stored)?.to_block();
        if !scene.lods.is_empty() || !scene.meshlet_lists.is_empty() {
            // The indices of levels are among the attributes that are left out, and meshlets are for the indices as they were.
            scene.lods.clear();
            scene.meshlet_lists.clear();
            scene.meshlets.clear();
            scene.meshlet_vertices.clear();
            scene.meshlet_triangles.clear();
            block.bytes = scene.block().map_err(not_stored)?;
        }
        if !wide_indices {
            continue;
        }
        // They are for the vertices as they were.
        if !scene.morphs.is_empty() {
            scene.morphs.clear();
            block.bytes = scene.block().map_err(not_stored)?;
            let topic =
                "morph targets are left out, as `compat = \"raylib\"` demands of meshes of more than 65,535 vertices";
            resource.notes.push(Note::new(topic));
        }
    }
    kept.extend(resource.blocks.drain(..).filter(|block| block.kind != FourCc::VRTX));
    resource.blocks = kept;
    Ok(())
}

fn view_of(block: &Block) -> Result<VertexView<'_>, rres_format::Error> {
    VertexView::parse(PayloadView::parse(&block.bytes)?)
}

/// The vertices of an attribute in the order of the indices.
fn in_order(block: &Block, indices: &[u32]) -> Result<Vec<u8>, rres_format::Error> {
    let view = view_of(block)?;
    let props = view.props();
    let size = view.data().len() / props.count.max(1) as usize;
    // The importer has checked that each index refers to a vertex.
    let vertex = |index: &u32| view.data().chunks_exact(size.max(1)).nth(*index as usize).unwrap_or_default();
    let data: Vec<u8> = indices.iter().flat_map(vertex).copied().collect();
    Ok(VertexProps { count: indices.len() as u32, ..props }.block(&data))
}

#[cfg(test)]
mod tests {
    use rres_format::AssetKind;
    use rres_format::chunk::image::PixelFormat;
    use rres_format::chunk::model::{Primitive, Topology};

    use super::*;

    fn converted(kind: AssetKind, block: Block) -> Asset {
        let mut resource = Asset::new(kind, vec![block], "");
        for_raylib(&mut resource).unwrap();
        resource
    }

    #[test]
    fn a_chain_of_mip_levels_becomes_its_first_level_with_a_note() {
        let props = ImageProps { width: 4, height: 2, format: PixelFormat::GRAY8, mipmaps: 3 };
        let block = Block::new(FourCc::IMGE, props.block(&[1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3]));
        let resource = converted(AssetKind::Image, block);
        let view = ImageView::parse(PayloadView::parse(&resource.blocks[0].bytes).unwrap()).unwrap();
        assert_eq!((view.props().mipmaps, view.data()), (1, &[1; 8][..]));
        assert!(resource.notes[0].topic.contains("first mip level"), "{:?}", resource.notes);
        let again = converted(AssetKind::Image, resource.blocks[0].clone());
        assert_eq!((&again.blocks[0].bytes, again.notes.len()), (&resource.blocks[0].bytes, 0));
    }

    #[test]
    fn pixel_formats_of_ours_are_refused() {
        let image = |format| {
            let props = ImageProps { width: 4, height: 4, format, mipmaps: 1 };
            Asset::new(AssetKind::Image, vec![Block::new(FourCc::IMGE, props.block(&[0; 16]))], "")
        };
        assert!(for_raylib(&mut image(PixelFormat::DXT5_RGBA)).is_ok());
        let error = for_raylib(&mut image(PixelFormat::BC7)).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("has pixels of format BC7, and `compat` = \"raylib\" is set"), "{message}");
        assert!(error.help().unwrap().contains("image.format"), "{error:?}");
    }

    #[test]
    fn utf16_becomes_utf8() {
        let text: Vec<u8> = "\u{feff}größer".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let props = TextProps { encoding: TextEncoding::UTF16_LE, ..TextProps::utf8(text.len() as u32) };
        let resource = converted(AssetKind::Text, Block::new(FourCc::TEXT, props.block(&text)));
        let view = TextView::parse(PayloadView::parse(&resource.blocks[0].bytes).unwrap()).unwrap();
        assert_eq!((view.props().encoding, view.bytes()), (TextEncoding::UTF8, "größer".as_bytes()));
    }

    #[test]
    fn sizes_are_those_of_an_int() {
        assert!(check_size(MAX_BLOCK).is_ok());
        let error = check_size(MAX_BLOCK + 1).unwrap_err();
        assert!(error.to_string().starts_with("has 2147418112 bytes, and `compat` = \"raylib\" is set"), "{error}");
        assert!(error.help().unwrap().contains("kind = \"link\""));
    }

    fn attribute(attribute: VertexAttribute, components: u32, format: VertexFormat, data: &[u8]) -> Block {
        let size = components * format.size().unwrap();
        let props = VertexProps { count: data.len() as u32 / size, attribute, components, format };
        Block::new(FourCc::VRTX, props.block(data))
    }

    fn model(mut blocks: Vec<Block>) -> Asset {
        let attributes = blocks.len() as u32;
        blocks.last_mut().unwrap().linked = false;
        let topology = Topology::TRIANGLES;
        let primitive =
            Primitive { mesh: 0, material: None, topology, attributes, minimum: [0.0; 3], maximum: [1.0; 3] };
        let structure = Block::new(FourCc::MODL, model_block(&[], &[primitive], &[]).unwrap());
        blocks.push(Block { linked: false, ..structure });
        Asset::new(AssetKind::Model, blocks, "")
    }

    #[test]
    fn wide_indices_become_vertices_in_their_order() {
        let (a, b, c) = ([1; 12], [2; 12], [3; 12]);
        let positions = attribute(VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &[a, b, c].concat());
        let third = attribute(VertexAttribute::TEXCOORD3, 2, VertexFormat::FLOAT, &[0; 24]);
        let colors = attribute(VertexAttribute::COLOR, 4, VertexFormat::UBYTE, &[1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
        let wide: Vec<u8> = [2u32, 0, 1, 1, 0, 2].into_iter().flat_map(u32::to_le_bytes).collect();
        let wide = attribute(VertexAttribute::INDEX, 1, VertexFormat::UINT, &wide);
        let mut resource = model(vec![positions, third, colors, wide]);
        for_raylib(&mut resource).unwrap();
        let [positions, colors, structure] = &resource.blocks[..] else { panic!("{:?}", resource.blocks) };
        let view = view_of(positions).unwrap();
        assert_eq!((view.props().count, view.data()), (6, &[c, a, b, b, a, c].concat()[..]));
        assert_eq!(
            view_of(colors).unwrap().data(),
            [3, 3, 3, 3, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 3, 3, 3, 3]
        );
        assert_eq!([positions.linked, colors.linked, structure.linked], [true, false, false]);
        let view = ModelView::parse(PayloadView::parse(&structure.bytes).unwrap()).unwrap();
        assert_eq!(view.primitives().next().unwrap().attributes, 2);
        assert_eq!(resource.notes.len(), 2, "{:?}", resource.notes);
        // What raylib loads stays as it is.
        let again = resource.blocks.clone();
        for_raylib(&mut resource).unwrap();
        assert!(again.iter().zip(&resource.blocks).all(|(a, b)| a.bytes == b.bytes && a.linked == b.linked));
    }
}

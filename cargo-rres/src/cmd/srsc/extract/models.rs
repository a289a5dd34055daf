//! Models as `.glb`, by way of the chunks that packs have for models, so that the writer of `cargo rres extract` writes them.

use rres_format::chunk::model::{Material, Node, Primitive, Topology, model_block};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, ResourceId, StoredChunk};
use rres_import_srsc::Surface;
use rres_runtime::Pack;

use crate::cmd::extract::relative_uri;
use crate::export::{self, Container, ExportError, ModelExport, Texture, TextureSource};

/// The path of the model in the pack.
const PATH: &str = "model";

/// Returns a `.glb` file; `None` if there are no triangles. `textures` are the paths of the textures of the model, and `path` its own.
pub(super) fn glb(
    name: &str,
    surfaces: &[Surface],
    textures: &[Option<String>],
    path: &str,
) -> Result<Option<Vec<u8>>, ExportError> {
    let surfaces: Vec<&Surface> = surfaces.iter().filter(|surface| !surface.indices.is_empty()).collect();
    if surfaces.is_empty() {
        return Ok(None);
    }
    let mut compressor = Compressor::default();
    let mut chunk = |kind, block: &[u8]| StoredChunk::encode(kind, block, Compression::NONE, &mut compressor);
    let (mut chunks, mut primitives, mut images) = (Vec::new(), Vec::new(), Vec::new());
    let mut materials: Vec<(Option<&str>, bool)> = Vec::new();
    for surface in &surfaces {
        let texture = textures.get(usize::from(surface.texture_index)).and_then(Option::as_deref);
        let look = (texture, surface.is_double_sided);
        let material = materials.iter().position(|known| *known == look).unwrap_or_else(|| {
            materials.push(look);
            materials.len() - 1
        });
        if let Some(texture) = texture.filter(|texture| !images.contains(texture)) {
            images.push(texture);
        }
        let bytes = |values: &mut dyn Iterator<Item = f32>| values.flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
        let count = surface.positions.len() as u32;
        let lists = [
            (
                VertexAttribute::POSITION,
                3,
                VertexFormat::FLOAT,
                count,
                bytes(&mut surface.positions.iter().copied().flatten()),
            ),
            (
                VertexAttribute::TEXCOORD1,
                2,
                VertexFormat::FLOAT,
                count,
                bytes(&mut surface.uvs.iter().copied().flatten()),
            ),
            (
                VertexAttribute::INDEX,
                1,
                VertexFormat::UINT,
                surface.indices.len() as u32,
                surface.indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
            ),
        ];
        let attributes = lists.len() as u32;
        for (attribute, components, format, count, data) in lists {
            let block = VertexProps { count, attribute, components, format }.block(&data);
            let chunk = chunk(FourCc::VRTX, &block)?;
            chunks.push(if chunks.is_empty() { chunk } else { chunk.unlinked() });
        }
        let axis = |fold: fn(f32, f32) -> f32, axis: usize| {
            surface.positions.iter().map(|p| p[axis]).reduce(fold).unwrap_or(0.0)
        };
        primitives.push(Primitive {
            mesh: 0,
            material: Some(material as u32),
            topology: Topology::TRIANGLES,
            attributes,
            minimum: std::array::from_fn(|i| axis(f32::min, i)),
            maximum: std::array::from_fn(|i| axis(f32::max, i)),
        });
    }
    let transform = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
    let node = Node { name, parent: None, mesh: Some(0), transform };
    let looks = materials.iter().map(|(texture, _)| Material {
        name: texture.map_or("", |texture| texture.rsplit('/').next().unwrap_or_default()),
        base_color: [1.0; 4],
        base_color_image: texture
            .and_then(|texture| images.iter().position(|image| *image == texture))
            .map(|at| at as u32),
    });
    let looks: Vec<Material<'_>> = looks.collect();
    chunks.push(chunk(FourCc::MODL, &model_block(&[node], &primitives, &looks)?)?);
    let mut resource = Resource::new(PATH, chunks).with_kind(AssetKind::Model);
    resource.dependencies.extend(images.iter().map(|image| ResourceId::from_path(image)));
    let mut pack = PackBuilder::new();
    pack.push(resource);
    let model = Pack::from_bytes(pack.to_vec()?)?.load(ResourceId::from_path(PATH))?;
    let file = |(number, image): (usize, &&str)| Texture {
        id: ResourceId::from_path(image),
        number,
        source: TextureSource::File(relative_uri(path, image)),
    };
    let export = ModelExport {
        model: &model,
        is_bare_mesh: false,
        decode_blocks: false,
        textures: images.iter().enumerate().map(file).collect(),
        double_sided: (0..)
            .zip(&materials)
            .filter(|(_, (_, is_double))| *is_double)
            .map(|(number, _)| number)
            .collect(),
    };
    Ok(Some(export::model(&export, Container::Glb)?.bytes.into_owned()))
}

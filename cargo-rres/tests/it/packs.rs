//! Small packs for tests.

use rres_format::chunk::custom::custom_block;
use rres_format::chunk::glyphs::{FontStyle, Glyph, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::link::link_block;
use rres_format::chunk::model::{Node, Primitive, Topology, model_block};
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::TextProps;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{GroupSpec, Meta, MetaKey};
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};

pub(crate) const TEXT: &str = "Grüße aus dem Wald.\n";

pub(crate) fn chunk(kind: FourCc, block: &[u8], compression: Compression) -> StoredChunk<'static> {
    StoredChunk::encode(kind, block, compression, &mut Compressor::default()).unwrap()
}

pub(crate) fn raw(path: &str, bytes: &[u8]) -> Resource<'static> {
    let extension = path.rfind('.').map_or("", |dot| &path[dot..]);
    Resource::new(path, vec![chunk(FourCc::RAWD, &raw_block(extension, bytes), Compression::NONE)])
}

pub(crate) fn text(path: &str, text: &str) -> Resource<'static> {
    let block = TextProps::utf8(text.len() as u32).block(text.as_bytes());
    Resource::new(path, vec![chunk(FourCc::TEXT, &block, Compression::NONE)])
}

/// An asset of a type of the game, as an importer of its build script makes it.
pub(crate) fn custom(path: &str, kind: [u8; 4], data: &[u8], compression: Compression) -> Resource<'static> {
    let mut meta = Meta::default();
    meta.set(MetaKey::CUSTOM_KIND, u32::from_le_bytes(kind));
    let chunks = vec![chunk(FourCc(kind), &custom_block(data).unwrap(), compression)];
    Resource::new(path, chunks).with_kind(AssetKind::Custom).with_meta(meta)
}

/// Pixels of an image whose rows have one colour each.
pub(crate) fn pixels(width: u32, height: u32, channels: u8) -> Vec<u8> {
    let row = |y: u32| (0..width * u32::from(channels)).map(move |i| (y * 16 + i % u32::from(channels)) as u8);
    (0..height).flat_map(row).collect()
}

pub(crate) fn image(path: &str, format: PixelFormat, pixels: &[u8], compression: Compression) -> Resource<'static> {
    let props = ImageProps { width: 16, height: 8, format, mipmaps: 1 };
    Resource::new(path, vec![chunk(FourCc::IMGE, &props.block(pixels), compression)])
}

pub(crate) fn samples() -> Vec<u8> {
    (0..400i16).flat_map(|i| (i * 80).to_le_bytes()).collect()
}

fn sound(path: &str) -> Resource<'static> {
    let props = WaveProps { frames: 200, sample_rate: 8000, sample_size: 16, channels: 2 };
    let mut meta = Meta::default();
    meta.set_f32(MetaKey::GAIN, -3.5);
    meta.set(MetaKey::LOOP, 1);
    Resource::new(path, vec![chunk(FourCc::WAVE, &props.block(&samples()), Compression::NONE)]).with_meta(meta)
}

fn font(path: &str) -> Resource<'static> {
    let glyph = |codepoint, x| Glyph { x, width: 7, height: 8, codepoint, advance_x: 8, ..Glyph::default() };
    let glyphs = glyphs_block(8, 1, FontStyle::REGULAR, &[glyph(65, 0), glyph(66, 8)]);
    let props = ImageProps { width: 16, height: 8, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
    let atlas = chunk(FourCc::IMGE, &props.block(&pixels(16, 8, 2)), Compression::ZSTD);
    Resource::new(path, vec![chunk(FourCc::FNTG, &glyphs, Compression::NONE), atlas])
}

fn model(path: &str, image: &Resource<'_>) -> Resource<'static> {
    let vertices = |attribute, components, format, data: &[u8]| {
        let block = VertexProps { count: 3, attribute, components, format }.block(data);
        chunk(FourCc::VRTX, &block, Compression::NONE)
    };
    let floats: Vec<u8> = [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let mut transform = [0.0; 16];
    (0..4).for_each(|i| transform[i * 5] = 1.0);
    let node = Node { name: "root", parent: None, mesh: Some(0), transform };
    let primitive = Primitive {
        mesh: 0,
        material: None,
        topology: Topology::TRIANGLES,
        attributes: 2,
        minimum: [0.0; 3],
        maximum: [1.0, 1.0, 0.0],
    };
    let chunks = vec![
        vertices(VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &floats),
        vertices(VertexAttribute::INDEX, 1, VertexFormat::USHORT, &[0, 0, 1, 0, 2, 0]).unlinked(),
        chunk(FourCc::MODL, &model_block(&[node], &[primitive], &[]).unwrap(), Compression::NONE),
    ];
    let mut resource = Resource::new(path, chunks).with_kind(AssetKind::Model);
    resource.dependencies.push(image.id);
    resource
}

/// A pack with every kind of asset and two groups; some chunks are compressed.
pub(crate) fn every_kind() -> PackBuilder<'static> {
    let image = image("ui/button.png", PixelFormat::RGBA8, &pixels(16, 8, 4), Compression::ZSTD);
    let mut encoded = raw("music/forest.ogg", b"Song, so to say").with_kind(AssetKind::Sound);
    encoded.meta.set(MetaKey::SAMPLE_RATE, 44100);
    let link = Resource::new("movie.mp4", vec![chunk(FourCc::LINK, &link_block("movie.mp4"), Compression::NONE)]);
    let mut pack = PackBuilder::new().set_hash([7; 16]);
    let resources = [
        model("models/triangle.glb", &image),
        image,
        raw("data/table.bin", &(0..=255).collect::<Vec<u8>>()),
        text("text/credits.txt", TEXT),
        sound("sound/step.wav"),
        encoded,
        font("fonts/small.ttf"),
        link,
    ];
    let group = |name: &str, members: &[usize]| GroupSpec {
        name: name.to_owned(),
        members: members.iter().map(|i| resources[*i].id).collect(),
    };
    pack.push_group(group("level_1", &[0, 1, 5]));
    pack.push_group(group("menu", &[1, 6]));
    resources.into_iter().for_each(|resource| pack.push(resource));
    pack
}

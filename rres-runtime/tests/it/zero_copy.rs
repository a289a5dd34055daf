//! Uncompressed chunks are used in place; compressed ones are decoded once, into an allocation of their own.

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::{ChunkInfo, FourCc, Header, Resource, ResourceId};
use rres_runtime::asset::Samples;
use rres_runtime::{Image, Model, PackOptions, Raw, Sound};
use rres_test_data::bytes::crc32;

use super::File;
use super::assets::{SAMPLES, image, pack, raw, sound, sound_block};

fn is_aligned(bytes: &[u8]) -> bool {
    (bytes.as_ptr() as usize).is_multiple_of(16)
}

#[test]
fn uncompressed_chunks_of_a_mapped_pack_are_borrowed_at_multiples_of_16_bytes() {
    // Odd sizes, so that the alignment is not an accident.
    let resources = [
        raw("a.bin", b"x"),
        sound("b.wav"),
        raw("c.bin", &[7; 1001]),
        image("d.png", Default::default()),
        raw("e.bin", b""),
    ];
    let file = File::new(&pack(resources));
    let pack = file.open();
    let id = ResourceId::from_path;
    let image: Image = pack.load(id("d.png")).unwrap();
    assert!(image.data().is_borrowed() && is_aligned(image.data()));
    let sound: Sound = pack.load(id("b.wav")).unwrap();
    assert!(sound.data().is_borrowed() && is_aligned(sound.data()));
    assert_eq!(sound.samples(), Samples::I16(&SAMPLES));
    for (path, bytes) in [("a.bin", &b"x"[..]), ("c.bin", &[7; 1001])] {
        let raw: Raw = pack.load(id(path)).unwrap();
        assert!(raw.data().is_borrowed() && is_aligned(raw.bytes()), "{path}");
        assert_eq!(raw.bytes(), bytes);
    }
}

#[test]
fn two_loads_of_an_uncompressed_chunk_share_its_bytes_and_outlive_the_pack() {
    let file = File::new(&pack([raw("a.bin", b"still here")]));
    let pack = file.open();
    let [one, two]: [Raw; 2] = std::array::from_fn(|_| pack.load(ResourceId::from_path("a.bin")).unwrap());
    assert_eq!(one.bytes().as_ptr(), two.bytes().as_ptr());
    let kept = one.data().clone();
    drop((pack, one, two));
    assert_eq!(&*kept, b"still here");
}

#[test]
fn a_pack_can_be_read_into_memory() {
    let file = File::new(&pack([raw("a.bin", b"copied")]));
    let pack = PackOptions::default().read(file.path()).unwrap();
    std::fs::write(file.path(), b"").unwrap();
    assert_eq!(pack.load::<Raw>(ResourceId::from_path("a.bin")).unwrap().bytes(), b"copied");
}

#[test]
fn compressed_chunks_decode() {
    use rres_format::Compression as C;
    for compression in [C::DEFLATE, C::LZ4, C::QOI, C::ZSTD] {
        if !compression.is_enabled() {
            continue;
        }
        let props = ImageProps { width: 64, height: 32, format: PixelFormat::RGBA8, mipmaps: 1 };
        let pixels: Vec<u8> = (0..64 * 32 * 4u32).map(|i| (i / 512) as u8).collect();
        let chunk = super::assets::chunk(FourCc::IMGE, &props.block(&pixels), compression);
        assert_eq!(chunk.info().compression, compression, "the chunk is worth compressing");
        let file = File::new(&pack([raw("odd.bin", b"odd"), Resource::new("a.png", vec![chunk])]));
        let image: Image = file.open().load(ResourceId::from_path("a.png")).unwrap();
        assert!(!image.data().is_borrowed());
        assert_eq!(*image.data(), pixels, "{compression}");
    }
}

#[test]
fn an_unsupported_compression_is_refused_by_name() {
    use rres_format::Compression as C;
    // Without a front index, whose CRC covers the headers of chunks.
    let mut chunk = pack([raw("a.bin", &[0; 100])]).index(false).to_vec().unwrap();
    let offset = PackOptions::default()
        .from_bytes(chunk.clone())
        .unwrap()
        .view()
        .find(ResourceId::from_path("a.bin"))
        .unwrap()
        .unwrap()
        .offset;
    for (number, says) in [(C::LZMA2.0, "compression LZMA2 (30) is not supported"), (99, "compression 99 is unknown")] {
        chunk[offset as usize + 8] = number;
        let pack = PackOptions::default().from_bytes(chunk.clone()).unwrap();
        super::assert_message(pack.load::<Raw>(ResourceId::from_path("a.bin")), &["\"a.bin\"", says]);
    }
}

/// A pack as another program may write it: without alignment.
fn packed_tightly(chunks: &[(FourCc, &str, &[u8])]) -> Vec<u8> {
    let mut out = Header { chunk_count: chunks.len() as u16, directory_offset: 0, reserved: 0 }.to_bytes().to_vec();
    for (kind, path, block) in chunks {
        let mut info = ChunkInfo::from_bytes(&[0; ChunkInfo::SIZE]);
        info.kind = *kind;
        info.id = ResourceId::from_path(path);
        info.packed_size = block.len() as u32;
        info.base_size = block.len() as u32;
        info.crc32 = crc32(block);
        out.extend_from_slice(&info.to_bytes());
        out.extend_from_slice(block);
    }
    out
}

#[test]
fn chunks_at_odd_offsets_load_correctly() {
    use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
    let filler = rres_format::chunk::raw::raw_block("", b"odd");
    let floats: Vec<u8> = [1f32, 2.0, 3.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let attribute = VertexAttribute::POSITION;
    let mesh = VertexProps { count: 1, attribute, components: 3, format: VertexFormat::FLOAT }.block(&floats);
    let sound = sound_block();
    let bytes = packed_tightly(&[
        (FourCc::RAWD, "a.bin", &filler),
        (FourCc::WAVE, "b.wav", &sound),
        (FourCc::VRTX, "c.obj", &mesh),
    ]);
    let file = File::with_bytes(&bytes);
    let pack = file.open();
    let sound: Sound = pack.load(ResourceId::from_path("b.wav")).unwrap();
    assert_eq!(sound.samples(), Samples::I16(&SAMPLES));
    assert!(!sound.data().is_borrowed(), "misaligned samples are copied");
    let mesh: Model = pack.load(ResourceId::from_path("c.obj")).unwrap();
    assert_eq!(mesh.primitives()[0].positions(), [[1.0, 2.0, 3.0]]);
    assert_eq!(mesh.primitives()[0].bounds(), ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]));
    assert_eq!(pack.load::<Raw>(ResourceId::from_path("a.bin")).unwrap().bytes(), b"odd");
}

#[test]
fn a_static_pack_is_borrowed_too() {
    let bytes: &'static [u8] = Box::leak(pack([raw("a.bin", b"in the program")]).to_vec().unwrap().into_boxed_slice());
    let pack = PackOptions::default().from_static(bytes).unwrap();
    let raw: Raw = pack.load(ResourceId::from_path("a.bin")).unwrap();
    assert!(raw.data().is_borrowed());
    let range = bytes.as_ptr_range();
    assert!(range.contains(&raw.bytes().as_ptr()));
}

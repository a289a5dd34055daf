//! The encoders of each format: ours at both efforts, and the peer at the presets that take about as long.

use ctt_astcenc::bindings::{astcenc_image, astcenc_type_ASTCENC_TYPE_U8};
use ctt_astcenc::{Context, Flags, Preset, Profile, Swizzle};
use ctt_bc7enc_rdo::bindings::bc7e_compress_block_params;
use rres_format::chunk::image::PixelFormat;
use rres_settings::BlockEffort;

use super::Format;
use crate::pictures::Picture;

/// A picture → its blocks.
type Encode = dyn Fn(&Picture) -> Vec<u8>;

/// An encoder of one format.
pub struct Encoder {
    pub name: String,
    pub encode: Box<Encode>,
}

impl Encoder {
    fn new(name: impl Into<String>, encode: impl Fn(&Picture) -> Vec<u8> + 'static) -> Self {
        Self { name: name.into(), encode: Box::new(encode) }
    }
}

/// The encoders of a format, ours first.
pub fn encoders(format: Format) -> Vec<Encoder> {
    let mut encoders = vec![ours(format, BlockEffort::Fast, "fast"), ours(format, BlockEffort::Best, "best")];
    encoders.extend(match format {
        Format::Astc(edge) => {
            let presets = [
                ("-fastest", Preset::Fastest),
                ("-fast", Preset::Fast),
                ("-medium", Preset::Medium),
                ("-thorough", Preset::Thorough),
            ];
            presets.map(|(name, preset)| astcenc(edge, name, preset)).into_iter().collect()
        }
        Format::Bc7 => bc7e(),
        Format::Etc2 | Format::Etc2Alpha => vec![etcpak(format)],
    });
    encoders
}

fn ours(format: Format, effort: BlockEffort, name: &str) -> Encoder {
    let pixel_format = match format {
        Format::Astc(4) => PixelFormat::ASTC_4X4_RGBA,
        Format::Astc(6) => PixelFormat::ASTC_6X6_RGBA,
        Format::Astc(_) => PixelFormat::ASTC_8X8_RGBA,
        Format::Etc2 => PixelFormat::ETC2_RGB,
        Format::Etc2Alpha => PixelFormat::ETC2_EAC_RGBA,
        Format::Bc7 => PixelFormat::BC7,
    };
    Encoder::new(format!("**rres, {name}**"), move |picture| {
        let pixels = picture.pixels.as_flattened();
        rres_import_image::measured::encode_blocks(pixels, picture.width, picture.height, pixel_format, effort)
            .expect("the picture has whole blocks")
    })
}

/// astcenc, with the decoding to 8 bits that the decoder has.
fn astcenc(edge: u32, name: &str, preset: Preset) -> Encoder {
    let config = ctt_astcenc::config_init(Profile::Ldr, edge, edge, 1, preset, Flags::USE_DECODE_UNORM8)
        .expect("the library has blocks of this size");
    // Its tables are made once, as ours are.
    let context = std::cell::RefCell::new(Context::new(&config).expect("the library makes a context"));
    Encoder::new(format!("astcenc {name}"), move |picture| {
        let mut pixels = picture.pixels.clone();
        let mut slice = pixels.as_mut_ptr().cast();
        let mut image = astcenc_image {
            dim_x: picture.width,
            dim_y: picture.height,
            dim_z: 1,
            data_type: astcenc_type_ASTCENC_TYPE_U8,
            data: &mut slice,
        };
        let mut blocks = vec![0; (picture.width / edge * (picture.height / edge) * 16) as usize];
        let mut context = context.borrow_mut();
        context.compress(&mut image, Swizzle::IDENTITY, &mut blocks).expect("the library encodes the picture");
        context.compress_reset().expect("the library is ready for the next picture");
        blocks
    })
}

/// bc7e by the author of bc7enc, of the same repository: the better and faster of the two.
fn bc7e() -> Vec<Encoder> {
    type Init = fn(bool) -> bc7e_compress_block_params;
    let presets: [(&str, Init); 4] = [
        ("ultrafast", ctt_bc7enc_rdo::params_init_ultrafast),
        ("veryfast", ctt_bc7enc_rdo::params_init_veryfast),
        ("basic", ctt_bc7enc_rdo::params_init_basic),
        ("slow", ctt_bc7enc_rdo::params_init_slow),
    ];
    let encoder = |(name, init): (&str, Init)| {
        let params = init(false);
        Encoder::new(format!("bc7e {name}"), move |picture| {
            let pixels: Vec<u32> = picture.by_blocks(4).map(u32::from_le_bytes).collect();
            ctt_bc7enc_rdo::compress_blocks_alloc(pixels.len() / 16, &pixels, &params)
                .into_iter()
                .flat_map(u64::to_le_bytes)
                .collect()
        })
    };
    presets.into_iter().map(encoder).collect()
}

fn etcpak(format: Format) -> Encoder {
    Encoder::new("etcpak", move |picture| {
        let pixels: Vec<[u8; 4]> = picture.pixels.iter().map(|[r, g, b, a]| [*b, *g, *r, *a]).collect();
        let surface = ctt_etcpak::Surface::new(pixels.as_flattened(), picture.width, picture.height);
        match format {
            Format::Etc2 => ctt_etcpak::etc2_rgb::compress_blocks(&surface, true),
            _ => ctt_etcpak::etc2_rgba::compress_blocks(&surface, true),
        }
    })
}

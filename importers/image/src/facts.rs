//! What a file says about its pixels besides their numbers: which way up they are, and what its colours mean.
//!
//! Pixels are turned upright. Colours stay the numbers of the file: packs are for renderers, which take numbers to be sRGB
//! or linear, and converting them would change what an artist sees in other programs that ignore profiles as well. A note says
//! when a file means something else.

use std::io::Read;

use rres_decode::Orientation;
use rres_format::chunk::image::ImageProps;
use rres_format::index::ColorSpace;
use rres_import::Note;
use rres_settings::ImageSettings;

use super::png::chunks;
use super::{Content, Decoded, ImportError, aseprite};

/// The largest profile that is unpacked to look at its name. Profiles of printers take up to 2 MB.
const MAX_PROFILE: u64 = 4 << 20;

/// The gamma of sRGB as PNG stores it, and how far others may be off.
const SRGB_GAMMA: std::ops::RangeInclusive<u32> = 45_000..=46_000;

/// Applies what the file says about its pixels, or notes that it is not applied.
pub(super) fn apply(
    mut decoded: Decoded,
    bytes: &[u8],
    content: Content,
    settings: &ImageSettings,
) -> Result<Decoded, ImportError> {
    let facts = of(bytes, content);
    if let Some(orientation) = facts.exif.as_deref().map(Orientation::of_exif) {
        decoded = turn(decoded, orientation)?;
    }
    decoded.notes.extend(note_meaning(facts.meaning, settings));
    Ok(decoded)
}

/// A note that colours are not what they are taken for.
pub(super) fn note(bytes: &[u8], content: Content, settings: &ImageSettings) -> Option<Note> {
    note_meaning(of(bytes, content).meaning, settings)
}

fn note_meaning(meaning: Option<String>, settings: &ImageSettings) -> Option<Note> {
    // The numbers are not colours if a rule says so.
    let are_colors = settings.color_space != Some(ColorSpace::Linear) && settings.normal_map != Some(true);
    let detail = meaning.filter(|_| are_colors)?;
    let note = Note::new("colour profiles are not applied: colours are read as sRGB").with_detail(detail);
    Some(note.with_help(
        "convert them to sRGB where they come from, or accept it with notes = false; data has color_space = \"linear\"",
    ))
}

fn of(bytes: &[u8], content: Content) -> Facts {
    match content {
        Content::Png => of_png(bytes),
        Content::WebP => of_webp(bytes),
        // Its pixels are turned where they are decoded.
        Content::Jpeg => Facts { meaning: meaning_of_jpeg(bytes), exif: None },
        Content::Aseprite => Facts { meaning: aseprite::profile(bytes).and_then(not_srgb), exif: None },
        _ => Facts::default(),
    }
}

/// What a file says.
#[derive(Default)]
struct Facts {
    exif: Option<Vec<u8>>,
    /// What its colours are, if they are not sRGB.
    meaning: Option<String>,
}

fn of_png(bytes: &[u8]) -> Facts {
    let mut facts = Facts::default();
    let (mut gamma, mut profile, mut is_srgb) = (None, None, false);
    for (name, data) in chunks(bytes) {
        match (name, data) {
            (b"eXIf", _) => facts.exif = Some(data.to_vec()),
            (b"sRGB", _) => is_srgb = true,
            (b"gAMA", [a, b, c, d]) => gamma = Some(u32::from_be_bytes([*a, *b, *c, *d])),
            (b"iCCP", _) => profile = unpack_profile(data),
            // Primaries and transfer of Rec. 709 with the curve of sRGB.
            (b"cICP", [primaries, transfer, ..]) => match (primaries, transfer) {
                (1, 13) => is_srgb = true,
                (primaries, transfer) => facts.meaning = Some(format!("CICP {primaries}/{transfer}")),
            },
            _ => {}
        }
    }
    if facts.meaning.is_none() && !is_srgb {
        facts.meaning = match (profile, gamma) {
            (Some(profile), _) => not_srgb(&profile),
            (None, Some(gamma)) if gamma > 0 && !SRGB_GAMMA.contains(&gamma) => {
                Some(format!("gamma {:.2}", 100_000.0 / f64::from(gamma)))
            }
            _ => None,
        };
    }
    facts
}

/// The profile in a chunk: a name, a zero, the method, a zlib stream.
fn unpack_profile(data: &[u8]) -> Option<Vec<u8>> {
    let name = data.iter().position(|byte| *byte == 0)?;
    let mut profile = Vec::new();
    let stream = flate2::read::ZlibDecoder::new(data.get(name + 2..)?);
    // What is unpacked before damage may have the name in it.
    let _ = stream.take(MAX_PROFILE).read_to_end(&mut profile);
    Some(profile)
}

fn of_webp(bytes: &[u8]) -> Facts {
    let mut facts = Facts::default();
    for (name, data) in webp_chunks(bytes) {
        match name {
            // Some writers put the head of a JPEG segment before it.
            b"EXIF" => facts.exif = Some(data.strip_prefix(b"Exif\0\0").unwrap_or(data).to_vec()),
            b"ICCP" => facts.meaning = not_srgb(data),
            _ => {}
        }
    }
    facts
}

/// The number of pictures in a WebP. The decoder takes the first.
pub(super) fn frames_of_webp(bytes: &[u8]) -> u32 {
    webp_chunks(bytes).filter(|(name, _)| *name == b"ANMF").count().max(1) as u32
}

/// Names and data of the chunks of a WebP, up to the first one that is not whole.
fn webp_chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut rest = bytes.get(12..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (name, after) = rest.split_first_chunk::<4>()?;
        let (len, after) = after.split_first_chunk::<4>()?;
        let len = u32::from_le_bytes(*len) as usize;
        let data = after.get(..len)?;
        rest = after.get(len + len % 2..).unwrap_or_default();
        Some((name, data))
    })
}

/// What the first part of the profile of a JPEG says. Names are in the first part.
fn meaning_of_jpeg(bytes: &[u8]) -> Option<String> {
    let mut rest = bytes.get(2..)?;
    while let [0xff, mark @ 0xe0..=0xef, high, low, ..] = rest {
        let len = usize::from(u16::from_be_bytes([*high, *low]));
        let segment = rest.get(4..2 + len)?;
        if *mark == 0xe2
            && let Some(part) = segment.strip_prefix(b"ICC_PROFILE\0")
        {
            return not_srgb(part.get(2..)?);
        }
        rest = &rest[2 + len..];
    }
    None
}

/// The description of a profile, unless it describes sRGB.
fn not_srgb(profile: &[u8]) -> Option<String> {
    let name = description(profile).unwrap_or_else(|| "unnamed profile".to_owned());
    let is_srgb = name.to_lowercase().replace(['-', '_', ' '], "").contains("srgb") || name.contains("61966-2");
    (!is_srgb).then_some(name)
}

/// The text of the tag `desc` of an ICC profile, in the form of version 2 or 4.
fn description(profile: &[u8]) -> Option<String> {
    let word = |at: usize| profile.get(at..)?.first_chunk().map(|word| u32::from_be_bytes(*word) as usize);
    let tag =
        (0..word(128)?.min(100)).map(|tag| 132 + 12 * tag).find(|at| profile.get(*at..*at + 4) == Some(b"desc"))?;
    let at = word(tag + 4)?;
    let text = |at: usize, len: usize| profile.get(at..at.checked_add(len)?);
    let name = match text(at, 4)? {
        b"desc" => String::from_utf8_lossy(text(at.checked_add(12)?, word(at.checked_add(8)?)?.min(200))?).into_owned(),
        b"mluc" => {
            let (len, offset) = (word(at.checked_add(20)?)?.min(400), word(at.checked_add(24)?)?);
            let units = text(at.checked_add(offset)?, len)?.chunks_exact(2);
            char::decode_utf16(units.map(|unit| u16::from_be_bytes([unit[0], unit[1]])))
                .map(|c| c.unwrap_or('?'))
                .collect()
        }
        _ => return None,
    };
    let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Turns pixels upright.
fn turn(decoded: Decoded, orientation: Orientation) -> Result<Decoded, ImportError> {
    let ImageProps { width, height, format, mipmaps } = decoded.props;
    let (Some(size), 1) = (format.bytes_per_pixel(), mipmaps) else { return Ok(decoded) };
    if orientation == Orientation::UPRIGHT {
        return Ok(decoded);
    }
    let (upright_width, upright_height) = if orientation.swaps_edges() { (height, width) } else { (width, height) };
    let props = ImageProps { width: upright_width, height: upright_height, ..decoded.props };
    let mut out = Decoded::zeroed(props)?;
    orientation.turn(size as usize, decoded.data(), (width as usize, height as usize), out.data_mut());
    Ok(Decoded { props: out.props, block: out.block, ..decoded })
}

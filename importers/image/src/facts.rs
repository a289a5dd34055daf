//! What a file says about its pixels besides their numbers: which way up they are, and what its colours mean.
//!
//! Pixels are turned upright. Colours that mean something else than sRGB become sRGB ([`super::profile`]), unless a rule says otherwise, and a
//! note says so. Numbers that are not colours stay.

use std::io::Read;

use rres_decode::Orientation;
use rres_format::chunk::image::ImageProps;
use rres_format::index::ColorSpace;
use rres_import::Note;
use rres_settings::{ColorProfile, ImageSettings, ImageStorage};

use super::png::chunks;
use super::profile::{Applied, Profile, description};
use super::{Content, Decoded, ImportError, aseprite};

/// The largest profile that is read. Profiles of printers take up to 2 MB.
const MAX_PROFILE: usize = 4 << 20;

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
    apply_meaning(&mut decoded, facts.meaning, content, settings);
    Ok(decoded)
}

/// Applies what the file says about its colours, or notes that it is not applied.
pub(super) fn apply_colors(decoded: &mut Decoded, bytes: &[u8], content: Content, settings: &ImageSettings) {
    apply_meaning(decoded, of(bytes, content).meaning, content, settings);
}

fn apply_meaning(decoded: &mut Decoded, meaning: Option<Meaning>, content: Content, settings: &ImageSettings) {
    let Some(Meaning { name, profile, is_profile }) = meaning else { return };
    if settings.color_profile == ColorProfile::Ignore {
        return;
    }
    let ignore = "or keep the numbers without this line: color_profile = \"ignore\"";
    let kept = |decoded: &mut Decoded, topic: &str, detail: String, help: String| {
        decoded.notes.push(Note::new(topic).with_detail(detail).with_help(help));
    };
    // The numbers are not colours if a rule says so. A gamma beside them says the same in another way.
    if settings.color_space == Some(ColorSpace::Linear) || settings.normal_map == Some(true) {
        if is_profile {
            let help = format!("save them without a profile, {ignore}");
            kept(decoded, "colour profiles are not applied to numbers that are not colours", name, help);
        }
        return;
    }
    if content == Content::Jpeg && settings.store == ImageStorage::Source {
        let topic = "colour profiles are not applied to JPEGs that are stored as files: games read them as sRGB";
        kept(decoded, topic, name, format!("convert them to sRGB, remove store = \"source\", {ignore}"));
        return;
    }
    let profile = match profile {
        Ok(profile) if profile.fits(decoded) => profile,
        Ok(_) => return not_applied(decoded, &name, "is for grey pictures"),
        Err(why) => return not_applied(decoded, &name, why),
    };
    let Applied { clipped, all } = profile.apply(decoded);
    decoded.is_converted = true;
    let mut detail = name;
    if clipped > 0 {
        // Rounded up: a few pixels are not none.
        let percent = (clipped * 100).div_ceil(all.max(1));
        detail += &format!(", {percent} % of the pixels are outside of sRGB and were clipped");
    }
    let topic = "colours are converted to sRGB";
    kept(
        decoded,
        topic,
        detail,
        "keep the numbers of the file with color_profile = \"ignore\", or accept it with notes = false".to_owned(),
    );
    if content == Content::Jpeg && settings.store == ImageStorage::Auto {
        let note = Note::new("JPEGs whose colours are converted are stored as pixels, which take more bytes");
        decoded.notes.push(note.with_help("convert them to sRGB where they come from, to store the files"));
    }
}

fn not_applied(decoded: &mut Decoded, name: &str, why: &str) {
    let note = Note::new("colour profiles that cannot be applied: colours are read as sRGB");
    decoded.notes.push(note.with_detail(format!("{name}, which {why}")).with_help(
        "convert them to sRGB where they come from, or accept it with color_profile = \"ignore\"; data has \
         color_space = \"linear\"",
    ));
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
    meaning: Option<Meaning>,
}

/// What colours are that are not sRGB.
struct Meaning {
    name: String,
    /// How they are converted, or why not.
    profile: Result<Profile, &'static str>,
    /// Whether it is more than a gamma.
    is_profile: bool,
}

impl Meaning {
    /// `None` if the colours are sRGB.
    fn new(name: String, profile: Result<Profile, &'static str>, is_profile: bool) -> Option<Self> {
        let is_srgb = profile.as_ref().is_ok_and(Profile::is_srgb);
        (!is_srgb).then_some(Self { name, profile, is_profile })
    }
}

fn of_png(bytes: &[u8]) -> Facts {
    let mut facts = Facts::default();
    let (mut gamma, mut chromaticities, mut profile, mut codes, mut is_srgb) = (None, None, None, None, false);
    for (name, data) in chunks(bytes) {
        match (name, data) {
            (b"eXIf", _) => facts.exif = Some(data.to_vec()),
            (b"sRGB", _) => is_srgb = true,
            (b"gAMA", [a, b, c, d]) => gamma = Some(u32::from_be_bytes([*a, *b, *c, *d])),
            (b"cHRM", _) if data.len() == 32 => {
                let number = |at: usize| u32::from_be_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]);
                chromaticities = Some(std::array::from_fn(|i| number(i * 4)));
            }
            (b"iCCP", _) => profile = unpack_profile(data),
            (b"cICP", [a, b, c, d]) => codes = Some([*a, *b, *c, *d]),
            _ => {}
        }
    }
    // A decoder takes the first of these that it knows.
    facts.meaning = match (codes, is_srgb, profile, gamma) {
        (Some(codes), ..) => Meaning::new(format!("CICP {}/{}", codes[0], codes[1]), Profile::of_cicp(codes), true),
        (None, true, ..) => None,
        (None, false, Some(profile), _) => not_srgb(&profile),
        (None, false, None, Some(gamma)) if gamma > 0 => {
            // Writers round the numbers of sRGB in several ways. Beside other primaries, too, the gamma stands for the curve of sRGB: the
            // specification has files say so that mean it.
            let curve = if SRGB_GAMMA.contains(&gamma) { None } else { Some(gamma) };
            let name = format!("gamma {:.2}", 100_000.0 / f64::from(gamma));
            let is_known = curve.is_none() && chromaticities.is_none();
            let meaning =
                if is_known { None } else { Meaning::new(name, Profile::of_gamma(curve, chromaticities), false) };
            // Nonsense beside the gamma of sRGB is sRGB.
            meaning.filter(|meaning| curve.is_some() || meaning.profile.is_ok())
        }
        _ => None,
    };
    facts
}

/// The profile in a chunk: a name, a zero, the method, a zlib stream.
fn unpack_profile(data: &[u8]) -> Option<Vec<u8>> {
    let name = data.iter().position(|byte| *byte == 0)?;
    let mut profile = Vec::new();
    let stream = flate2::read::ZlibDecoder::new(data.get(name + 2..)?);
    // What is unpacked before damage may have the name in it.
    let _ = stream.take(MAX_PROFILE as u64).read_to_end(&mut profile);
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

/// What the profile of a JPEG says. It is in one or several segments with numbers.
fn meaning_of_jpeg(bytes: &[u8]) -> Option<Meaning> {
    let mut parts: Vec<(u8, &[u8])> = Vec::new();
    let mut rest = bytes.get(2..)?;
    // Pixels follow the mark 0xda.
    while let [0xff, mark @ (0xc0..=0xd9 | 0xdb..=0xfe), high, low, ..] = rest {
        let len = usize::from(u16::from_be_bytes([*high, *low])).max(2);
        let Some(segment) = rest.get(4..2 + len) else { break };
        if *mark == 0xe2
            && let Some([number, _, part @ ..]) = segment.strip_prefix(b"ICC_PROFILE\0")
        {
            parts.push((*number, part));
        }
        rest = &rest[2 + len..];
    }
    parts.sort_by_key(|(number, _)| *number);
    let profile: Vec<u8> = parts.iter().flat_map(|(_, part)| *part).copied().take(MAX_PROFILE).collect();
    if parts.is_empty() { None } else { not_srgb(&profile) }
}

/// What a profile says, unless it is that of sRGB.
fn not_srgb(profile: &[u8]) -> Option<Meaning> {
    let name = description(profile).unwrap_or_else(|| "unnamed profile".to_owned());
    let read = Profile::of_icc(profile);
    // Some profiles of sRGB have tables. A name alone says little: linear sRGB has it, too.
    let is_named_srgb =
        || name.to_lowercase().replace(['-', '_', ' '], "").contains("srgb") || name.contains("61966-2");
    if read.is_err() && is_named_srgb() {
        return None;
    }
    Meaning::new(name, read, true)
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

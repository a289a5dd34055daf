//! Each chunk by itself: is it complete, do its bytes match their CRC, and do they contain what its kind requires?

use std::collections::BTreeMap;

use rres_format::chunk::collision::CollisionView;
use rres_format::chunk::directory::DirectoryView;
use rres_format::chunk::glyphs::GlyphsView;
use rres_format::chunk::image::ImageView;
use rres_format::chunk::kerning::Kerning;
use rres_format::chunk::link::LinkView;
use rres_format::chunk::markers::MarkersView;
use rres_format::chunk::model::ModelView;
use rres_format::chunk::raw::RawView;
use rres_format::chunk::scene::SceneView;
use rres_format::chunk::seek::SeekView;
use rres_format::chunk::text::TextView;
use rres_format::chunk::vertex::VertexView;
use rres_format::chunk::wave::WaveView;
use rres_format::index::IndexView;
use rres_format::patch::PatchView;
use rres_format::{AssetKind, ChunkView, Cipher, Decoded, Decompressor, Error, FourCc, Header, PackView, Result};

use crate::finding::{Code, Findings};
use crate::keyring::Keyring;
use crate::progress::ProgressMeter;
use crate::text::{count, shorten};

/// Returns the chunks in file order, including a directory that the file header does not count. If the file is cut off, that
/// has been reported.
pub(super) fn walk<'a>(view: PackView<'a>, is_cut_off: bool, findings: &mut Findings<'_>) -> Vec<ChunkView<'a>> {
    let counted = usize::from(view.header().chunk_count);
    let mut chunks: Vec<ChunkView<'a>> = Vec::new();
    let mut end = Header::SIZE as u64;
    for chunk in view.chunks() {
        match chunk {
            Ok(chunk) => {
                end = chunk.end();
                chunks.push(chunk);
            }
            Err(_) if is_cut_off => return chunks,
            Err(error) => {
                let message = format!("chunk {} of {counted}: {error}", chunks.len() + 1);
                findings.add_at(Code::ChunkTruncated, end, message);
                return chunks;
            }
        }
    }
    if is_cut_off {
        return chunks;
    }
    if chunks.len() < counted {
        let found = count(chunks.len(), "chunk");
        findings.add(Code::ChunkCount, format!("expected {counted} chunks, as the file header counts, found {found}"));
    }
    let next = u32::try_from(end).ok().and_then(|end| view.chunk_at(end).ok());
    if let Some(directory) = next.filter(|chunk| chunk.info.kind == FourCc::CDIR) {
        end = directory.end();
        chunks.push(directory);
    }
    let len = view.bytes().len() as u64;
    let next = u32::try_from(end).ok().and_then(|end| view.chunk_at(end).ok());
    if let Some(signature) = next.filter(|chunk| chunk.info.kind == FourCc::SIGN && chunk.end() == len) {
        end = len;
        chunks.push(signature);
    }
    if end < len {
        let bytes = count((len - end) as usize, "byte");
        findings.add_at(Code::TrailingBytes, end, format!("found {bytes} after the last chunk"));
    }
    chunks
}

/// Checks the contents of the chunks. Returns the total size of the decoded blocks in bytes. Only our packs have an
/// `index`.
pub(super) fn check(
    chunks: &[ChunkView<'_>],
    index: Option<IndexView<'_>>,
    keyring: Keyring<'_>,
    meter: &ProgressMeter,
    findings: &mut Findings<'_>,
) -> u64 {
    let mut decoded_size = 0;
    let mut encrypted: BTreeMap<Cipher, usize> = BTreeMap::new();
    let mut decompressor = Decompressor::default();
    let mut done = None;
    let (mut deltas, mut data) = (0, 0);
    for chunk in chunks {
        let name =
            findings.path(chunk.info.id).map_or_else(|| chunk.info.kind.to_string(), |path| shorten(path).into_owned());
        meter.next(done.replace(chunk.end() - u64::from(chunk.offset)), &name);
        if let Err(error) = chunk.verify() {
            findings.add_chunk(Code::CrcMismatch, chunk, crc_message(&error));
            continue;
        }
        if chunk.info.cipher != Cipher::NONE {
            if index.is_some() && is_plain_text(chunk, &mut decompressor) {
                let message = format!("claims to be encrypted with {}, and its bytes are not", chunk.info.cipher);
                findings.add_chunk(Code::CipherWrong, chunk, message);
                continue;
            }
            if !keyring.can_read(chunk.info.cipher) {
                *encrypted.entry(chunk.info.cipher).or_default() += 1;
                continue;
            }
        }
        match chunk.delta() {
            Ok(None) => {}
            Ok(Some(_)) => {
                deltas += 1;
                continue;
            }
            Err(error) => {
                findings.add_chunk(Code::DecodeFailed, chunk, error.to_string());
                continue;
            }
        }
        match keyring.decode(chunk, &mut decompressor) {
            Ok(block) => {
                decoded_size += u64::from(chunk.info.base_size);
                check_payload(chunk, &block, findings);
            }
            // A patch leaves out what is equal in the old pack.
            Err(Error::NeedsSibling(_)) if index.as_ref().is_some_and(IndexView::is_patch) => {
                deltas += 1;
                continue;
            }
            Err(error) => findings.add_chunk(Code::DecodeFailed, chunk, error.to_string()),
        }
        if index.as_ref().is_some_and(|index| is_data(index, chunk)) {
            data += 1;
        } else if chunk.info.kind.description().is_none() {
            let message = "rres v1.0 does not define this kind of chunk, so its contents were not checked";
            findings.add_chunk(Code::ChunkKindUnknown, chunk, message);
        }
    }
    if deltas > 0 {
        let verb = if deltas == 1 { "is" } else { "are" };
        let message = format!(
            "{} {verb} stored as differences from chunks of another pack; only the CRC was checked",
            count(deltas, "chunk")
        );
        findings.add(Code::Delta, message);
    }
    if data > 0 {
        let verb = if data == 1 { "is" } else { "are" };
        let message = format!("{} {verb} data of types of the game; only the CRC was checked", count(data, "chunk"));
        findings.add(Code::GameData, message);
    }
    for (cipher, number) in encrypted {
        let verb = if number == 1 { "is" } else { "are" };
        let message = format!(
            "{} {verb} encrypted with {cipher}; only the CRC was checked, as there is no key (--key-env, --key-file)",
            count(number, "chunk")
        );
        findings.add(Code::Encrypted, message);
    }
    decoded_size
}

/// Whether a chunk is of a type of the game, which only the game can read.
fn is_data(index: &IndexView<'_>, chunk: &ChunkView<'_>) -> bool {
    let entry = index.find(chunk.info.id).and_then(|slot| index.entry(slot).ok());
    entry.is_some_and(|entry| entry.kind == Some(AssetKind::Custom))
}

/// Whether a chunk that claims to be encrypted can be read without a key. No CRC covers the claim, and encrypted bytes do not
/// look like a block by chance.
fn is_plain_text(chunk: &ChunkView<'_>, decompressor: &mut Decompressor) -> bool {
    let mut plain = *chunk;
    plain.info.cipher = Cipher::NONE;
    let is_known = chunk.info.kind.description().is_some();
    is_known && plain.decode(decompressor).and_then(|block| parse_payload(chunk.info.kind, &block)).is_ok()
}

/// Returns the message for a CRC that does not match, without the place that the error contains.
fn crc_message(error: &Error) -> String {
    match error {
        Error::CrcMismatch { stored, computed, .. } => {
            format!("the chunk is damaged: crc32 is {computed:08x}, expected {stored:08x}")
        }
        other => other.to_string(),
    }
}

fn check_payload(chunk: &ChunkView<'_>, block: &Decoded<'_>, findings: &mut Findings<'_>) {
    if let Err(error) = parse_payload(chunk.info.kind, block) {
        findings.add_chunk(Code::PayloadInvalid, chunk, error.to_string());
    } else if chunk.info.kind == FourCc::LINK && !is_terminated(chunk, block) {
        let message = "the path does not end with a NUL, so `rres.h` reads past its end";
        findings.add_chunk(Code::LinkUnterminated, chunk, message);
    }
}

/// Whether the stored bytes of a LINK chunk contain a NUL after the start of the path. Padding may provide it.
fn is_terminated(chunk: &ChunkView<'_>, block: &Decoded<'_>) -> bool {
    let start = block.view().map_or(0, |payload| payload.data_offset());
    !chunk.info.is_plain() || chunk.stored.get(start..).is_some_and(|path| path.contains(&0))
}

/// Parses a block according to the kind of its chunk.
fn parse_payload(kind: FourCc, block: &Decoded<'_>) -> Result<()> {
    match kind {
        FourCc::RAWD => RawView::parse(block.view()?).map(drop),
        FourCc::TEXT => TextView::parse(block.view()?)?.decode().map(drop),
        FourCc::IMGE => ImageView::parse(block.view()?).map(drop),
        FourCc::WAVE => WaveView::parse(block.view()?).map(drop),
        FourCc::VRTX => VertexView::parse(block.view()?).map(drop),
        FourCc::FNTG => GlyphsView::parse(block.view()?).map(drop),
        FourCc::KERN => Kerning::parse(block.view()?).map(drop),
        FourCc::LINK => LinkView::parse(block.view()?).map(drop),
        FourCc::MARK => MarkersView::parse(block.view()?).map(drop),
        FourCc::SEEK => SeekView::parse(block.view()?).map(drop),
        FourCc::MODL => ModelView::parse(block.view()?).map(drop),
        FourCc::SCNE => SceneView::parse(block.view()?).map(drop),
        FourCc::COLL => CollisionView::parse(block.view()?).map(drop),
        FourCc::CDIR => DirectoryView::parse(block.view()?)?.entries().try_for_each(|entry| entry.map(drop)),
        FourCc::PTCH => PatchView::parse(block.view()?)?.groups().map(drop),
        // Opening the pack has checked it, and its damage is a finding of its own.
        FourCc::INDX => Ok(()),
        FourCc::PFNT | FourCc::PMSH => block.view().map(drop),
        // Padding contains nothing, and the layout of other kinds is unknown.
        _ => Ok(()),
    }
}

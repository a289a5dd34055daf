//! `cargo rres cat`: the bytes of a raw file, a text or a sound kept in its source form.

use std::borrow::Cow;
use std::path::PathBuf;

use rres_format::chunk::raw::RawView;
use rres_format::chunk::text::TextView;
use rres_format::{Decompressor, FourCc};

use crate::exit::{Failure, Outcome};
use crate::listing::{Item, Listing, find_in_set};
use crate::output::Output;
use crate::pack_file::PackFile;

/// Print the bytes of a resource that holds a file's own bytes: raw, text, sounds kept in their source form
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The .rres file, ours or another program's
    pack: PathBuf,
    /// The path of the resource, or its id: 0x1f0188ce
    resource: String,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (packs, _) = PackFile::open_set(&args.pack)?;
    let listings: Vec<Listing<'_>> = packs.iter().map(Listing::new).collect();
    let (_, item) = find_in_set(&listings, &packs, &args.resource)?;
    match source_bytes(item).map_err(|e| Failure::Pack(format!("{}: {e}", item.name())))? {
        Some(bytes) => out.bytes(&bytes)?,
        None => {
            let (name, kind) = (item.name(), item.kind_name());
            let text =
                format!("{name} is of kind {kind}, whose source bytes are not kept; `cargo rres extract` re-encodes");
            return Err(Failure::Call(text));
        }
    }
    Ok(Outcome::Fine)
}

/// The bytes of the source file, or `None` where the pack keeps a processed form of it.
///
/// # Errors
/// Where the bytes are damaged or sealed.
pub(crate) fn source_bytes<'a>(item: &Item<'a>) -> rres_format::Result<Option<Cow<'a, [u8]>>> {
    let Some(chunk) = item.chunks.iter().find(|chunk| matches!(chunk.info.kind, FourCc::RAWD | FourCc::TEXT)) else {
        return Ok(None);
    };
    chunk.verify()?;
    let block = chunk.decode(&mut Decompressor::default())?;
    let payload = block.view()?;
    let len = match chunk.info.kind {
        FourCc::RAWD => RawView::parse(payload)?.bytes().len(),
        _ => TextView::parse(payload)?.bytes().len(),
    };
    // Both views start where the data does; trailing padding is not theirs.
    let range = payload.data_offset()..payload.data_offset() + len;
    Ok(Some(match block.into_bytes() {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[range]),
        Cow::Owned(bytes) => Cow::Owned(bytes[range].to_vec()),
    }))
}

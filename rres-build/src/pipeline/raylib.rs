//! What `rres-raylib.h` cannot read → what it can: images of one level, texts in UTF-8, sounds without seek points.

use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageProps, ImageView};
use rres_format::chunk::text::{TextEncoding, TextProps, TextView};

use crate::import::{ImportError, ImportedResource};
use crate::note::Note;

/// Raised whenever packs with `compat = "raylib"` store something in another way.
pub(super) const VERSION: u8 = 3;

/// Converts the blocks of a resource.
pub(super) fn for_raylib(resource: &mut ImportedResource) -> Result<(), ImportError> {
    // C programs decode files with raylib.
    resource.blocks.retain(|block| block.kind != FourCc::SEEK);
    for block in &mut resource.blocks {
        if block.kind == FourCc::IMGE {
            check_format(&block.bytes)?;
        }
        let converted = match block.kind {
            FourCc::IMGE => first_level(&block.bytes),
            FourCc::TEXT => utf8(&block.bytes),
            _ => Ok(None),
        };
        let converted = converted.map_err(|e| ImportError::new(format!("cannot be stored: {e}")))?;
        let Some((bytes, note)) = converted else { continue };
        block.bytes = bytes;
        resource.notes.extend(note);
    }
    Ok(())
}

/// Refuses pixel formats that rres has no number for: `rres-raylib.h` returns no pixels.
fn check_format(block: &[u8]) -> Result<(), ImportError> {
    let format = PayloadView::parse(block).and_then(ImageView::parse).map(|view| view.props().format);
    match format {
        Ok(format) if !format.is_rres() => Err(ImportError::new(format!(
            "has pixels of format {format}, which `rres-raylib.h` does not know, and `compat` = \"raylib\" is set"
        ))
        .with_help("store it uncompressed, or as BC1, BC2 or BC3, or remove compat")),
        Ok(_) => Ok(()),
        Err(e) => Err(ImportError::new(format!("cannot be stored: {e}"))),
    }
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

#[cfg(test)]
mod tests {
    use rres_format::AssetKind;
    use rres_format::chunk::image::PixelFormat;

    use super::*;
    use crate::import::Block;

    fn converted(kind: AssetKind, block: Block) -> ImportedResource {
        let mut resource = ImportedResource::new(kind, vec![block], "");
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
            ImportedResource::new(AssetKind::Image, vec![Block::new(FourCc::IMGE, props.block(&[0; 16]))], "")
        };
        assert!(for_raylib(&mut image(PixelFormat::DXT5_RGBA)).is_ok());
        let error = for_raylib(&mut image(PixelFormat::BC7)).unwrap_err().to_string();
        assert!(error.starts_with("has pixels of format BC7, which `rres-raylib.h` does not know"), "{error}");
    }

    #[test]
    fn utf16_becomes_utf8() {
        let text: Vec<u8> = "\u{feff}größer".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let props = TextProps { encoding: TextEncoding::UTF16_LE, ..TextProps::utf8(text.len() as u32) };
        let resource = converted(AssetKind::Text, Block::new(FourCc::TEXT, props.block(&text)));
        let view = TextView::parse(PayloadView::parse(&resource.blocks[0].bytes).unwrap()).unwrap();
        assert_eq!((view.props().encoding, view.bytes()), (TextEncoding::UTF8, "größer".as_bytes()));
    }
}

//! Descriptions in binary form, version 3: blocks with a type and a size.

use super::ImportError;
use super::description::{Channels, Description, GlyphOf, character};

/// Bytes of a character and of a kerned pair.
const CHAR: usize = 20;
const PAIR: usize = 10;

pub(super) fn read(bytes: &[u8]) -> Result<Description, ImportError> {
    let again = "export the font again, as text, XML or binary of version 3";
    let fault = |message: String| ImportError::new(message).with_help(again);
    match bytes.get(3) {
        Some(3) => {}
        Some(version) => {
            return Err(fault(format!("is a binary BMFont description of version {version}, expected 3")));
        }
        None => return Err(fault("is a binary BMFont description that ends early".to_owned())),
    }
    let mut description = Description::default();
    let mut rest = &bytes[4..];
    while let [kind, size @ ..] = rest {
        let ends_early = || fault(format!("is a binary BMFont description whose block {kind} ends early"));
        let (size, blocks) = size.split_first_chunk::<4>().ok_or_else(ends_early)?;
        let (block, after) = blocks.split_at_checked(u32::from_le_bytes(*size) as usize).ok_or_else(ends_early)?;
        let read = match kind {
            1 => info(block, &mut description),
            2 => common(block, &mut description),
            3 => pages(block, &mut description),
            4 => chars(block, &mut description).map_err(fault)?,
            5 => kernings(block, &mut description).map_err(fault)?,
            _ => Some(()),
        };
        read.ok_or_else(ends_early)?;
        rest = after;
    }
    description.complete_size();
    description.glyphs.sort_by_key(|glyph| glyph.character);
    Ok(description)
}

fn u16_at(block: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(block.get(at..)?.first_chunk().copied()?))
}

fn i16_at(block: &[u8], at: usize) -> Option<i16> {
    u16_at(block, at).map(u16::cast_signed)
}

fn u32_at(block: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(block.get(at..)?.first_chunk().copied()?))
}

fn info(block: &[u8], description: &mut Description) -> Option<()> {
    description.size = i16_at(block, 0)?.unsigned_abs().into();
    let flags = block.get(2)?;
    // The documentation of the format counts these bits from the highest one: smooth, Unicode, italic, bold.
    description.is_italic = flags & 1 << 5 != 0;
    description.is_bold = flags & 1 << 4 != 0;
    description.padding = u32::from(*block.get(7)?);
    Some(())
}

fn common(block: &[u8], description: &mut Description) -> Option<()> {
    description.line_height = f32::from(u16_at(block, 0)?);
    description.base = f32::from(u16_at(block, 2)?);
    description.scale = (u16_at(block, 4)?.into(), u16_at(block, 6)?.into());
    Some(())
}

/// Names; each ends with a zero.
fn pages(block: &[u8], description: &mut Description) -> Option<()> {
    let names = block.strip_suffix(&[0])?.split(|byte| *byte == 0);
    description.pages = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    Some(())
}

fn chars(block: &[u8], description: &mut Description) -> Result<Option<()>, String> {
    if !block.len().is_multiple_of(CHAR) {
        return Ok(None);
    }
    for record in block.chunks_exact(CHAR) {
        let glyph = || {
            Some(GlyphOf {
                character: '\0',
                x: u16_at(record, 4)?.into(),
                y: u16_at(record, 6)?.into(),
                width: u16_at(record, 8)?.into(),
                height: u16_at(record, 10)?.into(),
                offset_x: i16_at(record, 12)?.into(),
                offset_y: i16_at(record, 14)?.into(),
                advance: f32::from(i16_at(record, 16)?),
                page: u32::from(*record.get(18)?),
                channels: Channels::of(i64::from(*record.get(19)?)),
                line: 0,
            })
        };
        let (Some(id), Some(glyph)) = (u32_at(record, 0), glyph()) else { return Ok(None) };
        if let Some(character) = character(id.into())? {
            description.glyphs.push(GlyphOf { character, ..glyph });
        }
    }
    Ok(Some(()))
}

fn kernings(block: &[u8], description: &mut Description) -> Result<Option<()>, String> {
    if !block.len().is_multiple_of(PAIR) {
        return Ok(None);
    }
    for record in block.chunks_exact(PAIR) {
        let numbers = (u32_at(record, 0), u32_at(record, 4), i16_at(record, 8));
        let (Some(first), Some(second), Some(amount)) = numbers else { return Ok(None) };
        if let (Some(first), Some(second)) = (character(first.into())?, character(second.into())?) {
            description.kernings.push((first, second, amount));
        }
    }
    Ok(Some(()))
}

//! The table `SVG`: documents that draw glyphs. Documents without a glyph of the set are left out.

use crate::SubsetError;
use crate::bytes::{Bytes, put_u16, put_u32};
use crate::glyph_set::GlyphSet;

pub(crate) fn cut(table: Bytes<'_>, kept: &GlyphSet) -> Result<Vec<u8>, SubsetError> {
    let list = table.follow32(2)?;
    // How many glyphs of the set precede each.
    let mut kept_below = vec![0u16];
    kept_below.extend((0..=u16::MAX).scan(0u16, |count, glyph| {
        *count = count.saturating_add(u16::from(kept.contains(glyph)));
        Some(*count)
    }));
    let mut documents: Vec<(u16, u16, &[u8])> = Vec::new();
    for record in 0..usize::from(list.u16(0)?) {
        let record = list.slice(2 + 12 * record, 12)?;
        let (first, last) = (record.u16(0)?, record.u16(2)?);
        if first <= last && kept_below[usize::from(last) + 1] > kept_below[usize::from(first)] {
            documents.push((first, last, list.slice(record.u32(4)? as usize, record.u32(8)? as usize)?.0));
        }
    }
    let mut out = vec![0, 0, 0, 0, 0, 10, 0, 0, 0, 0];
    put_u16(&mut out, documents.len());
    let mut place = 2 + 12 * documents.len();
    let mut all = Vec::new();
    let mut before: Option<(&[u8], usize)> = None;
    for (first, last, document) in documents {
        // Neighbours may share a document.
        let at = match before {
            Some((same, at)) if std::ptr::eq(same, document) => at,
            _ => {
                all.extend_from_slice(document);
                let at = place;
                place += document.len();
                at
            }
        };
        if all.len() > table.len() {
            return Err(table.fault("lists the same documents several times"));
        }
        before = Some((document, at));
        put_u16(&mut out, first);
        put_u16(&mut out, last);
        put_u32(&mut out, at);
        put_u32(&mut out, document.len());
    }
    out.extend(all);
    Ok(out)
}

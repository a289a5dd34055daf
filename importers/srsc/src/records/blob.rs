//! Plain records, which have no field that says what they are: texts, RIFF files, volumes.

use super::{FIRST_VOLUME, Record};
use crate::body::Body;
use crate::error::Fault;
use crate::text::Text;

/// Reads the body of a plain record.
pub(super) fn parse<'a>(id: u16, body: &mut Body<'a>) -> Result<Record<'a>, Fault> {
    if id >= FIRST_VOLUME && body.left() == 4 {
        return Ok(Record::Volume(body.i32("volume")?));
    }
    let bytes = body.rest();
    Ok(if bytes.starts_with(b"RIFF") { Record::Riff(bytes.into()) } else { Record::Text(Text::new(bytes)) })
}

//! The bytes of the file that a resource becomes.

use rres_runtime::{Pack, Sound};

use super::plan::{Extraction, Form};
use crate::cmd::cat::source_bytes;
use crate::export::{self, Contents, ExportError};

/// Returns the contents of the file for a resource.
pub(super) fn contents<'a>(extraction: &'a Extraction<'_>) -> Result<Contents<'a>, ExportError> {
    let Extraction { pack, resource, form, .. } = extraction;
    let loaded_pack = || -> Result<&Pack, ExportError> {
        pack.runtime_pack().ok_or_else(|| ExportError::Damaged("the pack is damaged".to_owned()))
    };
    match form {
        Form::Source => {
            let missing = || ExportError::Damaged("the chunk with the source file is missing".to_owned());
            Ok(Contents { bytes: source_bytes(resource)?.ok_or_else(missing)?, conversion: None })
        }
        Form::Png => export::png(&loaded_pack()?.load(resource.id)?),
        Form::Wav => export::wav(&loaded_pack()?.load::<Sound>(resource.id)?),
    }
}

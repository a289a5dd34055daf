//! The signatures of a set: of every pack, and of the packs together.

use rres_format::signature::{PublicKey, Signature, SignatureError};
use rres_protocol::files::first_pack;

use super::Report;
use crate::finding::{Code, Finding};
use crate::opened_pack::OpenedPack;
use crate::pack_set::PackSet;

/// Checks that every pack of a set has a signature with one of `keys`. Without keys, checks only that nobody has changed
/// the packs after they were signed, if they are signed.
pub(super) fn check(set: &PackSet, keys: &[PublicKey], reports: &mut [Report]) {
    let first = Signature::find(set.packs[0].view().bytes());
    let is_signed = !matches!(first, Err(SignatureError::Missing));
    let count = set.packs[0].view().index().map_or(1, |index| index.additional_packs().saturating_add(1));
    for (number, (pack, report)) in (0..).zip(set.packs.iter().zip(reports)) {
        let checked = check_pack(pack, keys).and_then(|key| match (&first, Signature::find(pack.view().bytes())) {
            // An additional pack that is checked by itself, under its own name.
            (_, Ok(view))
                if count == 1 && first_pack(pack.path()).is_some_and(|(_, number)| number == view.number().0) =>
            {
                Ok(key)
            }
            (Ok(first), Ok(view)) => view.check_set(first, number, count).map(|()| key),
            _ => Ok(key),
        });
        let finding = match checked {
            Err(SignatureError::Missing) if keys.is_empty() && !is_signed => continue,
            Ok(_) if !keys.is_empty() => continue,
            Ok(key) => {
                let message =
                    format!("the pack is signed with the key {key}; name the key that it should be with --key");
                Finding::new(Code::SignatureUnchecked, message)
            }
            Err(error) => Finding::new(Code::SignatureWrong, error.to_string()),
        };
        report.findings.push(finding);
    }
}

pub(crate) fn check_pack(pack: &OpenedPack, keys: &[PublicKey]) -> Result<PublicKey, SignatureError> {
    let bytes = pack.view().bytes();
    let view = Signature::find(bytes)?;
    let own = [view.key()];
    let key = view.verify(bytes, if keys.is_empty() { &own } else { keys })?;
    view.check_all(bytes)?;
    Ok(key)
}

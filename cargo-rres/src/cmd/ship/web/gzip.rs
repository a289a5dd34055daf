//! Compressed copies, for servers that send them in place of a file: `gzip_static` of nginx, and others.

use std::fs;

use super::super::archive::gzip;
use super::super::staging::{Role, Staging};
use super::cannot_read;
use crate::exit::Failure;

/// Adds a copy of each program and text that is smaller compressed. Not of packs: they are compressed, and are read in parts, which a
/// compressed file does not have.
pub(in super::super) fn add_compressed(staging: &mut Staging) -> Result<(), Failure> {
    let compressible = |role| matches!(role, Role::Program | Role::Page | Role::Licence);
    let parts: Vec<_> = staging.parts.iter().filter(|part| compressible(part.role)).cloned().collect();
    for part in parts {
        let file = staging.dir().join(&part.path);
        let bytes = fs::read(&file).map_err(|e| cannot_read(&file, &e))?;
        let mut compressed = Vec::new();
        gzip::write(&mut compressed, |out| out.write_all(&bytes)).map_err(|e| cannot_read(&file, &e))?;
        if compressed.len() < bytes.len() {
            let path = format!("{}.gz", part.path);
            staging.add_bytes(&path, &compressed, Role::Compressed, format!("{}, compressed", part.path))?;
        }
    }
    Ok(())
}

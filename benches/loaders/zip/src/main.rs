//! Loads from a zip archive that is mapped. An entry `PATH.rgba` has the pixels of an image; other entries are source files.

use std::fs::File;
use std::io::{Cursor, Read as _};
use std::process::ExitCode;

use loader::{Item, Kind};

fn main() -> ExitCode {
    loader::run(|job, sink| {
        // SAFETY: the benchmark does not change the archive while this process lives.
        let map = unsafe { memmap2::Mmap::map(&File::open(&job.store)?)? };
        let archive = zip::ZipArchive::new(Cursor::new(&map[..]))?;
        let has_pixels = archive.file_names().flatten().any(|name| name.ends_with(".rgba"));
        let load = |archive: &mut zip::ZipArchive<Cursor<&[u8]>>, item: &Item| {
            let pixels = has_pixels && item.kind == Kind::Image;
            let mut entry = archive.by_name(&if pixels { format!("{}.rgba", item.path) } else { item.path.clone() })?;
            let mut bytes = Vec::with_capacity(usize::try_from(entry.size())?);
            entry.read_to_end(&mut bytes)?;
            if pixels {
                sink.keep_bytes(item, bytes);
                return Ok(());
            }
            loader_sources::decode(item, bytes, sink)
        };
        // A clone shares the list of entries.
        loader::each(job, || Ok(archive.clone()), load)
    })
}

//! Loads loose files: `std::fs::read` and the crates that most games use.

use std::process::ExitCode;

fn main() -> ExitCode {
    loader::run(|job, sink| {
        let load = |(): &mut (), item: &loader::Item| {
            loader_sources::decode(item, std::fs::read(job.store.join(&item.path))?, sink)
        };
        loader::each(job, || Ok(()), load)
    })
}

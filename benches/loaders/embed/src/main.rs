//! Loads files that `rust-embed` has put into the executable. The folder is that of the environment variable `RRES_BENCH_ASSETS`
//! when the program was compiled.

use std::process::ExitCode;

#[derive(rust_embed::Embed)]
#[folder = "$RRES_BENCH_EMBEDDED"]
struct Assets;

fn main() -> ExitCode {
    loader::run(|job, sink| {
        let load = |(): &mut (), item: &loader::Item| {
            let file = Assets::get(&item.path).ok_or("not in the executable")?;
            loader_sources::decode(item, file.data.into_owned(), sink)
        };
        loader::each(job, || Ok(()), load)
    })
}

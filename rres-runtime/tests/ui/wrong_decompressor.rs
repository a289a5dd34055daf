// A line of the module of a game whose pack has chunks in DEFLATE.
mod assets {
    ::rres_runtime::__require_deflate!("data/table.bin and 1 more");
}

fn main() {}

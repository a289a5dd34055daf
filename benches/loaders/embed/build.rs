//! Compiles the program again if the folder is another one.

fn main() {
    println!("cargo::rerun-if-env-changed=RRES_BENCH_ASSETS");
    let assets = std::env::var("RRES_BENCH_ASSETS").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned() + "/src");
    println!("cargo::rustc-env=RRES_BENCH_EMBEDDED={assets}");
}
